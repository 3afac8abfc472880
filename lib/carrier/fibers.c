/*
 * Nodes as fibers, which workers run.
 *
 *   worker   next fiber: from the run queue, else from the inbox, else sleep
 *   fiber    runs until it waits, then switches to the next fiber of its worker
 *
 * A fiber that waits is in no run queue.  The node that makes its condition true puts it there
 * (run_queue.h).  If its worker has nothing else to run, the fiber checks its condition for 50 us.
 * Then the worker sleeps, on the stack of this fiber.
 *
 * The order on a worker is that of the run queue, first in, first out.  With one worker, it depends
 * on nothing else.
 *
 * The park counter (park.h) counts workers, not nodes.  A worker is parked while it has no fiber to
 * run.
 */
#include <inttypes.h>

#include "base/futex.h"
#include "carrier/fiber_stack.h"
#include "carrier/fiber_watch.h"
#include "carrier/fiber_worker.h"
#include "machine/local_ranks.h"
#include "machine/shared_threads.h"
#include "machine/verdict.h"
#include "machine/wait.h"

enum {
	STACK = 64 << 10,
	THREAD_STACK = 256 << 10,  /* of a worker: no program runs on it */
	MAILBOX_POLLS = 100,       /* with a core for each node: as for threads */
	SPIN_NS = 50000,           /* before a worker sleeps: a wake across cores takes 20 us */
	PAUSES_PER_CLOCK_READ = 64 /* about 2 us */
};

static struct lsi_node_state *current_node(const struct lsi_worker *worker)
{
	return lsi_load(&worker->current, relaxed); /* this thread writes it */
}

/* ---- Wait */

/*
 * Check the condition for a while, as nothing else can run.  False: the fiber should suspend
 * itself.
 */
static bool spin(struct lsi_node_state *me, const struct lsi_wait *wait)
{
	struct lsi_worker *worker = me->worker;
	const struct ls_machine *machine = me->machine;
	uint64_t until = 0;

	if (machine->workers == 1)
		return false;
	for (int pauses = 0;; pauses++) {
		if (wait->ready(me, wait->condition))
			return true;
		if (lsi_load(&machine->state, acquire) != LSI_RUNNING
			|| lsi_worker_has_fibers(worker)) /* STOP */
			return false;
		if (pauses % PAUSES_PER_CLOCK_READ == PAUSES_PER_CLOCK_READ - 1) {
			const uint64_t now = lsi_now_ns();

			until = until ? until : now + SPIN_NS;
			if (now >= until)
				return false;
		}
		lsi_pause();
	}
}

static struct lsi_shard *shard_of(const struct lsi_node_state *me, const struct lsi_wait *wait)
{
	return wait->barrier ? &wait->barrier->shard[me->core] : NULL;
}

/* Does this fiber lead its shard: have all members of this core arrived, and none of them leads? */
static bool leads(const struct lsi_node_state *me, const struct lsi_wait *wait)
{
	return lsi_barrier_waits_for_other_cores(wait->barrier, me->core)
		&& !lsi_load(&shard_of(me, wait)->leader, relaxed); /* this thread writes it */
}

/* Let other fibers run until a waker has put this one into a queue. */
static void suspend(struct lsi_node_state *me)
{
	struct lsi_node_state *next = lsi_worker_next(me->worker);

	if (next != me)
		lsi_worker_switch(me, next);
}

/* Suspend this fiber by its word, unless the condition is true, or the machine has stopped. */
static void suspend_by_word(struct lsi_node_state *me, const struct lsi_wait *wait)
{
	lsi_park_announce(&me->parking);
	if (me->machine->asymmetric)
		lsi_membarrier(); /* PARK */
	if ((wait->ready(me, wait->condition)
			|| (!wait->ignores_stop && lsi_load(&me->machine->state, seq_cst) < 0)) /* STOP */
		&& lsi_fiber_claim(&me->parking))
		return;
	suspend(me);
}

/* The same for the leader of a shard: others look for it if there are sleepers. */
static void suspend_leader(struct lsi_node_state *me, const struct lsi_wait *wait)
{
	struct lsi_shard *shard = shard_of(me, wait);
	LSI_ATOMIC(int64_t) *sleepers = &me->machine->sleepers;

	lsi_store(&shard->leader, &me->parking, relaxed); /* LEADER: by the addition */
	lsi_fetch_add(sleepers, 1, seq_cst);              /* LEADER, PARK */
	suspend_by_word(me, wait);
	lsi_fetch_sub(sleepers, 1, relaxed);      /* counter only */
	lsi_store(&shard->leader, NULL, relaxed); /* a waker that still reads it wakes for nothing */
}

