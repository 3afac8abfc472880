/*
 * The leader of a call in one of several processes.
 *
 * It opens the work before it notifies the others of the arrival of the nodes: then they are here
 * when all other processes have arrived, too, even if the machine stops before.  The head of
 * far_call_gate.c in lib/machine/processes states how a call ends.
 */
#include "engine/cooperative/far_call.h"
#include "machine/group_work_sharing.h"
#include "machine/processes/far_nodes.h"
#include "machine/wait.h"

/* What this process states about a call that it is ready to execute. */
static uint32_t flags_of(const struct lsi_group *group, const struct lsi_cooperative_call *call)
{
	const int64_t root = call->plan->problem.root;

	if (!call->is_rooted)
		return call->in_place ? LSI_CALL_IN_PLACE : LSI_CALL_SEPARATE;
	return root >= group->first_local && root < group->first_local + group->locals
			&& group->member_calls[root].in_place
		? LSI_CALL_IN_PLACE
		: 0;
}

int lsi_far_call_lead(struct lsi_execution *x, const struct lsi_cooperative_call *call,
	uint32_t epoch, struct lsi_far_call *far)
{
	struct ls_node *node = x->node;
	struct lsi_group *group = node->group;
	const bool has_left = lsi_load(&group->member_left, relaxed); /* ARRIVE */
	struct lsi_far_work work = { LSI_CALL_MAILBOXES, NULL, NULL };

	if (far) {
		lsi_work_open(&group->work_sharing, epoch);
		if (lsi_load(&node->self->machine->state, seq_cst) < 0) { /* STOP */
			lsi_work_close(&group->work_sharing);
			return lsi_machine_status(node->self);
		}
		work = (struct lsi_far_work){ flags_of(group, call), lsi_far_call_execute, far };
	}
	lsi_far_arrive_with_call(node, has_left ? NULL : x->envelope.call, &work);
	return LS_OK;
}
