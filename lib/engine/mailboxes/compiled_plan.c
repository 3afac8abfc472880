#include "engine/mailboxes/compiled_plan.h"

#include <string.h>

#include "machine/channel.h"
#include "machine/port.h"
#include "machine/slot.h"
#include "plan/zero_copy_waits.h"

/* ---- Compile */

/*
 * An upper bound of the number of pieces of a slice.  In slots of equal width a short block leaves
 * a gap before the next one.
 */
static size_t count_pieces_max(const struct ls_plan *plan, const struct ls_slice *slice)
{
	const bool equal_slots = slice->buffer >= LS_SCRATCH
		&& !lsi_scratch_is_measured(&plan->frame, &plan->frame.scratch[slice->buffer - LS_SCRATCH]);

	if (slice->index || slice->map[0] || equal_slots)
		return (size_t)ls_slice_blocks(slice);
	return (size_t)slice->runs * (slice->cycle ? 2 : 1);
}

static bool is_same_slice(const struct ls_slice *a, const struct ls_slice *b)
{
	bool same = a->first == b->first && a->run == b->run && a->stride == b->stride
		&& a->runs == b->runs && a->cycle == b->cycle && a->index == b->index
		&& a->buffer == b->buffer;

	for (int i = 0; i < LS_BLOCK_MAPS; i++)
		same = same && a->map[i] == b->map[i] && a->by[i] == b->by[i];
	return same;
}

/* A copy of the slice, or a recent one that is equal; NULL: no memory. */
static const struct ls_slice *keep_slice(
	struct lsi_compiled_plan *compiled, const struct ls_slice *slice)
{
	struct ls_slice *copy;

	for (int i = 0; i < LSI_RECENT_SLICES && compiled->recent[i]; i++)
		if (is_same_slice(compiled->recent[i], slice))
			return compiled->recent[i];
	copy = lsi_arena_take(&compiled->arena, 1, sizeof *copy);
	if (copy)
		compiled->recent[compiled->slices++ % LSI_RECENT_SLICES] = copy;
	return copy ? memcpy(copy, slice, sizeof *copy) : NULL;
}

static bool operand_make(
	struct lsi_compiled_plan *compiled, const struct ls_slice *slice, struct lsi_operand *out)
{
	out->buffer = slice->buffer;
	out->slice = keep_slice(compiled, slice);
	out->piece = lsi_arena_take(
		&compiled->arena, count_pieces_max(compiled->plan, slice) + 1, sizeof *out->piece);
	return out->slice && out->piece;
}

/* The slice that the peer sends to this node in a step.  LS_ERR_LAW: none. */
static int find_sent_slice(
	struct lsi_compiled_plan *compiled, int64_t peer, int64_t step, const struct ls_slice **out)
{
	struct ls_step theirs;

	ls_plan_step(compiled->plan, peer, step, &theirs);
	for (int q = 0; q < theirs.ports; q++) {
		if (theirs.to[q] == compiled->rank) {
			*out = keep_slice(compiled, &theirs.send[q]);
			return *out ? LS_OK : LS_ERR_MEMORY;
		}
	}
	return LS_ERR_LAW;
}

static int channel_make(struct ls_node *node, int64_t peer, struct lsi_channel *out)
{
	const struct lsi_channel *channel = lsi_channel_to(node->self, lsi_member(node->group, peer));

	if (!channel)
		return LS_ERR_MEMORY;
	*out = *channel;
	return LS_OK;
}

static int port_make(struct ls_node *node, struct lsi_compiled_plan *compiled, int64_t s,
	const struct ls_step *step, int q, struct lsi_compiled_port *port)
{
	const struct ls_plan *plan = compiled->plan;
	int failed = LS_OK;

	port->to = step->to[q];
	port->from = step->from[q];
	if (port->to != LS_NO_RANK) {
		failed = channel_make(node, port->to, &port->out);
		port->views = lsi_arena_take(
			&compiled->arena, count_pieces_max(plan, &step->send[q]) + 1, sizeof *port->views);
		if (!port->views || !operand_make(compiled, &step->send[q], &port->send))
			return LS_ERR_MEMORY;
	}
	if (port->from != LS_NO_RANK && !failed) {
		failed = channel_make(node, port->from, &port->in);
		if (!failed)
			failed = find_sent_slice(compiled, port->from, s, &port->arrives);
	}
	return failed;
}

