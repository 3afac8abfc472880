/*
 * Scatter and gather along a spanning tree of shortest paths, on any network without
 * switches.
 *
 * The tree and the rounds are those of broadcast_spanning_tree.c.  Gather is the scatter in reverse
 * time order.
 *
 *   rounds     T(root), as in broadcast_spanning_tree.c
 *   messages   p - 1; m words per hop between the root and each node
 *   memory     one block per node of the subtree
 *   requires   every vertex is a node; chosen only where nothing else serves
 *   source     a scatter along the tree of routes to the root
 */
#include "collective/round_bound.h"
#include "collective/tree/tree_plan.h"

static bool supports(const struct lsi_problem *problem)
{
	return lsi_topology_is_direct(problem->topology);
}

static int prepare(struct ls_plan *plan)
{
	return lsi_tree_scatter_prepare_with(
		plan, lsi_tree_make(plan->problem.topology, plan->problem.root, NULL));
}

static struct ls_counts predict(const struct lsi_problem *problem, size_t n)
{
	const struct ls_topology *const t = problem->topology;
	const int64_t root = problem->root, m = (int64_t)n, volume = lsi_tree_volume(t, root);
	const int64_t rounds = volume < 0 ? -1 : lsi_tree_rounds(t, root);

	return (struct ls_counts){ rounds, problem->nodes - 1, lsi_mul_sat(lsi_tree_hops(t, root), m),
		lsi_mul_sat(volume, m) };
}

#define COMMON \
	.name = "spanning-tree", .networks = "any network without switches", \
	.rounds = "T(root); T(u) = max of i + T(i-th child of u), 0 at leaves", \
	.bound = LSI_ROUND_BOUND, \
	.source = "Slater, Cockayne, Hedetniemi 1981, on the tree of routes to the root", \
	.claim = LS_MOVE, .nodup = true, .general = true, .supports = supports, \
	.frame = lsi_tree_scatter_frame, .prepare = prepare, .peers = lsi_tree_peers, \
	.body = lsi_tree_scatter_body, .whole = &lsi_tree_scatter, .predict = predict, \
	.lower_bound = lsi_round_lower_bound

const struct lsi_algorithm lsi_scatter_spanning_tree = { COMMON,
	.operations = LSI_FOR(LS_SCATTER) };

const struct lsi_algorithm lsi_gather_spanning_tree = { COMMON, .operations = LSI_FOR(LS_GATHER) };
