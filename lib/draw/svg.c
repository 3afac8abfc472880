/*
 * A scene as SVG.
 *
 * Every mark is one element with a class.  A message is one element that has data-round, data-src
 * and data-dst; no other element has all three.  Texts are centered by dy: librsvg and Inkscape
 * ignore dominant-baseline.  Arrowheads are triangles: not every program colors markers.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "draw/format.h"
#include "draw/geometry.h"

enum { HEAD_HALF = 4, DESCRIBED = 200 /* messages */ };

static const char fonts[] = "DejaVu Sans,Helvetica,Arial,sans-serif";
static const char mono_fonts[] = "DejaVu Sans Mono,Menlo,Consolas,monospace";

/* ---- Style */

struct paint {
	const char *background, *ink, *soft, *faint, *node, *active;
};
static const struct paint paints[] = {
	[LS_THEME_COLOR] = { "#ffffff", "#111111", "#4d4d4d", "#b8b8b8", "#ffffff", "#e9eef5" },
	[LS_THEME_MONO] = { "#ffffff", "#000000", "#333333", "#b8b8b8", "#ffffff", "#eeeeee" },
	[LS_THEME_DARK] = { "#15181c", "#f2f2f2", "#c4c4c4", "#5c6168", "#22272d", "#33404d" },
};

/* On a dark background the colors of lines serve for texts, too; black becomes white. */
static const char *color_on(enum ls_theme theme, int color, bool is_text)
{
	if (theme == LS_THEME_MONO)
		return paints[theme].ink;
	if (theme == LS_THEME_DARK)
		return strcmp(lsi_color_of_line(color), "#000000") ? lsi_color_of_line(color) : "#ffffff";
	return is_text ? lsi_color_of_text(color) : lsi_color_of_line(color);
}

static void write_text_styles(struct lsi_writer *w, const struct paint *paint)
{
	for (int i = 0; i < LSI_TEXT_STYLES; i++) {
		const struct lsi_text_look *look = &lsi_text_looks[i];
		const bool soft = i == LSI_TEXT_NAME || i == LSI_TEXT_CAPTION || i == LSI_TEXT_AXIS;

		lsi_write(w, ".%s{font:%s%.0fpx %s;fill:%s%s%s}\n", look->name, look->bold ? "bold " : "",
			look->size, look->monospaced ? mono_fonts : fonts, soft ? paint->soft : paint->ink,
			look->halo ? ";paint-order:stroke;stroke-width:4px;stroke-linejoin:round;stroke:" : "",
			look->halo ? paint->background : "");
	}
	lsi_write(w, ".mid{text-anchor:middle}.end{text-anchor:end}\n");
}

/* In black and white, each round has a dash pattern. */
static void write_round_styles(struct lsi_writer *w, enum ls_theme theme)
{
	static const char *const dash[LSI_COLORS] = { "6 3.6", "2 3", "10 4", "8 3 2 3", "12 3 2 3 2 3",
		"1 4", "4 2", "14 6" };

	for (int i = 0; i < LSI_COLORS; i++) {
		lsi_write(w, ".r%d{stroke:%s;fill:%s}.n%d{fill:%s}\n", i, color_on(theme, i, false),
			color_on(theme, i, false), i, color_on(theme, i, true));
		if (theme == LS_THEME_MONO)
			lsi_write(w, ".message.r%d .shaft{stroke-dasharray:%s}\n", i, dash[i]);
	}
}

static void write_style(struct lsi_writer *w, enum ls_theme theme)
{
	const struct paint *paint = &paints[theme];

	lsi_write(w, "<style>\n.background{fill:%s}.link{stroke:%s;stroke-width:2;fill:none}\n",
		paint->background, paint->faint);
	lsi_write(w, ".node circle,.node rect{fill:%s;stroke:%s;stroke-width:1.4}\n", paint->node,
		paint->ink);
	lsi_write(
		w, ".node.root circle{stroke-width:2.8}.node.active circle{fill:%s}\n", paint->active);
	lsi_write(w, ".shaft{fill:none;stroke-width:1.9;stroke-dasharray:6 3.6}.head{stroke:none}\n");
	lsi_write(w, ".exchange .shaft{stroke-width:2.6;stroke-dasharray:none}\n");
	lsi_write(w, ".rule{stroke:%s;stroke-width:1}.cell rect{stroke:%s;stroke-width:1;fill:none}\n",
		paint->faint, paint->faint);
	lsi_write(w, ".curve{fill:none;stroke-width:2}.on-dark text{fill:#ffffff}\n");
	write_text_styles(w, paint);
	write_round_styles(w, theme);
	lsi_write(w, "</style>\n");
}

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

