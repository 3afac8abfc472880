/*
 * Reading the command line by the table of options.
 */
#include "cli/option_table.h"
#include "job/job.h"
#include "cli/verbs.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

enum { LONG_BASE = 256 }; /* getopt's values: a letter, or LONG_BASE + the row */

static bool takes(const struct option_row *row, const char *verb)
{
	const size_t length = strlen(verb);

	if (!row->verbs)
		return true;
	for (const char *at = row->verbs; (at = strstr(at, verb)); at += length)
		if ((at == row->verbs || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
			return true;
	return false;
}

bool options_given(const struct options *options, const char *name)
{
	for (int i = 0; i < OPTION_ROWS; i++)
		if (strcmp(option_table[i].name, name) == 0)
			return options->given >> i & 1;
	return false;
}

void options_print(const char *verb)
{
	for (int i = 0; i < OPTION_ROWS; i++) {
		const struct option_row *row = &option_table[i];
		char form[40];
		const bool optional = row->argument && row->argument[0] == '[';

		if (!takes(row, verb))
			continue;
		snprintf(form, sizeof form, "--%s%s%s", row->name, row->argument && !optional ? " " : "",
			row->argument ? row->argument : "");
		printf("  %c%c%c %-20s %s\n", row->letter ? '-' : ' ', row->letter ? row->letter : ' ',
			row->letter ? ',' : ' ', form, row->text);
	}
}

/* getopt_long's own tables, from ours.  A value of LONG_BASE + i stands for row i. */
static void getopt_tables(struct option *longs, char *shorts)
{
	*shorts++ = ':';
	for (int i = 0; i < OPTION_ROWS; i++) {
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
	longs[OPTION_ROWS] = (struct option){ 0 };
	*shorts = '\0';
}

static int row_of(int value)
{
	int i = value - LONG_BASE;

	if (value < LONG_BASE)
		for (i = 0; i < OPTION_ROWS && option_table[i].letter != value; i++)
			;
	return i;
}

static int unknown_option(const char *text)
{
	const char *names[OPTION_ROWS];
	char word[64];

	if (optopt > 0 && optopt < LONG_BASE)
		return print_error(
			EXIT_USAGE, "no option -%c; would be right: one that --help lists", optopt);
	for (int i = 0; i < OPTION_ROWS; i++)
		names[i] = option_table[i].name;
	snprintf(word, sizeof word, "%.*s", (int)strcspn(text + 2, "="), text + 2);

	const char *meant = ls_name_suggest(word, names, OPTION_ROWS);

	return print_error(EXIT_USAGE, "no option --%s; would be right: %s%s", word,
		meant ? "--" : "one that --help lists", meant ? meant : "");
}

static int misused_option(int value, const char *text)
{
	const int i = row_of(optopt);

	if (value == ':')
		return print_error(EXIT_USAGE, "%s needs a value; would be right: %s %s", text, text,
			option_table[i].argument);
	if (optopt >= LONG_BASE && i < OPTION_ROWS)
		return print_error(EXIT_USAGE, "--%s takes no value; would be right: --%s",
			option_table[i].name, option_table[i].name);
	return unknown_option(text);
}

static int too_many(const struct options *options, const char *word)
{
	if (options->verb)
		return print_error(EXIT_USAGE, "%s is one word too many; would be right: lockstep %s %s",
			word, options->verb->name, options->verb->operands);
	return print_error(
		EXIT_USAGE, "%s is one word too many; would be right: lockstep VERB ...", word);
}

/* Operands: the verb, then its own. */
static int read_words(struct options *options, int count, char **words)
{
	if (count == 0)
		return EXIT_SUCCESS;

	const int failed = find_verb(words[0], &options->verb);

	if (failed)
		return failed;
	for (int i = 1; i < count; i++) {
		if (i > options->verb->most)
			return too_many(options, words[i]);
		options->word[i - 1] = words[i];
	}
	return EXIT_SUCCESS;
}

static int check_taken(const struct options *options)
{
	for (int i = 0; i < OPTION_ROWS; i++)
		if (options->given >> i & 1 && !takes(&option_table[i], options->verb->name))
			return print_error(EXIT_USAGE,
				"%s takes no --%s; would be right: lockstep %.*s ... --%s", options->verb->name,
				option_table[i].name, (int)strcspn(option_table[i].verbs, " "),
				option_table[i].verbs, option_table[i].name);
	return EXIT_SUCCESS;
}

/* What only bench compares in one run. */
static int check_lists(const struct options *options)
{
	if (options->verb->act == verb_bench)
		return EXIT_SUCCESS;
	if (options->sizes.most > options->sizes.least)
		return print_error(EXIT_USAGE,
			"a range is not one message size; would be right: -m %zu, or lockstep bench",
			options->sizes.least);
	if (options->engines.count > 1)
		return print_error(EXIT_USAGE,
			"a list is not one engine; would be right: -e %s, or "
			"lockstep bench",
			ls_engine_name(options->engine));
	if (options->every_rounds.count > 1)
		return print_error(EXIT_USAGE,
			"a list is not one kind of rounds; would be right: "
			"--rounds %s, or lockstep bench",
			rounds_text(options->rounds));
	return EXIT_SUCCESS;
}

/* Both lists hold what is in force, also where nothing was said. */
static void settle_lists(struct options *options)
{
	if (options->engines.count == 0)
		options->engines =
			(struct list){ 1, { options->verb->act == verb_bench ? LS_AUTO : LS_MAILBOXES } };
	if (options->every_rounds.count == 0)
		options->every_rounds = (struct list){ 1, { LS_LOCKSTEP } };
	options->engine = (enum ls_engine)options->engines.at[0];
	options->rounds = (enum ls_rounds)options->every_rounds.at[0];
}

static int count_words(const struct options *options)
{
	int count = 0;

	while (options->word[count])
		count++;
	if (count < options->verb->least && !options->plan)
		return print_error(EXIT_USAGE, "%s needs %s; would be right: lockstep %s %s",
			options->verb->name, options->verb->act == verb_fit ? "a file" : "an operation",
			options->verb->name, options->verb->operands);
	return EXIT_SUCCESS;
}

int options_read(struct options *options, int argc, char **argv)
{
	struct option longs[OPTION_ROWS + 1];
	char shorts[2 * OPTION_ROWS + 2];
	int value;

	/* getopt_long moves operands behind the options. */
	char **command = require_memory(calloc((size_t)argc + 1, sizeof *command));

	memcpy(command, argv, (size_t)argc * sizeof *command);
	*options = (struct options){ .command = command,
		.count = 1,
		.shift = 1,
		.type = LS_DOUBLE,
		.op = LS_SUM,
		.sizes = { 1, 1, 2 },
		.iterations = 1,
		.model = ls_cost_model_default };
	if (argc > 1 && argv[1][0] != '-') {
		const int unknown = find_verb(argv[1], &options->verb);

		if (unknown)
			return unknown;
	}
	getopt_tables(longs, shorts);
	opterr = 0;
	while ((value = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
		if (value == '?' || value == ':')
			return misused_option(value, argv[optind - 1]);

		const int i = row_of(value);
		const int failed = option_table[i].set(options, optarg);

		if (failed)
			return failed;
		options->given |= UINT64_C(1) << i;
	}

	int failed = read_words(options, argc - optind, argv + optind);

	if (failed || options->help || options->version || !options->verb)
		return failed;
	if (options_given(options, "json") && options_given(options, "csv"))
		return print_error(EXIT_USAGE, "--json and --csv at once; would be right: one of them");

	settle_lists(options);
	if ((failed = check_taken(options)) == EXIT_SUCCESS)
		failed = check_lists(options);
	return failed ? failed : count_words(options);
}
