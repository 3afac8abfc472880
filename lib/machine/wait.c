#include "machine/wait.h"

#include "base/futex.h"
#include "machine/group.h"
#include "machine/processes/far_nodes.h"
#include "machine/shrink.h"

/* ---- Stop */

/* The state is negative now: end all waits, and the wait for the start. */
void lsi_wake_all(struct ls_machine *machine)
{
	uint32_t closed = LSI_GATE_CLOSED;

	machine->carrier->wake_all(machine);
	if (lsi_compare_swap(&machine->gate, &closed, LSI_GATE_CANCELLED, seq_cst)) /* GATE */
		lsi_futex_wake(&machine->gate, INT32_MAX);
	if (machine->processes)
		lsi_processes_notify(machine);
}

/*
 * Only the first stop counts, and none while a run begins.  A verdict that is being found comes
 * first.
 */
static void stop(struct ls_machine *machine, int why)
{
	int state = lsi_load(&machine->state, seq_cst); /* STOP */

	while (state >= 0 && state != LSI_BEGINNING) {
		if (state == LSI_DECIDING) {
			lsi_yield();
			state = lsi_load(&machine->state, seq_cst);                       /* STOP */
		} else if (lsi_compare_swap(&machine->state, &state, why, seq_cst)) { /* STOP */
			lsi_wake_all(machine);
			return;
		}
	}
}

void ls_machine_stop(ls_machine *machine, int why)
{
	if (!machine)
		return;
	why = why < 0 ? why : LS_ERR_STOPPED;
	lsi_fetch_add(&machine->stopping, 1u, seq_cst);            /* STOP */
	if (lsi_load(&machine->state, seq_cst) != LSI_BEGINNING) { /* STOP */
		lsi_shrink_forbid(machine, why);
		stop(machine, why);
	}
	lsi_fetch_sub(&machine->stopping, 1u, release); /* STOP */
}

/* ---- Wait */

void lsi_spin_at_barrier(struct ls_node *node, const struct lsi_wait *wait)
{
	struct lsi_node_state *me = node->self;

	if (node->group->size != me->machine->nodes
		|| !lsi_barrier_waits_for_other_cores(wait->barrier, me->core))
		return;
	for (int i = 0; i < me->machine->barrier_spins && !wait->ready(me, wait->condition); i++)
		lsi_pause();
}

static bool is_never_ready(struct lsi_node_state *me, void *condition)
{
	(void)me;
	(void)condition;
	return false;
}

struct lsi_wait lsi_wait_without_condition(void)
{
	return (struct lsi_wait){ .state = { .peer = LS_NO_RANK }, .ready = is_never_ready };
}

/* ---- Leave */

/* Set `gone`, wake the nodes that may wait for this one, and leave all groups. */
static void announce_exit(struct lsi_node_state *me)
{
	lsi_exchange(&me->gone, 1u, seq_cst); /* GONE: before the load of the number of sleepers */
	me->machine->carrier->announce_departure(me);
	if (me->machine->processes)
		lsi_processes_notify_gone(me);
	for (struct ls_node *node = &me->whole; node; node = node->next)
		lsi_group_leave(node);
}

void lsi_node_leave(struct lsi_node_state *me)
{
	/*
	 * In a stopped machine, `gone` stays 0.  Otherwise other nodes would report as an error
	 * that this node has left.
	 */
	if (!lsi_stop_reason(me->machine))
		announce_exit(me);
	lsi_shrink_leave(me); /* before the park counter: a node that wakes others is live */
	me->machine->carrier->leave(me);
}
