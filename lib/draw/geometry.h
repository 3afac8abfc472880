/*
 * Points, boxes and quadratic curves on the page.
 */
#ifndef LSI_DRAW_GEOMETRY_H
#define LSI_DRAW_GEOMETRY_H

#include "draw/scene.h"

static inline struct lsi_point lsi_point_add(struct lsi_point a, struct lsi_point b)
{
	return (struct lsi_point){ a.x + b.x, a.y + b.y };
}

static inline struct lsi_point lsi_point_sub(struct lsi_point a, struct lsi_point b)
{
	return (struct lsi_point){ a.x - b.x, a.y - b.y };
}

static inline struct lsi_point lsi_point_scale(struct lsi_point a, double factor)
{
	return (struct lsi_point){ a.x * factor, a.y * factor };
}

double lsi_point_length(struct lsi_point);
/* The vector with length 1; of the zero vector: to the right. */
struct lsi_point lsi_point_unit(struct lsi_point);
/* The vector turned to the left of one who walks along it. */
struct lsi_point lsi_point_left(struct lsi_point);

/* The point at t = 0 .. 1 of the line or curve of a element, and its direction there. */
struct lsi_point lsi_element_point(const struct lsi_element *, double t);
struct lsi_point lsi_element_direction(const struct lsi_element *, double t);
/* Of a line or a line with corners; of a curve, the distance of its ends. */
double lsi_element_length(const struct lsi_element *);

#define LSI_EMPTY_BOX ((struct lsi_box){ 1e9, 1e9, -1e9, -1e9 })
struct lsi_box lsi_box_around(struct lsi_point, double radius);
struct lsi_box lsi_box_union(struct lsi_box, struct lsi_box);
static inline bool lsi_boxes_overlap(struct lsi_box a, struct lsi_box b)
{
	return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}
/* Common area of two boxes; 0: they do not overlap. */
double lsi_box_common(struct lsi_box, struct lsi_box);
double lsi_box_distance(struct lsi_box, struct lsi_point); /* 0: inside */

#endif
