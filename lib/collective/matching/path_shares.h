/*
 * The share of shortest paths that each link carries: how much of a network depends on it.
 */
#ifndef LSI_COLLECTIVE_MATCHING_PATH_SHARES_H
#define LSI_COLLECTIVE_MATCHING_PATH_SHARES_H

#include "collective/matching/link_table.h"

/* The average share. */
enum { LSI_SHARE = 1 << 10 };

/*
 * Per link of the receiver, the shares of the paths from the source to all nodes; source < 0: from
 * all nodes.  Where several neighbors are nearer to the source, paths divide among them.  In memory
 * of the arena; NULL: no memory.
 */
int64_t *lsi_path_shares(const struct lsi_link_table *, int32_t source, struct lsi_arena *);

#endif
