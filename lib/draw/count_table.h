/*
 * A table of numbers over the steps: a row for each link or load, a column for one or more steps,
 * and a shade that grows with the number.  Zeros are empty cells.
 */
#ifndef LSI_DRAW_COUNT_TABLE_H
#define LSI_DRAW_COUNT_TABLE_H

#include "draw/scene.h"
#include "draw/subject.h"

struct lsi_count_row {
	const char *text;
	int64_t src, dst; /* of a link, or -1 */
	int64_t link;     /* number of the row or link, for the cells */
};

struct lsi_count_table {
	struct lsi_scene *scene;
	const struct lsi_subject *subject;
	const char *title;
	struct lsi_count_row *row;
	int64_t *count; /* [row * columns + column] */
	int rows, columns;
	int span;                      /* steps of a column; the last one may have fewer */
	int block_rows, block_columns; /* of a block; longer tables have several */
};

/*
 * Make an empty table in the memory of the scene.  Steps share columns if there are more than
 * `columns`.  False: no memory, which the scene notes.
 */
bool lsi_count_table_make(struct lsi_scene *, const struct lsi_subject *, int rows, int columns,
	struct lsi_count_table *out);

/* The number in a row for round k of the subject. */
int64_t *lsi_count_table_at(const struct lsi_count_table *, int row, size_t k);

/* The shade of a number from 1 to `most`. */
double lsi_count_shade(int64_t count, int64_t most);

/* Break it into blocks of at most `rows` rows, about equally many, and at most `width` px. */
void lsi_count_table_split(struct lsi_count_table *, int rows, double width);

/* Add the table to the last part, below and to the right of the origin. */
void lsi_count_table_draw(const struct lsi_count_table *);

#endif