/* Can only a node of this worker end the wait? */
static bool is_local(const struct lsi_node_state *me, const struct lsi_wait *wait)
{
	return wait->state.peer >= me->worker->first && wait->state.peer < me->worker->end;
}

static void suspend_for(struct lsi_node_state *me, const struct lsi_wait *wait)
{
	if (!wait->barrier && is_local(me, wait)) {
		lsi_fiber_announce_local(&me->local_parking);
		suspend(me);
	} else if (!wait->barrier) {
		suspend_by_word(me, wait);
	} else if (leads(me, wait)) {
		suspend_leader(me, wait);
	} else {
		lsi_worker_list_add(me->worker, &shard_of(me, wait)->waiting, wait->epoch, &me->fiber.link);
		suspend(me);
	}
}

static int wait_until(struct lsi_node_state *me, const struct lsi_wait *wait)
{
	struct ls_machine *machine = me->machine;

	me->waits_for = &wait->state;
	while (!wait->ready(me, wait->condition)) {
		const int state = lsi_load(&machine->state, acquire); /* STOP */

		/* A message sent before the stop is visible by now: this call succeeds, later ones fail. */
		if (state < 0 && wait->ready(me, wait->condition))
			break;
		if (state < 0)
			return lsi_wait_stopped(me, state);
		if (lsi_worker_has_fibers(me->worker) || !spin(me, wait))
			suspend_for(me, wait);
	}
	me->waits_for = NULL;
	return LS_OK;
}

/* The thread in ls_run observes the limit: see watch(). */
static int wait_for_stop(struct lsi_node_state *me, uint64_t limit)
{
	const struct lsi_wait wait = lsi_wait_without_condition();
	int reason;

	(void)limit;
	while (!(reason = lsi_stop_reason(me->machine)))
		suspend_by_word(me, &wait);
	return reason;
}

static void yield(struct lsi_node_state *me)
{
	struct lsi_node_state *next;

	lsi_run_queue_put(&me->worker->queue, &me->fiber.link);
	next = lsi_worker_take(me->worker);
	if (next != me)
		lsi_worker_switch(me, next);
	else
		lsi_yield();
}

/* ---- Wake */

static void wake(struct ls_machine *machine, struct lsi_parking *parking)
{
	struct lsi_node_state *node = lsi_node_of_parking(parking);

	(void)machine;
	if (parking == &node->local_parking ? lsi_fiber_claim_local(parking) : lsi_fiber_claim(parking))
		lsi_worker_put(node);
}

static void wake_peer(struct ls_machine *machine, const struct lsi_mailbox_end *end)
{
	wake(machine, end->peer);
}

/* Wake the leaders of all shards that have announced that they sleep. */
static void wake_members(
	struct ls_machine *machine, const struct lsi_group *group, struct lsi_barrier *barrier)
{
	(void)group;
	if (lsi_load(&machine->sleepers, seq_cst) == 0) /* LEADER, PARK */
		return;
	for (uint32_t i = 0; i < machine->workers; i++) {
		struct lsi_parking *leader = lsi_load(&barrier->shard[i].leader, relaxed); /* LEADER */

		if (leader)
			wake(machine, leader);
	}
}

static void wake_leaders(struct ls_node *node, struct lsi_barrier *barrier)
{
	wake_members(node->self->machine, node->group, barrier);
}

static void wake_barrier(struct ls_node *node, struct lsi_barrier *barrier)
{
	lsi_barrier_passed(node->self, barrier);
	wake_leaders(node, barrier);
}

static void release_list(struct lsi_node_state *me, struct lsi_wait_list *list)
{
	lsi_worker_list_release(me->worker, list);
}

/* If all other members of this worker have arrived now, one of them must lead the shard. */
static void barrier_left(struct ls_node *node, struct lsi_barrier *barrier)
{
	struct lsi_node_state *me = node->self;
	struct lsi_shard *shard = &barrier->shard[me->core];

	if (shard->waiting.fibers.first && lsi_barrier_waits_for_other_cores(barrier, me->core))
		lsi_worker_list_release(me->worker, &shard->waiting);
}

static void wake_all(struct ls_machine *machine)
{
	for (uint32_t i = 0; i < machine->workers; i++) {
		lsi_exchange(&machine->worker[i].stopped, 1u, seq_cst); /* STOP, PARK */
		lsi_worker_wake(&machine->worker[i]);
	}
}

static void announce_departure(struct lsi_node_state *me)
{
	struct ls_machine *machine = me->machine;

	lsi_fetch_add(&machine->departures, 1u, seq_cst); /* LEFT, PARK */
	for (uint32_t i = 0; i < machine->workers; i++)
		lsi_worker_wake(&machine->worker[i]);
}

