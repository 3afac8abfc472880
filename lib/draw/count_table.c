/*
 * A table may be too long or too wide for a page, and is then broken into blocks:
 *
 *   title
 *             1  2  3               1  2  3      the steps of a column: "3", or "5-8"
 *   0 to 1   [4][ ][1]     4 to 5  [ ][2][ ]
 *   1 to 2   [ ][2][ ]     5 to 6  [1][ ][ ]     further rows are to the right,
 *
 *             4  5                  4  5
 *   0 to 1   [ ][3]        4 to 5  [1][ ]        further columns are below
 *   1 to 2   [1][ ]        5 to 6  [ ][1]
 *
 * All cells have one width: that of the greatest number, or of the text of the last column.  Most
 * cells of a large table are empty; those of a block are one element.
 */
#include "draw/count_table.h"

#include <inttypes.h>
#include <math.h>

enum {
	CELL_HEIGHT = 19, /* px */
	CELL_LEAST = 26,  /* width */
	SPACE = 2,        /* between cells */
	PAD = 8,          /* of a number */
	GAP = 8,          /* between rows and their texts */
	BLOCK_GAP = 30,   /* between blocks side by side; half of it below each other */
	TITLE = 24        /* height */
};
/* Shades of the counts 1 and `most`: a 1 differs visibly from an empty cell. */
static const double faintest = 0.12, darkest = 0.85;

bool lsi_count_table_make(struct lsi_scene *scene, const struct lsi_subject *s, int rows,
	int columns, struct lsi_count_table *t)
{
	const int rounds = (int)s->rounds;

	*t = (struct lsi_count_table){ .scene = scene, .subject = s, .rows = rows };
	t->span = (rounds + columns - 1) / columns;
	t->columns = (rounds + t->span - 1) / t->span;
	t->block_rows = rows;
	t->block_columns = t->columns;
	t->row = lsi_arena_take(&scene->arena, (size_t)rows + 1, sizeof *t->row);
	t->count =
		lsi_arena_take(&scene->arena, (size_t)rows * (size_t)t->columns + 1, sizeof *t->count);
	scene->no_memory |= !t->row || !t->count;
	for (int i = 0; t->row && i < rows; i++)
		t->row[i] = (struct lsi_count_row){ .src = -1, .dst = -1, .link = i };
	return !scene->no_memory;
}

int64_t *lsi_count_table_at(const struct lsi_count_table *t, int row, size_t k)
{
	return &t->count[(size_t)row * (size_t)t->columns + k / (size_t)t->span];
}

double lsi_count_shade(int64_t count, int64_t most)
{
	const double part = most > 1 ? (double)(count - 1) / (double)(most - 1) : 0;

	return faintest + (darkest - faintest) * part;
}

/* ---- Sizes */

static int64_t greatest(const struct lsi_count_table *t)
{
	int64_t most = 1;

	for (int i = 0; i < t->rows * t->columns; i++)
		most = t->count[i] > most ? t->count[i] : most;
	return most;
}

/* "3", or "5-8" */
static const char *column_text(const struct lsi_count_table *t, int column)
{
	const struct lsi_subject *s = t->subject;
	const size_t first = (size_t)column * (size_t)t->span, end = first + (size_t)t->span;
	const size_t last = end < s->rounds ? end - 1 : s->rounds - 1;

	if (last == first)
		return lsi_scene_text(t->scene, "%" PRId64, s->round[first].number);
	return lsi_scene_text(
		t->scene, "%" PRId64 "-%" PRId64, s->round[first].number, s->round[last].number);
}

static double wider(double width, enum lsi_text_style style, const char *text)
{
	return text ? fmax(width, lsi_text_width(style, text)) : width;
}

/* Of a cell: the greatest number and the last column's text have room. */
static double cell_width(const struct lsi_count_table *t, int64_t most)
{
	double width = 0;

	width = wider(width, LSI_TEXT_AXIS, lsi_scene_text(t->scene, "%" PRId64, most));
	if (t->columns > 0)
		width = wider(width, LSI_TEXT_AXIS, column_text(t, t->columns - 1));
	return fmax(CELL_LEAST, width + PAD);
}

static double texts_width(const struct lsi_count_table *t)
{
	double width = 0;

	for (int i = 0; i < t->rows; i++)
		width = wider(width, LSI_TEXT_AXIS, t->row[i].text);
	return width + GAP;
}

void lsi_count_table_split(struct lsi_count_table *t, int rows, double width)
{
	const double columns = fmax(1, floor((width - texts_width(t)) / cell_width(t, greatest(t))));
	const int blocks = (t->rows + rows - 1) / rows;

	if (blocks > 1)
		t->block_rows = (t->rows + blocks - 1) / blocks;
	if (t->columns > columns)
		t->block_columns = (int)columns;
}

