/*
 * Arcs of messages that follow neither a link nor a route: they pass the vertices between by.
 */
#ifndef LSI_DRAW_DETOUR_H
#define LSI_DRAW_DETOUR_H

#include "draw/geometry.h"

/*
 * The height, in px, of an arc from one vertex to another: `height` if it clears all other
 * vertices; else the first of some larger ones, on both sides, that does; else the one that keeps
 * most distance.  Drawings of many vertices keep `height`.
 */
double lsi_detour_height(
	const struct lsi_point *place, int64_t vertices, int64_t from, int64_t to, double height);

#endif
