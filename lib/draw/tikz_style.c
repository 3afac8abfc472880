/*
 * The styles, colors and texts of the format tikz.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "draw/character.h"
#include "draw/tikz.h"

static const double px_per_cm = 96 / 2.54;

void lsi_tikz_write_cm(struct lsi_writer *w, double px)
{
	lsi_write(w, "%.4f", round(px / px_per_cm * 1e4) / 1e4 + 0.0); /* 0 of -0 */
}

/* ---- Styles */

/* "on 4.5pt off 2.7pt" of "6 3.6", which are px */
static void write_dashes(struct lsi_writer *w, const char *dashes, double pen)
{
	const char *at = dashes;
	char *end;

	lsi_write(w, "dash pattern=");
	for (int i = 0; *at; i++, at = end) {
		const double px = strtod(at, &end);

		if (end == at)
			return;
		lsi_write(w, "%s %.3gpt", i == 0 ? "on" : i % 2 ? " off" : " on", px * pen);
	}
}

/* The size of LaTeX that is nearest, so that a text fits the document around it. */
static void write_font(struct lsi_writer *w, const struct lsi_text_look *look)
{
	lsi_write(w, "font=%s%s%s",
		look->size >= 13.5       ? "\\normalsize"
			: look->size >= 12.5 ? "\\small"
								 : "\\footnotesize",
		look->bold ? "\\bfseries" : "", look->monospaced ? "\\ttfamily" : "");
}

static bool has_text(const struct lsi_scene *scene, enum lsi_text_style style)
{
	for (size_t i = 0; i < scene->elements; i++) {
		const struct lsi_element *element = &scene->element[i];

		if (element->text && element->style == style && element->shape != LSI_SHAPE_NODE)
			return true;
	}
	return false;
}

static void write_text_styles(struct lsi_writer *w, const struct lsi_scene *scene)
{
	for (int i = 0; i < LSI_TEXT_STYLES; i++) {
		const struct lsi_text_look *look = &lsi_text_looks[i];

		if (!has_text(scene, (enum lsi_text_style)i))
			continue;
		lsi_write(w, "  %s text/.style={", look->name);
		write_font(w, look);
		lsi_write(w, ",inner sep=%s,text=%s%s},\n", look->halo ? "1pt" : "0pt",
			look->soft ? "soft" : "ink",
			look->halo ? ",fill=paper,fill opacity=.85,text opacity=1" : "");
	}
}

static const char *const variants[] = { "root", "wait", "band", "band odd", "work", "way",
	"message way", "unreceived", "message way unreceived", "broken", "root broken" };

const char *lsi_tikz_variant(const char *variant)
{
	for (size_t i = 0; variant && i < sizeof variants / sizeof *variants; i++) {
		if (!strcmp(variants[i], variant))
			return variant;
	}
	return NULL;
}

static void write_node_styles(struct lsi_writer *w, double pen)
{
	lsi_write(
		w, "  vertex/.style={circle,draw=ink,line width=%.3gpt,fill=inside,text=ink,", 1.4 * pen);
	write_font(w, &lsi_text_looks[LSI_TEXT_RANK]);
	lsi_write(w, ",inner sep=0pt,minimum size=");
	lsi_tikz_write_cm(w, 2 * LSI_RADIUS);
	lsi_write(w,
		"cm},\n  switch/.style={draw=ink,line width=%.3gpt,fill=inside,minimum size=", 1.4 * pen);
	lsi_tikz_write_cm(w, LSI_RADIUS);
	lsi_write(w, "cm},\n  root/.style={line width=%.3gpt},\n", 2.8 * pen);
}

static void write_line_styles(struct lsi_writer *w, enum ls_theme theme, double pen)
{
	char head[60];

	snprintf(
		head, sizeof head, "{Stealth[length=%.3gpt,width=%.3gpt]}", LSI_HEAD * pen, LSI_HEAD * pen);
	lsi_write(w, "  link/.style={faint,line width=%.3gpt},\n", 2 * pen);
	lsi_write(w, "  message/.style={line width=%.3gpt,shorten >=%.3gpt,-%s,", 1.9 * pen, pen, head);
	write_dashes(w, lsi_dashes_of(LS_THEME_COLOR, 0), pen);
	lsi_write(w,
		"},\n  exchange/.style={line width=%.3gpt,shorten >=%.3gpt,shorten <=%.3gpt,%s-%s},\n",
		2.6 * pen, pen, pen, head, head);
	for (int i = 0; i < LSI_COLORS && theme == LS_THEME_MONO; i++) {
		lsi_write(w, "  dashes%d/.style={", i + 1);
		write_dashes(w, lsi_dashes_of(theme, i), pen);
		lsi_write(w, "},\n");
	}
	lsi_write(w,
		"  rule/.style={faint,line width=%.3gpt},\n  cell/.style={draw=faint,line width=%.3gpt},\n",
		pen, pen);
}

