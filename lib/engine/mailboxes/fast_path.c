/*
 * The fast path: short messages without waits.
 *
 * It needs no branches for rare cases, because every message fits into its slot and every operand
 * is contiguous (lsi_compiled_plan.is_fast).  It stops at a full mailbox, a message that is missing
 * or unexpected, a link that is down, or a peer that has left.  lsi_execute then continues the step
 * with its send or its receive, and waits or reports an error.
 *
 * For two nodes that exchange short messages, the time from reading a message to sending the next
 * one decides the speed: see lockstep bench allreduce -t complete:2.
 *
 * The port rule needs no check here: all ports are free at the start, and a round sends and
 * receives at most once.
 *
 * Evidence  test/relacy/fast_path.cpp
 */
#include "engine/mailboxes/execute_step.h"

enum { POLL_DELAY_SPINS = 60 }; /* iterations of an empty loop: about 20 ns */

static inline bool send_message(struct lsi_execution *x, struct lsi_compiled_port *port)
{
	struct lsi_node_state *me = x->node->self;
	struct lsi_mailbox *box = port->out.out;
	const struct lsi_operand *operand = &port->send;
	struct lsi_slot *slot;

	if (lsi_load(&me->machine->links, acquire) /* DIRECTORY: as lsi_port_send */
		|| lsi_peer_left(box->sender.peer) || !(slot = lsi_mailbox_space(box)))
		return false;
	lsi_slot_write_header(&port->out, slot, &x->envelope, operand->bytes);
	if (operand->bytes > 0)
		lsi_copy(slot + 1, lsi_operand_address(x, operand), operand->bytes);
	lsi_mailbox_send(me->machine, box);
	lsi_count_message(me, operand->elements, operand->bytes);
	return true;
}

/* Whether the port exchanges messages of one cache line with one peer. */
static inline bool exchanges_lines(const struct lsi_compiled_port *port)
{
	return port->to == port->from && port->send.bytes <= LSI_LINE - sizeof(struct lsi_slot);
}

/*
 * Two nodes that exchange lines write them at the same time.  A poll without a delay would fetch
 * the line from the peer before the peer has written it.  A message takes longer than this delay in
 * any case.
 */
static inline void delay_poll(const struct ls_machine *machine)
{
	for (int i = 0; i < POLL_DELAY_SPINS && machine->mailbox_polls > 1; i++)
		__asm__ __volatile__("");
}

static inline bool receive_message(struct lsi_execution *x, struct lsi_compiled_port *port)
{
	const struct ls_machine *machine = x->node->self->machine;
	const bool exchanges = exchanges_lines(port);
	const struct lsi_slot *slot;

	if (exchanges)
		delay_poll(machine);
	slot = lsi_mailbox_poll(machine, &port->in);
	if (!slot || !lsi_slot_matches(&x->envelope, slot) || slot->bytes != port->expected)
		return false;
	lsi_mailbox_piggyback_load(port->in.out, slot);
	x->base[LS_ARRIVAL] = (uintptr_t)(slot + 1);
	if (exchanges)
		lsi_mailbox_prefetch_write(port->out.out);
	else if (port->to == LS_NO_RANK)
		lsi_mailbox_prefetch(port->in.in, &port->in.out->sender);
	return true;
}

/* End the fast path: lsi_execute continues with the step, or with its receive. */
static bool leave_fast_path(struct lsi_execution *x, int64_t step, bool sent)
{
	lsi_execution_begin_step(x, step);
	if (sent)
		x->phase = LSI_PHASE_RECEIVE;
	return false;
}

bool lsi_fast_path(struct lsi_execution *x)
{
	const struct lsi_compiled_plan *compiled = x->compiled;
	struct ls_node *node = x->node;
	struct lsi_node_state *me = node->self;

	if (me->sends | me->receives | me->n_pending)
		return leave_fast_path(x, 0, false);
	for (int64_t s = 0; s < compiled->steps; s++) {
		const struct lsi_compiled_step *step = &compiled->step[s];
		struct lsi_compiled_port *port = step->port;
		const bool receives = step->ports && port->from != LS_NO_RANK;

		if (step->ports && port->to != LS_NO_RANK && !send_message(x, port))
			return leave_fast_path(x, s, false);
		if (receives && !receive_message(x, port))
			return leave_fast_path(x, s, true);
		for (int i = 0; i < step->moves; i++)
			if (step->move[i].contiguous)
				lsi_move_contiguous(x, &step->move[i]);
		if (receives)
			lsi_mailbox_consume(me->machine, port->in.in, &port->in.out->sender);
		me->count.rounds += !step->local;
		node->round += !step->local;
	}
	return true;
}
