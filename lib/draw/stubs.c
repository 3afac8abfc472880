/*
 * Stubs: where a line that leaves a part ends, and the rank of the partner stands.
 *
 *        --- node ------ 123      The place of a stub is the middle of its text.
 *             LENGTH px
 *
 * For each stub, 32 directions and three lengths are tried.  Lines and texts should cover little,
 * and leave gaps to the lines of the node.  In a picture of the whole network a stub points to its
 * partner, else away from the middle.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/alloc.h"
#include "draw/geometry.h"
#include "draw/obstacles.h"
#include "draw/subject.h"

enum {
	DIRECTIONS = 32,
	LENGTHS = 3,
	LENGTH = 24, /* px of the line, least .. */
	LONGER = 14, /* .. and more at each further try */
	GAP = 2,     /* between line and text */
	FEW = 4,     /* stubs of a node; each further one makes them longer .. */
	SPREAD = 5,  /* .. by this many px */
	LONG = 6,    /* cost of each longer try */
	NARROW = 40, /* .. of a radian less than `narrow` between lines */
	ASTRAY = 5,  /* .. of the direction opposite to the preferred one */
	ARROWS = 512 /* most messages that stubs avoid */
};
static const double circle = 6.283185307179586, narrow = 0.6; /* radians */

struct canvas {
	const struct lsi_subject *s;
	struct lsi_placed *placed;
	struct lsi_obstacles obstacles;
	struct lsi_point middle; /* of the picture */
	double *angle;           /* of the lines at the node of the stub */
	int angles;
	double length; /* px of the stubs of this node, at least */
};

void lsi_stub_text(const struct lsi_subject *s, int64_t stub, char text[LSI_NAME])
{
	const ls_topology *t = lsi_subject_network(s);
	const int64_t rank = lsi_subject_rank(s, stub);

	text[0] = '\0';
	if (s->drawing->labels == LS_LABELS_NAME || rank >= ls_topology_nodes(t))
		ls_label(t, rank, text, LSI_NAME);
	else if (s->drawing->labels != LS_LABELS_NONE)
		snprintf(text, LSI_NAME, "%" PRId64, rank);
}

double lsi_stub_border(const char *text, struct lsi_point direction)
{
	const struct lsi_point middle = { 0, 0 };
	const struct lsi_box box = lsi_text_box(LSI_TEXT_NAME, LSI_ANCHOR_MIDDLE, middle, text);
	const double x = fabs(direction.x) > 1e-9 ? box.right / fabs(direction.x) : INFINITY;
	const double y = fabs(direction.y) > 1e-9 ? box.bottom / fabs(direction.y) : INFINITY;

	return *text ? fmin(x, y) + GAP : 0;
}

/* ---- Obstacles */

static void add_angle(struct canvas *c, int64_t from, int64_t to)
{
	const struct lsi_point way = lsi_point_sub(c->placed->place[to], c->placed->place[from]);

	c->angle[c->angles++] = atan2(way.y, way.x);
}

static struct lsi_element line_of(
	const struct canvas *c, enum lsi_line kind, int64_t from, int64_t to)
{
	const struct lsi_point *place = c->placed->place;
	const double height = lsi_placed_bend(c->s, c->placed, kind, from, to);
	struct lsi_element line = lsi_element_at(LSI_SHAPE_LINK, place[from]);

	line.to = place[to];
	line.curved = fabs(height) >= 0.5;
	line.via = lsi_arc_control(line.from, line.to, height);
	return line;
}

static void find_middle(struct canvas *c)
{
	struct lsi_box box = LSI_EMPTY_BOX;

	for (int64_t v = 0; v < lsi_subject_inner(c->s); v++)
		box = lsi_box_union(box, lsi_box_around(c->placed->place[v], 0));
	c->middle = (struct lsi_point){ (box.left + box.right) / 2, (box.top + box.bottom) / 2 };
}

static void add_network(struct canvas *c)
{
	const ls_topology *t = c->s->topology;

	for (int64_t v = 0; v < lsi_subject_inner(c->s); v++) {
		lsi_obstacles_add_circle(
			&c->obstacles, c->placed->place[v], LSI_RADIUS + GAP, LSI_WEIGHT_NODE);
		for (int64_t l = 0; l < ls_degree(t, v); l++) {
			const int64_t to = ls_neighbor(t, v, l);
			const struct lsi_element line = line_of(c, LSI_LINE_LINK, v, to);

			if (to > v)
				lsi_obstacles_add_line(&c->obstacles, &line, LSI_WEIGHT_ARROW);
		}
	}
}

/* The messages among the nodes. */
static void add_messages(struct canvas *c)
{
	const struct lsi_subject *s = c->s;

	for (size_t i = 0; i < s->messages && s->messages <= ARROWS; i++) {
		const struct ls_record *m = &s->message[i];

		if (m->src < s->nodes && m->dst < s->nodes) {
			const struct lsi_element line = line_of(c, LSI_LINE_MESSAGE, m->src, m->dst);

			lsi_obstacles_add_line(&c->obstacles, &line, LSI_WEIGHT_ARROW);
		}
	}
}

