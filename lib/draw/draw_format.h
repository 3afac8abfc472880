/*
 * Formats: each prints a scene, or the subject itself.
 *
 * Adding a format is one file with a const struct lsi_draw_format and one line in LSI_FORMATS.
 */
#ifndef LSI_DRAW_DRAW_FORMAT_H
#define LSI_DRAW_DRAW_FORMAT_H

#include "draw/scene.h"
#include "draw/subject.h"

/* Where the text goes.  After a failure nothing is written. */
struct lsi_writer {
	int (*put)(void *context, const char *text);
	void *context;
	int failed;           /* the first non-zero value of put, or an error of the format */
	struct ls_error *why; /* may be NULL */
};

struct lsi_draw_view;
struct lsi_draw_format {
	const char *name, *text;
	/* The scene is NULL for a format that prints the subject, whatever the view. */
	void (*write)(struct lsi_writer *, const struct lsi_scene *, const struct lsi_subject *);
	bool prints_subject;
	/* Drawn where no view is named and this one fits; NULL: the first default that fits. */
	const struct lsi_draw_view *view;
	/* Whether it prints scenes without a topology, where the subject has only words. */
	bool draws_charts;
};

#define LSI_FORMATS(X) \
	X(svg) \
	X(html) \
	X(tikz) \
	X(dot)

#define LSI_DECLARE_FORMAT(name) extern const struct lsi_draw_format lsi_draw_format_##name;
LSI_FORMATS(LSI_DECLARE_FORMAT)
#undef LSI_DECLARE_FORMAT

/* NULL: none. */
const struct lsi_draw_format *lsi_draw_format_find(const char *name_or_null);
/* LS_ERR_SPEC: there is none of this name; `why` tells a similar one, or all. */
int lsi_draw_format_refuse(const char *name, struct ls_error *why);

void lsi_write(struct lsi_writer *, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A text with & < > " written as XML entities, and ? for what XML forbids (character.h). */
void lsi_write_xml(struct lsi_writer *, const char *text);
/* A coordinate, to 0.1, without a trailing ".0" or "-0". */
void lsi_write_number(struct lsi_writer *, double);

/* Print an SVG drawing, as a document of its own or as an element of an HTML page. */
void lsi_svg_write(
	struct lsi_writer *, const struct lsi_scene *, const struct lsi_subject *, bool is_document);

/* LS_OK, or LS_ERR_ARGUMENT with the argument that is NULL; `what` is a struct ls_NAME. */
int lsi_draw_check_arguments(const void *what, const char *name, const char *format,
	int (*put)(void *context, const char *text), struct ls_error *why);
/* The tag `svg` with size, title and description; lsi_svg_write ends it. */
void lsi_svg_write_head(
	struct lsi_writer *, const struct lsi_scene *, const struct lsi_subject *, bool is_document);
/* The data of a path with the rectangles of an area. */
void lsi_svg_write_rectangles(struct lsi_writer *, const struct lsi_element *area);

/* The style sheet of a drawing as an element `style`. */
void lsi_svg_write_style(struct lsi_writer *, const struct ls_drawing *);
/*
 * Its rules alone in a theme, of a stepper only those that it needs, and the colors of the theme as
 * variables of CSS: --ink, --soft, ..
 */
void lsi_svg_write_rules(
	struct lsi_writer *, const struct ls_drawing *, enum ls_theme, bool is_stepper);
void lsi_svg_write_variables(struct lsi_writer *, enum ls_theme);

/* ---- Colors: "#0072B2" */

enum { LSI_COLORS = 8 };
/* The colors of a theme: page, texts, paler texts, links and frames, nodes, ... */
struct lsi_paint {
	const char *background, *ink, *soft, *faint, *node, *active, *accent;
	const char *wait, *band[2]; /* of a trace with times: waits, and rounds by turns */
	const char *broken;         /* of a violation: its node and messages */
};
const struct lsi_paint *lsi_paint_of(enum ls_theme);
/* A color of the palette, for lines, or for texts on the background (contrast at least 4.5). */
const char *lsi_color_on(enum ls_theme, int color, bool is_text);
/* The dashes and gaps of the messages with a color, in px: "6 3.6". */
const char *lsi_dashes_of(enum ls_theme, int color);
/* A color of the ramp of loads; shade 0 .. 1. */
struct lsi_color_text {
	char text[8];
};
struct lsi_color_text lsi_ramp(double shade);
/* Is the text on this shade white? */
bool lsi_ramp_is_dark(double shade);

#endif
