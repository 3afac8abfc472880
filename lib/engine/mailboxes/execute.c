#include "engine/mailboxes/execute_step.h"
#include "machine/pending_send.h"

static bool lockstep(const struct lsi_execution *x)
{
	return x->node->self->machine->options.rounds == LS_LOCKSTEP;
}

static int wait_for(
	struct lsi_execution *x, lsi_ready ready, void *what, enum ls_wait_reason why, int64_t peer)
{
	x->ready = ready;
	x->what = what;
	x->reason = (struct ls_wait_state){ sizeof x->reason, why, peer, x->node->round,
		x->envelope.operation };
	return LSI_MUST_WAIT;
}

static LSI_COLD int wait_for_peer(
	struct lsi_execution *x, const struct lsi_channel *channel, bool send)
{
	x->mailbox_wait.box = send ? channel->out : channel->in;
	x->mailbox_wait.peer = &x->node->self->machine->node_state[channel->peer];
	return wait_for(x, send ? lsi_mailbox_has_space : lsi_mailbox_has_message, &x->mailbox_wait,
		send ? LS_WAITS_FOR_SPACE : LS_WAITS_FOR_MESSAGE, channel->peer);
}

/* The memory of an operand: the pieces of a buffer, or the i-th part of an arrival. */
static struct lsi_piece_list part(
	const struct lsi_execution *x, const struct lsi_operand *operand, size_t i)
{
	const int buffer = operand->slice.buffer;

	if (!operand->arrived)
		return (struct lsi_piece_list){ operand->piece, x->base[buffer], 0 };

	struct lsi_piece_list part = x->arrival[buffer - LS_ARRIVAL];

	part.skip = operand->piece[i].at;
	return part;
}

static struct lsi_piece_list pieces(
	const struct lsi_execution *x, const struct lsi_operand *operand)
{
	return part(x, operand, 0);
}

/* ---- Send */

/*
 * Wait until receivers have read all pending sends up to a step. In lockstep rounds, the barrier
 * has done this for earlier rounds.
 */
static LSI_COLD int wait_pending(struct lsi_execution *x, int64_t step)
{
	struct lsi_node_state *me = x->node->self;
	struct lsi_pending_send *pending;
	int failed = LS_OK;

	while (!failed && (pending = lsi_pending_oldest(me, step))) {
		const struct ls_wait_state reason =
			lsi_pending_wait_state(x->node, pending, x->envelope.operation);

		if (!lsi_pending_was_read(me, pending))
			return wait_for(x, lsi_pending_was_read, pending, reason.reason, reason.peer);
		failed = lsi_pending_check(x->node, pending, x->envelope.operation);
	}
	return failed;
}

static inline int wait_pending_before(struct lsi_execution *x, int64_t step)
{
	return x->node->self->n_pending > 0 && step >= 0 ? wait_pending(x, step) : LS_OK;
}

static int put(struct lsi_execution *x, struct lsi_program_port *port, struct lsi_slot *slot)
{
	struct lsi_node_state *me = x->node->self;
	const struct lsi_operand *send = &port->send;

	for (size_t i = 0; i < send->pieces; i++)
		port->views[i] = (struct lsi_view){ x->base[send->slice.buffer] + send->piece[i].at,
			send->piece[i].bytes };
	x->envelope.words = send->elements;
	if (lsi_slot_fill(&port->out, slot, &x->envelope, port->views, send->pieces, send->bytes))
		lsi_pending_add(me, port->out.out, port->out.out->tail, x->step);
	lsi_mailbox_send(me->machine, port->out.out);
	return lsi_port_sent(&x->envelope, &port->out, send->bytes);
}

