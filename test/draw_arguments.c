/*
 * Fields out of their ranges: ls_draw, ls_chart_draw and ls_heat_map_draw refuse them with a text
 * that names the field, and put nothing.
 */
/* variants: release checked asan */
#include <math.h>
#include <string.h>

#include <lockstep.h>

#include "support/cells.h"
#include "support/guard.h"
#include "test.h"

static size_t put;

static int count(void *context, const char *text)
{
	(void)context;
	put += strlen(text);
	return 0;
}

static void expect(int status, const struct ls_error *why, int expected, const char *text)
{
	CHECK(status == expected && why->kind == expected, "%d, expected %d: %s", status, expected,
		why->text);
	CHECK(strstr(why->text, text), "'%s', expected '%s'", why->text, text);
	CHECK(put == 0, "%zu characters were put: %s", put, why->text);
}

/* Every format and view refuses the drawing. */
static void refuse(struct ls_drawing drawing, int expected, const char *text)
{
	static const char *const formats[] = { "svg", "html", "tikz", "dot" };
	struct ls_error why = { .size = sizeof why };

	drawing.size = sizeof drawing;
	for (int i = 0; i < 4; i++) {
		put = 0;
		expect(ls_draw(&drawing, formats[i], count, NULL, &why), &why, expected, text);
	}
}

static void test_fields(const ls_topology *t)
{
#define REFUSE(field, value, text) \
	refuse((struct ls_drawing){ .topology = t, .field = value }, LS_ERR_ARGUMENT, text)
	REFUSE(theme, (enum ls_theme)3, "theme is 3");
	REFUSE(theme, (enum ls_theme) - 1, "theme is -1");
	REFUSE(values, (enum ls_drawn_values)4, "values is 4");
	REFUSE(values, (enum ls_drawn_values) - 1, "values is -1");
	REFUSE(labels, (enum ls_drawn_labels)4, "labels is 4");
	REFUSE(mode, (enum ls_mode)2, "mode is 2");
	REFUSE(columns, -1, "columns is -1");
	REFUSE(width, -1, "width is -1");
	REFUSE(width, NAN, "width is ");
	REFUSE(width, INFINITY, "width is inf");
	REFUSE(n_records, 1, "records is NULL");
	REFUSE(first_round, -1, "-1 to 0");
	REFUSE(last_round, -1, "0 to -1");
#undef REFUSE
}

static void test_rounds(const ls_topology *t)
{
	struct ls_request request = { .size = sizeof request, .topology = t };
	ls_plan *plan = plan_for(&request);
	const struct ls_drawing drawing = {
		.topology = t, .plan = plan, .first_round = 2, .last_round = 1
	};

	refuse(drawing, LS_ERR_ARGUMENT, "the rounds 2 to 1 are no range");
	ls_plan_destroy(plan);
}

