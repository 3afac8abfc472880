/*
 * Places of a lattice: rows of columns, row 0 on top; three dimensions as oblique slices.  Nodes
 * are row-major.  A link around a row or a column is an arc outside of it: half of the rows bulge
 * up, half down, so that no gap between two rows has two arcs.
 */
#ifndef LSI_TOPOLOGY_LATTICE_H
#define LSI_TOPOLOGY_LATTICE_H

#include "topology/layout.h"

struct lsi_lattice {
	int64_t slices, rows, columns;
	bool around_rows, around_columns; /* a row's, a column's ends are linked; only in one slice */
};

void lsi_lattice_place(const struct lsi_lattice *, struct lsi_point *place);
/* As in struct lsi_layout. */
double lsi_lattice_bend(const struct lsi_lattice *, enum lsi_line, int64_t from, int64_t to);

#endif
