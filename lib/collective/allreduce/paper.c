/*
 * All-reduce on the star graph, literally as in the paper.
 *
 * At level k = 2..n every S_{k-1} already has its sum.  Each node sends it over link k, then passes
 * what it received there on over links k-1, .., 2, adding whatever arrives; at the end of the level
 * it adds what it passed on.  (The paper's "send the local sum" in step 4 is right only in this
 * reading.)  Nodes add in different orders: floating-point results differ in their last bits from
 * node to node.
 *
 *   rounds     n(n-1)/2
 *   traffic    N n(n-1)/2 messages of m elements, N = n! nodes; no contribution reaches a node
 *              twice
 *   cost       (t_s + t_w m) n(n-1)/2
 *   storage    the sum in OUTPUT, what is passed on in scratch 0; in place the first message is
 *              copied there
 *   requires   star graph; a commutative operation
 *   source     E. Oh, H. Choi, D. Primeaux, "An All-Reduce Operation in Star Networks Using
 *              All-to-All Broadcast Communication Pattern", ICCS 2005, Figure 2
 */
#include <string.h>

#include "collective/allreduce/level.h"
#include "collective/bound.h"

static struct ls_frame frame(const struct ls_problem *problem)
{
	return (struct ls_frame){
		.rounds = ls_level_rounds(problem), .blocks = 1, .lead = problem->in_place,
		.scratch[0] = { 1, 1 },
	};
}

static int64_t shape(const struct ls_plan *plan, int64_t rank, int64_t round)
{
	(void)plan, (void)rank, (void)round;
	return 0;
}

static int64_t period(const struct ls_plan *plan, int64_t round)
{
	(void)plan;
	return round < 0 ? 1 : ls_factorial(ls_level_of(round).link);
}

static bool exchanges(const struct ls_plan *plan, int64_t first, int64_t count, int64_t round,
	int64_t *peer, int64_t *at)
{
	(void)plan;
	ls_star_across_all(first, count, ls_level_of(round).link, peer);
	memset(at, 0, (size_t)count * sizeof *at);
	return true;
}

static void body(const struct ls_plan *plan, int64_t round, int64_t at, struct ls_step *step)
{
	const struct ls_slice input = ls_one(LS_INPUT, 0), sum = ls_one(LS_OUTPUT, 0);
	const struct ls_slice passed = ls_one(LS_SCRATCH, 0);

	(void)at;
	if (round < 0) {
		ls_step_copy(step, passed, input);
		return;
	}

	const struct ls_level level = ls_level_of(round);

	ls_step_receive(step, 1);
	if (level.k == 2) {
		ls_step_send(step, plan->problem.in_place ? passed : input);
		ls_step_combine(step, sum, input, ls_arrival(step));
		return;
	}
	if (level.link == level.k) {
		ls_step_send(step, sum);
		ls_step_copy(step, passed, ls_arrival(step));
		return;
	}
	ls_step_send(step, passed);
	ls_step_combine(step, sum, sum, ls_arrival(step));
	if (level.link == 2)
		ls_step_combine(step, sum, sum, passed);
}

const struct ls_algorithm ls_allreduce_paper = {
	.operations = LS_FOR(LS_ALLREDUCE) | LS_FOR(LS_BARRIER),
	.name = "paper",
	.networks = "star:N",
	.rounds = "n(n-1)/2",
	.bound = "degree-aware: 3 5 8 10 13 16 19 22 for n = 3..10",
	.source = "Oh, Choi, Primeaux 2005, Figure 2",
	.claim = LS_COMMUTATIVE,
	.nodup = true,
	.supports = ls_level_supports,
	.frame = frame,
	.peers = ls_level_peers,
	.shape = shape,
	.period = period,
	.exchanges = exchanges,
	.body = body,
	.predict = ls_level_counts,
	.lower_bound = ls_lower_bound,
};
