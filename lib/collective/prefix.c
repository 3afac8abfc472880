#include "collective/prefix.h"

void lsi_prefix_combine(const struct lsi_problem *problem, int64_t b, bool begun,
	struct ls_slice sum, struct ls_step *step)
{
	const struct ls_slice output = lsi_block(LS_OUTPUT, b);

	if (begun)
		lsi_step_combine(step, output, sum, output);
	else if (problem->operation == LS_SCAN)
		lsi_step_combine(step, output, sum, lsi_block(LS_INPUT, b));
	else
		lsi_step_copy(step, output, sum);
}

void lsi_prefix_combine_all(const struct lsi_problem *problem, bool begun, struct ls_slice blocks,
	struct ls_slice spare, struct ls_step *step)
{
	if (ls_slice_blocks(&blocks) == 1) {
		lsi_prefix_combine(problem, 0, begun, blocks, step);
		return;
	}
	if (!begun && problem->operation == LS_EXSCAN) {
		lsi_step_fold(step, lsi_block(LS_OUTPUT, 0), blocks);
		return;
	}
	lsi_step_fold(step, spare, blocks);
	lsi_prefix_combine(problem, 0, begun, spare, step);
}

void lsi_prefix_first(const struct lsi_problem *problem, int64_t blocks, struct ls_step *step)
{
	if (problem->operation == LS_SCAN)
		lsi_step_copy(step, lsi_blocks(LS_OUTPUT, 0, blocks), lsi_blocks(LS_INPUT, 0, blocks));
}

/* Whether a phase ends with this round and another one follows. */
static bool hands_on(const struct ls_plan *plan, lsi_axis_rounds *rounds_on,
	struct lsi_axis_phase phase, int64_t round)
{
	return phase.round == rounds_on(&plan->problem, phase.axis) - 1
		&& round + 1 < plan->frame.rounds;
}

int64_t lsi_prefix_shape(
	const struct ls_plan *plan, lsi_axis_rounds *rounds_on, int64_t rank, int64_t round)
{
	const struct lsi_axis_phase phase = lsi_phase_at(&plan->problem, rounds_on, round);
	const bool begun = lsi_is_prefix(&plan->problem) && rank % phase.axis.stride > 0;
	const int64_t at = lsi_axis_coordinate(phase.axis, rank) * phase.axis.stride + begun;
	struct lsi_axis_phase next;

	if (!hands_on(plan, rounds_on, phase, round))
		return at;
	next = lsi_phase_at(&plan->problem, rounds_on, round + 1);
	return at + lsi_axis_coordinate(next.axis, rank) * next.axis.stride;
}

int64_t lsi_prefix_period(const struct ls_plan *plan, lsi_axis_rounds *rounds_on, int64_t round)
{
	const struct lsi_problem *problem = &plan->problem;
	const struct lsi_axis_phase phase = lsi_phase_at(problem, rounds_on, round < 0 ? 0 : round);

	if (round < 0 && problem->operation == LS_SCAN) /* only rank 0 has its result */
		return problem->nodes;
	if (round >= 0 && hands_on(plan, rounds_on, phase, round))
		return lsi_axis_block(lsi_phase_at(problem, rounds_on, round + 1).axis);
	return lsi_axis_block(phase.axis);
}
