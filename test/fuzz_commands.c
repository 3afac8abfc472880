/*
 * Command lines made from the tables of verbs, options and their values: the tool executes each, or
 * refuses it in one line.
 *
 * An input has one word of a command line per line.  Commands that are right but take long, and
 * those that name files elsewhere, are left out.  See fuzz_text.h.
 */
/* variants: release checked asan */
/* tool: in this process */
#include "cli/choices.h"
#include "fuzz_text.h"
#include "tool_call.h"

enum { NODES = 64, RUN_NODES = 12, FOUND_NODES = 6, ELEMENTS = 4096, FEW = 3 };

/* ---- Files */

static struct kept_file {
	const char *name, *command; /* that writes it, or prints it */
	const char *start;          /* of the text, if no command writes it */
	char *text;
	size_t length;
} kept_files[] = {
	{ .name = "line.graph", .start = "0 1\n1 2\n2 3\n" },
	{ .name = "order.map", .start = "0 1 3 2\n" },
	{ .name = "square.layout", .start = "0 0 0\n1 0 1\n2 1 1\n3 1 0\n" },
	{ .name = "rows.csv", .start = "1,2\n3,4\n5,6\n7,8\n" },
	{ .name = "my.plan", .command = "steps allreduce -t ring:4 --format plan" },
	{ .name = "sent.csv", .command = "steps broadcast -t ring:4 --csv" },
	{ .name = "times.csv",
		.command = "bench allreduce -t ring:2 -m 1:4 -e sweep --samples 1 -i 1 --csv" },
	{ .name = "times.json",
		.command = "bench allreduce -t ring:2 -m 1 -e sweep --samples 1 -i 1 --json" },
};
enum { KEPT = sizeof kept_files / sizeof *kept_files };

static void make_files(void)
{
	struct tool_call made = { 0 };

	tool_enter_folder();
	if (!freopen("/dev/null", "r", stdin))
		exit(EXIT_FAILURE);
	for (int i = 0; i < KEPT; i++) {
		struct kept_file *file = &kept_files[i];

		if (file->command)
			tool_do(&made, "%s", file->command);
		file->text = strdup(file->command ? made.out.text : file->start);
		file->length = file->text ? strlen(file->text) : 0;
	}
	tool_release(&made);
}

/* A command may change each of them. */
static void renew_files(void)
{
	tool_remove_files();
	for (int i = 0; i < KEPT; i++)
		tool_put_file(kept_files[i].name, kept_files[i].text, kept_files[i].length);
}

/* ---- What is left out */

static bool is_near(const struct tool_call *call)
{
	for (int i = 1; i < call->words; i++) {
		const char *word = call->word[i], *value = strchr(word, '=');

		if (word[0] == '/' || (value && value[1] == '/') || strstr(word, "..") || word[0] == '~')
			return false;
	}
	return true;
}

static int64_t nodes_of(const char *spec)
{
	ls_topology *t = NULL;
	int64_t nodes = 0;

	if (spec && ls_topology_make(spec, &t, NULL) == LS_OK)
		nodes = ls_topology_nodes(t);
	ls_topology_destroy(t);
	return nodes;
}

static bool solves_fast(const struct options *options)
{
	const char *solver = options->search.solver;

	return options->search.budget > 0 && options->search.budget <= 0.2
		&& (!solver || strcmp(solver, "cadical") == 0 || strcmp(solver, "none") == 0);
}

static bool takes_short(const struct options *options)
{
	const struct execution *how = &options->how;
	const struct query *query = &options->query;
	const bool runs = options->verb->act == verb_run || options->verb->act == verb_bench;
	const bool finds = options->verb->act == verb_find;
	const bool benches = options->verb->act == verb_bench;
	/* The trace of a file names a network, too. */
	const int64_t nodes = nodes_of(query->topology);

	return options->verb->act != verb_reproduce
		&& nodes <= (finds ? FOUND_NODES
				   : runs  ? RUN_NODES
						   : NODES)
		&& query->count <= ELEMENTS && query->sizes.most <= ELEMENTS && how->iterations <= FEW
		&& how->warmup <= FEW && how->samples <= FEW && (how->samples > 0 || !benches)
		&& how->mailbox <= NODES && how->workers <= RUN_NODES
		&& (how->timeout == 0 || how->timeout >= TOOL_SECONDS) && (!finds || solves_fast(options));
}

/* Refused commands are short, too. */
static bool is_short(const struct tool_call *call)
{
	struct options options = { 0 };
	char *argv[TOOL_WORDS + 1];
	bool is;

	memcpy(argv, call->word, sizeof argv);
	silence_messages(true);
	is = options_read(&options, call->words, argv) || !has_verb(&options) || takes_short(&options);
	silence_messages(false);
	free(options.output.command);
	plan_file_close(&options.plan);
	return is;
}

/* ---- Inputs */

static bool has_word(const struct tool_call *call, const char *word)
{
	for (int i = 1; i < call->words; i++)
		if (strcmp(call->word[i], word) == 0)
			return true;
	return false;
}

static bool is_quiet(const struct tool_call *call)
{
	bool is = false;

	for (int i = 1; i < call->words; i++)
		is |= tool_is_option(call, i, "--quiet");
	return is;
}

static void try_command(const uint8_t head[HEAD], const char *text, size_t length)
{
	struct tool_call made = { 0 };
	char line[ROOM], *rest = line;

	(void)head;
	if (!kept_files[0].text)
		make_files();
	renew_files();
	memcpy(line, text, length);
	line[length] = '\0';
	tool_add(&made, "lockstep");
	for (char *word; (word = strsep(&rest, "\n"));)
		if (*word || (rest && *rest))
			tool_add(&made, word);
	if (is_near(&made) && is_short(&made)) {
		tool_run(&made);
		tool_check(&made);
		CHECK(!is_quiet(&made) || has_word(&made, "-") || made.out.length == 0 || tool_helps(&made),
			"--quiet, but results");
		if (test_failures)
			tool_print(&made);
	}
	tool_release(&made);
}

