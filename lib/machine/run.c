/*
 * A run, on threads that ls_run creates:
 *
 *   ls_run    begin . create workers . open the gate . hand out the trace . join . end
 *   worker                             gate . programs of its nodes . finish
 *
 * A worker is a thread; it runs one node, or several as fibers (carrier.h).  The gate opens when
 * all threads exist.  When one cannot be created, the gate is cancelled and no
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
#include "machine/carrier.h"
#include "machine/group.h"
#include "machine/local_ranks.h"
#include "machine/processes/far_nodes.h"
#include "machine/shared_threads.h"
#include "machine/shrink.h"
#include "machine/trace_records.h"
#include "machine/verdict.h"
#include "machine/wait.h"
#include "world/use.h"

enum {
	TRACE_INTERVAL_NS = 50000, /* between two reads of the trace queue; doubles up to: */
	TRACE_INTERVAL_NS_MOST = 2000000,
	WATCH_INTERVAL_NS = 100000000
};

/* ---- A worker */

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

void lsi_node_run_program(struct lsi_node_state *me)
{
	const struct ls_machine *machine = me->machine;
	/* After a stop, ls_run may have returned, and the argument may be gone. */
	const bool begins = !lsi_stop_reason(me->machine) || lsi_shrink_is_possible(me->machine);
	const int result = begins ? machine->program(&me->whole, machine->argument) : LS_OK;

	if (result && !lsi_machine_status(me))
		report_result(me, result);
}

/* The last act of a worker: a cleanup handler, because a program may call pthread_exit. */
static void finish_worker(void *arg)
{
	struct lsi_worker *worker = arg;
	struct ls_machine *machine = worker->machine;

	lsi_rcu_unregister(false);
	lsi_store(&worker->finished, 1u, release);                 /* FINISHED */
	if (lsi_fetch_sub(&machine->unfinished, 1u, acq_rel) == 1) /* FINISHED */
		lsi_futex_wake(&machine->unfinished, 1);
}

static void *run_worker(void *arg)
{
	struct lsi_worker *worker = arg;
	struct ls_machine *machine = worker->machine;
	static _Thread_local struct lsi_world_scope scope; /* the program may call pthread_exit */

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL); /* waits hold no cleanup handlers */
	lsi_world_enter(&scope, machine->options.world);
	lsi_rcu_register(false);
	pthread_cleanup_push(finish_worker, worker);
	if (lsi_gate_wait(machine) == LS_OK)
		machine->carrier->run(worker);
	pthread_cleanup_pop(1);
	return NULL;
}

/* ---- All threads */

/* Create the threads of all workers; the number created.  *reason: why it is smaller. */
static uint32_t create_threads(struct ls_machine *machine, struct lsi_binding *binding, int *reason)
{
	uint32_t made = 0;

	for (*reason = 0; made < machine->workers; made++) {
		struct lsi_worker *worker = &machine->worker[made];
		const struct lsi_cpu_set *cpus = lsi_binding_for(binding, machine->options.bind,
			worker->first - machine->first_local, lsi_local_nodes(machine));

		*reason =
			lsi_thread_make(&worker->thread, &machine->stacks, made, cpus, run_worker, worker);
		if (*reason)
			break;
		worker->has_thread = true;
	}
	return made;
}

void lsi_run_lacks_stacks(struct ls_machine *machine, int64_t count, size_t bytes)
{
	machine->error.kind = LS_ERR_MEMORY;
	snprintf(machine->error.text, sizeof machine->error.text,
		"no address space for %" PRId64 " stacks of %zu bytes", count, bytes);
}

