/*
 * A scene as TikZ.
 *
 * Each element of the scene is one command on a line of its own; styles and colors stand at the
 * top.  Lengths are centimeters, y grows up.  A line that ends at a node names the node, so that it
 * follows when someone moves the node by hand.  A message ends with the comment
 * `% round 1: 0 -> 4, words 1`, an exchange with `% round 1: 0 <-> 4, words 1 and 1`.
 */
#include "draw/tikz.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "draw/geometry.h"

enum {
	NEAR = LSI_RADIUS + 4, /* px: an arrow that ends nearer to a node ends at the node */
	POINTS_PER_LINE = 6,
	SLIDE_WIDTH = 108, /* mm: the text area of a slide, with room for its title */
	SLIDE_HEIGHT = 76
};

struct printer {
	struct lsi_writer *w;
	const struct lsi_scene *scene;
	const struct lsi_subject *subject;
	const struct lsi_scene_part *part;
	double pen; /* points of a line that is 1 px wide */
};

/* ---- Points */

static void write_point(const struct printer *p, struct lsi_point at)
{
	lsi_write(p->w, "(");
	lsi_tikz_write_cm(p->w, at.x);
	lsi_write(p->w, ",");
	lsi_tikz_write_cm(p->w, -at.y);
	lsi_write(p->w, ")");
}

static bool is_node(const struct lsi_element *element)
{
	return element->shape == LSI_SHAPE_NODE || element->shape == LSI_SHAPE_SWITCH;
}

/* Is the node printed last with this rank, in this part, at the point? */
static bool is_at_node(const struct printer *p, int64_t rank, struct lsi_point at)
{
	for (size_t i = p->part->elements; i-- > 0;) {
		const struct lsi_element *node = &p->scene->element[p->part->first + i];

		if (is_node(node) && node->node == rank)
			return lsi_point_length(lsi_point_sub(node->from, at)) <= NEAR;
	}
	return false;
}

/* An end of a line: the node `rank` if it lies there. */
static void write_end(const struct printer *p, int64_t rank, struct lsi_point at)
{
	if (rank >= 0 && is_at_node(p, rank, at))
		lsi_write(p->w, "(n%" PRId64 ")", rank);
	else
		write_point(p, at);
}

/* TikZ has cubic curves: their controls lie two thirds of the way to that of a quadratic one. */
static struct lsi_point cubic_control(struct lsi_point end, struct lsi_point via)
{
	return lsi_point_add(end, lsi_point_scale(lsi_point_sub(via, end), 2.0 / 3));
}

static void write_path(const struct printer *p, const struct lsi_element *element)
{
	write_end(p, element->src, element->from);
	for (int i = 0; i < element->n_points; i++) {
		lsi_write(p->w, " -- ");
		write_point(p, element->points[i]);
	}
	if (element->curved) {
		lsi_write(p->w, " .. controls ");
		write_point(p, cubic_control(element->from, element->via));
		lsi_write(p->w, " and ");
		write_point(p, cubic_control(element->to, element->via));
		lsi_write(p->w, " .. ");
	} else {
		lsi_write(p->w, " -- ");
	}
	write_end(p, element->dst, element->to);
}

/* ---- Options */

static void write_variant(const struct printer *p, const struct lsi_element *element)
{
	const char *variant = lsi_tikz_variant(element->variant);

	if (variant)
		lsi_write(p->w, ",%s", variant);
}

/* ",key=" and the color of the element: a shade of the ramp, or one of the palette. */
static void write_color(
	const struct printer *p, const char *key, double shade, int color, const char *suffix)
{
	unsigned red, green, blue;

	if (shade >= 0 && sscanf(lsi_ramp(shade).text, "#%2x%2x%2x", &red, &green, &blue) == 3)
		lsi_write(p->w, ",%s={rgb,255:red,%u;green,%u;blue,%u}", key, red, green, blue);
	else if (color >= 0)
		lsi_write(p->w, ",%s=color%d%s", key, color % LSI_COLORS + 1, suffix);
}

