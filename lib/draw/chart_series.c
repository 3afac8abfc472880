/*
 * A series is drawn in this order: its line, its marks, and a bar from `low` to `high` at each
 * point.  Dashed series have no marks, and series of points no line.
 *
 *   5---3---4      A bar is one line through six points, `low` is 2 and `high` 3: the end below,
 *       |          the bar, the end above.  If the chart has rows, it lies on its side.
 *   0---2---1
 *
 * The legend is a column to the right of the plot.
 *
 *   1. Each entry starts at the height at which its curve ends; sort the entries by that.
 *   2. From the top: move down each entry that overlaps the one before it.
 *   3. From the bottom: move up each entry that is below the plot or overlaps the next one.
 *
 * So a name stands near the end of its curve.  In a chart with rows, the entries are in the order
 * of the series.
 */
#include "draw/chart_series.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "draw/geometry.h"

enum {
	CAP = 3,   /* half the width of the end of a bar */
	LINE = 17, /* of the legend */
	SAMPLE = 26,
	STEP = 4, /* between series in a row */
	ROW_SPAN = 12,
	GAP = 16 /* between plot and legend */
};

/* A mark is a polygon: its corners lie at `radius` and `inner` from the center, by turns. */
struct mark {
	int corners;
	double angle;         /* degrees, of the first corner */
	double radius, inner; /* px, of even and of odd corners */
};
static const struct mark marks[] = {
	{ 16, 0, 4.2, 4.2 },   /* circle */
	{ 4, 45, 5.3, 5.3 },   /* square */
	{ 3, -90, 5.8, 5.8 },  /* triangle */
	{ 4, 0, 5.6, 5.6 },    /* diamond */
	{ 8, 45, 7, 2.2 },     /* cross */
	{ 3, 90, 5.8, 5.8 },   /* triangle that points down */
	{ 10, -90, 6.6, 2.9 }, /* star */
};
enum { MARKS = sizeof marks / sizeof *marks };

/* Of the line and its mark, from 0; -1: black, with the last mark. */
static int color_of(const struct ls_chart *chart, size_t index)
{
	const int color = chart->series[index].color;

	return color > 0 ? color - 1 : color < 0 ? -1 : (int)index;
}

static struct lsi_element curve_of(const char *variant, int color)
{
	struct lsi_element curve = lsi_element_at(LSI_SHAPE_CURVE, (struct lsi_point){ 0, 0 });

	curve.variant = variant;
	curve.color = color;
	return curve;
}

/* The dashed lines have different patterns. */
static int dash_of(const struct ls_chart *chart, size_t index)
{
	int dash = -1;

	if (chart->series[index].style != LS_SERIES_DASHED)
		return dash;
	for (size_t i = 0; i <= index; i++)
		dash += chart->series[i].style == LS_SERIES_DASHED;
	return dash;
}

/* The line of a series, or its sample in the legend. */
static struct lsi_element line_of(const struct ls_chart *chart, size_t index)
{
	struct lsi_element line = curve_of("line", color_of(chart, index));

	line.dash = dash_of(chart, index);
	line.width = line.dash < 0 ? 0 : 1.6;
	return line;
}

/* Series share a row one below the other, so that equal numbers do not hide each other. */
static double row_shift(const struct lsi_plot *plot, size_t index)
{
	const double last = (double)plot->chart->n_series - 1;

	return last > 0 ? ((double)index - last / 2) * fmin(STEP, ROW_SPAN / last) : 0;
}

static struct lsi_point place(const struct lsi_plot *plot, size_t index, double x, double y)
{
	if (plot->turned)
		return (struct lsi_point){ lsi_chart_axis_place(&plot->y, y),
			lsi_plot_row(plot, x) + row_shift(plot, index) };
	return (
		struct lsi_point){ lsi_chart_axis_place(&plot->x, x), lsi_chart_axis_place(&plot->y, y) };
}

