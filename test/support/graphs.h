/*
 * Topologies of graphs that tests make; the test ends without memory or a file.
 */
#ifndef LOCKSTEP_TEST_GRAPHS_H
#define LOCKSTEP_TEST_GRAPHS_H

#include <lockstep/topology.h>

/* From the two ends of each edge; NULL: it is not connected. */
ls_topology *graph_of(const int64_t ends[], int64_t edges);
/* A connected random cubic graph of p <= 84 nodes. */
ls_topology *cubic_graph(int64_t p, uint64_t seed);

#endif
