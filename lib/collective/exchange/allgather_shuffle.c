/*
 * All-gather on the binary de Bruijn network by shuffles (shuffle.h).
 *
 * In a stage every node sends the blocks of the last stage to its two successors, one after the
 * other. Each successor gets twice as many blocks and needs none of its own: over D links every
 * block arrives once.  A stage stores its blocks in OUTPUT or scratch alternately, so it does not
 * overwrite what it sends.
 *
 *   rounds     2 D
 *   traffic    2 D (p - 1) messages, 2 (p - 1)^2 m words
 *   cost       2 D t_s + 2 (p - 1) m t_w
 *   memory     p blocks
 *   requires   de Bruijn network, D >= 2
 *   source     Stone 1971
 */
#include "collective/exchange/shuffle.h"
#include "collective/round_bound.h"

static struct lsi_frame frame(const struct lsi_problem *problem)
{
	const int64_t p = problem->nodes;

	return (struct lsi_frame){
		.rounds = 2 * lsi_shuffle_stages(problem), .blocks = p, .scratch[0] = { p, 1 }
	};
}

/* The blocks of a node after this number of stages. */
static struct ls_slice held(const struct lsi_problem *problem, int64_t rank, int64_t stages)
{
	const int buffer = (lsi_shuffle_stages(problem) - stages) % 2 ? LS_SCRATCH : LS_OUTPUT;

	if (stages == 0)
		return lsi_block(LS_INPUT, 0);
	return lsi_shuffle_slice(problem, buffer, rank, stages);
}

static void body(const struct ls_plan *plan, int64_t round, int64_t rank, struct ls_step *step)
{
	const struct lsi_problem *problem = &plan->problem;
	const int64_t stage = round / 2;
	const int64_t from = lsi_shuffle_previous(problem, rank, round);
	const struct ls_slice old = held(problem, rank, stage);
	struct ls_slice fresh = lsi_shuffle_slice(problem, LS_OUTPUT, from, stage);

	fresh.buffer = held(problem, rank, stage + 1).buffer;
	lsi_shuffle_move(from == rank, fresh, old, step);
}

const struct lsi_algorithm lsi_allgather_shuffle = {
	LSI_SHUFFLE_FIELDS,
	.operations = LSI_FOR(LS_ALLGATHER),
	.source = "Stone 1971",
	.claim = LS_MOVE,
	.identical = true,
	.frame = frame,
	.peers = lsi_shuffle_peers,
	.body = body,
	.predict = lsi_shuffle_block_counts,
};
