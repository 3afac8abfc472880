#include "collective/shift_bound.h"

enum { NODES_ASKED = 1 << 16 };

int64_t lsi_shift_bound(const struct lsi_problem *problem)
{
	const int64_t p = problem->nodes;
	const struct ls_topology *t = problem->topology;
	int64_t farthest = 0;

	if (problem->mode == LS_ROUTED)
		return problem->shift != 0;
	if (p > NODES_ASKED)
		return -1;
	for (int64_t u = 0; u < p; u++) {
		const int64_t hops = ls_distance(t, u, lsi_wrap(u + problem->shift, p));

		farthest = hops > farthest ? hops : farthest;
	}
	return farthest;
}
