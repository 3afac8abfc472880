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

int64_t ls_prefix_shape(const struct ls_plan *plan, ls_axis_rounds *lap, int64_t rank, int64_t round)
{
	const struct ls_phase phase = ls_phase_at(&plan->problem, lap, round);
	const bool begun = ls_is_prefix(&plan->problem) && rank % phase.axis.stride > 0;
	const int64_t at = ls_axis_coordinate(phase.axis, rank) * phase.axis.stride + begun;
	struct ls_phase next;

	if (phase.round < lap(&plan->problem, phase.axis) - 1 || round + 1 == plan->frame.rounds)
		return at;
	next = ls_phase_at(&plan->problem, lap, round + 1);
	return at + ls_axis_coordinate(next.axis, rank) * next.axis.stride;
}
