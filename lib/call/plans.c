/*
 * The plan cache of a group: an immutable table behind one pointer, replaced whole when a plan is
 * added.  With it the first choices of algorithms, so that not every node weighs them anew.
 *
 * Readers search inside an RCU lookup.  A replaced table may still be read by others, and no node
 * waits for a grace period; so it is kept behind the new one until the group ends.
 */
#include <string.h>

#include "call/call.h"
#include "cost/cost_internal.h"

enum { CHOICES = 32 }; /* kept, at most: counts may be without end */

/* What was asked, as far as the choice depends on it, and chosen. */
struct choice {
	struct ls_request asked; /* algorithm: the name in the table of algorithms, or NULL */
	struct ls_op_info op;    /* what a user's operator was */
	const struct lsi_algorithm *algorithm;
	struct lsi_problem problem;
};

struct lsi_plan_table {
	struct lsi_plan_table *replaced;
	size_t choices, n;
	struct choice choice[CHOICES];
	const struct ls_plan *plan[];
};

static bool same(const struct lsi_problem *a, const struct lsi_problem *b)
{
	return a->operation == b->operation && a->mode == b->mode && a->root == b->root
		&& a->shift == b->shift && a->segments == b->segments && a->ports == b->ports
		&& a->in_place == b->in_place;
}

static const struct ls_plan *find(const struct lsi_plan_table *table,
	const struct lsi_algorithm *algorithm, const struct lsi_problem *problem)
{
	for (size_t i = 0; table && i < table->n; i++) {
		if (table->plan[i]->algorithm == algorithm && same(&table->plan[i]->problem, problem))
			return table->plan[i];
	}
	return NULL;
}

static void forget(struct lsi_group *group)
{
	struct lsi_plan_table *table =
		lsi_load(&group->plans, acquire); /* PLANS: the last reader has left */

	for (size_t i = 0; table && i < table->n; i++)
		ls_plan_destroy((struct ls_plan *)(uintptr_t)table->plan[i]);
	while (table) {
		struct lsi_plan_table *old = table->replaced;

		lsi_free(table);
		table = old;
	}
}

/* A copy of the table with room for one more plan and one more choice; NULL: no memory. */
static struct lsi_plan_table *copied(struct lsi_plan_table *table)
{
	const size_t n = table ? table->n : 0, bytes = sizeof *table + n * sizeof *table->plan;
	struct lsi_plan_table *wider = lsi_alloc(bytes + sizeof *table->plan);

	if (!wider)
		return NULL;
	if (table)
		memcpy(wider, table, bytes);
	else
		wider->choices = wider->n = 0;
	wider->replaced = table;
	return wider;
}

static void publish(struct lsi_group *group, struct lsi_plan_table *table)
{
	group->forget_plans = forget;
	lsi_store(&group->plans, table, release); /* PLANS */
}

/* Under the lock: nobody else adds. */
static int add(struct lsi_group *group, const struct lsi_algorithm *algorithm,
	const struct lsi_problem *problem, const struct ls_plan **out)
{
	struct lsi_plan_table *table = lsi_load(&group->plans, acquire); /* PLANS */
	struct ls_plan *plan;

	*out = find(table, algorithm, problem);
	if (*out)
		return LS_OK;
	if (lsi_plan_make_from(algorithm, problem, &plan) != LS_OK)
		return LS_ERR_MEMORY;

	struct lsi_plan_table *wider = copied(table);

	if (!wider) {
		ls_plan_destroy(plan);
		return LS_ERR_MEMORY;
	}
	wider->plan[wider->n++] = plan;
	publish(group, wider);
	*out = plan;
	return LS_OK;
}

int lsi_group_plan(struct ls_node *node, const struct lsi_algorithm *algorithm,
	const struct lsi_problem *problem, const struct ls_plan **out)
{
	struct ls_machine *machine = node->self->machine;
	int failed;

	lsi_rcu_enter();
	*out = find(lsi_load(&node->group->plans, acquire), algorithm, problem); /* PLANS */
	lsi_rcu_leave();
	if (*out)
		return LS_OK;
	pthread_mutex_lock(&machine->build_lock);
	failed = add(node->group, algorithm, problem, out);
	pthread_mutex_unlock(&machine->build_lock);
	return failed;
}

/* ---- Choices */

static bool same_request(const struct choice *choice, const struct ls_request *asked)
{
	const struct ls_request *old = &choice->asked;

	return old->operation == asked->operation && old->count == asked->count
		&& old->type == asked->type && old->op == asked->op && old->root == asked->root
		&& old->shift == asked->shift && old->ports == asked->ports
		&& old->in_place == asked->in_place && old->mode == asked->mode
		&& (!asked->op
			|| (choice->op.commutative == asked->op->commutative
				&& choice->op.idempotent == asked->op->idempotent))
		&& (old->algorithm == asked->algorithm
			|| (old->algorithm && asked->algorithm && !strcmp(old->algorithm, asked->algorithm)));
}

static const struct choice *find_choice(
	const struct lsi_plan_table *table, const struct ls_request *asked)
{
	for (size_t i = 0; table && i < table->choices; i++) {
		if (same_request(&table->choice[i], asked))
			return &table->choice[i];
	}
	return NULL;
}

/* Under the lock. */
static int keep_choice(struct lsi_group *group, const struct choice *choice)
{
	struct lsi_plan_table *table = lsi_load(&group->plans, acquire); /* PLANS */
	struct lsi_plan_table *wider;

	if ((table && table->choices == CHOICES) || find_choice(table, &choice->asked))
		return LS_OK;
	wider = copied(table);
	if (!wider)
		return LS_ERR_MEMORY;
	wider->choice[wider->choices++] = *choice;
	publish(group, wider);
	return LS_OK;
}

int lsi_group_choose(struct ls_node *node, const struct ls_request *asked,
	const struct lsi_algorithm **algorithm, struct lsi_problem *problem)
{
	struct ls_machine *machine = node->self->machine;
	const struct choice *known;
	struct choice choice = { .asked = *asked };
	int failed = LS_OK;

	lsi_rcu_enter();
	known = find_choice(lsi_load(&node->group->plans, acquire), asked); /* PLANS */
	lsi_rcu_leave();
	if (!known) {
		failed = lsi_choose(asked, &choice.algorithm, &choice.problem, NULL);
		known = &choice;
	}
	if (failed)
		return failed;
	*algorithm = known->algorithm;
	*problem = known->problem;
	if (known != &choice)
		return LS_OK;
	choice.asked.algorithm = asked->algorithm ? choice.algorithm->name : NULL;
	if (asked->op)
		choice.op = *asked->op;
	pthread_mutex_lock(&machine->build_lock);
	failed = keep_choice(node->group, &choice);
	pthread_mutex_unlock(&machine->build_lock);
	return failed;
}
