#include "plan/plan.h"

int64_t ls_slice_blocks(const struct ls_slice *slice)
{
	return slice->run * slice->runs;
}

int64_t ls_slice_at(const struct ls_slice *slice, int64_t k)
{
	if (slice->index)
		return slice->index[k];

	const int64_t i = k / slice->run, j = slice->first + k % slice->run;

	if (slice->cycle == 0)
		return i * slice->stride + j;

	const int64_t base = slice->first - slice->first % slice->cycle;

	return i * slice->stride + base + (j - base) % slice->cycle;
}

/*
 * INPUT and OUTPUT of the vector operations are the n elements cut into B blocks.  Scratch block i
 * measures like logical block (i / each) mod B.
 */
int64_t ls_buffer_blocks(const struct ls_plan *plan, int buffer)
{
	return buffer >= LS_SCRATCH ? plan->frame.scratch[buffer - LS_SCRATCH].slots : plan->frame.blocks;
}

int64_t ls_buffer_label(const struct ls_plan *plan, int buffer, int64_t block)
{
	return buffer < LS_SCRATCH ? block : block / plan->frame.scratch[buffer - LS_SCRATCH].each % plan->frame.blocks;
}

size_t ls_buffer_length(const struct ls_plan *plan, int buffer, int64_t block, size_t n)
{
	return ls_cut_length(n, plan->frame.blocks, ls_buffer_label(plan, buffer, block));
}

size_t ls_buffer_offset(const struct ls_plan *plan, int buffer, int64_t block, size_t n)
{
	const int64_t B = plan->frame.blocks;

	if (buffer < LS_SCRATCH)
		return ls_cut_offset(n, B, block);

	const struct ls_scratch scratch = plan->frame.scratch[buffer - LS_SCRATCH];

	if (scratch.slots != B * scratch.each)
		return (size_t)(block % scratch.slots) * ls_cut_length(n, B, 0);

	const int64_t slot = block % scratch.slots, like = slot / scratch.each;

	return (size_t)scratch.each * ls_cut_offset(n, B, like)
		+ (size_t)(slot % scratch.each) * ls_cut_length(n, B, like);
}

size_t ls_buffer_size(const struct ls_plan *plan, int buffer, size_t n)
{
	const int64_t B = plan->frame.blocks;

	if (buffer < LS_SCRATCH)
		return n;

	const struct ls_scratch scratch = plan->frame.scratch[buffer - LS_SCRATCH];

	if (scratch.slots == B * scratch.each)
		return (size_t)scratch.each * n;
	return (size_t)scratch.slots * ls_cut_length(n, B, 0);
}
