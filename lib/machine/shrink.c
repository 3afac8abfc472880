#include "machine/shrink.h"

#include "base/futex.h"
#include "base/sized.h"
#include "machine/carrier.h"
#include "machine/channel.h"
#include "machine/group.h"
#include "machine/pending_send.h"
#include "machine/refused_call.h"
#include "machine/run.h"
#include "machine/shared_threads.h"
#include "machine/wait.h"

void lsi_shrink_reset(struct ls_machine *machine)
{
	struct lsi_recovery *recovery = &machine->recovery;

	lsi_store(&recovery->unarrived, machine->nodes, relaxed);   /* GATE publishes it */
	lsi_store(&recovery->waiting, 0u, relaxed);                 /* as above */
	lsi_store(&recovery->lacks_memory, false, relaxed);         /* as above */
	lsi_store(&recovery->decision, LSI_RECOVERY_OPEN, relaxed); /* before the state */
}

uint32_t lsi_shrink_waiting(struct ls_machine *machine)
{
	return lsi_load(&machine->recovery.waiting, acquire); /* LINK */
}

/* ---- Decide */

/* Decide.  False: recoveries are forbidden already. */
static bool decide(struct ls_machine *machine, int decision)
{
	int found = LSI_RECOVERY_OPEN;

	while (!lsi_compare_swap(&machine->recovery.decision, &found, decision, seq_cst)) { /* DECIDE */
		if (found < 0)
			return false;
		lsi_yield(); /* a recovery is short */
		found = LSI_RECOVERY_OPEN;
	}
	return true;
}

/* The status that forbids recoveries, or LS_OK. */
static int forbidden_by(struct ls_machine *machine)
{
	const int decision = lsi_load(&machine->recovery.decision, seq_cst); /* DECIDE, PARK */

	return decision < 0 ? decision : LS_OK;
}

/* A stop from outside has no verdict. */
bool lsi_shrink_is_possible(struct ls_machine *machine)
{
	return machine->options.recover && !machine->processes && !machine->records
		&& lsi_stop_reason(machine) && machine->verdict.kind && !forbidden_by(machine);
}

/* Wake all nodes that wait in ls_shrink.  Others that sleep check their conditions once more. */
static void wake_nodes(struct ls_machine *machine)
{
	for (int64_t i = 0; i < machine->nodes; i++)
		lsi_wake_node(machine, &machine->node_state[i].parking);
}

void lsi_shrink_forbid(struct ls_machine *machine, int why)
{
	if (!machine->options.recover || machine->processes)
		return;
	if (decide(machine, why))
		wake_nodes(machine);
}

/* A node that waits in ls_shrink has seen the change of the state, which follows. */
void lsi_shrink_stop_begin(struct ls_machine *machine)
{
	lsi_fetch_add(&machine->recovery.stops, 1u, relaxed); /* STOP publishes it */
}

void lsi_shrink_stop_end(struct ls_machine *machine)
{
	lsi_fetch_sub(&machine->recovery.stops, 1u, release); /* SHRINK */
}

/* ---- Recover */

/* The node has left.  No node waits at a barrier. */
static void remove_member(struct lsi_node_state *me)
{
	struct lsi_group *whole = &me->machine->whole;

	lsi_store(&me->gone, 1u, relaxed);           /* SHRINK publishes it */
	lsi_store(&me->ended, 1u, relaxed);          /* as above */
	lsi_store(&whole->member_left, 1u, relaxed); /* as above */
	lsi_barrier_leave(&whole->barrier, me->core);
	lsi_barrier_leave(&whole->split_barrier, me->core);
	lsi_barrier_leave(&whole->work_sharing.barrier, me->core);
}

/* Make the group of all nodes that wait in ls_shrink.  False: no memory. */
static bool make_group(struct ls_machine *machine)
{
	struct lsi_group *group;

	for (int64_t i = 0; i < machine->nodes; i++)
		machine->whole.offers[i] =
			(struct lsi_split_offer){ .part = machine->node_state[i].shrinks ? 0 : LSI_PART_LEFT,
				.key = i };
	group = lsi_group_make(machine, &machine->whole, 0, (struct lsi_group_network){ 0 });
	if (group)
		group->context = lsi_fetch_add(&machine->contexts, 1, relaxed); /* only distinct */
	machine->recovery.group = group;
	return group;
}

/*
 * Prepare to run again with the nodes that wait in ls_shrink.  LS_OK; or LS_ERR_MEMORY: the machine
 * stays stopped.  In both cases all earlier groups have ended.
 */
