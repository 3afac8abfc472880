#include "plan/storage.h"

#include "base/math.h"

bool lsi_storage_is_rooted(const struct ls_plan *plan, int buffer)
{
	const struct ls_operation_info *operation = &lsi_operations[plan->problem.operation];

	return (buffer == LS_INPUT && operation->from_root)
		|| (buffer == LS_OUTPUT && operation->at_root);
}

bool lsi_storage_has(const struct ls_plan *plan, int64_t rank, int buffer)
{
	return rank == plan->problem.root || !lsi_storage_is_rooted(plan, buffer);
}

/*
 * In place, the block of INPUT that shares the storage of a block of OUTPUT; -1: none.
 *
 *   vector operations   OUTPUT[b]      is INPUT[b]
 *   all-gather          OUTPUT[rank]   is INPUT[0]
 *   reduce-scatter      OUTPUT[0]      is INPUT[rank]
 */
static int64_t aliased_input(const struct ls_plan *plan, int64_t rank, int64_t block)
{
	if (!lsi_storage_has(plan, rank, LS_INPUT))
		return -1;
	if (lsi_operation_gathers(plan->problem.operation))
		return block == rank ? 0 : -1;
	return lsi_operation_scatters(plan->problem.operation) ? rank : block;
}

int64_t lsi_storage_cells(const struct ls_plan *plan)
{
	int64_t cells =
		lsi_add_sat(lsi_buffer_blocks(plan, LS_INPUT), lsi_buffer_blocks(plan, LS_OUTPUT));

	for (int k = 0; k < LS_SCRATCH_BUFFERS; k++)
		cells = lsi_add_sat(cells, plan->frame.scratch[k].slots);
	return cells;
}

int64_t lsi_storage_cell(const struct ls_plan *plan, int64_t rank, int buffer, int64_t block)
{
	const int64_t inputs = lsi_buffer_blocks(plan, LS_INPUT);

	if (buffer == LS_INPUT)
		return block;
	if (buffer == LS_OUTPUT) {
		const int64_t input = plan->problem.in_place ? aliased_input(plan, rank, block) : -1;

		return input >= 0 ? input : inputs + block;
	}

	int64_t cell = inputs + lsi_buffer_blocks(plan, LS_OUTPUT);

	for (int k = 0; k < buffer - LS_SCRATCH; k++)
		cell += plan->frame.scratch[k].slots;
	return cell + block % plan->frame.scratch[buffer - LS_SCRATCH].slots;
}

/* A block that arrives has no cell of this node, so a copy of it is always a write. */
bool lsi_storage_is_noop(const struct ls_plan *plan, int64_t rank, const struct ls_move *move)
{
	const struct ls_slice *dst = &move->dst, *a = &move->a;
	const int64_t blocks = ls_slice_blocks(dst);

	if (move->action != LS_COPY || (a->buffer >= LS_ARRIVAL && a->buffer < LS_SCRATCH))
		return false;
	for (int64_t k = 0; k < blocks; k++) {
		if (lsi_storage_cell(plan, rank, dst->buffer, ls_slice_at(dst, k))
			!= lsi_storage_cell(plan, rank, a->buffer, ls_slice_at(a, k)))
			return false;
	}
	return true;
}
