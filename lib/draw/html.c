/*
 * A picture as an HTML page: one file without external references.
 *
 * The page is also well-formed XML.  The steps get the stepper; any other view is an SVG picture.
 */
#include "draw/draw_format.h"
#include "draw/stepper.h"

/* The lines of a file, see the Makefile. */
static const char *const controls[] = {
#include "lib/draw/stepper.html.lines"
	NULL
};
static const char *const style[] = {
#include "lib/draw/stepper.css.lines"
	NULL
};
static const char *const script[] = {
#include "lib/draw/stepper.js.lines"
#include "lib/draw/stepper_show.js.lines"
#include "lib/draw/stepper_input.js.lines"
	NULL
};

static void write_lines(struct lsi_writer *w, const char *const *line)
{
	for (; *line; line++)
		lsi_write(w, "%s", *line);
}

static void write_theme(struct lsi_writer *w, const struct ls_drawing *d, enum ls_theme theme,
	bool is_stepper, const char *attributes)
{
	lsi_write(w, "<style%s>\n", attributes);
	lsi_svg_write_variables(w, theme);
	lsi_svg_write_rules(w, d, theme, is_stepper);
	lsi_write(w, "</style>\n");
}

/* The colors follow the system of the reader, unless a theme was chosen.  Paper is light. */
static void write_style(struct lsi_writer *w, const struct ls_drawing *d, bool is_stepper)
{
	write_theme(w, d, d->theme, is_stepper, "");
	if (d->theme == LS_THEME_COLOR)
		write_theme(
			w, d, LS_THEME_DARK, is_stepper, " media=\"screen and (prefers-color-scheme:dark)\"");
	lsi_write(w, "<style>\n");
	write_lines(w, style);
	lsi_write(w, "</style>\n");
}

static void write_header(struct lsi_writer *w, const struct lsi_subject *s)
{
	lsi_write(w, "<header>\n<h1>");
	lsi_write_xml(w, s->title);
	lsi_write(w, "</h1>\n<p>");
	lsi_write_xml(w, s->caption);
	lsi_write(w, "</p>\n</header>\n");
}

/* A script may hold < and &, which XML allows in a CDATA section only. */
static void write_scripts(struct lsi_writer *w, const struct lsi_subject *s)
{
	lsi_write(w, "<script type=\"application/json\" id=\"data\">\n");
	lsi_stepper_write_data(w, s);
	lsi_write(w, "</script>\n<script>//<![CDATA[\n(() => {\n");
	write_lines(w, script);
	lsi_write(w, "})();\n//]]></script>\n");
}

static void write_page(
	struct lsi_writer *w, const struct lsi_scene *scene, const struct lsi_subject *s)
{
	const bool is_stepper = lsi_scene_is_stepper(scene);

	lsi_write(w, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n");
	lsi_write(
		w, "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"/>\n<title>");
	lsi_write_xml(w, s->title);
	lsi_write(w, "</title>\n");
	write_style(w, s->drawing, is_stepper);
	lsi_write(w, "</head>\n<body>\n");
	if (is_stepper)
		write_header(w, s);
	lsi_write(w, "<main>\n<figure id=\"figure\">\n");
	lsi_svg_write(w, scene, s, false);
	lsi_write(w, "</figure>\n");
	if (is_stepper)
		write_lines(w, controls);
	lsi_write(w, "</main>\n");
	if (is_stepper)
		write_scripts(w, s);
	lsi_write(w, "</body>\n</html>\n");
}

const struct lsi_draw_format lsi_draw_format_html = { .name = "html",
	.text = "a page that shows the steps one by one",
	.write = write_page,
	.view = &lsi_draw_view_stepper };
