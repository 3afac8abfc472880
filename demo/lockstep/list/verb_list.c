/*
 * lockstep list: topologies, operations and algorithms; with -t, those of that network.
 */
#include "list/operation_names.h"
#include "cli/verb.h"
#include "job/job.h"
#include "list/list.h"
#include "report/document.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The name of an operation in the textbook, and its result on p nodes. */
static const struct {
	const char *textbook, *text;
} operation_text[LS_OPERATIONS] = {
	[LS_BROADCAST] = { "one-to-all broadcast", "the root's vector reaches every node" },
	[LS_REDUCE] = { "all-to-one reduction", "the root gets x_0 (+) .. (+) x_p-1" },
	[LS_ALLREDUCE] = { "all-reduce", "every node gets x_0 (+) .. (+) x_p-1" },
	[LS_ALLGATHER] = { "all-to-all broadcast", "every node gets the blocks of all nodes" },
	[LS_REDUCE_SCATTER] = { "all-to-all reduction", "node r gets block r of the all-reduce" },
	[LS_SCAN] = { "prefix sums", "node r gets x_0 (+) .. (+) x_r" },
	[LS_EXSCAN] = { "exclusive prefix sums", "node r gets x_0 (+) .. (+) x_r-1" },
	[LS_SCATTER] = { "scatter, one-to-all personalized", "node r gets block r of the root" },
	[LS_GATHER] = { "gather, concatenation", "the root gets the blocks of all nodes" },
	[LS_ALLTOALL] = { "all-to-all personalized, total exchange",
		"node r gets block r of every node" },
	[LS_SHIFT] = { "circular q-shift", "node (r + q) mod p gets the vector of node r" },
	[LS_BARRIER] = { "barrier", "no node leaves before every node has entered" },
};

const char *operation_textbook_name(enum ls_operation operation)
{
	return operation_text[operation].textbook;
}

enum { TOPOLOGIES, OPERATIONS, ALGORITHMS, LISTS };
static const char *const list_name[LISTS] = { "topologies", "operations", "algorithms" };

/* The form of a product is its whole spec. */
static bool is_product(const struct ls_topology_info *info)
{
	return strcmp(info->name, "product") == 0;
}

static void topology_row(struct table *table, const struct ls_topology_info *info, const char *spec)
{
	ls_topology *topology = NULL;

	if (is_product(info))
		table_cell(table, "%s", info->form);
	else
		table_cell(table, "%s:%s", info->name, info->form);
	table_cell(table, "%s", spec ? spec : "");
	if (spec && ls_topology_make(spec, &topology, NULL) == LS_OK) {
		list_count(table, ls_topology_nodes(topology));
		list_count(table, ls_topology_degree(topology));
		list_count(table, ls_topology_diameter(topology));
		list_count(table, ls_topology_links(topology));
	} else {
		for (int i = 0; i < 4; i++)
			table_cell(table, "%s", "");
	}
	table_cell(table, "%s", info->text);
	ls_topology_destroy(topology);
}

static struct table list_topologies(const ls_topology *only)
{
	static const char *const head[] = { "topology", "example", "#nodes", "#degree", "#diameter",
		"#links", "text", NULL };
	struct table table = table_begin(head);
	struct ls_topology_info info = { .size = sizeof info };

	for (size_t i = 0; ls_topology_list(i, &info); i++) {
		if (!only)
			topology_row(&table, &info, info.example);
		else if (strcmp(info.name, ls_topology_kind(only)) == 0)
			topology_row(&table, &info, ls_topology_spec(only));
	}
	return table;
}

/* An algorithm may serve several operations, and several entries may have one name. */
static void algorithms_of(struct table *table, enum ls_operation operation)
{
	struct ls_algorithm_info info = { .size = sizeof info };
	char names[400] = " ";

	for (size_t i = 0; ls_algorithm_list(i, &info); i++) {
		char name[64];

		snprintf(name, sizeof name, " %.60s ", info.name);
		if (info.operations >> operation & 1 && !strstr(names, name))
			strncat(names, name + 1, sizeof names - strlen(names) - 1);
	}
	names[strlen(names) - 1] = '\0';
	table_cell(table, "%s", names + (*names != '\0'));
}

