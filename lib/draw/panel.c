/*
 * Links first, then messages, nodes and texts, so that nodes lie on lines and texts on both.
 *
 * Texts are placed last, each where it covers least: the number of an arrow at the outer side of
 * its middle, the label of a node in the widest gap between the lines that end there.
 */
#include "draw/panel.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "draw/detour.h"
#include "draw/geometry.h"
#include "draw/link_texts.h"
#include "draw/obstacles.h"
#include "draw/panel_texts.h"
#include "draw/partners.h"
#include "draw/routed_arrows.h"

enum {
	TAIL_GAP = 1, /* px between a node and the tail of an arrow */
	HEAD_GAP = 2,
	TEXT_GAP = 2 /* px between a node and the text of another one, for its halo */
};

/*
 * A panel while it is drawn.  Each line adds an obstacle for the texts, and its direction to the
 * ends of both its vertices; labels then avoid these directions.
 */
struct canvas {
	struct lsi_scene *scene;
	const struct lsi_panel *panel;
	struct lsi_obstacles obstacles;
	struct lsi_ends *ends; /* by vertex */
	struct lsi_lanes lanes;
	size_t first; /* element of the part */
};

static void add_end(struct canvas *c, int64_t vertex, struct lsi_point direction)
{
	lsi_ends_add(&c->ends[vertex], direction);
}

static double bend_of(const struct canvas *c, enum lsi_line kind, int64_t from, int64_t to)
{
	return lsi_placed_bend(c->panel->subject, &c->panel->placed, kind, from, to);
}

static bool is_stub(const struct canvas *c, int64_t vertex)
{
	return vertex >= lsi_subject_inner(c->panel->subject);
}

/* The link between two vertices in the whole network; -1: none. */
static int64_t link_between(const struct canvas *c, int64_t from, int64_t to)
{
	const struct lsi_subject *s = c->panel->subject;

	return ls_link_to(lsi_subject_network(s), lsi_subject_rank(s, from), lsi_subject_rank(s, to));
}

/* Set the line of a element between two points, bent by `height`. */
static void set_line(
	struct lsi_element *element, struct lsi_point from, struct lsi_point to, double height)
{
	element->from = from;
	element->to = to;
	element->curved = fabs(height) >= 0.5;
	element->via = lsi_arc_control(from, to, height);
}

/* The two vertices of a line. */
struct ends {
	int64_t from, to;
};

/* What a line leaves out at a vertex: `gap`, and at a stub its text. */
static double cut_at(const struct canvas *c, int64_t vertex, struct lsi_point direction, double gap)
{
	char text[LSI_NAME];

	if (!is_stub(c, vertex))
		return gap;
	lsi_stub_text(c->panel->subject, vertex, text);
	return lsi_stub_border(text, direction);
}

/* Shorten a line, so that it begins and ends outside of nodes and texts. */
static void trim(
	const struct canvas *c, struct lsi_element *element, struct ends ends, double tail, double head)
{
	const struct lsi_point out = lsi_element_direction(element, 0),
						   in = lsi_element_direction(element, 1);

	element->from =
		lsi_point_add(element->from, lsi_point_scale(out, cut_at(c, ends.from, out, tail)));
	element->to = lsi_point_sub(element->to, lsi_point_scale(in, cut_at(c, ends.to, in, head)));
}

/* ---- Links */

static void draw_link(struct canvas *c, int64_t from, int64_t to)
{
	const struct lsi_subject *s = c->panel->subject;
	const struct lsi_point *place = c->panel->placed.place;
	struct lsi_element element = lsi_element_at(LSI_SHAPE_LINK, place[from]);

	set_line(&element, place[from], place[to], bend_of(c, LSI_LINE_LINK, from, to));
	trim(c, &element, (struct ends){ from, to }, 0, 0);
	element.src = lsi_subject_rank(s, from);
	element.dst = lsi_subject_rank(s, to);
	element.variant = is_stub(c, to) ? "stub" : NULL;
	if (c->panel->loads)
		lsi_set_link_load(c->panel->loads, element.src, link_between(c, from, to), &element);
	lsi_scene_add(c->scene, &element);
	lsi_obstacles_add_line(&c->obstacles, &element, LSI_WEIGHT_LINK);
	add_end(c, from, lsi_element_direction(&element, 0));
	add_end(c, to, lsi_point_scale(lsi_element_direction(&element, 1), -1));
}

