/*
 * ls_attach and ls_detach: threads of the program become nodes, until they detach.
 *
 *   attach   the first begins the run . all wait at the gate . the last opens it
 *   detach   finish the node . the last ends the run . all return its result
 */
#include <limits.h>

#include "base/futex.h"
#include "machine/run.h"
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

	pthread_mutex_lock(&machine->control);
	me->attached = false;
	if (--machine->attached == 0) {
		lsi_run_end(machine);
		machine->running = false;
		lsi_fetch_add(&machine->runs, 1u, release); /* GATE */
		lsi_futex_wake(&machine->runs, INT_MAX);
	}
	pthread_mutex_unlock(&machine->control);
}

int ls_attach(ls_machine *machine, int64_t rank, unsigned flags, ls_node **out)
{
	*out = NULL;
	if (!machine || rank < 0 || rank >= machine->nodes)
		return LS_ERR_ARGUMENT;
	if (*machine->fork_guard == 0)
		return LS_ERR_FORK;

	struct lsi_node_state *me = &machine->node_state[rank];
	int failed = attach_node(machine, rank);

	if (failed)
		return failed;
	me->wait_state = (struct ls_wait_state){ sizeof me->wait_state, LS_WAITS_FOR_ATTACH, LS_NO_RANK,
		1, "attach" };
	me->waits = true;
	failed = lsi_gate_wait(machine);
	if (failed) {
		detach_node(me);
		return failed;
	}
	me->waits = false;
	me->rcu_reader = flags & LS_ATTACH_RCU_READER;
	lsi_rcu_register(me->rcu_reader);
	*out = &me->whole;
	return LS_OK;
}

int ls_detach(ls_node *node)
{
	struct lsi_node_state *me = node->self;
	struct ls_machine *machine = me->machine;
	const uint32_t run = lsi_load(&machine->runs, acquire); /* GATE */

	if (*machine->fork_guard == 0)
		return LS_ERR_FORK;
	lsi_node_finish(me);
	detach_node(me);
	while (lsi_load(&machine->runs, acquire) == run) /* GATE */
		lsi_futex_wait(&machine->runs, run, 0);
	return me->result; /* machine->error may be of the next run already */
}