static struct table list_operations(void)
{
	static const char *const head[] = { "operation", "textbook", "result", "algorithms", NULL };
	struct table table = table_begin(head);

	for (int i = 0; i < LS_OPERATIONS; i++) {
		const enum ls_operation operation = (enum ls_operation)i;

		table_cell(&table, "%s", ls_operation_name(operation));
		table_cell(&table, "%s", operation_text[i].textbook);
		table_cell(&table, "%s", operation_text[i].text);
		algorithms_of(&table, operation);
	}
	return table;
}

/* The table is too wide for columns: an operation, what it does, and how. */
static void print_operations(const struct table *table)
{
	enum { INDENT = 16 };

	for (char **cell = table->cell; cell < table->cell + table->cells; cell += table->columns) {
		const char *algorithms = cell[3];

		printf("%-*s%s: %s\n%*s", INDENT, cell[0], cell[1], cell[2], INDENT, "");
		print_words(stdout, INDENT, *algorithms ? algorithms : "(no algorithm in this version)");
	}
}

static void operations_text(uint32_t operations, char *text, size_t size)
{
	text[0] = '\0';
	for (int i = 0; i < LS_OPERATIONS; i++) {
		const size_t at = strlen(text);

		if (operations >> i & 1)
			snprintf(text + at, size - at, "%s%s", at ? " " : "",
				ls_operation_name((enum ls_operation)i));
	}
}

static struct table list_all_algorithms(const struct selection *only)
{
	static const char *const head[] = { "operation", "algorithm", "networks", "rounds", "bound",
		"claim", "?identical", "source", NULL };
	struct table table = table_begin(head);
	struct ls_algorithm_info info = { .size = sizeof info };

	for (size_t i = 0; ls_algorithm_list(i, &info); i++) {
		char operations[200];

		if (!(info.operations & only->operations))
			continue;
		operations_text(info.operations, operations, sizeof operations);
		table_cell(&table, "%s", operations);
		table_cell(&table, "%s", info.name);
		table_cell(&table, "%s", info.networks);
		table_cell(&table, "%s", info.rounds);
		table_cell(&table, "%s", info.bound ? info.bound : "");
		table_cell(&table, "%s", claim_text(info.claim));
		table_cell(&table, "%s", info.identical ? "true" : "false");
		table_cell(&table, "%s", info.source);
	}
	return table;
}

static void print_algorithm(const struct ls_algorithm_info *info)
{
	const bool everywhere = info->operations >> LS_ALLREDUCE & 1 && info->identical;
	char operations[200];

	operations_text(info->operations, operations, sizeof operations);
	printf("%s   %s\n", info->name, operations);
	printf("  networks  %s\n  rounds    %s\n", info->networks, info->rounds);
	if (info->bound)
		printf("  bound     %s\n", info->bound);
	printf("  result    %s%s\n  source    %s\n",
		info->claim == LS_MOVE ? "blocks as they were sent" : claim_text(info->claim),
		everywhere ? ", the same bits at every node" : "", info->source);
}

/* Formulas are too long for columns: a paragraph each. */
static void print_algorithms(const struct selection *only)
{
	struct ls_algorithm_info info = { .size = sizeof info };
	const char *between = "";

	for (size_t i = 0; ls_algorithm_list(i, &info); i++) {
		if (!(info.operations & only->operations))
			continue;
		fputs(between, stdout);
		print_algorithm(&info);
		between = "\n";
	}
}

static int collect(const struct query *query, const struct output *output,
	const struct selection *only, int what, struct table *table)
{
	switch (what) {
	case TOPOLOGIES:
		*table = list_topologies(only->topology);
		return EXIT_SUCCESS;
	case OPERATIONS:
		*table = list_operations();
		return EXIT_SUCCESS;
	default:
		if (only->topology)
			return list_cells(query, output, only, table);
		*table = list_all_algorithms(only);
		return EXIT_SUCCESS;
	}
}

