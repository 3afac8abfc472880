/*
 * Paths for the blocks of an all-to-all on which the busiest port has few blocks.
 *
 * A block uses the sending port of each node that it leaves, and the receiving port of each node
 * that it reaches.  It takes the cheapest path of at most two hops more than the distance.  A port
 * with more blocks than wanted has a price, which grows while it stays so.  In every sweep the
 * blocks that use such a port choose again.
 *
 * The number of a block from x to w is x p + w.
 */
#ifndef LSI_COLLECTIVE_MATCHING_FLOW_PATHS_H
#define LSI_COLLECTIVE_MATCHING_FLOW_PATHS_H

#include "collective/matching/link_table.h"

/* Lengths of paths are stored in bytes. */
enum { LSI_FLOW_NODES = 128 };

struct lsi_flow_paths {
	const struct lsi_link_table *table; /* a link leads from table->neighbor to table->node */
	int32_t *reverse;                   /* per link: that in the other direction */
	int64_t hops;                       /* of all paths */
	int32_t stride;                     /* the most hops of a path */
	uint8_t *length;                    /* of each block */
	int32_t *link;                      /* of a block: from block * stride on */
	int32_t *load[2];                   /* of each node: blocks sent, received */
	int32_t busiest;                    /* the greatest load */
};

/* In memory of the arena; false: no memory.  `least`: no paths have a lower greatest load. */
bool lsi_flow_paths_make(struct lsi_flow_paths *, const struct ls_topology *,
	const struct lsi_link_table *, int64_t least, struct lsi_arena *);

#endif
