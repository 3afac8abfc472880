/*
 * Reduce-scatter on the binary de Bruijn network: the all-gather by shuffles in reverse time order.
 *
 * In a stage every node sends to its two predecessors, one after the other, the sums of the blocks
 * that they would send to it.  It adds the sums of its two successors.  One path of D links leads
 * from each node to each, so every contribution arrives once.  The even successor is the first
 * operand.
 *
 *   rounds     2 D
 *   traffic    2 D (p - 1) messages, 2 (p - 1)^2 m words
 *   cost       2 D t_s + 2 (p - 1) m t_w
 *   memory     p blocks; 2 p if D > 2
 *   requires   de Bruijn network, D >= 2; a commutative operation
 *   source     Stone 1971, reversed
 */
#include "collective/exchange/shuffle.h"
#include "collective/round_bound.h"

static struct lsi_frame frame(const struct lsi_problem *problem)
{
	const int64_t p = problem->nodes;
	struct lsi_frame f = { .rounds = 2 * lsi_shuffle_stages(problem), .blocks = p };

	f.scratch[0] = (struct lsi_scratch){ p, 1 };
	if (f.rounds > 4)
		f.scratch[1] = (struct lsi_scratch){ p, 1 };
	return f;
}

/* The round of the all-gather that this round reverses. */
static int64_t mirrored(const struct ls_plan *plan, int64_t round)
{
	return plan->frame.rounds - 1 - round;
}

static void peers(const struct ls_plan *plan, int64_t rank, int64_t round, struct lsi_peers *out)
{
	struct lsi_peers forth = { .to = { LS_NO_RANK }, .from = { LS_NO_RANK } };

	lsi_shuffle_peers(plan, rank, mirrored(plan, round), &forth);
	out->to[0] = forth.from[0];
	out->from[0] = forth.to[0];
}

/* The buffer of the sums when `left` stages, at least one, are left. */
static int buffer_at(const struct lsi_problem *problem, int64_t left)
{
	return left == lsi_shuffle_stages(problem) ? LS_INPUT : LS_SCRATCH + (int)((left + 1) % 2);
}

static void body(const struct ls_plan *plan, int64_t round, int64_t rank, struct ls_step *step)
{
	const struct lsi_problem *problem = &plan->problem;
	const int64_t mirror = mirrored(plan, round), left = mirror / 2;
	const int64_t to = lsi_shuffle_previous(problem, rank, mirror);
	const int buffer = buffer_at(problem, left + 1);
	const struct ls_slice sums = left == 0
		? lsi_block(LS_OUTPUT, 0)
		: lsi_shuffle_slice(problem, buffer_at(problem, left), rank, left);
	const struct ls_slice gone = lsi_shuffle_slice(problem, buffer, to, left);

	if (to == rank) {
		lsi_step_combine(step, sums, rank ? sums : gone, rank ? gone : sums);
		return;
	}
	lsi_step_send(step, gone);
	lsi_step_receive(step, ls_slice_blocks(&sums));
	if (round % 2 == 0)
		lsi_step_copy(step, sums, lsi_arrival(step));
	else if (rank < problem->nodes / 2)
		lsi_step_combine(step, sums, lsi_arrival(step), sums);
	else
		lsi_step_combine(step, sums, sums, lsi_arrival(step));
}

const struct lsi_algorithm lsi_reduce_scatter_shuffle = {
	LSI_SHUFFLE_FIELDS,
	.operations = LSI_FOR(LS_REDUCE_SCATTER),
	.source = "Stone 1971, reversed",
	.claim = LS_COMMUTATIVE,
	.frame = frame,
	.peers = peers,
	.body = body,
	.predict = lsi_shuffle_block_counts,
};
