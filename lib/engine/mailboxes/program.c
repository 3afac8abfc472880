#include "engine/mailboxes/program.h"

#include "machine/channel.h"
#include "machine/port.h"
#include "machine/slot.h"
#include "plan/lending_waits.h"

/* ---- Compile */

/* The maximum number of pieces of a slice. */
static size_t most_pieces(const struct ls_plan *plan, const struct ls_slice *slice)
{
	const bool narrow = slice->buffer >= LS_SCRATCH
		&& !lsi_scratch_is_measured(&plan->frame, &plan->frame.scratch[slice->buffer - LS_SCRATCH]);

	if (slice->index || slice->map[0] || narrow)
		return (size_t)ls_slice_blocks(slice);
	return (size_t)slice->runs * (slice->cycle ? 2 : 1);
}

static bool operand_make(struct lsi_arena *arena, const struct ls_plan *plan,
	const struct ls_slice *slice, struct lsi_operand *out)
{
	out->slice = *slice;
	out->piece = lsi_arena_take(arena, most_pieces(plan, slice) + 1, sizeof *out->piece);
	return out->piece != NULL;
}

/* Find the slice that the peer sends to this rank in a step. */
static bool sent_to(
	const struct ls_plan *plan, int64_t peer, int64_t step, int64_t rank, struct ls_slice *out)
{
	struct ls_step theirs;

	ls_plan_step(plan, peer, step, &theirs);
	for (int q = 0; q < theirs.ports; q++) {
		if (theirs.to[q] == rank) {
			*out = theirs.send[q];
			return true;
		}
	}
	return false;
}

static int channel_make(struct ls_node *node, int64_t peer, struct lsi_channel *out)
{
	const struct lsi_channel *channel = lsi_channel_to(node->self, lsi_member(node->group, peer));

	if (!channel)
		return LS_ERR_MEMORY;
	*out = *channel;
	return LS_OK;
}

static int port_make(struct ls_node *node, struct lsi_program *program, int64_t s,
	const struct ls_step *step, int q, struct lsi_program_port *port)
{
	const struct ls_plan *plan = program->plan;
	int failed = LS_OK;

	port->to = step->to[q];
	port->from = step->from[q];
	if (port->to != LS_NO_RANK) {
		failed = channel_make(node, port->to, &port->out);
		port->views = lsi_arena_take(
			&program->arena, most_pieces(plan, &step->send[q]) + 1, sizeof *port->views);
		if (!port->views || !operand_make(&program->arena, plan, &step->send[q], &port->send))
			return LS_ERR_MEMORY;
	}
	if (port->from != LS_NO_RANK && !failed) {
		failed = channel_make(node, port->from, &port->in);
		if (!sent_to(plan, port->from, s, node->rank, &port->arrives))
			return LS_ERR_LAW;
	}
	return failed;
}

static bool move_make(struct lsi_program *program, const struct lsi_program_step *step,
	const struct ls_move *move, struct lsi_program_move *out)
{
	const struct ls_slice *slice[] = { &move->dst, &move->a, &move->b };
	struct lsi_operand *operand[] = { &out->dst, &out->a, &out->b };

	out->action = move->action;
	for (int i = 0; i < (move->action == LS_COMBINE ? 3 : 2); i++) {
		if (!operand_make(&program->arena, program->plan, slice[i], operand[i]))
			return false;
		if (slice[i]->buffer >= LS_ARRIVAL && slice[i]->buffer < LS_SCRATCH)
			operand[i]->arrived = &step->port[slice[i]->buffer - LS_ARRIVAL];
	}
	if (move->action == LS_FOLD)
		out->parts = (size_t)(ls_slice_blocks(&move->a) / ls_slice_blocks(&move->dst));
	return true;
}

