/*
 * The flows of the plans of a group.  A rotating root has a plan for each node, so a flow is found
 * by the address of its plan.  Only the leader of a call uses the cache.
 */
#ifndef LSI_ENGINE_COOPERATIVE_FLOW_CACHE_H
#define LSI_ENGINE_COOPERATIVE_FLOW_CACHE_H

#include "engine/cooperative/flow.h"

enum { LSI_FLOW_BUCKETS = 64 }; /* a power of two */

/* Zero at first. */
struct lsi_flow_cache {
	struct lsi_flow_entry *bucket[LSI_FLOW_BUCKETS]; /* most recently used first */
};

/* The flow of a plan, made on first use; *out == NULL: it has none.  LS_OK or LS_ERR_MEMORY. */
int lsi_flow_cache_find(struct lsi_flow_cache *, const struct ls_plan *, struct lsi_flow **out);

void lsi_flow_cache_release(struct lsi_flow_cache *);

#endif