/* Add a curve through copies of points. */
static void add_curve(
	struct lsi_scene *scene, struct lsi_element curve, const struct lsi_point *point, size_t points)
{
	struct lsi_point *copy = lsi_arena_take(&scene->arena, points, sizeof *copy);

	if (!copy) {
		scene->no_memory = true;
		return;
	}
	memcpy(copy, point, points * sizeof *copy);
	curve.points = copy;
	curve.n_points = (int)points;
	lsi_scene_add(scene, &curve);
}

static void add_mark(struct lsi_scene *scene, struct lsi_point at, int color, const char *tip)
{
	const struct mark *mark = &marks[color < 0 ? MARKS - 1 : color % MARKS];
	struct lsi_element polygon = curve_of("mark", color);
	struct lsi_point corner[16];

	for (int i = 0; i < mark->corners; i++) {
		const double angle = (mark->angle + 360.0 * i / mark->corners) * M_PI / 180;
		const double radius = i % 2 ? mark->inner : mark->radius;

		corner[i] = (struct lsi_point){ at.x + radius * cos(angle), at.y + radius * sin(angle) };
	}
	polygon.filled = true;
	polygon.tip = tip;
	add_curve(scene, polygon, corner, (size_t)mark->corners);
}

/* An end, the bar, an end: one line. */
static void add_spread(
	struct lsi_scene *scene, struct lsi_point low, struct lsi_point high, bool turned, int color)
{
	const struct lsi_point cap = { turned ? 0 : CAP, turned ? CAP : 0 };
	const struct lsi_point point[] = { lsi_point_sub(low, cap), lsi_point_add(low, cap), low, high,
		lsi_point_add(high, cap), lsi_point_sub(high, cap) };

	add_curve(scene, curve_of("spread", color), point, sizeof point / sizeof *point);
}

static bool has_name(const struct ls_series *s)
{
	return s->name && *s->name;
}

/* "ring: 64K, 12.3 us, 12.1 us .. 12.5 us" */
static const char *tip_of(
	struct lsi_scene *scene, const struct ls_chart *chart, const struct ls_series *s, size_t i)
{
	const bool spreads = s->low || s->high;
	const struct lsi_number_text x = lsi_number_write(chart->x.unit, s->x[i]);
	const struct lsi_number_text y = lsi_number_write(chart->y.unit, s->y[i]);
	const struct lsi_number_text low =
		lsi_number_write(chart->y.unit, s->low ? s->low[i] : s->y[i]);
	const struct lsi_number_text high =
		lsi_number_write(chart->y.unit, s->high ? s->high[i] : s->y[i]);

	return lsi_scene_text(scene, "%s%s%s, %s%s%s%s%s", has_name(s) ? s->name : "",
		has_name(s) ? ": " : "", chart->row ? chart->row[(size_t)s->x[i]] : x.text, y.text,
		spreads ? ", " : "", spreads ? low.text : "", spreads ? " .. " : "",
		spreads ? high.text : "");
}

static void add_line(struct lsi_scene *scene, const struct lsi_plot *plot, size_t index)
{
	const struct ls_series *s = &plot->chart->series[index];
	struct lsi_element curve = line_of(plot->chart, index);
	struct lsi_point *point = lsi_arena_take(&scene->arena, s->points, sizeof *point);

	if (!point) {
		scene->no_memory = true;
		return;
	}
	for (size_t i = 0; i < s->points; i++)
		point[i] = place(plot, index, s->x[i], s->y[i]);
	curve.tip = has_name(s) ? lsi_scene_text(scene, "%s", s->name) : NULL;
	curve.points = point;
	curve.n_points = (int)s->points;
	lsi_scene_add(scene, &curve);
}

