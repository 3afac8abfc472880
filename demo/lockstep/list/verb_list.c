/*
 * lockstep list: topologies, operations, algorithms and links; with -t, those of that network.
 */
#include "cli/option_use.h"
#include "job/job.h"
#include "list/list.h"
#include "report/document.h"

#include <stdlib.h>
#include <string.h>

enum list_id { LIST_TOPOLOGIES, LIST_OPERATIONS, LIST_ALGORITHMS, LIST_LINKS, LISTS };
static const char *const list_name[LISTS] = { "topologies", "operations", "algorithms", "links" };

#define COSTS \
	(TAKES(OPTION_MESSAGE_SIZE) | TAKES(OPTION_ROOT) | TAKES(OPTION_SHIFT) | TAKES(OPTION_OP) \
		| TAKES(OPTION_TYPE) | TAKES(OPTION_MODE) | TAKES(OPTION_PORTS) | TAKES(OPTION_VERBOSE))
/* The options that each list uses. */
static const uint64_t list_options[LISTS] = {
	[LIST_TOPOLOGIES] = TAKES(OPTION_TOPOLOGY),
	[LIST_ALGORITHMS] = TAKES(OPTION_TOPOLOGY) | TAKES(OPTION_PLAN) | COSTS,
	[LIST_LINKS] = TAKES(OPTION_TOPOLOGY),
};

/* The lists from first to last, of the selected objects. */
struct lists {
	const struct query *query;
	const struct selection *only;
	int first, last;
};

static int collect(
	const struct output *output, const struct lists *lists, int what, struct table *table)
{
	const struct selection *only = lists->only;

	switch (what) {
	case LIST_TOPOLOGIES:
		*table = list_topologies(only->topology);
		return EXIT_SUCCESS;
	case LIST_OPERATIONS:
		*table = list_operations();
		return EXIT_SUCCESS;
	case LIST_LINKS:
		return list_links(only->topology, table);
	default:
		if (only->topology)
			return list_cells(lists->query, output, only, table);
		*table = list_all_algorithms(only);
		return EXIT_SUCCESS;
	}
}

/* All tables, before the first of them is printed; the caller ends them, also after a failure. */
static int collect_all(
	const struct output *output, const struct lists *lists, struct table table[LISTS])
{
	int failed = EXIT_SUCCESS;

	for (int what = lists->first; what <= lists->last && !failed; what++)
		failed = collect(output, lists, what, &table[what]);
	return failed;
}

static void end_all(struct table table[LISTS])
{
	for (int what = 0; what < LISTS; what++)
		table_end(&table[what]);
}

static void print_list(
	const struct output *output, const struct lists *lists, int what, struct table *table)
{
	const bool has_costs = what == LIST_ALGORITHMS && lists->only->topology;

	if (what == LIST_ALGORITHMS && !has_costs)
		print_algorithms(lists->only);
	else if (what == LIST_OPERATIONS)
		print_operations(table);
	else
		table_text(table, has_costs ? 2 : 0);
	if (has_costs)
		list_legend(lists->query, output, lists->only, table);
}

static int write_text(const struct output *output, const void *document)
{
	const struct lists *lists = document;
	struct table table[LISTS] = { { 0 } };
	int failed;

	if (lists->first < lists->last && !lists->only->topology) {
		print_summary();
		return EXIT_SUCCESS;
	}
	failed = collect_all(output, lists, table);
	for (int what = lists->first; what <= lists->last && !failed; what++) {
		if (what > lists->first)
			putchar('\n');
		print_list(output, lists, what, &table[what]);
	}
	end_all(table);
	return failed;
}

static int write_csv(const struct output *output, const void *document)
{
	const struct lists *lists = document;
	struct table table = { 0 };
	int failed;

	if (lists->first < lists->last)
		return print_error(EXIT_USAGE, "CSV holds one list; try 'lockstep list algorithms --csv'");
	failed = collect(output, lists, lists->first, &table);
	if (!failed)
		table_csv(&table, output->file);
	table_end(&table);
	return failed;
}