static void test_records(const ls_topology *t)
{
	static const struct {
		int64_t round, src, dst;
		size_t words;
		int status;
		const char *text;
	} cases[] = {
		{ 0, 0, 1, 1, LS_ERR_ARGUMENT, "record 1: the round is 0" },
		{ INT64_MIN, 0, 1, 1, LS_ERR_ARGUMENT, "record 1: the round is -9223372036854775808" },
		{ 1, -1, 1, 1, LS_ERR_ARGUMENT, "record 1: a message from -1 to 1" },
		{ 1, 4, 1, 1, LS_ERR_ARGUMENT, "record 1: a message from 4 to 1" },
		{ 1, 0, INT64_MAX, 1, LS_ERR_ARGUMENT, "record 1: a message from 0 to 9" },
		{ 1, 0, -1, 1, LS_ERR_ARGUMENT, "record 1: a message from 0 to -1" },
		{ 1, 0, 1, SIZE_MAX, LS_ERR_ARGUMENT, "record 1: a message of 18446744073709551615" },
		{ INT64_MAX, 0, 1, 1, LS_ERR_UNSUPPORTED, "at most 4194304" },
		{ 1 << 23, 0, 1, 1, LS_ERR_UNSUPPORTED, "8388608 steps are too many" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct ls_record record[] = { { .round = 1, .dst = 1, .words = 1 },
			{ .round = cases[i].round,
				.src = cases[i].src,
				.dst = cases[i].dst,
				.words = cases[i].words } };

		refuse((struct ls_drawing){ .topology = t, .records = record, .n_records = 2 },
			cases[i].status, cases[i].text);
	}
}

/* A plan, an embedding and positions of another network. */
static void test_networks(const ls_topology *t)
{
	ls_topology *large = topology_of("ring:8");
	struct ls_request request = { .size = sizeof request, .topology = large };
	const double far[8] = { 0, 0, 1, 1, 2e6, 0, 1, 0 }, none[8] = { NAN };
	struct ls_error why = { .size = sizeof why };
	ls_plan *plan = plan_for(&request);
	ls_embedding *embedding = NULL;

	CHECK(ls_embedding_make(large, large, "identity", &embedding, &why) == LS_OK, "%s", why.text);
	refuse((struct ls_drawing){ .topology = t, .plan = plan }, LS_ERR_ARGUMENT, "8 nodes");
	refuse((struct ls_drawing){ .topology = t, .plan = plan, .embedding = embedding },
		LS_ERR_ARGUMENT, "another network");
	refuse((struct ls_drawing){ .topology = t, .positions = far }, LS_ERR_ARGUMENT, "vertex 2");
	refuse((struct ls_drawing){ .topology = t, .positions = none }, LS_ERR_ARGUMENT, "vertex 0");
	ls_embedding_destroy(embedding);
	ls_plan_destroy(plan);
	ls_topology_destroy(large);
}

/* Sums of words do not overflow. */
static void test_words(const ls_topology *t)
{
	const struct ls_record record[] = { { .round = 1, .dst = 1, .words = INT64_MAX },
		{ .round = 1, .dst = 1, .words = INT64_MAX }, { .round = 2, .dst = 1, .words = 1 } };
	const struct ls_drawing drawing = {
		.size = sizeof drawing, .topology = t, .records = record, .n_records = 3
	};
	struct ls_error why = { .size = sizeof why };

	CHECK(ls_draw(&drawing, "svg", count, NULL, &why) == LS_OK, "%s", why.text);
}

/* ---- Charts */

static void refuse_chart(
	struct ls_page page, struct ls_axis axis, struct ls_series series, const char *text)
{
	static const double one[] = { 1, 2 };
	struct ls_chart chart = {
		.size = sizeof chart, .page = page, .x = axis, .series = &series, .n_series = 1
	};
	struct ls_error why = { .size = sizeof why };

	series.points = 2;
	series.x = series.y = one;
	put = 0;
	expect(ls_chart_draw(&chart, "svg", count, NULL, &why), &why, LS_ERR_ARGUMENT, text);
}

static void refuse_map(struct ls_page page, enum ls_unit unit, const char *text)
{
	static const char *const name[] = { "a" };
	static const double one[] = { 1 };
	const struct ls_heat_map map = { .size = sizeof map,
		.page = page,
		.rows = 1,
		.columns = 1,
		.row = name,
		.column = name,
		.cell = one,
		.unit = unit };
	struct ls_error why = { .size = sizeof why };

	put = 0;
	expect(ls_heat_map_draw(&map, "svg", count, NULL, &why), &why, LS_ERR_ARGUMENT, text);
}

static void test_charts(void)
{
	const struct ls_page theme = { .theme = (enum ls_theme)7 }, wide = { .width = 1e9 },
						 page = { 0 };
	const struct ls_axis unit = { .unit = (enum ls_unit)3 }, axis = { 0 };
	const struct ls_series series = { 0 };

	refuse_chart(theme, axis, series, "theme is 7");
	refuse_chart(wide, axis, series, "width is 1e+09");
	refuse_chart(page, unit, series, "the unit of x is 3");
	refuse_chart(page, axis, (struct ls_series){ .color = -2 }, "series 1: the color is -2");
	refuse_chart(
		page, axis, (struct ls_series){ .style = (enum ls_series_style)3 }, "the style is 3");
	refuse_map(theme, LS_UNIT_NONE, "theme is 7");
	refuse_map(wide, LS_UNIT_NONE, "width is 1e+09");
	refuse_map(page, (enum ls_unit)9, "unit is 9");
}

/* ---- Structs of another size, formats that do not exist or draw no charts, no series */

static void test_formats(const ls_topology *t)
{
	static const double none[] = { NAN, INFINITY };
	static const char *const name[] = { "a", "b" };
	static const struct {
		size_t size;                  /* 0: the right one */
		const char *format, *text[3]; /* of ls_draw, ls_chart_draw, ls_heat_map_draw; NULL: drawn */
		int status;
	} cases[] = {
		{ 1, "svg", { "drawing->size", "chart->size", "map->size" }, LS_ERR_ARGUMENT },
		{ 0, "sgv", { "no format 'sgv'", "no format 'sgv'", "no format 'sgv'" }, LS_ERR_SPEC },
		{ 0, "dot", { NULL, "dot draws no charts", "dot draws no charts" }, LS_ERR_UNSUPPORTED },
		{ 0, "svg", { NULL, "at least one row", "row 1, column 2 is inf" }, LS_ERR_ARGUMENT },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const size_t size = cases[i].size;
		const struct ls_drawing drawing = { .size = size ? size : sizeof drawing, .topology = t };
		const struct ls_chart chart = { .size = size ? size : sizeof chart, .n_series = 1 };
		const struct ls_heat_map map = { .size = size ? size : sizeof map,
			.rows = 1,
			.columns = 2,
			.row = name,
			.column = name,
			.cell = none };

		for (int call = 0; call < 3; call++) {
			struct ls_error why = { .size = sizeof why };
			const char *format = cases[i].format;

			if (!cases[i].text[call])
				continue;
			put = 0;
			expect(call == 0    ? ls_draw(&drawing, format, count, NULL, &why)
					: call == 1 ? ls_chart_draw(&chart, format, count, NULL, &why)
								: ls_heat_map_draw(&map, format, count, NULL, &why),
				&why, cases[i].status, cases[i].text[call]);
		}
	}
}

int main(void)
{
	ls_topology *t = topology_of("ring:4");

	test_fields(t);
	test_rounds(t);
	test_records(t);
	test_networks(t);
	test_words(t);
	test_charts();
	test_formats(t);
	ls_topology_destroy(t);
	return test_result();
}
