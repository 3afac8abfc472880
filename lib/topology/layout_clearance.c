/*
 * How near vertices come to each other, and links to vertices that are not their ends.
 */
#include "topology/layout.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"

enum { PIECES = 24 }; /* straight pieces in place of an arc */

static double segment_distance(struct lsi_point p, struct lsi_point a, struct lsi_point b)
{
	const double dx = b.x - a.x, dy = b.y - a.y, square = dx * dx + dy * dy;
	const double along = square > 0 ? ((p.x - a.x) * dx + (p.y - a.y) * dy) / square : 0;
	const double at = fmin(1, fmax(0, along));

	return hypot(a.x + at * dx - p.x, a.y + at * dy - p.y);
}

static struct lsi_point curve_point(const struct lsi_point curve[3], double at)
{
	const double first = (1 - at) * (1 - at), middle = 2 * at * (1 - at), last = at * at;

	return (struct lsi_point){
		first * curve[0].x + middle * curve[1].x + last * curve[2].x,
		first * curve[0].y + middle * curve[1].y + last * curve[2].y,
	};
}

static double curve_distance(struct lsi_point p, const struct lsi_point curve[3])
{
	double least = INFINITY;

	for (int i = 0; i < PIECES; i++)
		least = fmin(least,
			segment_distance(p, curve_point(curve, (double)i / PIECES),
				curve_point(curve, (double)(i + 1) / PIECES)));
	return least;
}

/* Whether all of the curve's box is further than `far` from a point: then so is the curve. */
static bool is_far(struct lsi_point p, const struct lsi_point curve[3], double far)
{
	const double left = fmin(curve[0].x, fmin(curve[1].x, curve[2].x));
	const double right = fmax(curve[0].x, fmax(curve[1].x, curve[2].x));
	const double top = fmin(curve[0].y, fmin(curve[1].y, curve[2].y));
	const double bottom = fmax(curve[0].y, fmax(curve[1].y, curve[2].y));

	return p.x < left - far || p.x > right + far || p.y < top - far || p.y > bottom + far;
}

/* Of one link, if that is less than `least`. */
static double link_clearance(
	const struct lsi_point *place, int64_t count, const int64_t end[2], double height, double least)
{
	const struct lsi_point a = place[end[0]], b = place[end[1]];
	const struct lsi_point curve[3] = { a, lsi_arc_control(a, b, height), b };

	for (int64_t v = 0; v < count; v++) {
		if (v == end[0] || v == end[1] || is_far(place[v], curve, least))
			continue;
		least = fmin(least,
			height != 0 ? curve_distance(place[v], curve) : segment_distance(place[v], a, b));
	}
	return least;
}

double lsi_layout_clearance(const struct ls_topology *t, const struct lsi_layout *layout,
	const struct lsi_point *place, int64_t count, double enough)
{
	double least = INFINITY;

	for (int64_t u = 0; u < count; u++) {
		const int64_t links = t->network->degree(t, u);

		for (int64_t l = 0; l < links; l++) {
			const int64_t v = t->network->neighbor(t, u, l);

			if (v < u || v >= count)
				continue;
			least = link_clearance(place, count, (const int64_t[]){ u, v },
				lsi_layout_bend(layout, t, LSI_LINE_LINK, u, v), least);
			if (least < enough)
				return least;
		}
	}
	return least;
}

/* ---- Vertices */

static int compare_places(const void *a, const void *b)
{
	const struct lsi_point *const p = a, *const q = b;

	return p->x < q->x ? -1 : p->x > q->x;
}

/*
 * Along the longer side of the drawing, a vertex is compared with those that follow it within the
 * least distance so far: in a drawing without a crowd these are few.
 */
int lsi_layout_nearest(const struct lsi_point *place, int64_t count, double *nearest)
{
	struct lsi_point *const sorted = lsi_alloc((size_t)count * sizeof *sorted);
	struct lsi_point low = { INFINITY, INFINITY }, high = { -INFINITY, -INFINITY };

	if (!sorted)
		return LS_ERR_MEMORY;
	for (int64_t v = 0; v < count; v++) {
		low = (struct lsi_point){ fmin(low.x, place[v].x), fmin(low.y, place[v].y) };
		high = (struct lsi_point){ fmax(high.x, place[v].x), fmax(high.y, place[v].y) };
	}

	const bool is_tall = high.y - low.y > high.x - low.x;

	for (int64_t v = 0; v < count; v++)
		sorted[v] = is_tall ? (struct lsi_point){ place[v].y, place[v].x } : place[v];
	qsort(sorted, (size_t)count, sizeof *sorted, compare_places);
	*nearest = INFINITY;
	for (int64_t i = 0; i < count; i++)
		for (int64_t j = i + 1; j < count && sorted[j].x - sorted[i].x < *nearest; j++)
			*nearest = fmin(*nearest, hypot(sorted[j].x - sorted[i].x, sorted[j].y - sorted[i].y));
	lsi_free(sorted);
	return LS_OK;
}
