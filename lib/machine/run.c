/*
 * A run, on threads that ls_run creates:
 *
 *   ls_run    begin . create threads . open the gate . hand out the trace . join . end
 *   thread                             gate . program . finish
 *
 * The gate opens when all threads exist.  When one cannot be created, the gate is cancelled and no
 * program begins.  ls_attach (attach.c) uses the same begin, gate and end with threads of the
 * program.
 */
#include "machine/run.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/cores.h"
#include "base/futex.h"
#include "machine/channel.h"
#include "machine/group.h"
#include "machine/group_work_sharing.h"
#include "machine/pending_send.h"
#include "machine/trace_records.h"
#include "machine/wait.h"
#include "topology/topology_internal.h"

enum {
	MAILBOX_POLLS = 100,         /* a line comes from another core in that time */
	SPINS = 4000,                /* about 100 us */
	BARRIER_SPINS_PER_NODE = 50, /* times the nodes of a core: about one yield by each */
	YIELD_NS = 2000000,          /* before sleep, at least */
	YIELD_NS_PER_NODE = 16000,   /* times all nodes, if that is more: some yields by each */
	TRACE_INTERVAL_NS = 50000,   /* between two reads of the trace queue; doubles up to: */
	TRACE_INTERVAL_NS_MOST = 2000000
};
static const double longest_timeout = 1e9; /* seconds (30 years): in ns it fits the clock */

/* ---- Begin a run, and end a node */

/* 0: no time limit. */
static uint64_t deadline_of(double timeout)
{
	return timeout > 0
		? lsi_now_ns() + (uint64_t)((timeout < longest_timeout ? timeout : longest_timeout) * 1e9)
		: 0;
}

/* How long waits spin and yield before they sleep. */
static void set_wait_limits(struct ls_machine *machine)
{
	const int cores = lsi_core_count();
	const uint64_t yield_ns = (uint64_t)machine->nodes * YIELD_NS_PER_NODE;

	machine->mailbox_polls = machine->nodes <= cores ? MAILBOX_POLLS : 1;
	machine->spins = machine->nodes <= cores ? SPINS : 0;
	machine->barrier_spins = BARRIER_SPINS_PER_NODE * (int)(machine->nodes / machine->cores);
	machine->yield_ns_before_sleep = yield_ns > YIELD_NS ? yield_ns : YIELD_NS;
}

static void reset_node(struct lsi_node_state *me)
{
	lsi_store(&me->parking.word, 0u, relaxed); /* GATE publishes it */
	lsi_store(&me->ended, 0u, relaxed);        /* GATE publishes it */
	lsi_store(&me->gone, 0u, relaxed);         /* GATE publishes it */
	me->sends = me->receives = me->n_pending = 0;
	me->count = (struct lsi_counters){ 0 };
	me->waits = me->reported = false;
	me->refused_call.status = LS_OK;
	me->whole.round = 1;
	me->whole.sequence = 0;
	me->whole.last_root = 0;
	me->call_handle = NULL;
	me->current_work = NULL;
	me->units = 0;
}

int lsi_run_begin(struct ls_machine *machine)
{
	const bool failed_before = machine->error.kind != LS_OK;

	machine->error = (struct ls_error){ sizeof machine->error, LS_OK, -1, -1, -1, -1, NULL, "" };
	if (failed_before)
		lsi_registry_reset(machine);
	set_wait_limits(machine);
	machine->deadline = deadline_of(machine->options.timeout);
	machine->total = (struct lsi_counters){ 0 };
	machine->trace_buffer.n = 0;
	lsi_group_reset(machine, &machine->whole);
	for (int64_t i = 0; i < machine->nodes; i++)
		reset_node(&machine->node_state[i]);
	for (int64_t i = 0;
		 machine->load && i < machine->topology->vertices * machine->topology->degree; i++)
		lsi_store(&machine->load[i], 0u, relaxed); /* GATE publishes it */
	lsi_park_counter_reset(&machine->park_counter, (uint32_t)machine->nodes);
	lsi_store(&machine->sleepers, 0, relaxed);           /* GATE publishes it */
	lsi_store(&machine->stopped, LS_OK, relaxed);        /* GATE publishes it */
	lsi_store(&machine->gate, LSI_GATE_CLOSED, release); /* GATE */
	return lsi_trace_output_open(&machine->trace_output, ls_topology_spec(machine->topology),
		machine->options.mode, &machine->error);
}

