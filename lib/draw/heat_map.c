/*
 * Maps of numbers: a table of cells with their colors, and the scale of the colors.
 */
#include <math.h>

#include "base/error.h"
#include "base/sized.h"
#include "draw/chart_axis.h"
#include "draw/chart_page.h"
#include "draw/drawing_check.h"

enum {
	CELL = 24, /* px, least width and height */
	PAD = 6,   /* at both sides of a number */
	GAP = 8,   /* between the cells and their labels */
	TITLE = 20,
	SCALE = 6, /* cells of the scale */
	SCALE_WIDTH = 36,
	SCALE_HEIGHT = 12
};

struct grid {
	const struct ls_heat_map *map;
	double least, most;
	double width; /* of a cell */
};

static double cell_at(const struct grid *grid, size_t row, size_t column)
{
	return grid->map->cell[row * grid->map->columns + column];
}

static struct lsi_number_text text_of(const struct grid *grid, double number)
{
	const bool whole = grid->map->unit == LS_UNIT_NONE && fabs(number) >= 100;

	return lsi_number_write(grid->map->unit, whole ? round(number) : number);
}

/* The range of the numbers, and a cell wide enough for the longest text. */
static void measure(struct grid *grid)
{
	const struct ls_heat_map *map = grid->map;

	grid->least = INFINITY;
	grid->most = -INFINITY;
	grid->width = CELL;
	for (size_t i = 0; i < map->rows * map->columns; i++) {
		if (isnan(map->cell[i]))
			continue;
		grid->least = fmin(grid->least, map->cell[i]);
		grid->most = fmax(grid->most, map->cell[i]);
		grid->width = fmax(
			grid->width, 2 * PAD + lsi_text_width(LSI_TEXT_AXIS, text_of(grid, map->cell[i]).text));
	}
	for (size_t k = 0; k < map->columns; k++)
		grid->width = fmax(grid->width, PAD + lsi_text_width(LSI_TEXT_AXIS, map->column[k]));
	grid->width = ceil(grid->width);
}

static double shade_of(const struct grid *grid, double number)
{
	return grid->most > grid->least ? (number - grid->least) / (grid->most - grid->least) : 0;
}

static void add_cell(
	struct lsi_scene *scene, struct lsi_box box, double shade, const char *text, const char *tip)
{
	struct lsi_element cell =
		lsi_element_at(LSI_SHAPE_CELL, (struct lsi_point){ box.left, box.top });

	cell.to = (struct lsi_point){ box.right, box.bottom };
	cell.shade = shade;
	cell.text = text;
	cell.tip = tip;
	cell.style = LSI_TEXT_AXIS;
	cell.anchor = LSI_ANCHOR_MIDDLE;
	lsi_scene_add(scene, &cell);
}

static void draw_cells(struct lsi_scene *scene, const struct grid *grid)
{
	const struct ls_heat_map *map = grid->map;

	lsi_chart_part(scene, "map");
	for (size_t r = 0; r < map->rows; r++) {
		for (size_t k = 0; k < map->columns; k++) {
			const double number = cell_at(grid, r, k);
			const struct lsi_box box = { (double)k * grid->width, (double)r * CELL,
				(double)(k + 1) * grid->width, (double)(r + 1) * CELL };
			const char *text = NULL;

			if (!isnan(number))
				text = lsi_scene_text(scene, "%s", text_of(grid, number).text);
			add_cell(scene, box, isnan(number) ? -1 : shade_of(grid, number), text,
				text ? lsi_scene_text(scene, "%s, %s: %s", map->row[r], map->column[k], text)
					 : NULL);
		}
	}
}

