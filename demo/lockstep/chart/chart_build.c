#include "chart/chart_build.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An axis is logarithmic if its numbers differ by this factor, and all are > 0. */
#define LOGARITHMIC 20

/* ---- Curves */

static struct chart_curve *find_curve(
	struct chart_built *built, const char *name, enum ls_series_style style)
{
	for (size_t i = 0; i < built->curves; i++)
		if (built->curve[i].style == style && strcmp(built->curve[i].name, name) == 0)
			return &built->curve[i];
	built->curve =
		require_memory(realloc(built->curve, (built->curves + 1) * sizeof *built->curve));
	built->curve[built->curves] =
		(struct chart_curve){ .name = require_memory(strdup(name)), .style = style };
	return &built->curve[built->curves++];
}

static void add_point(struct chart_curve *curve, struct chart_point point)
{
	curve->point =
		require_memory(realloc(curve->point, (curve->points + 1) * sizeof *curve->point));
	curve->point[curve->points++] = point;
}

static void add_measured(
	struct chart_curve *curve, const struct chart_rows *rows, const struct chart_row *row, double x)
{
	if (!curve->model)
		curve->model = chart_row_name(rows, row, true);
	add_point(curve, (struct chart_point){ x, row->y, row->low, row->high });
}

static void add_model(struct chart_curve *curve, const struct chart_row *row, double x)
{
	add_point(curve, (struct chart_point){ x, row->model, NAN, NAN });
}

/* ---- Kinds of charts */

/* The axis of bytes is logarithmic. */
static bool is_left_out(const struct chart_rows *rows, const struct chart_row *row)
{
	return rows->x.unit == LS_UNIT_BYTES && row->x <= 0;
}

static bool has_names(const struct chart_rows *rows)
{
	for (size_t i = 0; i < rows->count; i++)
		if (isnan(rows->row[i].x))
			return true;
	return false;
}

/* Are there two x that a curve connects? */
static bool has_curves(const struct chart_rows *rows)
{
	const struct chart_row *first = NULL;

	for (size_t i = 0; i < rows->count; i++) {
		const struct chart_row *row = &rows->row[i];

		if (is_left_out(rows, row))
			continue;
		if (first && row->x != first->x)
			return true;
		first = row;
	}
	return false;
}

/* A model has the color of its curve, or is black if it is that of several. */
static void color_curves(struct chart_built *built)
{
	for (size_t i = 0; i < built->curves; i++) {
		struct chart_curve *curve = &built->curve[i];
		int like = 0;

		curve->color = curve->model ? (int)i + 1 : -1;
		for (size_t k = 0; k < i && !curve->model; k++)
			if (built->curve[k].model && strcmp(built->curve[k].model, curve->name) == 0) {
				curve->color = built->curve[k].color;
				like++;
			}
		curve->color = like > 1 ? -1 : curve->color;
	}
}

/* "doubling" becomes "doubling, model"; "" becomes "model". */
static void rename_models(struct chart_built *built)
{
	for (size_t i = 0; i < built->curves; i++) {
		struct chart_curve *curve = &built->curve[i];
		char *name;

		if (curve->model)
			continue;
		name = require_memory(malloc(strlen(curve->name) + sizeof ", model"));
		sprintf(name, "%s%smodel", curve->name, *curve->name ? ", " : "");
		free(curve->name);
		curve->name = name;
	}
}

static void build_curves(const struct chart_rows *rows, struct chart_built *built)
{
	for (size_t i = 0; i < rows->count; i++) {
		const struct chart_row *row = &rows->row[i];
		char *name = chart_row_name(rows, row, false);

		if (!is_left_out(rows, row))
			add_measured(find_curve(built, name, LS_SERIES_LINE), rows, row, row->x);
		free(name);
	}
	for (size_t i = 0; i < rows->count; i++) {
		const struct chart_row *row = &rows->row[i];
		char *name = chart_row_name(rows, row, true);

		if (!is_left_out(rows, row) && !isnan(row->model))
			add_model(find_curve(built, name, LS_SERIES_DASHED), row, row->x);
		free(name);
	}
	color_curves(built);
	rename_models(built);
}

/* ---- Charts of rows */

static size_t add_row(struct chart_built *built, char *name)
{
	built->row = require_memory(realloc((void *)built->row, (built->rows + 1) * sizeof name));
	built->row[built->rows] = name;
	return built->rows++;
}

/* The row of a name. */
static size_t find_row(struct chart_built *built, const char *name)
{
	for (size_t i = 0; i < built->rows; i++)
		if (strcmp(built->row[i], name) == 0)
			return i;
	return add_row(built, require_memory(strdup(name)));
}

/* x are names: marks of each series in their rows. */
static void build_named_rows(const struct chart_rows *rows, struct chart_built *built)
{
	for (size_t i = 0; i < rows->count; i++) {
		const struct chart_row *row = &rows->row[i];
		char *name = chart_row_name(rows, row, false);

		add_measured(find_curve(built, name, LS_SERIES_POINTS), rows, row,
			(double)find_row(built, row->name));
		free(name);
	}
	color_curves(built);
}