/* ---- Words */

static const char *const numbers[] = { "0", "1", "2", "3", "4", "5", "8", "64", "1K", "-1", "1.5",
	"1:4", "1:8:x2", "x", "", "0-2", "1-3", "30", "0.1", "rounds<=3", "ordered", "1,2", "none",
	"99999999999999999999", NULL };
static const char *const specs[] = { "ring:4", "ring:2", "star:3", "hypercube:2", "mesh:2x2",
	"linear:2", "tree:4", "complete:3", "graph:line.graph", "torus:3x3", "ring:2*linear:2",
	"ring:", "ring:0", "linear:4/", NULL };
static const char *const files[] = { "line.graph", "order.map", "square.layout", "rows.csv",
	"my.plan", "sent.csv", "times.csv", "times.json", "out.svg", "out.csv", "out.npy", "out.plan",
	"out.html", "out.tex", "out.dot", "out.json", "none.csv", "-", ".", NULL };

/* The words of all tables, to be put anywhere. */
enum { TABLE_WORDS = 1000 };
static const char *table_word[TABLE_WORDS + 1];

static void keep_word(void *count, const char *word, const char *text)
{
	int *n = count;

	(void)text;
	if (*n < TABLE_WORDS && *word)
		table_word[(*n)++] = strdup(word);
}

static const char *const *all_words(void)
{
	static int n;

	if (n > 0)
		return table_word;
	for (int i = 0; i < OPTIONS; i++) {
		char option[40];

		snprintf(option, sizeof option, "--%s", option_table[i].name);
		keep_word(&n, option, NULL);
		choices_visit(option_table[i].name, keep_word, &n);
	}
	for (const char *kind = "verb\0operation\0benchmark\0list\0"; *kind; kind += strlen(kind) + 1)
		choices_visit(kind, keep_word, &n);
	for (const char *const *w = numbers; *w; w++)
		keep_word(&n, *w, NULL);
	for (const char *const *w = specs; *w; w++)
		keep_word(&n, *w, NULL);
	for (const char *const *w = files; *w; w++)
		keep_word(&n, *w, NULL);
	return table_word;
}

struct chosen {
	struct edit *edit;
	size_t count;
	char word[80];
};

/* Each word is chosen with the same chance. */
static void choose_word(void *chosen, const char *word, const char *text)
{
	struct chosen *c = chosen;

	(void)text;
	if (below(c->edit, ++c->count) == 0)
		snprintf(c->word, sizeof c->word, "%s", word);
}

static void choose_value(struct chosen *c, const struct option_row *row)
{
	const char *const *list = strcmp(row->argument, "SPEC") == 0                  ? specs
		: strcmp(row->argument, "FILE") == 0 || strcmp(row->argument, "MAP") == 0 ? files
																				  : numbers;

	choices_visit(row->name, choose_word, c);
	for (size_t i = 0; list[i] && (c->count < 3 || strcmp(row->name, "topology") == 0); i++)
		choose_word(c, list[i], NULL);
}

/* An option, mostly one that the verb takes, with a value of its kind. */
static void add_option(struct edit *e)
{
	struct chosen value = { .edit = e };
	const struct verb *verb = verbs;
	const struct option_row *row;
	char line[160];
	int id;

	while (verb->name
		&& (strncmp(e->text, verb->name, strlen(verb->name)) || e->text[strlen(verb->name)] > '\n'))
		verb++;
	do
		id = (int)below(e, OPTIONS);
	while (verb->name && !verb_takes(verb, (enum option_id)id) && below(e, 16));
	row = &option_table[id];
	if (row->argument)
		choose_value(&value, row);
	snprintf(line, sizeof line, "%s--%s%s%s\n",
		e->length == 0 || e->text[e->length - 1] == '\n' ? "" : "\n", row->name,
		!row->argument              ? ""
			: *row->argument == '[' ? "="
									: "\n",
		value.word);
	edit_append(e, line);
}

static void change_command(struct edit *e, const uint8_t head[HEAD])
{
	const struct grammar grammar = { "\n,:=", "\n", NULL, (const char *const[]){ NULL },
		all_words() };

	(void)head;
	if (below(e, 3) == 0)
		add_option(e);
	else
		change_structure(e, &grammar);
}

static const struct verb *any_verb(struct edit *e)
{
	size_t count = 0;

	while (verbs[count].name)
		count++;
	return &verbs[below(e, count)];
}

/* An example of a verb, on a small network. */
static void begin(struct edit *e, uint8_t head[HEAD])
{
	const struct verb *verb = any_verb(e);
	char line[400], text[400] = "", *rest;
	const char *example = verb->examples[below(e, 2)];
	bool is_spec = false;

	(void)head;
	snprintf(line, sizeof line, "%s", example ? example + strlen("lockstep ") : verb->name);
	for (char *word = strtok_r(line, " '", &rest); word; word = strtok_r(NULL, " '", &rest)) {
		snprintf(text + strlen(text), sizeof text - strlen(text), "%s\n",
			is_spec ? specs[below(e, 6)] : word);
		is_spec = strcmp(word, "-t") == 0;
	}
	edit_set(e, text, strlen(text));
}

static const struct fuzzer fuzzer = { .name = "commands",
	.fast = 1500,
	.full = 15000,
	.very_long = 1000000,
	.begin = begin,
	.change = change_command,
	.try = try_command };