/* Of parallel links the first stands for all. */
static void draw_links(struct canvas *c)
{
	const struct lsi_subject *s = c->panel->subject;
	const ls_topology *t = s->topology;

	for (int64_t u = 0; u < lsi_subject_inner(s); u++) {
		for (int64_t l = 0; l < ls_degree(t, u); l++) {
			const int64_t to = ls_neighbor(t, u, l);

			if (to > u && ls_link_to(t, u, to) == l)
				draw_link(c, u, to);
		}
	}
	for (int64_t v = lsi_subject_inner(s); v < s->vertices; v++) {
		const int64_t node = s->stub_node[v - lsi_subject_inner(s)];

		if (link_between(c, node, v) >= 0)
			draw_link(c, node, v);
	}
}

/* ---- Messages */

/* Does an earlier round of the panel have a message in the other direction? */
static bool follows_reply(const struct canvas *c, const struct ls_record *m)
{
	const struct lsi_subject *s = c->panel->subject;

	for (size_t k = c->panel->first; k < c->panel->end && s->round[k].number < m->round; k++) {
		const struct ls_record key = { .round = s->round[k].number, .src = m->src, .dst = m->dst };

		if (lsi_subject_reply(s, &s->round[k], &key))
			return true;
	}
	return false;
}

/* Does the arrow run beside the links of the message's route? */
static bool follows_route(const struct canvas *c, const struct ls_record *m)
{
	return c->lanes.used && link_between(c, m->src, m->dst) < 0;
}

/* A height at which the arc of a message hides behind no third vertex. */
static double keep_clear(const struct canvas *c, const struct ls_record *m, double height)
{
	return lsi_detour_height(
		c->panel->placed.place, c->panel->subject->vertices, m->src, m->dst, height);
}

/*
 * The height of the arc of a message, or of an exchange with its partner `reply`.  An exchange
 * between neighbors has the curve of their link; all other arrows keep clear of the vertices
 * between.  A message bends to its other side if an earlier round of the panel has one in the other
 * direction on the same curve.  Of the messages with the same ends in a round, each bends more than
 * the one before; `before` of them come before this one.
 */
static double height_of(
	const struct canvas *c, const struct ls_record *m, const struct ls_record *reply, int before)
{
	const bool on_link = reply && link_between(c, m->src, m->dst) >= 0;
	const bool is_free = !on_link && !follows_route(c, m); /* else it follows its link or route */
	const double more = before * LSI_UNIT * lsi_arc_height(1);
	double height = bend_of(c, on_link ? LSI_LINE_LINK : LSI_LINE_MESSAGE, m->src, m->dst);

	if (!reply && fabs(height + bend_of(c, LSI_LINE_MESSAGE, m->dst, m->src)) < 0.5
		&& follows_reply(c, m))
		height = -height;
	if (is_free)
		height = keep_clear(c, m, height);
	height += height < 0 ? -more : more;
	return is_free && before > 0 ? keep_clear(c, m, height) : height;
}

static struct lsi_element arrow_of(
	const struct canvas *c, const struct ls_record *m, const struct ls_record *reply, int before)
{
	const struct lsi_panel *panel = c->panel;
	struct lsi_element element =
		lsi_element_at(reply ? LSI_SHAPE_EXCHANGE : LSI_SHAPE_MESSAGE, panel->placed.place[m->src]);

	set_line(&element, panel->placed.place[m->src], panel->placed.place[m->dst],
		height_of(c, m, reply, before));
	trim(c, &element, (struct ends){ m->src, m->dst }, LSI_RADIUS + (reply ? HEAD_GAP : TAIL_GAP),
		LSI_RADIUS + HEAD_GAP);
	element.round = m->round;
	element.src = lsi_subject_rank(panel->subject, m->src);
	element.dst = lsi_subject_rank(panel->subject, m->dst);
	element.words = (int64_t)m->words;
	element.words_back = reply ? (int64_t)reply->words : -1;
	element.color = (int)((m->round - 1) % INT32_MAX);
	return element;
}

