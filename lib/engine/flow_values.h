/*
 * Values: what the nodes of a plan hold, by number.
 *
 * 0 is nothing; 1 .. leaves are the blocks of INPUT of all nodes, in order; each further number is
 * the combination of two smaller ones.  One expression has one number.
 */
#ifndef LS_ENGINE_FLOW_VALUES_H
#define LS_ENGINE_FLOW_VALUES_H

#include "plan/plan.h"

struct ls_sum { uint32_t a, b, label; };  /* a (+) b, of logical block `label` */

struct ls_values {
	const struct ls_plan *plan;
	uint32_t inputs, leaves;              /* blocks of INPUT of a node, of all nodes */
	uint32_t sums, room;                  /* of them there are, there is place for   */
	struct ls_sum *sum;                   /* value leaves + 1 + i is sum[i]          */
	uint32_t *place;                      /* open addressing: indices of sums, + 1   */
	int bits;                             /* of the number of places                 */
	int64_t cells;
	uint32_t *held;                       /* what is in each cell of each node in the end */
};

/* Walks the plan; LS_OK, LS_ERR_MEMORY, LS_ERR_LAW, LS_ERR_UNSUPPORTED as ls_flow_make. */
int ls_values_make(const struct ls_plan *, struct ls_values *out);
/* Also after a failure. */
void ls_values_release(struct ls_values *);

static inline bool ls_value_is_sum(const struct ls_values *v, uint32_t value)
{
	return value > v->leaves;
}

static inline struct ls_sum *ls_value_sum(const struct ls_values *v, uint32_t value)
{
	return &v->sum[value - v->leaves - 1];
}

#endif
