/*
 * Lists of blocks, and the lengths and offsets of blocks in their buffers.
 *
 * The blocks of a slice without a map, in order:
 *
 *   first 2, run 3                         2 3 4
 *   first 1, run 2, stride 4, runs 3       1 2   5 6   9 10
 *   first 6, run 3, cycle 4                6 7 4              wraps in the period 4 .. 7
 *   index {7, 0, 3}                        7 0 3
 *
 * A map then replaces each number by `width` blocks.
 */
#include "plan/plan_internal.h"

int64_t ls_slice_blocks(const struct ls_slice *slice)
{
	int64_t blocks = slice->run * slice->runs;

	for (int i = 0; i < LS_BLOCK_MAPS && slice->map[i]; i++)
		blocks *= slice->map[i]->width;
	return blocks;
}

/* The k-th number of the list, before maps. */
static int64_t list_entry(const struct ls_slice *slice, int64_t k)
{
	if (slice->index)
		return slice->index[k];
	if (slice->runs == 1 && slice->cycle == 0)
		return slice->first + k;

	const int64_t i = k / slice->run, j = slice->first + k % slice->run;

	if (slice->cycle == 0)
		return i * slice->stride + j;

	const int64_t base = slice->first - slice->first % slice->cycle;

	return i * slice->stride + base + (j - base) % slice->cycle;
}

/* k as a mixed-radix number: the part of the last map varies fastest, the list slowest. */
int64_t ls_slice_at(const struct ls_slice *slice, int64_t k)
{
	int64_t part[LS_BLOCK_MAPS], block;
	int n = 0;

	if (!slice->map[0])
		return list_entry(slice, k);
	while (n < LS_BLOCK_MAPS && slice->map[n])
		n++;
	for (int i = n - 1; i >= 0; i--) {
		part[i] = k % slice->map[i]->width;
		k /= slice->map[i]->width;
	}
	block = list_entry(slice, k);
	for (int i = 0; i < n; i++)
		block = slice->map[i]->block(slice->map[i], slice->by[i], block, part[i]);
	return block;
}

/* ---- Buffers */

static enum ls_buffer_form form_of(const struct ls_plan *plan, int buffer)
{
	const struct ls_operation_info *operation = &lsi_operations[plan->problem.operation];

	return buffer == LS_INPUT ? operation->input : operation->output;
}

/* Whether operands are vectors of n elements that the plan cuts into blocks. */
static bool has_cut_vector(const struct ls_plan *plan)
{
	return lsi_operation_is_vector(plan->problem.operation);
}

/* All-to-all and shift: all blocks have one length, unless counts are given. */
static bool has_equal_blocks(const struct ls_plan *plan)
{
	return !has_cut_vector(plan) && form_of(plan, LS_INPUT) == form_of(plan, LS_OUTPUT);
}

static const struct lsi_scratch *scratch_of(const struct ls_plan *plan, int buffer)
{
	return buffer >= LS_SCRATCH ? &plan->frame.scratch[buffer - LS_SCRATCH] : NULL;
}

int64_t lsi_buffer_blocks(const struct ls_plan *plan, int buffer)
{
	const struct lsi_scratch *scratch = scratch_of(plan, buffer);

	if (scratch)
		return scratch->slots;
	switch (form_of(plan, buffer)) {
	case LS_VECTOR:
		return plan->frame.blocks;
	case LS_BLOCK:
		return 1;
	default:
		return plan->problem.nodes;
	}
}

int64_t lsi_buffer_label(const struct ls_plan *plan, int64_t rank, int buffer, int64_t block)
{
	const struct lsi_scratch *scratch = scratch_of(plan, buffer);

	if (has_equal_blocks(plan))
		return 0;
	if (scratch && plan->frame.order)
		return plan->frame.order[block];
	if (scratch)
		return block / scratch->each % plan->frame.blocks;
	return form_of(plan, buffer) == LS_BLOCK ? rank : block;
}

/* Elements of a logical block. */
static size_t label_length(
	const struct ls_plan *plan, int64_t label, const struct lsi_measure *measure)
{
	if (measure->counts)
		return measure->counts[label];
	return has_cut_vector(plan) ? lsi_cut_length(measure->n, plan->frame.blocks, label)
								: measure->n;
}

