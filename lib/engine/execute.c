#include "engine/step.h"

static bool lockstep(const struct ls_execution *x)
{
	return x->node->self->machine->options.rounds == LS_LOCKSTEP;
}

static int wait_for(
	struct ls_execution *x, ls_ready ready, void *what, enum ls_awaited awaited, int64_t peer)
{
	x->ready = ready;
	x->what = what;
	x->reason = (struct ls_waiting){ sizeof x->reason, awaited, peer, x->node->round,
		x->envelope.operation };
	return LS_WAITING;
}

static LS_APART int wait_for_peer(struct ls_execution *x, const struct ls_channel *channel, bool send)
{
	x->expected.box = send ? channel->out : channel->in;
	x->expected.peer = &x->node->self->machine->processor[channel->peer];
	return wait_for(x, send ? ls_has_room : ls_has_message, &x->expected,
		send ? LS_AWAITS_SPACE : LS_AWAITS_MESSAGE, channel->peer);
}

/* The memory of an operand: pieces of a buffer, or the i-th part of what arrived. */
static struct ls_pieces part(
	const struct ls_execution *x, const struct ls_operand *operand, size_t i)
{
	const int buffer = operand->slice.buffer;

	if (!operand->arrived)
		return (struct ls_pieces){ operand->piece, x->base[buffer], 0 };

	struct ls_pieces part = x->arrival[buffer - LS_ARRIVAL];

	part.skip = operand->piece[i].at;
	return part;
}

static struct ls_pieces pieces(const struct ls_execution *x, const struct ls_operand *operand)
{
	return part(x, operand, 0);
}

/* ---- Send */

/*
 * Wait until every debt up to a step is paid; in lockstep the barrier has paid those of earlier
 * rounds.
 */
static LS_APART int settle_debts(struct ls_execution *x, int64_t step)
{
	struct ls_processor *me = x->node->self;
	struct ls_debt *debt;
	int failed = LS_OK;

	while (!failed && (debt = ls_unpaid(me, step))) {
		const struct ls_waiting reason = ls_debt_reason(x->node, debt, x->envelope.operation);

		if (!ls_was_read(me, debt))
			return wait_for(x, ls_was_read, debt, reason.what, reason.peer);
		failed = ls_debt_check(x->node, debt, x->envelope.operation);
	}
	return failed;
}

static inline int settle(struct ls_execution *x, int64_t step)
{
	return x->node->self->n_debts > 0 && step >= 0 ? settle_debts(x, step) : LS_OK;
}

static int put(struct ls_execution *x, struct ls_program_port *port, struct ls_slot *slot)
{
	struct ls_processor *me = x->node->self;
	const struct ls_operand *send = &port->send;

	for (size_t i = 0; i < send->pieces; i++)
		port->views[i] = (struct ls_view){ x->base[send->slice.buffer] + send->piece[i].at,
			send->piece[i].bytes };
	x->envelope.words = send->elements;
	if (ls_slot_fill(&port->out, slot, &x->envelope, port->views, send->pieces, send->bytes))
		ls_owe(me, port->out.out, port->out.out->tail, x->step);
	ls_mailbox_send(me->machine, port->out.out);
	return ls_port_sent(&x->envelope, &port->out, send->bytes);
}

static int send_on(struct ls_execution *x, struct ls_program_port *port)
{
	struct ls_processor *me = x->node->self;
	int failed = LS_OK;

	x->envelope.peer = port->to;
	if (!x->taken && (failed = ls_port_send(&x->envelope, &port->out)))
		return failed;
	x->taken = true;
	if (ls_peer_left(port->out.out->receiver))
		return ls_left(&x->envelope, &port->out, "send to");
	if (me->n_debts == LS_DEBTS + me->machine->options.ports && (failed = settle(x, x->step - 1)))
		return failed;

	struct ls_slot *slot = ls_mailbox_room(port->out.out);

	if (!slot)
		return wait_for_peer(x, &port->out, true);
	x->taken = false;
	return put(x, port, slot);
}

static int send_all(struct ls_execution *x, struct ls_program_step *step)
{
	for (int q = x->port; q < step->ports; q++) {
		const int status = step->port[q].to == LS_NOBODY ? LS_OK : send_on(x, &step->port[q]);

		if (status)
			return x->port = q, status;
	}
	return x->port = 0;
}

/* ---- Receive */

static int receive_on(struct ls_execution *x, struct ls_program_port *port, int q)
{
	int failed = LS_OK;

	x->envelope.peer = port->from;
	if (!x->taken && (failed = ls_port_receive(&x->envelope, &port->in)))
		return failed;
	x->taken = true;

	struct ls_slot *slot = ls_look(x->node->self->machine, port->in.in);

	if (!slot && ls_peer_left(port->in.in->sender) && !(slot = ls_mailbox_first(port->in.in)))
		return ls_left(&x->envelope, &port->in, "receive from");
	if (!slot)
		return wait_for_peer(x, &port->in, false);
	failed = ls_slot_check(&x->envelope, slot, port->expected);
	if (failed)
		return failed;

	const struct ls_view *view;

	if (!ls_slot_open(&port->in, slot, &x->one[q], &view))
		return ls_pulse(x->node->self);
	x->arrival[q] = (struct ls_pieces){ view, 0, 0 };
	x->base[LS_ARRIVAL + q] = view->at;
	x->scattered |= view->bytes < port->expected;
	if (port->to == LS_NOBODY)
		ls_mailbox_fetch(port->in.in);
	x->slot[q] = slot;
	x->taken = false;
	return LS_OK;
}

