/*
 * The values that the nodes of a plan hold, as numbers.
 *
 *   0               no value
 *   1 .. leaves     the blocks of INPUT of all nodes, in order
 *   leaves + 1 ..   combinations of two smaller numbers; equal expressions have equal numbers
 *
 * An all-reduce of one block on four nodes by doubling, as each node holds it after each round:
 *
 *     node          0          1          2          3
 *     initially     1          2          3          4
 *     round 0       5 = 1+2    5          6 = 3+4    6
 *     round 1       7 = 5+6    7          7          7
 *
 * The nodes evaluate 8 sums, of which 3 differ.  The flow computes these 3.
 */
#ifndef LSI_ENGINE_COOPERATIVE_FLOW_VALUES_H
#define LSI_ENGINE_COOPERATIVE_FLOW_VALUES_H

#include "plan/plan_internal.h"

/* a (+) b, of logical block `label`. */
struct lsi_flow_sum {
	uint32_t a, b, label;
};

/* A block of INPUT (base 2 r) or OUTPUT (base 2 r + 1) of node r, a slot, or a temporary. */
struct lsi_block_ref {
	uint32_t base, block;
};

struct lsi_flow_values {
	const struct ls_plan *plan;
	uint32_t inputs;            /* blocks of INPUT of one node */
	uint32_t leaves;            /* blocks of INPUT of all nodes; in a part, see flow_parts.h */
	struct lsi_block_ref *leaf; /* by leaf: where it is; NULL: INPUT, as above */
	uint32_t sums, capacity;    /* sums in use; sums allocated */
	struct lsi_flow_sum *sum;   /* value leaves + 1 + i is sum[i] */
	uint32_t *place;            /* hash table, open addressing: 1 + index of a sum */
	int bits;                   /* log2 of the size of the hash table */
	int64_t cells;              /* blocks of all buffers of one node */
	uint32_t *held;             /* by node and cell: the value at the end of the plan */
};

struct lsi_flow_transfers;

/* Walk the plan, and note which values cross.  Returns the same as lsi_flow_make. */
int lsi_flow_values_make(
	const struct ls_plan *, struct lsi_flow_transfers *or_null, struct lsi_flow_values *out);
/* The caller must release the values after a failure, too. */
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

static inline struct lsi_block_ref lsi_flow_leaf(const struct lsi_flow_values *v, uint32_t leaf)
{
	return v->leaf ? v->leaf[leaf]
				   : (struct lsi_block_ref){ 2 * ((leaf - 1) / v->inputs), (leaf - 1) % v->inputs };
}

/* Whether two leaves are adjacent blocks. */
static inline bool lsi_flow_leaves_touch(
	const struct lsi_flow_values *v, uint32_t leaf, uint32_t next)
{
	const struct lsi_block_ref a = lsi_flow_leaf(v, leaf), b = lsi_flow_leaf(v, next);

	return a.base == b.base && a.block + 1 == b.block;
}

/* The logical block of a value; see lsi_buffer_label. */
int64_t lsi_flow_value_label(const struct lsi_flow_values *, uint32_t value);

#endif
