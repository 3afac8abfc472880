/*
 * A scene as SVG.
 *
 * Each element of the scene is one element of SVG with a class.  A message has data-round, data-src
 * and data-dst; no other element has all three.  Texts are centered by dy: librsvg and Inkscape
 * ignore dominant-baseline.  Arrowheads are triangles: not every program colors markers.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "draw/draw_format.h"
#include "draw/geometry.h"

enum { HEAD_HALF = 4, DOT = 3, RANK_WIDTH = 2 * LSI_RADIUS - 4 };

/* ---- Parts of elements */

static void write_point(struct lsi_writer *w, struct lsi_point at)
{
	lsi_write_number(w, at.x);
	lsi_write(w, ",");
	lsi_write_number(w, at.y);
}

static void write_attribute(struct lsi_writer *w, const char *name, int64_t number)
{
	if (number >= 0)
		lsi_write(w, " data-%s=\"%" PRId64 "\"", name, number);
}

static void write_data(struct lsi_writer *w, const struct lsi_element *element)
{
	write_attribute(w, "round", element->round);
	write_attribute(w, "src", element->src);
	write_attribute(w, "dst", element->dst);
	write_attribute(w, "words", element->words);
	write_attribute(w, "words-back", element->words_back);
	write_attribute(w, "node", element->node);
	write_attribute(w, "link", element->link);
	write_attribute(w, "count", element->count);
	write_attribute(w, "core", element->core);
	write_attribute(w, "begin-ns", element->begin_ns);
	write_attribute(w, "end-ns", element->end_ns);
}

/* ` class="name variant`: the caller may add more, and ends it. */
static void write_class(struct lsi_writer *w, const char *name, const struct lsi_element *element)
{
	lsi_write(w, " class=\"%s", name);
	if (element->variant)
		lsi_write(w, " %s", element->variant);
}

static void write_path(struct lsi_writer *w, const struct lsi_element *element)
{
	lsi_write(w, "M");
	write_point(w, element->from);
	for (int i = 0; i < element->n_points; i++) {
		lsi_write(w, " L");
		write_point(w, element->points[i]);
	}
	lsi_write(w, element->curved ? " Q" : " L");
	if (element->curved) {
		write_point(w, element->via);
		lsi_write(w, " ");
	}
	write_point(w, element->to);
}

static void write_tip(struct lsi_writer *w, const struct lsi_element *element)
{
	if (!element->tip)
		return;
	lsi_write(w, "<title>");
	lsi_write_xml(w, element->tip);
	lsi_write(w, "</title>");
}

/* ---- Shapes */

static void write_text(struct lsi_writer *w, const struct lsi_element *element)
{
	static const char *const anchor[] = { " mid", "", " end" };
	const double width = lsi_text_width(element->style, element->text);

	lsi_write(
		w, "<text class=\"%s%s", lsi_text_looks[element->style].name, anchor[element->anchor]);
	if (element->color >= 0)
		lsi_write(w, " n%d", element->color % LSI_COLORS);
	lsi_write(w, "\"");
	if (element->shape == LSI_SHAPE_TEXT)
		write_data(w, element);
	if (element->shape == LSI_SHAPE_NODE && width > RANK_WIDTH)
		lsi_write(w, " style=\"font-size:%.1fpx\"",
			lsi_text_looks[element->style].size * RANK_WIDTH / width);
	lsi_write(w, " x=\"");
	lsi_write_number(w, element->from.x);
	lsi_write(w, "\" y=\"");
	lsi_write_number(w, element->from.y);
	lsi_write(w, "\" dy=\".36em\">");
	lsi_write_xml(w, element->text);
	lsi_write(w, "</text>");
}

static void write_node(struct lsi_writer *w, const struct lsi_element *element)
{
	lsi_write(w, "<g");
	write_class(w, "node", element);
	lsi_write(w, "\"");
	write_data(w, element);
	lsi_write(w, "><circle cx=\"");
	lsi_write_number(w, element->from.x);
	lsi_write(w, "\" cy=\"");
	lsi_write_number(w, element->from.y);
	lsi_write(w, "\" r=\"%d\"/>", LSI_RADIUS);
	if (element->text)
		write_text(w, element);
	write_tip(w, element);
	lsi_write(w, "</g>\n");
}

/* As it is printed, so that the end of a rectangle is as exact as its begin. */
static double rounded(double coordinate)
{
	return round(coordinate * 10) / 10;
}

static void write_rect(struct lsi_writer *w, struct lsi_point from, struct lsi_point to)
{
	lsi_write(w, "<rect x=\"");
	lsi_write_number(w, from.x);
	lsi_write(w, "\" y=\"");
	lsi_write_number(w, from.y);
	lsi_write(w, "\" width=\"");
	lsi_write_number(w, rounded(to.x) - rounded(from.x));
	lsi_write(w, "\" height=\"");
	lsi_write_number(w, rounded(to.y) - rounded(from.y));
	lsi_write(w, "\"");
}

