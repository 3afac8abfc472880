/*
 * Charts.  Each number of the data is found again in the SVG: the labels of the
 * ticks and their places give the scale of an axis, and the marks and lines lie at the places of
 * the numbers.  Texts do not overlap, and lie on the page.
 */
/* link: -Wl,--wrap=malloc,--wrap=calloc,--wrap=aligned_alloc */
/* link: -Wl,--wrap=free,--wrap=mmap,--wrap=munmap */
/* link: -Wl,--wrap=pthread_create */
#include <math.h>
#include <string.h>

#include <lockstep.h>

#include "chart_svg.h"
#include "support/inject.h"
#include "test.h"

enum { POINTS = 24, SERIES = 3 };

static int draw(const struct ls_chart *chart, struct ls_error *why)
{
	drawn.length = 0;
	*why = (struct ls_error){ .size = sizeof *why };
	return ls_chart_draw(chart, "svg", text_append, &drawn, why);
}

/* ---- Data */

static double x[SERIES][POINTS], y[SERIES][POINTS], low[SERIES][POINTS], high[SERIES][POINTS];

static uint32_t state = 1;

/* 0 .. 1, of a linear congruence */
static double next_share(void)
{
	state = state * 1664525 + 1013904223;
	return (state >> 8) / (double)(1 << 24);
}

struct shape {
	const char *name;
	struct ls_axis x, y;
	double least_x, most_x, least_y, most_y;
	size_t points;
};

