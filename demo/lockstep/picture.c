/*
 * A two-dimensional grid is drawn as such when all messages go to neighbours:
 *
 *      0 --> 1     2 <-- 3
 *      |     |     ^     ^
 *      v     v     |     |
 *      4     5     6     7
 *
 * Everything else is drawn with the ranks in a line and the messages as arrows below, as many on a
 * line as fit:
 *
 *      0   1   2   3
 *      o------>
 *          <------->
 */
#include "picture.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { INDENT = 4, LINE_NODES = 24, LINE_LINES = 64, CELL = 4, SIDE = 16, GAP = 5,
       LINE = INDENT + (SIDE + 2) * (GAP + 3) + 1 };

/* Messages between a node and the next along an axis; the next of the last is the first. */
struct arrows { bool there[SIDE][SIDE], back[SIDE][SIDE]; };

struct grid {
	int rows, columns;
	struct arrows across, down;
	bool wraps_across, wraps_down;
};

static bool grid_begin(const ls_topology *topology, struct grid *grid)
{
	const char *kind = ls_topology_kind(topology), *sides = strchr(ls_topology_spec(topology), ':');
	int used = 0;

	memset(grid, 0, sizeof *grid);
	if ((strcmp(kind, "mesh") != 0 && strcmp(kind, "torus") != 0) || !sides)
		return false;
	return sscanf(sides, ":%dx%d%n", &grid->rows, &grid->columns, &used) == 2 &&
		sides[used] == '\0' && grid->rows <= SIDE && grid->columns <= SIDE;
}

/* Enter the message a -> b on a line of `side` nodes; false: they are not neighbours there. */
static bool along(int a, int b, int side, bool *there, bool *back, int *at)
{
	*there = *back = false;
	if (b == a + 1 || (side > 2 && a == side - 1 && b == 0))
		*there = true;
	else if (a == b + 1 || (side > 2 && b == side - 1 && a == 0))
		*back = true;
	*at = *there ? a : b;
	return *there || *back;
}

static bool grid_enter(struct grid *grid, const struct ls_record *message)
{
	const int r0 = (int)message->src / grid->columns, c0 = (int)message->src % grid->columns;
	const int r1 = (int)message->dst / grid->columns, c1 = (int)message->dst % grid->columns;
	bool there, back;
	int at;

	if (r0 == r1 && along(c0, c1, grid->columns, &there, &back, &at)) {
		grid->across.there[r0][at] |= there;
		grid->across.back[r0][at] |= back;
		grid->wraps_across |= at == grid->columns - 1;
		return true;
	}
	if (c0 == c1 && along(r0, r1, grid->rows, &there, &back, &at)) {
		grid->down.there[at][c0] |= there;
		grid->down.back[at][c0] |= back;
		grid->wraps_down |= at == grid->rows - 1;
		return true;
	}
	return false;
}

static const char *arrow(bool there, bool back)
{
	static const char *const text[2][2] = { { "     ", " <-- " }, { " --> ", " <-> " } };

	return text[there][back];
}

/* A line without the blanks at its end. */
static void print_trimmed(const char *line, FILE *file)
{
	size_t end = strlen(line);

	while (end > 0 && line[end - 1] == ' ')
		end--;
	fprintf(file, "%.*s\n", (int)end, line);
}

static void print_row(const struct grid *grid, int row, int width, FILE *file)
{
	const int last = grid->columns - 1;
	char line[LINE] = "";
	int at = sprintf(line, "%*s", INDENT, "");

	if (grid->wraps_across)
		at += sprintf(
			line + at, "%s", arrow(grid->across.there[row][last], grid->across.back[row][last]));
	for (int column = 0; column <= last; column++) {
		const bool drawn = column < last || grid->wraps_across;

		at += sprintf(line + at, "%*d%s", width, row * grid->columns + column,
			drawn ? arrow(grid->across.there[row][column], grid->across.back[row][column]) : "");
	}
	print_trimmed(line, file);
}

