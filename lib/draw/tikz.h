/*
 * Shared by the files of the format tikz.
 */
#ifndef LSI_DRAW_TIKZ_H
#define LSI_DRAW_TIKZ_H

#include "draw/draw_format.h"

/*
 * px as centimeters: a pixel is 1/96 inch.  To 0.0001, since the scale of a part may enlarge the
 * difference: a unit of a matrix is a cell.
 */
void lsi_tikz_write_cm(struct lsi_writer *, double px);

/*
 * The styles of all shapes, and of the texts of a scene; they end the options of a tikzpicture.
 * TikZ does not scale lines: pen is the points that stand for a pixel.
 */
void lsi_tikz_write_styles(
	struct lsi_writer *, const struct lsi_scene *, enum ls_theme, double pen);
/* The colors that a scene uses: paper, ink, .., and color1 (lines) and color1text for color 0. */
void lsi_tikz_write_colors(struct lsi_writer *, const struct lsi_scene *, enum ls_theme);

/* The style of a variant of an element; NULL: it looks as others. */
const char *lsi_tikz_variant(const char *variant_or_null);

/* A text with the special characters of TeX escaped, and as a comment in one line. */
void lsi_tikz_write_text(struct lsi_writer *, const char *text);
void lsi_tikz_write_comment(struct lsi_writer *, const char *text);

#endif
