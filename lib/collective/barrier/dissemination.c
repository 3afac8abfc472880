/*
 * Barrier, and all-reduce of idempotent operations, by dissemination.
 *
 * In round i node u sends what it has to u + 2^i and takes in what u - 2^i has, mod p.  After it u
 * has heard, at least once, of the 2^(i+1) nodes that end with u.
 *
 *   rounds     ceil(log2 p), the least there is, for every p
 *   traffic    p ceil(log2 p) messages of m elements; a barrier's have none
 *   requires   hop mode: complete network; routed mode: any topology; x (+) x = x
 *   source     D. Hensgen, R. Finkel, U. Manber, "Two algorithms for barrier synchronization",
 *              Int. J. Parallel Program. 17(1), 1988
 */
#include "collective/bound.h"
#include "collective/gossip.h"

static bool supports(const struct ls_problem *problem)
{
	return problem->mode == LS_ROUTED || ls_topology_is(problem->topology, &ls_network_complete);
}

static struct ls_frame frame(const struct ls_problem *problem)
{
	return ls_gossip_frame(problem, ls_log2_ceil(problem->nodes));
}

static void peers(const struct ls_plan *plan, int64_t rank, int64_t round, struct ls_peers *out)
{
	out->to[0] = ls_wrap(rank + ((int64_t)1 << round), plan->problem.nodes);
	out->from[0] = ls_wrap(rank - ((int64_t)1 << round), plan->problem.nodes);
}

static struct ls_counts predict(const struct ls_problem *problem, size_t n)
{
	int64_t rounds = 0;

	for (int64_t p = problem->nodes; p > 1; p = (p + 1) / 2)
		rounds++;
	return ls_gossip_counts(problem, rounds, n);
}

const struct ls_algorithm ls_barrier_dissemination = {
	.operations = LS_FOR(LS_BARRIER) | LS_FOR(LS_ALLREDUCE),
	.name = "dissemination",
	.networks = "complete:P; any in routed mode",
	.rounds = "ceil(log2 p)",
	.bound = "ceil(log2 p)",
	.source = "Hensgen, Finkel, Manber 1988",
	.claim = LS_IDEMPOTENT,
	.supports = supports,
	.frame = frame,
	.peers = peers,
	.shape = ls_gossip_shape,
	.body = ls_gossip_body,
	.predict = predict,
	.lower_bound = ls_lower_bound,
};