static void write_switch(struct lsi_writer *w, const struct lsi_element *element)
{
	const double half = LSI_RADIUS / 2.0;

	lsi_write(w, "<g class=\"node switch\"");
	write_data(w, element);
	lsi_write(w, ">");
	write_rect(w, (struct lsi_point){ element->from.x - half, element->from.y - half },
		(struct lsi_point){ element->from.x + half, element->from.y + half });
	lsi_write(w, "/>");
	write_tip(w, element);
	lsi_write(w, "</g>\n");
}

/* A line without a head; a width and a shade replace those of the class. */
static void write_line(struct lsi_writer *w, const struct lsi_element *element)
{
	lsi_write(w, "<path");
	write_class(w, element->shape == LSI_SHAPE_LINK ? "link" : "rule", element);
	if (element->color >= 0)
		lsi_write(w, " r%d", element->color % LSI_COLORS);
	lsi_write(w, "\"");
	write_data(w, element);
	if (element->width > 0 || element->shade >= 0) {
		lsi_write(w, " style=\"");
		if (element->width > 0)
			lsi_write(w, "stroke-width:%.1f;", element->width);
		if (element->shade >= 0)
			lsi_write(w, "stroke:%s", lsi_ramp(element->shade).text);
		lsi_write(w, "\"");
	}
	lsi_write(w, " d=\"");
	write_path(w, element);
	lsi_write(w, "\"/>\n");
}

/* A triangle with a notch, in steps from its tip: shorter than four points. */
static void write_head(struct lsi_writer *w, struct lsi_point tip, struct lsi_point direction)
{
	const struct lsi_point back = lsi_point_scale(direction, -LSI_HEAD);
	const struct lsi_point side = lsi_point_scale(lsi_point_left(direction), HEAD_HALF);
	const struct lsi_point notch = lsi_point_scale(back, 0.75);
	const struct lsi_point left = lsi_point_add(back, side), right = lsi_point_sub(back, side);

	lsi_write(w, "M");
	write_point(w, tip);
	lsi_write(w, "l");
	write_point(w, left);
	lsi_write(w, " ");
	write_point(w, lsi_point_sub(notch, left));
	lsi_write(w, " ");
	write_point(w, lsi_point_sub(right, notch));
	lsi_write(w, "z");
}

/* The shaft ends inside the head. */
static struct lsi_element shaft_of(const struct lsi_element *element)
{
	const double in = LSI_HEAD * 0.7;
	struct lsi_element shaft = *element;

	shaft.to = lsi_point_sub(element->to, lsi_point_scale(lsi_element_direction(element, 1), in));
	if (element->shape == LSI_SHAPE_EXCHANGE)
		shaft.from =
			lsi_point_add(element->from, lsi_point_scale(lsi_element_direction(element, 0), in));
	return shaft;
}

static void write_dot(struct lsi_writer *w, struct lsi_point at)
{
	lsi_write(w, "<circle class=\"head\" cx=\"");
	lsi_write_number(w, at.x);
	lsi_write(w, "\" cy=\"");
	lsi_write_number(w, at.y);
	lsi_write(w, "\" r=\"%d\"/>", DOT);
}

static void write_arrow(struct lsi_writer *w, const struct lsi_element *element)
{
	const struct lsi_element shaft = shaft_of(element);

	lsi_write(w, "<g class=\"%s r%d%s%s\"",
		element->shape == LSI_SHAPE_EXCHANGE ? "exchange" : "message",
		element->color >= 0 ? element->color % LSI_COLORS : 0, element->variant ? " " : "",
		element->variant ? element->variant : "");
	write_data(w, element);
	lsi_write(w, "><path class=\"shaft\" d=\"");
	write_path(w, &shaft);
	lsi_write(w, "\"/>");
	if (element->dotted)
		write_dot(w, element->from);
	lsi_write(w, "<path class=\"head\" d=\"");
	write_head(w, element->to, lsi_element_direction(element, 1));
	if (element->shape == LSI_SHAPE_EXCHANGE)
		write_head(w, element->from, lsi_point_scale(lsi_element_direction(element, 0), -1));
	lsi_write(w, "\"/>");
	write_tip(w, element);
	lsi_write(w, "</g>\n");
}