/* With its last node, a worker is live no more. */
static void leave(struct lsi_node_state *me)
{
	struct ls_machine *machine = me->machine;

	if (--me->worker->unfinished > 0)
		return;
	if (lsi_park_leave(&machine->park_counter))
		lsi_decide_if_all_parked(machine);
	if (lsi_load(&machine->park_counter.elsewhere, seq_cst) > 0) /* LINK */
		lsi_decide_if_linked_parked(machine);
}

/* ---- Run */

/* The fiber ends: continue another one, or the thread. */
static _Noreturn void end_fiber(struct lsi_node_state *me)
{
	struct lsi_worker *worker = me->worker;
	struct lsi_node_state *next = worker->unfinished > 0 ? lsi_worker_next(worker) : NULL;

	if (next)
		lsi_worker_set_current(worker, next);
	else
		lsi_node_of_thread = NULL;
	lsi_context_exit(&me->fiber.context, next ? &next->fiber.context : &worker->context);
}

void lsi_fiber_run(void *argument)
{
	struct lsi_node_state *me = argument;

	lsi_context_enter();
	lsi_fiber_thread_reset(me->worker);
	lsi_node_run_program(me);
	lsi_node_finish(me);
	end_fiber(me);
}

/* The first function of a fiber whose program has called pthread_exit.  The stack is its own. */
static void finish_exited(void *argument)
{
	struct lsi_node_state *me = argument;

	lsi_context_enter();
	if (!me->current_work && !lsi_machine_status(me)) /* else the call that uses the work fails */
		lsi_machine_fail(me,
			(struct lsi_fault){ LS_ERR_PROGRAM, LS_NO_RANK, me->whole.round, -1, "program" },
			"node %" PRId64 " called pthread_exit; a light node must return from its program",
			me->rank);
	lsi_node_finish(me);
	end_fiber(me);
}

/* Run the fibers of a worker, this one first, until all have ended. */
static void run_from(struct lsi_worker *worker, struct lsi_node_state *next)
{
	lsi_context_of_thread(&worker->context);
	lsi_worker_set_current(worker, next);
	lsi_context_switch(&worker->context, &next->fiber.context);
	lsi_node_of_thread = NULL;
}

/*
 * A cleanup handler: a program has called pthread_exit, and its stack is unwound.  Its fiber begins
 * again, to end with an error, and the worker runs the others; then the thread ends.
 *
 * The next pthread_exit continues in run_all and calls this function again, on the same part of the
 * stack of the thread.  So no fiber may wait on that stack.
 */
static void end_thread(void *argument)
{
	struct lsi_worker *worker = argument;
	struct lsi_node_state *me = current_node(worker);

	lsi_fiber_stack_prepare(me, finish_exited);
	run_from(worker, me);
}

static void run_all(struct lsi_worker *worker)
{
	pthread_cleanup_push(end_thread, worker);
	run_from(worker, lsi_worker_next(worker));
	pthread_cleanup_pop(0);
	for (int64_t rank = worker->first; rank < worker->end; rank++)
		lsi_context_destroy(&worker->machine->node_state[rank].fiber.context);
}

static void run(struct lsi_worker *worker)
{
	lsi_fiber_thread_prepare(worker);
	run_all(worker);
}

static void reset(struct ls_machine *machine)
{
	machine->mailbox_polls = lsi_local_nodes(machine) <= machine->cores ? MAILBOX_POLLS : 1;
	machine->spins = machine->barrier_spins = 0;
	lsi_store(&machine->departures, 0u, relaxed); /* GATE publishes it */
	for (uint32_t i = 0; i < machine->workers; i++) {
		struct lsi_worker *worker = &machine->worker[i];

		lsi_store(&worker->parking.word, 0u, relaxed);   /* GATE publishes it */
		lsi_store(&worker->stopped, 0u, relaxed);        /* as above */
		lsi_store(&worker->inbox.newest, NULL, relaxed); /* as above */
		lsi_store(&worker->current, NULL, relaxed);      /* as above */
		lsi_store(&worker->switches, 0u, relaxed);       /* as above */
		worker->queue.first = NULL;
		worker->lists = NULL;
		worker->next_new = worker->first;
		worker->unfinished = worker->end - worker->first;
		worker->departures = 0;
		worker->next_look = 0;
		worker->watched_since = 0;
		worker->reported = false;
	}
}

const struct lsi_carrier lsi_fiber_carrier = {
	"fibers",
	STACK,
	THREAD_STACK,
	true,
	reset,
	lsi_fiber_stacks_make,
	run,
	lsi_fiber_stacks_release,
	wait_until,
	wait_for_stop,
	suspend_by_word,
	wake,
	wake_peer,
	wake_members,
	wake_barrier,
	wake_leaders,
	barrier_left,
	release_list,
	wake_all,
	yield,
	announce_departure,
	leave,
	lsi_fiber_watch,
};