/* Units first: while they are open, other nodes read the memory of this thread. */
void lsi_node_finish(struct lsi_node_state *me)
{
	lsi_work_abort(me);
	lsi_store(&me->ended, 1u, release); /* ENDED */
	if (!lsi_machine_status(me))
		lsi_pending_wait(&me->whole, INT64_MAX, "return");
	lsi_pending_cancel(me);
	lsi_node_leave(me);
	lsi_rcu_unregister(me->rcu_reader);
}

/* A cancelled gate returns the reason of the stop. */
int lsi_gate_wait(struct ls_machine *machine)
{
	uint32_t gate;

	while ((gate = lsi_load(&machine->gate, acquire)) == LSI_GATE_CLOSED) { /* GATE */
		lsi_futex_wait(&machine->gate, LSI_GATE_CLOSED, machine->deadline);
		if (machine->deadline && lsi_now_ns() >= machine->deadline)
			ls_machine_stop(machine, LS_ERR_TIMEOUT);
	}
	if (gate == LSI_GATE_OPEN)
		return LS_OK;

	/* The stop may have come while lsi_run_begin cleared `stopped`: then set it again. */
	int why = LS_OK;

	lsi_compare_swap(&machine->stopped, &why, LS_ERR_STOPPED, acq_rel); /* STOP */
	return why ? why : LS_ERR_STOPPED;
}

/* Only the first change of a closed gate counts. */
bool lsi_gate_open(struct ls_machine *machine, enum lsi_gate gate)
{
	uint32_t found = LSI_GATE_CLOSED;

	lsi_compare_swap(&machine->gate, &found, (uint32_t)gate, acq_rel); /* GATE */
	lsi_futex_wake(&machine->gate, INT_MAX);
	return lsi_load(&machine->gate, relaxed) == LSI_GATE_OPEN; /* final now */
}

/* ---- Run */

/* Also when the program calls pthread_exit: a cleanup handler. */
static void finish_thread(void *me)
{
	lsi_node_finish(me);
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
			"the program of node %" PRId64 " returned %d%s%s in round %" PRId64, me->rank, result,
			result < 0 ? ", " : "", result < 0 ? ls_status_name(result) : "", round);
}

static void *thread_body(void *arg)
{
	struct lsi_node_state *me = arg;
	struct ls_machine *machine = me->machine;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL); /* waits hold no cleanup handlers */
	if (lsi_gate_wait(machine) != LS_OK)
		return NULL;
	me->rcu_reader = false;
	lsi_rcu_register(false);
	pthread_cleanup_push(finish_thread, me);

	const int result = machine->program(&me->whole, machine->argument);

	if (result && !lsi_load(&machine->stopped, acquire)) /* STOP */
		report_result(me, result);
	pthread_cleanup_pop(1);
	return NULL;
}

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

/* While nodes run, hand out trace records.  In lockstep mode a round that has ended is complete. */
static void supervise(struct ls_machine *machine)
{
	struct timespec pause = { 0, TRACE_INTERVAL_NS };

	while (machine->records && lsi_park_counter_live(&machine->park_counter) > 0) {
		const uint32_t ended = lsi_barrier_epoch(&machine->whole.barrier);

		lsi_trace_drain(machine, machine->options.rounds == LS_LOCKSTEP ? (int64_t)ended + 1 : 0);
		nanosleep(&pause, NULL);
		pause.tv_nsec =
			2 * pause.tv_nsec < TRACE_INTERVAL_NS_MOST ? 2 * pause.tv_nsec : TRACE_INTERVAL_NS_MOST;
	}
}

/* Reserve the machine for a run; LS_ERR_BUSY: it is running. */
static int reserve_machine(struct ls_machine *machine)
{
	int busy;

	pthread_mutex_lock(&machine->control);
	busy = machine->running;
	machine->running = true;
	pthread_mutex_unlock(&machine->control);
	return busy ? LS_ERR_BUSY : LS_OK;
}

/* The machine may run again. */
static void release_machine(struct ls_machine *machine)
{
	pthread_mutex_lock(&machine->control);
	machine->running = false;
	pthread_mutex_unlock(&machine->control);
}

/* Create the threads, wait for them, and set machine->error. */
static void run_threads(struct ls_machine *machine)
{
	const int64_t made = start_threads(machine);

	if (lsi_gate_open(machine, made == machine->nodes ? LSI_GATE_OPEN : LSI_GATE_CANCELLED))
		supervise(machine);
	for (int64_t i = 0; i < made; i++)
		pthread_join(machine->node_state[i].thread, NULL);
	lsi_stacks_destroy(&machine->stacks);
	if (made == machine->nodes)
		lsi_run_end(machine);
	else
		lsi_trace_output_close(&machine->trace_output, &machine->error);
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
