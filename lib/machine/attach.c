/*
 * Threads that the program owns become nodes, and cease to be.
 */
#include "machine/machine.h"

#include <limits.h>

#include "base/wait.h"

/*
 * Into a run of attached nodes that has not begun; of one that has, the node of this rank has
 * ended.
 */
static bool may_join(struct ls_machine *machine)
{
	return machine->attached > 0
		&& ls_load(&machine->gate, relaxed) != LS_GATE_OPEN;              /* under control */
}

static int attach(struct ls_machine *machine, int64_t rank)
{
	int failed = LS_OK;

	pthread_mutex_lock(&machine->control);
	if (machine->attached > 0 && machine->processor[rank].attached)
		failed = LS_ERR_ARGUMENT;
	else if (machine->running && !may_join(machine))
		failed = LS_ERR_BUSY;
	if (!failed) {
		if (!machine->running)
			ls_run_begin(machine);
		machine->running = true;
		machine->processor[rank].attached = true;
		if (++machine->attached == machine->nodes)
			ls_gate_open(machine, LS_GATE_OPEN);
	}
	pthread_mutex_unlock(&machine->control);
	return failed;
}

/* One attached node is done; the last ends the run. */
static void detach(struct ls_processor *me)
{
	struct ls_machine *machine = me->machine;

	pthread_mutex_lock(&machine->control);
	me->attached = false;
	if (--machine->attached == 0) {
		ls_run_end(machine);
		machine->running = false;
		ls_fetch_add(&machine->runs, 1u, release);                     /* GATE */
		ls_wake(&machine->runs, INT_MAX);
	}
	pthread_mutex_unlock(&machine->control);
}

int ls_attach(ls_machine *machine, int64_t rank, unsigned flags, ls_node **out)
{
	*out = NULL;
	if (!machine || rank < 0 || rank >= machine->nodes)
		return LS_ERR_ARGUMENT;
	if (*machine->pulse == 0)
		return LS_ERR_FORK;

	struct ls_processor *me = &machine->processor[rank];
	int failed = attach(machine, rank);

	if (failed)
		return failed;
	me->waiting = (struct ls_waiting){ sizeof me->waiting, LS_AWAITS_ATTACH, LS_NOBODY, 1,
		"attach" };
	me->waits = true;
	failed = ls_gate_wait(machine);
	if (failed) {
		detach(me);
		return failed;
	}
	me->waits = false;
	me->own_reader = flags & LS_ATTACH_RCU_READER;
	ls_rcu_register(me->own_reader);
	*out = &me->whole;
	return LS_OK;
}

int ls_detach(ls_node *node)
{
	struct ls_processor *me = node->self;
	struct ls_machine *machine = me->machine;
	const uint32_t run = ls_load(&machine->runs, acquire);             /* GATE */

	if (*machine->pulse == 0)
		return LS_ERR_FORK;
	ls_finish(me);
	detach(me);
	while (ls_load(&machine->runs, acquire) == run)                    /* GATE */
		ls_sleep(&machine->runs, run, 0);
	return me->result;                    /* the error may be of the next run already */
}
