#include "machine/shared_threads.h"

#include <stdint.h>

#include "base/futex.h"
#include "base/math.h"
#include "machine/run.h"
#include "machine/shrink.h"
#include "machine/verdict.h"

/* Protects all rings of more than one node.  Only the thread of a ring changes it. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_key_t exit_key; /* not NULL: the thread is, or was, an attached node */
static bool has_key, watches_fork;
_Thread_local struct lsi_node_state *lsi_node_of_thread;

/* ---- The nodes of a thread */

/* The thread ends, but is still attached.  In a child of fork, the machine has no other threads. */
static void detach_all(void *unused)
{
	struct lsi_node_state *me;

	(void)unused;
	while ((me = lsi_node_of_thread) && me->attached) {
		if (*me->machine->fork_guard == 0)
			lsi_thread_leave(me);
		else
			lsi_abandon_attached(me);
	}
}

static void lock_before_fork(void)
{
	pthread_mutex_lock(&lock);
}

static void unlock_after_fork(void)
{
	pthread_mutex_unlock(&lock);
}

void lsi_thread_enter(struct lsi_node_state *me)
{
	lsi_node_of_thread = me; /* a thread of ls_run is no other node yet */
}

bool lsi_thread_can_attach(void)
{
	bool can;

	pthread_mutex_lock(&lock);
	has_key = has_key || pthread_key_create(&exit_key, detach_all) == 0;
	watches_fork =
		watches_fork || pthread_atfork(lock_before_fork, unlock_after_fork, unlock_after_fork) == 0;
	can = has_key && watches_fork;
	pthread_mutex_unlock(&lock);
	return can && pthread_setspecific(exit_key, &exit_key) == 0;
}

void lsi_thread_attach(struct lsi_node_state *me)
{
	pthread_mutex_lock(&lock);
	if (lsi_node_of_thread) {
		me->next_of_thread = lsi_node_of_thread->next_of_thread;
		lsi_node_of_thread->next_of_thread = me;
	}
	lsi_node_of_thread = me;
	pthread_mutex_unlock(&lock);
}

void lsi_thread_leave(struct lsi_node_state *me)
{
	struct lsi_node_state *before = me;

	if (me->next_of_thread == me) {
		lsi_node_of_thread = NULL;
		return;
	}
	pthread_mutex_lock(&lock);
	while (before->next_of_thread != me)
		before = before->next_of_thread;
	before->next_of_thread = me->next_of_thread;
	me->next_of_thread = me;
	lsi_node_of_thread = before;
	pthread_mutex_unlock(&lock);
}

void lsi_count_elsewhere(struct lsi_node_state *me, bool parked)
{
	for (struct lsi_node_state *other = me->next_of_thread; other != me;
		 other = other->next_of_thread)
		lsi_fetch_add(
			&other->machine->park_counter.elsewhere, parked ? 1u : -1u, seq_cst); /* LINK */
}

void lsi_thread_await(struct ls_machine *machine, uint32_t run)
{
	struct lsi_node_state *first = lsi_node_of_thread, *node = first;

	if (!first)
		return;
	pthread_mutex_lock(&lock);
	do {
		lsi_store(&node->awaited, machine, relaxed); /* the lock orders it */
		node->awaited_run = run;
		lsi_fetch_add(
			&node->machine->park_counter.elsewhere, machine ? 1u : -1u, seq_cst); /* LINK */
		node = node->next_of_thread;
	} while (node != first);
	pthread_mutex_unlock(&lock);
	do {
		if (machine)
			lsi_decide_if_linked_parked(node->machine);
		node = node->next_of_thread;
	} while (node != first);
}

void lsi_thread_end_run(struct ls_machine *machine)
{
	pthread_mutex_lock(&lock);
	lsi_store(&machine->runs, (lsi_load(&machine->runs, relaxed) | 1) + 1, release); /* GATE */
	pthread_mutex_unlock(&lock);
	lsi_futex_wake(&machine->runs, INT32_MAX);
}