/* The styles of views by time: only they have bands or waits. */
static bool is_by_time(const struct lsi_scene *scene)
{
	for (size_t i = 0; i < scene->elements; i++) {
		if (scene->element[i].begin_ns >= 0)
			return true;
	}
	return false;
}

static void write_time_styles(struct lsi_writer *w, const struct lsi_scene *scene)
{
	if (is_by_time(scene))
		lsi_write(w,
			"  wait/.style={fill=waiting},\n  band/.style={draw=none,fill=even},\n"
			"  band odd/.style={draw=none,fill=odd},\n  work/.style={fill=faint},\n"
			"  way/.style={fill opacity=.5},\n  message way/.style={way},\n  "
			"unreceived/.style={opacity=.45},\n"
			"  message way unreceived/.style={opacity=.25},\n");
}

static bool shows_violation(const struct lsi_scene *scene)
{
	for (size_t i = 0; i < scene->elements; i++) {
		if (scene->element[i].variant && strstr(scene->element[i].variant, "broken"))
			return true;
	}
	return false;
}

static void write_violation_styles(struct lsi_writer *w, const struct lsi_scene *scene, double pen)
{
	if (!shows_violation(scene))
		return;
	lsi_write(w,
		"  broken/.style={draw=wrong,line width=%.3gpt},\n"
		"  root broken/.style={draw=wrong,line width=%.3gpt},\n",
		4 * pen, 5 * pen);
}

void lsi_tikz_write_styles(
	struct lsi_writer *w, const struct lsi_scene *scene, enum ls_theme theme, double pen)
{
	write_node_styles(w, pen);
	write_line_styles(w, theme, pen);
	write_time_styles(w, scene);
	write_violation_styles(w, scene, pen);
	write_text_styles(w, scene);
	lsi_write(w, "]\n");
}

/* ---- Colors */

/* #0072B2 as 0072B2 */
static void write_color(struct lsi_writer *w, const char *name, const char *color)
{
	lsi_write(w, "\\definecolor{%s}{HTML}{%s}\n", name, color + 1);
}

static bool is_used(const struct lsi_scene *scene, int color)
{
	for (size_t i = 0; i < scene->elements; i++) {
		if (scene->element[i].color >= 0 && scene->element[i].color % LSI_COLORS == color)
			return true;
	}
	return false;
}

void lsi_tikz_write_colors(struct lsi_writer *w, const struct lsi_scene *scene, enum ls_theme theme)
{
	const struct lsi_paint *paint = lsi_paint_of(theme);
	char name[24];

	write_color(w, "paper", paint->background);
	write_color(w, "ink", paint->ink);
	write_color(w, "soft", paint->soft);
	write_color(w, "faint", paint->faint);
	write_color(w, "inside", paint->node);
	if (is_by_time(scene)) {
		write_color(w, "waiting", paint->wait);
		write_color(w, "even", paint->band[0]);
		write_color(w, "odd", paint->band[1]);
	}
	if (shows_violation(scene))
		write_color(w, "wrong", paint->broken);
	for (int i = 0; i < LSI_COLORS; i++) {
		if (!is_used(scene, i))
			continue;
		snprintf(name, sizeof name, "color%d", i + 1);
		write_color(w, name, lsi_color_on(theme, i, false));
		snprintf(name, sizeof name, "color%dtext", i + 1);
		write_color(w, name, lsi_color_on(theme, i, true));
	}
}

/* ---- Texts */

void lsi_tikz_write_text(struct lsi_writer *w, const char *text)
{
	static const struct {
		char character;
		const char *escaped;
	} special[] = { { '\\', "\\textbackslash{}" }, { '{', "\\{" }, { '}', "\\}" }, { '_', "\\_" },
		{ '#', "\\#" }, { '%', "\\%" }, { '&', "\\&" }, { '$', "\\$" },
		{ '^', "\\textasciicircum{}" }, { '~', "\\textasciitilde{}" }, { '<', "\\textless{}" },
		{ '>', "\\textgreater{}" }, { '|', "\\textbar{}" }, { '"', "''" }, { '\n', " " },
		{ '\r', " " } };

	while (*text) {
		const struct lsi_character c = lsi_character_next(&text);
		const char *escaped = c.text;

		for (size_t i = 0; i < sizeof special / sizeof *special; i++) {
			if (special[i].character == *c.text)
				escaped = special[i].escaped;
		}
		lsi_write(w, "%s", escaped);
	}
}

void lsi_tikz_write_comment(struct lsi_writer *w, const char *text)
{
	lsi_write(w, "%% ");
	while (*text) {
		const struct lsi_character c = lsi_character_next(&text);

		lsi_write(w, "%s", *c.text == '\n' || *c.text == '\r' ? " " : c.text);
	}
	lsi_write(w, "\n");
}