/* ---- Shapes */

static void write_node(const struct printer *p, const struct lsi_element *element)
{
	lsi_write(p->w, "\\node[%s", element->shape == LSI_SHAPE_NODE ? "vertex" : "switch");
	write_variant(p, element);
	lsi_write(p->w, "]");
	if (element->node >= 0)
		lsi_write(p->w, " (n%" PRId64 ")", element->node);
	lsi_write(p->w, " at ");
	write_point(p, element->from);
	lsi_write(p->w, " {");
	if (element->text)
		lsi_tikz_write_text(p->w, element->text);
	lsi_write(p->w, "};");
}

static void write_text(const struct printer *p, const struct lsi_element *element)
{
	static const char *const anchor[] = { [LSI_ANCHOR_MIDDLE] = "",
		[LSI_ANCHOR_START] = ",anchor=mid west",
		[LSI_ANCHOR_END] = ",anchor=mid east" };

	lsi_write(
		p->w, "\\node[%s text%s", lsi_text_looks[element->style].name, anchor[element->anchor]);
	write_color(p, "text", -1, element->color, "text");
	lsi_write(p->w, "] at ");
	write_point(p, element->from);
	lsi_write(p->w, " {");
	lsi_tikz_write_text(p->w, element->text);
	lsi_write(p->w, "};");
}

/* A link or a rule; a width and a color replace those of the style. */
static void write_line(const struct printer *p, const struct lsi_element *element)
{
	lsi_write(p->w, "\\draw[%s", element->shape == LSI_SHAPE_LINK ? "link" : "rule");
	write_variant(p, element);
	if (element->width > 0)
		lsi_write(p->w, ",line width=%.3gpt", element->width * p->pen);
	write_color(p, "draw", element->shade, element->color, "");
	lsi_write(p->w, "] ");
	write_path(p, element);
	lsi_write(p->w, ";");
}

static void write_arrow(const struct printer *p, const struct lsi_element *element)
{
	const bool is_exchange = element->shape == LSI_SHAPE_EXCHANGE;

	lsi_write(p->w, "\\draw[%s", is_exchange ? "exchange" : "message");
	write_color(p, "draw", -1, element->color, "");
	if (!is_exchange && element->color >= 0 && p->subject->drawing->theme == LS_THEME_MONO)
		lsi_write(p->w, ",dashes%d", element->color % LSI_COLORS + 1);
	write_variant(p, element);
	lsi_write(p->w, "] ");
	write_path(p, element);
	lsi_write(p->w, ";");
}

/*
 * A cell of the palette is tinted and one of the ramp solid, so that its text stays legible.  The
 * bar of a message is transparent by its style.
 */
static void write_cell(const struct printer *p, const struct lsi_element *element)
{
	const bool is_shaded = element->shade >= 0;
	const bool is_way = element->variant && strstr(element->variant, "way");
	const int color = is_shaded ? -1 : element->color;

	lsi_write(p->w, "\\draw[cell");
	write_variant(p, element);
	write_color(p, "fill", element->shade, color, is_way ? "" : "!14!paper");
	write_color(p, "draw", -1, color, "");
	lsi_write(p->w, "] ");
	write_point(p, element->from);
	lsi_write(p->w, " rectangle ");
	write_point(p, element->to);
	if (element->text) {
		lsi_write(p->w, " node[midway,%s text", lsi_text_looks[element->style].name);
		if (is_shaded)
			lsi_write(p->w, ",text=%s", lsi_ramp_is_dark(element->shade) ? "white" : "black");
		write_color(p, "text", -1, color, "text");
		lsi_write(p->w, "] {");
		lsi_tikz_write_text(p->w, element->text);
		lsi_write(p->w, "}");
	}
	lsi_write(p->w, ";");
}

