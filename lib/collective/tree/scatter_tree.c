#include "collective/tree/scatter_tree.h"

/* The blocks in the buffer where this node stores them. */
static struct ls_slice kept(const struct ls_plan *plan, int64_t rank, struct ls_slice blocks)
{
	blocks.buffer = LS_SCRATCH;
	if (rank == plan->problem.root)
		blocks.buffer = plan->problem.operation == LS_GATHER ? LS_OUTPUT : LS_INPUT;
	return blocks;
}

static void from_parent(
	const struct lsi_subtree_message *message, struct ls_slice blocks, struct ls_step *step)
{
	const int64_t n = ls_slice_blocks(&blocks);

	lsi_step_receive(step, n);
	if (n > 1)
		lsi_step_copy(step, blocks, lsi_arrival(step));
	lsi_step_copy(
		step, lsi_block(LS_OUTPUT, 0), lsi_block(LS_ARRIVAL, message->own - blocks.first));
}

static void from_child(
	const struct lsi_subtree_message *message, struct ls_slice blocks, struct ls_step *step)
{
	lsi_step_receive(step, ls_slice_blocks(&blocks));
	lsi_step_copy(step, blocks, lsi_arrival(step));
	if (message->edge.last)
		lsi_step_copy(step, lsi_block(blocks.buffer, message->own), lsi_block(LS_INPUT, 0));
}

void lsi_subtree_body(const struct ls_plan *plan, int64_t rank,
	const struct lsi_subtree_message *message, struct ls_step *step)
{
	const struct lsi_edge edge = message->edge;
	const struct ls_slice blocks = kept(plan, rank, message->blocks);
	const bool gathers = plan->problem.operation == LS_GATHER;

	if (edge.peer == LS_NO_RANK)
		return;
	if (edge.up && gathers)
		lsi_step_send(step, ls_slice_blocks(&blocks) > 1 ? blocks : lsi_block(LS_INPUT, 0));
	else if (edge.up)
		from_parent(message, blocks, step);
	else if (gathers)
		from_child(message, blocks, step);
	else
		lsi_step_send(step, blocks);
	if (!edge.up && !gathers && edge.last && rank == plan->problem.root)
		lsi_step_copy(step, lsi_block(LS_OUTPUT, 0), lsi_block(LS_INPUT, rank));
}
