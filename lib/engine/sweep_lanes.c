#include "engine/sweep_lanes.h"

#include <string.h>

#include "base/alloc.h"
#include "base/math.h"
#include "engine/sweep_proof.h"
#include "plan/storage.h"
#include "topology/topology.h"

enum {
	COLUMN_LONG = 1 << 16,                /* columns from here on do not begin a page apart ..  */
	COLUMN_APART = 5 * LS_CACHE_LINE,     /* .. which would be one set of the caches            */
	PAGE = 4096,
	COLUMNS_MOST = 64,                    /* blocks of a node; more are not moved one by one    */
	MANY = 1 << 20                        /* nodes whose windows are not counted in no time     */
};

static size_t product(size_t a, size_t b)
{
	size_t c;

	return __builtin_mul_overflow(a, b, &c) ? SIZE_MAX : c;
}

void *ls_layout_take(struct ls_layout *layout, size_t n, size_t bytes)
{
	void *at = layout->memory ? layout->memory + layout->used : NULL;

	bytes = ls_round_up(product(n, bytes), LS_CACHE_LINE);
	if (__builtin_add_overflow(layout->used, bytes, &layout->used))
		layout->used = SIZE_MAX;
	return at;
}

/* ---- What a lane is made of */

static void lane_measure(struct ls_lane *lane, const struct ls_plan *plan, size_t n)
{
	const size_t blocks = (size_t)plan->frame.blocks;
	const bool cut = ls_operation_is_vector(plan->problem.operation);

	lane->plan = plan;
	lane->measure = (struct ls_measure){ .n = n };
	lane->even = !cut || n % blocks == 0;
	lane->length = !lane->even ? 0 : cut ? n / blocks : n;
	lane->bytes = product(lane->length, lane->combine.size);
}

static void data_make(
	const struct ls_sweeping *s, int64_t rank, int64_t n, int64_t block, void *into)
{
	const struct ls_lane *lane = &s->lane[LS_LANE_DATA];
	const size_t first = ls_buffer_offset(s->plan, LS_INPUT, block, &lane->measure);

	for (char *at = into; n > 0; n--, rank++) {
		const size_t length = lane->even ? lane->length
			: ls_buffer_length(s->plan, rank, LS_INPUT, block, &lane->measure);

		s->asked.make(s->asked.context, rank, first, length, at);
		at += length * lane->combine.size;
	}
}

/* Nodes that have the buffer: all, or the root alone. */
static int64_t owners(const struct ls_plan *plan, int buffer)
{
	return ls_storage_is_rooted(plan, buffer) ? 1 : plan->problem.nodes;
}

static size_t row_bytes(const struct ls_lane *lane, int buffer)
{
	const int64_t blocks = ls_buffer_blocks(lane->plan, buffer);

	if (lane->even)
		return product((size_t)blocks, lane->bytes);
	return product(ls_buffer_size(lane->plan, 0, buffer, &lane->measure), lane->combine.size);
}

size_t ls_sweep_row(const struct ls_sweeping *s, int buffer)
{
	return row_bytes(&s->lane[LS_LANE_DATA], buffer);
}

/* Bytes from the column of one block to that of the next. */
static size_t column(size_t bytes)
{
	if (bytes < COLUMN_LONG)
		return ls_round_up(bytes, LS_CACHE_LINE);
	bytes = ls_round_up(bytes, PAGE);
	return bytes > SIZE_MAX - COLUMN_APART ? SIZE_MAX : bytes + COLUMN_APART;
}

/* ---- Buffers */

static struct ls_rows given(const struct ls_lane *lane, int buffer, const void *base, size_t stride)
{
	return (struct ls_rows){ .base = (char *)(uintptr_t)base,
		.by_rank = ls_storage_is_rooted(lane->plan, buffer) ? 0 : stride, .by_block = lane->bytes,
		.slots = ls_buffer_blocks(lane->plan, buffer) };
}

static struct ls_rows internal(
	const struct ls_sweeping *s, const struct ls_lane *lane, int buffer, struct ls_layout *layout)
{
	const int64_t nodes = owners(s->plan, buffer);
	const size_t row = row_bytes(lane, buffer);
	struct ls_rows rows = { .slots = ls_buffer_blocks(s->plan, buffer) };

	if (s->columns && lane->even && nodes > 1) {
		rows.by_rank = lane->bytes;
		rows.by_block = lane->bytes ? column(product((size_t)nodes, lane->bytes)) : 0;
		rows.base = ls_layout_take(layout, (size_t)rows.slots, rows.by_block);
	} else {
		rows.by_rank = nodes == 1 && s->nodes > 1 ? 0 : row;
		rows.by_block = lane->bytes;
		rows.base = ls_layout_take(layout, (size_t)nodes, row);
	}
	return rows;
}