static int send_on(struct lsi_execution *x, struct lsi_program_port *port)
{
	struct lsi_node_state *me = x->node->self;
	int failed = LS_OK;

	x->envelope.peer = port->to;
	if (!x->started && (failed = lsi_port_send(&x->envelope, &port->out)))
		return failed;
	x->started = true;
	if (lsi_peer_left(port->out.out->receiver))
		return lsi_fail_peer_gone(&x->envelope, &port->out, true);
	if (me->n_pending == LSI_PENDING_SENDS + me->machine->options.ports
		&& (failed = wait_pending_before(x, x->step - 1)))
		return failed;

	struct lsi_slot *slot = lsi_mailbox_space(port->out.out);

	if (!slot)
		return wait_for_peer(x, &port->out, true);
	x->started = false;
	return put(x, port, slot);
}

static int send_all(struct lsi_execution *x, struct lsi_program_step *step)
{
	for (int q = x->port; q < step->ports; q++) {
		const int status = step->port[q].to == LS_NO_RANK ? LS_OK : send_on(x, &step->port[q]);

		if (status)
			return x->port = q, status;
	}
	return x->port = 0;
}

/* ---- Receive */

static int receive_on(struct lsi_execution *x, struct lsi_program_port *port, int q)
{
	int failed = LS_OK;

	x->envelope.peer = port->from;
	if (!x->started && (failed = lsi_port_receive(&x->envelope, &port->in)))
		return failed;
	x->started = true;

	struct lsi_slot *slot = lsi_mailbox_poll(x->node->self->machine, port->in.in);

	if (!slot && lsi_peer_left(port->in.in->sender) && !(slot = lsi_mailbox_oldest(port->in.in)))
		return lsi_fail_peer_gone(&x->envelope, &port->in, false);
	if (!slot)
		return wait_for_peer(x, &port->in, false);
	failed = lsi_slot_check(&x->envelope, slot, port->expected);
	if (failed)
		return failed;

	const struct lsi_view *view;

	if (!lsi_slot_views(&port->in, slot, &x->single_view[q], &view))
		return lsi_machine_status(x->node->self);
	x->arrival[q] = (struct lsi_piece_list){ view, 0, 0 };
	x->base[LS_ARRIVAL + q] = view->at;
	x->scattered |= view->bytes < port->expected;
	if (port->to == LS_NO_RANK)
		lsi_mailbox_prefetch(port->in.in);
	x->slot[q] = slot;
	x->started = false;
	return LS_OK;
}

static int receive_all(struct lsi_execution *x, struct lsi_program_step *step)
{
	for (int q = x->port; q < step->ports; q++) {
		const int status =
			step->port[q].from == LS_NO_RANK ? LS_OK : receive_on(x, &step->port[q], q);

		if (status)
			return x->port = q, status;
	}
	return x->port = 0;
}

/* Release the messages of this step: their slots and lent memory belong to the senders again. */
static inline void release(struct lsi_execution *x, const struct lsi_program_step *step)
{
	for (int q = 0; q < step->ports; q++) {
		if (x->slot[q])
			lsi_mailbox_consume(x->node->self->machine, step->port[q].in.in);
		x->slot[q] = NULL;
	}
}

/* ---- Moves */

static bool is_scattered(const struct lsi_operand *operand)
{
	return operand->arrived && operand->pieces > 1;
}

/* An operand from byte `done` on; *bytes is reduced to a contiguous part. */
static struct lsi_piece_list from(
	const struct lsi_execution *x, const struct lsi_operand *operand, size_t done, size_t *bytes)
{
	size_t i = 0;

	for (; is_scattered(operand) && done >= operand->piece[i].bytes; i++)
		done -= operand->piece[i].bytes;

	struct lsi_piece_list list = part(x, operand, i);

	if (is_scattered(operand) && operand->piece[i].bytes - done < *bytes)
		*bytes = operand->piece[i].bytes - done;
	list.skip += done;
	return list;
}