static void write_cell(struct lsi_writer *w, const struct lsi_element *element)
{
	struct lsi_element text = *element;

	lsi_write(w, "<g");
	write_class(w, "cell", element);
	if (element->shade >= 0)
		lsi_write(w, lsi_ramp_is_dark(element->shade) ? " on-dark" : " on-light");
	lsi_write(w, "\"");
	write_data(w, element);
	lsi_write(w, ">");
	write_rect(w, element->from, element->to);
	if (element->shade >= 0)
		lsi_write(w, " style=\"fill:%s\"", lsi_ramp(element->shade).text);
	else if (element->color >= 0)
		lsi_write(w, " class=\"r%d\"", element->color % LSI_COLORS);
	lsi_write(w, "/>");
	write_tip(w, element);
	if (element->text) {
		text.from = lsi_point_scale(lsi_point_add(element->from, element->to), 0.5);
		text.color = element->shade < 0 ? element->color : -1;
		text.anchor = LSI_ANCHOR_MIDDLE;
		write_text(w, &text);
	}
	lsi_write(w, "</g>\n");
}

static void write_curve(struct lsi_writer *w, const struct lsi_element *element)
{
	const char *name = element->filled ? "polygon" : "polyline";

	lsi_write(w, "<%s", name);
	write_class(w, "curve", element);
	if (element->color >= 0)
		lsi_write(w, " r%d", element->color % LSI_COLORS);
	if (element->dash >= 0)
		lsi_write(w, " d%d", element->dash % LSI_COLORS);
	lsi_write(w, "\"");
	write_data(w, element);
	if (!element->filled)
		lsi_write(w, " style=\"fill:none");
	if (!element->filled && element->width > 0)
		lsi_write(w, ";stroke-width:%.1f", element->width);
	lsi_write(w, element->filled ? "" : "\"");
	lsi_write(w, " points=\"");
	for (int i = 0; i < element->n_points; i++) {
		lsi_write(w, i ? " " : "");
		write_point(w, element->points[i]);
	}
	lsi_write(w, "\">");
	write_tip(w, element);
	lsi_write(w, "</%s>\n", name);
}

static void write_area(struct lsi_writer *w, const struct lsi_element *element)
{
	const struct lsi_color_text color = lsi_ramp(element->shade);

	lsi_write(w, "<path");
	write_class(w, "area", element);
	if (element->color >= 0)
		lsi_write(w, " r%d", element->color % LSI_COLORS);
	lsi_write(w, "\"");
	write_data(w, element);
	lsi_write(w, " style=\"stroke-width:%.2g", element->width);
	if (element->shade >= 0)
		lsi_write(w, ";fill:%s;stroke:%s", color.text, color.text);
	lsi_write(w, "\" d=\"");
	lsi_svg_write_rectangles(w, element);
	lsi_write(w, "\">");
	write_tip(w, element);
	lsi_write(w, "</path>\n");
}

static void write_text_line(struct lsi_writer *w, const struct lsi_element *element)
{
	write_text(w, element);
	lsi_write(w, "\n");
}

static void (*const write_shape[LSI_SHAPES])(struct lsi_writer *, const struct lsi_element *) = {
	[LSI_SHAPE_NODE] = write_node,
	[LSI_SHAPE_SWITCH] = write_switch,
	[LSI_SHAPE_LINK] = write_line,
	[LSI_SHAPE_MESSAGE] = write_arrow,
	[LSI_SHAPE_EXCHANGE] = write_arrow,
	[LSI_SHAPE_TEXT] = write_text_line,
	[LSI_SHAPE_CELL] = write_cell,
	[LSI_SHAPE_RULE] = write_line,
	[LSI_SHAPE_CURVE] = write_curve,
	[LSI_SHAPE_AREA] = write_area,
};

/* ---- Document */

static void write_part(
	struct lsi_writer *w, const struct lsi_scene *scene, const struct lsi_scene_part *part)
{
	lsi_write(w, "<g class=\"%s\"", part->name);
	write_attribute(w, "round", part->round);
	lsi_write(w, " transform=\"translate(");
	write_point(w, (struct lsi_point){ part->x, part->y });
	lsi_write(w, ")");
	if (part->scale != 1)
		lsi_write(w, " scale(%.6g)", part->scale);
	lsi_write(w, "\">\n");
	for (size_t i = 0; i < part->elements; i++) {
		const struct lsi_element *element = &scene->element[part->first + i];

		write_shape[element->shape](w, element);
	}
	lsi_write(w, "</g>\n");
}

void lsi_svg_write(struct lsi_writer *w, const struct lsi_scene *scene, const struct lsi_subject *s,
	bool is_document)
{
	lsi_svg_write_head(w, scene, s, is_document);
	if (is_document)
		lsi_svg_write_style(w, s->drawing);
	lsi_write(w, "<rect class=\"background\" width=\"100%%\" height=\"100%%\"/>\n");
	for (size_t i = 0; i < scene->parts; i++)
		write_part(w, scene, &scene->part[i]);
	lsi_write(w, "</svg>\n");
}

static void write_document(
	struct lsi_writer *w, const struct lsi_scene *scene, const struct lsi_subject *s)
{
	lsi_svg_write(w, scene, s, true);
}

const struct lsi_draw_format lsi_draw_format_svg = {
	.name = "svg", .text = "scalable vector graphics", .write = write_document, .draws_charts = true
};