static int step_make(struct ls_node *node, struct lsi_program *program, int64_t s)
{
	struct lsi_program_step *out = &program->step[s];
	struct ls_step step;
	int failed = LS_OK;

	ls_plan_step(program->plan, node->rank, s, &step);
	out->local = ls_plan_is_local(program->plan, s);
	out->ports = step.ports;
	out->moves = step.n_moves;
	out->port = lsi_arena_take(&program->arena, (size_t)step.ports, sizeof *out->port);
	out->move = lsi_arena_take(&program->arena, (size_t)step.n_moves, sizeof *out->move);
	if (!out->port || !out->move)
		return LS_ERR_MEMORY;
	for (int q = 0; q < step.ports && !failed; q++)
		failed = port_make(node, program, s, &step, q, &out->port[q]);
	for (int i = 0; i < step.n_moves && !failed; i++)
		failed = move_make(program, out, &step.move[i], &out->move[i]) ? LS_OK : LS_ERR_MEMORY;
	return failed;
}

static int waits_make(struct ls_node *node, struct lsi_program *program)
{
	int64_t *waits = lsi_alloc((size_t)program->steps * sizeof *waits);
	int failed = waits ? lsi_plan_waits(program->plan, node->rank, waits) : LS_ERR_MEMORY;

	for (int64_t s = 0; s < program->steps && !failed; s++)
		program->step[s].wait = waits[s];
	lsi_free(waits);
	return failed;
}

/*
 * Whether the fast path may run the program, for suitable lengths: free rounds, no trace, direct
 * links, and at most one message each way per round.
 */
static bool is_plain(const struct ls_node *node, const struct lsi_program *program)
{
	const struct ls_machine *machine = node->self->machine;
	bool plain = machine->options.rounds == LS_FREE && !machine->records;

	for (int64_t s = 0; s < program->steps && plain; s++) {
		const struct lsi_program_step *step = &program->step[s];
		const struct lsi_program_port *port = step->port;

		plain = step->ports == 0
			|| (step->ports == 1 && !step->local
				&& (port->to == LS_NO_RANK || lsi_port_is_simple(node, &port->out))
				&& (port->from == LS_NO_RANK || lsi_port_is_simple(node, &port->in)));
	}
	return plain;
}

int lsi_program_compile(struct ls_node *node, const struct ls_plan *plan, struct lsi_program *out)
{
	int failed = LS_OK;

	*out = (struct lsi_program){ .plan = plan, .rank = node->rank, .steps = ls_plan_steps(plan) };
	out->step = lsi_arena_take(&out->arena, (size_t)out->steps, sizeof *out->step);
	if (!out->step)
		failed = LS_ERR_MEMORY;
	for (int64_t s = 0; s < out->steps && !failed; s++)
		failed = step_make(node, out, s);
	if (!failed)
		failed = waits_make(node, out);
	out->plain = !failed && is_plain(node, out);
	if (failed)
		lsi_arena_release(&out->arena);
	return failed;
}

/* ---- Bind */

/*
 * The bytes of the k-th block that a port receives. In an all-to-all with counts, this node's own
 * counts state them.
 */
