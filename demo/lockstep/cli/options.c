/*
 * Reads the command line by the tables of options and verbs.
 */
#include "base/object_text.h"
#include "base/names.h"
#include "base/processes.h"
#include "cli/verb.h"
#include "draw/named_figures.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

enum { LONG_BASE = 256 }; /* getopt's values: a letter, or LONG_BASE + the row */

/* The tables of getopt_long.  A value of LONG_BASE + i stands for row i. */
static void getopt_tables(struct option *longs, char *shorts)
{
	*shorts++ = ':';
	for (int i = 0; i < OPTIONS; i++) {
		const char *argument = option_table[i].argument;
		const int has = !argument ? no_argument
			: *argument == '['    ? optional_argument
								  : required_argument;

		longs[i] = (struct option){ option_table[i].name, has, NULL, LONG_BASE + i };
		if (option_table[i].letter)
			*shorts++ = option_table[i].letter;
		if (option_table[i].letter && has == required_argument)
			*shorts++ = ':';
	}
	longs[OPTIONS] = (struct option){ 0 };
	*shorts = '\0';
}

static int row_of(int value)
{
	int i = value - LONG_BASE;

	if (value < LONG_BASE)
		for (i = 0; i < OPTIONS && option_table[i].letter != value; i++)
			;
	return i;
}

/* verb NULL: none was given. */
static int print_unknown_option(const struct verb *verb, const char *text)
{
	const char *names[OPTIONS], *meant = NULL;
	char word[64];

	if (optopt > 0 && optopt < LONG_BASE) {
		snprintf(word, sizeof word, "-%c", optopt);
	} else {
		for (int i = 0; i < OPTIONS; i++)
			names[i] = option_table[i].name;
		snprintf(word, sizeof word, "%.*s", (int)strcspn(text, "="), text);
		meant = ls_name_suggest(word + 2, names, OPTIONS);
	}
	if (meant)
		return print_error(EXIT_USAGE, "unknown option %s; did you mean --%s?", word, meant);
	return print_error(EXIT_USAGE, "unknown option %s; try 'lockstep help%s%s'", word,
		verb ? " " : "", verb ? verb->name : "");
}

static int print_misused_option(const struct verb *verb, int value, const char *text)
{
	const int i = row_of(optopt);

	if (value == ':')
		return print_error(
			EXIT_USAGE, "%s needs a value; expected %s %s", text, text, option_table[i].argument);
	if (optopt >= LONG_BASE && i < OPTIONS)
		return print_error(EXIT_USAGE, "--%s takes no value; try --%s", option_table[i].name,
			option_table[i].name);
	return print_unknown_option(verb, text);
}

static int print_unexpected_operand(const struct options *options, const char *word)
{
	const struct verb *verb = options->verb;
	const char *ending = strrchr(word, '.');
	const bool is_plan = ending && (!strcmp(ending, ".csv") || !strcmp(ending, ".plan"));

	if (is_plan && verb_takes(verb, OPTION_PLAN))
		return print_error(EXIT_USAGE, "unexpected operand '%s'; try --plan %s", word, word);
	return print_error(EXIT_USAGE, "unexpected operand '%s'; expected 'lockstep %s%s%s'", word,
		verb->name, *verb->operands ? " " : "", verb->operands);
}

static bool is_given(const struct options *options, enum option_id id)
{
	return options->given & TAKES(id);
}

/* The first word is the verb, the others are its operands. */
static int read_words(struct options *options, int count, char **words)
{
	if (count == 0)
		return EXIT_SUCCESS;

	const int failed = find_verb(words[0], &options->verb);

	if (failed)
		return failed;
	for (int i = 1; i < count; i++) {
		if (i > options->verb->most)
			return print_unexpected_operand(options, words[i]);
		options->word[i - 1] = words[i];
	}
	return EXIT_SUCCESS;
}

/*
 * "chart writes svg, png and pdf only; try without --json", or, of a verb that writes only one of
 * both, "VERB writes text and csv, not json; try --csv".
 */
static int print_unwritten(const struct verb *verb, enum option_id id)
{
	const enum option_id other = id == OPTION_JSON ? OPTION_CSV : OPTION_JSON;
	char names[80];

	format_names(verb->formats, "and", names, sizeof names);
	if (verb_takes(verb, other))
		return print_error(EXIT_USAGE, "%s writes %s, not %s; try --%s", verb->name, names,
			option_table[id].name, option_table[other].name);
	return print_error(EXIT_USAGE, "%s writes %s only; try without --%s", verb->name,
		*names ? names : "text", option_table[id].name);
}

/* "steps takes no --timeout; only run and bench take it" */
static int print_untaken(const struct verb *verb, enum option_id id)
{
	const char *name = option_table[id].name;
	char takers[120];

	if (verb->act == verb_steps && (id == OPTION_TRACE || id == OPTION_OUTPUT))
		return print_error(EXIT_USAGE,
			"steps takes no --%s; try 'lockstep steps OPERATION -t TOPOLOGY FILE.csv'", name);
	verbs_that_take(id, takers, sizeof takers);
	return print_error(EXIT_USAGE, "%s takes no --%s; only %s %s it", verb->name, name, takers,
		strchr(takers, ' ') ? "take" : "takes");
}

