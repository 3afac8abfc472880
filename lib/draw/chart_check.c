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

/* "series 2 ('ring'), point 3" */
static int refuse(const struct ls_chart *chart, size_t series, size_t point, struct ls_error *why,
	const char *name, double number, bool logarithmic)
{
	const char *title = chart->series[series].name ? chart->series[series].name : "";

	return lsi_error_set(why, LS_ERR_ARGUMENT,
		"series %zu ('%s'), point %zu: %s is %g; expected a number%s", series + 1,
		lsi_quote_make(title, strlen(title)).text, point + 1, name, number,
		logarithmic ? " > 0 on a logarithmic axis" : "");
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
	const double y[] = { s->y[point], s->low ? s->low[point] : s->y[point],
		s->high ? s->high[point] : s->y[point] };
	static const char *const name[] = { "y", "low", "high" };

	if (chart->row) {
		const int failed = check_row(chart, series, point, why);

		if (failed)
			return failed;
	} else if (!is_shown(&chart->x, s->x[point])) {
		return refuse(chart, series, point, why, "x", s->x[point], chart->x.logarithmic);
	}
	for (size_t i = 0; i < sizeof y / sizeof *y; i++) {
		if (!is_shown(&chart->y, y[i]))
			return refuse(chart, series, point, why, name[i], y[i], chart->y.logarithmic);
	}
	return LS_OK;
}

int lsi_chart_check(const struct ls_chart *chart, struct ls_error *why)
{
	size_t points = 0;
	int failed = LS_OK;

	if ((chart->n_series > 0 && !chart->series) || (chart->row && chart->rows == 0))
		return lsi_error_set(why, LS_ERR_ARGUMENT, "a chart needs series, and at least one row");
	for (size_t k = 0; k < chart->n_series && !failed; k++) {
		const struct ls_series *s = &chart->series[k];

		if (s->points > INT32_MAX || (s->points > 0 && !(s->x && s->y)))
			return lsi_error_set(
				why, LS_ERR_ARGUMENT, "series %zu needs x and y of its points", k + 1);
		points += s->points;
		for (size_t i = 0; i < s->points && !failed; i++)
			failed = check_point(chart, k, i, why);
	}
	if (!failed && points == 0)
		failed = lsi_error_set(why, LS_ERR_ARGUMENT, "a chart needs a point");
	return failed;
}
