#include "machine/shrink.h"

#include <limits.h>

#include "base/futex.h"
#include "base/sized.h"
#include "machine/carrier.h"
#include "machine/channel.h"
#include "machine/group.h"
#include "machine/pending_send.h"
#include "machine/refused_call.h"
#include "machine/run.h"
#include "machine/shared_threads.h"
#include "machine/verdict.h"
#include "machine/wait.h"

/* A stop from outside has no verdict. */
bool lsi_shrink_is_possible(struct ls_machine *machine)
{
	return machine->options.recover && !machine->processes && !machine->records
		&& lsi_stop_reason(machine) && machine->verdict.kind;
}

void lsi_shrink_prevent(struct ls_machine *machine, int why)
{
	lsi_exchange(&machine->recovery.outside_stop, why, seq_cst); /* STOP */
}

/* ---- Recover */

/* The node has ended.  No node waits at a barrier. */
static void remove_member(struct lsi_node_state *me)
{
	struct lsi_group *whole = &me->machine->whole;

	lsi_store(&me->gone, 1u, relaxed);           /* SHRINK publishes it */
	lsi_store(&me->ended, 1u, relaxed);          /* as above */
	lsi_store(&whole->member_left, 1u, relaxed); /* as above */
	whole->offers[me->rank].part = LSI_PART_LEFT;
	lsi_barrier_leave(&whole->barrier, me->core);
	lsi_barrier_leave(&whole->split_barrier, me->core);
	lsi_barrier_leave(&whole->work_sharing.barrier, me->core);
}

/* Make the group of all nodes that wait in ls_shrink.  LS_OK or LS_ERR_MEMORY. */
static int make_group(struct ls_machine *machine)
{
	struct lsi_group *group =
		lsi_group_make(machine, &machine->whole, 0, (struct lsi_group_network){ 0 });

	machine->recovery.group = group;
	if (group)
		group->context = lsi_fetch_add(&machine->contexts, 1, relaxed); /* only distinct */
	return group ? LS_OK : LS_ERR_MEMORY;
}

/* Run again with the nodes that wait in ls_shrink. */
static int restart(struct ls_machine *machine, int64_t living)
{
	machine->recovery.error = machine->verdict;
	lsi_registry_reset(machine);
	for (int64_t i = 0; i < machine->nodes; i++)
		machine->whole.offers[i] =
			(struct lsi_split_offer){ .part = machine->node_state[i].shrinks ? 0 : LSI_PART_LEFT,
				.key = i };

	const int result = make_group(machine);

	lsi_run_reset_communication(machine);
	for (int64_t i = 0; i < machine->nodes; i++) {
		if (machine->whole.offers[i].part == LSI_PART_LEFT)
			remove_member(&machine->node_state[i]);
	}
	lsi_store(&machine->recovery.unarrived, living, relaxed); /* SHRINK publishes it */
	lsi_exchange(&machine->state, LSI_RUNNING, seq_cst);      /* STOP */
	return result;
}

/* Every node waits in ls_shrink or has left. */
static void recover(struct ls_machine *machine)
{
	const bool in_time = !lsi_run_is_late(machine);
	int64_t living = 0;
	int outside;

	for (int64_t i = 0; i < machine->nodes; i++)
		living += machine->node_state[i].shrinks;
	if (living == 0)
		return;
	machine->recovery.result = in_time ? restart(machine, living) : LS_ERR_TIMEOUT;
	outside = in_time ? lsi_load(&machine->recovery.outside_stop, seq_cst) : LS_OK; /* STOP */
	if (outside)
		ls_machine_stop(machine, outside);
	lsi_fetch_add(&machine->recovery.count, 1u, release); /* SHRINK */
	lsi_futex_wake(&machine->recovery.count, INT_MAX);
}

/* A node waits or has left.  The last one recovers the machine. */
static void arrive(struct ls_machine *machine)
{
	if (lsi_fetch_sub(&machine->recovery.unarrived, 1, acq_rel) == 1) /* SHRINK */
		recover(machine);
}

/* A node that has waited in vain for a recovery has arrived already. */
void lsi_shrink_without(struct lsi_node_state *me)
{
	if (!me->shrinks)
		arrive(me->machine);
}

/* ---- Wait */

/* Only here does a node wait in a stopped machine; fibers let others run. */
static int await_recovery(struct lsi_node_state *me, uint32_t recoveries)
{
	struct ls_machine *machine = me->machine;

	while (lsi_load(&machine->recovery.count, acquire) == recoveries) { /* SHRINK */
		if (lsi_run_is_late(machine))
			return LS_ERR_TIMEOUT;
		if (machine->carrier->shares_threads)
			lsi_node_yield(me);
		else
			lsi_futex_wait(&machine->recovery.count, recoveries, machine->deadline);
	}
	return machine->recovery.result == LS_ERR_TIMEOUT ? LS_ERR_TIMEOUT : LS_OK;
}

static int shrink(struct lsi_node_state *me, struct ls_node **sub, struct ls_error *why)
{
	struct ls_machine *machine = me->machine;
	const uint32_t recoveries =
		lsi_load(&machine->recovery.count, relaxed); /* it waits for this node */
	int failed;

	lsi_handles_drop(me);
	me->shrinks = true;
	arrive(machine);
	failed = await_recovery(me, recoveries);
	if (failed)
		return failed;
	if (why)
		lsi_sized_write(why, &machine->recovery.error, sizeof machine->recovery.error);
	failed = machine->recovery.result;
	if (!failed)
		failed = lsi_group_handle_make(me, machine->recovery.group, sub);
	if (failed)
		return lsi_machine_fail(me,
			(struct lsi_fault){ LS_ERR_MEMORY, LS_NO_RANK, me->whole.round, -1, "shrink" },
			"no memory for the group of the nodes that live");
	return LS_OK;
}

/* A handle that is dropped is no handle afterwards: the node itself goes on. */
int ls_shrink(ls_node *node, ls_node **sub, struct ls_error *why)
{
	static const char call[] = "ls_shrink";
	struct lsi_node_state *me;
	int status;

	if (sub)
		*sub = NULL;
	if (!lsi_handle_is_valid(node))
		return LS_ERR_ARGUMENT;
	me = node->self;
	if (!sub)
		return lsi_refuse_call(me, LS_ERR_ARGUMENT, call, "sub is NULL");
	status = lsi_machine_status(me);
	if (status == LS_ERR_FORK)
		return status;
	if (!me->machine->options.recover)
		return lsi_refuse_call(
			me, LS_ERR_ARGUMENT, call, "the machine was made without the option recover");
	if (me->machine->processes || me->machine->records)
		return lsi_refuse_call(me, LS_ERR_UNSUPPORTED, call,
			"the machine has a world or a trace; try one process and no trace");
	if (!status)
		return lsi_refuse_call(me, LS_ERR_ARGUMENT, call, "the machine has not stopped");
	lsi_pending_cancel(me); /* a call that fails leaves no send pending */
	if (!lsi_shrink_is_possible(me->machine))
		return status;
	if (me->shrinks) /* it has waited until the time limit */
		return LS_ERR_TIMEOUT;
	return shrink(me, sub, why);
}