/* Move an arrival of several parts, one part after another. */
static void move_parts(const struct lsi_execution *x, const struct lsi_program_move *m)
{
	for (size_t done = 0, bytes; done < m->dst.bytes; done += bytes) {
		bytes = m->dst.bytes - done;

		const struct lsi_piece_list a = from(x, &m->a, done, &bytes);

		if (m->action == LS_COPY) {
			lsi_move_copy(from(x, &m->dst, done, &bytes), a, bytes);
		} else {
			const struct lsi_piece_list b = from(x, &m->b, done, &bytes);

			lsi_move_combine(&x->combine, from(x, &m->dst, done, &bytes), a, b, bytes);
		}
	}
}

static LSI_COLD void move_pieces(const struct lsi_execution *x, const struct lsi_program_move *m)
{
	if (is_scattered(&m->a) || (m->action == LS_COMBINE && is_scattered(&m->b))) {
		move_parts(x, m);
		return;
	}

	const struct lsi_piece_list dst = pieces(x, &m->dst), a = pieces(x, &m->a);

	if (m->action == LS_COPY)
		lsi_move_copy(dst, a, m->dst.bytes);
	else if (m->action == LS_COMBINE)
		lsi_move_combine(&x->combine, dst, a, pieces(x, &m->b), m->dst.bytes);
	else
		lsi_move_fold(&x->combine, dst, a, m->parts, m->dst.bytes);
}

static inline void move(const struct lsi_execution *x, const struct lsi_program_move *m)
{
	if (m->contiguous && !x->scattered)
		lsi_move_contiguous(x, m);
	else if (m->dst.bytes > 0)
		move_pieces(x, m);
}

/* ---- Phases */

static int end_round(struct lsi_execution *x)
{
	if (!lockstep(x))
		return LS_OK;
	if (!x->started && lsi_barrier_wait_begin(x->node, &x->node->group->barrier, &x->barrier_wait))
		return LS_OK;
	x->started = true;
	if (!lsi_barrier_wait_is_over(x->node->self, &x->barrier_wait))
		return wait_for(
			x, lsi_barrier_wait_is_over, &x->barrier_wait, LS_WAITS_FOR_ROUND, LS_NO_RANK);
	x->started = false;
	return LS_OK;
}

/* Continue one step; LS_OK: the step is over. */
static inline int advance_step(struct lsi_execution *x, struct lsi_program_step *step)
{
	int status;

	switch (x->phase) {
	case LSI_PHASE_SEND:
		if ((status = send_all(x, step)))
			return status;
		x->phase = LSI_PHASE_RECEIVE;
		/* fall through */
	case LSI_PHASE_RECEIVE:
		if ((status = receive_all(x, step)))
			return status;
		x->phase = LSI_PHASE_WAIT_PENDING;
		/* fall through */
	case LSI_PHASE_WAIT_PENDING:
		if ((status = wait_pending_before(x, step->wait)))
			return status;
		for (int i = 0; i < step->moves; i++)
			move(x, &step->move[i]);
		release(x, step);
		x->phase = LSI_PHASE_ROUND;
		/* fall through */
	default:
		if (step->local)
			return LS_OK;
		if ((status = end_round(x)))
			return status;
		return lsi_round_end(x->node, x->envelope.operation);
	}
}

static inline __attribute__((always_inline)) int advance(struct lsi_execution *x)
{
	while (x->phase != LSI_PHASE_END) {
		const int status = advance_step(x, &x->program->step[x->step]);

		if (status)
			return status;
		lsi_execution_begin_step(x, x->step + 1);
	}
	return wait_pending_before(x, x->step);
}

/* Continue an execution to its end, with all waits. */
static LSI_COLD int run_to_end(struct lsi_execution *x)
{
	int status;

	while ((status = advance(x)) == LSI_MUST_WAIT) {
		status = lsi_wait_until(x->node->self, x->reason, x->ready, x->what);
		if (status)
			break;
	}
	if (status && x->phase < LSI_PHASE_END)
		release(x, &x->program->step[x->step]);
	return status;
}

int lsi_execute(struct lsi_execution *x)
{
	if (x->program->fast && lsi_fast_path(x))
		return LS_OK;
	if (!x->program->fast)
		lsi_execution_begin_step(x, 0);
	return run_to_end(x);
}
