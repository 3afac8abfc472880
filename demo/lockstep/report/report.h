/*
 * The lines of `run` and `check`: name, value, note and verdict, in columns.
 */
#ifndef LOCKSTEP_REPORT_REPORT_H
#define LOCKSTEP_REPORT_REPORT_H

#include <lockstep.h>

/* Columns of the name, and between name and verdict. */
enum { REPORT_NAME = 11, REPORT_BODY = 53 };

/* Widens the column of numbers for a count; call it before the first count is printed. */
void report_fit_count(int64_t count);

/* "name left right"; where the terminal is too narrow, right is in a line of its own. */
void report_pair(const char *name, const char *left, const char *right);

void report_line(const char *name, const char *value, const char *note, const char *verdict);
void report_count(const char *name, int64_t count, const char *note, const char *verdict);

/*
 * "rounds 6 predicted n(n-1)/2 = 6 ok"; formula NULL: only the number.  A formula in words, or too
 * long for its column, has a line of its own.
 */
void report_predicted(const char *name, int64_t count, const char *source, const char *formula,
	int64_t want, const char *verdict);

void report_topology(const ls_topology *);

/* "4 on 1 host, 256 nodes each", or in which process the run takes place. */
void division_text(const ls_topology *, char *text, size_t size);
/*
 * The processes of mpirun, and how many of the messages and rounds cross; nothing if there is one.
 * The ranks of the topology are divided among them.
 */
void report_processes(const ls_topology *, const struct ls_stats *);

#endif