/* One x, or one and 0: a row for each measurement. */
static void build_measured_rows(
	const struct chart_rows *rows, struct chart_built *built, bool one_x)
{
	for (size_t i = 0; i < rows->count; i++) {
		const struct chart_row *row = &rows->row[i];
		char *name = chart_row_name(rows, row, false);
		char *text = require_memory(malloc(strlen(name) + strlen(row->name) + sizeof ", "));

		sprintf(text, "%s%s%s", name, one_x ? "" : ", ", one_x ? "" : row->name);
		free(name);
		add_row(built, text);
		add_measured(find_curve(built, "median", LS_SERIES_POINTS), rows, row, (double)i);
		if (!isnan(row->model))
			add_model(find_curve(built, "model", LS_SERIES_POINTS), row, (double)i);
	}
}

/* ---- The chart */

static int by_x(const void *a, const void *b)
{
	const struct chart_point *p = a, *q = b;

	return p->x != q->x ? (p->x > q->x) - (p->x < q->x) : (p->y > q->y) - (p->y < q->y);
}

/* Sort the points.  A model at an x is drawn once, although several rows state it. */
static void sort_points(struct chart_curve *curve)
{
	size_t kept = 0;

	qsort(curve->point, curve->points, sizeof *curve->point, by_x);
	for (size_t i = 0; i < curve->points; i++) {
		if (curve->model || i == 0 || by_x(&curve->point[kept - 1], &curve->point[i]) != 0)
			curve->point[kept++] = curve->point[i];
	}
	curve->points = kept;
}

/* x, y, low and high as arrays, in the order of x. */
static struct ls_series series_of(struct chart_curve *curve)
{
	sort_points(curve);

	const size_t n = curve->points;
	double *numbers = curve->numbers = require_memory(calloc(n, 4 * sizeof *numbers));
	const bool spreads = !isnan(curve->point[0].low);

	for (size_t i = 0; i < n; i++) {
		numbers[i] = curve->point[i].x;
		numbers[n + i] = curve->point[i].y;
		numbers[2 * n + i] = curve->point[i].low;
		numbers[3 * n + i] = curve->point[i].high;
	}
	return (struct ls_series){ .name = curve->name,
		.style = curve->style,
		.color = curve->color,
		.points = n,
		.x = numbers,
		.y = numbers + n,
		.low = spreads ? numbers + 2 * n : NULL,
		.high = spreads ? numbers + 3 * n : NULL };
}

static bool is_logarithmic(const double *least_most)
{
	return least_most[0] > 0 && least_most[1] > LOGARITHMIC * least_most[0];
}

static void choose_axes(const struct chart_rows *rows, struct chart_built *built)
{
	double x[] = { INFINITY, -INFINITY }, y[] = { INFINITY, -INFINITY };

	for (size_t i = 0; i < built->curves; i++)
		for (size_t k = 0; k < built->curve[i].points; k++) {
			const struct chart_point *p = &built->curve[i].point[k];

			x[0] = fmin(x[0], p->x);
			x[1] = fmax(x[1], p->x);
			y[0] = fmin(y[0], fmin(p->y, p->low)); /* NAN does not count */
			y[1] = fmax(y[1], fmax(p->y, p->high));
		}
	built->chart.x = (struct ls_axis){ rows->x.label, rows->x.unit,
		built->rows == 0 && (rows->x.unit == LS_UNIT_BYTES || is_logarithmic(x)) };
	built->chart.y = (struct ls_axis){ rows->y.label, rows->y.unit, is_logarithmic(y) };
	if (built->rows > 0)
		built->chart.x.label = NULL;
}

void chart_build(const struct chart_rows *rows, const char *model, struct chart_built *built)
{
	const bool named = has_names(rows), curves = !named && has_curves(rows);
	bool one_x = true, zero = false;

	*built = (struct chart_built){ .chart = { .size = sizeof built->chart } };
	for (size_t i = 0; i < rows->count; i++) {
		one_x &= !named && rows->row[i].x == rows->row[0].x;
		zero |= is_left_out(rows, &rows->row[i]);
	}
	if (curves)
		build_curves(rows, built);
	else if (named)
		build_named_rows(rows, built);
	else
		build_measured_rows(rows, built, one_x);
	choose_axes(rows, built);
	built->series = require_memory(calloc(built->curves, sizeof *built->series));
	for (size_t i = 0; i < built->curves; i++)
		built->series[i] = series_of(&built->curve[i]);
	built->chart.series = built->series;
	built->chart.n_series = built->curves;
	built->chart.row = (const char *const *)built->row;
	built->chart.rows = built->rows;
	built->title = chart_title(rows, one_x);
	built->caption = chart_caption(rows, model, curves && zero);
}

void chart_built_end(struct chart_built *built)
{
	for (size_t i = 0; i < built->curves; i++) {
		free(built->curve[i].name);
		free(built->curve[i].model);
		free(built->curve[i].point);
		free(built->curve[i].numbers);
	}
	for (size_t i = 0; i < built->rows; i++)
		free(built->row[i]);
	free((void *)built->row);
	free(built->curve);
	free(built->series);
	free(built->title);
	free(built->caption);
}
