/*
 * A table of texts, printed as aligned columns, CSV or JSON.
 *
 * A head that begins with '#' is a column of numbers: to the right in text, a number in JSON.
 * With '?' it is one of "true" and "false", in text "yes" and "-"; with '*' too, but in text it is
 * a star before the row.  "a.b" is the member b of the object a in JSON.  An empty cell is "-" in
 * text and null in JSON.
 */
#ifndef LOCKSTEP_REPORT_TEXT_TABLE_H
#define LOCKSTEP_REPORT_TEXT_TABLE_H

#include "report/json.h"

#include <stddef.h>

struct table {
	const char *const *head; /* NULL at the end */
	size_t columns, cells;
	char **cell; /* row by row */
};

struct table table_begin(const char *const *head);
void table_cell(struct table *, const char *format, ...) __attribute__((format(printf, 2, 3)));
void table_cells(struct table *, int count, ...);   /* const char * each */
void table_numbers(struct table *, int count, ...); /* int64_t each */
void table_reals(struct table *, int count, ...);   /* double each; not finite: empty */
/*
 * At most TABLE_WIDTH columns, if the last can be wrapped.  The first `grouped` stand in a line of
 * their own wherever one of them changes.
 */
enum { TABLE_WIDTH = 100 };
void table_text(const struct table *, size_t grouped);
/* Words from column `indent` on, where the file is; the lines after the first are indented. */
void print_words(FILE *, int indent, const char *text);
void table_csv(const struct table *);
void table_csv_row(const struct table *, size_t row);
void table_json(const struct table *, struct json *, const char *name);
void table_members(
	const struct table *, size_t row, struct json *); /* into the object that is open */
void table_end(struct table *);

#endif
