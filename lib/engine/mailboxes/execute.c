#include <inttypes.h>

#include "engine/mailboxes/execute_step.h"
#include "machine/pending_send.h"
#include "machine/verdict.h"

static bool has_lockstep_rounds(const struct lsi_execution *x)
{
	return x->node->self->machine->options.rounds == LS_LOCKSTEP;
}

static int wait_for(struct lsi_execution *x, struct ls_wait_state state,
	bool (*ready)(struct lsi_node_state *, void *), void *condition)
{
	x->wait = (struct lsi_wait){ state, ready, condition, NULL, 0, false, false };
	return LSI_MUST_WAIT;
}

static LSI_COLD int wait_for_peer(
	struct lsi_execution *x, const struct lsi_channel *channel, bool send)
{
	x->mailbox_wait.box = send ? channel->out : channel->in;
	x->mailbox_wait.mine = &channel->out->sender;
	x->mailbox_wait.peer = &x->node->self->machine->node_state[channel->peer];
	return wait_for(x,
		(struct ls_wait_state){ sizeof x->wait.state,
			send ? LS_WAITS_FOR_SPACE : LS_WAITS_FOR_MESSAGE, channel->peer, x->node->round,
			x->envelope.operation },
		send ? lsi_mailbox_has_space : lsi_mailbox_has_message, &x->mailbox_wait);
}

/* The memory of an operand: the pieces of a buffer, or a message from piece i on. */
static struct lsi_piece_list pieces_from(
	const struct lsi_execution *x, const struct lsi_operand *operand, size_t i)
{
	const int buffer = operand->buffer;

	if (!operand->arrived)
		return (struct lsi_piece_list){ operand->piece, x->base[buffer], 0 };

	struct lsi_piece_list list = x->arrival[buffer - LS_ARRIVAL];

	list.skip = operand->piece[i].at;
	return list;
}

static struct lsi_piece_list pieces_of(
	const struct lsi_execution *x, const struct lsi_operand *operand)
{
	return pieces_from(x, operand, 0);
}

/* ---- Send */

/*
 * Wait until the receivers have read all pending sends up to a step.  In lockstep rounds, those of
 * earlier rounds were read before the barrier opened.
 */
static LSI_COLD int wait_pending(struct lsi_execution *x, int64_t step)
{
	struct lsi_node_state *me = x->node->self;
	struct lsi_pending_send *pending;
	int failed = LS_OK;

	while (!failed && (pending = lsi_pending_oldest(me, step))) {
		if (!lsi_pending_was_read(me, pending))
			return wait_for(x, lsi_pending_wait_state(x->node, pending, x->envelope.operation),
				lsi_pending_was_read, pending);
		failed = lsi_pending_check(x->node, pending, x->envelope.operation);
	}
	return failed;
}

static inline int wait_pending_before(struct lsi_execution *x, int64_t step)
{
	return x->node->self->n_pending > 0 && step >= 0 ? wait_pending(x, step) : LS_OK;
}

static int put_message(
	struct lsi_execution *x, struct lsi_compiled_port *port, struct lsi_slot *slot)
{
	struct lsi_node_state *me = x->node->self;
	const struct lsi_operand *send = &port->send;

	for (size_t i = 0; i < send->pieces; i++)
		port->views[i] =
			(struct lsi_view){ x->base[send->buffer] + send->piece[i].at, send->piece[i].bytes };
	x->envelope.words = send->elements;
	if (lsi_slot_fill(&port->out, slot, &x->envelope, port->views, send->pieces, send->bytes))
		lsi_pending_add(me, port->out.out, port->out.out->tail, x->step);

	const int64_t sent_ns = lsi_trace_now(me->machine); /* not later than received_ns */

	lsi_mailbox_send(me->machine, port->out.out);
	return lsi_port_sent(&x->envelope, &port->out, send->bytes, sent_ns);
}

static int send_on(struct lsi_execution *x, struct lsi_compiled_port *port)
{
	struct lsi_node_state *me = x->node->self;
	int failed = LS_OK;

	x->envelope.peer = port->to;
	if (!x->started && (failed = lsi_port_send(&x->envelope, &port->out)))
		return failed;
	x->started = true;
	if (lsi_peer_left(port->out.out->sender.peer))
		return lsi_fail_peer_gone(&x->envelope, &port->out, true);
	/*
	 * The list is full: wait for the sends of earlier steps only.  The receiver of a send of this
	 * step may itself wait until this node receives.
	 */
	if (me->n_pending == LSI_PENDING_SENDS + me->machine->options.ports
		&& (failed = wait_pending_before(x, x->step - 1)))
		return failed;

	struct lsi_slot *slot = lsi_mailbox_space(port->out.out);

	if (!slot)
		return wait_for_peer(x, &port->out, true);
	x->started = false;
	return put_message(x, port, slot);
}

