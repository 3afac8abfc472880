/*
 * Arrows of messages in a network with switches, or in a layout that shows routes: each runs beside
 * the links of its route, at the right side of its direction.  Arrows over one link have lanes of
 * their own:
 *
 *              [ ]
 *            // \\\
 *          //     \\\
 *      (0)           (1)
 */
#ifndef LSI_DRAW_ROUTED_ARROWS_H
#define LSI_DRAW_ROUTED_ARROWS_H

#include "draw/scene.h"
#include "draw/subject.h"

/* The lanes that arrows have beside each directed link so far. */
struct lsi_lanes {
	const ls_topology *topology;
	int64_t degree;
	unsigned *used; /* bit of each lane, by vertex and link; NULL: no arrow follows its route */
	double first;   /* px from a link to its first lane */
	bool returns;   /* the route back is the same, so that an exchange is one arrow */
};

/* False: no memory.  The caller frees lanes->used.  layout may be NULL. */
bool lsi_lanes_make(struct lsi_lanes *, const struct lsi_subject *, const struct lsi_layout *);

struct lsi_route_ends {
	int64_t src, dst;
};

/* Lead an arrow along the route between two nodes; `place` is in px, by vertex. */
void lsi_follow_route(struct lsi_scene *, struct lsi_lanes *, const struct lsi_point *place,
	struct lsi_element *arrow, struct lsi_route_ends);

#endif
