/*
 * A wait has three stages.  Each is cheaper for the other threads than the one before:
 *
 *   spin    ls_machine.spins pauses            only where each node has a core
 *   yield   ls_machine.yield_ns_before_sleep   reads the clock every few yields
 *   sleep   park.h, on a futex                 until a waker, a stop, or the time limit
 *
 * A node that reports an error stops the machine.  The stop wakes all sleepers, and their waits
 * return its reason.
 */
#include "machine/wait.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/futex.h"
#include "machine/group.h"

enum { YIELDS_PER_CLOCK_READ = 8 };

/* ---- Stop and report */

/* Only the first stop counts. */
static void stop(struct ls_machine *machine, int why)
{
	int running = LS_OK;

	if (!lsi_compare_swap(&machine->stopped, &running, why, seq_cst)) /* STOP */
		return;
	for (int64_t i = 0; i < machine->nodes; i++)
		lsi_wake_node(machine, &machine->node_state[i].parking);
	uint32_t closed = LSI_GATE_CLOSED;

	if (lsi_compare_swap(&machine->gate, &closed, LSI_GATE_CANCELLED, seq_cst)) /* GATE */
		lsi_futex_wake(&machine->gate, INT32_MAX);
}

void ls_machine_stop(ls_machine *machine, int why)
{
	stop(machine, why < 0 ? why : LS_ERR_STOPPED);
}

void lsi_wake_node(struct ls_machine *machine, struct lsi_parking *parking)
{
	if (lsi_park_wake(parking, &machine->park_counter))
		lsi_futex_wake(&parking->word, 1);
}

/* Only the first report of a node counts.  The error may name another node than the reporter. */
static int vreport(struct lsi_node_state *me, int64_t node, struct lsi_fault fault,
	const char *format, va_list arguments)
{
	struct ls_error *error = &me->report.error;

	if (!me->reported) {
		*error = (struct ls_error){ sizeof *error, fault.kind, node, fault.peer, fault.round,
			fault.link, fault.operation, "" };
		vsnprintf(error->text, sizeof error->text, format, arguments);
		me->reported = true;
		lsi_queue_put(me->machine->reports, &me->report.item);
	}
	stop(me->machine, fault.kind);
	return fault.kind;
}

static void __attribute__((format(printf, 4, 5)))
report(struct lsi_node_state *me, int64_t node, struct lsi_fault fault, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vreport(me, node, fault, format, arguments);
	va_end(arguments);
}

int lsi_machine_fail(struct lsi_node_state *me, struct lsi_fault fault, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vreport(me, me->rank, fault, format, arguments);
	va_end(arguments);
	return fault.kind;
}

int lsi_message_fail(struct lsi_node_state *me, const struct lsi_message_error *error)
{
	char text[sizeof me->report.error.text];
	const int kind = lsi_message_describe(error, text, sizeof text);

	return lsi_machine_fail(me,
		(struct lsi_fault){ kind, error->peer, error->round, error->link, error->operation }, "%s",
		text);
}

struct lsi_message_error lsi_message_error_of(const struct lsi_envelope *e,
	const struct lsi_channel *channel, int64_t peer, enum lsi_message_rule rule, bool sends)
{
	const struct lsi_node_state *me = e->node->self;

	return (struct lsi_message_error){ .rule = rule,
		.sends = sends,
		.node = me->rank,
		.peer = peer,
		.round = e->node->round,
		.link = channel && channel->link >= 0 ? ls_link_label(me->machine->topology, channel->link)
											  : -1,
		.operation = e->operation };
}

/* ---- Deadlock */

/* Choose the node that the error names: one that waits for another node, if possible. */
static const struct lsi_node_state *find_waiting_node(
	const struct ls_machine *machine, int64_t *waiting)
{
	const struct lsi_node_state *named = NULL;

	*waiting = 0;
	for (int64_t i = 0; i < machine->nodes; i++) {
		const struct lsi_node_state *node = &machine->node_state[i];

		if (!node->waits)
			continue;
		++*waiting;
		if (!named || (named->wait_state.peer == LS_NO_RANK && node->wait_state.peer != LS_NO_RANK))
			named = node;
	}
	return named;
}

/*
 * Every live node is parked: a deadlock.  The caller is the last to park, or a node that leaves.
 * The others are parked, so their wait states do not change.
 */
static void report_deadlock(struct lsi_node_state *me)
{
	struct ls_machine *machine = me->machine;
	const struct lsi_node_state *named;
	int64_t waiting;

	/*
	 * All live nodes are parked also when the last other one has just left because of a stop.  That
	 * is no deadlock: the stop wakes all.  COUNT orders the departure of that node before this
	 * load, so the load sees the stop.
	 */
	if (lsi_load(&machine->stopped, acquire)) /* STOP */
		return;
	named = find_waiting_node(machine, &waiting);
	if (!named)
		return;

	const struct ls_wait_state w = named->wait_state;
	const struct lsi_fault fault = { LS_ERR_DEADLOCK, w.peer, w.round, -1, w.operation };

	if (w.peer == LS_NO_RANK)
		report(me, named->rank, fault,
			"deadlock: every running node waits (%" PRId64 " in total); node %" PRId64
			" waits for the other nodes of its group in round %" PRId64 " (%s)",
			waiting, named->rank, w.round, w.operation);
	else
		report(me, named->rank, fault,
			"deadlock: every running node waits (%" PRId64 " in total); node %" PRId64
			" waits for node %" PRId64 " in round %" PRId64 " (%s)",
			waiting, named->rank, w.peer, w.round, w.operation);
}

