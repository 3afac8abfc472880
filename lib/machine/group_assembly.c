/*
 * The last member to arrive leads.  The others wait here, and help while its work is shared:
 *
 *   arrive . wait ................................. barrier open, result
 *              \__ help: take units, execute, finish
 */
#include "machine/group_assembly.h"

#include "base/futex.h"
#include "machine/wait.h"

/* ---- Arrive and lead */

bool lsi_assembly_arrive(struct ls_node *node, const struct lsi_member_call *call, uint32_t *epoch)
{
	struct lsi_barrier *barrier = &node->group->assembly.barrier;

	node->group->member_calls[node->rank] = *call;
	*epoch = lsi_barrier_epoch(barrier);
	return lsi_barrier_arrive(barrier, node->self->core);
}

/* Release all members, and wake those that sleep. */
static void open_barrier(struct ls_node *node)
{
	struct ls_machine *machine = node->self->machine;

	lsi_barrier_open(&node->group->assembly.barrier, machine->asymmetric);
	lsi_wake_group(machine, node->group);
}

void lsi_assembly_release(struct ls_node *node, int result)
{
	lsi_assembly_set_result(&node->group->assembly, result);
	lsi_assembly_close(&node->group->assembly);
	open_barrier(node);
}

void lsi_assembly_finish_units(struct ls_node *node)
{
	struct lsi_node_state *me = node->self;
	const int64_t units = me->units;

	me->units = 0;
	me->current_assembly = NULL;
	if (units > 0 && lsi_assembly_units_done(&node->group->assembly, units))
		open_barrier(node);
}

/*
 * Other members may be unable to take the units that remain, so this node takes them all, without
 * executing them.  Then it waits as every member does: its buffers may lie on its thread's stack,
 * and a member that has arrived does not leave before the barrier opens.
 */
void lsi_assembly_abort(struct lsi_node_state *me)
{
	struct lsi_assembly *a = me->current_assembly;
	struct ls_node *node = &me->whole;
	int64_t first, last;

	if (!a)
		return;
	while (&node->group->assembly != a)
		node = node->next;

	const uint32_t epoch =
		lsi_barrier_epoch(&a->barrier); /* it cannot open before this node's units are done */

	lsi_store(&a->aborted, 1u, relaxed); /* DONE publishes it */
	while (lsi_assembly_take(a, me->core, &first, &last))
		me->units += last - first;
	lsi_assembly_finish_units(node);
	while (lsi_barrier_epoch(&a->barrier) == epoch)
		lsi_yield();
}

/* ---- Wait */

struct assembly_wait {
	struct lsi_assembly *assembly;
	uint32_t epoch;
	bool helps; /* until it has found all units taken */
};

static bool is_over(const struct assembly_wait *wait)
{
	return lsi_barrier_epoch(&wait->assembly->barrier) != wait->epoch;
}

/* Is work shared that this node has not looked through yet? */
static bool has_work(const struct assembly_wait *wait)
{
	return wait->helps && lsi_assembly_is_shared(wait->assembly, wait->epoch);
}

static bool is_over_or_has_work(struct lsi_node_state *me, void *condition)
{
	(void)me;
	return is_over(condition) || has_work(condition);
}

int lsi_assembly_wait(struct ls_node *node, uint32_t epoch, const char *operation,
	void (*help)(struct ls_node *), int *result)
{
	struct lsi_assembly *a = &node->group->assembly;
	struct ls_machine *machine = node->self->machine;
	struct assembly_wait wait = { a, epoch, true };
	const struct ls_wait_state reason = { sizeof reason, LS_WAITS_FOR_ROUND, LS_NO_RANK,
		node->round, operation };
	int stopped = LS_OK;

	lsi_barrier_spin(node, &a->barrier, is_over_or_has_work, &wait);
	while (!is_over(&wait)) {
		const int status = lsi_wait_until(node->self, reason, is_over_or_has_work, &wait);

		stopped = stopped ? stopped : status;
		if (stopped && lsi_load(&machine->stopped, seq_cst) /* STOP */
			&& !lsi_assembly_is_open(a, epoch) && !is_over(&wait))
			return stopped;
		if (has_work(&wait)) {
			help(node);
			wait.helps = false;
		} else if (stopped) {
			lsi_yield();
		}
	}
	node->self->waits = false;
	*result = lsi_load(&a->aborted, relaxed) ? LS_ERR_LEFT : a->result; /* ROUND publishes */
	return LS_OK;
}
