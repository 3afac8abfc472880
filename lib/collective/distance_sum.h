/*
 * The sum of the distances from a node to all others, on networks that are groups.  It is the same
 * for every node.
 *
 *   ring, torus   sum over the dimensions of p/s floor(s^2/4)
 *   hypercube     p/2 log2 p
 *   star          N (n - 4 + 2/n + 1 + 1/2 + .. + 1/n), N = n!
 *   bubble-sort   N n (n - 1)/4
 *   A x B         |B| sum of A + |A| sum of B
 *   others        node by node
 */
#ifndef LSI_COLLECTIVE_DISTANCE_SUM_H
#define LSI_COLLECTIVE_DISTANCE_SUM_H

#include "topology/topology_internal.h"

int64_t lsi_distance_sum(const struct ls_topology *);

#endif