static void write_area(const struct printer *p, const struct lsi_element *element)
{
	lsi_write(p->w, "\\path[draw=none");
	write_variant(p, element);
	write_color(p, "fill", element->shade, element->color, "");
	lsi_write(p->w, "]");
	for (int i = 0; i + 1 < element->n_points; i += 2) {
		lsi_write(p->w, i % POINTS_PER_LINE ? " " : "\n  ");
		write_point(p, element->points[i]);
		lsi_write(p->w, " rectangle ");
		write_point(p, element->points[i + 1]);
	}
	lsi_write(p->w, ";");
}

/*
 * How a shape is printed, and when.  Nodes come first, because lines name them; the lines go to the
 * background layer, so that they still lie below.  Curves are only in charts, which TikZ lacks.
 */
enum layer { LAYER_NODES, LAYER_LINES, LAYER_TEXTS, LAYERS };
static const struct {
	void (*write)(const struct printer *, const struct lsi_element *);
	enum layer layer;
} printed[LSI_SHAPES] = {
	[LSI_SHAPE_NODE] = { write_node, LAYER_NODES },
	[LSI_SHAPE_SWITCH] = { write_node, LAYER_NODES },
	[LSI_SHAPE_LINK] = { write_line, LAYER_LINES },
	[LSI_SHAPE_MESSAGE] = { write_arrow, LAYER_LINES },
	[LSI_SHAPE_EXCHANGE] = { write_arrow, LAYER_LINES },
	[LSI_SHAPE_CELL] = { write_cell, LAYER_LINES },
	[LSI_SHAPE_RULE] = { write_line, LAYER_LINES },
	[LSI_SHAPE_AREA] = { write_area, LAYER_LINES },
	[LSI_SHAPE_TEXT] = { write_text, LAYER_TEXTS },
};
_Static_assert(LSI_SHAPES == LSI_SHAPE_AREA + 1, "TikZ has a row for each shape, or needs none");

/* ---- Document */

/* The slide that shows an element; 0: every slide. */
static int64_t slide_of(const struct printer *p, const struct lsi_element *element)
{
	const struct lsi_subject *s = p->subject;

	if (!s->drawing->beamer || element->round < 0 || s->rounds == 0)
		return 0;
	return element->round - s->round[0].number + 1;
}

static void write_message_comment(const struct printer *p, const struct lsi_element *element)
{
	if (element->round < 0 || element->src < 0 || element->dst < 0)
		return;
	lsi_write(p->w, " %% round %" PRId64 ": %" PRId64 " %s %" PRId64 ", words %" PRId64,
		element->round, element->src, element->shape == LSI_SHAPE_EXCHANGE ? "<->" : "->",
		element->dst, element->words);
	if (element->shape == LSI_SHAPE_EXCHANGE)
		lsi_write(p->w, " and %" PRId64, element->words_back);
	if (element->begin_ns >= 0)
		lsi_write(p->w, ", sent at %" PRId64 " ns", element->begin_ns);
	if (element->end_ns >= 0)
		lsi_write(p->w, ", received at %" PRId64 " ns", element->end_ns);
}

static void write_element(const struct printer *p, const struct lsi_element *element)
{
	const int64_t slide = slide_of(p, element);

	if (slide > 0)
		lsi_write(p->w, "\\only<%" PRId64 ">{", slide);
	printed[element->shape].write(p, element);
	lsi_write(p->w, slide > 0 ? "}" : "");
	write_message_comment(p, element);
	lsi_write(p->w, "\n");
}

static void write_layer(const struct printer *p, enum layer layer)
{
	bool is_empty = true;

	for (size_t i = 0; i < p->part->elements; i++) {
		const struct lsi_element *element = &p->scene->element[p->part->first + i];

		if (!printed[element->shape].write || printed[element->shape].layer != layer)
			continue;
		if (is_empty && layer == LAYER_LINES)
			lsi_write(p->w, "\\begin{scope}[on background layer]\n");
		is_empty = false;
		write_element(p, element);
	}
	if (!is_empty && layer == LAYER_LINES)
		lsi_write(p->w, "\\end{scope}\n");
}