static void draw_message(
	struct canvas *c, const struct lsi_drawn_round *round, const struct ls_record *m)
{
	const struct lsi_subject *s = c->panel->subject;
	const int before = lsi_count_before(s, round, m);
	const bool follows = follows_route(c, m);
	const struct ls_record *reply =
		follows && !c->lanes.returns ? NULL : lsi_partner_of(s, round, m, before);
	struct lsi_element element;

	if (reply && lsi_subject_rank(s, m->src) > lsi_subject_rank(s, m->dst))
		return;
	element = arrow_of(c, m, reply, before);
	if (follows)
		lsi_follow_route(c->scene, &c->lanes, c->panel->placed.place, &element,
			(struct lsi_route_ends){ m->src, m->dst });
	lsi_scene_add(c->scene, &element);
	lsi_obstacles_add_arrow(&c->obstacles, &element);
	add_end(c, m->src, lsi_element_direction(&element, 0));
	add_end(c, m->dst, lsi_point_scale(lsi_element_direction(&element, 1), -1));
}

static void draw_messages(struct canvas *c)
{
	const struct lsi_subject *s = c->panel->subject;

	for (size_t k = c->panel->first; k < c->panel->end; k++)
		for (size_t i = 0; i < s->round[k].n; i++)
			draw_message(c, &s->round[k], &s->message[s->round[k].first + i]);
}

/* ---- Nodes */

static void draw_node(struct canvas *c, int64_t vertex)
{
	const struct lsi_subject *s = c->panel->subject;
	const bool is_node = vertex < s->nodes;
	const enum ls_drawn_labels labels = s->drawing->labels;
	const bool ranked = is_node && (labels == LS_LABELS_BOTH || labels == LS_LABELS_RANK);
	struct lsi_element element =
		lsi_element_at(is_node ? LSI_SHAPE_NODE : LSI_SHAPE_SWITCH, c->panel->placed.place[vertex]);

	element.node = lsi_subject_rank(s, vertex);
	element.variant = vertex == s->root ? "root" : NULL;
	element.style = LSI_TEXT_RANK;
	if (ranked)
		element.text = lsi_scene_text(c->scene, "%" PRId64, element.node);
	lsi_scene_add(c->scene, &element);
	if (is_node)
		lsi_obstacles_add_circle(
			&c->obstacles, element.from, LSI_RADIUS + TEXT_GAP, LSI_WEIGHT_NODE);
	else
		lsi_obstacles_add_box(
			&c->obstacles, lsi_box_around(element.from, LSI_RADIUS / 2.0), LSI_WEIGHT_NODE);
}

/* The text of a stub that is used: it has a link, or a message of the panel; false: it is not. */
static bool find_stub_text(const struct canvas *c, int64_t stub, char text[LSI_NAME])
{
	lsi_stub_text(c->panel->subject, stub, text);
	return c->ends[stub].n > 0 && *text;
}

static struct lsi_box stub_box(const struct canvas *c, int64_t stub, const char *text)
{
	return lsi_text_box(LSI_TEXT_NAME, LSI_ANCHOR_MIDDLE, c->panel->placed.place[stub], text);
}

static void reserve_stub(struct canvas *c, int64_t stub)
{
	char text[LSI_NAME];

	if (find_stub_text(c, stub, text))
		lsi_obstacles_add_box(&c->obstacles, stub_box(c, stub, text), LSI_WEIGHT_TEXT);
}

