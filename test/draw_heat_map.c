/*
 * Maps of numbers: each cell shows its number and has its color, and texts do not overlap.
 */
#include <math.h>
#include <string.h>

#include <lockstep.h>

#include "chart_svg.h"
#include "test.h"

static void test_map(void)
{
	enum { ROWS = 3, COLUMNS = 4 };
	static const char *const row[] = { "a", "b", "c" }, *const column[] = { "0", "1", "2", "3" };
	static const double cell[] = { NAN, 46, 380.4, 401, 46, NAN, 390, 388, 12.25, 0.5, 99, 1e6 };
	static const char *const text[] = { "", "46", "380", "401", "46", "", "390", "388", "12.25",
		"0.5", "99", "1e+06" };
	struct ls_heat_map map = { .size = sizeof map,
		.page = { .title = "A map", .theme = LS_THEME_MONO },
		.rows_title = "core",
		.columns_title = "core",
		.rows = ROWS,
		.columns = COLUMNS,
		.row = row,
		.column = column,
		.cell = cell };
	const double empty[ROWS * COLUMNS] = { [0] = NAN };
	struct ls_error why = { .size = sizeof why };
	const char *at;

	drawn.length = 0;
	CHECK(ls_heat_map_draw(&map, "svg", text_append, &drawn, &why) == LS_OK, "%s", why.text);
	check_texts(drawn.at, "map");
	at = find_part(drawn.at, "map", 0);
	for (int i = 0; i < ROWS * COLUMNS; i++) {
		char is[32];

		at = read_cell(at, is, sizeof is);
		CHECK(at && strcmp(is, text[i]) == 0, "cell %d is '%s', not '%s'", i, is, text[i]);
	}
	CHECK(strstr(drawn.at, "style=\"fill:#fef0d9\"") && strstr(drawn.at, "style=\"fill:#960000\""),
		"the least and the greatest number have the ends of the ramp");
	map.columns = 1;
	map.rows = 1;
	map.cell = empty;
	CHECK(ls_heat_map_draw(&map, "svg", text_append, &drawn, &why) == LS_ERR_ARGUMENT, "no number");
	map.rows = SIZE_MAX / 2;
	map.columns = 3;
	CHECK(ls_heat_map_draw(&map, "svg", text_append, &drawn, &why) == LS_ERR_ARGUMENT,
		"too many cells");
}

int main(void)
{
	test_map();
	return test_result();
}
