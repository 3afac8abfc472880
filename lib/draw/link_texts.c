/*
 * Numbers and loads on links.
 *
 * Each number has ten places: five points of the line, and two sides.  Texts for the whole link
 * begin at its middle and continue toward both ends.  Texts for one end begin near its node:
 *
 *             0  2  4  6  8         The points are 4 px apart; the even places are on the left
 *   (src)-----+--+--+--+--+-----    of one who goes from src to dst.
 *             1  3  5  7  9
 *
 * Loads always appear, as the steps of arrows do.  Numbers are less important:
 *
 *   1. Find the cheapest place of each number.  It is legible if it covers almost nothing.
 *   2. If at least 80 % of the numbers are legible, show these; else show none, since a few numbers
 *      in a dense drawing only add to the confusion.
 */
#include "draw/link_texts.h"

#include <inttypes.h>
#include <math.h>

#include "base/alloc.h"
#include "draw/count_table.h"
#include "draw/geometry.h"
#include "draw/panel_texts.h"
#include "topology/link_traffic.h"

enum {
	PLACES = 10,
	NEAR = 13,       /* px between a node and the middle of the number at this end */
	SIDE = 8,        /* px between a link and its number */
	LEAST_WIDTH = 3, /* px of a link with one message .. */
	EXTRA_WIDTH = 6, /* .. and this more for the greatest load */
	CLEAR = 6,       /* most cost of a legible place: less than that of two links */
	LEGIBLE = 80     /* percent of the numbers */
};

/* A text that may be shown. */
struct candidate {
	struct lsi_element element;
	bool legible;
};

struct candidates {
	struct lsi_scene *scene;
	struct lsi_obstacles *obstacles;
	struct candidate *candidate;
	size_t n, legible;
};

/* ---- Places */

/* On both sides of the line at `at` = 0 .. 1. */
static int places_at(const struct lsi_element *link, double at, struct lsi_point place[2])
{
	const struct lsi_point on = lsi_element_point(link, at);
	const struct lsi_point left = lsi_point_left(lsi_element_direction(link, at));

	place[0] = lsi_point_add(on, lsi_point_scale(left, SIDE));
	place[1] = lsi_point_sub(on, lsi_point_scale(left, SIDE));
	return 2;
}

/* Near the middle, or near one end: 0 or 1. */
static int places_of(const struct lsi_element *link, int end, struct lsi_point place[PLACES])
{
	static const double middle[] = { 0.5, 0.44, 0.56, 0.38, 0.62 };
	const double length = lsi_point_length(lsi_point_sub(link->to, link->from));
	const double most = link->variant ? 0.8 : 0.45; /* a stub has one number only */
	const double near = fmin(most, (LSI_RADIUS + NEAR) / fmax(1, length));
	int n = 0;

	for (int i = 0; i < PLACES / 2; i++) {
		const double further = fmin(most + 0.03, near + i * 4 / fmax(1, length));

		n += places_at(link, end < 0 ? middle[i] : end == 0 ? further : 1 - further, place + n);
	}
	return n;
}

/* ---- Numbers */

/* A number at the middle of the link (end -1), or near src (0) or dst (1). */
static void add_number(
	struct candidates *c, const struct lsi_element *link, int end, int64_t number)
{
	struct candidate *candidate = &c->candidate[c->n++];
	struct lsi_element *text = &candidate->element;
	struct lsi_point place[PLACES];
	const int n = places_of(link, end, place);
	double least = INFINITY;

	*candidate = (struct candidate){ .element = lsi_element_at(LSI_SHAPE_TEXT, link->from) };
	text->style = LSI_TEXT_AXIS;
	text->src = end == 1 ? link->dst : link->src;
	text->dst = end == 1 ? link->src : link->dst;
	text->link = number;
	text->text = lsi_scene_text(c->scene, "%" PRId64, number);
	for (int i = 0; i < n && text->text; i++) {
		const struct lsi_box box =
			lsi_text_box(text->style, LSI_ANCHOR_MIDDLE, place[i], text->text);
		const double cost = lsi_obstacles_cost(c->obstacles, box);

		if (cost + 0.5 < least) {
			least = cost;
			text->from = place[i];
		}
	}
	candidate->legible = least <= CLEAR;
	if (!candidate->legible)
		return;
	c->legible++;
	lsi_obstacles_add_box(c->obstacles,
		lsi_text_box(text->style, LSI_ANCHOR_MIDDLE, text->from, text->text), LSI_WEIGHT_TEXT);
}

static void add_numbers(
	struct candidates *c, const struct lsi_panel *panel, const struct lsi_element *link)
{
	const ls_topology *t = lsi_subject_network(panel->subject);
	const int64_t from = ls_link_label(t, ls_link_to(t, link->src, link->dst));
	const int64_t to = ls_link_label(t, ls_link_to(t, link->dst, link->src));

	if (from == to && !link->variant) {
		add_number(c, link, -1, from);
		return;
	}
	add_number(c, link, 0, from);
	if (!link->variant) /* else it ends outside of the picture */
		add_number(c, link, 1, to);
}

void lsi_put_link_numbers(struct lsi_scene *scene, const struct lsi_panel *panel, size_t first,
	struct lsi_obstacles *obstacles)
{
	struct candidates c = { .scene = scene, .obstacles = obstacles };
	const size_t end = scene->elements;

	c.candidate = lsi_alloc(2 * (end - first + 1) * sizeof *c.candidate);
	scene->no_memory |= !c.candidate;
	for (size_t i = first; i < end && c.candidate; i++) {
		const struct lsi_element link = scene->element[i];

		if (link.shape == LSI_SHAPE_LINK)
			add_numbers(&c, panel, &link);
	}
	for (size_t i = 0; i < c.n && 100 * c.legible >= LEGIBLE * c.n; i++) {
		if (c.candidate[i].legible)
			lsi_scene_add(scene, &c.candidate[i].element);
	}
	lsi_free(c.candidate);
}

/* ---- Loads */

void lsi_set_link_load(const struct lsi_link_traffics *loads, int64_t vertex, int64_t link,
	struct lsi_element *element)
{
	const ls_topology *t = loads->topology;

	if (!loads->of)
		return; /* no message has passed */

	const int64_t to = ls_neighbor(t, vertex, link), back = ls_reverse(t, vertex, link);
	const int64_t out = loads->of[lsi_link_traffics_number(t, vertex, link)].messages;
	const int64_t in = loads->of[lsi_link_traffics_number(t, to, back)].messages;

	element->count = out > in ? out : in;
	if (element->count == 0)
		return;
	element->shade = lsi_count_shade(element->count, loads->most.messages);
	element->width =
		LEAST_WIDTH + EXTRA_WIDTH * (double)element->count / (double)loads->most.messages;
}

void lsi_put_link_loads(struct lsi_scene *scene, size_t first, struct lsi_obstacles *obstacles)
{
	const size_t end = scene->elements;

	for (size_t i = first; i < end && !scene->no_memory; i++) {
		const struct lsi_element link = scene->element[i];
		struct lsi_element text = lsi_element_at(LSI_SHAPE_TEXT, link.from);

		if (link.shape != LSI_SHAPE_LINK || link.count <= 0)
			continue;
		text.text = lsi_scene_text(scene, "%" PRId64, link.count);
		text.style = LSI_TEXT_LOAD;
		if (text.text)
			lsi_put_line_text(scene, obstacles, &link, text);
	}
}
