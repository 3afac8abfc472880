#include "collective/matching/link_table.h"

bool lsi_link_table_make(
	struct lsi_link_table *table, const struct ls_topology *t, struct lsi_arena *arena)
{
	const size_t p = (size_t)t->nodes;

	table->nodes = (int32_t)p;
	table->first = lsi_arena_take(arena, p + 1, sizeof *table->first);
	if (!table->first)
		return false;
	for (int32_t u = 0; u < table->nodes; u++)
		table->first[u + 1] = table->first[u] + (int32_t)ls_degree(t, u);
	table->links = table->first[p];
	table->node = lsi_arena_take(arena, 2 * (size_t)table->links + 1, sizeof *table->node);
	if (!table->node)
		return false;
	table->neighbor = table->node + table->links;
	for (int32_t u = 0; u < table->nodes; u++)
		for (int32_t l = table->first[u]; l < table->first[u + 1]; l++) {
			table->node[l] = u;
			table->neighbor[l] = (int32_t)ls_neighbor(t, u, l - table->first[u]);
		}
	return true;
}
