#include "collective/round_bound.h"

#include "base/math.h"
#include "collective/port_bound.h"
#include "collective/prefix.h"
#include "collective/shift_bound.h"
#include "collective/tree_bound.h"
#include "topology/topology_internal.h"

static int64_t lesser(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static int64_t greater(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

enum { ROUNDS = LSI_SPREAD_ROUNDS, NODES_VISITED = 1 << 12, ROOTS_VISITED = 1 << 7 };

/* Nodes at each distance from a root; `visited` false: they were not counted. */
struct distances {
	bool visited;
	int64_t nodes[ROUNDS];
};

static struct distances distances_from(const struct ls_topology *t, int64_t root)
{
	struct distances d = { 0 };

	if (t->nodes > NODES_VISITED || lsi_topology_eccentricity(t, root) >= ROUNDS
		|| ls_topology_diameter(t) >= ROUNDS)
		return d;
	for (int64_t u = 0; u < t->nodes; u++)
		d.nodes[ls_distance(t, root, u)]++;
	d.visited = true;
	return d;
}

/* Sends of a node with `links` free links in its first j rounds. */
static int64_t sends(int64_t links, int ports, int64_t j)
{
	return lesser(links, lsi_mul_sat(ports, greater(0, j)));
}

/*
 * The number of nodes that each round can inform at most, until all are informed.  The root sends
 * over all its links, every other node over all but the one on which it received; after t rounds
 * only nodes at distance t are informed.  The sum of all sends up to a round bounds the informed
 * nodes; it grows with the nodes informed before, so the largest numbers in early rounds give the
 * largest in late ones.  With three links or more the numbers grow at least as fast as the
 * Fibonacci numbers, so 128 rounds reach 2^62.  Returns the rounds.
 */
static int64_t grow(int64_t nodes, int64_t root_degree, int64_t degree, int ports,
	const struct distances *d, int64_t fresh[ROUNDS])
{
	int64_t informed = 1, near = 1, t = 0;

	while (informed < nodes && t + 1 < ROUNDS) {
		int64_t reached = 1 + sends(root_degree, ports, ++t);

		for (int64_t s = 1; s < t; s++)
			reached = lsi_add_sat(reached, lsi_mul_sat(fresh[s], sends(degree - 1, ports, t - s)));
		near = lsi_add_sat(near, d->nodes[t]);
		if (d->visited)
			reached = lesser(reached, near);
		reached = lesser(reached, nodes);
		fresh[t] = reached - informed;
		informed = reached;
	}
	return t;
}

/* The rounds after which `nodes` nodes can be informed. */
static int64_t spread(
	int64_t nodes, int64_t root_degree, int64_t degree, int ports, const struct distances *d)
{
	int64_t fresh[ROUNDS];

	if (degree <= 2)
		return ports == 1 ? (nodes + 1) / 2 : nodes / 2;
	return grow(nodes, root_degree, degree, ports, d, fresh);
}

int64_t lsi_spread_rounds(const struct lsi_problem *problem, int64_t fresh[LSI_SPREAD_ROUNDS])
{
	static const struct distances unknown;
	const struct ls_topology *const t = problem->topology;
	const int64_t p = problem->nodes;
	int64_t informed = 1, rounds;

	if (problem->mode == LS_ROUTED) {
		rounds = grow(p, p - 1, p - 1, problem->ports, &unknown, fresh);
	} else {
		const struct distances d = distances_from(t, problem->root);

		rounds = grow(p, ls_degree(t, problem->root), t->degree, problem->ports, &d, fresh);
	}
	for (int64_t i = 1; i <= rounds; i++)
		informed += fresh[i];
	return informed == p ? rounds : 0;
}

static int64_t spread_from(const struct lsi_problem *problem, int64_t root)
{
	const struct ls_topology *t = problem->topology;
	const struct distances d = distances_from(t, root);

	return spread(problem->nodes, ls_degree(t, root), t->degree, problem->ports, &d);
}

/* The data of every node spread, in a scan those of rank 0. */
static int64_t spread_of_all(const struct lsi_problem *problem)
{
	const bool one = lsi_is_prefix(problem) || lsi_topology_is_group(problem->topology)
		|| problem->nodes > ROOTS_VISITED;
	int64_t most = 0;

	for (int64_t root = 0; root < (one ? 1 : problem->nodes); root++)
		most = greater(most, spread_from(problem, root));
	return most;
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

/*
 * Every node must hear of every other one on a ring of p = 2 k + 1 >= 5 nodes, with one port: this
 * takes k + 2 rounds.  Suppose k + 1 rounds suffice.  A contribution moves in both directions and
 * must reach 2 k nodes, so its origin sends it in round 1, and the other way in round 2 or 3.  Both
 * directions together may then lose one round, and none if the second send is in round 3.
 *
 * All nodes send in round 1, and each receives once.  As p is odd, they cannot exchange in pairs,
 * so all send in one direction, say up.  If a node sends down in round 2, it delays the
 * contribution of the node below it, which must therefore send down in round 2, too, and so on:
 * all nodes do, or none.  If all do, no contribution may lose another round, and in round 3 each
 * node would have to send on one contribution up and one down.  If none does, all send their own
 * contribution down in round 3, and delay the one that moves up.
 */
static int64_t ring_gossip(const struct lsi_problem *problem)
{
	const int64_t p = problem->nodes;

	return lsi_topology_is(problem->topology, &lsi_network_ring) && p % 2 && p >= 5 ? (p + 3) / 2
																					: 0;
}

/* Every node must hear of every other one. */
static int64_t gossip(const struct lsi_problem *problem)
{
	if (problem->ports > 1 || lsi_is_prefix(problem))
		return 0;
	return greater(ring_gossip(problem), lsi_tree_gossip_bound(problem->topology));
}

static int64_t rooted(const struct lsi_problem *problem)
{
	const struct ls_topology *t = problem->topology;
	const int64_t root = problem->root;
	const int64_t tree = problem->ports == 1 ? lsi_tree_broadcast_bound(t, root) : 0;

	return greater(greater(spread_from(problem, root), lsi_topology_eccentricity(t, root)), tree);
}

int64_t lsi_round_lower_bound(const struct lsi_problem *problem)
{
	static const struct distances unknown;
	const struct ls_topology *t = problem->topology;
	const int64_t others = problem->nodes - 1;

	if (problem->operation == LS_SHIFT)
		return lsi_shift_bound(problem);
	if (problem->mode == LS_ROUTED)
		return spread(problem->nodes, others, others, problem->ports, &unknown);
	if (lsi_operation_is_rooted(problem->operation))
		return rooted(problem);
	return greater(greater(spread_of_all(problem), gossip(problem)),
		ls_topology_diameter(t) + ends_collide(problem));
}

int64_t lsi_block_round_bound(const struct lsi_problem *problem)
{
	const struct ls_topology *const t = problem->topology;
	const bool shifts = problem->operation == LS_SHIFT;
	int64_t blocks;

	if (problem->mode == LS_ROUTED || (!shifts && problem->operation != LS_ALLTOALL))
		return -1;
	blocks = shifts ? lsi_shift_port_bound(t, problem->shift) : lsi_alltoall_port_bound(t);
	if (blocks < 0)
		return -1;
	return greater((blocks + problem->ports - 1) / problem->ports, lsi_round_lower_bound(problem));
}
