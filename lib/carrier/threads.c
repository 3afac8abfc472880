/*
 * Nodes as threads.
 *
 * A wait has three stages.  Each is cheaper for the other threads than the one before:
 *
 *   spin    ls_machine.spins pauses            only where each node has a core
 *   yield   ls_machine.yield_ns_before_sleep   reads the clock every few yields
 *   sleep   park.h, on a futex                 until a waker, a stop, or the time limit
 *
 * While other programs take a large part of the cores, a wait sleeps in place of yielding: see
 * other_load.h.
 *
 * A stop wakes all sleepers, and their waits return its reason.  Once a node has reported an error,
 * every wait sleeps at once: the verdict (verdict.h) comes when all nodes sleep or have ended.
 */
#include "base/cores.h"
#include "base/futex.h"
#include "base/other_load.h"
#include "machine/group.h"
#include "machine/local_ranks.h"
#include "machine/processes/far_nodes.h"
#include "machine/shared_threads.h"
#include "machine/verdict.h"
#include "machine/wait.h"

enum {
	YIELDS_PER_CLOCK_READ = 8,
	WAITS_PER_LOOK = 16,         /* for late yields */
	MAILBOX_POLLS = 100,         /* a line comes from another core in that time */
	SPINS = 4000,                /* about 100 us */
	BARRIER_SPINS_PER_NODE = 50, /* pauses per node of a core: as long as one yield by that node */
	YIELD_NS = 2000000,          /* before sleep, at least */
	YIELD_NS_PER_NODE = 16000,   /* times all nodes, if that is more: some yields by each */
	STACK = 256 << 10
};

/* ---- A run */

/* How long waits spin and yield before they sleep. */
static void reset(struct ls_machine *machine)
{
	const int cores = lsi_core_count();
	const int64_t nodes = lsi_local_nodes(machine);
	const uint64_t yield_ns = (uint64_t)nodes * YIELD_NS_PER_NODE;

	machine->mailbox_polls = nodes <= cores ? MAILBOX_POLLS : 1;
	machine->spins = nodes <= cores ? SPINS : 0;
	machine->barrier_spins = BARRIER_SPINS_PER_NODE * (int)(nodes / machine->cores);
	machine->yield_ns_before_sleep = yield_ns > YIELD_NS ? yield_ns : YIELD_NS;
}

static bool prepare(struct ls_machine *machine)
{
	(void)machine;
	return true;
}

static void release(struct ls_machine *machine)
{
	(void)machine;
}

/* Also when the program calls pthread_exit: a cleanup handler. */
static void end_node(void *me)
{
	lsi_node_finish(me);
	lsi_thread_leave(me);
}

static void run(struct lsi_worker *worker)
{
	struct lsi_node_state *me = &worker->machine->node_state[worker->first];

	lsi_store(&worker->current, me, relaxed); /* a hint */
	lsi_thread_enter(me);
	pthread_cleanup_push(end_node, me);
	lsi_node_run_program(me);
	pthread_cleanup_pop(1);
}

/* ---- Wait */

/* limit: in ns; 0: none. */
static bool is_overdue(uint64_t limit)
{
	return limit && lsi_now_ns() >= limit;
}

