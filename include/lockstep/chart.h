/*
 * Chart: curves, points with their spread, and maps of numbers, in the formats of ls_draw.
 *
 * A chart is data: axes, and series of points.  The same call always gives the same bytes.
 */
#ifndef LOCKSTEP_CHART_H
#define LOCKSTEP_CHART_H

#include <lockstep/draw.h>

LS_BEGIN_DECLS

/* The words beside a chart, and its look. */
struct ls_page {
	const char *title, *caption; /* below the picture; NULL: none */
	const char *command;         /* in the metadata: the command that draws it; NULL: none */
	enum ls_theme theme;
	double width; /* in mm, up to 10,000; 0: the size of the chart, 96 px per inch */
};

/*
 * What the numbers of an axis count.  Ticks are 1 2 5 or powers of ten; of bytes, powers of two
 * with K = 1024, M, G; of seconds, with the prefixes n, u, m.
 */
enum ls_unit { LS_UNIT_NONE, LS_UNIT_BYTES, LS_UNIT_SECONDS };

struct ls_axis {
	const char *label; /* NULL: none */
	enum ls_unit unit;
	bool logarithmic; /* all numbers are > 0 */
};

enum ls_series_style {
	LS_SERIES_LINE,   /* a line through marks: measured */
	LS_SERIES_DASHED, /* a dashed line: a model */
	LS_SERIES_POINTS  /* marks alone */
};

/* Arrays have `points` elements.  Numbers are 0, or of a magnitude from 1e-300 to 1e300. */
struct ls_series {
	const char *name; /* in the legend; NULL: none */
	enum ls_series_style style;
	int color; /* of the line, and its kind of mark, from 1; 0: those of its index; -1: ink */
	size_t points;
	const double *x, *y;
	const double *low, *high; /* the spread of y, as a bar; NULL: none */
};

/* Set size to the size of the struct.  Zero in another field selects its default. */
struct ls_chart {
	size_t size;
	struct ls_page page;
	struct ls_axis x, y;
	const struct ls_series *series; /* the first lies on top of the others */
	size_t n_series;
	/*
	 * Names of x = 0, 1, .. instead of an axis: each has a row, from the top, and y grows to the
	 * right.  NULL: x are numbers.
	 */
	const char *const *row;
	size_t rows;
};

/*
 * Draw a chart in a format of ls_draw_format_list.
 *
 * Shape      put(context, ..) receives the text in pieces; a non-zero value ends the writing.
 * Returns    LS_OK, or the value of put
 *            LS_ERR_SPEC         no such format
 *            LS_ERR_UNSUPPORTED  the format draws no charts
 *            LS_ERR_ARGUMENT     there is no point, the axes cannot show a number, or a theme,
 *                                width, unit, style or color is out of its range: why->text names
 *                                the series and the point
 *            LS_ERR_MEMORY
 */
LS_API LS_MUST_CHECK int ls_chart_draw(const struct ls_chart *, const char *format,
	int (*put)(void *context, const char *text), void *context, struct ls_error *why_or_null);

/* A table of numbers, each in a cell with its color.  Set size to the size of the struct. */
struct ls_heat_map {
	size_t size;
	struct ls_page page;
	const char *rows_title, *columns_title; /* NULL: none */
	size_t rows, columns;
	const char *const *row, *const *column; /* their names */
	const double *cell;                     /* [row * columns + column]; NAN: the cell is empty */
	enum ls_unit unit;
};

/* Draw a map of numbers; as ls_chart_draw. */
LS_API LS_MUST_CHECK int ls_heat_map_draw(const struct ls_heat_map *, const char *format,
	int (*put)(void *context, const char *text), void *context, struct ls_error *why_or_null);

LS_END_DECLS
#endif