/* Two lines between a row and the next. */
static void print_between(const struct grid *grid, int row, int width, FILE *file)
{
	for (int half = 0; half < 2; half++) {
		char line[LINE] = "";
		int at = sprintf(line, "%*s", INDENT + (grid->wraps_across ? GAP : 0), "");

		for (int column = 0; column < grid->columns; column++) {
			const bool there = grid->down.there[row][column], back = grid->down.back[row][column];
			const char shaft = there || back ? '|' : ' ';

			at += sprintf(line + at, "%*c%*s", width,
				half == 0   ? (back ? '^' : shaft)
					: there ? 'v'
							: shaft,
				GAP, "");
		}
		print_trimmed(line, file);
	}
}

static bool print_grid(
	const ls_topology *topology, const struct ls_record *rows, size_t count, FILE *file)
{
	struct grid grid;
	int width;

	if (!grid_begin(topology, &grid))
		return false;
	for (size_t i = 0; i < count; i++)
		if (!grid_enter(&grid, &rows[i]))
			return false;
	width = grid.rows * grid.columns > 100 ? 3 : grid.rows * grid.columns > 10 ? 2 : 1;
	if (grid.wraps_down)
		print_between(&grid, grid.rows - 1, width, file);
	for (int row = 0; row < grid.rows; row++) {
		print_row(&grid, row, width, file);
		if (row < grid.rows - 1 || grid.wraps_down)
			print_between(&grid, row, width, file);
	}
	return true;
}

/* Text lines; a message takes a stretch of one that is free. */
struct canvas {
	char text[LINE_LINES][LINE_NODES * CELL + 1];
	int lines;
};

static bool is_free(const char *text, int from, int to)
{
	for (int x = from > 0 ? from - 1 : 0; x <= to + 1 && text[x]; x++)
		if (text[x] != ' ')
			return false;
	return true;
}

static void draw(struct canvas *canvas, int src, int dst, bool both)
{
	const int from = (src < dst ? src : dst) * CELL, to = (src < dst ? dst : src) * CELL;
	int line = 0;

	while (line < canvas->lines && !is_free(canvas->text[line], from, to))
		line++;
	if (line == LINE_LINES)
		return;
	if (line == canvas->lines) {
		memset(canvas->text[line], ' ', LINE_NODES * CELL);
		canvas->lines++;
	}
	memset(canvas->text[line] + from, '-', (size_t)(to - from) + 1);
	canvas->text[line][from] = both || dst < src ? '<' : 'o';
	canvas->text[line][to] = both || src < dst ? '>' : 'o';
}

static bool has(const struct ls_record *rows, size_t count, int64_t src, int64_t dst)
{
	for (size_t i = 0; i < count; i++)
		if (rows[i].src == src && rows[i].dst == dst)
			return true;
	return false;
}

static void print_line(int64_t nodes, const struct ls_record *rows, size_t count, FILE *file)
{
	struct canvas canvas = { .lines = 0 };

	for (size_t i = 0; i < count; i++) {
		const bool both = has(rows, count, rows[i].dst, rows[i].src);

		if (!both || rows[i].src < rows[i].dst)
			draw(&canvas, (int)rows[i].src, (int)rows[i].dst, both);
	}
	fprintf(file, "%*s", INDENT, "");
	for (int64_t rank = 0; rank < nodes; rank++)
		fprintf(file, "%-*" PRId64, rank < nodes - 1 ? CELL : 1, rank);
	fputc('\n', file);
	for (int line = 0; line < canvas.lines; line++) {
		fprintf(file, "%*s", INDENT, "");
		print_trimmed(canvas.text[line], file);
	}
}

void picture_print(
	const ls_topology *topology, const struct ls_record *rows, size_t count, FILE *file)
{
	const int64_t nodes = ls_topology_nodes(topology);

	if (nodes > SIDE * SIDE || count == 0)
		return;
	if (!print_grid(topology, rows, count, file) && nodes <= LINE_NODES)
		print_line(nodes, rows, count, file);
	fputc('\n', file);
}
