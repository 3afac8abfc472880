/*
 * Layouts of a ring: up to 12 nodes in two rows, the first half below from left to right, the rest
 * back above; or a circle, or a row.  Arrows bulge outward; those across a ring are straight.
 */
#include "topology/lattice.h"

#include <math.h>

enum { TWO_ROWS_MAX = 12 };

static bool fits_two_rows(const struct ls_topology *t)
{
	return t->nodes <= TWO_ROWS_MAX;
}

/* Nodes of the lower row: two are one row. */
static int64_t below(int64_t nodes)
{
	return nodes < 3 ? nodes : (nodes + 1) / 2;
}

void lsi_two_rows_points(int64_t nodes, struct lsi_point *place)
{
	const int64_t right = below(nodes), above = nodes - right;
	const double inset = (double)(right - above) / 2; /* the upper row may have one node less */

	for (int64_t i = 0; i < right; i++)
		place[i] = (struct lsi_point){ (double)i, 1 };
	for (int64_t i = 0; i < above; i++)
		place[right + i] = (struct lsi_point){ (double)(above - 1 - i) + inset, 0 };
}

static int place_two_rows(const struct ls_topology *t, struct lsi_point *place)
{
	lsi_two_rows_points(t->nodes, place);
	return LS_OK;
}

/* Ranks go round counterclockwise: outward is on the right. */
static double bend_two_rows(
	const struct ls_topology *t, enum lsi_line line, int64_t from, int64_t to)
{
	const bool same_row = (from < below(t->nodes)) == (to < below(t->nodes));
	const int64_t hops = t->network->distance(t, from, to);
	const bool forward = from < to ? to - from == hops : from - to != hops;

	if (line == LSI_LINE_LINK || (!same_row && hops > 1))
		return 0;
	return forward ? -lsi_arc_height(hops) : lsi_arc_height(hops);
}

/* Clockwise, outward is on the left.  An outer arrow stays above the circle. */
static double bend_circle(const struct ls_topology *t, enum lsi_line line, int64_t from, int64_t to)
{
	const double n = (double)t->nodes;
	const int64_t hops = t->network->distance(t, from, to);
	const int64_t clockwise = from < to ? to - from : t->nodes - (from - to);
	const double circle = 0.5 / sin(M_PI / n) * (1 - cos(M_PI * (double)hops / n));

	if (line == LSI_LINE_LINK || (hops > 1 && 4 * hops > t->nodes))
		return 0;
	return (clockwise == hops ? 1 : -1) * ((hops > 1 ? circle : 0) + lsi_arc_height(hops));
}

static struct lsi_lattice row_of(const struct ls_topology *t)
{
	return (struct lsi_lattice){
		.slices = 1, .rows = 1, .columns = t->nodes, .around_rows = t->nodes > 2
	};
}

static int place_row(const struct ls_topology *t, struct lsi_point *place)
{
	const struct lsi_lattice row = row_of(t);

	lsi_lattice_place(&row, place);
	return LS_OK;
}

static double bend_row(const struct ls_topology *t, enum lsi_line line, int64_t from, int64_t to)
{
	const struct lsi_lattice row = row_of(t);

	return lsi_lattice_bend(&row, line, from, to);
}

const struct lsi_layout lsi_ring_layouts[] = {
	{ .name = "two-rows", .fits = fits_two_rows, .place = place_two_rows, .bend = bend_two_rows },
	{ .name = "circle", .place = lsi_place_circle, .bend = bend_circle },
	{ .name = "row", .place = place_row, .bend = bend_row },
	{ .name = NULL },
};
