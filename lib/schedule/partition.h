/*
 * Which contributions a node of an all-reduce may add, and when.
 *
 * R(v), a partition of what v knows, states which of them v may add; it is computed backwards:
 *
 *   at the end            R(v) = { everything }
 *   message u to v of D   D is cut as R(v) cuts it; each piece is one sum of the message
 *   before the message    R(v) is restricted to what v knew; R(u) is refined by the pieces
 *
 *      u knows 0 1 2                v knows 3 4
 *      R(u) = { 0 1 | 2 }           R(v) = { 3 4 }
 *               0 + 1 ----------->  R(v) = { 0 1 3 4 }     u needs 2 apart for another node
 */
#ifndef LSI_SCHEDULE_PARTITION_H
#define LSI_SCHEDULE_PARTITION_H

#include "schedule/deliver.h"

enum { LSI_UNKNOWN_CLASS = 255 };

/* The classes of R(v) before round t have numbers: class[t][v][x] is that of the class of x. */
struct lsi_partitions {
	int nodes;
	uint8_t *class; /* LSI_UNKNOWN_CLASS: v does not know x */
};

/* Those of an all-gather.  LS_OK or LS_ERR_MEMORY; release it in both cases. */
int lsi_partitions_init(struct lsi_partitions *, const struct lsi_deliveries *);
void lsi_partitions_fini(struct lsi_partitions *);

static inline uint8_t *lsi_partition_at(const struct lsi_partitions *r, int t, int v)
{
	return &r->class[((size_t)t * (size_t)r->nodes + (size_t)v) * (size_t)r->nodes];
}

/* Messages, words and volume of the all-reduce, for one element; rounds < 0: no memory. */
struct ls_counts lsi_merge_counts(const struct lsi_deliveries *);

#endif
