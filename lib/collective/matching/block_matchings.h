/*
 * All-gathers of long blocks, for any network: one block per message, and in each round a largest
 * matching.
 *
 * Receivers that lack most blocks come first, so the matching is the heaviest of the largest ones.
 * Each sender then sends a block that fewest nodes have.  Several tries with random ties are made,
 * with fixed seeds.  The first one with the fewest rounds is kept with the topology.
 */
#ifndef LSI_COLLECTIVE_MATCHING_BLOCK_MATCHINGS_H
#define LSI_COLLECTIVE_MATCHING_BLOCK_MATCHINGS_H

#include "collective/matching/delivery.h"

/* The search takes time p^3. */
enum { LSI_BLOCK_SEARCH_NODES = 256 };

bool lsi_block_search_fits(const struct lsi_problem *);

/* lsi_block_search_fits holds; NULL: no memory. */
const struct lsi_delivery *lsi_block_delivery(const struct ls_topology *);

#endif
