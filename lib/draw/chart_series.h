/*
 * The series of a chart, and its legend.
 */
#ifndef LSI_DRAW_CHART_SERIES_H
#define LSI_DRAW_CHART_SERIES_H

#include "draw/chart_axis.h"
#include "draw/scene.h"

/* The plot covers (0, 0) to (width, height). */
struct lsi_plot {
	const struct ls_chart *chart;
	struct lsi_chart_axis x, y;
	bool turned; /* the chart has rows: y grows to the right */
	double width, height;
};

/* The middle line of a row. */
double lsi_plot_row(const struct lsi_plot *, double row);

/* A part with the curve, the bars and the marks of a series. */
void lsi_series_draw(struct lsi_scene *, const struct lsi_plot *, size_t index);

/* px that the legend of a chart needs. */
double lsi_legend_height(const struct ls_chart *);
void lsi_legend_draw(struct lsi_scene *, const struct lsi_plot *);

#endif
