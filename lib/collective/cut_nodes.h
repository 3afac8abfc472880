/*
 * Cut nodes: nodes without which a network falls into several parts.
 */
#ifndef LSI_COLLECTIVE_CUT_NODES_H
#define LSI_COLLECTIVE_CUT_NODES_H

#include "topology/topology_internal.h"

/*
 * The parts of a network without this node, or without the one whose absence leaves most parts.
 * 1 on networks with switches or of many nodes; 0: no memory.  Kept with the topology.
 */
int64_t lsi_parts_without(const struct ls_topology *, int64_t node);
int64_t lsi_most_parts(const struct ls_topology *);

#endif
