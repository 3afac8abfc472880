/*
 * The compiled plans of a handle, found by plan: a hash table with chains, as long as it has
 * entries.  A program in which each node is the root in turn has as many plans as nodes.
 */
#include "base/math.h"
#include "call/call.h"

enum { FIRST_CHAINS = 8 };

static struct lsi_compiled_plan_entry **chain_of(
	const struct lsi_compiled_plans *all, const struct ls_plan *plan)
{
	return &all->chain[lsi_mix((uint64_t)(uintptr_t)plan) & (all->chains - 1)];
}

static void add(struct lsi_compiled_plans *all, struct lsi_compiled_plan_entry *entry)
{
	struct lsi_compiled_plan_entry **chain = chain_of(all, entry->plan);

	entry->next = *chain;
	*chain = entry;
	all->n++;
}

/* Double the chains; without memory, those that there are get longer.  False: there are none. */
static bool reserve(struct lsi_compiled_plans *all)
{
	const size_t chains = all->chains > 0 ? 2 * all->chains : FIRST_CHAINS;
	struct lsi_compiled_plans larger = { .chains = chains };

	if (all->n < all->chains)
		return true;
	larger.chain = lsi_alloc_zero(chains, sizeof *larger.chain);
	if (!larger.chain)
		return all->chains > 0;
	for (size_t i = 0; i < all->chains; i++) {
		struct lsi_compiled_plan_entry *entry = all->chain[i];

		while (entry) {
			struct lsi_compiled_plan_entry *next = entry->next;

			add(&larger, entry);
			entry = next;
		}
	}
	lsi_free(all->chain);
	*all = larger;
	return true;
}

struct lsi_compiled_plan_entry *lsi_compiled_plans_of(
	struct lsi_compiled_plans *all, const struct ls_plan *plan)
{
	struct lsi_compiled_plan_entry *entry = all->chains > 0 ? *chain_of(all, plan) : NULL;

	while (entry && entry->plan != plan)
		entry = entry->next;
	if (entry || !reserve(all))
		return entry;
	entry = lsi_alloc_zero(1, sizeof *entry);
	if (!entry)
		return NULL;
	entry->plan = plan;
	add(all, entry);
	return entry;
}

static void destroy(struct lsi_compiled_plan_entry *entry)
{
	if (entry->is_compiled)
		lsi_compiled_plan_release(&entry->compiled_plan);
	lsi_free(entry->lengths);
	lsi_free(entry);
}

void lsi_compiled_plans_release(struct lsi_compiled_plans *all)
{
	for (size_t i = 0; i < all->chains; i++) {
		while (all->chain[i]) {
			struct lsi_compiled_plan_entry *entry = all->chain[i];

			all->chain[i] = entry->next;
			destroy(entry);
		}
	}
	lsi_free(all->chain);
}

int lsi_compiled_plan_entry_make(
	struct ls_node *node, struct lsi_compiled_plan_entry *compiled_entry)
{
	const int failed = compiled_entry->is_compiled
		? LS_OK
		: lsi_compiled_plan_make(node, compiled_entry->plan, &compiled_entry->compiled_plan);

	compiled_entry->is_compiled = !failed;
	return failed;
}
