#include "engine/sweep/sweep_payload.h"

#include <string.h>

#include "base/alloc.h"
#include "base/math.h"
#include "engine/sweep/sweep_exchange.h"
#include "engine/sweep/sweep_fingerprints.h"
#include "plan/storage.h"
#include "topology/topology_internal.h"

enum {
	/*
	 * Columns of LONG_COLUMN bytes or more are skewed: columns that begin at multiples of a page
	 * would share one set of the caches.
	 */
	LONG_COLUMN = 1 << 16,
	COLUMN_SKEW = 5 * LSI_CACHE_LINE,
	PAGE = 4096,
	MAX_COLUMN_BLOCKS = 64, /* per node; plans with more blocks move several at once */
	MANY_NODES = 1 << 20    /* counting more windows than this takes noticeable time */
};

static size_t multiply_sizes(size_t a, size_t b)
{
	size_t c;

	return __builtin_mul_overflow(a, b, &c) ? SIZE_MAX : c;
}

void *lsi_memory_layout_take(struct lsi_memory_layout *layout, size_t n, size_t bytes)
{
	void *at = layout->memory ? layout->memory + layout->used : NULL;

	bytes = lsi_round_up(multiply_sizes(n, bytes), LSI_CACHE_LINE);
	if (__builtin_add_overflow(layout->used, bytes, &layout->used))
		layout->used = SIZE_MAX;
	return at;
}

/* ---- Payloads */

static void measure_payload(struct lsi_payload *payload, const struct ls_plan *plan, size_t n)
{
	const size_t blocks = (size_t)plan->frame.blocks;
	const bool is_vector = lsi_operation_is_vector(plan->problem.operation);

	payload->plan = plan;
	payload->measure = (struct lsi_measure){ .n = n };
	payload->uniform = !is_vector || n % blocks == 0;
	payload->length = !payload->uniform ? 0 : is_vector ? n / blocks : n;
	payload->bytes = multiply_sizes(payload->length, payload->combine.size);
}

static void make_data(
	const struct lsi_sweep_state *s, int64_t rank, int64_t n, int64_t block, void *into)
{
	const struct lsi_payload *payload = &s->payload[LSI_PAYLOAD_DATA];
	const size_t first = lsi_buffer_offset(s->plan, LS_INPUT, block, &payload->measure);

	for (char *at = into; n > 0; n--, rank++) {
		const size_t length = payload->uniform
			? payload->length
			: lsi_buffer_length(s->plan, rank, LS_INPUT, block, &payload->measure);

		s->request.make(s->request.context, rank, first, length, at);
		at += length * payload->combine.size;
	}
}

/* The number of local nodes that have the buffer: all, or only the root. */
static int64_t count_owners(const struct lsi_sweep_state *s, int buffer)
{
	return lsi_storage_is_rooted(s->plan, buffer) ? lsi_sweep_is_local(s, s->plan->problem.root)
												  : s->last - s->first;
}

static size_t row_bytes(const struct lsi_payload *payload, int buffer)
{
	const int64_t blocks = lsi_buffer_blocks(payload->plan, buffer);

	if (payload->uniform)
		return multiply_sizes((size_t)blocks, payload->bytes);
	return multiply_sizes(
		lsi_buffer_size(payload->plan, 0, buffer, &payload->measure), payload->combine.size);
}

size_t lsi_sweep_row_bytes(const struct lsi_sweep_state *s, int buffer)
{
	return row_bytes(&s->payload[LSI_PAYLOAD_DATA], buffer);
}

/* Bytes from one column to the next. */
static size_t column_stride(size_t bytes)
{
	if (bytes < LONG_COLUMN)
		return lsi_round_up(bytes, LSI_CACHE_LINE);
	bytes = lsi_round_up(bytes, PAGE);
	return bytes > SIZE_MAX - COLUMN_SKEW ? SIZE_MAX : bytes + COLUMN_SKEW;
}

/* ---- Buffers */

/* Where the row of rank 0 would be; `row` is that of the first local rank. */
static void *rank_zero(const struct lsi_sweep_state *s, const void *row, size_t by_rank)
{
	return row ? (void *)((uintptr_t)row - (size_t)s->first * by_rank) : NULL;
}