/* Bytes of a node's window of scratch, and where block 0 would lie before it. */
static size_t window_bytes(
	const struct ls_lane *lane, int64_t rank, int buffer, size_t *before)
{
	const struct ls_window window = ls_plan_window(lane->plan, rank, buffer - LS_SCRATCH);
	const int64_t last = window.first + window.count - 1;

	*before = 0;
	if (window.count == 0)
		return 0;
	if (lane->even) {
		*before = product((size_t)window.first, lane->bytes);
		return product((size_t)window.count, lane->bytes);
	}
	*before = lane->combine.size
		* ls_buffer_offset(lane->plan, buffer, window.first, &lane->measure);
	return lane->combine.size
		* (ls_buffer_offset(lane->plan, buffer, last, &lane->measure)
			+ ls_slot_width(lane->plan, buffer, last, &lane->measure)) - *before;
}

/* Windows that differ, one after another; of many nodes no more are counted than there is room. */
static struct ls_rows windows(
	const struct ls_sweeping *s, const struct ls_lane *lane, int buffer, struct ls_layout *layout)
{
	int64_t *begin = ls_layout_take(layout, (size_t)s->nodes, sizeof *begin);
	struct ls_rows rows = { .by_block = lane->bytes, .begin = begin,
		.slots = ls_buffer_blocks(s->plan, buffer) };
	const size_t most = !begin && s->nodes > MANY ? ls_alloc_left() : SIZE_MAX;
	size_t bytes = 0, before;

	for (int64_t rank = 0; rank < s->nodes; rank++) {
		const size_t window = window_bytes(lane, rank, buffer, &before);

		if (bytes > most || layout->used > most - bytes) {
			layout->used = SIZE_MAX;
			break;
		}
		if (begin)
			begin[rank] = (int64_t)bytes - (int64_t)before;
		bytes = bytes > SIZE_MAX - window ? SIZE_MAX : bytes + window;
	}
	rows.base = ls_layout_take(layout, 1, bytes);
	return rows;
}

/* ---- In place */

/* The row of the root lies elsewhere: `of` gets an entry for each node, which says so. */
static void set_apart(const struct ls_sweeping *s, struct ls_rows *of, const char *row,
	struct ls_layout *layout)
{
	const int64_t root = s->plan->problem.root;
	int64_t *begin = ls_layout_take(layout, (size_t)s->nodes, sizeof *begin);

	if (begin)
		begin[root] = (int64_t)((uintptr_t)row - (uintptr_t)of->base)
			- root * (int64_t)of->by_rank;
	of->begin = begin;
}

/* Operands and results are one storage as plan/storage.h says. */
static void share(const struct ls_sweeping *s, struct ls_lane *lane, struct ls_layout *layout)
{
	const enum ls_operation operation = s->plan->problem.operation;
	const size_t root = (size_t)s->plan->problem.root;
	struct ls_rows *input = &lane->rows[LS_INPUT], *output = &lane->rows[LS_OUTPUT];
	/* Of a rooted operation the root alone has both, and what all have lies elsewhere. */
	const bool reduces = ls_operations[operation].at_root;
	const bool scatters = ls_operation_scatters(operation);

	if (reduces) {
		const size_t at = ls_operation_gathers(operation) ? root * output->by_block : 0;

		set_apart(s, input, output->base + at, layout);
	} else if (scatters && ls_operations[operation].from_root) {
		set_apart(s, output, input->base + root * input->by_block, layout);
	} else if (scatters) {
		*output = *input;
		output->by_rank += input->by_block;
	} else {
		*input = *output;
		if (ls_operation_gathers(operation))
			input->by_rank += output->by_block;
		if (ls_operations[operation].from_root) {
			input->base += root * output->by_rank;
			input->by_rank = 0;
		}
	}
}

/* Whether INPUT (OUTPUT) has no storage of its own: see share. */
static bool is_alias(const struct ls_plan *plan, int buffer)
{
	const struct ls_operation_info *o = &ls_operations[plan->problem.operation];

	if (!plan->problem.in_place || o->at_root)
		return false;
	if (ls_operation_scatters(plan->problem.operation))
		return buffer == LS_OUTPUT && !o->from_root;
	return buffer == LS_INPUT;
}

/* ---- All buffers of a lane */

static struct ls_rows data_rows(const struct ls_sweeping *s, int buffer, struct ls_layout *layout)
{
	const struct ls_lane *lane = &s->lane[LS_LANE_DATA];
	/* In place what scatters has its operands in the rows of results. */
	const bool swapped = buffer == LS_INPUT && is_alias(s->plan, LS_OUTPUT);

	if (buffer == LS_INPUT && !swapped) {
		if (s->asked.input)
			return given(lane, buffer, s->asked.input, s->asked.input_stride);
	} else if (s->asked.output) {
		return given(lane, buffer, s->asked.output, s->asked.output_stride);
	}
	return internal(s, lane, buffer, layout);
}

