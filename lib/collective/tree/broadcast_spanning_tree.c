/*
 * Broadcast, reduce and all-reduce along a spanning tree of shortest paths, on any network
 * without switches.
 *
 * The parent of a node is the first hop of its route to the root (spanning_tree.h).  A node sends
 * to its children in consecutive rounds, first to those whose subtrees take longest.  Reduce is the
 * broadcast in reverse time order.  All-reduce is a reduce to rank 0, then a broadcast.  The last
 * round of the reduce and the first of the broadcast are one exchange (reversal.h).
 *
 *   rounds     T(root), where T(u) is the maximum over the children v of u, longest first, of
 *              T(v) + i for the i-th child; all-reduce 2 T - 1
 *   traffic    p - 1 messages of m elements; all-reduce twice that
 *   memory     seven numbers per node
 *   requires   every vertex is a node; reduce, all-reduce: a commutative operation
 *   source     order of the children: P. J. Slater, E. J. Cockayne, S. T. Hedetniemi, "Information
 *              dissemination in trees", SIAM J. Comput. 10(4), 1981
 */
#include "collective/round_bound.h"
#include "collective/tree/broadcast_tree.h"
#include "collective/tree/tree_plan.h"

static bool supports(const struct lsi_problem *problem)
{
	return lsi_topology_is_direct(problem->topology);
}

static struct ls_counts predict(const struct lsi_problem *problem, size_t n)
{
	const int64_t rounds = lsi_tree_rounds(problem->topology, lsi_reversal_root(problem));

	return lsi_reversal_meeting_counts(problem, rounds, n);
}

#define COMMON \
	.name = "spanning-tree", .networks = "any network without switches", \
	.source = "Slater, Cockayne, Hedetniemi 1981, on the tree of routes to the root", \
	.supports = supports, .frame = lsi_tree_frame, .prepare = lsi_tree_prepare, \
	.peers = lsi_tree_peers, .predict = predict, .lower_bound = lsi_round_lower_bound, \
	.identical = true, .general = true

const struct lsi_algorithm lsi_broadcast_spanning_tree = {
	COMMON,
	.operations = LSI_FOR(LS_BROADCAST),
	.claim = LS_MOVE,
	.nodup = true,
	.rounds = "T(root); T(u) = max of i + T(i-th child of u), 0 at leaves",
	.bound = LSI_ROUND_BOUND,
	.shape = lsi_broadcast_shape,
	.body = lsi_broadcast_body,
	.whole = &lsi_tree_broadcast,
};

const struct lsi_algorithm lsi_reduce_spanning_tree = {
	COMMON,
	.operations = LSI_FOR(LS_REDUCE),
	.claim = LS_COMMUTATIVE,
	.nodup = true,
	.rounds = "T(root); T(u) = max of i + T(i-th child of u), 0 at leaves",
	.bound = LSI_ROUND_BOUND,
	.shape = lsi_tree_shape,
	.body = lsi_reversal_body,
	.whole = &lsi_tree_reduce,
};

const struct lsi_algorithm lsi_allreduce_spanning_tree = {
	COMMON,
	.operations = LSI_FOR(LS_ALLREDUCE) | LSI_FOR(LS_BARRIER),
	.claim = LS_COMMUTATIVE,
	.rounds = "2 T(rank 0) - 1; T(u) = max of i + T(i-th child of u), 0 at leaves",
	.bound = LSI_ROUND_BOUND,
	.shape = lsi_tree_shape,
	.body = lsi_reversal_body,
};