static void write_data(struct lsi_writer *w, const struct lsi_mark *mark)
{
	write_attribute(w, "round", mark->round);
	write_attribute(w, "src", mark->src);
	write_attribute(w, "dst", mark->dst);
	write_attribute(w, "words", mark->words);
	write_attribute(w, "words-back", mark->words_back);
	write_attribute(w, "node", mark->node);
}

static void write_path(struct lsi_writer *w, const struct lsi_mark *mark)
{
	lsi_write(w, "M");
	write_point(w, mark->from);
	lsi_write(w, mark->curved ? " Q" : " L");
	if (mark->curved) {
		write_point(w, mark->via);
		lsi_write(w, " ");
	}
	write_point(w, mark->to);
}

static void write_tip(struct lsi_writer *w, const struct lsi_mark *mark)
{
	if (!mark->tip)
		return;
	lsi_write(w, "<title>");
	lsi_write_xml(w, mark->tip);
	lsi_write(w, "</title>");
}

/* ---- Shapes */

static void write_text(struct lsi_writer *w, const struct lsi_mark *mark)
{
	static const char *const anchor[] = { " mid", "", " end" };

	lsi_write(w, "<text class=\"%s%s", lsi_text_looks[mark->style].name, anchor[mark->anchor]);
	if (mark->color >= 0)
		lsi_write(w, " n%d", mark->color % LSI_COLORS);
	lsi_write(w, "\"");
	if (mark->shape == LSI_SHAPE_TEXT)
		write_data(w, mark);
	lsi_write(w, " x=\"");
	lsi_write_number(w, mark->from.x);
	lsi_write(w, "\" y=\"");
	lsi_write_number(w, mark->from.y);
	lsi_write(w, "\" dy=\".36em\">");
	lsi_write_xml(w, mark->text);
	lsi_write(w, "</text>");
}

static void write_node(struct lsi_writer *w, const struct lsi_mark *mark)
{
	lsi_write(
		w, "<g class=\"node%s%s\"", mark->variant ? " " : "", mark->variant ? mark->variant : "");
	write_data(w, mark);
	lsi_write(w, "><circle cx=\"");
	lsi_write_number(w, mark->from.x);
	lsi_write(w, "\" cy=\"");
	lsi_write_number(w, mark->from.y);
	lsi_write(w, "\" r=\"%d\"/>", LSI_RADIUS);
	if (mark->text)
		write_text(w, mark);
	write_tip(w, mark);
	lsi_write(w, "</g>\n");
}

static void write_rect(struct lsi_writer *w, struct lsi_point from, struct lsi_point to)
{
	lsi_write(w, "<rect x=\"");
	lsi_write_number(w, from.x);
	lsi_write(w, "\" y=\"");
	lsi_write_number(w, from.y);
	lsi_write(w, "\" width=\"");
	lsi_write_number(w, to.x - from.x);
	lsi_write(w, "\" height=\"");
	lsi_write_number(w, to.y - from.y);
	lsi_write(w, "\"");
}

static void write_switch(struct lsi_writer *w, const struct lsi_mark *mark)
{
	const double half = LSI_RADIUS / 2.0;

	lsi_write(w, "<g class=\"node switch\"");
	write_data(w, mark);
	lsi_write(w, ">");
	write_rect(w, (struct lsi_point){ mark->from.x - half, mark->from.y - half },
		(struct lsi_point){ mark->from.x + half, mark->from.y + half });
	lsi_write(w, "/>");
	write_tip(w, mark);
	lsi_write(w, "</g>\n");
}

