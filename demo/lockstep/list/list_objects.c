/*
 * Topologies, operations and algorithms.
 */
#include "list/list.h"
#include "list/operation_names.h"

#include "job/job.h"

#include <stdlib.h>
#include <string.h>

/* The name that the textbook gives an operation, and its result on p nodes. */
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

int list_width(void)
{
	const int width = terminal_width(stdout);

	return width < TEXT_WIDTH ? width : TEXT_WIDTH;
}

const char *operation_textbook_name(enum ls_operation operation)
{
	return operation_text[operation].textbook;
}

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

struct table list_topologies(const ls_topology *only)
{
	static const char *const head[] = { "topology", "example", "#nodes", "#degree", "#diameter",
		"#links", "text", NULL };
	static const char *const optional[] = { "text", "example", "links", "diameter", "degree",
		NULL };
	struct table table = table_begin(head);
	struct ls_topology_info info = { .size = sizeof info };

	table.optional = optional;
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

struct table list_operations(void)
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

/* Too wide for columns: a paragraph for each operation. */
void print_operations(const struct table *table)
{
	enum { INDENT = 16 };

	for (char **cell = table->cell; cell < table->cell + table->cells; cell += table->columns) {
		const char *algorithms = cell[3];

		char text[200];

		snprintf(text, sizeof text, "%s: %s", cell[1], cell[2]);
		printf("%-*s", INDENT, cell[0]);
		print_words(stdout, INDENT, list_width(), text);
		printf("%*s", INDENT, "");
		print_words(stdout, INDENT, list_width(), *algorithms ? algorithms : "no algorithm");
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

struct table list_all_algorithms(const struct selection *only)
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

static void print_paragraph(const char *name, const char *text)
{
	print_words(stdout, printf("  %-10s", name), list_width(), text);
}

static void print_algorithm(const struct ls_algorithm_info *info)
{
	const bool everywhere = info->operations >> LS_ALLREDUCE & 1 && info->identical;
	char operations[200], result[80];

	operations_text(info->operations, operations, sizeof operations);
	print_words(stdout, printf("%s   ", info->name), list_width(), operations);
	print_paragraph("networks", info->networks);
	print_paragraph("rounds", info->rounds);
	if (info->bound)
		print_paragraph("bound", info->bound);
	snprintf(result, sizeof result, "%s%s",
		info->claim == LS_MOVE ? "blocks as they were sent" : claim_text(info->claim),
		everywhere ? ", the same bits at every node" : "");
	print_paragraph("result", result);
	print_paragraph("source", info->source);
}

/* Formulas are too long for columns: a paragraph for each algorithm. */
void print_algorithms(const struct selection *only)
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
