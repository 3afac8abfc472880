/*
 * Hamiltonian paths and rings of grids in snake order: every other line is reversed.
 */
#ifndef LSI_TOPOLOGY_SNAKE_H
#define LSI_TOPOLOGY_SNAKE_H

#include "topology/topology_internal.h"

/* The node at a position of the Hamiltonian path of a grid. */
int64_t lsi_snake_node(const struct ls_topology *, int64_t position);
/* A Hamiltonian ring of a grid; false: none is known. */
bool lsi_snake_ring(const struct ls_topology *, int64_t *ring);

#endif
