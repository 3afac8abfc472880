/*
 * A table of texts, printed as aligned columns, CSV or JSON.
 *
 * The first character of a head gives the kind of its column:
 *
 *   #     numbers: to the right in text, numbers in JSON
 *   ?     "true" or "false": "yes" or "-" in text
 *   *     "true" or "false": a star before the row in text
 *   ~     a reason, or empty: an x before the row in text where it is not empty
 *   else  text
 *
 * "a.b" is the member b of the object a in JSON.  An empty cell is "-" in text and null in JSON.
 */
#ifndef LOCKSTEP_REPORT_TEXT_TABLE_H
#define LOCKSTEP_REPORT_TEXT_TABLE_H

#include "report/json.h"
#include "report/terminal.h"

#include <stddef.h>

struct table {
	const char *const *head; /* NULL at the end */
	size_t columns, cells;
	char **cell; /* row by row */
	/* Names of columns in the order in which text omits them, NULL at the end; or NULL. */
	const char *const *optional;
};

struct table table_begin(const char *const *head);
void table_cell(struct table *, const char *format, ...) __attribute__((format(printf, 2, 3)));
void table_cells(struct table *, int count, ...);   /* const char * each */
void table_numbers(struct table *, int count, ...); /* int64_t each */
void table_reals(struct table *, int count, ...);   /* double each; not finite: empty */
/*
 * On stdout, in the width of the terminal.  A table with optional columns omits those that do not
 * fit, and names them in a last line; its rows are never wrapped.  In any other table a last column
 * of text is wrapped.  The first `grouped` columns have a line of their own above the rows in which
 * they are equal.
 */
void table_text(const struct table *, size_t grouped);
/* Words up to column `width`.  The cursor is at column `indent`; further lines begin there. */
void print_words(FILE *, int indent, int width, const char *text);
/* table_data.c */
void table_csv(const struct table *, FILE *);
void table_csv_row(const struct table *, size_t row, FILE *);
/* Write a table as CSV and end it; exit code. */
int table_finish_csv(struct table *, FILE *);
void table_json(const struct table *, struct json *, const char *name);
void table_members(
	const struct table *, size_t row, struct json *); /* into the object that is open */
void table_end(struct table *);
/* The name of a column, without the character of its kind. */
const char *table_head(const struct table *, size_t column);

#endif