/* A line without a head; a width and a shade replace those of the class. */
static void write_line(struct lsi_writer *w, const struct lsi_mark *mark)
{
	lsi_write(w, "<path class=\"%s", mark->shape == LSI_SHAPE_LINK ? "link" : "rule");
	if (mark->color >= 0)
		lsi_write(w, " r%d", mark->color % LSI_COLORS);
	lsi_write(w, "\"");
	write_data(w, mark);
	if (mark->width > 0 || mark->shade >= 0) {
		lsi_write(w, " style=\"");
		if (mark->width > 0)
			lsi_write(w, "stroke-width:%.1f;", mark->width);
		if (mark->shade >= 0)
			lsi_write(w, "stroke:%s", lsi_ramp(mark->shade).text);
		lsi_write(w, "\"");
	}
	lsi_write(w, " d=\"");
	write_path(w, mark);
	lsi_write(w, "\">");
	write_tip(w, mark);
	lsi_write(w, "</path>\n");
}

static void write_head(struct lsi_writer *w, struct lsi_point tip, struct lsi_point direction)
{
	const struct lsi_point base = lsi_point_sub(tip, lsi_point_scale(direction, LSI_HEAD));
	const struct lsi_point side = lsi_point_scale(lsi_point_left(direction), HEAD_HALF);
	const struct lsi_point notch = lsi_point_sub(tip, lsi_point_scale(direction, LSI_HEAD * 0.75));

	lsi_write(w, "<path class=\"head\" d=\"M");
	write_point(w, tip);
	lsi_write(w, " L");
	write_point(w, lsi_point_add(base, side));
	lsi_write(w, " L");
	write_point(w, notch);
	lsi_write(w, " L");
	write_point(w, lsi_point_sub(base, side));
	lsi_write(w, "z\"/>");
}

/* The shaft ends inside the head. */
static struct lsi_mark shaft_of(const struct lsi_mark *mark)
{
	const double in = LSI_HEAD * 0.7;
	struct lsi_mark shaft = *mark;

	shaft.to = lsi_point_sub(mark->to, lsi_point_scale(lsi_mark_direction(mark, 1), in));
	if (mark->shape == LSI_SHAPE_EXCHANGE)
		shaft.from = lsi_point_add(mark->from, lsi_point_scale(lsi_mark_direction(mark, 0), in));
	return shaft;
}

static void write_arrow(struct lsi_writer *w, const struct lsi_mark *mark)
{
	const struct lsi_mark shaft = shaft_of(mark);

	lsi_write(w, "<g class=\"%s r%d%s%s\"",
		mark->shape == LSI_SHAPE_EXCHANGE ? "exchange" : "message",
		mark->color >= 0 ? mark->color % LSI_COLORS : 0, mark->variant ? " " : "",
		mark->variant ? mark->variant : "");
	write_data(w, mark);
	lsi_write(w, "><path class=\"shaft\" d=\"");
	write_path(w, &shaft);
	lsi_write(w, "\"/>");
	write_head(w, mark->to, lsi_mark_direction(mark, 1));
	if (mark->shape == LSI_SHAPE_EXCHANGE)
		write_head(w, mark->from, lsi_point_scale(lsi_mark_direction(mark, 0), -1));
	write_tip(w, mark);
	lsi_write(w, "</g>\n");
}

static void write_cell(struct lsi_writer *w, const struct lsi_mark *mark)
{
	struct lsi_mark text = *mark;

	lsi_write(
		w, "<g class=\"cell%s%s\"", mark->variant ? " " : "", mark->variant ? mark->variant : "");
	write_data(w, mark);
	lsi_write(w, ">");
	write_rect(w, mark->from, mark->to);
	if (mark->shade >= 0)
		lsi_write(w, " style=\"fill:%s\"", lsi_ramp(mark->shade).text);
	else if (mark->color >= 0)
		lsi_write(w, " class=\"r%d\"", mark->color % LSI_COLORS);
	lsi_write(w, "/>");
	write_tip(w, mark);
	if (mark->text) {
		text.from = lsi_point_scale(lsi_point_add(mark->from, mark->to), 0.5);
		text.color = -1;
		if (lsi_ramp_is_dark(mark->shade))
			lsi_write(w, "<g class=\"on-dark\">");
		write_text(w, &text);
		if (lsi_ramp_is_dark(mark->shade))
			lsi_write(w, "</g>");
	}
	lsi_write(w, "</g>\n");
}

static void write_curve(struct lsi_writer *w, const struct lsi_mark *mark)
{
	lsi_write(w, "<polyline class=\"curve r%d\"", mark->color >= 0 ? mark->color % LSI_COLORS : 0);
	write_data(w, mark);
	lsi_write(w, " style=\"fill:none\" points=\"");
	for (int i = 0; i < mark->n_points; i++) {
		lsi_write(w, i ? " " : "");
		write_point(w, mark->points[i]);
	}
	lsi_write(w, "\">");
	write_tip(w, mark);
	lsi_write(w, "</polyline>\n");
}