static int send_all(struct lsi_execution *x, struct lsi_compiled_step *step)
{
	for (int q = x->port; q < step->ports; q++) {
		const int status = step->port[q].to == LS_NO_RANK ? LS_OK : send_on(x, &step->port[q]);

		if (status)
			return x->port = q, status;
	}
	return x->port = 0;
}

/* ---- Receive */

static int receive_on(struct lsi_execution *x, struct lsi_compiled_port *port, int q)
{
	int failed = LS_OK;

	x->envelope.peer = port->from;
	if (!x->started) {
		if ((failed = lsi_port_receive(&x->envelope, &port->in)))
			return failed;
		x->wait_began = lsi_trace_wait_began(x->node->self->machine, &port->in);
		x->started = true;
	}

	struct lsi_slot *slot = lsi_mailbox_poll(x->node->self->machine, &port->in);

	if (!slot && lsi_peer_left(port->in.out->sender.peer)
		&& !(slot = lsi_mailbox_oldest(port->in.in, &port->in.out->sender)))
		return lsi_fail_peer_gone(&x->envelope, &port->in, false);
	if (!slot)
		return wait_for_peer(x, &port->in, false);
	failed = lsi_slot_check(&x->envelope, slot, port->expected);
	if (failed)
		return failed;

	const struct lsi_view *view;

	/* A sender revokes a message only if the machine has stopped. */
	if (!lsi_slot_views(&port->in, slot, &x->single_view[q], &view))
		return lsi_machine_status(x->node->self);
	x->arrival[q] = (struct lsi_piece_list){ view, 0, 0 };
	x->base[LS_ARRIVAL + q] = view->at;
	x->scattered |= view->bytes < port->expected;
	if (port->to == LS_NO_RANK)
		lsi_mailbox_prefetch(port->in.in, &port->in.out->sender);
	x->slot[q] = slot;
	x->started = false;
	return lsi_port_received(&x->envelope, &port->in, x->wait_began);
}

static int receive_all(struct lsi_execution *x, struct lsi_compiled_step *step)
{
	for (int q = x->port; q < step->ports; q++) {
		const int status =
			step->port[q].from == LS_NO_RANK ? LS_OK : receive_on(x, &step->port[q], q);

		if (status)
			return x->port = q, status;
	}
	return x->port = 0;
}

/* Release the messages of this step: the senders may reuse their slots and their memory. */
static inline void release_messages(struct lsi_execution *x, const struct lsi_compiled_step *step)
{
	for (int q = 0; q < step->ports; q++) {
		if (x->slot[q])
			lsi_mailbox_consume(
				x->node->self->machine, step->port[q].in.in, &step->port[q].in.out->sender);
		x->slot[q] = NULL;
	}
}

/* ---- Moves */

/* Whether the operand consists of several pieces of a message. */
static bool has_several_pieces(const struct lsi_operand *operand)
{
	return operand->arrived && operand->pieces > 1;
}

/*
 * An operand without its first `done` bytes.  If it has several pieces in a message, *bytes is
 * reduced to the rest of the piece that begins or continues there.
 */
static struct lsi_piece_list pieces_after(
	const struct lsi_execution *x, const struct lsi_operand *operand, size_t done, size_t *bytes)
{
	size_t i = 0;

	for (; has_several_pieces(operand) && done >= operand->piece[i].bytes; i++)
		done -= operand->piece[i].bytes;

	struct lsi_piece_list list = pieces_from(x, operand, i);

	if (has_several_pieces(operand) && operand->piece[i].bytes - done < *bytes)
		*bytes = operand->piece[i].bytes - done;
	list.skip += done;
	return list;
}

/* Execute a move whose operand has several pieces in a message, one piece after another. */
static void move_each_piece(const struct lsi_execution *x, const struct lsi_compiled_move *m)
{
	for (size_t done = 0, bytes; done < m->dst.bytes; done += bytes) {
		bytes = m->dst.bytes - done;

		const struct lsi_piece_list a = pieces_after(x, &m->a, done, &bytes);

		if (m->action == LS_COPY) {
			lsi_move_copy(pieces_after(x, &m->dst, done, &bytes), a, bytes);
		} else {
			const struct lsi_piece_list b = pieces_after(x, &m->b, done, &bytes);

			lsi_move_combine(&x->combine, pieces_after(x, &m->dst, done, &bytes), a, b, bytes);
		}
	}
}

