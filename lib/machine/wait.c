/*
 * Waiting, stopping, and the verdict "deadlock".
 */
#include "machine/machine.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/wait.h"

enum { YIELDS_PER_LOOK = 8 };       /* yields between two looks at the clock */

static void stop(struct ls_machine *machine, int why)
{
	int running = LS_OK;

	if (!ls_compare_swap(&machine->stopped, &running, why, seq_cst))   /* STOP */
		return;
	for (int64_t i = 0; i < machine->nodes; i++)
		ls_rouse(machine, &machine->processor[i].parking);
	uint32_t closed = LS_GATE_CLOSED;

	if (ls_compare_swap(&machine->gate, &closed, LS_GATE_CALLED_OFF, seq_cst))         /* GATE */
		ls_wake(&machine->gate, INT32_MAX);
}

void ls_machine_stop(ls_machine *machine, int why)
{
	stop(machine, why < 0 ? why : LS_ERR_STOPPED);
}

void ls_rouse(struct ls_machine *machine, struct ls_parking *place)
{
	if (ls_park_wake(place, &machine->census))
		ls_wake(&place->word, 1);
}

static int vreport(struct ls_processor *me, int64_t node, struct ls_fault fault, const char *format,
	va_list arguments)
{
	struct ls_error *error = &me->report.error;

	if (!me->reported) {
		*error = (struct ls_error){ sizeof *error, fault.kind, node, fault.peer, fault.round,
			fault.link, fault.operation, "" };
		vsnprintf(error->text, sizeof error->text, format, arguments);
		me->reported = true;
		ls_queue_put(me->machine->reports, &me->report.item);
	}
	stop(me->machine, fault.kind);
	return fault.kind;
}

static void __attribute__((format(printf, 4, 5)))
report(struct ls_processor *me, int64_t node, struct ls_fault fault, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vreport(me, node, fault, format, arguments);
	va_end(arguments);
}

int ls_halt(struct ls_processor *me, struct ls_fault fault, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vreport(me, me->rank, fault, format, arguments);
	va_end(arguments);
	return fault.kind;
}

/*
 * Every live node is parked: a deadlock.  The caller is the last to park, or a node that leaves;
 * the others are parked, so what they wait for stands still.  Named first: a node that waits for
 * another.
 */
static void pronounce(struct ls_processor *me)
{
	struct ls_machine *machine = me->machine;
	const struct ls_processor *named = NULL;
	int64_t waiting = 0;

	/* CENSUS shows a stop that any node left for: the others are about to be woken. */
	if (ls_load(&machine->stopped, acquire))                           /* STOP */
		return;
	for (int64_t i = 0; i < machine->nodes; i++) {
		const struct ls_processor *node = &machine->processor[i];

		if (!node->waits)
			continue;
		waiting++;
		if (!named || (named->waiting.peer == LS_NOBODY && node->waiting.peer != LS_NOBODY))
			named = node;
	}
	if (!named)
		return;

	const struct ls_waiting w = named->waiting;
	const struct ls_fault fault = { LS_ERR_DEADLOCK, w.peer, w.round, -1, w.operation };

	if (w.peer == LS_NOBODY)
		report(me, named->rank, fault,
			"deadlock: %" PRId64
			" nodes wait and no message is in flight; node %" PRId64
			" waits for the others to end round %" PRId64 " (%s)",
			waiting, named->rank, w.round, w.operation);
	else
		report(me, named->rank, fault,
			"deadlock: %" PRId64
			" nodes wait and no message is in flight; node %" PRId64
			" waits for node %" PRId64 " in round %" PRId64 " (%s)",
			waiting, named->rank, w.peer, w.round, w.operation);
}

static bool overdue(const struct ls_machine *machine)
{
	return machine->deadline && ls_now() >= machine->deadline;
}

/* Sleep until woken; the condition may then be true, or the machine stopped, or the time over. */
static void park(struct ls_processor *me, ls_ready ready, void *what)
{
	struct ls_machine *machine = me->machine;

	ls_park_announce(&me->parking);
	if (machine->asymmetric)
		ls_barrier_heavy();                                            /* PARK */
	if (ready(me, what) || ls_load(&machine->stopped, seq_cst)) {      /* STOP */
		ls_park_retract(&me->parking, &machine->census);
		return;
	}
	if (ls_park_count(&machine->census))
		pronounce(me);
	while (ls_park_asleep(&me->parking)) {
		ls_sleep(&me->parking.word, 1, machine->deadline);
		if (ls_park_asleep(&me->parking) && overdue(machine)) {
			ls_park_wake(&me->parking, &machine->census);
			return;
		}
	}
}

void ls_linger(struct ls_node *node, struct ls_barrier *barrier, ls_ready ready, void *what)
{
	struct ls_processor *me = node->self;

	if (node->group->size != me->machine->nodes || !ls_barrier_awaits_others(barrier, me->seat))
		return;
	for (int i = 0; i < me->machine->lingers && !ready(me, what); i++)
		ls_pause();
}

int ls_await(struct ls_processor *me, struct ls_waiting reason, ls_ready ready, void *what)
{
	struct ls_machine *machine = me->machine;
	uint64_t since = 0;

	for (int i = 0; i < machine->spins; i++) {
		if (ready(me, what))
			return LS_OK;
		ls_pause();
	}
	me->waiting = reason;
	me->waits = true;
	for (unsigned turn = 0; !ready(me, what); turn++) {
		const int stopped = ls_load(&machine->stopped, acquire);       /* STOP */

		/* What was there before the stop is seen by now: the error is that of a later call. */
		if (stopped && ready(me, what))
			break;
		if (stopped)
			return stopped;
		if (turn % YIELDS_PER_LOOK == YIELDS_PER_LOOK - 1) {
			const uint64_t now = ls_now();

			since = since ? since : now;
			if (machine->deadline && now >= machine->deadline)
				return ls_halt(me,
					(struct ls_fault){ LS_ERR_TIMEOUT, reason.peer,
						reason.round, -1, reason.operation },
					"time limit of %g s is over: node %" PRId64
					" waits in round %" PRId64 " (%s)",
					machine->options.timeout, me->rank, reason.round,
					reason.operation);
			if (now - since >= machine->patience) {
				ls_fetch_add(&machine->sleepers, 1, seq_cst);          /* PARK */
				park(me, ready, what);
				ls_fetch_sub(&machine->sleepers, 1, relaxed);          /* counter only */
				continue;
			}
		}
		ls_yield();
	}
	me->waits = false;
	return LS_OK;
}

void ls_rouse_group(struct ls_machine *machine, const struct ls_group *group)
{
	if (ls_load(&machine->sleepers, seq_cst) == 0)                     /* PARK */
		return;
	for (int64_t i = 0; i < group->size; i++)
		ls_rouse(machine, &machine->processor[ls_member(group, i)].parking);
}

/* Whoever may wait for this node learns that it has ended. */
static void take_leave(struct ls_processor *me)
{
	struct ls_machine *machine = me->machine;

	ls_exchange(&me->gone, 1u, seq_cst);                      /* GONE: then the look for sleepers */
	ls_rouse_group(machine, &machine->whole);
	for (struct ls_node *node = &me->whole; node; node = node->next)
		ls_group_leave(node);
}

void ls_depart(struct ls_processor *me)
{
	struct ls_machine *machine = me->machine;

	/*
	 * Of a stopped machine nobody leaves: it would show others errors that only follow from the
	 * first.
	 */
	if (!ls_load(&machine->stopped, acquire))                          /* STOP */
		take_leave(me);
	if (ls_park_leave(&machine->census))
		pronounce(me);
}
