/*
 * Two caches of a group: its plans, and its choices of algorithms, so that not every node compares
 * the algorithms again.
 *
 * Plans and the first choices are in one table behind one pointer.  A plan is put into a free slot
 * of the table's hash table; a reader that comes too early finds it with the lock.  All else
 * replaces the whole table.  Readers search inside an RCU lookup.  A replaced table may still have
 * readers, and no node waits for a grace period, so it stays linked behind the new one until the
 * group ends.  Therefore a reader may use an entry that it has found after it has left the lookup.
 *
 * A user may call with any number of counts.  So the first choices stay, and of the others the last
 * ones are kept, by the lock: all nodes make the same calls.
 */
#include <string.h>

#include "base/math.h"
#include "call/call.h"
#include "cost/cost_internal.h"

enum { CHOICES_MAX = 32 }; /* first ones, and last ones */
enum { FIRST_SLOTS = 4 };

/* A choice, and the part of its request that it depends on. */
struct choice {
	struct ls_request request; /* algorithm: the name in the table of algorithms, or NULL */
	struct ls_op_info op;      /* a copy of a user's operator */
	size_t type_size;          /* bytes of an element */
	const struct lsi_algorithm *algorithm;
	struct lsi_problem problem;
};

/* The last choices after the first ones, by build_lock: the next one replaces the oldest. */
struct recent_choices {
	int64_t n; /* added so far */
	struct choice choice[CHOICES_MAX];
};

struct lsi_plan_cache {
	struct lsi_plan_cache *replaced;
	struct recent_choices *recent; /* NULL: none */
	size_t choices, n;             /* n: plans; written under build_lock */
	struct choice choice[CHOICES_MAX];
	size_t slots; /* a power of two; at least half of them have no plan */
	LSI_ATOMIC(const struct ls_plan *) plan[]; /* PLANS: release -> acquire in an RCU lookup */
};

/* Both problems are of one group, so their nodes and network are the same. */
static bool is_same_problem(const struct lsi_problem *a, const struct lsi_problem *b)
{
	return a->operation == b->operation && a->mode == b->mode && a->root == b->root
		&& a->shift == b->shift && a->segments == b->segments && a->ports == b->ports
		&& a->in_place == b->in_place;
}

static uint64_t hash_of(const struct lsi_algorithm *algorithm, const struct lsi_problem *problem)
{
	const uint64_t numbers[] = { (uint64_t)(uintptr_t)algorithm, (uint64_t)problem->operation,
		(uint64_t)problem->mode, (uint64_t)problem->root, (uint64_t)problem->shift,
		(uint64_t)problem->segments, (uint64_t)problem->ports, problem->in_place };
	uint64_t hash = 0;

	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		hash = lsi_mix(hash + numbers[i]);
	return hash;
}

/* Where the plan of a problem is, or may be put; `plan` NULL: it is not there. */
struct place {
	size_t slot;
	const struct ls_plan *plan;
};

static struct place place_of(const struct lsi_plan_cache *table,
	const struct lsi_algorithm *algorithm, const struct lsi_problem *problem)
{
	for (uint64_t i = hash_of(algorithm, problem);; i++) {
		const size_t slot = i & (table->slots - 1);
		const struct ls_plan *plan = lsi_load(&table->plan[slot], acquire); /* PLANS */

		if (!plan || (plan->algorithm == algorithm && is_same_problem(&plan->problem, problem)))
			return (struct place){ slot, plan };
	}
}

/* NULL: not in the table. */
static const struct ls_plan *find_plan(const struct lsi_plan_cache *table,
	const struct lsi_algorithm *algorithm, const struct lsi_problem *problem)
{
	return table ? place_of(table, algorithm, problem).plan : NULL;
}

/* Add a plan that is not in the table.  The caller holds build_lock. */
static void put_plan(struct lsi_plan_cache *table, const struct ls_plan *plan)
{
	const struct place place = place_of(table, plan->algorithm, &plan->problem);

	lsi_store(&table->plan[place.slot], plan, release); /* PLANS */
	table->n++;
}

