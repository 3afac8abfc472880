/*
 * Broadcast, reduce and all-reduce on the star graph by the recursive scheme of Sheu, Wu and Chen.
 *
 * The broadcast consists of the levels k = n .. 2 of star_tree.h.  Reduce is the broadcast in
 * reverse time order.  All-reduce is a reduce to rank 0, then a broadcast.
 *
 *   rounds     sum over k = 2..n: ceil(log2(k-1)) + 1; all-reduce twice that
 *   traffic    n! - 1 messages of m elements; all-reduce twice that; each node receives once per
 *              broadcast
 *   requires   star graph; reduce, all-reduce: a commutative operation
 *   source     J.-P. Sheu, C.-T. Wu, T.-S. Chen, "An Optimal Broadcasting Algorithm Without Message
 *              Redundancy in Star Graphs", IEEE Trans. Parallel Distrib. Syst. 6(6), 1995
 */
#include "collective/cayley/star_tree.h"
#include "collective/round_bound.h"
#include "collective/tree/broadcast_tree.h"

static struct lsi_frame frame(const struct lsi_problem *problem)
{
	return lsi_reversal_frame(problem, lsi_star_tree_rounds((int)problem->topology->number[0], 1));
}

/* In each term, ceil(log2 i) doublings reach i members. */
static struct ls_counts predict(const struct lsi_problem *problem, size_t n)
{
	int64_t rounds = 0;

	for (int64_t i = 1; i < problem->topology->number[0]; i++) {
		for (int64_t reached = 1; reached < i; reached *= 2)
			rounds++;
		rounds++;
	}
	return lsi_reversal_counts(problem, rounds, n);
}

#define COMMON \
	.name = "sheu", .networks = "star:N", .bound = LSI_STAR_BOUND, \
	.source = "Sheu, Wu, Chen 1995", .supports = lsi_is_star, .frame = frame, \
	.peers = lsi_star_tree_peers, .predict = predict, .lower_bound = lsi_round_lower_bound, \
	.identical = true

const struct lsi_algorithm lsi_broadcast_sheu = {
	COMMON,
	.operations = LSI_FOR(LS_BROADCAST),
	.claim = LS_MOVE,
	.nodup = true,
	.rounds = "sum over k = 2..n: ceil(log2(k-1)) + 1",
	.shape = lsi_broadcast_shape,
	.body = lsi_broadcast_body,
	.whole = &lsi_star_tree_broadcast,
};

const struct lsi_algorithm lsi_reduce_sheu = {
	COMMON,
	.operations = LSI_FOR(LS_REDUCE),
	.claim = LS_COMMUTATIVE,
	.nodup = true,
	.rounds = "sum over k = 2..n: ceil(log2(k-1)) + 1",
	.shape = lsi_star_tree_shape,
	.body = lsi_reversal_body,
	.whole = &lsi_star_tree_reduce,
};

const struct lsi_algorithm lsi_allreduce_sheu = {
	COMMON,
	.operations = LSI_FOR(LS_ALLREDUCE) | LSI_FOR(LS_BARRIER),
	.claim = LS_COMMUTATIVE,
	.rounds = "sum over k = 2..n: 2 (ceil(log2(k-1)) + 1)",
	.shape = lsi_star_tree_shape,
	.body = lsi_reversal_body,
	.whole = &lsi_star_tree_allreduce,
};
