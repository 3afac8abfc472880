/*
 * Rooted operations whose root changes from call to call, in groups with more nodes than the call
 * cache has entries: what a handle keeps of a cached call for each root.
 *
 * All cached calls of a handle share one table, so its size does not depend on their number.  A
 * call and a root have one slot.  Another call with the same slot replaces it, and is prepared
 * again the next time.
 */
#include "call/call.h"

enum { SLOTS_OF_GROUP = 1 << 20 }; /* of all handles of a group: 64 MiB */

/* Four for each root, because calls share them; fewer in a large group. */
static size_t slots_of(int64_t nodes)
{
	size_t slots = 4;

	while (slots < 4 * (size_t)nodes)
		slots *= 2;
	while (slots > 1 && slots * (size_t)nodes > SLOTS_OF_GROUP)
		slots /= 2;
	return slots;
}

/* The table of a handle, made on first use; NULL: no memory. */
static struct lsi_call_roots *roots_of(struct ls_node *node)
{
	struct lsi_call_cache *call_cache = node->call_cache;
	const size_t slots = slots_of(node->group->size);

	if (!call_cache->roots) {
		call_cache->roots =
			lsi_alloc_zero(1, sizeof *call_cache->roots + slots * sizeof *call_cache->roots->slot);
		if (call_cache->roots)
			call_cache->roots->slots = slots;
	}
	return call_cache->roots;
}

static struct lsi_call_root *slot_of(struct lsi_call_roots *roots, const struct ls_call *call)
{
	return &roots->slot[lsi_call_hash(call) & (roots->slots - 1)];
}

void lsi_call_keep_root(struct ls_node *node, struct lsi_cached_call *cached)
{
	struct lsi_call_roots *roots = roots_of(node);

	if (roots && cached->number == 0 && roots->calls < UINT32_MAX)
		cached->number = ++roots->calls;
	if (roots && cached->number > 0)
		*slot_of(roots, &cached->call) =
			(struct lsi_call_root){ (uint64_t)cached->number << 1 | cached->in_place,
				cached->call.root, cached->compiled_entry, cached->other, cached->send_counts,
				cached->execution.envelope.call[2] };
}

const struct lsi_call_root *lsi_call_root_of(const struct lsi_call_cache *call_cache,
	const struct lsi_cached_call *cached, const struct ls_call *call)
{
	const struct lsi_call_root *kept = cached->number > 0 ? slot_of(call_cache->roots, call) : NULL;

	return kept && kept->tag >> 1 == cached->number && kept->root == call->root ? kept : NULL;
}

void lsi_call_set_root(struct lsi_cached_call *cached, const struct lsi_call_root *kept)
{
	cached->call.root = kept->root;
	cached->compiled_entry = kept->compiled_entry;
	cached->plan = kept->compiled_entry->plan;
	cached->in_place = kept->tag & 1;
	cached->other = kept->other;
	cached->send_counts = kept->send_counts;
	cached->execution.compiled = &kept->compiled_entry->compiled_plan;
	cached->execution.envelope.call[2] = kept->envelope;
}
