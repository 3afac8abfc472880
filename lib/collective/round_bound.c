#include "collective/round_bound.h"

#include "base/math.h"
#include "collective/prefix.h"
#include "topology/topology_internal.h"

static int64_t lesser(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static int64_t greater(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* Links that a node with `links` free links can use in its j-th round, j = 1, 2, .. */
static int64_t usable(int64_t links, int ports, int64_t j)
{
	return greater(0, lesser(ports, links - ports * (j - 1)));
}

/*
 * The rounds after which `nodes` nodes can be informed.  Round t informs fresh[t] of them.  The
 * root sends over all its links, every other node over all but the one on which it received.  With
 * three links or more the numbers grow at least as fast as the Fibonacci numbers, so 128 rounds
 * reach 2^62.
 */
static int64_t spread(int64_t nodes, int64_t degree, int ports)
{
	int64_t fresh[128], informed = 1, t = 0;

	if (degree <= 2)
		return ports == 1 ? (nodes + 1) / 2 : nodes / 2;
	while (informed < nodes) {
		t++;
		fresh[t] = usable(degree, ports, t);
		for (int64_t j = 1; j < t; j++)
			fresh[t] =
				lsi_add_sat(fresh[t], lsi_mul_sat(fresh[t - j], usable(degree - 1, ports, j)));
		informed = lsi_add_sat(informed, fresh[t]);
	}
	return t;
}

/*
 * To cross a line in p - 1 rounds a contribution must move in every round.  On a line of odd length
 * the contributions of both ends would then reach the middle node in the same round, over one port.
 * In a scan no contribution moves down.
 */
static bool ends_collide(const struct lsi_problem *problem)
{
	const struct ls_topology *t = problem->topology;

	return lsi_topology_is(t, &lsi_network_linear) && t->nodes % 2 && t->nodes > 1
		&& problem->ports == 1 && !lsi_is_prefix(problem);
}

int64_t lsi_round_lower_bound(const struct lsi_problem *problem)
{
	const struct ls_topology *t = problem->topology;

	if (problem->mode == LS_ROUTED)
		return spread(problem->nodes, problem->nodes - 1, problem->ports);
	return greater(spread(problem->nodes, t->degree, problem->ports),
		lsi_operation_is_rooted(problem->operation)
			? lsi_topology_eccentricity(t, problem->root)
			: ls_topology_diameter(t) + ends_collide(problem));
}