static void lane_rows(struct ls_sweeping *s, int number, struct ls_layout *layout)
{
	struct ls_lane *lane = &s->lane[number];
	const bool in_place = s->plan->problem.in_place;
	const bool made = !in_place && (number == LS_LANE_PROOF || !s->asked.input);

	memset(lane->rows, 0, sizeof lane->rows);
	for (int buffer = LS_INPUT; buffer <= LS_OUTPUT; buffer++) {
		if (is_alias(s->plan, buffer) || (buffer == LS_INPUT && made))
			continue;
		lane->rows[buffer] = number == LS_LANE_DATA ? data_rows(s, buffer, layout)
			: internal(s, lane, buffer, layout);
	}
	for (int k = 0; k < LS_SCRATCHES; k++) {
		if (s->plan->frame.scratch[k].slots == 0)
			continue;
		lane->rows[LS_SCRATCH + k] = s->plan->algorithm->window
			? windows(s, lane, LS_SCRATCH + k, layout)
			: internal(s, lane, LS_SCRATCH + k, layout);
	}
	if (in_place)
		share(s, lane, layout);
}

/*
 * Columns are for steps that name single blocks, many nodes of one shape at a time: of plans that
 * say shapes, and have few blocks.
 */
static bool goes_by_columns(const struct ls_sweeping *s)
{
	const struct ls_algorithm *algorithm = s->plan->algorithm;

	return s->nodes > 1 && algorithm->shape && !algorithm->window
		&& ls_storage_cells(s->plan) <= COLUMNS_MOST;
}

/* ---- All memory */

/* Two operands that are made, or the result of a node in one piece. */
static size_t scratch_bytes(const struct ls_sweeping *s)
{
	size_t most = 0;

	for (int i = 0; i < LS_LANES; i++) {
		const struct ls_lane *lane = &s->lane[i];
		const size_t blocks = (size_t)s->plan->frame.blocks;
		const size_t bytes = lane->even ? lane->bytes
						: product(lane->measure.n / blocks + 1, lane->combine.size);

		most = bytes > most ? bytes : most;
	}
	most = product(2, ls_round_up(most, LS_CACHE_LINE));
	if (s->asked.take && s->columns && ls_sweep_row(s, LS_OUTPUT) > most)
		most = ls_round_up(ls_sweep_row(s, LS_OUTPUT), 2 * LS_CACHE_LINE);
	return most;
}

static void lay_out(struct ls_sweeping *s, struct ls_layout *layout)
{
	const size_t share = (size_t)(s->nodes / s->workers) + 1;
	const size_t wired_bytes = ls_sweep_wired_bytes(s);

	for (int i = 0; i < LS_LANES; i++)
		lane_rows(s, i, layout);
	for (int i = 0; i < s->workers; i++) {
		char *scratch = ls_layout_take(layout, 1, s->scratch_bytes);
		int64_t *shuffled = ls_layout_take(layout, s->asked.order ? share : 0, sizeof *shuffled);
		char *wired = ls_layout_take(layout, 1, wired_bytes);

		if (s->worker) {
			s->worker[i].scratch = scratch;
			s->worker[i].shuffled = shuffled;
			s->worker[i].wired = wired;
		}
	}
	s->load = ls_layout_take(layout, s->mode == LS_ROUTED
			? product((size_t)s->topology->vertices, (size_t)s->topology->degree) : 0,
		sizeof *s->load);
	s->sums = ls_layout_take(layout, 1, ls_proof_bytes(s));
}

void ls_sweep_lanes_measure(struct ls_sweeping *s)
{
	struct ls_lane *data = &s->lane[LS_LANE_DATA], *proof = &s->lane[LS_LANE_PROOF];
	const bool cut = ls_operation_is_vector(s->plan->problem.operation);

	data->combine = ls_kernel_for(s->asked.op, s->asked.type);
	data->make = data_make;
	lane_measure(data, s->plan, s->asked.count);
	ls_proof_lane(s, proof);
	lane_measure(proof, s->plan, cut ? (size_t)s->plan->frame.blocks : 1);
	s->columns = goes_by_columns(s);
}

void ls_sweep_lanes_count(struct ls_sweeping *s)
{
	struct ls_layout layout = { NULL, 0 };

	s->scratch_bytes = scratch_bytes(s);
	lay_out(s, &layout);
	ls_layout_take(&layout, 1, ls_sweep_wiring_bytes(s));
	s->bytes = layout.used;
}

int ls_sweep_lanes_make(struct ls_sweeping *s)
{
	struct ls_layout layout = { NULL, 0 };

	layout.memory = s->memory = ls_alloc_pages(s->bytes);
	if (!s->memory)
		return LS_ERR_MEMORY;
	lay_out(s, &layout);
	return ls_sweep_wiring_make(s, s->memory + layout.used);
}
