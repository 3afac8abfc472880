/*
 * The width of text output.
 */
#ifndef LOCKSTEP_REPORT_TERMINAL_H
#define LOCKSTEP_REPORT_TERMINAL_H

#include <stdio.h>

/* Of text that is not written to a terminal; and the least width that tables are laid out for. */
enum { TEXT_WIDTH = 100, TEXT_WIDTH_LEAST = 40 };

/*
 * Columns of the terminal that the file is connected to.  Without a terminal: the environment
 * variable COLUMNS, else TEXT_WIDTH.
 */
int terminal_width(FILE *);

#endif