static void write_text_line(struct lsi_writer *w, const struct lsi_mark *mark)
{
	write_text(w, mark);
	lsi_write(w, "\n");
}

static void (*const write_shape[LSI_SHAPES])(struct lsi_writer *, const struct lsi_mark *) = {
	[LSI_SHAPE_NODE] = write_node,
	[LSI_SHAPE_SWITCH] = write_switch,
	[LSI_SHAPE_LINK] = write_line,
	[LSI_SHAPE_MESSAGE] = write_arrow,
	[LSI_SHAPE_EXCHANGE] = write_arrow,
	[LSI_SHAPE_TEXT] = write_text_line,
	[LSI_SHAPE_CELL] = write_cell,
	[LSI_SHAPE_RULE] = write_line,
	[LSI_SHAPE_CURVE] = write_curve,
};

/* ---- Document */

/* The steps in words, for readers who do not see the picture. */
static void write_description(struct lsi_writer *w, const struct lsi_subject *s)
{
	lsi_write_xml(w, s->caption);
	for (size_t k = 0; k < s->rounds && s->messages <= DESCRIBED; k++) {
		lsi_write(w, "\nStep %" PRId64 ":", s->round[k].number);
		for (size_t i = 0; i < s->round[k].n; i++) {
			const struct ls_record *m = &s->message[s->round[k].first + i];

			lsi_write(w, "%s %" PRId64 " to %" PRId64, i ? "," : "", m->src, m->dst);
		}
		lsi_write(w, ".");
	}
}

static void write_head_of_document(
	struct lsi_writer *w, const struct lsi_scene *scene, const struct lsi_subject *s)
{
	const double mm = s->drawing->width;

	lsi_write(w, "<svg xmlns=\"http://www.w3.org/2000/svg\"");
	if (mm > 0)
		lsi_write(w, " width=\"%gmm\" height=\"%.1fmm\"", mm, mm * scene->height / scene->width);
	else
		lsi_write(w, " width=\"%.0f\" height=\"%.0f\"", scene->width, scene->height);
	lsi_write(w, " viewBox=\"0 0 %.0f %.0f\" role=\"img\" aria-labelledby=\"title description\">\n",
		scene->width, scene->height);
	lsi_write(w, "<title id=\"title\">");
	lsi_write_xml(w, s->title);
	lsi_write(w, "</title>\n<desc id=\"description\">");
	write_description(w, s);
	lsi_write(w, "</desc>\n");
	if (s->drawing->command) {
		lsi_write(w, "<metadata>");
		lsi_write_xml(w, s->drawing->command);
		lsi_write(w, "</metadata>\n");
	}
}

static void write_group(
	struct lsi_writer *w, const struct lsi_scene *scene, const struct lsi_group *group)
{
	lsi_write(w, "<g class=\"%s\"", group->name);
	write_attribute(w, "round", group->round);
	lsi_write(w, " transform=\"translate(");
	write_point(w, (struct lsi_point){ group->x, group->y });
	lsi_write(w, ")");
	if (group->scale != 1)
		lsi_write(w, " scale(%.3g)", group->scale);
	lsi_write(w, "\">\n");
	for (size_t i = 0; i < group->marks; i++) {
		const struct lsi_mark *mark = &scene->mark[group->first + i];

		write_shape[mark->shape](w, mark);
	}
	lsi_write(w, "</g>\n");
}

void lsi_svg_write(struct lsi_writer *w, const struct lsi_scene *scene, const struct lsi_subject *s,
	bool is_document)
{
	write_head_of_document(w, scene, s);
	if (is_document)
		write_style(w, s->drawing->theme);
	lsi_write(w, "<rect class=\"background\" width=\"100%%\" height=\"100%%\"/>\n");
	for (size_t i = 0; i < scene->groups; i++)
		write_group(w, scene, &scene->group[i]);
	lsi_write(w, "</svg>\n");
}

static void write_document(
	struct lsi_writer *w, const struct lsi_scene *scene, const struct lsi_subject *s)
{
	lsi_svg_write(w, scene, s, true);
}

const struct lsi_format lsi_format_svg = { "svg", "scalable vector graphics", write_document };