static int receive_all(struct ls_execution *x, struct ls_program_step *step)
{
	for (int q = x->port; q < step->ports; q++) {
		const int status = step->port[q].from == LS_NOBODY ? LS_OK
														   : receive_on(x, &step->port[q], q);

		if (status)
			return x->port = q, status;
	}
	return x->port = 0;
}

/*
 * Let go of the messages of this step: their slots, and what was lent with them, are the senders'
 * again.
 */
static inline void release(struct ls_execution *x, const struct ls_program_step *step)
{
	for (int q = 0; q < step->ports; q++) {
		if (x->slot[q])
			ls_mailbox_done(x->node->self->machine, step->port[q].in.in);
		x->slot[q] = NULL;
	}
}

/* ---- Moves */

static bool is_scattered(const struct ls_operand *operand)
{
	return operand->arrived && operand->pieces > 1;
}

/* An operand from its byte `done` on; *bytes becomes no more than lie together. */
static struct ls_pieces from(
	const struct ls_execution *x, const struct ls_operand *operand, size_t done, size_t *bytes)
{
	size_t i = 0;

	for (; is_scattered(operand) && done >= operand->piece[i].bytes; i++)
		done -= operand->piece[i].bytes;

	struct ls_pieces list = part(x, operand, i);

	if (is_scattered(operand) && operand->piece[i].bytes - done < *bytes)
		*bytes = operand->piece[i].bytes - done;
	list.skip += done;
	return list;
}

/* A move of several parts of what arrived: one part after another. */
static void move_parts(const struct ls_execution *x, const struct ls_program_move *m)
{
	for (size_t done = 0, bytes; done < m->dst.bytes; done += bytes) {
		bytes = m->dst.bytes - done;

		const struct ls_pieces a = from(x, &m->a, done, &bytes);

		if (m->what == LS_COPY) {
			ls_move_copy(from(x, &m->dst, done, &bytes), a, bytes);
		} else {
			const struct ls_pieces b = from(x, &m->b, done, &bytes);

			ls_move_combine(&x->combine, from(x, &m->dst, done, &bytes), a, b, bytes);
		}
	}
}

static LS_APART void move_pieces(const struct ls_execution *x, const struct ls_program_move *m)
{
	if (is_scattered(&m->a) || (m->what == LS_COMBINE && is_scattered(&m->b))) {
		move_parts(x, m);
		return;
	}

	const struct ls_pieces dst = pieces(x, &m->dst), a = pieces(x, &m->a);

	if (m->what == LS_COPY)
		ls_move_copy(dst, a, m->dst.bytes);
	else if (m->what == LS_COMBINE)
		ls_move_combine(&x->combine, dst, a, pieces(x, &m->b), m->dst.bytes);
	else
		ls_move_fold(&x->combine, dst, a, m->parts, m->dst.bytes);
}

static inline void move(const struct ls_execution *x, const struct ls_program_move *m)
{
	if (m->flat && !x->scattered)
		ls_move_flat(x, m);
	else if (m->dst.bytes > 0)
		move_pieces(x, m);
}

/* ---- The machine of phases */

static int end_round(struct ls_execution *x)
{
	if (!lockstep(x))
		return LS_OK;
	if (!x->taken && ls_meeting_arrive(x->node, &x->node->group->barrier, &x->meeting))
		return LS_OK;
	x->taken = true;
	if (!ls_meeting_over(x->node->self, &x->meeting))
		return wait_for(x, ls_meeting_over, &x->meeting, LS_AWAITS_ROUND, LS_NOBODY);
	x->taken = false;
	return LS_OK;
}

/* One step; LS_OK: it is over. */
static inline int advance_step(struct ls_execution *x, struct ls_program_step *step)
{
	int status;

	switch (x->phase) {
	case LS_PHASE_SEND:
		if ((status = send_all(x, step)))
			return status;
		x->phase = LS_PHASE_RECEIVE;
		/* fall through */
	case LS_PHASE_RECEIVE:
		if ((status = receive_all(x, step)))
			return status;
		x->phase = LS_PHASE_SETTLE;
		/* fall through */
	case LS_PHASE_SETTLE:
		if ((status = settle(x, step->wait)))
			return status;
		for (int i = 0; i < step->moves; i++)
			move(x, &step->move[i]);
		release(x, step);
		x->phase = LS_PHASE_ROUND;
		/* fall through */
	default:
		if (step->local)
			return LS_OK;
		if ((status = end_round(x)))
			return status;
		return ls_round_close(x->node, x->envelope.operation);
	}
}

static inline __attribute__((always_inline)) int advance(struct ls_execution *x)
{
	while (x->phase != LS_PHASE_END) {
		const int status = advance_step(x, &x->program->step[x->step]);

		if (status)
			return status;
		ls_begin_step(x, x->step + 1);
	}
	return settle(x, x->step);
}

int ls_advance(struct ls_execution *x)
{
	return advance(x);
}

/* From where the execution stands to its end, with its waits. */
static LS_APART int complete(struct ls_execution *x)
{
	int status;

	while ((status = advance(x)) == LS_WAITING) {
		status = ls_await(x->node->self, x->reason, x->ready, x->what);
		if (status)
			break;
	}
	if (status && x->phase < LS_PHASE_END)
		release(x, &x->program->step[x->step]);
	return status;
}

int ls_execute(struct ls_execution *x)
{
	if (x->program->fast && ls_fast_path(x))
		return LS_OK;
	if (!x->program->fast)
		ls_begin_step(x, 0);
	return complete(x);
}
