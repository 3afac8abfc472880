/*
 * Charts: the plot with its axes, and a series for each curve.  The legend stands to the right of
 * the plot, where it covers nothing, in the order in which the curves end.
 *
 *   y title                                   title of the rows
 *    |        .-- +                            row 0 |---x--+------|
 *    |     .-'         legend                  row 1 |-x---+-------|   legend
 *    |_.-'_______                              row 2 |--x-----+----|
 *       x title                                         y title
 *
 * A chart with rows is turned: x is the row of a point, and the axis of y runs to the right.  The
 * origin is the upper left corner of the plot.
 */
#include <math.h>

#include "base/error.h"
#include "base/sized.h"
#include "draw/chart_axis.h"
#include "draw/chart_page.h"
#include "draw/chart_series.h"
#include "draw/drawing_check.h"
#include "draw/geometry.h"

enum {
	WIDTH = 560, /* px of the plot */
	HEIGHT = 380,
	ROW = 22, /* height of a row */
	PAD = 14, /* between the ends of the x axis and the first and last point */
	TICK = 5,
	MINOR = 3,
	GAP = 9, /* between a tick and its label */
	TITLE = 18
};

struct range {
	double least, most;
};

static void widen(struct range *range, double number)
{
	range->least = fmin(range->least, number);
	range->most = fmax(range->most, number);
}

static void find_ranges(const struct ls_chart *chart, struct range *x, struct range *y)
{
	*x = *y = (struct range){ INFINITY, -INFINITY };
	for (size_t k = 0; k < chart->n_series; k++) {
		const struct ls_series *s = &chart->series[k];

		for (size_t i = 0; i < s->points; i++) {
			widen(x, s->x[i]);
			widen(y, s->y[i]);
			if (s->low)
				widen(y, s->low[i]);
			if (s->high)
				widen(y, s->high[i]);
		}
	}
}

double lsi_plot_row(const struct lsi_plot *plot, double row)
{
	return (row + 0.5) * plot->height / (double)plot->chart->rows;
}

static void make_axes(struct lsi_plot *plot)
{
	const struct ls_chart *chart = plot->chart;
	struct range x, y;

	find_ranges(chart, &x, &y);
	plot->turned = chart->row != NULL;
	plot->width = WIDTH;
	plot->height =
		plot->turned ? (double)chart->rows * ROW : fmax(HEIGHT, lsi_legend_height(chart));
	lsi_chart_axis_make(
		&plot->y, &chart->y, y.least, y.most, (int)(plot->turned ? WIDTH / 60 : HEIGHT / 36));
	plot->y.from = plot->turned ? PAD : plot->height;
	plot->y.to = plot->turned ? WIDTH - PAD : 0;
	if (plot->turned)
		return;
	lsi_chart_axis_make(&plot->x, &chart->x, x.least, x.most, WIDTH / 56);
	plot->x.from = PAD;
	plot->x.to = WIDTH - PAD;
}

/* ---- Frame and axes */

static void add_rule(
	struct lsi_scene *scene, const char *variant, double x, double y, double dx, double dy)
{
	lsi_scene_put_rule(
		scene, variant, (struct lsi_point){ x, y }, (struct lsi_point){ x + dx, y + dy }, 0);
}

/* Ticks below the plot. */
static void draw_horizontal(
	struct lsi_scene *scene, const struct lsi_plot *plot, const struct lsi_chart_axis *axis)
{
	for (int i = 0; i < axis->ticks; i++) {
		const struct lsi_tick *tick = &axis->tick[i];
		const double x = lsi_chart_axis_place(axis, tick->at);

		if (*tick->label)
			add_rule(scene, "grid", x, 0, 0, plot->height);
		add_rule(scene, "frame", x, plot->height, 0, *tick->label ? TICK : MINOR);
		lsi_chart_text(scene, LSI_ANCHOR_MIDDLE, x, plot->height + TICK + GAP, tick->label);
	}
}

/* Ticks to the left of the plot. */
static void draw_vertical(
	struct lsi_scene *scene, const struct lsi_plot *plot, const struct lsi_chart_axis *axis)
{
	for (int i = 0; i < axis->ticks; i++) {
		const struct lsi_tick *tick = &axis->tick[i];
		const double y = lsi_chart_axis_place(axis, tick->at);

		if (*tick->label)
			add_rule(scene, "grid", 0, y, plot->width, 0);
		add_rule(scene, "frame", 0, y, *tick->label ? -TICK : -MINOR, 0);
		lsi_chart_text(scene, LSI_ANCHOR_END, -GAP, y, tick->label);
	}
}

static void draw_rows(struct lsi_scene *scene, const struct lsi_plot *plot)
{
	for (size_t i = 0; i < plot->chart->rows; i++) {
		const double y = lsi_plot_row(plot, (double)i);

		add_rule(scene, "grid", 0, y, plot->width, 0);
		lsi_chart_text(scene, LSI_ANCHOR_END, -GAP, y, plot->chart->row[i]);
	}
}

static void draw_axes(struct lsi_scene *scene, const struct lsi_plot *plot)
{
	const struct ls_chart *chart = plot->chart;
	const char *below = plot->turned ? chart->y.label : chart->x.label;
	const char *above = plot->turned ? chart->x.label : chart->y.label;

	lsi_chart_part(scene, plot->turned ? "axis rows" : "axis y");
	if (plot->turned)
		draw_rows(scene, plot);
	else
		draw_vertical(scene, plot, &plot->y);
	add_rule(scene, "frame", 0, 0, 0, plot->height);
	lsi_chart_part(scene, plot->turned ? "axis y" : "axis x");
	draw_horizontal(scene, plot, plot->turned ? &plot->y : &plot->x);
	add_rule(scene, "frame", 0, plot->height, plot->width, 0);
	lsi_chart_part(scene, "axis-titles");
	lsi_chart_text(
		scene, LSI_ANCHOR_MIDDLE, plot->width / 2, plot->height + TICK + GAP + TITLE, below);
	lsi_chart_text(scene, plot->turned ? LSI_ANCHOR_END : LSI_ANCHOR_START, -GAP, -TITLE, above);
}

/* ---- The chart */

int ls_chart_draw(const struct ls_chart *chart, const char *format,
	int (*put)(void *context, const char *text), void *context, struct ls_error *why)
{
	const struct lsi_chart_output output = { format, put, context, why };
	struct ls_chart complete = { .size = sizeof complete };
	struct lsi_scene scene = { 0 };
	struct lsi_plot plot = { .chart = &complete };
	int failed = lsi_draw_check_arguments(chart, "chart", format, put, why);

	if (!failed && !lsi_sized_read(&complete, sizeof complete, chart))
		failed = lsi_error_set(why, LS_ERR_ARGUMENT, "chart->size is not that of the struct");
	if (!failed)
		failed = lsi_chart_output_check(&output);
	if (!failed)
		failed = lsi_page_check(complete.page.theme, complete.page.width, why);
	if (!failed)
		failed = lsi_chart_check(&complete, why);
	if (failed)
		return failed;
	make_axes(&plot);
	draw_axes(&scene, &plot);
	for (size_t i = complete.n_series; i-- > 0;) /* the first lies on top */
		lsi_series_draw(&scene, &plot, i);
	lsi_legend_draw(&scene, &plot);
	return lsi_chart_print(&scene, &complete.page, &output);
}
