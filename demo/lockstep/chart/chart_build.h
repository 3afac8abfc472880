/*
 * The chart of a table: curves over x; or, where x are names or there is one x, a row for each.
 */
#ifndef LOCKSTEP_CHART_CHART_BUILD_H
#define LOCKSTEP_CHART_CHART_BUILD_H

#include "chart/chart_rows.h"

struct chart_point {
	double x, y, low, high; /* low: NAN where there is no spread */
};

struct chart_curve {
	char *name, *model; /* model: what tells its model from others */
	enum ls_series_style style;
	int color;
	struct chart_point *point;
	size_t points;
	double *numbers; /* of the series: x, y, low, high */
};

struct chart_built {
	struct ls_chart chart; /* without its page */
	char *title, *caption;
	struct chart_curve *curve;
	size_t curves;
	struct ls_series *series;
	char **row;
	size_t rows;
};

/* `model`: what the caption says of the model, or NULL. */
void chart_build(const struct chart_rows *, const char *model, struct chart_built *out);
void chart_built_end(struct chart_built *);

/* chart_words.c.  The caller frees the texts. */

/*
 * The values by which a row differs from others, or one value if there are none; `models`: those
 * that its model depends on, or "".
 */
char *chart_row_name(const struct chart_rows *, const struct chart_row *, bool models);
char *chart_title(const struct chart_rows *, bool one_x);
char *chart_caption(const struct chart_rows *, const char *model, bool left_out_zero);

#endif
