#include "draw/detour.h"

#include <math.h>

enum {
	POINTS = 16, /* of an arc that are tested */
	CLEAR = LSI_RADIUS + 5,
	MORE = 14, /* px from one height to the next */
	HEIGHTS = 12,
	VERTICES = 256
};

/* The least distance of an arc to the other vertices, but not above CLEAR. */
static double clearance(
	const struct lsi_point *place, int64_t vertices, int64_t from, int64_t to, double height)
{
	const struct lsi_element arc = { .from = place[from],
		.to = place[to],
		.curved = true,
		.via = lsi_arc_control(place[from], place[to], height) };
	double least = CLEAR;

	for (int i = 1; i < POINTS; i++) {
		const struct lsi_point at = lsi_element_point(&arc, (double)i / POINTS);

		for (int64_t v = 0; v < vertices; v++)
			if (v != from && v != to)
				least = fmin(least, lsi_point_length(lsi_point_sub(at, place[v])));
	}
	return least;
}

double lsi_detour_height(
	const struct lsi_point *place, int64_t vertices, int64_t from, int64_t to, double height)
{
	double best = height, most = -1;

	for (int i = 0; i < HEIGHTS && most < CLEAR && vertices <= VERTICES; i++) {
		const double larger = fabs(height) + (double)(i / 2) * MORE;
		const double tried = (i % 2 == 0) == (height >= 0) ? larger : -larger;
		const double clear = clearance(place, vertices, from, to, tried);

		if (clear > most) {
			most = clear;
			best = tried;
		}
	}
	return best;
}
