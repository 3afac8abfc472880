/*
 * Drawings in tests: distances of lines to points, computed with other formulas than the library's.
 */
#ifndef LOCKSTEP_TEST_LAYOUT_LINES_H
#define LOCKSTEP_TEST_LAYOUT_LINES_H

#include <math.h>

#include "topology/layout.h"
#include "topology_specs.h"

struct drawing {
	const ls_topology *t;
	const struct lsi_layout *layout;
	int64_t n;
	struct lsi_point *at;
};

/* By a name; NULL: the default.  Ends the test when there is no such drawing. */
static inline struct drawing draw(const ls_topology *t, const char *name)
{
	struct ls_error why = { .size = sizeof why };
	struct drawing d = { .t = t, .n = ls_topology_vertices(t) };
	int status;

	d.at = calloc((size_t)d.n, sizeof *d.at);
	status = d.at ? lsi_layout_make(t, name, d.at, &d.layout, &why) : LS_ERR_MEMORY;
	CHECK(status == LS_OK, "%s %s: %s", ls_topology_spec(t), name ? name : "", why.text);
	if (status != LS_OK)
		exit(1);
	return d;
}

static inline double distance(struct lsi_point a, struct lsi_point b)
{
	return sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y));
}

/* To a straight piece: by the area of the triangle, unless an end is nearest. */
static inline double piece_distance(struct lsi_point p, struct lsi_point a, struct lsi_point b)
{
	const double pa = distance(p, a), pb = distance(p, b), ab = distance(a, b);
	const double area = fabs((a.x - p.x) * (b.y - p.y) - (b.x - p.x) * (a.y - p.y));

	if (pb * pb >= pa * pa + ab * ab)
		return pa;
	if (pa * pa >= pb * pb + ab * ab)
		return pb;
	return area / ab;
}

/*
 * The point of an arc `along` 0 .. 1 of the way: a parabola over the chord, as high as `height`, on
 * the left of one who goes from a to b.  y is down, so left of going right is up.
 */
static inline struct lsi_point arc_point(
	struct lsi_point a, struct lsi_point b, double height, double along)
{
	const double up = 4 * height * along * (1 - along), length = distance(a, b);
	const double left_x = (b.y - a.y) / length, left_y = (a.x - b.x) / length;

	return (struct lsi_point){ a.x + along * (b.x - a.x) + up * left_x,
		a.y + along * (b.y - a.y) + up * left_y };
}

static inline double bend(const struct drawing *d, enum lsi_line line, int64_t from, int64_t to)
{
	return lsi_layout_bend(d->layout, d->t, line, from, to);
}

/* Of the link from u to v to a third vertex. */
static inline double link_distance(const struct drawing *d, int64_t u, int64_t v, int64_t third)
{
	const double height = bend(d, LSI_LINE_LINK, u, v);
	const int pieces = height != 0 ? 100 : 1;
	const struct lsi_point middle = arc_point(d->at[u], d->at[v], 0, 0.5);
	const double beyond = distance(d->at[third], middle) - distance(d->at[u], middle);
	double least = INFINITY;

	if (beyond > fabs(height) + 0.2)
		return beyond - fabs(height);

	for (int i = 0; i < pieces; i++)
		least = fmin(least,
			piece_distance(d->at[third], arc_point(d->at[u], d->at[v], height, (double)i / pieces),
				arc_point(d->at[u], d->at[v], height, (double)(i + 1) / pieces)));
	return least;
}

/* Whether no link comes nearer than 17 pixels to a third vertex, where 100 are one unit. */
static inline void check_clear(const struct drawing *d)
{
	for (int64_t u = 0; u < d->n; u++)
		for (int64_t l = 0; l < ls_degree(d->t, u); l++) {
			const int64_t v = ls_neighbor(d->t, u, l);
			int64_t nearest = 0;
			double least = INFINITY;

			for (int64_t w = 0; u < v && w < d->n; w++) {
				const double far = w == u || w == v ? INFINITY : link_distance(d, u, v, w);

				nearest = far < least ? w : nearest;
				least = fmin(least, far);
			}
			CHECK(least >= 0.17, "%s %s: the link %lld-%lld passes %lld at %.3f",
				ls_topology_spec(d->t), d->layout->name, (long long)u, (long long)v,
				(long long)nearest, least);
		}
}

#endif
