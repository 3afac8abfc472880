/*
 * Layouts of the Cayley graphs on permutations: blocks of nodes with the same last symbols, which
 * are contiguous ranks.  Three symbols are a hexagon, four are a network's own block, and N blocks
 * of N - 1 symbols are a circle.
 */
#ifndef LSI_TOPOLOGY_LAYOUT_CAYLEY_H
#define LSI_TOPOLOGY_LAYOUT_CAYLEY_H

#include "topology/layout.h"

int lsi_star_hexagons(const struct ls_topology *, struct lsi_point *place);
int lsi_pancake_hexagons(const struct ls_topology *, struct lsi_point *place);
/* Four symbols: the truncated octahedron. */
int lsi_bubblesort_octahedra(const struct ls_topology *, struct lsi_point *place);

/* star:4 as a Hamiltonian ring with chords. */
bool lsi_star_has_ring(const struct ls_topology *);
int lsi_star_ring(const struct ls_topology *, struct lsi_point *place);

#endif