static struct lsi_sweep_buffer use_caller_rows(
	const struct lsi_sweep_state *s, int buffer, const void *base, size_t stride)
{
	const struct lsi_payload *payload = &s->payload[LSI_PAYLOAD_DATA];

	const size_t by_rank = lsi_storage_is_rooted(payload->plan, buffer) ? 0 : stride;

	return (struct lsi_sweep_buffer){ .base = rank_zero(s, base, by_rank),
		.by_rank = by_rank,
		.by_block = payload->bytes,
		.slots = lsi_buffer_blocks(payload->plan, buffer) };
}

static struct lsi_sweep_buffer make_own_rows(const struct lsi_sweep_state *s,
	const struct lsi_payload *payload, int buffer, struct lsi_memory_layout *layout)
{
	const int64_t nodes = count_owners(s, buffer);
	const size_t row = row_bytes(payload, buffer);
	struct lsi_sweep_buffer rows = { .slots = lsi_buffer_blocks(s->plan, buffer) };

	if (s->columns && payload->uniform && nodes > 1) {
		rows.by_rank = payload->bytes;
		rows.by_block =
			payload->bytes ? column_stride(multiply_sizes((size_t)nodes, payload->bytes)) : 0;
		rows.base = lsi_memory_layout_take(layout, (size_t)rows.slots, rows.by_block);
	} else {
		rows.by_rank = nodes == 1 && s->nodes > 1 ? 0 : row;
		rows.by_block = payload->bytes;
		rows.base = lsi_memory_layout_take(layout, (size_t)nodes, row);
	}
	rows.base = rank_zero(s, rows.base, rows.by_rank);
	return rows;
}

/* The bytes of a node's window of scratch, and the offset of the window in the whole buffer. */
static size_t window_bytes(
	const struct lsi_payload *payload, int64_t rank, int buffer, size_t *skipped)
{
	const struct lsi_window window = lsi_plan_window(payload->plan, rank, buffer - LS_SCRATCH);
	const int64_t last = window.first + window.count - 1;

	*skipped = 0;
	if (window.count == 0)
		return 0;
	if (payload->uniform) {
		*skipped = multiply_sizes((size_t)window.first, payload->bytes);
		return multiply_sizes((size_t)window.count, payload->bytes);
	}
	*skipped = payload->combine.size
		* lsi_buffer_offset(payload->plan, buffer, window.first, &payload->measure);
	return payload->combine.size
		* (lsi_buffer_offset(payload->plan, buffer, last, &payload->measure)
			+ lsi_slot_width(payload->plan, buffer, last, &payload->measure))
		- *skipped;
}

/*
 * Place windows of different lengths one after another. For many nodes, stop when memory is
 * exceeded.
 */
static struct lsi_sweep_buffer make_window_rows(const struct lsi_sweep_state *s,
	const struct lsi_payload *payload, int buffer, struct lsi_memory_layout *layout)
{
	const int64_t nodes = s->last - s->first;
	int64_t *begin = lsi_memory_layout_take(layout, (size_t)nodes, sizeof *begin);
	struct lsi_sweep_buffer rows = { .by_block = payload->bytes,
		.begin = rank_zero(s, begin, sizeof *begin),
		.slots = lsi_buffer_blocks(s->plan, buffer) };
	const size_t limit = !begin && nodes > MANY_NODES ? lsi_memory_available() : SIZE_MAX;
	size_t bytes = 0, skipped;

	for (int64_t i = 0; i < nodes; i++) {
		const size_t window = window_bytes(payload, s->first + i, buffer, &skipped);

		if (bytes > limit || layout->used > limit - bytes) {
			layout->used = SIZE_MAX;
			break;
		}
		if (begin)
			begin[i] = (int64_t)bytes - (int64_t)skipped;
		bytes = bytes > SIZE_MAX - window ? SIZE_MAX : bytes + window;
	}
	rows.base = lsi_memory_layout_take(layout, 1, bytes);
	return rows;
}

/* ---- In place */

