/*
 * The links of a network as a table, for searches that visit them many times.
 */
#ifndef LSI_COLLECTIVE_MATCHING_LINK_TABLE_H
#define LSI_COLLECTIVE_MATCHING_LINK_TABLE_H

#include "base/arena.h"
#include "topology/topology_internal.h"

struct lsi_link_table {
	int32_t nodes, links; /* each link once in each direction */
	int32_t *first;       /* the links of node u: first[u] .. first[u + 1] - 1 */
	int32_t *node;        /* the node whose link it is, */
	int32_t *neighbor;    /* and the node at the other end */
};

/* Fill in the table, in memory of the arena; false: no memory. */
bool lsi_link_table_make(struct lsi_link_table *, const struct ls_topology *, struct lsi_arena *);

#endif