/* ---- Blocks */

/* A block: some rows and columns, with their texts to the left and above. */
struct block {
	const struct lsi_count_table *table;
	int first_row, end_row, first_column, end_column;
	double x, y; /* of the first cell */
	double width, height;
	int64_t most;
};

static struct lsi_point corner_of(const struct block *b, int row, int column)
{
	return (struct lsi_point){ b->x + (column - b->first_column) * b->width,
		b->y + (row - b->first_row) * b->height };
}

static void put_cell(const struct block *b, int row, int column)
{
	const struct lsi_count_table *t = b->table;
	const int64_t count = t->count[row * t->columns + column];
	struct lsi_element cell = lsi_element_at(LSI_SHAPE_CELL, corner_of(b, row, column));

	if (count == 0)
		return;
	cell.to = (struct lsi_point){ cell.from.x + b->width - SPACE, cell.from.y + b->height - SPACE };
	cell.text = lsi_scene_text(t->scene, "%" PRId64, count);
	cell.style = LSI_TEXT_AXIS;
	cell.shade = lsi_count_shade(count, b->most);
	cell.round = t->subject->round[(size_t)column * (size_t)t->span].number;
	cell.link = t->row[row].link;
	cell.count = count;
	lsi_scene_add(t->scene, &cell);
}

/* All empty cells, as one element. */
static void put_empty_cells(const struct block *b)
{
	const struct lsi_count_table *t = b->table;
	const int cells = (b->end_row - b->first_row) * (b->end_column - b->first_column);
	struct lsi_element area = lsi_element_at(LSI_SHAPE_AREA, (struct lsi_point){ 0, 0 });
	struct lsi_point *point =
		lsi_arena_take(&t->scene->arena, 2 * (size_t)cells + 1, sizeof *point);

	t->scene->no_memory |= !point;
	for (int i = b->first_row; point && i < b->end_row; i++) {
		for (int k = b->first_column; k < b->end_column; k++) {
			if (t->count[i * t->columns + k])
				continue;
			point[area.n_points] = corner_of(b, i, k);
			point[area.n_points + 1] =
				(struct lsi_point){ point[area.n_points].x + b->width - SPACE,
					point[area.n_points].y + b->height - SPACE };
			area.n_points += 2;
		}
	}
	area.points = point;
	area.width = 1;
	if (area.n_points > 0)
		lsi_scene_add(t->scene, &area);
}

static void put_texts(const struct block *b)
{
	const struct lsi_count_table *t = b->table;
	const double half = (b->height - SPACE) / 2;

	for (int k = b->first_column; k < b->end_column; k++)
		lsi_scene_put_text(t->scene, LSI_TEXT_AXIS, LSI_ANCHOR_MIDDLE,
			(struct lsi_point){ corner_of(b, 0, k).x + (b->width - SPACE) / 2, b->y - half - 2 },
			column_text(t, k));
	for (int i = b->first_row; i < b->end_row; i++) {
		struct lsi_element text = lsi_element_at(
			LSI_SHAPE_TEXT, (struct lsi_point){ b->x - GAP, corner_of(b, i, 0).y + half });

		text.text = t->row[i].text;
		text.style = LSI_TEXT_AXIS;
		text.anchor = LSI_ANCHOR_END;
		text.src = t->row[i].src;
		text.dst = t->row[i].dst;
		text.link = t->row[i].link;
		if (text.text)
			lsi_scene_add(t->scene, &text);
	}
}

static int min(int a, int b)
{
	return a < b ? a : b;
}

/* Blocks of rows stand side by side, blocks of columns one below the other. */
void lsi_count_table_draw(const struct lsi_count_table *t)
{
	struct block b = { .table = t, .height = CELL_HEIGHT, .most = greatest(t) };
	const double texts = texts_width(t);

	b.width = cell_width(t, b.most);
	lsi_scene_put_text(
		t->scene, LSI_TEXT_PANEL, LSI_ANCHOR_START, (struct lsi_point){ texts, 0 }, t->title);
	for (int i = 0; i < t->rows; i += t->block_rows) {
		b.first_row = i;
		b.end_row = min(t->rows, i + t->block_rows);
		b.x = texts + (i / t->block_rows) * (texts + t->block_columns * b.width + BLOCK_GAP);
		for (int k = 0; k < t->columns; k += t->block_columns) {
			b.first_column = k;
			b.end_column = min(t->columns, k + t->block_columns);
			b.y = TITLE + CELL_HEIGHT
				+ (k / t->block_columns) * ((t->block_rows + 1) * b.height + BLOCK_GAP / 2.0);
			put_texts(&b);
			put_empty_cells(&b);
			for (int row = b.first_row; row < b.end_row; row++)
				for (int column = k; column < b.end_column; column++)
					put_cell(&b, row, column);
		}
	}
}