/* ---- Places */

/* The least angle to a line of the node; at most `narrow`. */
static double gap_at(const struct canvas *c, double angle)
{
	double gap = narrow;

	for (int i = 0; i < c->angles; i++)
		gap = fmin(gap, fabs(remainder(angle - c->angle[i], circle)));
	return gap;
}

/* What the text and the line of a stub cover; its own node is not counted. */
static double cost_of(const struct canvas *c, struct lsi_point node, struct lsi_point direction,
	double length, const char *text)
{
	const double border = lsi_stub_border(text, direction);
	const struct lsi_point end =
		lsi_point_add(node, lsi_point_scale(direction, LSI_RADIUS + length + border));
	double cost = lsi_obstacles_cost(
		&c->obstacles, lsi_text_box(LSI_TEXT_NAME, LSI_ANCHOR_MIDDLE, end, text));

	for (double at = LSI_RADIUS + 8; at < LSI_RADIUS + length; at += 6)
		cost += lsi_obstacles_cost(
			&c->obstacles, lsi_box_around(lsi_point_add(node, lsi_point_scale(direction, at)), 3));
	return cost;
}

/* The direction that a stub prefers: to its partner, or outward. */
static double preferred_angle(const struct canvas *c, int64_t stub, struct lsi_point from)
{
	const struct lsi_point way = lsi_is_cut(c->s, c->placed)
		? lsi_point_sub(c->placed->place[stub], from)
		: lsi_point_sub(from, c->middle);

	return atan2(way.y, way.x);
}

static void place_stub(struct canvas *c, int64_t stub, int64_t node, const char *text)
{
	const struct lsi_point from = c->placed->place[node];
	const double preferred = preferred_angle(c, stub, from);
	struct lsi_point *place = &c->placed->place[stub];
	double least = INFINITY;

	for (int i = 0; i < DIRECTIONS * LENGTHS; i++) {
		const double angle = circle * (i % DIRECTIONS) / DIRECTIONS;
		const double length = c->length + i / DIRECTIONS * LONGER;
		const struct lsi_point direction = { cos(angle), sin(angle) };
		const double cost = cost_of(c, from, direction, length, text) + i / DIRECTIONS * LONG
			+ NARROW * (narrow - gap_at(c, angle)) + ASTRAY * (1 - cos(angle - preferred)) / 2;

		if (cost + 0.01 >= least)
			continue;
		least = cost;
		*place = lsi_point_add(from,
			lsi_point_scale(direction, LSI_RADIUS + length + lsi_stub_border(text, direction)));
	}
}

static void add_stub(struct canvas *c, int64_t stub, int64_t node, const char *text)
{
	const struct lsi_element line = line_of(c, LSI_LINE_LINK, node, stub);

	lsi_obstacles_add_line(&c->obstacles, &line, LSI_WEIGHT_ARROW);
	lsi_obstacles_add_box(&c->obstacles,
		lsi_text_box(LSI_TEXT_NAME, LSI_ANCHOR_MIDDLE, c->placed->place[stub], text),
		LSI_WEIGHT_TEXT);
	add_angle(c, node, stub);
}

/* Begin with the stubs of a node, of which `stub` is the first. */
static void begin_node(struct canvas *c, int64_t node, int64_t stub)
{
	const struct lsi_subject *s = c->s;
	const int64_t inner = lsi_subject_inner(s);
	int64_t end = stub;

	while (end < s->vertices && s->stub_node[end - inner] == node)
		end++;
	c->length = LENGTH + SPREAD * fmax(0, (double)(end - stub - FEW));
	c->angles = 0;
	for (int64_t l = 0; l < ls_degree(s->topology, node); l++)
		add_angle(c, node, ls_neighbor(s->topology, node, l));
}

/* The stubs of a node are neighbors. */
static void place_stubs(struct canvas *c)
{
	const struct lsi_subject *s = c->s;
	const int64_t inner = lsi_subject_inner(s);
	int64_t before = -1;

	for (int64_t stub = inner; stub < s->vertices; stub++) {
		const int64_t node = s->stub_node[stub - inner];
		char text[LSI_NAME];

		if (node != before)
			begin_node(c, node, stub);
		before = node;
		lsi_stub_text(s, stub, text);
		place_stub(c, stub, node, text);
		add_stub(c, stub, node, text);
	}
}

int lsi_place_stubs(const struct lsi_subject *s, struct lsi_placed *placed)
{
	struct canvas c = { .s = s, .placed = placed };
	int failed = LS_ERR_MEMORY;

	if (s->vertices == lsi_subject_inner(s))
		return LS_OK;
	c.angle = lsi_alloc((size_t)(2 * s->vertices) * sizeof *c.angle);
	if (lsi_obstacles_make(&c.obstacles) && c.angle) {
		find_middle(&c);
		add_network(&c);
		add_messages(&c);
		place_stubs(&c);
		failed = c.obstacles.no_memory ? LS_ERR_MEMORY : LS_OK;
	}
	lsi_obstacles_release(&c.obstacles);
	lsi_free(c.angle);
	return failed;
}
