#include "collective/scan/prefix.h"

void ls_prefix_take(const struct ls_problem *problem, int64_t b, bool begun, struct ls_slice sum,
	struct ls_step *step)
{
	const struct ls_slice output = ls_one(LS_OUTPUT, b);

	if (begun)
		ls_step_combine(step, output, sum, output);
	else if (problem->operation == LS_SCAN)
		ls_step_combine(step, output, sum, ls_one(LS_INPUT, b));
	else
		ls_step_copy(step, output, sum);
}

void ls_prefix_take_all(const struct ls_problem *problem, bool begun, struct ls_slice blocks,
	struct ls_slice spare, struct ls_step *step)
{
	if (ls_slice_blocks(&blocks) == 1) {
		ls_prefix_take(problem, 0, begun, blocks, step);
		return;
	}
	if (!begun && problem->operation == LS_EXSCAN) {
		ls_step_fold(step, ls_one(LS_OUTPUT, 0), blocks);
		return;
	}
	ls_step_fold(step, spare, blocks);
	ls_prefix_take(problem, 0, begun, spare, step);
}

void ls_prefix_first(const struct ls_problem *problem, int64_t blocks, struct ls_step *step)
{
	if (problem->operation == LS_SCAN)
		ls_step_copy(step, ls_blocks(LS_OUTPUT, 0, blocks), ls_blocks(LS_INPUT, 0, blocks));
}

/* Whether a phase ends with this round, and another follows. */
static bool hands_on(
	const struct ls_plan *plan, ls_axis_rounds *lap, struct ls_phase phase, int64_t round)
{
	return phase.round == lap(&plan->problem, phase.axis) - 1 && round + 1 < plan->frame.rounds;
}

int64_t ls_prefix_shape(const struct ls_plan *plan, ls_axis_rounds *lap, int64_t rank, int64_t round)
{
	const struct ls_phase phase = ls_phase_at(&plan->problem, lap, round);
	const bool begun = ls_is_prefix(&plan->problem) && rank % phase.axis.stride > 0;
	const int64_t at = ls_axis_coordinate(phase.axis, rank) * phase.axis.stride + begun;
	struct ls_phase next;

	if (!hands_on(plan, lap, phase, round))
		return at;
	next = ls_phase_at(&plan->problem, lap, round + 1);
	return at + ls_axis_coordinate(next.axis, rank) * next.axis.stride;
}

int64_t ls_prefix_period(const struct ls_plan *plan, ls_axis_rounds *lap, int64_t round)
{
	const struct ls_problem *problem = &plan->problem;
	const struct ls_phase phase = ls_phase_at(problem, lap, round < 0 ? 0 : round);

	if (round < 0 && problem->operation == LS_SCAN)         /* rank 0 alone has its result */
		return problem->nodes;
	if (round >= 0 && hands_on(plan, lap, phase, round))
		return ls_axis_block(ls_phase_at(problem, lap, round + 1).axis);
	return ls_axis_block(phase.axis);
}