/* ---- Deadlocks of linked machines */

/*
 * The other machine in which the thread of this node waits; NULL: none.  A run that has ended is no
 * wait: the thread is about to continue.
 */
static struct ls_machine *waits_in(const struct lsi_node_state *node)
{
	struct ls_machine *awaited = lsi_load(&node->awaited, relaxed); /* by the lock */

	if (awaited)
		return lsi_load(&awaited->runs, acquire) == node->awaited_run ? awaited : NULL; /* GATE */
	for (struct lsi_node_state *other = node->next_of_thread; other != node;
		 other = other->next_of_thread) {
		if (lsi_park_asleep(&other->parking))
			return other->machine;
	}
	return NULL;
}

static void add_to_list(struct ls_machine *first, struct ls_machine *machine)
{
	while (first != machine && first->next_linked)
		first = first->next_linked;
	if (first == machine)
		return;
	first->next_linked = machine;
	machine->next_linked = NULL;
}

/* Is every live node of the machine parked, here or elsewhere?  Remembers the counters. */
static bool is_parked(struct ls_machine *machine)
{
	struct lsi_park_counter *counter = &machine->park_counter;

	machine->seen_wakes = lsi_load(&counter->wakes, acquire);         /* LINK */
	machine->seen_count = lsi_load(&counter->count, seq_cst);         /* LINK, COUNT */
	machine->seen_elsewhere = lsi_load(&counter->elsewhere, seq_cst); /* LINK */

	const uint32_t live = (uint32_t)machine->seen_count;

	return live > 0 && (uint32_t)(machine->seen_count >> 32) + machine->seen_elsewhere == live;
}

/*
 * Do nodes of other processes run, which are not known here?  In a machine that has stopped, no
 * local node waits for them.
 */
static bool runs_elsewhere(struct ls_machine *machine)
{
	return machine->processes && lsi_load(&machine->state, acquire) >= 0; /* STOP */
}

/* List the machines for which a machine waits.  False: one of its live nodes is not parked. */
static bool list_awaited(struct ls_machine *first, struct ls_machine *machine)
{
	uint32_t found = 0;

	if ((machine != first && runs_elsewhere(machine)) || !is_parked(machine))
		return false;
	for (int64_t i = machine->first_local; i < machine->end_local && machine->seen_elsewhere > 0;
		 i++) {
		struct ls_machine *other = waits_in(&machine->node_state[i]);

		if (other)
			add_to_list(first, other);
		found += other != NULL;
	}
	return found == machine->seen_elsewhere;
}

/* List the machines for which the first one waits, directly or not.  False: a node runs. */
static bool link_machines(struct ls_machine *first)
{
	first->next_linked = NULL;
	for (struct ls_machine *at = first; at; at = at->next_linked) {
		if (!list_awaited(first, at))
			return false;
	}
	return true;
}

static bool waits_for_marked(const struct ls_machine *machine)
{
	for (int64_t i = machine->first_local; i < machine->end_local; i++) {
		const struct ls_machine *other = waits_in(&machine->node_state[i]);

		if (other && other->waits_for_first)
			return true;
	}
	return false;
}

/* Mark the machines of the list that wait for the first one, directly or not.  True: all do. */
static bool all_wait_for(struct ls_machine *first)
{
	bool all = false, changed = true;

	for (struct ls_machine *at = first; at; at = at->next_linked)
		at->waits_for_first = at == first;
	while (changed && !all) {
		all = true;
		changed = false;
		for (struct ls_machine *at = first->next_linked; at; at = at->next_linked) {
			changed |= !at->waits_for_first && (at->waits_for_first = waits_for_marked(at));
			all &= at->waits_for_first;
		}
	}
	return all;
}

static bool is_still_parked(struct ls_machine *machine)
{
	struct lsi_park_counter *counter = &machine->park_counter;

	return lsi_load(&counter->count, seq_cst) == machine->seen_count  /* LINK, COUNT */
		&& lsi_load(&counter->wakes, acquire) == machine->seen_wakes; /* LINK */
}

