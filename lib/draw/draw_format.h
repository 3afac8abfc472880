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
	int failed; /* the first non-zero value of put, or LS_ERR_MEMORY */
};

struct lsi_draw_format {
	const char *name, *text;
	void (*write)(struct lsi_writer *, const struct lsi_scene *, const struct lsi_subject *);
};

#define LSI_FORMATS(X) X(svg)

#define LSI_DECLARE_FORMAT(name) extern const struct lsi_draw_format lsi_draw_format_##name;
LSI_FORMATS(LSI_DECLARE_FORMAT)
#undef LSI_DECLARE_FORMAT

void lsi_write(struct lsi_writer *, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A text with & < > " written as XML entities. */
void lsi_write_xml(struct lsi_writer *, const char *text);
/* A coordinate, to 0.1, without a trailing ".0" or "-0". */
void lsi_write_number(struct lsi_writer *, double);

/* Print an SVG drawing, as a document of its own or as an element of an HTML page. */
void lsi_svg_write(
	struct lsi_writer *, const struct lsi_scene *, const struct lsi_subject *, bool is_document);

/* The data of a path with the rectangles of an area. */
void lsi_svg_write_rectangles(struct lsi_writer *, const struct lsi_element *area);

/* The style sheet as an element `style`. */
void lsi_svg_write_style(struct lsi_writer *, enum ls_theme);

/* ---- Colors: "#0072B2" */

enum { LSI_COLORS = 8 };
/* Of lines, and of texts on the background (contrast at least 4.5). */
const char *lsi_color_of_line(int color);
const char *lsi_color_of_text(int color);
/* A color of the ramp of loads; shade 0 .. 1. */
struct lsi_color_text {
	char text[8];
};
struct lsi_color_text lsi_ramp(double shade);
/* Is the text on this shade white? */
bool lsi_ramp_is_dark(double shade);

#endif
