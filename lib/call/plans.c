/*
 * The plan cache of a group: an immutable table behind one pointer, replaced whole when a plan is added.
 *
 * Readers search inside an RCU lookup.  A replaced table may still be read by others, and no node waits
 * for a grace period; so it is kept behind the new one until the group ends.
 */
#include "call/call.h"

struct ls_plan_table {
	struct ls_plan_table *replaced;
	size_t n;
	const struct ls_plan *plan[];
};

static bool same(const struct ls_problem *a, const struct ls_problem *b)
{
	return a->operation == b->operation && a->mode == b->mode && a->root == b->root && a->shift == b->shift
		&& a->segments == b->segments && a->ports == b->ports && a->in_place == b->in_place;
}

static const struct ls_plan *find(const struct ls_plan_table *table, const struct ls_algorithm *algorithm,
	const struct ls_problem *problem)
{
	for (size_t i = 0; table && i < table->n; i++) {
		if (table->plan[i]->algorithm == algorithm && same(&table->plan[i]->problem, problem))
			return table->plan[i];
	}
	return NULL;
}

static void forget(struct ls_group *group)
{
	struct ls_plan_table *table = ls_load(&group->plans, acquire);     /* PLANS: the last reader has left */

	for (size_t i = 0; table && i < table->n; i++)
		ls_plan_destroy((struct ls_plan *)(uintptr_t)table->plan[i]);
	while (table) {
		struct ls_plan_table *old = table->replaced;

		ls_free(table);
		table = old;
	}
}

/* The table with one more plan; NULL: no memory. */
static struct ls_plan_table *extended(struct ls_plan_table *table, const struct ls_plan *plan)
{
	const size_t n = table ? table->n : 0;
	struct ls_plan_table *wider = ls_alloc(sizeof *wider + (n + 1) * sizeof *wider->plan);

	if (!wider)
		return NULL;
	for (size_t i = 0; i < n; i++)
		wider->plan[i] = table->plan[i];
	wider->plan[n] = plan;
	wider->n = n + 1;
	wider->replaced = table;
	return wider;
}

/* Under the lock: nobody else adds. */
static int add(struct ls_group *group, const struct ls_algorithm *algorithm, const struct ls_problem *problem,
	const struct ls_plan **out)
{
	struct ls_plan_table *table = ls_load(&group->plans, acquire);     /* PLANS */
	struct ls_plan *plan;

	*out = find(table, algorithm, problem);
	if (*out)
		return LS_OK;
	if (ls_plan_from(algorithm, problem, &plan) != LS_OK)
		return LS_ERR_MEMORY;

	struct ls_plan_table *wider = extended(table, plan);

	if (!wider) {
		ls_plan_destroy(plan);
		return LS_ERR_MEMORY;
	}
	group->forget_plans = forget;
	ls_store(&group->plans, wider, release);                           /* PLANS */
	*out = plan;
	return LS_OK;
}

int ls_group_plan(struct ls_node *node, const struct ls_algorithm *algorithm, const struct ls_problem *problem,
	const struct ls_plan **out)
{
	struct ls_machine *machine = node->self->machine;
	int failed;

	ls_rcu_enter();
	*out = find(ls_load(&node->group->plans, acquire), algorithm, problem);        /* PLANS */
	ls_rcu_leave();
	if (*out)
		return LS_OK;
	pthread_mutex_lock(&machine->making);
	failed = add(node->group, algorithm, problem, out);
	pthread_mutex_unlock(&machine->making);
	return failed;
}
