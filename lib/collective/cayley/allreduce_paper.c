/*
 * All-reduce on the star graph, exactly as in the paper.
 *
 * When level k = 2..n begins, every node has the sum of its S_{k-1}.  It sends this sum over link
 * k. Then it forwards the sum that it received there over the links k-1, .., 2, and adds each sum
 * that arrives (star_levels.h).  At the end of the level it adds the sum that it forwarded.  The
 * paper's "send the local sum" in step 4 holds in this reading only.
 *
 * Nodes add in different orders, so floating-point results differ in their last bits from node to
 * node.
 *
 *   rounds     n(n-1)/2
 *   traffic    N n(n-1)/2 messages of m elements, N = n! nodes; no contribution reaches a node
 *              twice
 *   cost       (t_s + t_w m) n(n-1)/2
 *   memory     one block for the forwarded sum; in place it also holds a copy of the first message
 *   requires   star graph; a commutative operation
 *   source     E. Oh, H. Choi, D. Primeaux, "An All-Reduce Operation in Star Networks Using
 *              All-to-All Broadcast Communication Pattern", ICCS 2005, Figure 2
 */
#include <string.h>

#include "collective/cayley/star_levels.h"
#include "collective/round_bound.h"

static struct lsi_frame frame(const struct lsi_problem *problem)
{
	return (struct lsi_frame){
		.rounds = lsi_level_rounds(problem),
		.blocks = 1,
		.has_prologue = problem->in_place,
		.scratch[0] = { 1, 1 },
	};
}

static int64_t period(const struct ls_plan *plan, int64_t round)
{
	(void)plan;
	return round < 0 ? 1 : lsi_factorial(lsi_level_of(round).link);
}

static bool exchanges(const struct ls_plan *plan, int64_t first, int64_t count, int64_t round,
	int64_t *peer, int64_t *at)
{
	(void)plan;
	lsi_star_neighbors(first, count, lsi_level_of(round).link, peer);
	memset(at, 0, (size_t)count * sizeof *at);
	return true;
}

static void body(const struct ls_plan *plan, int64_t round, int64_t at, struct ls_step *step)
{
	const struct ls_slice input = lsi_block(LS_INPUT, 0), sum = lsi_block(LS_OUTPUT, 0);
	const struct ls_slice passed = lsi_block(LS_SCRATCH, 0);

	(void)at;
	if (round < 0) {
		lsi_step_copy(step, passed, input);
		return;
	}

	const struct lsi_level level = lsi_level_of(round);

	lsi_step_receive(step, 1);
	if (level.k == 2) {
		lsi_step_send(step, plan->problem.in_place ? passed : input);
		lsi_step_combine(step, sum, input, lsi_arrival(step));
		return;
	}
	if (level.link == level.k) {
		lsi_step_send(step, sum);
		lsi_step_copy(step, passed, lsi_arrival(step));
		return;
	}
	lsi_step_send(step, passed);
	lsi_step_combine(step, sum, sum, lsi_arrival(step));
	if (level.link == 2)
		lsi_step_combine(step, sum, sum, passed);
}

static const struct lsi_whole_machine whole = { .period = period, .exchanges = exchanges };

const struct lsi_algorithm lsi_allreduce_paper = {
	.operations = LSI_FOR(LS_ALLREDUCE) | LSI_FOR(LS_BARRIER),
	.name = "paper",
	.networks = "star:N",
	.rounds = "n(n-1)/2",
	.bound = LSI_STAR_BOUND,
	.source = "Oh, Choi, Primeaux 2005, Figure 2",
	.claim = LS_COMMUTATIVE,
	.nodup = true,
	.supports = lsi_is_star,
	.frame = frame,
	.peers = lsi_level_peers,
	.shape = lsi_one_shape,
	.body = body,
	.predict = lsi_level_counts,
	.lower_bound = lsi_round_lower_bound,
	.whole = &whole,
};
