/*
 * A text stands beside its arrow or node.  Where nothing is free there, it goes farther away, and a
 * thin line leads to it:
 *
 *      node 3 ------- (0..3)
 */
#include "draw/panel_texts.h"

#include <inttypes.h>
#include <math.h>

#include "draw/geometry.h"

enum {
	NUMBER_FAR = 9, /* px between a line and a number that needs a line .. */
	LABEL_FAR = 20, /* .. and between a node and its label */
	SAMPLES = 40    /* points of a line */
};

/* The point of a box that is nearest to another point. */
static struct lsi_point nearest_in(struct lsi_box box, struct lsi_point at)
{
	return (struct lsi_point){ fmin(fmax(at.x, box.left), box.right),
		fmin(fmax(at.y, box.top), box.bottom) };
}

/* A thin line from a point to a text, in the color of the text. */
static void put_leader(struct lsi_scene *scene, struct lsi_obstacles *o, struct lsi_point from,
	const struct lsi_element *text)
{
	struct lsi_element leader = lsi_element_at(LSI_SHAPE_RULE, from);

	leader.to = nearest_in(lsi_element_box(text), from);
	leader.variant = "leader";
	leader.color = text->color;
	lsi_scene_add(scene, &leader);
	lsi_obstacles_add_line(o, &leader, LSI_WEIGHT_LINK);
}

/* ---- Numbers of lines */

static struct lsi_point nearest_on(const struct lsi_element *line, struct lsi_box box)
{
	struct lsi_point best = line->from;

	for (int i = 0; i <= SAMPLES; i++) {
		const struct lsi_point at = lsi_element_point(line, (double)i / SAMPLES);

		if (lsi_box_distance(box, at) < lsi_box_distance(box, best))
			best = at;
	}
	return best;
}

void lsi_put_line_text(struct lsi_scene *scene, struct lsi_obstacles *o,
	const struct lsi_element *line, struct lsi_element text)
{
	const struct lsi_point middle = { 0, 0 };
	const struct lsi_line_number number = { line,
		lsi_obstacles_box(text.style, middle, text.text) };
	const struct lsi_text_places places = { lsi_number_places, &number, 1 };

	text.from = lsi_obstacles_place(o, text.style, text.text, &places);

	const struct lsi_point from = nearest_on(line, lsi_element_box(&text));

	if (lsi_box_distance(lsi_element_box(&text), from) > NUMBER_FAR + line->width / 2)
		put_leader(scene, o, from, &text);
	lsi_scene_add(scene, &text);
}

void lsi_put_step_number(struct lsi_scene *scene, struct lsi_obstacles *o, struct lsi_element arrow)
{
	struct lsi_element text = lsi_element_at(LSI_SHAPE_TEXT, arrow.from);

	text.text = lsi_scene_text(scene, "%" PRId64, arrow.round);
	text.style = LSI_TEXT_NUMBER;
	text.round = arrow.round;
	text.color = arrow.color;
	if (text.text)
		lsi_put_line_text(scene, o, &arrow, text);
}

/* ---- Labels of nodes */

void lsi_put_node_text(struct lsi_scene *scene, struct lsi_obstacles *o,
	const struct lsi_element *node, struct lsi_ends *ends, const char *text)
{
	struct lsi_element element = *node;
	struct lsi_node_label label = { ends, node->from, 0, lsi_text_looks[node->style].size };
	const struct lsi_text_places places = { lsi_label_places, &label, 2 };

	if (!text || !*text)
		return;
	label.width = lsi_text_width(node->style, text);
	element.text = text;
	element.from = lsi_obstacles_place(o, node->style, text, &places);

	const struct lsi_point to = nearest_in(lsi_element_box(&element), node->from);
	const struct lsi_point way = lsi_point_sub(to, node->from);

	if (lsi_point_length(way) > LSI_RADIUS + LABEL_FAR)
		put_leader(scene, o,
			lsi_point_add(node->from, lsi_point_scale(lsi_point_unit(way), LSI_RADIUS)), &element);
	lsi_scene_add(scene, &element);
}
