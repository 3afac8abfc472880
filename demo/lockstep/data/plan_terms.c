#include "data/plan_terms.h"

#include "base/messages.h"

#include <stdlib.h>

/* Limits: steps of all nodes; blocks that are stored or moved. */
enum { STEPS_MOST = 1 << 21, BLOCKS_MOST = 1 << 24 };

/* Node 0 has no result of an exscan. */
static int32_t output_term(const struct term_replay *replay, int64_t rank, int64_t block)
{
	return replay->request.operation == LS_EXSCAN && rank == 0
		? NO_TERM
		: term_at(replay, rank, LS_OUTPUT, block);
}

static bool results_are_equal(const struct term_replay *replay)
{
	for (int64_t r = 1; r < replay->nodes; r++)
		for (int64_t b = 0; b < replay->set.blocks; b++)
			if (output_term(replay, r, b) != output_term(replay, 0, b))
				return false;
	return true;
}

/* Only results of the right block count. */
static void collect_results(const struct term_replay *replay, struct plan_terms *out)
{
	const bool is_rooted = replay->request.operation == LS_REDUCE;
	const int64_t blocks = out->scatters ? 1 : replay->set.blocks;

	out->rows = is_rooted || (!out->scatters && results_are_equal(replay)) ? 1 : replay->nodes;
	out->result = require_memory(calloc((size_t)(out->rows * blocks), sizeof *out->result));
	for (int64_t row = 0; row < out->rows; row++)
		for (int64_t b = 0; b < blocks; b++) {
			const int64_t rank = is_rooted ? replay->request.root : row;
			const int32_t term = output_term(replay, rank, b);
			const bool fits =
				term != NO_TERM && block_of(&replay->set, term) == (out->scatters ? row : b);

			out->result[row * blocks + b] = fits ? term : NO_TERM;
		}
}

int32_t result_term(const struct plan_terms *terms, int64_t row, int64_t block)
{
	if (terms->scatters)
		return row == block ? terms->result[row] : NO_TERM;
	return terms->result[row * terms->set.blocks + block];
}

bool plan_terms_make(const ls_plan *plan, size_t memory, struct plan_terms *out)
{
	const int64_t p = ls_plan_nodes(plan), steps = ls_plan_steps(plan);
	struct term_replay replay;

	*out = (struct plan_terms){ .scatters = ls_plan_operation(plan) == LS_REDUCE_SCATTER };
	if (p > STEPS_MOST || steps > STEPS_MOST / p || ls_plan_blocks(plan) > BLOCKS_MOST / p)
		return false;
	replay = term_replay_begin(plan, BLOCKS_MOST, memory);
	for (int64_t step = 0; step < steps && replay.left > 0; step++)
		term_replay_step(&replay, step);
	if (replay.left > 0)
		collect_results(&replay, out);
	term_replay_end(&replay);
	out->set = replay.set;
	return replay.left > 0;
}

void plan_terms_destroy(struct plan_terms *terms)
{
	free(terms->set.combination);
	free(terms->result);
}