static size_t arriving(
	const struct lsi_program *program, const struct lsi_program_port *port, int64_t k)
{
	const struct ls_plan *plan = program->plan;
	const struct ls_slice *sent = &port->arrives;

	if (program->measure.counts && plan->problem.operation == LS_ALLTOALL)
		return program->size
			* lsi_buffer_length(plan, program->rank, LS_OUTPUT, port->from, &program->measure);
	return program->size
		* lsi_buffer_length(
			plan, port->from, sent->buffer, ls_slice_at(sent, k), &program->measure);
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

/* Find the pieces of an operand in its arrival. Most slices list blocks in ascending order. */
static void bind_arrival(const struct lsi_program *program, struct lsi_operand *operand)
{
	const int64_t blocks = ls_slice_blocks(&operand->slice);
	int64_t next = 0;
	size_t at = 0;

	for (int64_t k = 0; k < blocks; k++) {
		const int64_t block = ls_slice_at(&operand->slice, k);

		if (block < next)
			next = 0, at = 0;
		for (; next < block; next++)
			at += arriving(program, operand->arrived, next);
		add_piece(operand, at, arriving(program, operand->arrived, block));
	}
}

static void bind_operand(const struct lsi_program *program, struct lsi_operand *operand)
{
	const struct ls_slice *slice = &operand->slice;
	const struct ls_plan *plan = program->plan;
	const int64_t blocks = ls_slice_blocks(slice);

	operand->pieces = operand->bytes = 0;
	operand->piece[0] = (struct lsi_view){ 0 };
	if (operand->arrived)
		bind_arrival(program, operand);
	for (int64_t k = 0; k < blocks && !operand->arrived; k++) {
		const int64_t block = ls_slice_at(slice, k);

		add_piece(operand,
			program->size * lsi_buffer_offset(plan, slice->buffer, block, &program->measure),
			program->size
				* lsi_buffer_length(plan, program->rank, slice->buffer, block, &program->measure));
	}
	operand->elements = operand->bytes / program->size;
	operand->at = operand->piece->at;
}

static size_t bytes_expected(const struct lsi_program *program, const struct lsi_program_port *port)
{
	size_t bytes = 0;

	for (int64_t k = 0; k < ls_slice_blocks(&port->arrives); k++)
		bytes += arriving(program, port, k);
	return bytes;
}

/* Lay out the windows of the scratch buffers one after another. */
static void bind_scratch(struct lsi_program *program)
{
	const struct ls_plan *plan = program->plan;
	const size_t line = LSI_CACHE_LINE;

	program->scratch_bytes = 0;
	for (int k = 0; k < LS_SCRATCH_BUFFERS; k++) {
		const struct lsi_window window = lsi_plan_window(plan, program->rank, k);

		if (window.count == 0)
			continue;

		const int64_t last = window.first + window.count - 1;
		const int buffer = LS_SCRATCH + k;
		const size_t from = lsi_buffer_offset(plan, buffer, window.first, &program->measure);
		const size_t to = lsi_buffer_offset(plan, buffer, last, &program->measure)
			+ lsi_slot_width(plan, buffer, last, &program->measure);

		program->scratch_at[k] = program->scratch_bytes - from * program->size;
		program->scratch_bytes += ((to - from) * program->size + line - 1) / line * line;
	}
}

static void bind_move(const struct lsi_program *program, struct lsi_program_move *move)
{
	bind_operand(program, &move->dst);
	bind_operand(program, &move->a);
	move->contiguous = move->dst.pieces == 1 && move->a.pieces == 1;
	if (move->action != LS_COMBINE)
		return;
	bind_operand(program, &move->b);
	move->contiguous &= move->b.pieces == 1;
}

/* Whether every message fits into its slot and every operand is contiguous. */
static bool is_fast(const struct lsi_program_step *step)
{
	bool fast = true;

	for (int q = 0; q < step->ports; q++) {
		const struct lsi_program_port *port = &step->port[q];

		if (port->to != LS_NO_RANK)
			fast &= port->send.pieces <= 1 && port->send.bytes <= lsi_slot_capacity(port->out.out);
		if (port->from != LS_NO_RANK)
			fast &= port->expected <= lsi_slot_capacity(port->in.in);
	}
	for (int i = 0; i < step->moves; i++)
		fast &= step->move[i].contiguous || step->move[i].dst.bytes == 0;
	return fast;
}

void lsi_program_bind(struct lsi_program *program, const struct lsi_measure *measure, size_t size)
{
	program->measure = *measure;
	program->size = size;
	program->fast = program->plain;
	bind_scratch(program);
	for (int64_t s = 0; s < program->steps; s++) {
		struct lsi_program_step *step = &program->step[s];

		for (int q = 0; q < step->ports; q++) {
			if (step->port[q].to != LS_NO_RANK)
				bind_operand(program, &step->port[q].send);
			if (step->port[q].from != LS_NO_RANK)
				step->port[q].expected = bytes_expected(program, &step->port[q]);
		}
		for (int i = 0; i < step->moves; i++)
			bind_move(program, &step->move[i]);
		program->fast = program->fast && is_fast(step);
	}
}