/* A stack also holds the program's thread-local storage: grow it until the first thread starts. */
static uint32_t start_on_stacks(struct ls_machine *machine, struct lsi_binding *binding)
{
	size_t bytes =
		machine->carrier->thread_stack ? machine->carrier->thread_stack : machine->options.stack;
	int reason;
	uint32_t made = 0;

	for (int tries = 0; tries < 16; tries++, bytes *= 2) {
		machine->stacks = lsi_stacks_make(machine->workers, bytes, true);
		if (!machine->stacks.base) {
			lsi_run_lacks_stacks(machine, machine->workers, bytes);
			return 0;
		}
		made = create_threads(machine, binding, &reason);
		if (made > 0 || reason != EINVAL)
			break;
		lsi_stacks_destroy(&machine->stacks);
	}
	if (made < machine->workers) {
		machine->error.kind = LS_ERR_THREADS;
		machine->error.node = machine->worker[made].first;
		snprintf(machine->error.text, sizeof machine->error.text,
			"thread %" PRIu32 " of %" PRIu32
			" could not be created: %s; allow more threads, or try fewer nodes",
			made + 1, machine->workers, strerror(reason));
	}
	return made;
}

/* Bind and start the threads; the number started.  If it is too small, machine->error says why. */
static uint32_t start_threads(struct ls_machine *machine)
{
	struct lsi_binding binding;

	if (machine->workers == 0 || !machine->carrier->prepare(machine))
		return 0;
	if (!lsi_processes_bind(machine, &binding)) {
		machine->error.kind = LS_ERR_MEMORY;
		snprintf(machine->error.text, sizeof machine->error.text,
			"no memory to bind %" PRId64 " nodes to cores", lsi_local_nodes(machine));
		return 0;
	}

	const uint32_t made = start_on_stacks(machine, &binding);

	lsi_binding_destroy(&binding);
	return made;
}

/* When the thread in ls_run must look again (ns; 0: never). */
static uint64_t next_watch(const struct ls_machine *machine, uint64_t now, uint64_t limit)
{
	const uint64_t next = now + WATCH_INTERVAL_NS;

	return machine->carrier->watch && (!limit || next < limit) ? next : limit;
}

bool lsi_run_wait_for_threads(struct ls_machine *machine, uint64_t limit)
{
	uint32_t unfinished;

	while ((unfinished = lsi_load(&machine->unfinished, acquire)) > 0) { /* FINISHED */
		const uint64_t now = lsi_now_ns();

		if (limit && now >= limit)
			return false;
		if (machine->carrier->watch)
			machine->carrier->watch(machine, now);
		lsi_futex_wait(&machine->unfinished, unfinished, next_watch(machine, now, limit));
	}
	return true;
}

void lsi_run_wait_for_end(struct ls_machine *machine)
{
	if (lsi_run_wait_for_threads(machine, machine->deadline))
		return;
	lsi_time_out(machine);
	lsi_run_wait_for_threads(machine, lsi_run_last_moment(machine));
}

/* While nodes run, hand out trace records.  In lockstep mode a round that has ended is complete. */
static void hand_out_trace(struct ls_machine *machine)
{
	struct timespec pause = { 0, TRACE_INTERVAL_NS };

	while (machine->records && !machine->processes
		&& lsi_park_counter_live(&machine->park_counter) > 0
		&& (!machine->deadline || lsi_now_ns() < machine->deadline)) {
		const uint32_t ended = lsi_barrier_epoch(&machine->whole.barrier);

		lsi_trace_drain(machine, machine->options.rounds == LS_LOCKSTEP ? (int64_t)ended + 1 : 0);
		if (machine->carrier->watch)
			machine->carrier->watch(machine, lsi_now_ns());
		lsi_thread_await(machine, lsi_load(&machine->runs, relaxed)); /* no node is attached */
		nanosleep(&pause, NULL);
		lsi_thread_await(NULL, 0);
		pause.tv_nsec =
			2 * pause.tv_nsec < TRACE_INTERVAL_NS_MOST ? 2 * pause.tv_nsec : TRACE_INTERVAL_NS_MOST;
	}
}

