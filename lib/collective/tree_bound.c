#include "collective/tree_bound.h"

#include "base/alloc.h"
#include "collective/tree/spanning_tree.h"

enum { NODES_VISITED = 1 << 16 };

bool lsi_is_tree(const struct ls_topology *t)
{
	return lsi_topology_is_direct(t) && t->links == t->nodes - 1;
}

static bool is_visited(const struct ls_topology *t)
{
	return lsi_is_tree(t) && t->nodes <= NODES_VISITED;
}

int64_t lsi_tree_broadcast_bound(const struct ls_topology *t, int64_t root)
{
	const int64_t rounds = is_visited(t) ? lsi_tree_rounds(t, root) : 0;

	return rounds > 0 ? rounds : 0;
}

/*
 * From each node, step to a neighbor that needs fewer rounds.  b(v) is b plus the distance of v
 * from the nodes with b(v) = b, which are connected (Slater, Cockayne, Hedetniemi 1981), so this
 * ends at one of them.
 */
int64_t lsi_tree_center(const struct ls_topology *t)
{
	int64_t node = 0, least = lsi_tree_rounds(t, 0);

	for (int64_t link = 0; least > 0 && link < ls_degree(t, node); link++) {
		const int64_t next = ls_neighbor(t, node, link), rounds = lsi_tree_rounds(t, next);

		if (rounds < 0)
			return LS_NO_RANK;
		if (rounds < least) {
			least = rounds;
			node = next;
			link = -1;
		}
	}
	return least < 0 ? LS_NO_RANK : node;
}

int64_t lsi_tree_gossip_bound(const struct ls_topology *t)
{
	const int64_t center = is_visited(t) && t->nodes > 1 ? lsi_tree_center(t) : LS_NO_RANK;
	const int64_t least = center >= 0 ? lsi_tree_broadcast_bound(t, center) : 0;

	return least > 0 ? 2 * least - 1 : 0;
}
