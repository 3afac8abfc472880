/*
 * A wait has three stages.  Each is cheaper for the other threads than the one before:
 *
 *   spin    ls_machine.spins pauses            only where each node has a core
 *   yield   ls_machine.yield_ns_before_sleep   reads the clock every few yields
 *   sleep   park.h, on a futex                 until a waker, a stop, or the time limit
 *
 * A stop wakes all sleepers, and their waits return its reason.  Once a node has reported an error,
 * every wait sleeps at once: the verdict (verdict.h) comes when all nodes sleep or have ended.
 */
#include "machine/wait.h"

#include "base/futex.h"
#include "machine/group.h"
#include "machine/shared_threads.h"
#include "machine/verdict.h"

enum { YIELDS_PER_CLOCK_READ = 8 };

/* ---- Stop */

void lsi_wake_node(struct ls_machine *machine, struct lsi_parking *parking)
{
	if (lsi_park_wake(parking, &machine->park_counter))
		lsi_futex_wake(&parking->word, 1);
}

/* The state is negative now: end all waits, and the wait for the start. */
void lsi_wake_all(struct ls_machine *machine)
{
	uint32_t closed = LSI_GATE_CLOSED;

	for (int64_t i = 0; i < machine->nodes; i++)
		lsi_wake_node(machine, &machine->node_state[i].parking);
	if (lsi_compare_swap(&machine->gate, &closed, LSI_GATE_CANCELLED, seq_cst)) /* GATE */
		lsi_futex_wake(&machine->gate, INT32_MAX);
}

/* Only the first stop counts.  A verdict that is being found comes first. */
static void stop(struct ls_machine *machine, int why)
{
	int state = lsi_load(&machine->state, relaxed); /* the exchange below orders */

	while (state >= 0) {
		if (state == LSI_DECIDING) {
			lsi_yield();
			state = lsi_load(&machine->state, relaxed);                       /* as above */
		} else if (lsi_compare_swap(&machine->state, &state, why, seq_cst)) { /* STOP */
			lsi_wake_all(machine);
			return;
		}
	}
}

void ls_machine_stop(ls_machine *machine, int why)
{
	if (machine)
		stop(machine, why < 0 ? why : LS_ERR_STOPPED);
}

/* ---- Wait */

/* limit: in ns; 0: none. */
static bool is_overdue(uint64_t limit)
{
	return limit && lsi_now_ns() >= limit;
}

/* Sleep until the condition is true, the machine has stopped, or the limit is over. */
static void park(struct lsi_node_state *me, lsi_ready ready, void *condition, uint64_t limit)
{
	struct ls_machine *machine = me->machine;

	lsi_park_announce(&me->parking);
	if (machine->asymmetric)
		lsi_membarrier();                                                 /* PARK */
	if (ready(me, condition) || lsi_load(&machine->state, seq_cst) < 0) { /* STOP */
		lsi_park_retract(&me->parking, &machine->park_counter);
		return;
	}
	if (lsi_park_commit(&machine->park_counter))
		lsi_decide_if_all_parked(machine);
	lsi_shared_park(me);
	while (lsi_park_asleep(&me->parking)) {
		lsi_futex_wait(&me->parking.word, 1, limit);
		if (lsi_park_asleep(&me->parking) && is_overdue(limit)) {
			lsi_park_wake(&me->parking, &machine->park_counter);
			break;
		}
	}
	lsi_shared_unpark(me);
}

/* Park, counted among the sleepers. */
static void park_as_sleeper(
	struct lsi_node_state *me, lsi_ready ready, void *condition, uint64_t limit)
{
	struct ls_machine *machine = me->machine;

	lsi_fetch_add(&machine->sleepers, 1, seq_cst); /* PARK */
	park(me, ready, condition, limit);
	lsi_fetch_sub(&machine->sleepers, 1, relaxed); /* counter only */
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
		const int state = lsi_load(&machine->state, acquire); /* STOP */

		/* A message sent before the stop is visible by now: this call succeeds, later ones fail. */
		if (state < 0 && ready(me, condition))
			break;
		if (state < 0)
			return state;
		if (state == LSI_FAILING || yields % YIELDS_PER_CLOCK_READ == YIELDS_PER_CLOCK_READ - 1) {
			const uint64_t now = lsi_now_ns();

			since = since ? since : now;
			if (machine->deadline && now >= machine->deadline)
				return lsi_time_out(machine);
			if (state == LSI_FAILING || now - since >= machine->yield_ns_before_sleep) {
				park_as_sleeper(me, ready, condition, machine->deadline);
				continue;
			}
		}
		lsi_yield();
	}
	me->waits = false;
	return LS_OK;
}

static bool is_never_ready(struct lsi_node_state *me, void *condition)
{
	(void)me;
	(void)condition;
	return false;
}

int lsi_wait_for_stop(struct lsi_node_state *me, uint64_t limit)
{
	int reason;

	while (!(reason = lsi_stop_reason(me->machine)) && !is_overdue(limit))
		park_as_sleeper(me, is_never_ready, NULL, limit);
	return reason;
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
	if (!lsi_stop_reason(machine))
		announce_exit(me);
	if (lsi_park_leave(&machine->park_counter))
		lsi_decide_if_all_parked(machine);
	lsi_shared_leave(me);
}
