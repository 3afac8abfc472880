/*
 * Broadcast, reduce, all-reduce, scatter and gather on any network without switches, along a tree
 * whose rounds are largest matchings.
 *
 * The tree is found by a search (matching_tree.h); the rest is as in broadcast_spanning_tree.c and
 * scatter_spanning_tree.c.
 *
 *   rounds     T(root), where T(u) is the maximum over the children v of u, longest first, of
 *              T(v) + i for the i-th child; all-reduce 2 T - 1
 *   traffic    p - 1 messages of m elements; all-reduce twice that; scatter: m words per hop
 *   memory     seven numbers per node; four bytes per node and root with the topology
 *   requires   hop mode, at most 2048 nodes; reduce, all-reduce: a commutative operation
 *   source     this project: largest matchings, as in scripts/star_broadcast_search.c; order of the
 *              children: Slater, Cockayne, Hedetniemi 1981
 */
#include "collective/matching/matching_tree.h"
#include "collective/round_bound.h"
#include "collective/tree/broadcast_tree.h"
#include "collective/tree/tree_plan.h"

static bool supports(const struct lsi_problem *problem)
{
	return problem->mode == LS_HOP && lsi_topology_is_direct(problem->topology)
		&& problem->nodes <= LSI_MATCHING_NODES;
}

static struct lsi_tree *make(const struct ls_plan *plan)
{
	const struct ls_topology *const t = plan->problem.topology;
	const int64_t root = lsi_reversal_root(&plan->problem);
	const struct lsi_matching_tree *const found = lsi_matching_tree_of(t, root);

	return found ? lsi_tree_make(t, root, found->parent) : NULL;
}

static int prepare(struct ls_plan *plan)
{
	return lsi_tree_prepare_with(plan, make(plan));
}

static int scatter_prepare(struct ls_plan *plan)
{
	return lsi_tree_scatter_prepare_with(plan, make(plan));
}

static struct ls_counts predict(const struct lsi_problem *problem, size_t n)
{
	const struct lsi_matching_tree *const found =
		lsi_matching_tree_of(problem->topology, lsi_reversal_root(problem));

	if (!found)
		return (struct ls_counts){ -1, -1, -1, -1 };
	return lsi_reversal_meeting_counts(problem, found->rounds, n);
}

static struct ls_counts predict_least(const struct lsi_problem *problem, size_t n)
{
	struct lsi_problem broadcast = *problem;

	broadcast.operation = LS_BROADCAST;
	broadcast.root = lsi_reversal_root(problem);
	return lsi_reversal_meeting_counts(problem, lsi_round_lower_bound(&broadcast), n);
}

static struct ls_counts scatter_predict(const struct lsi_problem *problem, size_t n)
{
	const struct lsi_matching_tree *const found =
		lsi_matching_tree_of(problem->topology, problem->root);

	if (!found)
		return (struct ls_counts){ -1, -1, -1, -1 };
	return (struct ls_counts){ found->rounds, problem->nodes - 1,
		lsi_mul_sat(found->hops, (int64_t)n), lsi_mul_sat(found->volume, (int64_t)n) };
}

/* All blocks of the other nodes leave the root, or reach it, one message after another. */
static struct ls_counts scatter_predict_least(const struct lsi_problem *problem, size_t n)
{
	const int64_t others = problem->nodes - 1, words = lsi_mul_sat(others, (int64_t)n);

	return (struct ls_counts){ lsi_round_lower_bound(problem), others, words, words };
}

#define COMMON(predicted) \
	.name = "matching-tree", .networks = "any network without switches, in hop mode", \
	.source = \
		"this project: largest matchings; order of sends: Slater, Cockayne, Hedetniemi 1981", \
	.supports = supports, .peers = lsi_tree_peers, .lower_bound = lsi_round_lower_bound, \
	.bound = LSI_ROUND_BOUND, .general = true, .predict = predicted, \
	.predict_least = predicted##_least

#define ROUNDS "T(root); T(u) = max of i + T(i-th child of u), 0 at leaves"

const struct lsi_algorithm lsi_broadcast_matching_tree = {
	COMMON(predict),
	.operations = LSI_FOR(LS_BROADCAST),
	.rounds = ROUNDS,
	.claim = LS_MOVE,
	.identical = true,
	.nodup = true,
	.frame = lsi_tree_frame,
	.prepare = prepare,
	.shape = lsi_broadcast_shape,
	.body = lsi_broadcast_body,
	.whole = &lsi_tree_broadcast,
};

const struct lsi_algorithm lsi_reduce_matching_tree = {
	COMMON(predict),
	.operations = LSI_FOR(LS_REDUCE),
	.rounds = ROUNDS,
	.claim = LS_COMMUTATIVE,
	.identical = true,
	.nodup = true,
	.frame = lsi_tree_frame,
	.prepare = prepare,
	.shape = lsi_tree_shape,
	.body = lsi_reversal_body,
	.whole = &lsi_tree_reduce,
};

const struct lsi_algorithm lsi_allreduce_matching_tree = {
	COMMON(predict),
	.operations = LSI_FOR(LS_ALLREDUCE) | LSI_FOR(LS_BARRIER),
	.rounds = "2 T(rank 0) - 1; T(u) = max of i + T(i-th child of u), 0 at leaves",
	.claim = LS_COMMUTATIVE,
	.identical = true,
	.frame = lsi_tree_frame,
	.prepare = prepare,
	.shape = lsi_tree_shape,
	.body = lsi_reversal_body,
};

const struct lsi_algorithm lsi_scatter_matching_tree = {
	COMMON(scatter_predict),
	.operations = LSI_FOR(LS_SCATTER) | LSI_FOR(LS_GATHER),
	.rounds = ROUNDS,
	.claim = LS_MOVE,
	.nodup = true,
	.frame = lsi_tree_scatter_frame,
	.prepare = scatter_prepare,
	.body = lsi_tree_scatter_body,
	.whole = &lsi_tree_scatter,
};
