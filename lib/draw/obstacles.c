/*
 * The cost of a text is the sum, over all obstacles that it touches, of
 *
 *   weight * (1 + common area in px^2 / 50)
 *
 * so that touching a node costs more than crossing some links.  The page is a grid of cells of
 * 64 x 64 px, and a text is compared only with the obstacles of its cells.  The grid has no bounds:
 * cells are hashed to buckets, and a bucket is a list of obstacles.
 *
 *   +---------+---------+
 *   |     +---|-----+   |     An obstacle is in the lists of all its cells, here of two.
 *   |     | o-|-----|-+ |     It counts in one of them: that with the upper left corner of the
 *   |     +-|-|-----+ | |     area that it shares with the text, `o`.
 *   |       +-|-text--+ |
 *   +---------+---------+
 */
#include "draw/obstacles.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "draw/geometry.h"

/* px: the side of a cell, the distance of the boxes of a line, and the halo beside a text. */
enum { BUCKETS = 1 << 16, CELL = 64, FIRST_ROOM = 256, LINE_STEP = 6, LINE_BOXES = 256, HALO = 2 };
/* Those of an arrow leave no gap in which a corner of a text would touch it. */
enum { ARROW_STEP = 3, ARROW_BOXES = 1024 };

bool lsi_obstacles_make(struct lsi_obstacles *o)
{
	*o = (struct lsi_obstacles){ .bucket = lsi_alloc(BUCKETS * sizeof *o->bucket) };
	if (!o->bucket)
		return false;
	memset(o->bucket, 0xff, BUCKETS * sizeof *o->bucket);
	return true;
}

void lsi_obstacles_release(struct lsi_obstacles *o)
{
	lsi_free(o->obstacle);
	lsi_free(o->bucket);
}

static int cell_of(double x)
{
	return (int)floor(x / CELL);
}

static size_t bucket_of(int x, int y)
{
	return ((uint32_t)x * 73856093u ^ (uint32_t)y * 19349663u) % BUCKETS;
}

static void add_to_cell(struct lsi_obstacles *o, int x, int y, struct lsi_obstacle added)
{
	int32_t *bucket = &o->bucket[bucket_of(x, y)];

	if (o->n == INT32_MAX) { /* the lists cannot name more */
		o->no_memory = true;
		return;
	}
	if (o->n == o->room) {
		const size_t room = o->room ? 2 * o->room : FIRST_ROOM;
		struct lsi_obstacle *larger =
			lsi_alloc_grow(o->obstacle, o->n * sizeof *larger, room * sizeof *larger);

		if (!larger) {
			o->no_memory = true;
			return;
		}
		o->obstacle = larger;
		o->room = room;
	}
	added.next = *bucket;
	o->obstacle[o->n] = added;
	*bucket = (int32_t)o->n++;
}

static void add(struct lsi_obstacles *o, struct lsi_obstacle added)
{
	for (int y = cell_of(added.box.top); y <= cell_of(added.box.bottom); y++)
		for (int x = cell_of(added.box.left); x <= cell_of(added.box.right); x++)
			add_to_cell(o, x, y, added);
}

void lsi_obstacles_add_box(struct lsi_obstacles *o, struct lsi_box box, double weight)
{
	add(o, (struct lsi_obstacle){ .box = box, .weight = weight });
}

void lsi_obstacles_add_circle(
	struct lsi_obstacles *o, struct lsi_point at, double radius, double weight)
{
	add(o,
		(struct lsi_obstacle){
			.box = lsi_box_around(at, radius), .weight = weight, .is_round = true });
}

/* Boxes of 3 x 3 px, so that a slanted line does not block the whole box around its ends. */
static void add_chain(
	struct lsi_obstacles *o, const struct lsi_element *element, double boxes, double weight)
{
	const int steps = (int)boxes;

	for (int i = 0; i <= steps; i++)
		lsi_obstacles_add_box(
			o, lsi_box_around(lsi_element_point(element, (double)i / steps), 1.5), weight);
}

/* Boxes of a line over 1,536 px, in a picture of thousands of nodes, are farther apart. */
void lsi_obstacles_add_line(
	struct lsi_obstacles *o, const struct lsi_element *element, double weight)
{
	add_chain(o, element, fmin(2 + lsi_element_length(element) / LINE_STEP, LINE_BOXES), weight);
}

