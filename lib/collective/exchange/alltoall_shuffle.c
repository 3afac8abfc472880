/*
 * All-to-all (total exchange) on the binary de Bruijn network by shuffles (shuffle.h).
 *
 * In a stage every node sends each successor half of its blocks: those for which the next bit of
 * the destination is the last bit of that successor.  After i stages a block from o to w is in the
 * slot with the high i bits of o, followed by the low D - i bits of w.  At first this is its slot
 * in INPUT, at last its slot in OUTPUT.  A stage moves one half of every 2^(D-i) slots to the half
 * of the sender's highest bit.
 *
 *   rounds     2 D
 *   traffic    2 D (p - 1) messages of p/2 blocks
 *   cost       2 D (t_s + t_w m p/2)
 *   memory     p blocks; 2 p in place if D > 2
 *   requires   de Bruijn network, D >= 2
 *   source     Stone 1971
 */
#include "collective/exchange/shuffle.h"
#include "collective/round_bound.h"

static struct lsi_frame frame(const struct lsi_problem *problem)
{
	const int64_t p = problem->nodes;
	struct lsi_frame f = { .rounds = 2 * lsi_shuffle_stages(problem), .blocks = p };

	f.scratch[0] = (struct lsi_scratch){ p, 1 };
	if (f.rounds > 4 && problem->in_place)
		f.scratch[1] = (struct lsi_scratch){ p, 1 };
	return f;
}

/* The first or second half of every 2^(D - stage) slots. */
static struct ls_slice halves(const struct ls_plan *plan, int64_t value, int64_t stage, bool second)
{
	const struct lsi_problem *problem = &plan->problem;
	const int64_t slots = problem->nodes >> stage, half = slots / 2;
	const int buffer =
		lsi_alternating_buffer(value, lsi_shuffle_stages(problem), problem->in_place);

	return lsi_strided(buffer, second ? half : 0, half, slots, (int64_t)1 << stage);
}

static void body(const struct ls_plan *plan, int64_t round, int64_t rank, struct ls_step *step)
{
	const struct lsi_problem *problem = &plan->problem;
	const int64_t stage = round / 2, from = lsi_shuffle_previous(problem, rank, round);
	const bool bit = lsi_shuffle_next(problem, rank, round) % 2;
	const struct ls_slice old = halves(plan, stage, stage, bit);
	const struct ls_slice fresh = halves(plan, stage + 1, stage, from >= problem->nodes / 2);

	lsi_shuffle_move(from == rank, fresh, old, step);
}

static struct ls_counts predict(const struct lsi_problem *problem, size_t n)
{
	return lsi_shuffle_counts(problem, (size_t)lsi_mul_sat(problem->nodes / 2, (int64_t)n));
}

const struct lsi_algorithm lsi_alltoall_shuffle = {
	LSI_SHUFFLE_FIELDS,
	.operations = LSI_FOR(LS_ALLTOALL),
	.source = "Stone 1971",
	.claim = LS_MOVE,
	.frame = frame,
	.peers = lsi_shuffle_peers,
	.body = body,
	.predict = predict,
};
