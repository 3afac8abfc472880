/*
 * A run, on threads that ls_run creates:
 *
 *   ls_run    begin . create threads . open the gate . hand out the trace . join . end
 *   thread                             gate . program . finish
 *
 * The gate opens when all threads exist.  When one cannot be created, the gate is cancelled and no
 * program begins.  ls_attach (attach.c) uses the same begin, gate and end with threads of the
 * program.
 *
 * A thread may compute beyond the time limit.  Then ls_run abandons it: it returns, and the machine
 * is busy until the thread has returned, too.
 */
#include "machine/run.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/cores.h"
#include "base/futex.h"
#include "machine/group.h"
#include "machine/shared_threads.h"
#include "machine/trace_records.h"
#include "machine/verdict.h"
#include "machine/wait.h"

enum {
	TRACE_INTERVAL_NS = 50000, /* between two reads of the trace queue; doubles up to: */
	TRACE_INTERVAL_NS_MOST = 2000000
};

/* ---- A thread */

/* The last act of a thread of the run. */
static void finish_thread(struct lsi_node_state *me)
{
	struct ls_machine *machine = me->machine;

	lsi_store(&me->finished, 1u, release);                     /* FINISHED */
	if (lsi_fetch_sub(&machine->unfinished, 1u, acq_rel) == 1) /* FINISHED */
		lsi_futex_wake(&machine->unfinished, 1);
}

/* Also when the program calls pthread_exit: a cleanup handler. */
static void end_node(void *me)
{
	lsi_node_finish(me);
	lsi_thread_leave(me);
	finish_thread(me);
}

/* The program returned an error that did not stop the machine. */
static void report_result(struct lsi_node_state *me, int result)
{
	const struct lsi_refused_call *refused = &me->refused_call;
	const int64_t round = me->whole.round;
	const struct lsi_fault fault = { LS_ERR_PROGRAM, -1, round, -1, "program" };

	if (result == refused->status)
		lsi_machine_fail(me, fault, "node %" PRId64 ": %s", me->rank, refused->reason);
	else
		lsi_machine_fail(me, fault,
			"the program of node %" PRId64 " returned %d%s%s%s in round %" PRId64, me->rank, result,
			result < 0 ? " (" : "", result < 0 ? ls_status_name(result) : "", result < 0 ? ")" : "",
			round);
}

static void *thread_body(void *arg)
{
	struct lsi_node_state *me = arg;
	struct ls_machine *machine = me->machine;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL); /* waits hold no cleanup handlers */
	if (lsi_gate_wait(machine) != LS_OK) {
		finish_thread(me);
		return NULL;
	}
	me->rcu_reader = false;
	lsi_rcu_register(false);
	lsi_thread_enter(me);
	pthread_cleanup_push(end_node, me);

	/* After a stop, ls_run may have returned, and the argument may be gone. */
	const int result =
		lsi_stop_reason(machine) ? LS_OK : machine->program(&me->whole, machine->argument);

	if (result && !lsi_machine_status(me))
		report_result(me, result);
	pthread_cleanup_pop(1);
	return NULL;
}

/* ---- All threads */

/* Create the threads of all nodes; the number created.  *reason: why it is smaller. */
static int64_t create_threads(struct ls_machine *machine, struct lsi_binding *binding, int *reason)
{
	const int64_t nodes = machine->nodes;
	int64_t made = 0;

	for (*reason = 0; made < nodes; made++) {
		struct lsi_node_state *me = &machine->node_state[made];
		const struct lsi_cpu_set *cpus =
			lsi_binding_for(binding, machine->options.bind, made, nodes);

		*reason = lsi_thread_make(&me->thread, &machine->stacks, made, cpus, thread_body, me);
		if (*reason)
			break;
		me->has_thread = true;
	}
	return made;
}

/* A stack also holds the program's thread-local storage: grow it until the first thread starts. */
static int64_t start_on_stacks(struct ls_machine *machine, struct lsi_binding *binding)
{
	size_t bytes = machine->options.stack;
	int reason;
	int64_t made = 0;

	for (int tries = 0; tries < 16; tries++, bytes *= 2) {
		machine->stacks = lsi_stacks_make(machine->nodes, bytes);
		if (!machine->stacks.base) {
			machine->error.kind = LS_ERR_MEMORY;
			snprintf(machine->error.text, sizeof machine->error.text,
				"no address space for %" PRId64 " stacks of %zu bytes", machine->nodes, bytes);
			return 0;
		}
		made = create_threads(machine, binding, &reason);
		if (made > 0 || reason != EINVAL)
			break;
		lsi_stacks_destroy(&machine->stacks);
	}
	if (made < machine->nodes) {
		machine->error.kind = LS_ERR_THREADS;
		machine->error.node = made;
		snprintf(machine->error.text, sizeof machine->error.text,
			"thread %" PRId64 " of %" PRId64
			" could not be created: %s; allow more threads, or try fewer nodes",
			made + 1, machine->nodes, strerror(reason));
	}
	return made;
}

/* Bind and start the threads; the number started.  If it is too small, machine->error says why. */
static int64_t start_threads(struct ls_machine *machine)
{
	struct lsi_binding binding;

	if (!lsi_binding_make(&binding, machine->options.bind)) {
		machine->error.kind = LS_ERR_MEMORY;
		snprintf(machine->error.text, sizeof machine->error.text,
			"no memory to bind %" PRId64 " nodes to cores", machine->nodes);
		return 0;
	}

	const int64_t made = start_on_stacks(machine, &binding);

	lsi_binding_destroy(&binding);
	return made;
}