static void destroy_plan_cache(struct lsi_group *group)
{
	struct lsi_plan_cache *table =
		lsi_load(&group->plan_cache, acquire); /* PLANS: no reader is left */

	for (size_t i = 0; table && i < table->slots; i++)
		ls_plan_destroy((struct ls_plan *)(uintptr_t)lsi_load(&table->plan[i], relaxed));
	if (table)
		lsi_free(table->recent);
	while (table) {
		struct lsi_plan_cache *old = table->replaced;

		lsi_free(table);
		table = old;
	}
}

/* A copy of the table, with twice the slots if it grows; or the first table.  NULL: no memory. */
static struct lsi_plan_cache *copy_of(struct lsi_plan_cache *table, bool grows)
{
	const size_t slots = !table ? FIRST_SLOTS : grows ? 2 * table->slots : table->slots;
	struct lsi_plan_cache *copy = lsi_alloc_zero(1, sizeof *copy + slots * sizeof *copy->plan);

	if (!copy)
		return NULL;
	copy->slots = slots;
	copy->replaced = table;
	if (!table)
		return copy;
	copy->choices = table->choices;
	copy->recent = table->recent;
	memcpy(copy->choice, table->choice, sizeof copy->choice);
	for (size_t i = 0; i < table->slots; i++) {
		const struct ls_plan *plan = lsi_load(&table->plan[i], relaxed); /* under build_lock */

		if (plan)
			put_plan(copy, plan);
	}
	return copy;
}

/* Readers see the old table or the new one, both complete. */
static void publish(struct lsi_group *group, struct lsi_plan_cache *table)
{
	group->destroy_plan_cache = destroy_plan_cache;
	lsi_store(&group->plan_cache, table, release); /* PLANS */
}

/* The caller holds build_lock: no other node adds. */
static int add_plan(struct lsi_group *group, const struct lsi_algorithm *algorithm,
	const struct lsi_problem *problem, const struct ls_plan **out)
{
	struct lsi_plan_cache *table = lsi_load(&group->plan_cache, acquire); /* PLANS */
	struct ls_plan *plan;

	*out = find_plan(table, algorithm, problem);
	if (*out)
		return LS_OK;
	if (lsi_plan_make_from(algorithm, problem, &plan) != LS_OK)
		return LS_ERR_MEMORY;
	if (!table || 2 * (table->n + 1) > table->slots) {
		table = copy_of(table, true);
		if (!table) {
			ls_plan_destroy(plan);
			return LS_ERR_MEMORY;
		}
		publish(group, table);
	}
	put_plan(table, plan);
	*out = plan;
	return LS_OK;
}

/* Search without the lock; then again with it, because another node may have added the plan. */
int lsi_group_plan(struct ls_node *node, const struct lsi_algorithm *algorithm,
	const struct lsi_problem *problem, const struct ls_plan **out)
{
	struct ls_machine *machine = node->self->machine;
	int failed;

	lsi_rcu_enter();
	*out = find_plan(lsi_load(&node->group->plan_cache, acquire), algorithm, problem); /* PLANS */
	lsi_rcu_leave();
	if (*out)
		return LS_OK;
	pthread_mutex_lock(&machine->build_lock);
	failed = add_plan(node->group, algorithm, problem, out);
	pthread_mutex_unlock(&machine->build_lock);
	return failed;
}

/* ---- Choices */

/*
 * A user's type or operator at the same address may be another one: compare the properties on which
 * the choice depends.  Users' types of one size do not differ.
 */
static bool is_same_request(const struct choice *choice, const struct ls_request *request)
{
	const struct ls_request *old = &choice->request;

	return old->operation == request->operation && old->count == request->count
		&& old->type == request->type && old->op == request->op && old->root == request->root
		&& old->shift == request->shift && old->ports == request->ports
		&& old->in_place == request->in_place && old->mode == request->mode
		&& choice->type_size == request->type->size
		&& (!request->op
			|| (choice->op.commutative == request->op->commutative
				&& choice->op.idempotent == request->op->idempotent))
		&& (old->algorithm == request->algorithm
			|| (old->algorithm && request->algorithm
				&& !strcmp(old->algorithm, request->algorithm)));
}

