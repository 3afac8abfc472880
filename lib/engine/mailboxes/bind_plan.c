/*
 * Bind a compiled plan: turn the slices of its steps into pieces of memory.
 */
#include "engine/mailboxes/compiled_plan.h"
#include "machine/slot.h"

/*
 * The bytes of the k-th block that a port receives.  In an all-to-all with counts, result_counts of
 * this node has them.
 */
static size_t block_bytes_received(
	const struct lsi_compiled_plan *compiled, const struct lsi_compiled_port *port, int64_t k)
{
	const struct ls_plan *plan = compiled->plan;
	const struct ls_slice *sent = port->arrives;

	if (compiled->measure.counts && plan->problem.operation == LS_ALLTOALL)
		return compiled->size
			* lsi_buffer_length(plan, compiled->rank, LS_OUTPUT, port->from, &compiled->measure);
	return compiled->size
		* lsi_buffer_length(
			plan, port->from, sent->buffer, ls_slice_at(sent, k), &compiled->measure);
}

static void add_piece(struct lsi_operand *operand, size_t at, size_t bytes)
{
	struct lsi_view *last = operand->pieces ? &operand->piece[operand->pieces - 1] : NULL;

	operand->bytes += bytes;
	if (last && last->at + last->bytes == at)
		last->bytes += bytes;
	else if (bytes > 0)
		operand->piece[operand->pieces++] = (struct lsi_view){ at, bytes };
}

/*
 * Find the pieces of an operand in the message that holds it.  `at` is the offset of block `next`
 * of the message.  Most slices list blocks in order, so it need not start again from block 0.
 */
static void bind_arrival(const struct lsi_compiled_plan *compiled, struct lsi_operand *operand)
{
	const int64_t blocks = ls_slice_blocks(operand->slice);
	int64_t next = 0;
	size_t at = 0;

	for (int64_t k = 0; k < blocks; k++) {
		const int64_t block = ls_slice_at(operand->slice, k);

		if (block < next)
			next = 0, at = 0;
		for (; next < block; next++)
			at += block_bytes_received(compiled, operand->arrived, next);
		add_piece(operand, at, block_bytes_received(compiled, operand->arrived, block));
	}
}

static void bind_operand(const struct lsi_compiled_plan *compiled, struct lsi_operand *operand)
{
	const struct ls_slice *slice = operand->slice;
	const struct ls_plan *plan = compiled->plan;
	const int64_t blocks = ls_slice_blocks(slice);

	operand->pieces = operand->bytes = 0;
	operand->piece[0] = (struct lsi_view){ 0 };
	if (operand->arrived)
		bind_arrival(compiled, operand);
	for (int64_t k = 0; k < blocks && !operand->arrived; k++) {
		const int64_t block = ls_slice_at(slice, k);

		add_piece(operand,
			compiled->size * lsi_buffer_offset(plan, slice->buffer, block, &compiled->measure),
			compiled->size
				* lsi_buffer_length(
					plan, compiled->rank, slice->buffer, block, &compiled->measure));
	}
	operand->elements = operand->bytes / compiled->size;
	operand->at = operand->piece->at;
}

static size_t bytes_received(
	const struct lsi_compiled_plan *compiled, const struct lsi_compiled_port *port)
{
	size_t bytes = 0;

	for (int64_t k = 0; k < ls_slice_blocks(port->arrives); k++)
		bytes += block_bytes_received(compiled, port, k);
	return bytes;
}

/* Place the windows of the scratch buffers one after another in the scratch memory. */
static void bind_scratch(struct lsi_compiled_plan *compiled)
{
	const struct ls_plan *plan = compiled->plan;
	const size_t line = LSI_CACHE_LINE;

	compiled->scratch_bytes = 0;
	for (int k = 0; k < LS_SCRATCH_BUFFERS; k++) {
		const struct lsi_window window = lsi_plan_window(plan, compiled->rank, k);

		if (window.count == 0)
			continue;

		const int64_t last = window.first + window.count - 1;
		const int buffer = LS_SCRATCH + k;
		const size_t from = lsi_buffer_offset(plan, buffer, window.first, &compiled->measure);
		const size_t to = lsi_buffer_offset(plan, buffer, last, &compiled->measure)
			+ lsi_slot_width(plan, buffer, last, &compiled->measure);

		compiled->scratch_at[k] = compiled->scratch_bytes - from * compiled->size;
		compiled->scratch_bytes += ((to - from) * compiled->size + line - 1) / line * line;
	}
}

static void bind_move(const struct lsi_compiled_plan *compiled, struct lsi_compiled_move *move)
{
	bind_operand(compiled, &move->dst);
	bind_operand(compiled, &move->a);
	move->contiguous = move->dst.pieces == 1 && move->a.pieces == 1;
	if (move->action != LS_COMBINE)
		return;
	bind_operand(compiled, &move->b);
	move->contiguous &= move->b.pieces == 1;
}

/* Whether every message fits into its slot and every operand is contiguous. */
static bool is_fast(const struct lsi_compiled_step *step)
{
	bool fast = true;

	for (int q = 0; q < step->ports; q++) {
		const struct lsi_compiled_port *port = &step->port[q];

		if (port->to != LS_NO_RANK)
			fast &= port->send.pieces <= 1 && port->send.bytes <= lsi_slot_capacity(port->out.out);
		if (port->from != LS_NO_RANK)
			fast &= port->expected <= lsi_slot_capacity(port->in.in);
	}
	for (int i = 0; i < step->moves; i++)
		fast &= step->move[i].contiguous || step->move[i].dst.bytes == 0;
	return fast;
}

void lsi_compiled_plan_bind(
	struct lsi_compiled_plan *compiled, const struct lsi_measure *measure, size_t size)
{
	compiled->measure = *measure;
	compiled->size = size;
	compiled->is_fast = compiled->is_plain;
	bind_scratch(compiled);
	for (int64_t i = 0; i < compiled->held; i++) {
		struct lsi_compiled_step *step = &compiled->step[i];

		for (int q = 0; q < step->ports; q++) {
			if (step->port[q].to != LS_NO_RANK)
				bind_operand(compiled, &step->port[q].send);
			if (step->port[q].from != LS_NO_RANK)
				step->port[q].expected = bytes_received(compiled, &step->port[q]);
		}
		for (int k = 0; k < step->moves; k++)
			bind_move(compiled, &step->move[k]);
		compiled->is_fast = compiled->is_fast && is_fast(step);
	}
}
