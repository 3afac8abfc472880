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
#include "collective/algorithm.h"

static bool supports(const struct ls_problem *problem)
{
	return problem->mode == LS_ROUTED || ls_topology_is(problem->topology, &ls_network_complete);
}

static struct ls_frame frame(const struct ls_problem *problem)
{
	struct ls_frame f = { .rounds = ls_log2_ceil(problem->nodes), .blocks = 1 };

	f.lead = problem->in_place && f.rounds == 1;
	if (f.rounds > 1 || problem->in_place)
		f.scratch[0] = (struct ls_scratch){ 1, 1 };
	if (f.rounds > 2 && problem->in_place)
		f.scratch[1] = (struct ls_scratch){ 1, 1 };
	return f;
}

static void peers(const struct ls_plan *plan, int64_t rank, int64_t round, struct ls_peers *out)
{
	out->to[0] = ls_wrap(rank + ((int64_t)1 << round), plan->problem.nodes);
	out->from[0] = ls_wrap(rank - ((int64_t)1 << round), plan->problem.nodes);
}

static int64_t shape(const struct ls_plan *plan, int64_t rank, int64_t round)
{
	(void)plan, (void)rank, (void)round;
	return 0;
}

static void body(const struct ls_plan *plan, int64_t round, int64_t at, struct ls_step *step)
{
	const int64_t K = plan->frame.rounds;
	const bool in_place = plan->problem.in_place;

	(void)at;
	if (round < 0) {
		ls_step_copy(step, ls_one(LS_SCRATCH, 0), ls_one(LS_INPUT, 0));
		return;
	}

	const int from = plan->frame.lead ? LS_SCRATCH : ls_place(round, K, in_place);
	const struct ls_slice mine = ls_one(from, 0);

	ls_step_send(step, mine);
	ls_step_receive(step, 1);
	ls_step_combine(step, ls_one(ls_place(round + 1, K, in_place), 0), ls_arrival(step), mine);
}

static struct ls_counts predict(const struct ls_problem *problem, size_t n)
{
	const int64_t m = (int64_t)n;
	int64_t rounds = 0, messages;

	for (int64_t p = problem->nodes; p > 1; p = (p + 1) / 2)
		rounds++;
	messages = ls_mul(rounds, problem->nodes);
	return (struct ls_counts){ rounds, messages, ls_mul(messages, m), ls_mul(rounds, m) };
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
	.shape = shape,
	.body = body,
	.predict = predict,
	.lower_bound = ls_lower_bound,
};