static void write_part(struct printer *p, const struct lsi_scene_part *part)
{
	p->part = part;
	lsi_write(p->w, "\\begin{scope}[shift={");
	write_point(p, (struct lsi_point){ part->x, part->y - p->scene->height });
	lsi_write(p->w, "}");
	if (part->scale != 1)
		lsi_write(p->w, ",scale=%.6g,transform shape", part->scale);
	lsi_write(p->w, "] %% %s", part->name);
	if (part->round >= 0)
		lsi_write(p->w, ", round %" PRId64, part->round);
	lsi_write(p->w, "\n");
	for (enum layer layer = LAYER_NODES; layer < LAYERS; layer++)
		write_layer(p, layer);
	lsi_write(p->w, "\\end{scope}\n");
}

/* The picture in mm, of the size that the caller wants, or that fits a slide. */
static double scale_of(const struct printer *p)
{
	const double mm = 25.4 / 96, width = p->scene->width * mm, height = p->scene->height * mm;

	if (p->subject->drawing->width > 0)
		return p->subject->drawing->width / width;
	return p->subject->drawing->beamer ? fmin(1, fmin(SLIDE_WIDTH / width, SLIDE_HEIGHT / height))
									   : 1;
}

/* Lines are as thin as the smallest part needs. */
static double pen_of(const struct lsi_scene *scene, double scale)
{
	double least = 1;

	for (size_t i = 0; i < scene->parts; i++)
		least = fmin(least, scene->part[i].scale);
	return 72.27 / 96 * scale * least;
}

/* The size of the page, so that slides stay in place; a dark page is filled. */
static void write_page(const struct printer *p, bool is_dark)
{
	lsi_write(p->w, "%s\\path[use as bounding box%s] (0,0) rectangle ",
		is_dark ? "\\begin{scope}[on background layer]\n" : "", is_dark ? ",fill=paper" : "");
	write_point(p, (struct lsi_point){ p->scene->width, -p->scene->height });
	lsi_write(p->w, ";\n%s", is_dark ? "\\end{scope}\n" : "");
}

static void write_picture(struct printer *p)
{
	const enum ls_theme theme = p->subject->drawing->theme;
	const double scale = scale_of(p);

	p->pen = pen_of(p->scene, scale);
	lsi_write(p->w, "\\begin{tikzpicture}[\n");
	if (scale != 1)
		lsi_write(p->w, "  scale=%.6g,transform shape,\n", scale);
	lsi_tikz_write_styles(p->w, p->scene, theme, p->pen);
	lsi_tikz_write_colors(p->w, p->scene, theme);
	write_page(p, theme == LS_THEME_DARK);
	for (size_t i = 0; i < p->scene->parts; i++)
		write_part(p, &p->scene->part[i]);
	lsi_write(p->w, "\\end{tikzpicture}\n");
}

static void write_document(
	struct lsi_writer *w, const struct lsi_scene *scene, const struct lsi_subject *s)
{
	static const char package[] = "\\usepackage{tikz}";
	static const char libraries[] = "\\usetikzlibrary{arrows.meta,backgrounds}";
	const struct ls_drawing *d = s->drawing;
	struct printer p = { .w = w, .scene = scene, .subject = s };

	if (d->command)
		lsi_tikz_write_comment(w, d->command);
	if (d->standalone)
		lsi_write(w, "\\documentclass{%s}\n%s\n%s\n\\begin{document}\n%s",
			d->beamer ? "beamer" : "standalone", package, libraries,
			d->beamer ? "\\begin{frame}\n\\centering\n" : "");
	else
		lsi_write(w, "%% It needs %s%s and %s.\n",
			d->beamer ? "a frame of \\documentclass{beamer}, " : "", package, libraries);
	write_picture(&p);
	if (d->standalone)
		lsi_write(w, "%s\\end{document}\n", d->beamer ? "\\end{frame}\n" : "");
}

const struct lsi_draw_format lsi_draw_format_tikz = {
	.name = "tikz", .text = "a picture for LaTeX", .write = write_document
};