static int prepare(struct ls_machine *machine)
{
	struct lsi_recovery *recovery = &machine->recovery;

	lsi_groups_destroy(machine);
	if (lsi_exchange(&recovery->lacks_memory, false, relaxed) /* by SHRINK */
		|| !make_group(machine))
		return LS_ERR_MEMORY;
	recovery->error = machine->verdict;
	lsi_registry_reset(machine);
	lsi_run_reset_communication(machine);
	for (int64_t i = 0; i < machine->nodes; i++) {
		if (!machine->node_state[i].shrinks)
			remove_member(&machine->node_state[i]);
	}
	return LS_OK;
}

/* Every node waits in ls_shrink or has left.  This one has not left the park counter. */
static void recover(struct ls_machine *machine)
{
	struct lsi_recovery *recovery = &machine->recovery;
	const uint32_t living = lsi_load(&recovery->waiting, relaxed); /* by SHRINK */

	if (living == 0 || !decide(machine, LSI_RECOVERY_BEGUN))
		return;
	while (lsi_load(&recovery->stops, acquire) > 0) /* SHRINK */
		lsi_yield();
	recovery->result = prepare(machine);
	lsi_store(&recovery->unarrived, (int64_t)living, relaxed); /* SHRINK publishes it */
	if (!recovery->result)
		lsi_exchange(&machine->state, LSI_RUNNING, seq_cst);    /* STOP */
	lsi_fetch_add(&recovery->count, 1u, seq_cst);               /* SHRINK, PARK */
	lsi_store(&recovery->decision, LSI_RECOVERY_OPEN, release); /* DECIDE */
	wake_nodes(machine);
}

/* A node waits or leaves. */
static void arrive(struct ls_machine *machine)
{
	if (lsi_fetch_sub(&machine->recovery.unarrived, 1, acq_rel) == 1) /* SHRINK */
		recover(machine);
}

void lsi_shrink_leave(struct lsi_node_state *me)
{
	if (me->machine->options.recover)
		arrive(me->machine);
}

/* ---- Wait */

static bool has_ended(struct lsi_node_state *me, void *recoveries)
{
	struct ls_machine *machine = me->machine;
	const uint32_t *before = recoveries;

	return forbidden_by(machine)
		|| lsi_load(&machine->recovery.count, seq_cst) != *before; /* SHRINK, PARK */
}

/* Wait for the next recovery.  The result is the same at all nodes that wait. */
static int await_recovery(struct lsi_node_state *me, uint32_t recoveries)
{
	struct ls_machine *machine = me->machine;
	const struct lsi_wait wait = {
		.ready = has_ended, .condition = &recoveries, .ignores_stop = true
	};
	int forbidden;

	while (!has_ended(me, &recoveries))
		machine->carrier->sleep(me, &wait);
	forbidden = forbidden_by(machine);                               /* first: see DECIDE */
	return lsi_load(&machine->recovery.count, seq_cst) == recoveries /* SHRINK */
		? forbidden
		: machine->recovery.result;
}

static int shrink(struct lsi_node_state *me, struct ls_node **sub, struct ls_error *why)
{
	struct lsi_recovery *recovery = &me->machine->recovery;
	/* The next recovery waits for this node. */
	const uint32_t recoveries = lsi_load(&recovery->count, relaxed);
	int failed;

	if (!lsi_handle_reserve(me))
		lsi_store(&recovery->lacks_memory, true, relaxed); /* SHRINK publishes it */
	me->shrinks = true;
	lsi_fetch_add(&recovery->waiting, 1u, relaxed); /* SHRINK publishes it, and LINK */
	arrive(me->machine);
	failed = await_recovery(me, recoveries);
	lsi_fetch_sub(&recovery->waiting, 1u, release); /* LINK */
	me->shrinks = false;
	if (failed)
		return failed;
	if (why)
		lsi_sized_write(why, &recovery->error, sizeof recovery->error);
	return lsi_group_handle_make(me, recovery->group, sub); /* its memory is reserved */
}

/* A handle that is dropped is no handle afterwards: the node itself goes on. */
int ls_shrink(ls_node *node, ls_node **sub, struct ls_error *why)
{
	static const char call[] = "ls_shrink";
	struct lsi_node_state *me;
	int status, forbidden;

	if (sub)
		*sub = NULL;
	if (!lsi_handle_is_valid(node))
		return lsi_refuse_handle(call);
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
	if (lsi_shrink_is_possible(me->machine))
		return shrink(me, sub, why);
	forbidden = forbidden_by(me->machine);
	return forbidden ? forbidden : status;
}
