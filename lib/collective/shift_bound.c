#include "collective/shift_bound.h"

enum { NODES_ASKED = 1 << 16 };

/* The neighbors of a node that have no other neighbor. */
static int64_t leaves_at(const struct ls_topology *t, int64_t u)
{
	int64_t leaves = 0;

	for (int64_t l = 0; l < ls_degree(t, u); l++)
		leaves += ls_degree(t, ls_neighbor(t, u, l)) == 1;
	return leaves;
}

int64_t lsi_shift_bound(const struct lsi_problem *problem)
{
	const int64_t p = problem->nodes;
	const struct ls_topology *t = problem->topology;
	int64_t farthest = 0, leaves = 0;

	if (problem->mode == LS_ROUTED)
		return problem->shift != 0;
	if (p > NODES_ASKED)
		return -1;
	for (int64_t u = 0; u < p; u++) {
		const int64_t hops = ls_distance(t, u, lsi_wrap(u + problem->shift, p));

		const int64_t count = problem->shift != 0 ? leaves_at(t, u) : 0;

		farthest = hops > farthest ? hops : farthest;
		leaves = count > leaves ? count : leaves;
	}
	leaves = (leaves + problem->ports - 1) / problem->ports;
	return farthest > leaves ? farthest : leaves;
}
