/*
 * ls_attach and ls_detach: threads of the program become nodes, until they detach.
 *
 *   attach   the first begins the run . all wait at the gate . the last opens it
 *   detach   finish the node . the last ends the run . all return its result
 *
 * Over processes, another thread opens the gate and ends the run: see processes/joint_attach.c.
 *
 * Evidence  test/relacy/attach.cpp
 */
#include <inttypes.h>
#include <stdio.h>

#include "base/error.h"
#include "base/futex.h"
#include "machine/carrier.h"
#include "machine/group.h"
#include "machine/group_work_sharing.h"
#include "machine/local_ranks.h"
#include "machine/processes/far_nodes.h"
#include "machine/refused_call.h"
#include "machine/run.h"
#include "machine/shared_threads.h"
#include "machine/verdict.h"
#include "machine/wait.h"

/* A node may join attached nodes until the gate opens, or another thread is to open it. */
static bool may_join(struct ls_machine *machine)
{
	return machine->attached > 0 && !machine->supervised
		&& lsi_load(&machine->gate, relaxed) != LSI_GATE_OPEN; /* the caller holds control */
}

static void set_attached(struct lsi_node_state *me, bool attached)
{
	struct ls_machine *machine = me->machine;

	me->attached = attached;
	machine->attached += attached ? 1 : -1;
	lsi_store(&me->worker->finished, !attached, release);                  /* FINISHED */
	lsi_store(&machine->unfinished, (uint32_t)machine->attached, release); /* FINISHED */
}

/* All nodes of this process are attached. */
static void open_gate(struct ls_machine *machine)
{
	if (!machine->processes)
		lsi_gate_open(machine, LSI_GATE_OPEN);
	else if (!lsi_processes_supervise(machine))
		ls_machine_stop(machine, machine->error.kind);
}

/* The first node begins the run; the last opens the gate. */
static int attach_node(struct ls_machine *machine, int64_t rank)
{
	int failed = LS_OK;

	lsi_run_lock(machine);
	if (machine->processes)
		failed = lsi_processes_refuse_attach(machine, rank);
	if (machine->attached > 0 && machine->node_state[rank].attached)
		failed = LS_ERR_ARGUMENT;
	else if (machine->running && !may_join(machine))
		failed = LS_ERR_BUSY;
	if (!failed && !machine->running) {
		lsi_run_begin(machine);
		failed = lsi_run_open_trace(machine, false);
		failed = machine->processes ? LS_OK : failed; /* the supervising thread reports it to all */
	}
	if (!failed) {
		machine->running = true;
		set_attached(&machine->node_state[rank], true);
		if (machine->attached == lsi_local_nodes(machine))
			open_gate(machine);
	}
	pthread_mutex_unlock(&machine->control);
	return failed;
}

/* All nodes are detached.  A run that was abandoned has ended before. */
static void end_run(struct ls_machine *machine)
{
	if (machine->supervised) {
		lsi_futex_wake(&machine->unfinished, 1);
	} else if (!machine->abandoned) {
		machine->all_ended = true;
		lsi_run_end(machine);
		lsi_groups_destroy(machine);
		machine->running = false;
		lsi_thread_end_run(machine);
	}
}

/*
 * One attached node is done; the last ends the run.  A thread that then takes its result counts as
 * detaching: no run begins before.  Returns whether the run has not been abandoned.
 */
static bool detach_node(struct lsi_node_state *me, bool takes_result)
{
	struct ls_machine *machine = me->machine;
	bool abandoned;

	lsi_thread_leave(me);
	lsi_processes_leave(me);
	pthread_mutex_lock(&machine->control);
	set_attached(me, false);
	machine->detaching += takes_result;
	abandoned = machine->abandoned;
	if (machine->attached == 0)
		end_run(machine);
	pthread_mutex_unlock(&machine->control);
	return !abandoned;
}

void lsi_describe_attached(struct ls_machine *machine)
{
	struct ls_error *error = &machine->error;
	int64_t rank = machine->first_local;

	while (!machine->node_state[rank].attached)
		rank++;
	if (error->kind)
		return;
	error->kind = LS_ERR_TIMEOUT;
	error->node = rank;
	snprintf(error->text, sizeof error->text,
		"timed out after %g s: node %" PRId64
		" has not called ls_detach; the machine is busy until it does",
		machine->options.timeout, rank);
}

/*
 * Wait until all attached nodes have been detached, or until all threads of linked machines wait
 * here for each other (`runs` is odd then).  False: some have not, a while after the time limit.
 */
static bool wait_for_others(struct ls_machine *machine, uint32_t run)
{
	const uint64_t last = machine->deadline ? lsi_run_last_moment(machine) : 0;
	uint64_t limit =
		machine->processes ? 0 : machine->deadline; /* else the supervisor watches it */

	while (lsi_load(&machine->runs, acquire) == run) { /* GATE */
		lsi_futex_wait(&machine->runs, run, limit);
		if (!limit || lsi_now_ns() < limit)
			continue;
		if (limit == last)
			return false;
		lsi_time_out(machine);
		limit = last;
	}
	return true;
}

/* The status of the run, which has ended, or whose other nodes wait in ls_detach, too. */
static int take_result(struct lsi_node_state *me, uint32_t run, bool in_time)
{
	struct ls_machine *machine = me->machine;
	int result;

	pthread_mutex_lock(&machine->control);
	if (lsi_load(&machine->runs, acquire) > run + 1) { /* GATE */
		result = machine->error.kind;
	} else {
		result = in_time ? lsi_stop_reason(machine) : LS_ERR_TIMEOUT;
		if (!in_time)
			lsi_describe_attached(machine);
	}
	machine->detaching--;
	pthread_mutex_unlock(&machine->control);
	return result;
}

