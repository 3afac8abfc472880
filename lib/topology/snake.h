/*
 * Paths and rings through grids that turn round at the end of each line, as an ox ploughs.
 */
#ifndef LS_TOPOLOGY_SNAKE_H
#define LS_TOPOLOGY_SNAKE_H

#include "topology/topology.h"

/* The node at a position of the Hamiltonian path of a grid. */
int64_t ls_snake_at(const struct ls_topology *, int64_t position);
/* A Hamiltonian ring of a grid; false: none is known. */
bool ls_snake_ring(const struct ls_topology *, int64_t *ring);

#endif
