/*
 * Rows of a CSV table, as bench writes it or any other, from which a chart is made.
 */
#ifndef LOCKSTEP_CHART_CHART_ROWS_H
#define LOCKSTEP_CHART_CHART_ROWS_H

#include "base/drawing_choice.h"
#include "base/messages.h"

enum { CHART_KEYS = 16, CHART_CELLS = 128 };

/* The columns with numbers, and the one that says whether the row counts. */
enum chart_column {
	CHART_X,
	CHART_Y,
	CHART_LOW,
	CHART_HIGH,
	CHART_MODEL,
	CHART_STATUS,
	CHART_COLUMNS
};

/*
 * A column that tells series apart.  Where its values differ, they are in the name of the series;
 * where they are equal, they stand in the title or the caption, between two texts.
 */
struct chart_key {
	const char *column;
	enum { CHART_NAME, CHART_TITLE, CHART_CAPTION, CHART_MACHINE } where;
	const char *before, *after;
	bool models; /* the model depends on it */
	/* Whether an operation of the first key has it; NULL: all have. */
	bool (*applies)(enum ls_operation);
	bool differs; /* among the rows so far */
};

struct chart_measure {
	char label[80];
	enum ls_unit unit;
	double scale; /* from the numbers of the table to the unit */
};

struct chart_row {
	char *name;                    /* the text of x */
	double x, y, low, high, model; /* NAN: none */
	char *key[CHART_KEYS];
};

struct chart_rows {
	const char *path;                                            /* of the table, in messages */
	size_t line;                                                 /* of it */
	size_t cells, column[CHART_COLUMNS], key_column[CHART_KEYS]; /* SIZE_MAX: none */
	const char *name[CHART_COLUMNS];                             /* of these columns */
	struct chart_key key[CHART_KEYS];
	size_t keys;
	struct chart_measure x, y;
	const char *bar[2]; /* what its ends are */
	char *words;        /* the names of the columns of --axes and --series */
	struct chart_row *row;
	size_t count, left_out;
};

/* Find the columns by their names: those of bench, or those of the choice.  Exit code. */
int chart_rows_begin(
	struct chart_rows *, const struct drawing_choice *, char *const *head, size_t cells);
/* Append a row with cells as in the head; exit code.  A row whose status is not ok is left out. */
int chart_rows_add(struct chart_rows *, char *const *cell);
void chart_rows_end(struct chart_rows *);

/* chart_csv.c: read a file, "-": standard input; exit code. */
int chart_rows_read(const char *path, const struct drawing_choice *, struct chart_rows *);

#endif
