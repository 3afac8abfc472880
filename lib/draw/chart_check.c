/*
 * Can the axes of a chart show all of its numbers?
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "draw/chart_page.h"

static const double LEAST = 1e-300, MOST = 1e300;

static bool is_shown(const struct ls_axis *axis, double number)
{
	if (axis->logarithmic)
		return number >= LEAST && number <= MOST;
	return number == 0 || (fabs(number) >= LEAST && fabs(number) <= MOST);
}

/* One number of a point. */
struct coordinate {
	const char *name;
	double number;
	const struct ls_axis *axis;
};

/* "series 2 ('ring'), point 3: y is .." */
static int check_coordinate(const struct ls_chart *chart, size_t series, size_t point,
	struct coordinate c, struct ls_error *why)
{
	const char *title = chart->series[series].name ? chart->series[series].name : "";

	if (is_shown(c.axis, c.number))
		return LS_OK;
	return lsi_error_set(why, LS_ERR_ARGUMENT,
		"series %zu ('%s'), point %zu: %s is %g; expected a number%s", series + 1,
		lsi_quote_make(title, strlen(title)).text, point + 1, c.name, c.number,
		c.axis->logarithmic ? " > 0 on a logarithmic axis" : "");
}

static int check_row(
	const struct ls_chart *chart, size_t series, size_t point, struct ls_error *why)
{
	const double x = chart->series[series].x[point];

	if (x >= 0 && x < (double)chart->rows && x == floor(x))
		return LS_OK;
	return lsi_error_set(why, LS_ERR_ARGUMENT,
		"series %zu, point %zu: x is %g; expected a row from 0 to %zu", series + 1, point + 1, x,
		chart->rows - 1);
}

static int check_point(
	const struct ls_chart *chart, size_t series, size_t point, struct ls_error *why)
{
	const struct ls_series *s = &chart->series[series];
	const struct coordinate coordinate[] = {
		{ "x", s->x[point], &chart->x },
		{ "y", s->y[point], &chart->y },
		{ "low", s->low ? s->low[point] : s->y[point], &chart->y },
		{ "high", s->high ? s->high[point] : s->y[point], &chart->y },
	};
	int failed = chart->row ? check_row(chart, series, point, why) : LS_OK;

	for (size_t i = chart->row ? 1 : 0; i < sizeof coordinate / sizeof *coordinate && !failed; i++)
		failed = check_coordinate(chart, series, point, coordinate[i], why);
	return failed;
}

/* The choices of a series, and whether it has points. */
static int check_series(const struct ls_chart *chart, size_t k, struct ls_error *why)
{
	const struct ls_series *s = &chart->series[k];

	if ((unsigned)s->style > LS_SERIES_POINTS)
		return lsi_error_set(why, LS_ERR_ARGUMENT,
			"series %zu: the style is %d; expected an enum ls_series_style", k + 1, (int)s->style);
	if (s->color < -1)
		return lsi_error_set(why, LS_ERR_ARGUMENT,
			"series %zu: the color is %d; expected -1 or more", k + 1, s->color);
	if (s->points > INT32_MAX || (s->points > 0 && !(s->x && s->y)))
		return lsi_error_set(why, LS_ERR_ARGUMENT, "series %zu needs x and y of its points", k + 1);
	return LS_OK;
}

static int check_unit(const struct ls_axis *axis, const char *name, struct ls_error *why)
{
	if ((unsigned)axis->unit <= LS_UNIT_SECONDS)
		return LS_OK;
	return lsi_error_set(why, LS_ERR_ARGUMENT, "the unit of %s is %d; expected an enum ls_unit",
		name, (int)axis->unit);
}

int lsi_chart_check(const struct ls_chart *chart, struct ls_error *why)
{
	size_t points = 0;
	int failed = check_unit(&chart->x, "x", why);

	if (!failed)
		failed = check_unit(&chart->y, "y", why);
	if (failed)
		return failed;
	if ((chart->n_series > 0 && !chart->series) || (chart->row && chart->rows == 0))
		return lsi_error_set(why, LS_ERR_ARGUMENT, "a chart needs series, and at least one row");
	for (size_t k = 0; k < chart->n_series && !failed; k++) {
		failed = check_series(chart, k, why);
		points += failed ? 0 : chart->series[k].points;
		for (size_t i = 0; !failed && i < chart->series[k].points; i++)
			failed = check_point(chart, k, i, why);
	}
	if (!failed && points == 0)
		failed = lsi_error_set(why, LS_ERR_ARGUMENT, "a chart needs a point");
	return failed;
}
