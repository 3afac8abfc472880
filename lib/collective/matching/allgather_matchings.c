/*
 * All-gather and reduce-scatter of long blocks, on any network without switches.
 *
 * Each message has at most s blocks, and each round is a largest matching of senders to receivers
 * (block_matchings.h).  With s = 1, where all nodes can receive in every round, this takes p - 1
 * rounds, and no schedule moves fewer words through the port of a node.  The choice doubles s, as
 * it does the number of segments of other algorithms, while fewer rounds are worth more words.
 * Reduce-scatter is the all-gather in reverse time order (delivery.h).
 *
 *   rounds     length of the schedule, for which there is no formula; at least (p - 1) / s
 *   traffic    p (p - 1) blocks; no block reaches a node twice
 *   cost       s = 1: rounds (t_s + t_w m)
 *   memory     reduce-scatter: p blocks; up to 36 p^2 bytes for each s with the topology
 *   requires   hop mode, at most 256 nodes; reduce-scatter: a commutative operation
 *   source     greedy matchings, after TACOS: Won et al. 2024
 */
#include "collective/matching/block_matchings.h"
#include "collective/round_bound.h"

static int prepare(struct ls_plan *plan)
{
	return lsi_delivery_prepare(plan, lsi_block_delivery);
}

static struct ls_counts predict(const struct lsi_problem *problem, size_t n)
{
	return lsi_delivery_predict(problem, lsi_block_delivery, n);
}

static struct ls_counts predict_least(const struct lsi_problem *problem, size_t n)
{
	return lsi_block_predict_least(problem, n, n);
}

#define COMMON \
	.name = "matchings", .networks = "any network without switches, in hop mode", \
	.rounds = "length of a schedule of largest matchings, at most s blocks per message", \
	.bound = LSI_ROUND_BOUND, .source = "greedy matchings, after TACOS: Won et al. 2024", \
	.nodup = true, .general = true, .supports = lsi_block_search_fits, \
	.frame = lsi_delivery_frame, .prepare = prepare, .release = lsi_release_kept, \
	.peers = lsi_delivery_peers, .body = lsi_delivery_body, .predict = predict, \
	.predict_least = predict_least, .lower_bound = lsi_round_lower_bound

const struct lsi_algorithm lsi_allgather_matchings = {
	COMMON,
	.operations = LSI_FOR(LS_ALLGATHER),
	.claim = LS_MOVE,
	.identical = true,
};

const struct lsi_algorithm lsi_reduce_scatter_matchings = {
	COMMON,
	.operations = LSI_FOR(LS_REDUCE_SCATTER),
	.claim = LS_COMMUTATIVE,
};