static LSI_COLD void move_pieces(const struct lsi_execution *x, const struct lsi_compiled_move *m)
{
	if (has_several_pieces(&m->a) || (m->action == LS_COMBINE && has_several_pieces(&m->b))) {
		move_each_piece(x, m);
		return;
	}

	const struct lsi_piece_list dst = pieces_of(x, &m->dst), a = pieces_of(x, &m->a);

	if (m->action == LS_COPY)
		lsi_move_copy(dst, a, m->dst.bytes);
	else if (m->action == LS_COMBINE)
		lsi_move_combine(&x->combine, dst, a, pieces_of(x, &m->b), m->dst.bytes);
	else
		lsi_move_fold(&x->combine, dst, a, m->parts, m->dst.bytes);
}

static inline void execute_move(const struct lsi_execution *x, const struct lsi_compiled_move *m)
{
	if (m->contiguous && !x->scattered)
		lsi_move_contiguous(x, m);
	else if (m->dst.bytes > 0)
		move_pieces(x, m);
}

/* ---- Phases */

static int end_round(struct lsi_execution *x)
{
	if (!has_lockstep_rounds(x))
		return LS_OK;
	if (!x->started
		&& lsi_barrier_wait_begin(
			x->node, &x->node->group->barrier, x->envelope.operation, &x->wait))
		return LS_OK;
	x->started = true;
	if (!lsi_barrier_wait_is_over(x->node->self, &x->wait))
		return LSI_MUST_WAIT;
	lsi_barrier_passed(x->node->self, x->wait.barrier);
	x->started = false;
	return LS_OK;
}

/* The step of the compiled plan that the execution is in. */
static inline struct lsi_compiled_step *current_step(const struct lsi_execution *x)
{
	return &x->compiled->step[x->step - x->compiled->first];
}

/*
 * The next step is not in the window.  Receivers read the pieces of pending sends, so these must be
 * over.  That ends: it needs only earlier steps of other nodes.
 */
static LSI_COLD int move_window(struct lsi_execution *x)
{
	const int status = wait_pending_before(x, x->step - 1);
	const int failed =
		status ? LS_OK : lsi_compiled_plan_move_window(x->node, x->compiled, x->step);

	if (!failed)
		return status;
	return lsi_machine_fail(x->node->self,
		(struct lsi_fault){ failed, LS_NO_RANK, x->node->round, -1, x->envelope.operation },
		failed == LS_ERR_LAW ? "the plan of %s breaks a law at node %" PRId64
							 : "no memory for %s at node %" PRId64,
		x->envelope.operation, x->node->self->rank);
}

/* Continue one step; LS_OK: the step is over. */
static inline int advance_step(struct lsi_execution *x, struct lsi_compiled_step *step)
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
			execute_move(x, &step->move[i]);
		release_messages(x, step);
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
		int status = lsi_compiled_plan_holds(x->compiled, x->step) ? LS_OK : move_window(x);

		if (!status)
			status = advance_step(x, current_step(x));
		if (status)
			return status;
		lsi_execution_begin_step(x, x->step + 1);
	}
	return wait_pending_before(x, x->step);
}

/* The node will wait: say what it reads then, in this step, or after a round in the next one. */
static void note_first_reads(const struct lsi_execution *x)
{
	struct lsi_fiber *fiber = &x->node->self->fiber;
	const struct lsi_compiled_port *port =
		lsi_compiled_plan_first_port(x->compiled, x->step + (x->phase == LSI_PHASE_ROUND));

	fiber->first_read[0] = (struct lsi_view){ (uintptr_t)port, port ? LSI_STEP_READ : 0 };
	fiber->first_read[1] = (struct lsi_view){ 0, 0 };
	fiber->next_channel = port ? &port->out : NULL;
}

/* Continue an execution to its end, with all waits. */
static LSI_COLD int run_to_end(struct lsi_execution *x)
{
	struct lsi_node_state *me = x->node->self;
	int status;

	while ((status = advance(x)) == LSI_MUST_WAIT) {
		if (me->machine->exceeds_caches)
			note_first_reads(x);
		status = lsi_wait_until(me, &x->wait);
		if (status)
			break;
	}
	me->fiber.next_channel = NULL; /* the compiled plan may be released */
	if (status && x->phase < LSI_PHASE_END && lsi_compiled_plan_holds(x->compiled, x->step))
		release_messages(x, current_step(x));
	return status;
}

int lsi_execute(struct lsi_execution *x)
{
	if (x->compiled->is_fast && lsi_fast_path(x))
		return LS_OK;
	if (!x->compiled->is_fast) /* else the fast path has set the step and phase */
		lsi_execution_begin_step(x, 0);
	return run_to_end(x);
}
