/*
 * Rows of test/null_arguments.c: pictures.
 */
#ifndef LOCKSTEP_TEST_NULL_DRAWINGS_H
#define LOCKSTEP_TEST_NULL_DRAWINGS_H

#include "null_rows.h"

static void test_drawings(void)
{
	const struct ls_drawing drawing = { .size = sizeof drawing, .topology = ring };
	const struct ls_drawing empty = { .size = sizeof empty };

	REFUSES(ls_draw, (NULL, "svg", on_text, NULL, &why), true);
	REFUSES(ls_draw, (&empty, "svg", on_text, NULL, &why), true);
	REFUSES(ls_draw, (&drawing, "svg", NULL, NULL, &why), true);
	REFUSES(ls_draw, (&drawing, NULL, on_text, NULL, &why), true);
}

static void test_charts(void)
{
	static const struct ls_series series = { .points = 1, .x = row, .y = row };
	static const char *const name[] = { "a" };
	const struct ls_chart chart = { .size = sizeof chart, .series = &series, .n_series = 1 };
	const struct ls_heat_map map = {
		.size = sizeof map, .rows = 1, .columns = 1, .row = name, .column = name, .cell = row
	};

	REFUSES(ls_chart_draw, (NULL, "svg", on_text, NULL, &why), true);
	REFUSES(ls_chart_draw, (&chart, NULL, on_text, NULL, &why), true);
	REFUSES(ls_chart_draw, (&chart, "svg", NULL, NULL, &why), true);
	REFUSES(ls_heat_map_draw, (NULL, "svg", on_text, NULL, &why), true);
	REFUSES(ls_heat_map_draw, (&map, NULL, on_text, NULL, &why), true);
	REFUSES(ls_heat_map_draw, (&map, "svg", NULL, NULL, &why), true);
}

#endif
