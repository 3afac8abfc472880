#include "engine/cooperative/flow_cache.h"

#include "base/alloc.h"

struct lsi_flow_entry {
	struct lsi_flow_entry *next;
	const struct ls_plan *plan;
	struct lsi_flow *flow;        /* NULL: the plan has none, or there are several processes */
	struct lsi_flow_parts *parts; /* NULL: the plan has none, or there is one process */
};

static struct lsi_flow_entry **bucket_of(struct lsi_flow_cache *cache, const struct ls_plan *plan)
{
	const uint64_t mixed = (uint64_t)(uintptr_t)plan * 0x9e3779b97f4a7c15u;

	return &cache->bucket[mixed >> 32 & (LSI_FLOW_BUCKETS - 1)];
}

/* NULL: no memory. */
static struct lsi_flow_entry *make_entry(
	const struct lsi_division *division, const struct ls_plan *plan)
{
	struct lsi_flow_entry *entry = lsi_alloc(sizeof *entry);

	if (!entry)
		return NULL;
	*entry = (struct lsi_flow_entry){ .plan = plan };
	if ((division ? lsi_flow_parts_make(plan, division, &entry->parts)
				  : lsi_flow_make(plan, &entry->flow))
		== LS_ERR_MEMORY) {
		lsi_free(entry);
		return NULL;
	}
	return entry;
}

/* That of a long plan takes seconds. */
static struct lsi_flow_entry *make_entry_at(
	struct lsi_node_state *leader, const struct lsi_division *division, const struct ls_plan *plan)
{
	struct lsi_flow_entry *entry;

	lsi_store(&leader->prepares_call, 1u, relaxed); /* a hint */
	entry = make_entry(division, plan);
	lsi_store(&leader->prepares_call, 0u, relaxed); /* as above */
	return entry;
}

static struct lsi_flow_entry *find_entry(
	struct lsi_flow_cache *cache, const struct ls_plan *plan, struct lsi_node_state *leader)
{
	struct lsi_flow_entry **first = bucket_of(cache, plan), **at = first, *entry;

	while (*at && (*at)->plan != plan)
		at = &(*at)->next;
	entry = *at ? *at : make_entry_at(leader, cache->division, plan);
	if (entry && entry != *first) { /* else nothing is written: other cores read this line */
		if (*at)
			*at = entry->next;
		entry->next = *first;
		*first = entry;
	}
	return entry;
}

int lsi_flow_cache_find(struct lsi_flow_cache *cache, const struct ls_plan *plan,
	struct lsi_node_state *leader, struct lsi_flow **out)
{
	struct lsi_flow_entry *entry = find_entry(cache, plan, leader);

	if (entry)
		*out = entry->flow;
	return entry ? LS_OK : LS_ERR_MEMORY;
}

int lsi_flow_cache_find_parts(struct lsi_flow_cache *cache, const struct ls_plan *plan,
	struct lsi_node_state *leader, struct lsi_flow_parts **out)
{
	struct lsi_flow_entry *entry = find_entry(cache, plan, leader);

	if (entry)
		*out = entry->parts;
	return entry ? LS_OK : LS_ERR_MEMORY;
}

void lsi_flow_cache_release(struct lsi_flow_cache *cache)
{
	for (int i = 0; i < LSI_FLOW_BUCKETS; i++) {
		while (cache->bucket[i]) {
			struct lsi_flow_entry *entry = cache->bucket[i];

			cache->bucket[i] = entry->next;
			lsi_flow_destroy(entry->flow);
			lsi_flow_parts_destroy(entry->parts);
			lsi_free(entry);
		}
	}
}