/* After all other texts: one that would cover an arrow, a text or a node is left out. */
static void put_stub(struct canvas *c, int64_t stub)
{
	char text[LSI_NAME];
	struct lsi_box box;
	double own;

	if (!find_stub_text(c, stub, text))
		return;
	box = stub_box(c, stub, text);
	own = LSI_WEIGHT_TEXT * (1 + lsi_box_common(box, box) / 50);
	if (lsi_obstacles_cost(&c->obstacles, box) - own < LSI_WEIGHT_ARROW)
		lsi_scene_put_text(c->scene, LSI_TEXT_NAME, LSI_ANCHOR_MIDDLE, c->panel->placed.place[stub],
			lsi_scene_text(c->scene, "%s", text));
}

/* ---- Numbers on arrows */

static void put_numbers(struct canvas *c)
{
	const size_t end = c->scene->elements;

	for (size_t i = c->first; i < end && c->panel->numbers; i++) {
		if (lsi_element_is_arrow(&c->scene->element[i]))
			lsi_put_step_number(c->scene, &c->obstacles, c->scene->element[i]);
	}
}

/* ---- Labels of nodes */

static void put_label(struct canvas *c, int64_t vertex, enum lsi_text_style style, const char *text)
{
	struct lsi_element node = lsi_element_at(LSI_SHAPE_TEXT, c->panel->placed.place[vertex]);

	node.style = style;
	node.node = lsi_subject_rank(c->panel->subject, vertex);
	lsi_put_node_text(c->scene, &c->obstacles, &node, &c->ends[vertex], text);
}

/* The label of a node in its network; NULL: none is shown. */
static const char *name_of(struct canvas *c, int64_t vertex)
{
	char name[LSI_NAME];

	return lsi_subject_name(c->panel->subject, vertex, name) ? lsi_scene_text(c->scene, "%s", name)
															 : NULL;
}

static void put_labels(struct canvas *c)
{
	const struct lsi_panel *panel = c->panel;
	const struct lsi_subject *s = panel->subject;

	for (int64_t v = 0; v < lsi_subject_inner(s); v++) {
		if (panel->contents >= 0 && v < s->nodes)
			put_label(c, v, LSI_TEXT_CONTENTS, lsi_subject_contents(s, (size_t)panel->contents, v));
		else if (panel->contents < 0)
			put_label(c, v, LSI_TEXT_NAME, name_of(c, v));
	}
}

/* ---- Panel */

void lsi_panel_draw(struct lsi_scene *scene, const struct lsi_panel *panel, const char *name)
{
	const struct lsi_subject *s = panel->subject;
	const bool one = panel->end == panel->first + 1;
	struct canvas c = { .scene = scene, .panel = panel, .first = scene->elements };

	c.ends = lsi_alloc_zero((size_t)s->vertices, sizeof *c.ends);
	if (!lsi_obstacles_make(&c.obstacles) || !c.ends
		|| !lsi_lanes_make(&c.lanes, s, panel->placed.layout)) {
		scene->no_memory = true;
	} else {
		lsi_scene_begin(scene, name, one ? s->round[panel->first].number : -1);
		draw_links(&c);
		draw_messages(&c);
		for (int64_t v = 0; v < lsi_subject_inner(s); v++)
			draw_node(&c, v);
		for (int64_t v = lsi_subject_inner(s); v < s->vertices; v++)
			reserve_stub(&c, v);
		put_numbers(&c);
		put_labels(&c);
		for (int64_t v = lsi_subject_inner(s); v < s->vertices; v++)
			put_stub(&c, v);
		if (panel->link_labels)
			lsi_put_link_numbers(scene, panel, c.first, &c.obstacles);
		if (panel->loads)
			lsi_put_link_loads(scene, c.first, &c.obstacles);
		scene->no_memory |= c.obstacles.no_memory;
	}
	lsi_obstacles_release(&c.obstacles);
	lsi_free(c.ends);
	lsi_free(c.lanes.used);
}