static void draw_labels(struct lsi_scene *scene, const struct grid *grid)
{
	const struct ls_heat_map *map = grid->map;

	lsi_chart_part(scene, "axis rows");
	for (size_t r = 0; r < map->rows; r++)
		lsi_chart_text(scene, LSI_ANCHOR_END, -GAP, ((double)r + 0.5) * CELL, map->row[r]);
	lsi_chart_part(scene, "axis columns");
	for (size_t k = 0; k < map->columns; k++)
		lsi_chart_text(
			scene, LSI_ANCHOR_MIDDLE, ((double)k + 0.5) * grid->width, -GAP - 4, map->column[k]);
	lsi_chart_part(scene, "axis-titles");
	lsi_chart_text(scene, LSI_ANCHOR_MIDDLE, (double)map->columns * grid->width / 2,
		-GAP - 4 - TITLE, map->columns_title);
	lsi_chart_text(scene, LSI_ANCHOR_END, -GAP, -GAP - 4, map->rows_title);
}

/* From the least number to the greatest; one number needs no scale. */
static void draw_scale(struct lsi_scene *scene, const struct grid *grid)
{
	const double top = (double)grid->map->rows * CELL + 2 * GAP;
	const double middle = top + SCALE_HEIGHT / 2.0, end = SCALE * SCALE_WIDTH;
	const struct lsi_number_text least = text_of(grid, grid->least),
								 most = text_of(grid, grid->most);
	double left;

	if (!(grid->most > grid->least))
		return;
	lsi_chart_part(scene, "scale");
	left = lsi_text_width(LSI_TEXT_AXIS, least.text) + GAP;
	lsi_chart_text(scene, LSI_ANCHOR_START, 0, middle, lsi_scene_text(scene, "%s", least.text));
	for (int i = 0; i < SCALE; i++)
		add_cell(scene,
			(struct lsi_box){
				left + i * SCALE_WIDTH, top, left + (i + 1) * SCALE_WIDTH, top + SCALE_HEIGHT },
			(double)i / (SCALE - 1), NULL, NULL);
	lsi_chart_text(
		scene, LSI_ANCHOR_START, left + end + GAP, middle, lsi_scene_text(scene, "%s", most.text));
}

static int check_map(const struct ls_heat_map *map, struct ls_error *why)
{
	size_t cells, numbers = 0;

	if (__builtin_mul_overflow(map->rows, map->columns, &cells) || cells == 0 || !map->cell
		|| !map->row || !map->column)
		return lsi_error_set(
			why, LS_ERR_ARGUMENT, "a map needs rows, columns, their names, and cells");
	for (size_t i = 0; i < cells; i++) {
		if (isinf(map->cell[i]))
			return lsi_error_set(why, LS_ERR_ARGUMENT,
				"row %zu, column %zu is %g; expected a number, or NAN", i / map->columns + 1,
				i % map->columns + 1, map->cell[i]);
		numbers += isnan(map->cell[i]) ? 0 : 1;
	}
	return numbers ? LS_OK : lsi_error_set(why, LS_ERR_ARGUMENT, "a map needs a number");
}

int ls_heat_map_draw(const struct ls_heat_map *map, const char *format,
	int (*put)(void *context, const char *text), void *context, struct ls_error *why)
{
	const struct lsi_chart_output output = { format, put, context, why };
	struct ls_heat_map complete = { .size = sizeof complete };
	struct lsi_scene scene = { 0 };
	struct grid grid = { .map = &complete };
	int failed = lsi_draw_check_arguments(map, "heat_map", format, put, why);

	if (!failed && !lsi_sized_read(&complete, sizeof complete, map))
		failed = lsi_error_set(why, LS_ERR_ARGUMENT, "map->size is not that of the struct");
	if (!failed)
		failed = lsi_chart_output_check(&output);
	if (!failed)
		failed = lsi_page_check(complete.page.theme, complete.page.width, why);
	if (!failed && (unsigned)complete.unit > LS_UNIT_SECONDS)
		failed = lsi_error_set(
			why, LS_ERR_ARGUMENT, "unit is %d; expected an enum ls_unit", (int)complete.unit);
	if (!failed)
		failed = check_map(&complete, why);
	if (failed)
		return failed;
	measure(&grid);
	draw_cells(&scene, &grid);
	draw_labels(&scene, &grid);
	draw_scale(&scene, &grid);
	return lsi_chart_print(&scene, &complete.page, &output);
}