static const struct choice *find_choice(
	const struct choice *choice, size_t n, const struct ls_request *request)
{
	for (size_t i = 0; i < n; i++) {
		if (is_same_request(&choice[i], request))
			return &choice[i];
	}
	return NULL;
}

static bool is_full(const struct lsi_plan_cache *table)
{
	return table && table->choices == CHOICES_MAX;
}

/* The caller holds build_lock. */
static const struct choice *find_recent(
	const struct lsi_plan_cache *table, const struct ls_request *request)
{
	const struct recent_choices *recent = table ? table->recent : NULL;

	return recent ? find_choice(recent->choice, (size_t)lsi_min(recent->n, CHOICES_MAX), request)
				  : NULL;
}

/* Find a choice; *out is a copy. */
static bool find_known(struct ls_node *node, const struct ls_request *request, struct choice *out)
{
	struct ls_machine *machine = node->self->machine;
	const struct lsi_plan_cache *table;
	const struct choice *found;
	bool full;

	lsi_rcu_enter();
	table = lsi_load(&node->group->plan_cache, acquire); /* PLANS */
	found = table ? find_choice(table->choice, table->choices, request) : NULL;
	full = is_full(table);
	lsi_rcu_leave();
	if (found)
		*out = *found;
	if (found || !full)
		return found;
	pthread_mutex_lock(&machine->build_lock);
	found = find_recent(lsi_load(&node->group->plan_cache, acquire), request); /* PLANS */
	if (found)
		*out = *found;
	pthread_mutex_unlock(&machine->build_lock);
	return found;
}

/* The caller holds build_lock. */
static int add_recent(struct lsi_plan_cache *table, const struct choice *choice)
{
	if (!table->recent)
		table->recent = lsi_alloc_zero(1, sizeof *table->recent);
	if (!table->recent)
		return LS_ERR_MEMORY;
	if (!find_recent(table, &choice->request))
		table->recent->choice[table->recent->n++ % CHOICES_MAX] = *choice;
	return LS_OK;
}

/* The caller holds build_lock. */
static int add_choice(struct lsi_group *group, const struct choice *choice)
{
	struct lsi_plan_cache *table = lsi_load(&group->plan_cache, acquire); /* PLANS */
	struct lsi_plan_cache *larger;

	if (table && find_choice(table->choice, table->choices, &choice->request))
		return LS_OK;
	if (is_full(table))
		return add_recent(table, choice);
	larger = copy_of(table, false);
	if (!larger)
		return LS_ERR_MEMORY;
	larger->choice[larger->choices++] = *choice;
	publish(group, larger);
	return LS_OK;
}

/* Two nodes may choose at the same time; their choices are equal, as their requests are. */
int lsi_group_choose(struct ls_node *node, const struct ls_request *request,
	const struct lsi_algorithm **algorithm, struct lsi_problem *problem, struct ls_error *why)
{
	struct ls_machine *machine = node->self->machine;
	struct choice choice = { .request = *request };
	const bool known = find_known(node, request, &choice);
	int failed = known ? LS_OK : lsi_choose(request, &choice.algorithm, &choice.problem, why);

	if (failed)
		return failed;
	*algorithm = choice.algorithm;
	*problem = choice.problem;
	if (known)
		return LS_OK;
	choice.request.algorithm = request->algorithm ? choice.algorithm->name : NULL;
	if (request->op)
		choice.op = *request->op;
	choice.type_size = request->type->size;
	pthread_mutex_lock(&machine->build_lock);
	failed = add_choice(node->group, &choice);
	pthread_mutex_unlock(&machine->build_lock);
	return failed;
}
