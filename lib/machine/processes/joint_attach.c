/*
 * Runs of attached nodes in several processes.
 *
 *   threads            attach . wait at the gate ------> program . detach . wait for the end
 *                             |                    ^                   |      ^
 *                             v                    |                   v      |
 *   supervising thread         meet the others . open the gate . wait . end the run
 *
 * The thread begins when all nodes of its process are attached.  A stop or the time limit may end
 * the wait for the other processes: then the processes have not met, and the run ends here alone.
 * After they have met they do everything together, as the threads in ls_run.
 */
#include <inttypes.h>
#include <limits.h>
#include <string.h>

#include "base/error.h"
#include "base/futex.h"
#include "base/thread.h"
#include "machine/group.h"
#include "machine/processes/far_internal.h"
#include "machine/run.h"
#include "machine/shared_threads.h"
#include "machine/wait.h"

/* ---- What cannot attach */

/* The first process without nodes; -1: none. */
static int empty_process(const struct lsi_processes *p)
{
	for (int i = 0; i < p->count; i++) {
		if (p->first_rank[i] == p->first_rank[i + 1])
			return i;
	}
	return -1;
}

int lsi_processes_check_attach(
	const struct ls_machine *machine, int64_t rank, struct ls_error *error)
{
	const struct lsi_processes *p = machine->processes;
	const int empty = empty_process(p);

	if (!machine->running && p->broken) { /* threads of a run write both */
		*error = p->failure;
		return p->failure.kind;
	}
	if (empty >= 0)
		return lsi_error_set(error, LS_ERR_UNSUPPORTED,
			"process %d of %d has none of the %" PRId64
			" nodes, so no thread attaches there; start fewer processes",
			empty, p->count, machine->nodes);
	if (!lsi_rank_is_local(machine, rank))
		return lsi_error_set(error, LS_ERR_ARGUMENT,
			"node %" PRId64 " is in process %d, and this is process %d; attach to local ranks: "
			"%" PRId64 " to %" PRId64,
			rank, lsi_process_of(p, rank), p->number, machine->first_local, machine->end_local - 1);
	if (!machine->node_state[rank].attached && lsi_world_is_inside(p->world))
		return lsi_error_set(
			error, LS_ERR_BUSY, "a node of a machine cannot attach to a machine in the same world");
	return LS_OK;
}

static struct lsi_world_scope *scope_of(const struct lsi_node_state *me)
{
	return &me->machine->processes->gone_node[me->rank - me->machine->first_local].scope;
}

void lsi_processes_enter(struct lsi_node_state *me)
{
	if (me->machine->processes)
		lsi_world_enter(scope_of(me), me->machine->processes->world);
}

void lsi_processes_leave(struct lsi_node_state *me)
{
	if (me->machine->processes)
		lsi_world_leave(scope_of(me));
}

/* ---- Refuse threads while the last run is abandoned */

struct refusal {
	struct ls_machine *machine;
	uint64_t limit; /* ns */
};

/* The threads of the last run have returned, or the other processes do not attach. */
static bool is_given_up(void *context)
{
	const struct refusal *refusal = context;

	return lsi_load(&refusal->machine->unfinished, acquire) == 0 /* FINISHED */
		|| lsi_now_ns() >= refusal->limit;
}

/*
 * Begin a run that fails in all processes.  The caller has `control`.  It counts as a refusal,
 * unless this process has withdrawn: then the others will begin it later.
 */
static void refuse_in_all(struct ls_machine *machine)
{
	struct lsi_processes *p = machine->processes;
	struct refusal refusal = { machine, lsi_now_ns() + lsi_run_grace(machine) };
	const struct lsi_stop withdraws = { is_given_up, &refusal };
	struct ls_error error = { .size = sizeof error };
	int status;

	machine->refuses = true;
	pthread_mutex_unlock(&machine->control);
	status = lsi_joint_begin(p, LS_ERR_BUSY, &withdraws, &error);
	pthread_mutex_lock(&machine->control);
	machine->refuses = false;
	p->refusals += status != LSI_USE_WITHDRAWN;
	lsi_fetch_add(&p->attempts, 1u, relaxed); /* control orders it */
	lsi_futex_wake(&p->attempts, INT_MAX);
	pthread_mutex_unlock(&machine->control);
	lsi_run_lock(machine);
}

