/*
 * The places for the label of a node, in the order in which they are tried:
 *
 *   1. Sort the lines that end at the node by their direction.  Between two neighboring ones is a
 *      gap; sort the gaps, the widest first.
 *   2. One place in the middle of each of the four widest gaps, 3 px from the node.
 *   3. Three rings of 16 places, 3, 10 and 17 px from the node: the middle of the widest gap
 *      first, then by turns to both sides, 22.5 degrees farther each time.
 *   4. For each reach, one ring of 32 places farther away.
 *
 *        \  |  /        The widest gap of this node is below it; the numbers are those of the
 *      --- node ---     first places of a ring.
 *       4       3
 *         2 0 1
 *
 * The caller takes the place that covers least.  Among equal ones the first wins, so a label stands
 * in a wide gap and near its node where this is possible.  The places of a reach are only tried if
 * each nearer one covers a node, an arrow or a text.
 */
#include "draw/label_places.h"

#include <math.h>
#include <stdlib.h>

#include "draw/geometry.h"

enum {
	DIRECTIONS = 16,
	FAR_DIRECTIONS = 32,
	RINGS = 3,
	NEAREST = 3, /* px between a node and its label */
	FARTHER = 7  /* px between the rings of places */
};
static const double circle = 6.283185307179586; /* radians */

void lsi_ends_add(struct lsi_ends *ends, struct lsi_point direction)
{
	if (ends->n < LSI_ENDS)
		ends->angle[ends->n++] = atan2(direction.y, direction.x);
}

static int compare_angles(const void *one, const void *other)
{
	const double a = *(const double *)one, b = *(const double *)other;

	return (a > b) - (a < b);
}

/*
 * The middle of a gap between two lines, in radians, and its width in steps of 0.15 radians.  Gaps
 * whose widths differ by a rounding error have the same size, and are then sorted by angle.
 */
struct gap {
	double angle;
	long size;
};
static const double step = 0.15;

static int compare_gaps(const void *one, const void *other)
{
	const struct gap *a = one, *b = other;

	if (a->size != b->size)
		return a->size < b->size ? 1 : -1;
	return (a->angle > b->angle) - (a->angle < b->angle);
}

/* The middles of the gaps between the lines at a node, the widest first. */
static int find_gaps(struct lsi_ends *ends, struct gap gap[LSI_ENDS + 1])
{
	const int n = ends->n;

	qsort(ends->angle, (size_t)n, sizeof *ends->angle, compare_angles);
	for (int i = 0; i < n; i++) {
		const double next = i + 1 < n ? ends->angle[i + 1] : ends->angle[0] + circle;

		gap[i] =
			(struct gap){ (ends->angle[i] + next) / 2, lround((next - ends->angle[i]) / step) };
	}
	if (n == 0)
		gap[0] = (struct gap){ .angle = circle / 4 };
	qsort(gap, (size_t)(n ? n : 1), sizeof *gap, compare_gaps);
	return n ? n : 1;
}

/*
 * The middle of a text in a direction.  It moves away from the node, pixel by pixel, until the box
 * of the text is `gap` px from the circle of the node.
 */
static struct lsi_point beside_node(
	struct lsi_point node, double angle, double width, double height, double gap)
{
	const struct lsi_point direction = { cos(angle), sin(angle) };
	const double free = LSI_RADIUS + gap;
	struct lsi_point at =
		lsi_point_add(node, lsi_point_scale(direction, free + fmin(width, height) / 2));

	while (lsi_box_distance((struct lsi_box){ at.x - width / 2, at.y - height / 2, at.x + width / 2,
								at.y + height / 2 },
			   node)
		< free)
		at = lsi_point_add(at, direction);
	return at;
}

static int places_near(const struct lsi_node_label *l, struct lsi_point *place)
{
	struct gap gap[LSI_ENDS + 1];
	const int gaps = find_gaps(l->ends, gap);
	int n = 0;

	for (int i = 0; i < gaps && i < 4; i++)
		place[n++] = beside_node(l->node, gap[i].angle, l->width, l->height, NEAREST);
	for (int ring = 0; ring < RINGS; ring++) {
		for (int i = 0; i < DIRECTIONS; i++) {
			const double turn = (i % 2 ? -1 : 1) * (i + 1) / 2 * circle / DIRECTIONS;

			place[n++] = beside_node(
				l->node, gap[0].angle + turn, l->width, l->height, NEAREST + ring * FARTHER);
		}
	}
	return n;
}

int lsi_label_places(const void *node_label, int reach, struct lsi_point *place)
{
	const struct lsi_node_label *l = node_label;
	const double gap = NEAREST + FARTHER * (RINGS - 2 + reach) + reach * reach / 2.0;

	if (reach == 0)
		return places_near(l, place);
	for (int i = 0; i < FAR_DIRECTIONS; i++)
		place[i] = beside_node(l->node, i * circle / FAR_DIRECTIONS, l->width, l->height, gap);
	return FAR_DIRECTIONS;
}

/* ---- Numbers of lines */

enum {
	LINE_GAP = 2, /* px between a line and its number with its halo */
	LINE_FARTHER = 4,
	STEPS = 23 /* places on one side of a line */
};

/* The two places beside the line at t; a wide line has them farther away. */
static void places_at(
	const struct lsi_line_number *number, double t, double gap, struct lsi_point place[2])
{
	const struct lsi_element *line = number->line;
	const struct lsi_point middle = lsi_element_point(line, t);
	const struct lsi_point left = lsi_point_left(lsi_element_direction(line, t));
	const double chord = line->curved
		? (line->via.x - line->from.x) * left.x + (line->via.y - line->from.y) * left.y
		: 1;
	const double half = fabs(left.x) * number->box.right + fabs(left.y) * number->box.bottom
		+ fmax(0, line->width - 2) / 2;
	const double side = (chord >= 0 ? 1 : -1) * (half + gap);

	place[0] = lsi_point_add(middle, lsi_point_scale(left, side));
	place[1] = lsi_point_add(middle, lsi_point_scale(left, -side));
}

int lsi_number_places(const void *line_number, int reach, struct lsi_point *place)
{
	static const double near[] = { 0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74 };
	const int nears = sizeof near / sizeof *near;
	const int pulls = reach > 0 ? reach - 1 : 0;
	const double gap = LINE_GAP + LINE_FARTHER * pulls + pulls * pulls / 2.0;
	int n = 0;

	for (int i = 0; i < (reach ? STEPS : nears); i++, n += 2) {
		const double t =
			reach ? 0.5 + (i % 2 ? -0.5 : 0.5) * ((i + 1) / 2) / (STEPS / 2 + 1) : near[i];

		places_at(line_number, t, gap, place + n);
	}
	return n;
}
