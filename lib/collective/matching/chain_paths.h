/*
 * Paths from each rank to the next one, and schedules that move blocks along them.
 *
 * A port with many hops costs more than others, and each path is a cheapest one.  After all paths
 * are found, each one is found again, several times, while the others stay.
 *
 *     rank    0 --> a --> 1 --> 2 --> ..     rank 0 sends a block, a passes it on, 1 adds its own
 *     hop        0     1     2               and sends the sum
 */
#ifndef LSI_COLLECTIVE_MATCHING_CHAIN_PATHS_H
#define LSI_COLLECTIVE_MATCHING_CHAIN_PATHS_H

#include "collective/matching/periodic.h"

enum { LSI_CHAIN_NODES = 256 };

struct lsi_chain_hop {
	int32_t from, to;
	int32_t rank; /* whose prefix moves; it ends at rank + 1 */
};

struct lsi_chain_paths {
	struct lsi_kept kept;
	int64_t load; /* hops of the busiest port */
	int64_t hops;
	struct lsi_chain_hop hop[]; /* from rank 0 on */
};

/* At most LSI_CHAIN_NODES nodes, no switches.  Kept with the topology; NULL: no memory. */
const struct lsi_chain_paths *lsi_chain_paths_of(const struct ls_topology *);

/*
 * Of schedules of several periods, that of the fewest rounds for this number of blocks.  Kept with
 * the topology; NULL: no memory.
 */
const struct lsi_periodic *lsi_chain_schedule(const struct ls_topology *, int64_t blocks);

#endif
