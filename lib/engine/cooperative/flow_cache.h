/*
 * The flows of the plans of a group, or their parts if the group has members in other processes.  A
 * rotating root has a plan for each node, so a flow is found by the address of its plan.  Only the
 * leader of a call uses the cache.
 */
#ifndef LSI_ENGINE_COOPERATIVE_FLOW_CACHE_H
#define LSI_ENGINE_COOPERATIVE_FLOW_CACHE_H

#include "engine/cooperative/flow_parts.h"
#include "machine/machine_types.h"

enum { LSI_FLOW_BUCKETS = 64 }; /* a power of two */

/* Zero at first, but for the division. */
struct lsi_flow_cache {
	const struct lsi_division *division; /* NULL: one process; then there are no parts */
	struct lsi_flow_entry *bucket[LSI_FLOW_BUCKETS]; /* most recently used first */
};

/*
 * The flow of a plan, or its parts, made on first use by this leader; *out == NULL: it has none.
 * LS_OK or LS_ERR_MEMORY.
 */
int lsi_flow_cache_find(struct lsi_flow_cache *, const struct ls_plan *, struct lsi_node_state *,
	struct lsi_flow **out);
int lsi_flow_cache_find_parts(struct lsi_flow_cache *, const struct ls_plan *,
	struct lsi_node_state *, struct lsi_flow_parts **out);

void lsi_flow_cache_release(struct lsi_flow_cache *);

#endif
