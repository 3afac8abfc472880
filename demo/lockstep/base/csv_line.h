/*
 * Lines of CSV files.
 */
#ifndef LOCKSTEP_BASE_CSV_LINE_H
#define LOCKSTEP_BASE_CSV_LINE_H

#include <stddef.h>

/* Split a line into at most `most` cells, without their quotes, in place; their number. */
size_t csv_split(char *line, char **cell, size_t most);

#endif