/* A head is a triangle: the box of its corners. */
static void add_head(struct lsi_obstacles *o, struct lsi_point tip, struct lsi_point direction)
{
	const struct lsi_point back = lsi_point_sub(tip, lsi_point_scale(direction, LSI_HEAD));
	const struct lsi_point side = lsi_point_scale(lsi_point_left(direction), LSI_HEAD / 2.0);
	const struct lsi_box base = lsi_box_union(lsi_box_around(lsi_point_add(back, side), 0.5),
		lsi_box_around(lsi_point_sub(back, side), 0.5));

	lsi_obstacles_add_box(o, lsi_box_union(base, lsi_box_around(tip, 0.5)), LSI_WEIGHT_ARROW);
}

/* The length of a curve is at most that of the way over its control point. */
void lsi_obstacles_add_arrow(struct lsi_obstacles *o, const struct lsi_element *arrow)
{
	const double length = arrow->curved ? lsi_point_length(lsi_point_sub(arrow->via, arrow->from))
			+ lsi_point_length(lsi_point_sub(arrow->to, arrow->via))
										: lsi_element_length(arrow);

	add_chain(o, arrow, fmin(2 + length / ARROW_STEP, ARROW_BOXES), LSI_WEIGHT_ARROW);
	add_head(o, arrow->to, lsi_element_direction(arrow, 1));
	if (arrow->shape == LSI_SHAPE_EXCHANGE)
		add_head(o, arrow->from, lsi_point_scale(lsi_element_direction(arrow, 0), -1));
}

/* An obstacle in several cells counts in the first one that it shares with the box. */
static bool counts_in(const struct lsi_obstacle *obstacle, struct lsi_box box, int x, int y)
{
	return cell_of(fmax(obstacle->box.left, box.left)) == x
		&& cell_of(fmax(obstacle->box.top, box.top)) == y;
}

/* The radius of a circle has room for the halo of a text, so that the halo does not count again. */
static bool touches(const struct lsi_obstacle *obstacle, struct lsi_box box)
{
	const struct lsi_box around = obstacle->box;
	const struct lsi_point middle = { (around.left + around.right) / 2,
		(around.top + around.bottom) / 2 };

	if (!lsi_boxes_overlap(around, box))
		return false;
	box.left += HALO;
	box.right -= HALO;
	return !obstacle->is_round || lsi_box_distance(box, middle) < middle.x - around.left;
}

static double cost_in_cell(const struct lsi_obstacles *o, struct lsi_box box, int x, int y)
{
	double cost = 0;

	for (int32_t i = o->bucket[bucket_of(x, y)]; i >= 0; i = o->obstacle[i].next) {
		const struct lsi_obstacle *obstacle = &o->obstacle[i];

		if (touches(obstacle, box) && counts_in(obstacle, box, x, y))
			cost += obstacle->weight * (1 + lsi_box_common(obstacle->box, box) / 50);
	}
	return cost;
}

double lsi_obstacles_cost(const struct lsi_obstacles *o, struct lsi_box box)
{
	double cost = 0;

	for (int y = cell_of(box.top); y <= cell_of(box.bottom); y++)
		for (int x = cell_of(box.left); x <= cell_of(box.right); x++)
			cost += cost_in_cell(o, box, x, y);
	return cost;
}

/* The halo of a text hides what lies beside it. */
struct lsi_box lsi_obstacles_box(enum lsi_text_style style, struct lsi_point at, const char *text)
{
	const struct lsi_box box = lsi_text_box(style, LSI_ANCHOR_MIDDLE, at, text);

	return (struct lsi_box){ box.left - HALO, box.top, box.right + HALO, box.bottom };
}

/* The best place so far; `covered` without the preference for earlier ones. */
struct best_place {
	struct lsi_point at;
	double cost, covered;
};

struct lsi_point lsi_obstacles_place(struct lsi_obstacles *o, enum lsi_text_style style,
	const char *text, const struct lsi_text_places *places)
{
	struct best_place best = { .cost = INFINITY, .covered = INFINITY };
	struct lsi_point place[LSI_PLACES];

	for (int reach = 0; reach < LSI_REACHES && best.covered >= LSI_WEIGHT_ARROW; reach++) {
		const int n = places->list(places->about, reach, place);

		for (int i = 0; i < n; i++) {
			const double covered = lsi_obstacles_cost(o, lsi_obstacles_box(style, place[i], text));

			if (covered + i * places->step < best.cost)
				best = (struct best_place){ place[i], covered + i * places->step, covered };
		}
	}
	lsi_obstacles_add_box(o, lsi_obstacles_box(style, best.at, text), LSI_WEIGHT_TEXT);
	return best.at;
}
