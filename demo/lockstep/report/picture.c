/*
 * A two-dimensional grid is drawn as a grid.  Messages follow their routes; the nodes between the
 * ends of a route are in parentheses:
 *
 *      0 --> 1     2 <-- 3            0 ---(1)--> 2     3
 *      |     |     ^     ^                        |
 *      v     v     |     |                        v
 *      4     5     6     7            4     5     6     7
 *
 * Other networks, and messages whose routes share a link or a node, are drawn with the ranks in a
 * line and the messages as arrows below, several on a line if they fit:
 *
 *      0   1   2   3
 *      o------>
 *          <------->
 */
#include "report/picture.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
	INDENT = 4,
	LINE_NODES = 24,
	LINE_LINES = 64,
	CELL = 4,
	SIDE = 16,
	NODES = SIDE * SIDE,
	GAP = 5,
	LINE = INDENT + (SIDE + 2) * (GAP + 3) + 1
};

/* The two nodes of a message and its reply, low < high; {0, 0}: none. */
struct pair {
	int low, high;
};

/* From a node to the next along an axis, or from the last to the first; arrow heads at its ends. */
struct link {
	struct pair taken;
	bool there, back;
};

struct grid {
	int rows, columns;
	struct link across[NODES], down[NODES]; /* by the node where they begin */
	struct pair passed[NODES];              /* the pair that spans the node */
	bool ends[NODES];                       /* the node sends or receives */
	bool wraps_across, wraps_down;
};

static bool grid_begin(const ls_topology *topology, struct grid *grid)
{
	const char *kind = ls_topology_kind(topology), *sides = strchr(ls_topology_spec(topology), ':');
	int used = 0;

	memset(grid, 0, sizeof *grid);
	if ((strcmp(kind, "mesh") != 0 && strcmp(kind, "torus") != 0) || !sides)
		return false;
	return sscanf(sides, ":%dx%d%n", &grid->rows, &grid->columns, &used) == 2 && sides[used] == '\0'
		&& grid->rows <= SIDE && grid->columns <= SIDE;
}

/* Whether b is the node after a on a line of `side` nodes. */
static bool is_next(int a, int b, int side)
{
	return b == a + 1 || (side > 2 && a == side - 1 && b == 0);
}

/* The link between two neighbors, and whether it begins at `from`. */
static struct link *link_between(struct grid *grid, int from, int to, bool *there)
{
	const int columns = grid->columns, r0 = from / columns, c0 = from % columns;
	const int r1 = to / columns, c1 = to % columns;

	if (r0 == r1) {
		*there = is_next(c0, c1, columns);
		grid->wraps_across |= (*there ? c0 : c1) == columns - 1;
		return &grid->across[*there ? from : to];
	}
	*there = is_next(r0, r1, grid->rows);
	grid->wraps_down |= (*there ? r0 : r1) == grid->rows - 1;
	return &grid->down[*there ? from : to];
}

/* Whether a link or node is free for a pair, or taken by it already. */
static bool take(struct pair *place, struct pair pair)
{
	if (place->high > 0 && (place->low != pair.low || place->high != pair.high))
		return false;
	*place = pair;
	return true;
}

/* Draws a message along its route; false: a link or node is taken. */
static bool grid_enter(
	struct grid *grid, const ls_topology *topology, const struct ls_record *message)
{
	const int src = (int)message->src, dst = (int)message->dst;
	const struct pair pair = { src < dst ? src : dst, src < dst ? dst : src };

	grid->ends[src] = grid->ends[dst] = true;
	for (int at = src, next; at != dst; at = next) {
		bool there;

		next = (int)ls_neighbor(topology, at, ls_first_hop(topology, at, dst));

		struct link *link = link_between(grid, at, next, &there);

		if (!take(&link->taken, pair) || (next != dst && !take(&grid->passed[next], pair)))
			return false;
		if (next == dst)
			*(there ? &link->there : &link->back) = true;
	}
	return true;
}

static bool grid_fill(
	struct grid *grid, const ls_topology *topology, const struct ls_record *rows, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!grid_enter(grid, topology, &rows[i]))
			return false;
	for (int node = 0; node < grid->rows * grid->columns; node++)
		if (grid->passed[node].high > 0 && grid->ends[node])
			return false;
	return true;
}

/* Prints a line without trailing blanks. */
static void print_trimmed(const char *line, FILE *file)
{
	size_t end = strlen(line);

	while (end > 0 && line[end - 1] == ' ')
		end--;
	fprintf(file, "%.*s\n", (int)end, line);
}

/* " --> ", with the parentheses of the nodes at its ends. */
static int put_link(char *text, const struct link *link, bool left_passed, bool right_passed)
{
	const char shaft = link->taken.high > 0 ? '-' : ' ';

	return sprintf(text, "%c%c%c%c%c", left_passed ? ')' : ' ', link->back ? '<' : shaft, shaft,
		link->there ? '>' : shaft, right_passed ? '(' : ' ');
}

static void print_row(const struct grid *grid, int row, int width, FILE *file)
{
	const int first = row * grid->columns, last = first + grid->columns - 1;
	const struct pair *passed = grid->passed;
	const struct link none = { 0 };
	char line[LINE] = "";
	int at = sprintf(line, "%*s", INDENT, "");

	if (grid->wraps_across)
		at += put_link(line + at, &grid->across[last], false, false);
	line[at - 1] = passed[first].high > 0 ? '(' : ' ';
	for (int node = first; node <= last; node++) {
		const bool drawn = node < last || grid->wraps_across;

		at += sprintf(line + at, "%*d", width, node);
		at += put_link(line + at, drawn ? &grid->across[node] : &none, passed[node].high > 0,
			node < last && passed[node + 1].high > 0);
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
			const struct link *link = &grid->down[row * grid->columns + column];
			const char shaft = link->taken.high > 0 ? '|' : ' ';

			at += sprintf(line + at, "%*c%*s", width,
				half == 0         ? (link->back ? '^' : shaft)
					: link->there ? 'v'
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

	if (!grid_begin(topology, &grid) || !grid_fill(&grid, topology, rows, count))
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

/* Lines of text; each message takes free columns of one. */
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

	if (nodes > NODES || count == 0)
		return;
	if (!print_grid(topology, rows, count, file)) {
		if (nodes > LINE_NODES)
			return;
		print_line(nodes, rows, count, file);
	}
	fputc('\n', file);
}