/* A verb without a table of formats writes free text. */
static int check_format(const struct options *options)
{
	const char *name = options->output.format_name;
	char names[80], remedy[100];
	const char *word[FORMATS_MOST];
	size_t count = 0;

	if (options->output.format || (!options->verb->formats && strcmp(name, "text") == 0))
		return EXIT_SUCCESS;
	for (const struct format *f = options->verb->formats; f && f->name; f++)
		word[count++] = f->name;
	format_names(options->verb->formats, "or", names, sizeof names);
	snprintf(remedy, sizeof remedy, "expected %s", count ? names : "text");
	return print_unknown("format", name, word, count, remedy);
}

/* Store the first two given options that select a format; return how many were stored. */
static int format_options(const struct options *options, const char *name[2])
{
	static const enum option_id ids[] = { OPTION_JSON, OPTION_CSV, OPTION_FORMAT };
	int count = 0;

	for (size_t i = 0; i < sizeof ids / sizeof *ids && count < 2; i++)
		if (is_given(options, ids[i]))
			name[count++] = option_table[ids[i]].name;
	return count;
}

static int check_one_format(const struct options *options)
{
	const char *name[2];

	if (format_options(options, name) < 2)
		return EXIT_SUCCESS;
	return print_error(
		EXIT_USAGE, "--%s and --%s cannot be used together; try one of them", name[0], name[1]);
}

static int check_taken(const struct options *options)
{
	const struct verb *verb = options->verb;

	for (int i = 0; i < OPTIONS; i++) {
		const enum option_id id = (enum option_id)i;

		if (!(options->given & TAKES(id)) || verb_takes(verb, id))
			continue;
		if (id == OPTION_JSON || id == OPTION_CSV)
			return print_unwritten(verb, id);
		return print_untaken(verb, id);
	}
	return EXIT_SUCCESS;
}

/* Lists that only bench compares in one run. */
static int check_lists(const struct options *options)
{
	const struct execution *how = &options->how;

	if (options->verb->act == verb_bench)
		return EXIT_SUCCESS;
	if (options->query.sizes.most > options->query.sizes.least)
		return print_error(EXIT_USAGE, "%s takes one message size; try -m %zu, or 'lockstep bench'",
			options->verb->name, options->query.sizes.least);
	if (how->engines.count > 1)
		return print_error(EXIT_USAGE, "%s takes one engine; try -e %s, or 'lockstep bench'",
			options->verb->name, ls_engine_name(how->engine));
	if (how->every_rounds.count > 1)
		return print_error(EXIT_USAGE,
			"%s takes one kind of rounds; try --rounds %s, or 'lockstep bench'",
			options->verb->name, rounds_text(how->rounds));
	if (how->node_kinds.count > 1)
		return print_error(EXIT_USAGE,
			"%s takes one kind of node; try --nodes %s, or 'lockstep bench'", options->verb->name,
			ls_node_kind_name(how->nodes));
	return EXIT_SUCCESS;
}

/* All lists hold the values in force, including the defaults. */
static void complete_lists(const struct verb *verb, struct execution *how)
{
	if (how->engines.count == 0)
		how->engines = (struct list){ 1, { verb->act == verb_bench ? LS_AUTO : LS_MAILBOXES } };
	if (how->every_rounds.count == 0)
		how->every_rounds = (struct list){ 1, { LS_LOCKSTEP } };
	if (how->node_kinds.count == 0)
		how->node_kinds = (struct list){ 1, { LS_NODE_THREAD } };
	how->engine = (enum ls_engine)how->engines.at[0];
	how->nodes = (enum ls_node_kind)how->node_kinds.at[0];
	how->rounds = (enum ls_rounds)how->every_rounds.at[0];
}

static int check_operands(const struct options *options)
{
	const struct verb *verb = options->verb;
	int count = 0;

	while (options->word[count])
		count++;
	if (count < verb->least && !(verb->plans && options->query.plan))
		return print_error(EXIT_USAGE, "%s needs %s; expected 'lockstep %s %s'", verb->name,
			verb->needs, verb->name, verb->operands);
	return EXIT_SUCCESS;
}

/* "figure4.99", where no format has this extension. */
static bool resembles_figure(const struct verb *verb, const char *word)
{
	const char *name[FIGURES_MOST];

	return verb->act == verb_draw && !format_of_file(verb->formats, word)
		&& ls_name_suggest(word, name, list_figures(name, FIGURES_MOST));
}

/*
 * Whether the first operand is a file, not an operation: `steps --plan FILE OUT`, `draw -t ring:8
 * ring.svg`.
 */
static bool begins_with_file(const struct options *options)
{
	const struct verb *verb = options->verb;
	const char *first = options->word[0];

	if (!verb->plans || verb->most < 2 || !first || ls_operation_find(first) >= 0
		|| resembles_figure(verb, first))
		return false;
	return verb->most > 2 ? strchr(first, '.') || strcmp(first, "-") == 0
						  : options->query.plan && !options->word[1];
}