/* The lists from first to last, of the selected objects. */
struct lists {
	const struct query *query;
	const struct selection *only;
	int first, last;
};

static int print_list(const struct output *output, const struct lists *lists, int what)
{
	const struct selection *only = lists->only;
	struct table table = { 0 };
	int failed;

	if (what == ALGORITHMS && !only->topology) {
		print_algorithms(only);
		return EXIT_SUCCESS;
	}
	failed = collect(lists->query, output, only, what, &table);
	if (!failed && what == OPERATIONS)
		print_operations(&table);
	else if (!failed)
		table_text(&table, what == ALGORITHMS ? 2 : 0);
	if (!failed && what == ALGORITHMS)
		list_legend(output);
	table_end(&table);
	return failed;
}

static int write_text(const struct output *output, const void *document)
{
	const struct lists *lists = document;
	int failed = EXIT_SUCCESS;

	for (int what = lists->first; what <= lists->last && !failed; what++) {
		if (what > lists->first)
			putchar('\n');
		failed = print_list(output, lists, what);
	}
	return failed;
}

static int write_csv(const struct output *output, const void *document)
{
	const struct lists *lists = document;
	struct table table = { 0 };
	int failed;

	if (lists->first < lists->last)
		return print_error(EXIT_USAGE, "CSV holds one list; try lockstep list algorithms --csv");
	failed = collect(lists->query, output, lists->only, lists->first, &table);
	if (!failed)
		table_csv(&table);
	table_end(&table);
	return failed;
}

static int write_json(const struct output *output, const void *document)
{
	const struct lists *lists = document;
	struct table table[LISTS] = { { 0 } };
	int failed = EXIT_SUCCESS;

	for (int what = lists->first; what <= lists->last && !failed; what++)
		failed = collect(lists->query, output, lists->only, what, &table[what]);
	if (!failed) {
		struct json json = document_begin(output);

		if (lists->only->topology)
			document_topology(&json, lists->only->topology);
		for (int what = lists->first; what <= lists->last; what++)
			table_json(&table[what], &json, list_name[what]);
		json_end(&json);
	}
	for (int what = 0; what < LISTS; what++)
		table_end(&table[what]);
	return failed;
}

const struct format list_formats[] = {
	{ "text", NULL, write_text },
	{ "csv", NULL, write_csv },
	{ "json", NULL, write_json },
	{ 0 },
};

/* The list and the operations that the words name; exit code. */
static int read_words(
	const char *const *words, const char *operation_of_plan, int *what, struct selection *only)
{
	const char *list = words[0], *name = words[1];
	enum ls_operation operation;

	while (*what < LISTS && strcmp(list, list_name[*what]) != 0)
		++*what;
	if (*what == LISTS)
		return print_unknown("list", list, list_name, LISTS,
			"expected lockstep list topologies, operations or algorithms");
	if (*what == ALGORITHMS && !name)
		name = operation_of_plan;
	if (!name)
		return EXIT_SUCCESS;
	if (*what != ALGORITHMS)
		return print_error(
			EXIT_USAGE, "unexpected operand '%s'; expected lockstep list %s", name, list);

	const int failed = find_operation(name, &operation);

	if (!failed)
		only->operations = UINT32_C(1) << operation;
	return failed;
}

int verb_list(const struct options *options)
{
	struct selection only = { .operations = UINT32_MAX };
	ls_topology *topology = NULL;
	int what = 0;
	int failed = options->word[0]
		? read_words(options->word, options->query.operation, &what, &only)
		: EXIT_SUCCESS;

	if (!failed && options->query.topology)
		failed = topology_open(&options->query, &topology);
	only.topology = topology;

	const struct lists lists = { &options->query, &only, what,
		options->word[0] ? what : LISTS - 1 };

	if (!failed)
		failed = options->output.format->write(&options->output, &lists);
	ls_topology_destroy(topology);
	return failed;
}
