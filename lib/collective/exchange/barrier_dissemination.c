/*
 * Barrier, and all-reduce of idempotent operations, by dissemination.
 *
 * In round i node u sends its value to u + 2^i, mod p, and combines the value of u - 2^i with its
 * own. After round i it has contributions of the 2^(i+1) nodes that end with u, each at least once.
 *
 *   rounds     ceil(log2 p), the least possible for every p
 *   traffic    p ceil(log2 p) messages of m elements; those of a barrier are empty
 *   cost       (t_s + t_w m) ceil(log2 p)
 *   requires   hop mode: complete network; routed mode: any topology; x (+) x = x
 *   source     D. Hensgen, R. Finkel, U. Manber, "Two algorithms for barrier synchronization",
 *              Int. J. Parallel Program. 17(1), 1988
 */
#include "collective/exchange/gossip.h"
#include "collective/requirement.h"
#include "collective/round_bound.h"

static struct lsi_frame frame(const struct lsi_problem *problem)
{
	return lsi_gossip_frame(problem, lsi_log2_ceil(problem->nodes));
}

static void peers(const struct ls_plan *plan, int64_t rank, int64_t round, struct lsi_peers *out)
{
	out->to[0] = lsi_wrap(rank + ((int64_t)1 << round), plan->problem.nodes);
	out->from[0] = lsi_wrap(rank - ((int64_t)1 << round), plan->problem.nodes);
}

static struct ls_counts predict(const struct lsi_problem *problem, size_t n)
{
	int64_t rounds = 0;

	for (int64_t p = problem->nodes; p > 1; p = (p + 1) / 2)
		rounds++;
	return lsi_gossip_counts(problem, rounds, n);
}

const struct lsi_algorithm lsi_barrier_dissemination = {
	.operations = LSI_FOR(LS_BARRIER) | LSI_FOR(LS_ALLREDUCE),
	.name = "dissemination",
	.networks = "complete:P; any in routed mode",
	.rounds = "ceil(log2 p)",
	.bound = "ceil(log2 p) with one port",
	.source = "Hensgen, Finkel, Manber 1988",
	.claim = LS_IDEMPOTENT,
	.supports = lsi_reaches_all,
	.frame = frame,
	.peers = peers,
	.shape = lsi_one_shape,
	.body = lsi_gossip_body,
	.predict = predict,
	.lower_bound = lsi_round_lower_bound,
};