/* The node is detached, and the run has ended; its status. */
static int leave_run(struct lsi_node_state *me)
{
	struct ls_machine *machine = me->machine;
	const uint32_t run = lsi_load(&machine->runs, acquire) & ~1u; /* GATE */
	bool in_time = true;

	if (detach_node(me, true)) {
		lsi_thread_await(machine, run);
		in_time = wait_for_others(machine, run);
		lsi_thread_await(NULL, 0);
	}
	return take_result(me, run, in_time);
}

static int wait_for_gate(struct lsi_node_state *me)
{
	int failed;

	me->stopped_in = (struct ls_wait_state){ sizeof me->stopped_in, LS_WAITS_FOR_ATTACH, LS_NO_RANK,
		1, "attach" };
	me->waits_for = &me->stopped_in;
	failed = lsi_gate_wait(me->machine);
	if (!failed)
		me->waits_for = NULL;
	return failed;
}

/* LS_OK; or no thread can attach to the machine as this node: ls_last_error says why. */
static int check_machine(struct ls_machine *machine, int64_t rank)
{
	struct ls_error error = { .size = sizeof error };
	int failed = LS_OK;

	if (!machine->carrier->shares_threads && !machine->processes && !machine->options.recover)
		return LS_OK;
	lsi_run_lock(machine);                /* threads of the last run have taken its error */
	if (machine->carrier->shares_threads) /* threads that attach are nodes themselves */
		failed = lsi_error_set(&error, LS_ERR_UNSUPPORTED,
			"the nodes of this machine are fibers, and threads cannot attach to it; make it with "
			"node_kind LS_NODE_THREAD");
	else if (machine->options.recover)
		failed = lsi_error_set(&error, LS_ERR_UNSUPPORTED,
			"threads cannot attach to a machine with the option recover; try ls_run");
	else
		failed = lsi_processes_check_attach(machine, rank, &error);
	if (failed && !machine->running) {
		machine->error = error;
		machine->error.operation = "attach";
	}
	pthread_mutex_unlock(&machine->control);
	return failed;
}

static int attach(struct ls_machine *machine, int64_t rank, bool rcu_reader)
{
	struct lsi_node_state *me;
	int failed;

	if (lsi_node_of_thread && lsi_node_of_thread->machine->carrier->shares_threads)
		return lsi_refuse_call(lsi_node_of_thread, LS_ERR_UNSUPPORTED, "ls_attach",
			"the caller is a light node; only a thread that is no worker can attach");
	failed = check_machine(machine, rank);
	if (failed)
		return failed;
	if (!lsi_thread_can_attach())
		return LS_ERR_MEMORY;
	failed = attach_node(machine, rank);
	if (failed)
		return failed;
	me = &machine->node_state[rank];
	lsi_thread_attach(me);
	lsi_processes_enter(me);
	failed = wait_for_gate(me);
	if (failed) {
		leave_run(me);
		return failed;
	}
	me->rcu_reader = rcu_reader;
	lsi_rcu_register(rcu_reader);
	return LS_OK;
}

/* A thread that was cancelled while it holds `control` would keep it. */
int ls_attach(ls_machine *machine, int64_t rank, unsigned flags, ls_node **out)
{
	int cancel, failed;

	if (out)
		*out = NULL;
	if (!machine || !out || rank < 0 || rank >= machine->nodes
		|| (flags & ~(unsigned)LS_ATTACH_RCU_READER))
		return LS_ERR_ARGUMENT;
	if (*machine->fork_guard == 0)
		return LS_ERR_FORK;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	failed = attach(machine, rank, flags);
	pthread_setcancelstate(cancel, NULL);
	if (!failed)
		*out = &machine->node_state[rank].whole;
	return failed;
}

static void finish(struct lsi_node_state *me)
{
	lsi_node_finish(me);
	lsi_rcu_unregister(me->rcu_reader);
}

static int detach(struct lsi_node_state *me)
{
	finish(me);
	return leave_run(me);
}

int ls_detach(ls_node *node)
{
	int cancel, result;

	if (!lsi_handle_is_valid(node) || node != &node->self->whole)
		return LS_ERR_ARGUMENT;
	if (*node->self->machine->fork_guard == 0)
		return LS_ERR_FORK;
	if (!node->self->attached) /* only this thread changes it */
		return LS_ERR_ARGUMENT;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	result = detach(node->self);
	pthread_setcancelstate(cancel, NULL);
	return result;
}

/*
 * The other nodes get the error.  This thread waits for the verdict, but not until they detach.
 * It first ends its units of work, and waits for those of other nodes, which may use buffers on the
 * stack of this thread.
 */
void lsi_abandon_attached(struct lsi_node_state *me)
{
	int cancel;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	lsi_work_abort(me);
	if (!lsi_machine_status(me))
		lsi_machine_fail(me,
			(struct lsi_fault){ LS_ERR_LEFT, LS_NO_RANK, me->whole.round, -1, "detach" },
			"the thread of node %" PRId64 " has ended without ls_detach", me->rank);
	finish(me);
	detach_node(me, false);
	pthread_setcancelstate(cancel, NULL);
}
