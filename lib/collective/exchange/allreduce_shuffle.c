/*
 * All-reduce on the binary de Bruijn network by shuffles (shuffle.h).
 *
 * In a stage every node sends its sum to both successors, one after the other, and adds the sums of
 * its two predecessors.  One path of D links leads from each node to each, so after D stages a node
 * has every contribution once.  The lower predecessor is the first operand.  So all nodes evaluate
 * the same expression: the contributions in order of their bit-reversed ranks.
 *
 *   rounds     2 D
 *   traffic    2 D (p - 1) messages of m elements
 *   cost       (t_s + t_w m) 2 D
 *   memory     one block; in place two
 *   requires   de Bruijn network, D >= 2; a commutative operation
 *   source     Stone 1971
 */
#include "collective/exchange/shuffle.h"
#include "collective/round_bound.h"

/* Shapes. */
enum { ODD = 1, FIXED = 2 };

static struct lsi_frame frame(const struct lsi_problem *problem)
{
	struct lsi_frame f = { .rounds = 2 * lsi_shuffle_stages(problem), .blocks = 1 };

	f.scratch[0] = (struct lsi_scratch){ 1, 1 };
	if (f.rounds > 4 && problem->in_place)
		f.scratch[1] = (struct lsi_scratch){ 1, 1 };
	return f;
}

static int64_t shape(const struct ls_plan *plan, int64_t rank, int64_t round)
{
	const bool fixed = lsi_shuffle_next(&plan->problem, rank, round) == rank;

	return (rank % 2 ? ODD : 0) | (fixed ? FIXED : 0);
}

static void body(const struct ls_plan *plan, int64_t round, int64_t at, struct ls_step *step)
{
	const int64_t stage = round / 2, stages = lsi_shuffle_stages(&plan->problem);
	const struct ls_slice old =
		lsi_block(lsi_alternating_buffer(stage, stages, plan->problem.in_place), 0);
	const struct ls_slice sum =
		lsi_block(lsi_alternating_buffer(stage + 1, stages, plan->problem.in_place), 0);

	if (at & FIXED) {
		lsi_step_copy(step, sum, old);
		return;
	}
	lsi_step_send(step, old);
	lsi_step_receive(step, 1);
	if (lsi_shuffle_rotates(round))
		lsi_step_copy(step, sum, lsi_arrival(step));
	else if (at & ODD)
		lsi_step_combine(step, sum, lsi_arrival(step), sum);
	else
		lsi_step_combine(step, sum, sum, lsi_arrival(step));
}

const struct lsi_algorithm lsi_allreduce_shuffle = {
	LSI_SHUFFLE_FIELDS,
	.operations = LSI_FOR(LS_ALLREDUCE) | LSI_FOR(LS_BARRIER),
	.source = "Stone 1971",
	.claim = LS_COMMUTATIVE,
	.identical = true,
	.frame = frame,
	.peers = lsi_shuffle_peers,
	.shape = shape,
	.body = body,
	.predict = lsi_shuffle_counts,
};