static bool move_make(struct lsi_compiled_plan *compiled, const struct lsi_compiled_step *step,
	const struct ls_move *move, struct lsi_compiled_move *out)
{
	const struct ls_slice *slice[] = { &move->dst, &move->a, &move->b };
	struct lsi_operand *operand[] = { &out->dst, &out->a, &out->b };

	out->action = move->action;
	for (int i = 0; i < (move->action == LS_COMBINE ? 3 : 2); i++) {
		if (!operand_make(compiled, slice[i], operand[i]))
			return false;
		if (slice[i]->buffer >= LS_ARRIVAL && slice[i]->buffer < LS_SCRATCH)
			operand[i]->arrived = &step->port[slice[i]->buffer - LS_ARRIVAL];
	}
	if (move->action == LS_FOLD)
		out->parts = (size_t)(ls_slice_blocks(&move->a) / ls_slice_blocks(&move->dst));
	return true;
}

static int step_make(struct ls_node *node, struct lsi_compiled_plan *compiled, int64_t s)
{
	struct lsi_compiled_step *out = &compiled->step[s];
	struct ls_step step;
	int failed = LS_OK;

	ls_plan_step(compiled->plan, node->rank, s, &step);
	out->local = ls_plan_is_local(compiled->plan, s);
	out->ports = step.ports;
	out->moves = step.n_moves;
	out->port = lsi_arena_take(&compiled->arena, (size_t)step.ports, sizeof *out->port);
	out->move = lsi_arena_take(&compiled->arena, (size_t)step.n_moves, sizeof *out->move);
	if (!out->port || !out->move)
		return LS_ERR_MEMORY;
	for (int q = 0; q < step.ports && !failed; q++)
		failed = port_make(node, compiled, s, &step, q, &out->port[q]);
	for (int i = 0; i < step.n_moves && !failed; i++)
		failed = move_make(compiled, out, &step.move[i], &out->move[i]) ? LS_OK : LS_ERR_MEMORY;
	return failed;
}

static int waits_make(struct ls_node *node, struct lsi_compiled_plan *compiled)
{
	int64_t *waits = lsi_alloc((size_t)compiled->steps * sizeof *waits);
	int failed =
		waits ? lsi_plan_zero_copy_waits(compiled->plan, node->rank, waits) : LS_ERR_MEMORY;

	for (int64_t s = 0; s < compiled->steps && !failed; s++)
		compiled->step[s].wait = waits[s];
	lsi_free(waits);
	return failed;
}

/*
 * Whether the fast path may execute the steps if their lengths are suitable: free rounds, no trace,
 * direct links, and at most one message in each direction per round.
 */
static bool is_plain(const struct ls_node *node, const struct lsi_compiled_plan *compiled)
{
	const struct ls_machine *machine = node->self->machine;
	bool plain = machine->options.rounds == LS_FREE && !machine->records;

	for (int64_t s = 0; s < compiled->steps && plain; s++) {
		const struct lsi_compiled_step *step = &compiled->step[s];
		const struct lsi_compiled_port *port = step->port;

		plain = step->ports == 0
			|| (step->ports == 1 && !step->local
				&& (port->to == LS_NO_RANK || lsi_port_is_simple(node, &port->out))
				&& (port->from == LS_NO_RANK || lsi_port_is_simple(node, &port->in)));
	}
	return plain;
}

int lsi_compiled_plan_make(
	struct ls_node *node, const struct ls_plan *plan, struct lsi_compiled_plan *out)
{
	int failed = LS_OK;

	*out = (struct lsi_compiled_plan){ .plan = plan,
		.rank = node->rank,
		.steps = ls_plan_steps(plan),
		.arena = { .source = &node->group->plan_memory } };
	out->step = lsi_arena_take(&out->arena, (size_t)out->steps, sizeof *out->step);
	if (!out->step)
		failed = LS_ERR_MEMORY;
	for (int64_t s = 0; s < out->steps && !failed; s++)
		failed = step_make(node, out, s);
	if (!failed)
		failed = waits_make(node, out);
	out->is_plain = !failed && is_plain(node, out);
	if (failed)
		lsi_arena_release(&out->arena);
	return failed;
}

/* ---- Bind */

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
	for (int64_t s = 0; s < compiled->steps; s++) {
		struct lsi_compiled_step *step = &compiled->step[s];

		for (int q = 0; q < step->ports; q++) {
			if (step->port[q].to != LS_NO_RANK)
				bind_operand(compiled, &step->port[q].send);
			if (step->port[q].from != LS_NO_RANK)
				step->port[q].expected = bytes_received(compiled, &step->port[q]);
		}
		for (int i = 0; i < step->moves; i++)
			bind_move(compiled, &step->move[i]);
		compiled->is_fast = compiled->is_fast && is_fast(step);
	}
}
