/*
 * Phases of hops in a periodic schedule (periodic.h): the hops that a node sends have different
 * phases, and so have those that it receives.
 *
 * The hops are the edges of a bipartite graph of senders and receivers, which has a coloring by as
 * many phases as the busiest port has hops (Koenig 1916).  A hop takes the first phase after that
 * of the hop before it that is free at both ends.  If there is none, phases a and b, free at the
 * sender and at the receiver, change places along the path of hops of these phases that begins at
 * the receiver.  The path does not reach the sender, and then a is free at both ends.
 */
#ifndef LSI_COLLECTIVE_MATCHING_HOP_PHASES_H
#define LSI_COLLECTIVE_MATCHING_HOP_PHASES_H

#include "collective/matching/chain_paths.h"

/* A phase below `period` for each hop, released by lsi_free.  NULL: no memory. */
int32_t *lsi_hop_phases(const struct lsi_chain_paths *, int64_t nodes, int64_t period);

#endif
