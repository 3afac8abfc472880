/*
 * ls_attach and ls_detach: threads of the program become nodes, until they detach.
 *
 *   attach   the first begins the run . all wait at the gate . the last opens it
 *   detach   finish the node . the last ends the run . all return its result
 */
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>

#include "base/futex.h"
#include "machine/group.h"
#include "machine/run.h"
#include "machine/shared_threads.h"
#include "machine/verdict.h"
#include "machine/wait.h"

/* A node may join attached nodes until the gate opens. */
static bool may_join(struct ls_machine *machine)
{
	return machine->attached > 0
		&& lsi_load(&machine->gate, relaxed) != LSI_GATE_OPEN; /* the caller holds control */
}

/* The first node begins the run; the last opens the gate. */
static int attach_node(struct ls_machine *machine, int64_t rank)
{
	int failed = LS_OK;

	pthread_mutex_lock(&machine->control);
	lsi_run_reclaim(machine);
	if (machine->attached > 0 && machine->node_state[rank].attached)
		failed = LS_ERR_ARGUMENT;
	else if (machine->running && !may_join(machine))
		failed = LS_ERR_BUSY;
	if (!failed && !machine->running)
		failed = lsi_run_begin(machine);
	if (!failed) {
		machine->running = true;
		machine->node_state[rank].attached = true;
		if (++machine->attached == machine->nodes)
			lsi_gate_open(machine, LSI_GATE_OPEN);
	}
	pthread_mutex_unlock(&machine->control);
	return failed;
}

/* One attached node is done; the last ends the run. */
static void detach_node(struct lsi_node_state *me)
{
	struct ls_machine *machine = me->machine;

	lsi_thread_leave(me);
	pthread_mutex_lock(&machine->control);
	me->attached = false;
	if (--machine->attached == 0) {
		machine->all_ended = true;
		lsi_run_end(machine);
		lsi_groups_destroy(machine);
		machine->running = false;
		lsi_thread_end_run(machine);
	}
	pthread_mutex_unlock(&machine->control);
}

static int wait_for_gate(struct lsi_node_state *me)
{
	int failed;

	me->wait_state = (struct ls_wait_state){ sizeof me->wait_state, LS_WAITS_FOR_ATTACH, LS_NO_RANK,
		1, "attach" };
	me->waits = true;
	failed = lsi_gate_wait(me->machine);
	if (!failed)
		me->waits = false;
	return failed;
}

int ls_attach(ls_machine *machine, int64_t rank, unsigned flags, ls_node **out)
{
	if (out)
		*out = NULL;
	if (!machine || !out || rank < 0 || rank >= machine->nodes)
		return LS_ERR_ARGUMENT;
	if (*machine->fork_guard == 0)
		return LS_ERR_FORK;

	struct lsi_node_state *me = &machine->node_state[rank];
	int failed = attach_node(machine, rank);

	if (failed)
		return failed;
	if (lsi_thread_attach(me)) {
		failed = wait_for_gate(me);
	} else {
		failed = LS_ERR_MEMORY;
		ls_machine_stop(machine, failed);
	}
	if (failed) {
		detach_node(me);
		return failed;
	}
	me->rcu_reader = flags & LS_ATTACH_RCU_READER;
	lsi_rcu_register(me->rcu_reader);
	*out = &me->whole;
	return LS_OK;
}

/* Some attached nodes have not called ls_detach, a while after the time limit. */
static void describe_attached(struct ls_machine *machine)
{
	struct ls_error *error = &machine->error;
	int64_t rank = 0;

	while (!machine->node_state[rank].attached)
		rank++;
	error->kind = LS_ERR_TIMEOUT;
	error->node = rank;
	snprintf(error->text, sizeof error->text,
		"timed out after %g s: node %" PRId64
		" has not called ls_detach; the machine is busy until it does",
		machine->options.timeout, rank);
}

/*
 * The time limit is over; with is_last also the wait after it.  If a later run has begun, this does
 * nothing.
 */
static void time_out(struct ls_machine *machine, uint32_t run, bool is_last)
{
	pthread_mutex_lock(&machine->control);
	if (lsi_load(&machine->runs, acquire) == run) { /* GATE */
		if (is_last)
			describe_attached(machine);
		else
			lsi_time_out(machine);
	}
	pthread_mutex_unlock(&machine->control);
}

/*
 * Wait until all attached nodes have been detached, or until all threads of linked machines wait
 * here for each other (`runs` is odd then).  A later run may begin before this thread continues, so
 * the limits are those that the thread read before.
 */
static int wait_for_others(struct lsi_node_state *me, uint32_t run, uint64_t limit, uint64_t last)
{
	struct ls_machine *machine = me->machine;
	uint32_t runs;

	while ((runs = lsi_load(&machine->runs, acquire)) == run) { /* GATE */
		lsi_futex_wait(&machine->runs, run, limit);
		if (!limit || lsi_now_ns() < limit)
			continue;
		time_out(machine, run, limit == last);
		if (limit == last)
			return LS_ERR_TIMEOUT;
		limit = last;
	}
	return runs == run + 1 ? lsi_stop_reason(machine)
						   : me->result; /* machine->error may be of the next run already */
}

int ls_detach(ls_node *node)
{
	if (!lsi_handle_is_valid(node) || node != &node->self->whole)
		return LS_ERR_ARGUMENT;

	struct lsi_node_state *me = node->self;
	struct ls_machine *machine = me->machine;
	const uint32_t run = lsi_load(&machine->runs, acquire) & ~1u; /* GATE */
	const uint64_t limit = machine->deadline, last = limit ? lsi_run_last_moment(machine) : 0;
	int result;

	if (*machine->fork_guard == 0)
		return LS_ERR_FORK;
	if (!me->attached) /* only this thread changes it */
		return LS_ERR_ARGUMENT;
	lsi_node_finish(me);
	detach_node(me);
	lsi_thread_await(machine, run);
	result = wait_for_others(me, run, limit, last);
	lsi_thread_await(NULL, 0);
	return result;
}

/* The other nodes get the error.  This thread waits for the verdict, but not until they detach. */
void lsi_abandon_attached(struct lsi_node_state *me)
{
	if (!lsi_machine_status(me))
		lsi_machine_fail(me,
			(struct lsi_fault){ LS_ERR_LEFT, LS_NO_RANK, me->whole.round, -1, "detach" },
			"the thread of node %" PRId64 " has ended without ls_detach", me->rank);
	lsi_node_finish(me);
	detach_node(me);
}