/* Move the root's row, if it is local, to base + offset: `of` gets a `begin` for each node. */
static void move_root_row(const struct lsi_sweep_state *s, struct lsi_sweep_buffer *of,
	const char *base, size_t offset, struct lsi_memory_layout *layout)
{
	const int64_t root = s->plan->problem.root;
	int64_t *begin = lsi_memory_layout_take(layout, (size_t)(s->last - s->first), sizeof *begin);

	if (begin && lsi_sweep_is_local(s, root))
		begin[root - s->first] =
			(int64_t)((uintptr_t)base + offset - (uintptr_t)of->base) - root * (int64_t)of->by_rank;
	of->begin = rank_zero(s, begin, sizeof *begin);
}

/* Let operands and results share memory, as plan/storage.h defines. */
static void share_storage(
	const struct lsi_sweep_state *s, struct lsi_payload *payload, struct lsi_memory_layout *layout)
{
	const enum ls_operation operation = s->plan->problem.operation;
	const size_t root = (size_t)s->plan->problem.root;
	struct lsi_sweep_buffer *input = &payload->buffer[LS_INPUT],
							*output = &payload->buffer[LS_OUTPUT];
	/* Only the root of a rooted operation has operand and result in one memory. */
	const bool reduces = lsi_operations[operation].at_root;
	const bool scatters = lsi_operation_scatters(operation);

	if (reduces) {
		const size_t at = lsi_operation_gathers(operation) ? root * output->by_block : 0;

		move_root_row(s, input, output->base, at, layout);
	} else if (scatters && lsi_operations[operation].from_root) {
		move_root_row(s, output, input->base, root * input->by_block, layout);
	} else if (scatters) {
		*output = *input;
		output->by_rank += input->by_block;
	} else {
		*input = *output;
		if (lsi_operation_gathers(operation))
			input->by_rank += output->by_block;
		if (lsi_operations[operation].from_root) {
			if (input->base) /* NULL: memory is only counted */
				input->base += root * output->by_rank;
			input->by_rank = 0;
		}
	}
}

/* Whether the buffer uses the memory of another one; see share_storage. */
static bool is_alias(const struct ls_plan *plan, int buffer)
{
	const struct ls_operation_info *o = &lsi_operations[plan->problem.operation];

	if (!plan->problem.in_place || o->at_root)
		return false;
	if (lsi_operation_scatters(plan->problem.operation))
		return buffer == LS_OUTPUT && !o->from_root;
	return buffer == LS_INPUT;
}

/* ---- All buffers of a payload */

static struct lsi_sweep_buffer make_data_rows(
	const struct lsi_sweep_state *s, int buffer, struct lsi_memory_layout *layout)
{
	/* An operation that scatters in place has its operands in the rows of results. */
	const bool swapped = buffer == LS_INPUT && is_alias(s->plan, LS_OUTPUT);

	if (buffer == LS_INPUT && !swapped) {
		if (s->request.input)
			return use_caller_rows(s, buffer, s->request.input, s->request.input_stride);
	} else if (s->request.output) {
		return use_caller_rows(s, buffer, s->request.output, s->request.output_stride);
	}
	return make_own_rows(s, &s->payload[LSI_PAYLOAD_DATA], buffer, layout);
}

static void layout_buffers(struct lsi_sweep_state *s, int number, struct lsi_memory_layout *layout)
{
	struct lsi_payload *payload = &s->payload[number];
	const bool in_place = s->plan->problem.in_place;
	const bool made = !in_place && (number == LSI_PAYLOAD_FINGERPRINTS || !s->request.input);

	memset(payload->buffer, 0, sizeof payload->buffer);
	for (int buffer = LS_INPUT; buffer <= LS_OUTPUT; buffer++) {
		if (is_alias(s->plan, buffer) || (buffer == LS_INPUT && made))
			continue;
		payload->buffer[buffer] = number == LSI_PAYLOAD_DATA
			? make_data_rows(s, buffer, layout)
			: make_own_rows(s, payload, buffer, layout);
	}
	for (int k = 0; k < LS_SCRATCH_BUFFERS; k++) {
		if (s->plan->frame.scratch[k].slots == 0)
			continue;
		payload->buffer[LS_SCRATCH + k] = lsi_whole_machine_of(s->plan->algorithm)->window
			? make_window_rows(s, payload, LS_SCRATCH + k, layout)
			: make_own_rows(s, payload, LS_SCRATCH + k, layout);
	}
	if (in_place)
		share_storage(s, payload, layout);
}

/*
 * Columns suit steps that move single blocks of many nodes of one shape: plans with numbered
 * shapes and few blocks.
 */
