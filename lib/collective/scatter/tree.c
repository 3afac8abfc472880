#include "collective/scatter/tree.h"

/* The parcel in the buffer where this node keeps it. */
static struct ls_slice kept(const struct ls_plan *plan, int64_t rank, struct ls_slice blocks)
{
	blocks.buffer = LS_SCRATCH;
	if (rank == plan->problem.root)
		blocks.buffer = plan->problem.operation == LS_GATHER ? LS_OUTPUT : LS_INPUT;
	return blocks;
}

static void from_parent(const struct ls_parcel *parcel, struct ls_slice blocks,
	struct ls_step *step)
{
	const int64_t n = ls_slice_blocks(&blocks);

	ls_step_receive(step, n);
	if (n > 1)
		ls_step_copy(step, blocks, ls_arrival(step));
	ls_step_copy(step, ls_one(LS_OUTPUT, 0), ls_one(LS_ARRIVAL, parcel->own - blocks.first));
}

static void from_child(const struct ls_parcel *parcel, struct ls_slice blocks, struct ls_step *step)
{
	ls_step_receive(step, ls_slice_blocks(&blocks));
	ls_step_copy(step, blocks, ls_arrival(step));
	if (parcel->edge.last)
		ls_step_copy(step, ls_one(blocks.buffer, parcel->own), ls_one(LS_INPUT, 0));
}

void ls_parcel_body(const struct ls_plan *plan, int64_t rank, const struct ls_parcel *parcel,
	struct ls_step *step)
{
	const struct ls_edge edge = parcel->edge;
	const struct ls_slice blocks = kept(plan, rank, parcel->blocks);
	const bool gathers = plan->problem.operation == LS_GATHER;

	if (edge.peer == LS_NOBODY)
		return;
	if (edge.up && gathers)
		ls_step_send(step, ls_slice_blocks(&blocks) > 1 ? blocks : ls_one(LS_INPUT, 0));
	else if (edge.up)
		from_parent(parcel, blocks, step);
	else if (gathers)
		from_child(parcel, blocks, step);
	else
		ls_step_send(step, blocks);
	if (!edge.up && !gathers && edge.last && rank == plan->problem.root)
		ls_step_copy(step, ls_one(LS_OUTPUT, 0), ls_one(LS_INPUT, rank));
}