/* Sets the values that depend on the whole command line. */
static void complete(struct options *options)
{
	struct query *query = &options->query;
	const struct format *formats = options->verb->formats;
	const char *name[2];

	if (begins_with_file(options)) {
		memmove(options->word + 1, options->word, WORDS * sizeof *options->word);
		options->word[0] = NULL;
	}
	query->verb = options->verb->before ? options->verb->before : options->verb->name;
	query->operation = options->word[options->verb->operation];
	if (options->verb->operation > 0 && query->operation && strchr(query->operation, '.'))
		query->operation = NULL; /* `list algorithms FILE` */
	query->given.count = is_given(options, OPTION_MESSAGE_SIZE);
	query->given.root = is_given(options, OPTION_ROOT);
	query->given.shift = is_given(options, OPTION_SHIFT);
	query->given.type = is_given(options, OPTION_TYPE);
	query->given.mode = is_given(options, OPTION_MODE);
	query->given.ports = is_given(options, OPTION_PORTS);
	query->given.seed = is_given(options, OPTION_SEED);
	query->given.model = is_given(options, OPTION_MODEL);
	options->how.given.engine = is_given(options, OPTION_ENGINE);
	options->how.given.iterations = is_given(options, OPTION_ITERATIONS);
	options->how.given.warmup = is_given(options, OPTION_WARMUP);
	complete_lists(options->verb, &options->how);
	options->output.format_given = format_options(options, name) > 0;
	if (!options->output.format_name)
		options->output.format_name = is_given(options, OPTION_JSON) ? "json"
			: is_given(options, OPTION_CSV)                          ? "csv"
			: formats                                                ? formats->name
																	 : "text";
	options->output.format = format_named(formats, options->output.format_name);
}

/* An option that is given already keeps its value. */
static int read_options(struct options *options, int argc, char **argv)
{
	const uint64_t kept = options->given;
	struct option longs[OPTIONS + 1];
	char shorts[2 * OPTIONS + 2];
	int value;

	getopt_tables(longs, shorts);
	opterr = optind = 0; /* 0: getopt_long begins a new vector */
	while ((value = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
		if (value == '?' || value == ':')
			return print_misused_option(options->verb, value, argv[optind - 1]);

		const int i = row_of(value);
		const int failed = kept & TAKES(i) ? EXIT_SUCCESS : option_table[i].set(options, optarg);

		if (failed)
			return failed;
		options->given |= TAKES(i);
	}
	return EXIT_SUCCESS;
}

/* With one of these the picture is no longer that of the source. */
#define OTHER_FIGURE \
	(TAKES(OPTION_TOPOLOGY) | TAKES(OPTION_ALGORITHM) | TAKES(OPTION_MAP) | TAKES(OPTION_ROOT) \
		| TAKES(OPTION_SHIFT) | TAKES(OPTION_MODE) | TAKES(OPTION_PORTS) | TAKES(OPTION_PLAN))

/* `draw figure4.12`: adds the command line of the figure, which yields to that of the user. */
static int read_figure(struct options *options)
{
	const bool draws = options->verb && options->verb->act == verb_draw && options->word[0];
	const struct named_figure *figure = draws ? find_figure(options->word[0]) : NULL;
	char *argv[FIGURE_WORDS + 2] = { (char *)options->verb->name };
	int argc = 1, failed;

	options->typed = options->given;
	if (!figure)
		return EXIT_SUCCESS;
	for (; figure->word[argc - 1]; argc++)
		argv[argc] = (char *)figure->word[argc - 1];
	failed = read_options(options, argc, argv);
	options->word[0] = optind < argc ? argv[optind] : NULL;
	if (!options->drawing.title && !(options->typed & OTHER_FIGURE))
		options->drawing.title = figure->title;
	return failed;
}

int options_read(struct options *options, int argc, char **argv)
{
	/* getopt_long reorders argv: keep a copy. */
	char **command = require_memory(calloc((size_t)argc + 1, sizeof *command));
	int failed = EXIT_SUCCESS;

	memcpy(command, argv, (size_t)argc * sizeof *command);
	*options = (struct options){
		.query = { .count = 1,
			.sizes = { 1, 1, 2 },
			.shift = 1,
			.type = LS_DOUBLE,
			.op = LS_SUM,
			.model = ls_cost_model_default },
		.how = { .iterations = 1 },
		.output = { .file = stdout, .command = command },
	};
	if (argc > 1 && argv[1][0] != '-')
		failed = find_verb(argv[1], &options->verb);
	if (!failed)
		failed = read_options(options, argc, argv);
	if (!failed)
		failed = read_words(options, argc - optind, argv + optind);
	if (failed || options->help || options->version || !options->verb)
		return failed;
	failed = read_figure(options);
	if (failed)
		return failed;
	complete(options);
	failed = check_one_format(options);
	if (!failed)
		failed = check_taken(options);
	if (!failed)
		failed = check_format(options);
	if (!failed && options->query.plan && processes_read(options->query.plan))
		failed = plan_file_open(&options->query, options->query.plan, &options->plan);
	if (!failed)
		failed = check_lists(options);
	return failed ? failed : check_operands(options);
}
