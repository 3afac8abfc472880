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

/* The processes of mpirun, and how many of the messages cross; nothing if there is one. */
void report_processes(const ls_topology *, int64_t messages);

#endif
