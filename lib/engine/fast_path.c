/*
 * The fast path: short messages, and nothing to wait for.
 *
 * Where every message lies in its slot and every operand in one piece (program->fast), a step is a
 * straight line.  Whatever is out of the ordinary ends it before anything is touched: a full mailbox, a
 * message that is not there yet or is not the one expected, a wire that is down, a peer that has left.
 * ls_advance then waits or refuses.
 *
 * Two nodes that exchange short messages run at the speed of what each does between the message that it
 * has seen and the next one that it puts; lockstep bench allreduce,barrier -t complete:2 shows it.
 *
 * The port rule needs no books here: all ports are free in the beginning, and a round sends once and
 * receives once at most.
 */
#include "engine/step.h"

enum { MOMENT = 60 };                     /* turns of an empty loop: some 20 ns */

static inline bool send(struct ls_execution *x, struct ls_program_port *port)
{
	struct ls_processor *me = x->node->self;
	struct ls_mailbox *box = port->out.out;
	const struct ls_operand *what = &port->send;
	struct ls_slot *slot;

	if (ls_load(&me->machine->links, acquire)                          /* DIRECTORY: as ls_port_send */
		|| ls_peer_left(box->receiver) || !(slot = ls_mailbox_room(box)))
		return false;
	ls_slot_address(&port->out, slot, &x->envelope, what->bytes);
	if (what->bytes > 0)
		ls_copy(slot + 1, ls_address(x, what), what->bytes);
	ls_mailbox_send(me->machine, box);
	ls_count_message(me, what->elements, what->bytes);
	return true;
}

/* Is what the step sends answered in it, and does it lie in one cache line? */
static inline bool exchanges_lines(const struct ls_program_port *port)
{
	return port->to == port->from && port->send.bytes <= LS_LINE - sizeof(struct ls_slot);
}

/*
 * Two nodes that exchange lines put theirs at the same time: who looks at once takes the line away from
 * the other before it is written.  It needs more than this moment to come, whoever is first.
 */
static inline void wait_a_moment(const struct ls_machine *machine)
{
	for (int i = 0; i < MOMENT && machine->looks > 1; i++)
		__asm__ __volatile__("");
}

static inline bool receive(struct ls_execution *x, struct ls_program_port *port)
{
	const struct ls_machine *machine = x->node->self->machine;
	const bool exchanges = exchanges_lines(port);
	const struct ls_slot *slot;

	if (exchanges)
		wait_a_moment(machine);
	slot = ls_look(machine, port->in.in);
	if (!slot || !ls_slot_matches(&x->envelope, slot) || slot->bytes != port->expected)
		return false;
	ls_mailbox_hear(port->in.out, slot);
	x->base[LS_ARRIVAL] = (uintptr_t)(slot + 1);
	if (exchanges)
		ls_mailbox_fetch_back(port->out.out);
	else if (port->to == LS_NOBODY)
		ls_mailbox_fetch(port->in.in);
	return true;
}

/* ls_advance goes on with the step, or with its receive. */
static bool leave(struct ls_execution *x, int64_t step, bool sent)
{
	ls_begin_step(x, step);
	if (sent)
		x->phase = LS_PHASE_RECEIVE;
	return false;
}

bool ls_fast_path(struct ls_execution *x)
{
	const struct ls_program *program = x->program;
	struct ls_node *node = x->node;
	struct ls_processor *me = node->self;

	if (me->sends | me->receives | me->n_debts)
		return leave(x, 0, false);
	for (int64_t s = 0; s < program->steps; s++) {
		const struct ls_program_step *step = &program->step[s];
		struct ls_program_port *port = step->port;
		const bool receives = step->ports && port->from != LS_NOBODY;

		if (step->ports && port->to != LS_NOBODY && !send(x, port))
			return leave(x, s, false);
		if (receives && !receive(x, port))
			return leave(x, s, true);
		for (int i = 0; i < step->moves; i++)
			if (step->move[i].flat)
				ls_move_flat(x, &step->move[i]);
		if (receives)
			ls_mailbox_done(me->machine, port->in.in);
		me->count.rounds += !step->local;
		node->round += !step->local;
	}
	return true;
}
