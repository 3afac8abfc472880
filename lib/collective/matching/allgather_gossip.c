/*
 * All-gather and reduce-scatter in few rounds, on any network without switches.
 *
 * A search finds the links that carry messages (gossip_search.h); a message has all blocks that its
 * receiver lacks.  Reduce-scatter is the all-gather in reverse time order (delivery.h).
 *
 *   rounds     length of the schedule, for which there is no formula
 *   traffic    p (p - 1) blocks; no block reaches a node twice
 *   memory     reduce-scatter: p blocks; 8 p^2 bytes with the topology
 *   requires   hop mode, at most 1024 nodes; reduce-scatter: a commutative operation
 *   source     this project: greedy matchings
 */
#include "collective/matching/gossip_search.h"
#include "collective/round_bound.h"

static const struct lsi_delivery *delivery_of(const struct lsi_problem *problem)
{
	return lsi_gossip_delivery(problem->topology);
}

static int prepare(struct ls_plan *plan)
{
	return lsi_delivery_prepare(plan, delivery_of);
}

static struct ls_counts predict(const struct lsi_problem *problem, size_t n)
{
	return lsi_delivery_predict(problem, delivery_of, n);
}

#define COMMON \
	.name = "gossip", .networks = "any network without switches, in hop mode", \
	.rounds = "length of a schedule of matchings that spread most blocks", \
	.bound = LSI_ROUND_BOUND, .source = "this project: greedy matchings", .nodup = true, \
	.general = true, .supports = lsi_delivery_fits, .frame = lsi_delivery_frame, \
	.prepare = prepare, .release = lsi_release_kept, .peers = lsi_delivery_peers, \
	.body = lsi_delivery_body, .predict = predict, .predict_least = lsi_delivery_predict_least, \
	.lower_bound = lsi_round_lower_bound

const struct lsi_algorithm lsi_allgather_gossip = {
	COMMON,
	.operations = LSI_FOR(LS_ALLGATHER),
	.claim = LS_MOVE,
	.identical = true,
};

const struct lsi_algorithm lsi_reduce_scatter_gossip = {
	COMMON,
	.operations = LSI_FOR(LS_REDUCE_SCATTER),
	.claim = LS_COMMUTATIVE,
};
