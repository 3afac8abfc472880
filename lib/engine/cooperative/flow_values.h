/*
 * Values: what the nodes of a plan hold, by number.
 *
 * 0 is nothing; 1 .. leaves are the blocks of INPUT of all nodes, in order; each further number is
 * the combination of two smaller ones.  One expression has one number.
 */
#ifndef LSI_ENGINE_COOPERATIVE_FLOW_VALUES_H
#define LSI_ENGINE_COOPERATIVE_FLOW_VALUES_H

#include "plan/plan_internal.h"

struct lsi_flow_sum {
	uint32_t a, b, label;
}; /* a (+) b, of logical block `label` */

struct lsi_flow_values {
	const struct ls_plan *plan;
	uint32_t inputs, leaves;  /* blocks of INPUT of a node, of all nodes */
	uint32_t sums, capacity;  /* of them there are, there is place for */
	struct lsi_flow_sum *sum; /* value leaves + 1 + i is sum[i] */
	uint32_t *place;          /* open addressing: indices of sums, + 1 */
	int bits;                 /* of the number of places */
	int64_t cells;
	uint32_t *held; /* what is in each cell of each node in the end */
};

/* Walks the plan; LS_OK, LS_ERR_MEMORY, LS_ERR_LAW, LS_ERR_UNSUPPORTED as lsi_flow_make. */
int lsi_flow_values_make(const struct ls_plan *, struct lsi_flow_values *out);
/* Also after a failure. */
void lsi_flow_values_release(struct lsi_flow_values *);

static inline bool lsi_flow_value_is_sum(const struct lsi_flow_values *v, uint32_t value)
{
	return value > v->leaves;
}

static inline struct lsi_flow_sum *lsi_flow_value_sum(
	const struct lsi_flow_values *v, uint32_t value)
{
	return &v->sum[value - v->leaves - 1];
}

#endif
