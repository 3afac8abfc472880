/*
 * The line of an element is straight, or a quadratic curve with one control point, `via`:
 *
 *              via              point(t)     = (1-t)^2 from + 2 t (1-t) via + t^2 to
 *             .   .             direction(t) = (1-t) (via - from) + t (to - via), with length 1
 *           . .-m-. .
 *          ..'     '..          m = point(1/2) is half as far from the chord as `via`.
 *       from --------- to
 *
 * So the curve leaves `from` toward `via`, and arrives at `to` from there.
 *
 * The line of an arrow may have corners instead: all its parts are straight, and equal parts of t
 * are equal lengths.
 */
#include "draw/geometry.h"

#include <math.h>

double lsi_point_length(struct lsi_point a)
{
	return sqrt(a.x * a.x + a.y * a.y);
}

struct lsi_point lsi_point_unit(struct lsi_point a)
{
	const double length = lsi_point_length(a);

	return length > 0 ? lsi_point_scale(a, 1 / length) : (struct lsi_point){ 1, 0 };
}

/* y grows down: to the left of one who walks to the right is up. */
struct lsi_point lsi_point_left(struct lsi_point a)
{
	return (struct lsi_point){ a.y, -a.x };
}

/* Corner i of the line: 0 is `from`, and the last one is `to`. */
static struct lsi_point corner_of(const struct lsi_element *element, int i)
{
	return i == 0 ? element->from : i > element->n_points ? element->to : element->points[i - 1];
}

static double part_length(const struct lsi_element *element, int i)
{
	return lsi_point_length(lsi_point_sub(corner_of(element, i + 1), corner_of(element, i)));
}

/* The part of the line with corners at t, and how far it is from the part's begin, 0 .. 1. */
static int find_part(const struct lsi_element *element, double t, double *along)
{
	const int last = element->n_points;
	double length, left;
	int i = 0;

	for (left = t * lsi_element_length(element); i < last && left > part_length(element, i); i++)
		left -= part_length(element, i);
	length = part_length(element, i);
	*along = length > 0 ? left / length : 0;
	return i;
}

static bool has_corners(const struct lsi_element *element)
{
	return element->points && element->n_points > 0;
}

struct lsi_point lsi_element_point(const struct lsi_element *element, double t)
{
	const double u = 1 - t;

	if (has_corners(element)) {
		double along;
		const int i = find_part(element, t, &along);

		return lsi_point_add(lsi_point_scale(corner_of(element, i), 1 - along),
			lsi_point_scale(corner_of(element, i + 1), along));
	}
	if (!element->curved)
		return lsi_point_add(lsi_point_scale(element->from, u), lsi_point_scale(element->to, t));
	return lsi_point_add(lsi_point_scale(element->from, u * u),
		lsi_point_add(
			lsi_point_scale(element->via, 2 * u * t), lsi_point_scale(element->to, t * t)));
}

struct lsi_point lsi_element_direction(const struct lsi_element *element, double t)
{
	if (has_corners(element)) {
		double along;
		const int i = find_part(element, t, &along);

		return lsi_point_unit(lsi_point_sub(corner_of(element, i + 1), corner_of(element, i)));
	}
	if (!element->curved)
		return lsi_point_unit(lsi_point_sub(element->to, element->from));
	return lsi_point_unit(
		lsi_point_add(lsi_point_scale(lsi_point_sub(element->via, element->from), 1 - t),
			lsi_point_scale(lsi_point_sub(element->to, element->via), t)));
}

double lsi_element_length(const struct lsi_element *element)
{
	double length = 0;

	for (int i = 0; i <= element->n_points; i++)
		length += part_length(element, i);
	return length;
}

struct lsi_box lsi_box_around(struct lsi_point at, double radius)
{
	return (struct lsi_box){ at.x - radius, at.y - radius, at.x + radius, at.y + radius };
}

struct lsi_box lsi_box_union(struct lsi_box a, struct lsi_box b)
{
	return (struct lsi_box){ fmin(a.left, b.left), fmin(a.top, b.top), fmax(a.right, b.right),
		fmax(a.bottom, b.bottom) };
}

double lsi_box_common(struct lsi_box a, struct lsi_box b)
{
	const double width = fmin(a.right, b.right) - fmax(a.left, b.left);
	const double height = fmin(a.bottom, b.bottom) - fmax(a.top, b.top);

	return width > 0 && height > 0 ? width * height : 0;
}

double lsi_box_distance(struct lsi_box box, struct lsi_point at)
{
	const double x = fmax(0, fmax(box.left - at.x, at.x - box.right));
	const double y = fmax(0, fmax(box.top - at.y, at.y - box.bottom));

	return sqrt(x * x + y * y);
}