void lsi_series_draw(struct lsi_scene *scene, const struct lsi_plot *plot, size_t index)
{
	const struct ls_series *s = &plot->chart->series[index];
	const int color = color_of(plot->chart, index);

	if (s->points == 0)
		return;
	lsi_scene_begin(scene, "series", -1);
	if (s->style != LS_SERIES_POINTS)
		add_line(scene, plot, index);
	for (size_t i = 0; i < s->points && s->style != LS_SERIES_DASHED; i++)
		add_mark(
			scene, place(plot, index, s->x[i], s->y[i]), color, tip_of(scene, plot->chart, s, i));
	for (size_t i = 0; i < s->points && (s->low || s->high); i++)
		add_spread(scene, place(plot, index, s->x[i], s->low ? s->low[i] : s->y[i]),
			place(plot, index, s->x[i], s->high ? s->high[i] : s->y[i]), plot->turned, color);
}

/* ---- Legend */

struct entry {
	double y; /* where the curve ends */
	size_t series;
};

static bool is_listed(const struct ls_series *s)
{
	return has_name(s) && s->points > 0;
}

static size_t count_entries(const struct ls_chart *chart)
{
	size_t count = 0;

	for (size_t i = 0; i < chart->n_series; i++)
		count += is_listed(&chart->series[i]);
	return count;
}

double lsi_legend_height(const struct ls_chart *chart)
{
	return LINE * (double)count_entries(chart);
}

/* In the order of their ends; of rows, in the order of the series. */
static size_t list_entries(const struct lsi_plot *plot, struct entry *entry)
{
	size_t count = 0;

	for (size_t i = 0; i < plot->chart->n_series; i++) {
		const struct ls_series *s = &plot->chart->series[i];
		size_t k = count;

		if (!is_listed(s))
			continue;

		const double y = plot->turned ? LINE * ((double)count + 0.5)
									  : place(plot, i, s->x[s->points - 1], s->y[s->points - 1]).y;

		for (; k > 0 && entry[k - 1].y > y; k--)
			entry[k] = entry[k - 1];
		entry[k] = (struct entry){ y, i };
		count++;
	}
	return count;
}

/* Lines do not overlap: push them down, then those beyond the lower end up. */
static void spread_entries(struct entry *entry, size_t count, double height)
{
	for (size_t i = 0; i < count; i++)
		entry[i].y = fmax(entry[i].y, i ? entry[i - 1].y + LINE : LINE / 2.0);
	for (size_t i = count; i-- > 0;)
		entry[i].y = fmin(entry[i].y, i + 1 < count ? entry[i + 1].y - LINE : height - LINE / 2.0);
}

static void draw_entry(struct lsi_scene *scene, const struct lsi_plot *plot, struct entry entry)
{
	const struct ls_series *s = &plot->chart->series[entry.series];
	const int color = color_of(plot->chart, entry.series);
	const double left = plot->width + GAP;
	const struct lsi_point line[] = { { left, entry.y }, { left + SAMPLE, entry.y } };

	if (s->style != LS_SERIES_POINTS)
		add_curve(scene, line_of(plot->chart, entry.series), line, 2);
	if (s->style != LS_SERIES_DASHED)
		add_mark(scene, lsi_point_scale(lsi_point_add(line[0], line[1]), 0.5), color, NULL);
	lsi_scene_put_text(scene, LSI_TEXT_AXIS, LSI_ANCHOR_START,
		(struct lsi_point){ left + SAMPLE + 7, entry.y }, s->name);
}

void lsi_legend_draw(struct lsi_scene *scene, const struct lsi_plot *plot)
{
	const size_t most = count_entries(plot->chart);
	struct entry *entry = most ? lsi_alloc(most * sizeof *entry) : NULL;

	if (most == 0)
		return;
	if (!entry) {
		scene->no_memory = true;
		return;
	}

	const size_t count = list_entries(plot, entry);

	spread_entries(entry, count, fmax(plot->height, LINE * (double)count));
	lsi_scene_begin(scene, "legend", -1);
	for (size_t i = 0; i < count; i++)
		draw_entry(scene, plot, entry[i]);
	lsi_free(entry);
}