static const struct shape shapes[] = {
	{ "bytes and times", { "bytes", LS_UNIT_BYTES, true }, { "time", LS_UNIT_SECONDS, true }, 8,
		1 << 24, 60e-9, 0.3, POINTS },
	{ "narrow", { "bytes", LS_UNIT_BYTES, true }, { "time", LS_UNIT_SECONDS, true }, 100, 700, 2e-6,
		9e-6, POINTS },
	{ "linear", { "nodes", LS_UNIT_NONE, false }, { "time", LS_UNIT_SECONDS, false }, 2, 61, 1e-6,
		7.3e-6, POINTS },
	{ "below 0", { "a", LS_UNIT_NONE, false }, { "b", LS_UNIT_NONE, false }, -3, 4, -1700, -20,
		POINTS },
	{ "powers of ten", { "nodes", LS_UNIT_NONE, true }, { "ns", LS_UNIT_NONE, true }, 8, 5e8, 0.02,
		1500, POINTS },
	{ "far from 0", { "a", LS_UNIT_NONE, false }, { "b", LS_UNIT_SECONDS, false }, 1000, 1010, 2,
		2.4, POINTS },
	{ "linear bytes", { "bytes", LS_UNIT_BYTES, false }, { "bytes", LS_UNIT_BYTES, false }, 0,
		300000, 0, 40, POINTS },
	{ "large", { "a", LS_UNIT_NONE, false }, { "b", LS_UNIT_NONE, true }, 0, 3e7, 1e-9, 1e12,
		POINTS },
	{ "one point", { "bytes", LS_UNIT_BYTES, true }, { "time", LS_UNIT_SECONDS, true }, 64, 64,
		2e-6, 2e-6, 1 },
	{ "one point, linear", { "a", LS_UNIT_NONE, false }, { "b", LS_UNIT_SECONDS, false }, 5, 5,
		3e-3, 3e-3, 1 },
	{ "zero", { "a", LS_UNIT_NONE, false }, { "b", LS_UNIT_NONE, false }, 0, 0, 0, 0, 1 },
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static double between(double least, double most, bool logarithmic, double share)
{
	return logarithmic ? least * pow(most / least, share) : least + (most - least) * share;
}

static struct ls_chart chart_of(const struct shape *shape, struct ls_series *series)
{
	for (int k = 0; k < SERIES; k++) {
		for (size_t i = 0; i < shape->points; i++) {
			const double at = shape->points > 1 ? (double)i / (double)(shape->points - 1) : 0;

			x[k][i] = between(shape->least_x, shape->most_x, shape->x.logarithmic, at);
			y[k][i] = between(shape->least_y, shape->most_y, shape->y.logarithmic, next_share());
			low[k][i] = between(shape->least_y, y[k][i], shape->y.logarithmic, next_share());
			high[k][i] = between(y[k][i], shape->most_y, shape->y.logarithmic, next_share());
		}
		series[k] = (struct ls_series){ .name = k == 2 ? "model"
				: k                                    ? "ring & <b>"
													   : "doubling",
			.style = k == 2 ? LS_SERIES_DASHED : LS_SERIES_LINE,
			.points = shape->points,
			.x = x[k],
			.y = y[k],
			.low = k ? NULL : low[k],
			.high = k ? NULL : high[k] };
	}
	return (struct ls_chart){ .size = sizeof(struct ls_chart),
		.page = { .title = shape->name, .caption = "Bars: quartiles.", .command = "a < b" },
		.x = shape->x,
		.y = shape->y,
		.series = series,
		.n_series = SERIES };
}

/* ---- Curves */

static void check_place(const char *name, const char *what, size_t i, double is, double wanted)
{
	CHECK(fabs(is - wanted) <= 0.1, "%s, %s %zu: at %.2f, not at %.2f", name, what, i, is, wanted);
}

static void check_series(const struct shape *shape, const struct ls_series *series, int k,
	const struct scale *across, const struct scale *up)
{
	/* The first series lies on top: it is the last. */
	const char *part = find_part(drawn.at, "series", SERIES - 1 - k);
	struct point point[POINTS];

	CHECK(part, "%s: no series %d", shape->name, k);
	CHECK(read_points(part, "line", 0, point, POINTS) == (int)shape->points, "%s: line %d",
		shape->name, k);
	for (size_t i = 0; i < shape->points; i++) {
		check_place(shape->name, "x", i, point[i].x, place_of(across, series[k].x[i]));
		check_place(shape->name, "y", i, point[i].y, place_of(up, series[k].y[i]));
	}
	for (size_t i = 0; i < shape->points && series[k].style == LS_SERIES_LINE; i++) {
		struct point corner[32];
		const int corners = read_points(part, "mark", (int)i, corner, 32);
		const struct point center = center_of(corner, corners);

		CHECK(corners >= 3, "%s: mark %zu has %d corners", shape->name, i, corners);
		check_place(shape->name, "mark x", i, center.x, place_of(across, series[k].x[i]));
		check_place(shape->name, "mark y", i, center.y, place_of(up, series[k].y[i]));
	}
	for (size_t i = 0; i < shape->points && series[k].low; i++) {
		struct point bar[6];

		CHECK(read_points(part, "spread", (int)i, bar, 6) == 6, "%s: bar %zu", shape->name, i);
		check_place(shape->name, "low", i, bar[2].y, place_of(up, series[k].low[i]));
		check_place(shape->name, "high", i, bar[3].y, place_of(up, series[k].high[i]));
	}
}

static void test_curves(void)
{
	for (int i = 0; i < SHAPES; i++) {
		struct ls_series series[SERIES];
		struct ls_error why;
		const struct ls_chart chart = chart_of(&shapes[i], series);
		const int failed = draw(&chart, &why);
		struct scale across, up;

		CHECK(failed == LS_OK, "%s: %s", shapes[i].name, why.text);
		read_scale(find_part(drawn.at, "axis x", 0), false, &chart.x, &across);
		read_scale(find_part(drawn.at, "axis y", 0), true, &chart.y, &up);
		CHECK(
			across.ticks >= 2 && across.ticks <= 12, "%s: %d ticks", shapes[i].name, across.ticks);
		CHECK(up.ticks >= 2 && up.ticks <= 12, "%s: %d ticks", shapes[i].name, up.ticks);
		CHECK(across.error <= 0.06 && up.error <= 0.06, "%s: ticks are off by %.3f and %.3f px",
			shapes[i].name, across.error, up.error);
		for (int k = 0; k < SERIES; k++)
			check_series(&shapes[i], series, k, &across, &up);
		check_texts(drawn.at, shapes[i].name);
	}
}

/* The labels of the x axis of two points. */
static void test_ticks(void)
{
	static const struct {
		double least, most;
		enum ls_unit unit;
		bool logarithmic;
		const char *labels;
	} rows[] = {
		{ 0, 10, LS_UNIT_NONE, false, "0 2 4 6 8 10" },
		{ 1, 7.5, LS_UNIT_NONE, false, "0 1 2 3 4 5 6 7 8" },
		{ 100, 103, LS_UNIT_NONE, false, "100.0 100.5 101.0 101.5 102.0 102.5 103.0" },
		{ -1, 1, LS_UNIT_NONE, false, "-1.0 -0.5 0 0.5 1.0" },
		{ 0, 45000, LS_UNIT_NONE, false, "0 5k 10k 15k 20k 25k 30k 35k 40k 45k" },
		{ 1e-7, 9e-7, LS_UNIT_SECONDS, false,
			"0|100 ns|200 ns|300 ns|400 ns|500 ns|600 ns|700 ns|800 ns|900 ns" },
		{ 3, 40, LS_UNIT_NONE, true, "2 5 10 20 50" },
		{ 1, 1000, LS_UNIT_NONE, true, "1 2 5 10 20 50 100 200 500 1000" },
		{ 2e-9, 4e-3, LS_UNIT_SECONDS, true, "10 ns|100 ns|1 us|10 us|100 us|1 ms" },
		{ 0.9, 150, LS_UNIT_SECONDS, true, "500 ms|1 s|2 s|5 s|10 s|20 s|50 s|100 s|200 s" },
		{ 10, 2e9, LS_UNIT_NONE, true, "10^1 10^2 10^3 10^4 10^5 10^6 10^7 10^8 10^9" },
		{ 8, 512, LS_UNIT_BYTES, true, "8 16 32 64 128 256 512" },
		{ 8, 1 << 20, LS_UNIT_BYTES, true, "8 32 128 512 2K 8K 32K 128K 512K" },
		{ 1, (double)(INT64_C(1) << 40), LS_UNIT_BYTES, true, "1 32 1K 32K 1M 32M 1G 32G 1T" },
		{ 0, 5000, LS_UNIT_BYTES, false, "0 1K 2K 3K 4K 5K" },
		{ 0, 1e20, LS_UNIT_NONE, false, "0 2e+07T 4e+07T 6e+07T 8e+07T 1e+08T" },
		{ 0, 1e-15, LS_UNIT_SECONDS, false, "0|2e-07 ns|4e-07 ns|6e-07 ns|8e-07 ns|1e-06 ns" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const double numbers[] = { rows[i].least, rows[i].most }, ones[] = { 1, 2 };
		const struct ls_series series[] = { { .points = 2, .x = numbers, .y = ones },
			{ .points = 0 } };
		const struct ls_chart chart = { .size = sizeof chart,
			.x = { NULL, rows[i].unit, rows[i].logarithmic },
			.series = series,
			.n_series = 2 };
		struct ls_error why;
		char labels[400];

		CHECK(draw(&chart, &why) == LS_OK, "%s", why.text);
		join_labels(find_part(drawn.at, "axis x", 0), strchr(rows[i].labels, '|') ? "|" : " ",
			labels, sizeof labels);
		CHECK(strcmp(labels, rows[i].labels) == 0, "%g .. %g: '%s', not '%s'", rows[i].least,
			rows[i].most, labels, rows[i].labels);
	}
}

/* Many curves that end at one place. */
static void test_legend(void)
{
	enum { CURVES = 30 };
	static const double at[] = { 1, 2 };
	static const char *const names[] = { "a", "a longer name", "c" };
	struct ls_series series[CURVES];
	const struct ls_chart chart = { .size = sizeof chart, .series = series, .n_series = CURVES };
	struct ls_error why;
	struct svg_text text;
	const char *legend;
	int entries = 0;

	for (int i = 0; i < CURVES; i++)
		series[i] = (struct ls_series){ .name = names[i % 3], .points = 2, .x = at, .y = at };
	CHECK(draw(&chart, &why) == LS_OK, "%s", why.text);
	check_texts(drawn.at, "legend");
	legend = find_part(drawn.at, "legend", 0);
	while (legend && (legend = next_text(legend, NULL, &text)))
		entries++;
	CHECK(entries == CURVES, "%d entries", entries);
}

/* ---- Rows */

static void test_rows(void)
{
	static const char *const names[] = { "first", "a much longer name of a row", "third" };
	static const double at[] = { 2, 0, 1 }, time[] = { 3e-6, 5e-5, 7e-6 },
						model[] = { 1e-6, 1e-6, 4e-6 };
	const struct ls_series series[] = {
		{ "median", LS_SERIES_POINTS, 0, 3, at, time, time, time },
		{ "model", LS_SERIES_POINTS, 0, 3, at, model, NULL, NULL },
	};
	const struct ls_chart chart = { .size = sizeof chart,
		.y = { "time", LS_UNIT_SECONDS, true },
		.series = series,
		.n_series = 2,
		.row = names,
		.rows = 3 };
	struct ls_error why;
	struct scale across;
	double row[3];

	CHECK(draw(&chart, &why) == LS_OK, "%s", why.text);
	check_texts(drawn.at, "rows");
	read_scale(find_part(drawn.at, "axis y", 0), false, &chart.y, &across);
	CHECK(read_label_places(find_part(drawn.at, "axis rows", 0), row, 3) == 3, "three names");
	for (int k = 0; k < 2; k++)
		for (int i = 0; i < 3; i++) {
			struct point corner[32];
			const char *part = find_part(drawn.at, "series", 1 - k);
			const struct point center = center_of(corner, read_points(part, "mark", i, corner, 32));

			check_place("rows", "mark", (size_t)i, center.x, place_of(&across, series[k].y[i]));
			CHECK(fabs(center.y - row[(int)at[i]]) < 8, "series %d, point %d is in its row", k, i);
		}
}

/* ---- Errors */

static void refuses(const struct ls_chart *chart, const char *text)
{
	struct ls_error why;
	const int failed = draw(chart, &why);

	CHECK(failed == LS_ERR_ARGUMENT && why.kind == failed, "'%s' gives %d", text, failed);
	CHECK(strstr(why.text, text), "'%s', not '%s'", why.text, text);
	CHECK(drawn.length == 0, "nothing is written");
}

static void test_errors(void)
{
	static const char wanted[] = "no format 'gif'; expected one of: svg, ";
	static const double good[] = { 1, 2 };
	double bad[] = { 1, 2 }, row[] = { 0, 1 };
	struct ls_series series[] = { { .name = "a", .points = 2, .x = good, .y = good },
		{ .name = "ring", .points = 2, .x = good, .y = bad } };
	struct ls_chart chart = { .size = sizeof chart, .series = series, .n_series = 2 };
	static const char *const names[] = { "0", "1" };
	struct ls_error why = { .size = sizeof why };

	bad[1] = NAN;
	refuses(&chart, "series 2 ('ring'), point 2: y is nan; expected a number");
	bad[1] = INFINITY;
	refuses(&chart, "y is inf");
	chart.y.logarithmic = true;
	bad[1] = -2;
	refuses(&chart, "series 2 ('ring'), point 2: y is -2; expected a number > 0 on a logarithmic");
	bad[1] = 0;
	refuses(&chart, "y is 0; expected a number > 0");
	bad[1] = 2;
	series[1].low = (const double[]){ 1, 0 };
	refuses(&chart, "point 2: low is 0");
	series[1].low = NULL;
	chart.x.logarithmic = true;
	series[0].x = (const double[]){ -1, 1 };
	refuses(&chart, "series 1 ('a'), point 1: x is -1");
	series[0].x = NULL;
	refuses(&chart, "series 1 needs x and y");
	series[0].x = row;
	chart.row = names;
	chart.rows = 2;
	series[1].x = row;
	CHECK(draw(&chart, &why) == LS_OK, "%s", why.text);
	row[1] = 0.5;
	refuses(&chart, "series 1, point 2: x is 0.5; expected a row from 0 to 1");
	row[1] = 2;
	refuses(&chart, "x is 2;");
	series[0].points = series[1].points = 0;
	refuses(&chart, "a chart needs a point");
	chart.n_series = 0;
	refuses(&chart, "a chart needs a point");
	CHECK(ls_chart_draw(&chart, "gif", text_append, &drawn, &why) == LS_ERR_SPEC
			&& strncmp(why.text, wanted, strlen(wanted)) == 0,
		"no format gif: %s", why.text);
}

/* ---- The same bytes, and too little memory */

static void test_repeats(void)
{
	struct ls_series series[SERIES];
	struct ls_chart chart = chart_of(&shapes[0], series);
	struct ls_error why;
	struct text first = { 0 };

	CHECK(draw(&chart, &why) == LS_OK, "%s", why.text);
	text_append(&first, drawn.at);
	CHECK(strstr(drawn.at, "<metadata>a &lt; b</metadata>")
			&& strstr(drawn.at, "ring &amp; &lt;b&gt;"),
		"texts are escaped");
	CHECK(draw(&chart, &why) == LS_OK && strcmp(first.at, drawn.at) == 0, "the same bytes");
	free(first.at);
	chart.page.width = 120;
	CHECK(draw(&chart, &why) == LS_OK && strstr(drawn.at, "width=\"120mm\""), "the width");
}

static int draw_once(const void *context)
{
	struct ls_error why;

	return draw(context, &why);
}

static void test_memory(void)
{
	struct ls_series series[SERIES];
	const struct ls_chart chart = chart_of(&shapes[0], series);

	fail_memory(&(struct faulty){ "a chart", draw_once, &chart, 0 });
}

int main(void)
{
	test_curves();
	test_ticks();
	test_legend();
	test_rows();
	test_errors();
	test_repeats();
	test_memory();
	return test_result();
}