static bool uses_columns(const struct lsi_sweep_state *s)
{
	const struct lsi_algorithm *algorithm = s->plan->algorithm;

	return s->nodes > 1 && algorithm->shape && !lsi_whole_machine_of(algorithm)->window
		&& lsi_storage_cells(s->plan) <= MAX_COLUMN_BLOCKS;
}

/* ---- All memory */

/* Memory for two operands that are made, or for the contiguous result of a node. */
static size_t scratch_bytes(const struct lsi_sweep_state *s)
{
	size_t most = 0;

	for (int i = 0; i < LSI_PAYLOADS; i++) {
		const struct lsi_payload *payload = &s->payload[i];
		const size_t blocks = (size_t)s->plan->frame.blocks;
		const size_t bytes = payload->uniform
			? payload->bytes
			: multiply_sizes(payload->measure.n / blocks + 1, payload->combine.size);

		most = bytes > most ? bytes : most;
	}
	most = multiply_sizes(2, lsi_round_up(most, LSI_CACHE_LINE));
	if (s->request.take && s->columns && lsi_sweep_row_bytes(s, LS_OUTPUT) > most)
		most = lsi_round_up(lsi_sweep_row_bytes(s, LS_OUTPUT), 2 * LSI_CACHE_LINE);
	return most;
}

size_t lsi_sweep_loads(const struct lsi_sweep_state *s)
{
	return s->mode == LS_ROUTED
		? multiply_sizes((size_t)s->topology->vertices, (size_t)s->topology->degree)
		: 0;
}

static void layout_memory(struct lsi_sweep_state *s, struct lsi_memory_layout *layout)
{
	const size_t nodes_each = (size_t)((s->last - s->first) / s->workers) + 1;

	for (int i = 0; i < LSI_PAYLOADS && !s->message_index; i++)
		layout_buffers(s, i, layout);
	for (int i = 0; i < s->workers; i++) {
		char *scratch = lsi_memory_layout_take(layout, 1, s->scratch_bytes);
		int64_t *shuffled =
			lsi_memory_layout_take(layout, s->request.order ? nodes_each : 0, sizeof *shuffled);

		if (s->worker) {
			s->worker[i].scratch = scratch;
			s->worker[i].shuffled = shuffled;
		}
	}
	s->load = lsi_memory_layout_take(layout, lsi_sweep_loads(s), sizeof *s->load);
	s->load_sums =
		lsi_memory_layout_take(layout, s->world ? lsi_sweep_loads(s) : 0, sizeof *s->load_sums);
	lsi_exchange_layout(s, layout);
	s->sums = lsi_memory_layout_take(layout, 1, lsi_fingerprints_bytes(s));
	lsi_sweep_fast_layout(s, layout);
	s->cleared = layout->used;
	lsi_sweep_fast_layout_tables(s, layout);
}

void lsi_sweep_payloads_measure(struct lsi_sweep_state *s)
{
	struct lsi_payload *data = &s->payload[LSI_PAYLOAD_DATA],
					   *proof = &s->payload[LSI_PAYLOAD_FINGERPRINTS];
	const bool is_vector = lsi_operation_is_vector(s->plan->problem.operation);

	data->combine = lsi_kernel_for(s->request.op, s->request.type);
	data->make = make_data;
	measure_payload(data, s->plan, s->request.count);
	lsi_fingerprints_payload(s, proof);
	measure_payload(proof, s->plan, is_vector ? (size_t)s->plan->frame.blocks : 1);
	s->columns = uses_columns(s);
}

void lsi_sweep_payloads_count(struct lsi_sweep_state *s)
{
	struct lsi_memory_layout layout = { NULL, 0 };

	s->scratch_bytes = scratch_bytes(s);
	layout_memory(s, &layout);
	s->bytes = layout.used;
}

int lsi_sweep_payloads_make(struct lsi_sweep_state *s)
{
	struct lsi_memory_layout layout = { NULL, 0 };

	s->memory = lsi_sweep_memory_take(s->bytes, s->cleared);
	if (!s->memory.at || lsi_sweep_fast_make(s) != LS_OK)
		return LS_ERR_MEMORY;
	layout.memory = s->memory.at;
	layout_memory(s, &layout);
	return LS_OK;
}