static bool are_still_parked(struct ls_machine *first)
{
	for (struct ls_machine *at = first; at; at = at->next_linked) {
		if (!is_still_parked(at))
			return false;
	}
	return true;
}

/* Are nodes parked that a verdict would wake?  Those in ls_shrink wait in a stopped machine. */
static bool has_parked(struct ls_machine *machine)
{
	return machine->seen_count >> 32 > lsi_shrink_waiting(machine);
}

/*
 * Begin a verdict for every machine that runs.  A machine that has stopped needs none, unless it is
 * waking its nodes at this moment: then this is no deadlock.
 */
static bool begin_all(struct ls_machine *first)
{
	struct ls_machine *at = first;

	for (; at; at = at->next_linked) {
		at->decides = lsi_verdict_begin(at);
		if (!at->decides && has_parked(at))
			break;
	}
	for (struct ls_machine *begun = first; at && begun != at; begun = begun->next_linked) {
		if (begun->decides)
			lsi_verdict_cancel(begun);
	}
	return !at;
}

/* All threads wait in ls_detach, each for another one: let them return. */
static void release_detached(struct ls_machine *machine)
{
	const uint32_t runs = lsi_load(&machine->runs, relaxed); /* a hint: the change is below */

	if (runs % 2 == 0) {
		lsi_fetch_add(&machine->runs, 1u, release); /* GATE */
		lsi_futex_wake(&machine->runs, INT32_MAX);
	}
}

static void decide(struct ls_machine *first)
{
	bool parked = false;

	if (!begin_all(first))
		return;
	for (struct ls_machine *at = first; at; at = at->next_linked) {
		parked |= has_parked(at);
		if (at->decides)
			lsi_verdict_find(at);
	}
	for (struct ls_machine *at = first; at; at = at->next_linked) {
		if (at->decides)
			lsi_verdict_announce(at);
		if (!parked)
			release_detached(at);
	}
}

/* Are all live nodes of the listed machines parked here, and do these wait for each other? */
static bool is_deadlock(struct ls_machine *machine)
{
	return link_machines(machine) && all_wait_for(machine) && are_still_parked(machine);
}

void lsi_decide_if_linked_parked(struct ls_machine *machine)
{
	if (runs_elsewhere(machine)) /* the communication thread decides */
		return;
	pthread_mutex_lock(&lock);
	if (is_deadlock(machine))
		decide(machine);
	pthread_mutex_unlock(&lock);
}

/* As in begin_all: a machine that has stopped may be waking its nodes. */
static bool may_wake(struct ls_machine *machine)
{
	return lsi_load(&machine->state, acquire) < 0 /* STOP */ && has_parked(machine);
}

bool lsi_linked_are_parked(struct ls_machine *machine, uint64_t *state)
{
	bool parked;

	pthread_mutex_lock(&lock);
	parked = is_deadlock(machine);
	*state = 0;
	for (struct ls_machine *at = machine->next_linked; parked && at; at = at->next_linked) {
		parked = !may_wake(at);
		*state = lsi_mix(lsi_mix(*state + at->seen_count) + at->seen_wakes);
	}
	pthread_mutex_unlock(&lock);
	return parked;
}

void lsi_linked_announce(struct ls_machine *machine)
{
	bool parked = false, linked;

	pthread_mutex_lock(&lock);
	linked = is_deadlock(machine);
	for (struct ls_machine *at = machine; linked && at; at = at->next_linked) {
		parked |= has_parked(at);
		at->decides = at != machine && lsi_verdict_begin(at);
		if (at->decides)
			lsi_verdict_find(at);
	}
	lsi_verdict_announce(machine);
	for (struct ls_machine *at = machine->next_linked; linked && at; at = at->next_linked) {
		if (at->decides)
			lsi_verdict_announce(at);
		if (!parked)
			release_detached(at);
	}
	pthread_mutex_unlock(&lock);
}