/* Sleep until the condition is true, the machine has stopped, or the limit is over. */
static void park(struct lsi_node_state *me, const struct lsi_wait *wait, uint64_t limit)
{
	struct ls_machine *machine = me->machine;

	lsi_park_announce(&me->parking);
	if (machine->asymmetric)
		lsi_membarrier(); /* PARK */
	if (wait->ready(me, wait->condition)
		|| (!wait->ignores_stop && lsi_load(&machine->state, seq_cst) < 0)) { /* STOP */
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
static void park_as_sleeper(struct lsi_node_state *me, const struct lsi_wait *wait, uint64_t limit)
{
	struct ls_machine *machine = me->machine;

	lsi_fetch_add(&machine->sleepers, 1, seq_cst); /* PARK */
	park(me, wait, limit);
	lsi_fetch_sub(&machine->sleepers, 1, relaxed); /* counter only */
}

/* The three stages: see the head of this file. */
static int wait_until(struct lsi_node_state *me, const struct lsi_wait *wait)
{
	struct ls_machine *machine = me->machine;
	uint64_t since = 0, before;

	for (int i = 0; i < machine->spins; i++) {
		if (wait->ready(me, wait->condition))
			return LS_OK;
		lsi_pause();
	}
	me->waits_for = &wait->state;
	before = machine->spins == 0 && me->waits++ % WAITS_PER_LOOK == 0 ? lsi_now_ns() : 0;
	for (unsigned yields = 0; !wait->ready(me, wait->condition); yields++) {
		const int state = lsi_load(&machine->state, acquire); /* STOP */

		/* A message sent before the stop is visible by now: this call succeeds, later ones fail. */
		if (state < 0 && wait->ready(me, wait->condition))
			break;
		if (state < 0)
			return lsi_wait_stopped(me, state);
		if (state == LSI_FAILING || yields % YIELDS_PER_CLOCK_READ == YIELDS_PER_CLOCK_READ - 1) {
			const uint64_t now = lsi_now_ns();

			since = since ? since : now;
			if (machine->deadline && now >= machine->deadline)
				return lsi_wait_stopped(me, lsi_time_out(machine));
			if (state == LSI_FAILING || now - since >= machine->yield_ns_before_sleep) {
				park_as_sleeper(me, wait, machine->deadline);
				continue;
			}
		}
		if (machine->spins == 0 && lsi_other_load_is_high(&machine->other_load)) {
			park_as_sleeper(me, wait, machine->deadline);
			continue;
		}
		lsi_yield();
		if (before) {
			lsi_other_load_look(
				&machine->other_load, machine->cores, (uint64_t)lsi_local_nodes(machine), before);
			before = 0;
		}
		if (machine->processes && !wait->ready(me, wait->condition))
			lsi_processes_help(machine, wait);
	}
	me->waits_for = NULL;
	return LS_OK;
}

static int wait_for_stop(struct lsi_node_state *me, uint64_t limit)
{
	const struct lsi_wait wait = lsi_wait_without_condition();
	int reason;

	while (!(reason = lsi_stop_reason(me->machine)) && !is_overdue(limit))
		park_as_sleeper(me, &wait, limit);
	return reason;
}

static void park_without_limit(struct lsi_node_state *me, const struct lsi_wait *wait)
{
	park(me, wait, 0);
}

static void yield(struct lsi_node_state *me)
{
	(void)me;
	lsi_yield();
}

/* ---- Wake and leave */

static void wake(struct ls_machine *machine, struct lsi_parking *parking)
{
	if (lsi_park_wake(parking, &machine->park_counter))
		lsi_futex_wake(&parking->word, 1);
}

static void wake_peer(struct ls_machine *machine, const struct lsi_mailbox_end *end)
{
	wake(machine, end->peer);
}

static void wake_members(
	struct ls_machine *machine, const struct lsi_group *group, struct lsi_barrier *barrier)
{
	(void)barrier;
	if (lsi_load(&machine->sleepers, seq_cst) == 0) /* PARK */
		return;
	for (int64_t i = 0; i < group->locals; i++)
		wake(machine, &lsi_local_member(machine, group, i)->parking);
}

static void wake_barrier(struct ls_node *node, struct lsi_barrier *barrier)
{
	wake_members(node->self->machine, node->group, barrier);
}

/* Threads that sleep do not help, and each waits for itself. */
static void ignore_barrier(struct ls_node *node, struct lsi_barrier *barrier)
{
	(void)node;
	(void)barrier;
}

static void wake_all(struct ls_machine *machine)
{
	for (int64_t i = machine->first_local; i < machine->end_local; i++)
		wake(machine, &machine->node_state[i].parking);
}

static void announce_departure(struct lsi_node_state *me)
{
	wake_members(me->machine, &me->machine->whole, NULL);
}

static void leave(struct lsi_node_state *me)
{
	if (lsi_park_leave(&me->machine->park_counter))
		lsi_decide_if_all_parked(me->machine);
	lsi_shared_leave(me);
}

const struct lsi_carrier lsi_thread_carrier = {
	"threads",
	STACK,
	0,
	false,
	reset,
	prepare,
	run,
	release,
	wait_until,
	wait_for_stop,
	park_without_limit,
	wake,
	wake_peer,
	wake_members,
	wake_barrier,
	ignore_barrier,
	ignore_barrier,
	NULL,
	wake_all,
	yield,
	announce_departure,
	leave,
	NULL,
};
