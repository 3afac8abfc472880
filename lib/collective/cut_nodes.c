#include "collective/cut_nodes.h"

#include "base/alloc.h"
#include "topology/kept.h"

enum { NODES_VISITED = 1 << 10 };

/* A depth-first search from node 0. */
struct search {
	const struct ls_topology *topology;
	int32_t visits;
	int32_t *visited; /* per node: its number in the order of visits, from 1; 0: not yet */
	int32_t *parts;   /* per node: parts of the network without it */
};

/*
 * Visit the nodes behind u; returns the least number of a node with a link to one of them or u.
 * Without u, each child whose branch has no link to a node before u is a part of its own, with its
 * branch; all others are one part, if there are any.
 */
static int32_t visit(struct search *s, int32_t u)
{
	const int32_t own = ++s->visits;
	int32_t least = own;

	s->visited[u] = own;
	s->parts[u] = own > 1;
	for (int64_t l = 0; l < ls_degree(s->topology, u); l++) {
		const int32_t v = (int32_t)ls_neighbor(s->topology, u, l);
		const bool is_child = s->visited[v] == 0;
		const int32_t reached = is_child ? visit(s, v) : s->visited[v];

		s->parts[u] += is_child && reached >= own;
		least = reached < least ? reached : least;
	}
	return least;
}

struct kept_parts {
	struct lsi_kept kept;
	int32_t most;
	int32_t parts[];
};

static struct lsi_kept *make(const struct ls_topology *t, int64_t key)
{
	const size_t p = (size_t)t->nodes;
	struct kept_parts *const kept = lsi_alloc_zero(1, sizeof *kept + p * sizeof *kept->parts);
	int32_t *const visited = lsi_alloc_zero(p, sizeof *visited);
	const bool made = kept && visited;
	struct search s = { .topology = t, .visited = visited, .parts = made ? kept->parts : NULL };

	(void)key;
	if (made)
		visit(&s, 0);
	for (size_t u = 0; made && u < p; u++)
		kept->most = kept->most < kept->parts[u] ? kept->parts[u] : kept->most;
	lsi_free(visited);
	if (made)
		return &kept->kept;
	lsi_free(kept);
	return NULL;
}

static bool is_visited(const struct ls_topology *t)
{
	return lsi_topology_is_direct(t) && t->nodes > 1 && t->nodes <= NODES_VISITED;
}

static const struct kept_parts *parts_of(const struct ls_topology *t)
{
	return (const struct kept_parts *)lsi_topology_keep(t, make, 0);
}

int64_t lsi_parts_without(const struct ls_topology *t, int64_t node)
{
	const struct kept_parts *const kept = is_visited(t) ? parts_of(t) : NULL;

	return kept ? kept->parts[node] : !is_visited(t);
}

int64_t lsi_most_parts(const struct ls_topology *t)
{
	const struct kept_parts *const kept = is_visited(t) ? parts_of(t) : NULL;

	return kept ? kept->most : !is_visited(t);
}