/* Another thread does it. */
static void wait_for_refusal(struct ls_machine *machine)
{
	const uint32_t attempts = lsi_load(&machine->processes->attempts, relaxed); /* as above */

	pthread_mutex_unlock(&machine->control);
	lsi_futex_wait(&machine->processes->attempts, attempts, 0);
	lsi_run_lock(machine);
}

/*
 * The others begin one run with all their nodes; here each thread makes a call, now or later, also
 * when the last run has ended meanwhile.  So refusal k of a node is part of refusal k in all
 * processes.
 */
int lsi_processes_refuse_attach(struct ls_machine *machine, int64_t rank)
{
	struct lsi_processes *p = machine->processes;
	uint32_t *const mine = &p->gone_node[rank - machine->first_local].refused;

	if (machine->node_state[rank].attached) { /* the call fails */
		*mine += machine->abandoned;
		return LS_OK;
	}
	if (*mine >= p->refusals && machine->abandoned && !p->thread_abandoned) {
		if (machine->refuses)
			wait_for_refusal(machine);
		else
			refuse_in_all(machine);
	}
	if (*mine >= p->refusals)
		return machine->abandoned ? LS_ERR_BUSY : LS_OK;
	++*mine;
	return LS_ERR_BUSY;
}

/* A call that failed counts only for the refusals while the run was abandoned. */
void lsi_processes_end_refusals(struct ls_machine *machine)
{
	struct lsi_processes *p = machine->processes;

	for (int64_t i = 0; p && i < lsi_local_nodes(machine); i++) {
		if (p->gone_node[i].refused > p->refusals)
			p->gone_node[i].refused = p->refusals;
	}
}

void lsi_processes_forget_refusals(struct ls_machine *machine)
{
	struct lsi_processes *p = machine->processes;

	pthread_mutex_lock(&machine->control);
	for (int64_t i = 0; p->refusals > 0 && i < lsi_local_nodes(machine); i++)
		p->gone_node[i].refused = 0;
	p->refusals = 0;
	pthread_mutex_unlock(&machine->control);
}

/* ---- The supervising thread */

static bool has_stopped(void *machine)
{
	return lsi_stop_reason(machine) != LS_OK;
}

/* True: the run is the use of the world. */
static bool begin(struct ls_machine *machine)
{
	const struct lsi_stop withdraws = { has_stopped, machine };

	return lsi_joint_begin(machine->processes, machine->error.kind, &withdraws, &machine->error)
		== LS_OK;
}

/* The nodes run until all are detached, or until a while after the time limit. */
static void supervise_nodes(struct ls_machine *machine)
{
	lsi_gate_open(machine, LSI_GATE_OPEN);
	lsi_run_wait_for_end(machine);
	lsi_processes_finish(machine);
}

/* No program begins: the threads return from ls_attach. */
static void release_nodes(struct ls_machine *machine)
{
	ls_machine_stop(machine, machine->error.kind);
	lsi_run_wait_for_threads(machine, 0);
}

/* Nodes that have not called ls_detach a while after the time limit are left behind. */
static void end_run(struct ls_machine *machine, bool has_begun)
{
	pthread_mutex_lock(&machine->control);
	machine->all_ended = machine->attached == 0 && !machine->processes->thread_abandoned;
	if (!machine->all_ended && !lsi_processes_describe_abandoned(machine, &machine->error))
		lsi_describe_attached(machine);
	machine->ends = true;
	pthread_mutex_unlock(&machine->control);
	lsi_run_end(machine);
	if (has_begun)
		lsi_processes_end(machine);
	pthread_mutex_lock(&machine->control);
	if (machine->all_ended)
		lsi_groups_destroy(machine);
	machine->running = machine->abandoned = !machine->all_ended;
	machine->supervised = machine->ends = false;
	lsi_thread_end_run(machine);
	pthread_mutex_unlock(&machine->control);
}

static void *supervise(void *context)
{
	struct ls_machine *machine = context;
	const bool has_begun = begin(machine);

	if (has_begun && lsi_processes_start(machine, true))
		supervise_nodes(machine);
	else
		release_nodes(machine);
	end_run(machine, has_begun);
	return NULL;
}

bool lsi_processes_supervise(struct ls_machine *machine)
{
	pthread_t thread;
	const int failed = lsi_thread_make(&thread, NULL, 0, NULL, supervise, machine);

	machine->supervised = failed == 0;
	if (failed)
		lsi_error_set(&machine->error, LS_ERR_THREADS,
			"the thread that begins the run could not be created: %s", strerror(failed));
	else
		pthread_detach(thread);
	return !failed;
}