/* Join the threads that have finished; false: some have not. */
static bool join_finished(struct ls_machine *machine, uint32_t made)
{
	bool all = true;

	for (uint32_t i = 0; i < made; i++) {
		struct lsi_worker *worker = &machine->worker[i];

		if (!worker->has_thread)
			continue;
		if (made < machine->workers || lsi_load(&worker->finished, acquire)) { /* FINISHED */
			pthread_join(worker->thread, NULL);
			worker->has_thread = false;
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
	if (!machine->abandoned || machine->refuses
		|| lsi_load(&machine->unfinished, acquire) > 0 /* FINISHED */
		|| !join_finished(machine, machine->workers) || !lsi_processes_join_abandoned(machine))
		return;
	free_threads(machine);
	lsi_processes_end_refusals(machine);
	machine->running = machine->abandoned = false;
}

/* Wait for the end of a run of attached nodes.  The caller holds control. */
static void await_run(struct ls_machine *machine)
{
	const uint32_t runs = lsi_load(&machine->runs, relaxed); /* control orders it */

	pthread_mutex_unlock(&machine->control);
	lsi_futex_wait(&machine->runs, runs, 0);
	pthread_mutex_lock(&machine->control);
}

bool lsi_run_has_ended(struct ls_machine *machine)
{
	if (machine->processes && *machine->fork_guard) {
		pthread_mutex_lock(&machine->control);
		while (machine->supervised && machine->attached == 0)
			await_run(machine);
		pthread_mutex_unlock(&machine->control);
	}
	return !ls_machine_busy(machine);
}

void lsi_run_lock(struct ls_machine *machine)
{
	pthread_mutex_lock(&machine->control);
	while (machine->ends)
		await_run(machine);
	lsi_run_reclaim(machine);
	while (!machine->running && machine->detaching > 0) {
		pthread_mutex_unlock(&machine->control);
		lsi_yield();
		pthread_mutex_lock(&machine->control);
	}
}

/* ---- Run */

/*
 * Reserve the machine and begin its run: a stop by a thread that has found the machine busy ends
 * this run.  False: it is running.
 */
static bool reserve_machine(struct ls_machine *machine)
{
	bool busy;

	lsi_run_lock(machine);
	busy = machine->running;
	if (!busy) {
		machine->running = true;
		lsi_run_begin(machine);
	}
	pthread_mutex_unlock(&machine->control);
	return !busy;
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
	const uint32_t made = start_threads(machine);
	const bool all_made = lsi_processes_start(machine, made == machine->workers);
	bool thread_abandoned;

	if (lsi_gate_open(machine, all_made ? LSI_GATE_OPEN : LSI_GATE_CANCELLED))
		hand_out_trace(machine);
	if (made == machine->workers) {
		lsi_thread_await(machine, lsi_load(&machine->runs, relaxed)); /* no node is attached */
		lsi_run_wait_for_end(machine);
		lsi_thread_await(NULL, 0);
	}
	if (all_made)
		lsi_processes_finish(machine);
	thread_abandoned = lsi_processes_describe_abandoned(machine, &machine->error);
	machine->all_ended = join_finished(machine, made) && !thread_abandoned;
	if (all_made)
		lsi_run_end(machine);
	else
		lsi_trace_output_close(&machine->trace_output, &machine->error);
	if (machine->all_ended)
		free_threads(machine);
}

/* LS_ERR_BUSY: all processes refuse the call. */
static int reserve_or_refuse(struct ls_machine *machine)
{
	while (!reserve_machine(machine)) {
		if (lsi_processes_refuse(machine))
			return LS_ERR_BUSY;
		lsi_yield();
	}
	return LS_OK;
}

/* Run the nodes of a reserved machine. */
static int run_reserved(struct ls_machine *machine)
{
	int result = lsi_processes_begin(machine, lsi_run_open_trace(machine, true));

	if (!result) {
		run_threads(machine);
		lsi_processes_end(machine);
		result = machine->error.kind;
	} else {
		lsi_trace_output_close(&machine->trace_output, &machine->error);
	}
	release_machine(machine);
	return result;
}

int ls_run(ls_machine *machine, int (*program)(ls_node *, void *), void *arg)
{
	int cancel, result;

	if (!machine || !program)
		return LS_ERR_ARGUMENT;
	if (*machine->fork_guard == 0)
		return LS_ERR_FORK;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel); /* the nodes need this thread */
	result = reserve_or_refuse(machine);
	if (!result) {
		machine->program = program;
		machine->argument = arg;
		result = run_reserved(machine);
	}
	pthread_setcancelstate(cancel, NULL);
	return result;
}
