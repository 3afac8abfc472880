/*
 * All-gathers and broadcasts of long blocks, for any network: in each round a largest matching of
 * senders to receivers.
 *
 * Several tries are made, with fixed seeds for random ties, and the first of the cheapest is taken.
 * In a first series, receivers that lack most blocks come first, so the matching is the heaviest of
 * the largest ones.  Each sender then sends the blocks that fewest nodes have, at most `width` of
 * them.  The wider messages are, the fewer rounds there are; links that bring many blocks then come
 * first.
 *
 * In a second series links have weights.  A link weighs more if its receiver lacks more blocks, if
 * it brings more blocks, and if fewer nodes have these and more neighbors of the receiver need
 * them.  It also weighs more if many shortest paths use it, such as a bridge: what crosses it late
 * delays the nodes behind it.
 */
#ifndef LSI_COLLECTIVE_MATCHING_BLOCK_MATCHINGS_H
#define LSI_COLLECTIVE_MATCHING_BLOCK_MATCHINGS_H

#include "collective/matching/delivery.h"

/* The search takes time p^3. */
enum { LSI_BLOCK_SEARCH_NODES = 256 };

bool lsi_block_search_fits(const struct lsi_problem *);

/*
 * An all-gather with at most `segments` blocks per message, kept with the topology.
 * lsi_block_search_fits holds; NULL: no memory.
 */
const struct lsi_delivery *lsi_block_delivery(const struct lsi_problem *);

/*
 * Counts of such an all-gather that no choice of the segments for `count` elements goes below; a
 * block has n elements.
 */
struct ls_counts lsi_block_predict_least(const struct lsi_problem *, size_t count, size_t n);

/* A broadcast with one block per message; the caller frees it. */
struct lsi_delivery *lsi_block_broadcast(const struct ls_topology *, int64_t root, int64_t blocks);

#endif
