/*
 * All-to-alls of one block per message, for any network: paths that spread the load over all ports
 * (flow_paths.h), and rounds that are largest matchings of the links for which blocks wait.
 *
 * A matching covers the busiest ports of either end, those with the most blocks left.  Over a link
 * the block with the most hops left goes first.  No schedule on these paths takes fewer rounds than
 * the busiest port has blocks.  Several tries with random ties are made, with fixed seeds, until
 * one meets this.  The first one with the fewest rounds is kept with the topology.
 */
#ifndef LSI_COLLECTIVE_MATCHING_FLOW_ROUNDS_H
#define LSI_COLLECTIVE_MATCHING_FLOW_ROUNDS_H

#include "collective/direct/packets.h"

/* NULL: no memory. */
const struct lsi_packets *lsi_flow_packets(const struct ls_topology *);

#endif