/* Wait until all threads have finished.  False: the limit (ns; 0: none) is over. */
static bool wait_for_threads(struct ls_machine *machine, uint64_t limit)
{
	uint32_t unfinished;

	while ((unfinished = lsi_load(&machine->unfinished, acquire)) > 0) { /* FINISHED */
		if (limit && lsi_now_ns() >= limit)
			return false;
		lsi_futex_wait(&machine->unfinished, unfinished, limit);
	}
	return true;
}

/* Wait for all threads; after the time limit only for a while. */
static void wait_for_end(struct ls_machine *machine)
{
	if (wait_for_threads(machine, machine->deadline))
		return;
	lsi_time_out(machine);
	wait_for_threads(machine, lsi_run_last_moment(machine));
}

/* While nodes run, hand out trace records.  In lockstep mode a round that has ended is complete. */
static void hand_out_trace(struct ls_machine *machine)
{
	struct timespec pause = { 0, TRACE_INTERVAL_NS };

	while (machine->records && lsi_park_counter_live(&machine->park_counter) > 0
		&& (!machine->deadline || lsi_now_ns() < machine->deadline)) {
		const uint32_t ended = lsi_barrier_epoch(&machine->whole.barrier);

		lsi_trace_drain(machine, machine->options.rounds == LS_LOCKSTEP ? (int64_t)ended + 1 : 0);
		lsi_thread_await(machine, lsi_load(&machine->runs, relaxed)); /* no node is attached */
		nanosleep(&pause, NULL);
		lsi_thread_await(NULL, 0);
		pause.tv_nsec =
			2 * pause.tv_nsec < TRACE_INTERVAL_NS_MOST ? 2 * pause.tv_nsec : TRACE_INTERVAL_NS_MOST;
	}
}

/* Join the threads that have finished; false: some have not. */
static bool join_finished(struct ls_machine *machine, int64_t made)
{
	bool all = true;

	for (int64_t i = 0; i < made; i++) {
		struct lsi_node_state *node = &machine->node_state[i];

		if (!node->has_thread)
			continue;
		if (made < machine->nodes || lsi_load(&node->finished, acquire)) { /* FINISHED */
			pthread_join(node->thread, NULL);
			node->has_thread = false;
		} else {
			all = false;
		}
	}
	return all;
}

/* All threads of the last run have returned: free what they used. */
static void free_threads(struct ls_machine *machine)
{
	lsi_stacks_destroy(&machine->stacks);
	lsi_groups_destroy(machine);
}

void lsi_run_reclaim(struct ls_machine *machine)
{
	if (!machine->abandoned || lsi_load(&machine->unfinished, acquire) > 0 /* FINISHED */
		|| !join_finished(machine, machine->nodes))
		return;
	free_threads(machine);
	machine->running = machine->abandoned = false;
}

void lsi_run_lock(struct ls_machine *machine)
{
	pthread_mutex_lock(&machine->control);
	lsi_run_reclaim(machine);
	while (!machine->running && machine->detaching > 0) {
		pthread_mutex_unlock(&machine->control);
		lsi_yield();
		pthread_mutex_lock(&machine->control);
	}
}

/* ---- Run */

/* Reserve the machine for a run; LS_ERR_BUSY: it is running. */
static int reserve_machine(struct ls_machine *machine)
{
	int busy;

	lsi_run_lock(machine);
	busy = machine->running;
	machine->running = true;
	pthread_mutex_unlock(&machine->control);
	return busy ? LS_ERR_BUSY : LS_OK;
}

/* The machine may run again, unless threads of this run have not returned. */
static void release_machine(struct ls_machine *machine)
{
	pthread_mutex_lock(&machine->control);
	machine->running = machine->abandoned = !machine->all_ended;
	pthread_mutex_unlock(&machine->control);
}

/* Create the threads, wait for them, and set machine->error. */
static void run_threads(struct ls_machine *machine)
{
	const int64_t made = start_threads(machine);

	if (lsi_gate_open(machine, made == machine->nodes ? LSI_GATE_OPEN : LSI_GATE_CANCELLED))
		hand_out_trace(machine);
	if (made == machine->nodes) {
		lsi_thread_await(machine, lsi_load(&machine->runs, relaxed)); /* no node is attached */
		wait_for_end(machine);
		lsi_thread_await(NULL, 0);
	}
	machine->all_ended = join_finished(machine, made);
	if (made == machine->nodes)
		lsi_run_end(machine);
	else
		lsi_trace_output_close(&machine->trace_output, &machine->error);
	if (machine->all_ended)
		free_threads(machine);
}

int ls_run(ls_machine *machine, int (*program)(ls_node *, void *), void *arg)
{
	if (!machine || !program)
		return LS_ERR_ARGUMENT;
	if (*machine->fork_guard == 0)
		return LS_ERR_FORK;
	if (reserve_machine(machine) != LS_OK)
		return LS_ERR_BUSY;

	int cancel, result;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel); /* the nodes need this thread */
	machine->program = program;
	machine->argument = arg;
	result = lsi_run_begin(machine);
	if (!result) {
		run_threads(machine);
		result = machine->error.kind;
	}
	release_machine(machine);
	pthread_setcancelstate(cancel, NULL);
	return result;
}