/* ---- Wait */

static bool is_overdue(const struct ls_machine *machine)
{
	return machine->deadline && lsi_now_ns() >= machine->deadline;
}

/* Sleep until the condition is true, the machine has stopped, or the time limit is over. */
static void park(struct lsi_node_state *me, lsi_ready ready, void *condition)
{
	struct ls_machine *machine = me->machine;

	lsi_park_announce(&me->parking);
	if (machine->asymmetric)
		lsi_membarrier();                                               /* PARK */
	if (ready(me, condition) || lsi_load(&machine->stopped, seq_cst)) { /* STOP */
		lsi_park_retract(&me->parking, &machine->park_counter);
		return;
	}
	if (lsi_park_commit(&machine->park_counter))
		report_deadlock(me);
	while (lsi_park_asleep(&me->parking)) {
		lsi_futex_wait(&me->parking.word, 1, machine->deadline);
		if (lsi_park_asleep(&me->parking) && is_overdue(machine)) {
			lsi_park_wake(&me->parking, &machine->park_counter);
			return;
		}
	}
}

void lsi_barrier_spin(
	struct ls_node *node, struct lsi_barrier *barrier, lsi_ready ready, void *condition)
{
	struct lsi_node_state *me = node->self;

	if (node->group->size != me->machine->nodes
		|| !lsi_barrier_waits_for_other_cores(barrier, me->core))
		return;
	for (int i = 0; i < me->machine->barrier_spins && !ready(me, condition); i++)
		lsi_pause();
}

/* The time limit of the run is over. */
static int report_timeout(struct lsi_node_state *me, struct ls_wait_state reason)
{
	return lsi_machine_fail(me,
		(struct lsi_fault){ LS_ERR_TIMEOUT, reason.peer, reason.round, -1, reason.operation },
		"timed out after %g s in round %" PRId64 " (%s): node %" PRId64 " is waiting",
		me->machine->options.timeout, reason.round, reason.operation, me->rank);
}

/* The three stages: see the head of this file. */
int lsi_wait_until(
	struct lsi_node_state *me, struct ls_wait_state reason, lsi_ready ready, void *condition)
{
	struct ls_machine *machine = me->machine;
	uint64_t since = 0;

	for (int i = 0; i < machine->spins; i++) {
		if (ready(me, condition))
			return LS_OK;
		lsi_pause();
	}
	me->wait_state = reason;
	me->waits = true;
	for (unsigned yields = 0; !ready(me, condition); yields++) {
		const int stopped = lsi_load(&machine->stopped, acquire); /* STOP */

		/* A message sent before the stop is visible by now: this call succeeds, later ones fail. */
		if (stopped && ready(me, condition))
			break;
		if (stopped)
			return stopped;
		if (yields % YIELDS_PER_CLOCK_READ == YIELDS_PER_CLOCK_READ - 1) {
			const uint64_t now = lsi_now_ns();

			since = since ? since : now;
			if (machine->deadline && now >= machine->deadline)
				return report_timeout(me, reason);
			if (now - since >= machine->yield_ns_before_sleep) {
				lsi_fetch_add(&machine->sleepers, 1, seq_cst); /* PARK */
				park(me, ready, condition);
				lsi_fetch_sub(&machine->sleepers, 1, relaxed); /* counter only */
				continue;
			}
		}
		lsi_yield();
	}
	me->waits = false;
	return LS_OK;
}

/* ---- Wake and leave */

void lsi_wake_group(struct ls_machine *machine, const struct lsi_group *group)
{
	if (lsi_load(&machine->sleepers, seq_cst) == 0) /* PARK */
		return;
	for (int64_t i = 0; i < group->size; i++)
		lsi_wake_node(machine, &machine->node_state[lsi_member(group, i)].parking);
}

/* Set `gone`, wake the nodes that may wait for this one, and leave all groups. */
static void announce_exit(struct lsi_node_state *me)
{
	struct ls_machine *machine = me->machine;

	lsi_exchange(&me->gone, 1u, seq_cst); /* GONE: before the load of the number of sleepers */
	lsi_wake_group(machine, &machine->whole);
	for (struct ls_node *node = &me->whole; node; node = node->next)
		lsi_group_leave(node);
}

/* The last act of a node in a run. */
void lsi_node_leave(struct lsi_node_state *me)
{
	struct ls_machine *machine = me->machine;

	/*
	 * In a stopped machine, `gone` stays 0.  Otherwise other nodes would report as an error
	 * that this node has left.
	 */
	if (!lsi_load(&machine->stopped, acquire)) /* STOP */
		announce_exit(me);
	if (lsi_park_leave(&machine->park_counter))
		report_deadlock(me);
}
