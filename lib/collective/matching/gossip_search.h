/*
 * All-gathers in few rounds, for any network: in each round a matching of the links over which most
 * new blocks would pass.
 *
 * A message brings all that its receiver lacks.  Links are taken greedily, those with most new
 * blocks first; then augmenting paths add the receivers that are left.  Several tries with random
 * ties are made, with fixed seeds.  The first one with the fewest rounds is kept with the topology.
 */
#ifndef LSI_COLLECTIVE_MATCHING_GOSSIP_SEARCH_H
#define LSI_COLLECTIVE_MATCHING_GOSSIP_SEARCH_H

#include "collective/matching/delivery.h"

/* lsi_delivery_fits holds; NULL: no memory. */
const struct lsi_delivery *lsi_gossip_delivery(const struct ls_topology *);

#endif
