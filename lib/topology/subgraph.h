/*
 * A part of a network: some of its vertices, and the links among them.
 */
#ifndef LSI_TOPOLOGY_SUBGRAPH_H
#define LSI_TOPOLOGY_SUBGRAPH_H

#include "topology/topology_internal.h"

/*
 * Make a network of the vertices member[0 .. n - 1], which rise, as 0 .. n - 1.
 *
 * It answers for degrees, neighbors and labels, and has layouts.  It has no routes, since those of
 * the whole may leave it.  The numbers of its links are not those of the whole.
 *
 * Owns       The caller owns *out.  The whole must live longer.
 * Returns    LS_OK or LS_ERR_MEMORY
 */
int lsi_subgraph_make(
	const ls_topology *whole, const int64_t *member, int64_t n, ls_topology **out);

/* A network of a spec with the same links among the same numbers; NULL: none is known. */
const ls_topology *lsi_subgraph_model(const ls_topology *);

#endif