static int write_json(const struct output *output, const void *document)
{
	const struct lists *lists = document;
	struct table table[LISTS] = { { 0 } };
	const int failed = collect_all(output, lists, table);

	if (!failed) {
		struct json json = document_begin(output);

		if (lists->only->topology)
			document_topology(&json, lists->only->topology);
		for (int what = lists->first; what <= lists->last; what++)
			table_json(&table[what], &json, list_name[what]);
		json_end(&json);
	}
	end_all(table);
	return failed;
}

static int write_dot(const struct output *output, const void *document)
{
	const struct lists *lists = document;

	if (lists->first != LIST_LINKS)
		return print_error(EXIT_UNAVAILABLE,
			"DOT holds links only; try 'lockstep list links -t TOPOLOGY FILE.dot'");
	return write_links_dot(lists->only->topology, output->file);
}

const struct format list_formats[] = {
	{ "text", NULL, write_text },
	{ "csv", ".csv", write_csv },
	{ "json", ".json", write_json },
	{ "dot", ".dot", write_dot },
	{ 0 },
};

/* The list that a word names; exit code. */
static int find_list(const char *word, int *what)
{
	for (*what = 0; *what < LISTS; ++*what)
		if (strcmp(word, list_name[*what]) == 0)
			return EXIT_SUCCESS;
	return print_unknown(
		"list", word, list_name, LISTS, "expected topologies, operations, algorithms or links");
}

static bool names_file(const char *word)
{
	return strchr(word, '.') != NULL;
}

/* Only algorithms on a network have costs. */
static int check_taken(const struct options *options, int what)
{
	char subject[40];

	snprintf(subject, sizeof subject, "list %s", list_name[what]);
	for (int i = 0; i < OPTIONS && what == LIST_ALGORITHMS && !options->query.topology; i++)
		if (options->given & COSTS & TAKES(i))
			return print_error(EXIT_USAGE,
				"%s shows no costs without a network; try -t ring:8, or without --%s", subject,
				option_table[i].name);
	return check_only(options, list_options[what], subject);
}

/* The list, the operations and the file that the words name; exit code. */
static int read_words(
	const struct options *options, int *what, struct selection *only, const char **path)
{
	const char *const *word = options->word;
	const char *name = NULL;
	enum ls_operation operation;
	int failed = find_list(word[0], what), at = 1;

	if (failed)
		return failed;
	if (*what == LIST_ALGORITHMS && word[at] && !names_file(word[at]))
		name = word[at++];
	if (word[at] && names_file(word[at]))
		*path = word[at++];
	if (word[at])
		return print_error(EXIT_USAGE,
			"unexpected operand '%s'; expected 'lockstep list %s%s [FILE.csv]'", word[at], word[0],
			*what == LIST_ALGORITHMS ? " [OPERATION]" : "");
	if (*what == LIST_ALGORITHMS && !name)
		name = options->query.operation;
	if (!name)
		return EXIT_SUCCESS;
	failed = find_operation(name, &operation);
	if (!failed)
		only->operations = UINT32_C(1) << operation;
	return failed;
}

static int write_lists(const struct options *options, const struct lists *lists, const char *path)
{
	if (path)
		return format_write_file(list_formats, &options->output, lists, path);
	return options->output.format->write(&options->output, lists);
}

int verb_list(const struct options *options)
{
	struct selection only = { .operations = UINT32_MAX };
	const char *path = NULL;
	ls_topology *topology = NULL;
	int what = LIST_TOPOLOGIES;
	int failed = options->word[0] ? read_words(options, &what, &only, &path) : EXIT_SUCCESS;

	if (!failed)
		failed = check_taken(options, options->word[0] ? what : LIST_ALGORITHMS);
	if (!failed && (options->query.topology || what == LIST_LINKS))
		failed = topology_open(&options->query, &topology);
	only.topology = topology;

	const struct lists lists = { &options->query, &only, what,
		options->word[0] ? what : LIST_ALGORITHMS };

	if (!failed)
		failed = write_lists(options, &lists, path);
	ls_topology_destroy(topology);
	return failed;
}
