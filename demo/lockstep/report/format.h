/*
 * Output formats.  Each verb has a table of those that it writes; the first is its default.
 */
#ifndef LOCKSTEP_REPORT_FORMAT_H
#define LOCKSTEP_REPORT_FORMAT_H

#include "base/output.h"

enum { FORMATS_MOST = 16 }; /* in one table */

struct format {
	const char *name;   /* "text", "csv", "json", .. */
	const char *ending; /* of files in this format: ".csv"; NULL: standard output only */
	/* Writes a document of the verb to output->file; exit code. */
	int (*write)(const struct output *, const void *document);
};

/* Tables end with a NULL name.  NULL: no such format. */
const struct format *format_named(const struct format *table, const char *name);
/* By the extension of a file. */
const struct format *format_of_file(const struct format *table, const char *path);

/* "text, csv and json", where last is "and" */
void format_names(const struct format *table, const char *last, char *text, size_t size);
/* ".csv, .plan or .txt"; "" where no format has an ending */
void format_endings(const struct format *table, char *text, size_t size);

/*
 * The format of the ending of a file, or of an open stream; exit code: it is that of no format, or
 * an option selects another.
 */
int format_find_of_file(
	const struct format *table, const struct output *, const char *path, const struct format **out);

/* Refuse the first file whose ending is that of no format, before one is written; exit code. */
int format_check_files(const struct format *table, const struct output *, const char *const *path);

/*
 * Writes a document to a file, in the format of its ending; exit code, also if the ending is that
 * of no format.
 */
int format_write_file(
	const struct format *table, const struct output *, const void *document, const char *path);

#endif
