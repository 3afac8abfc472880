/*
 * An axis of a chart: its range, its ticks, and the place of a number on the page.
 *
 * The range ends at ticks.  A linear axis of numbers >= 0 begins at 0, unless all are far from 0.
 */
#ifndef LSI_DRAW_CHART_AXIS_H
#define LSI_DRAW_CHART_AXIS_H

#include <lockstep/chart.h>

enum { LSI_TICKS = 256 };

struct lsi_tick {
	double at;
	char label[24]; /* "": a minor tick */
};

struct lsi_chart_axis {
	bool logarithmic;
	double low, high; /* the ends of the range */
	double from, to;  /* their places, px */
	struct lsi_tick tick[LSI_TICKS];
	int ticks;
};

/* For numbers from `least` to `most`, with at most `labels` >= 2 ticks that have a label. */
void lsi_chart_axis_make(
	struct lsi_chart_axis *, const struct ls_axis *, double least, double most, int labels);
double lsi_chart_axis_place(const struct lsi_chart_axis *, double number);

/* A number with its unit: "12.3 us" with a real micro sign, "64K", "3.5". */
struct lsi_number_text {
	char text[24];
};
struct lsi_number_text lsi_number_write(enum ls_unit, double number);

#endif