/* Elements before a logical block in a buffer that holds all of them. */
static size_t label_offset(
	const struct ls_plan *plan, int64_t label, const struct lsi_measure *measure)
{
	if (measure->counts)
		return measure->offsets[label];
	return has_cut_vector(plan) ? lsi_cut_offset(measure->n, plan->frame.blocks, label)
								: (size_t)label * measure->n;
}

/* An all-to-all has counts for both directions: those sent, then those received. */
static int64_t count_index(const struct ls_plan *plan, int buffer, int64_t block)
{
	return buffer == LS_OUTPUT ? plan->problem.nodes + block : block;
}

size_t lsi_buffer_length(const struct ls_plan *plan, int64_t rank, int buffer, int64_t block,
	const struct lsi_measure *measure)
{
	if (measure->counts && has_equal_blocks(plan))
		return measure->counts[count_index(plan, buffer, block)];
	return label_length(plan, lsi_buffer_label(plan, rank, buffer, block), measure);
}

/* Elements of the widest logical block; block 0 is the widest of a cut vector. */
static size_t widest(const struct ls_plan *plan, const struct lsi_measure *measure)
{
	size_t most = measure->counts ? 0 : label_length(plan, 0, measure);

	for (int64_t b = 0; b < plan->frame.blocks && measure->counts; b++)
		most = measure->counts[b] > most ? measure->counts[b] : most;
	return most;
}

/*
 * Scratch has one of two layouts:
 *
 *   measured, each 2    | b0 | b0 | b1 | b1 | b2 | b2 |     slots as wide as their logical block
 *   else                | slot 0  | slot 1  | slot 2  |     slots as wide as the widest block
 */
size_t lsi_buffer_offset(
	const struct ls_plan *plan, int buffer, int64_t block, const struct lsi_measure *measure)
{
	const struct lsi_scratch *scratch = scratch_of(plan, buffer);

	if (!scratch && form_of(plan, buffer) == LS_BLOCK)
		return 0;
	if (!scratch && has_equal_blocks(plan))
		return measure->counts ? measure->offsets[count_index(plan, buffer, block)]
							   : (size_t)block * measure->n;
	if (!scratch)
		return label_offset(plan, block, measure);
	if (!lsi_scratch_is_measured(&plan->frame, scratch))
		return (size_t)(block % scratch->slots) * widest(plan, measure);

	const int64_t slot = block % scratch->slots, like = slot / scratch->each;

	if (has_equal_blocks(plan))
		return (size_t)slot * measure->n;
	return (size_t)scratch->each * label_offset(plan, like, measure)
		+ (size_t)(slot % scratch->each) * label_length(plan, like, measure);
}

size_t lsi_slot_width(
	const struct ls_plan *plan, int buffer, int64_t slot, const struct lsi_measure *measure)
{
	const struct lsi_scratch *scratch = scratch_of(plan, buffer);

	if (!lsi_scratch_is_measured(&plan->frame, scratch))
		return widest(plan, measure);
	return has_equal_blocks(plan) ? measure->n : label_length(plan, slot / scratch->each, measure);
}

size_t lsi_buffer_size(
	const struct ls_plan *plan, int64_t rank, int buffer, const struct lsi_measure *measure)
{
	const int64_t blocks = lsi_buffer_blocks(plan, buffer);
	const struct lsi_scratch *scratch = scratch_of(plan, buffer);

	if (blocks == 0)
		return 0;
	if (scratch && !lsi_scratch_is_measured(&plan->frame, scratch))
		return (size_t)blocks * widest(plan, measure);
	return lsi_buffer_offset(plan, buffer, blocks - 1, measure)
		+ lsi_buffer_length(plan, rank, buffer, blocks - 1, measure);
}

size_t lsi_slice_words(const struct ls_plan *plan, int64_t rank, const struct ls_slice *slice,
	const struct lsi_measure *measure)
{
	size_t words = 0;

	for (int64_t k = 0; k < ls_slice_blocks(slice); k++)
		words += lsi_buffer_length(plan, rank, slice->buffer, ls_slice_at(slice, k), measure);
	return words;
}
