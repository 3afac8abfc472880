/*
 * The undirected links of a network.
 */
#include "list/list.h"

#include <inttypes.h>
#include <stdlib.h>

enum { LINKS_MOST = 1 << 20 };

/* A link from a vertex to one of higher rank, with its index at either end. */
struct link {
	int64_t to, index, reverse;
};

static int by_neighbor(const void *a, const void *b)
{
	const struct link *x = a, *y = b;

	if (x->to != y->to)
		return x->to < y->to ? -1 : 1;
	return (x->index > y->index) - (x->index < y->index);
}

/* Fill link[] with the links of a vertex to higher ranks, sorted, one per neighbor; the number. */
static size_t links_up(const ls_topology *topology, int64_t vertex, struct link *link)
{
	const int64_t degree = ls_degree(topology, vertex);
	size_t count = 0, kept = 0;

	for (int64_t l = 0; l < degree; l++) {
		const int64_t to = ls_neighbor(topology, vertex, l);

		if (to > vertex)
			link[count++] = (struct link){ to, l, ls_reverse(topology, vertex, l) };
	}
	qsort(link, count, sizeof *link, by_neighbor);
	for (size_t i = 0; i < count; i++)
		if (kept == 0 || link[kept - 1].to != link[i].to)
			link[kept++] = link[i];
	return kept;
}

static int check_links(const ls_topology *topology)
{
	if (ls_topology_links(topology) <= LINKS_MOST && ls_topology_vertices(topology) <= LINKS_MOST)
		return EXIT_SUCCESS;
	return print_error(EXIT_RESOURCE, "%s has more than %d nodes or links; try a smaller network",
		ls_topology_spec(topology), LINKS_MOST);
}

static void add_row(
	struct table *table, const ls_topology *topology, int64_t from, const struct link *link)
{
	char label[256];

	table_numbers(table, 2, from, link->to);
	ls_label(topology, from, label, sizeof label);
	table_cells(table, 1, label);
	ls_label(topology, link->to, label, sizeof label);
	table_cells(table, 1, label);
	table_numbers(
		table, 2, ls_link_label(topology, link->index), ls_link_label(topology, link->reverse));
}

int list_links(const ls_topology *topology, struct table *table)
{
	static const char *const head[] = { "#u", "#v", "label_u", "label_v", "#link_u", "#link_v",
		NULL };
	static const char *const optional[] = { "label_v", "label_u", "link_v", "link_u", NULL };
	const int failed = check_links(topology);
	struct link *link;

	*table = table_begin(head);
	table->optional = optional;
	if (failed)
		return failed;
	link = require_memory(calloc((size_t)ls_topology_degree(topology) + 1, sizeof *link));
	for (int64_t u = 0; u < ls_topology_vertices(topology); u++) {
		const size_t count = links_up(topology, u, link);

		for (size_t i = 0; i < count; i++)
			add_row(table, topology, u, &link[i]);
	}
	free(link);
	return EXIT_SUCCESS;
}

/* ---- DOT */

static int put_text(void *file, const char *text)
{
	return fputs(text, file) < 0 ? LS_ERR_STOPPED : LS_OK;
}

int write_links_dot(const ls_topology *topology, FILE *file)
{
	const struct ls_drawing drawing = { .size = sizeof drawing, .topology = topology };
	struct ls_error why = { .size = sizeof why };
	const int failed = check_links(topology);
	const int status = failed ? LS_OK : ls_draw(&drawing, "dot", put_text, file, &why);

	if (status == LS_OK || status == LS_ERR_STOPPED) /* the caller finds the error of the file */
		return failed;
	return print_ls_error(&why);
}
