/*
 * How results are shown, and the files that they are written to.
 */
#ifndef LOCKSTEP_BASE_OUTPUT_H
#define LOCKSTEP_BASE_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

struct format;

struct output {
	const struct format *format;
	const char *format_name; /* of --format, --json or --csv, or "text" */
	bool format_given;
	FILE *file; /* of the results */
	int color;  /* -1 never, 0 on a terminal, 1 always */
	bool quiet, verbose;
	const char *results, *trace; /* further files; NULL: none */
	char **command;              /* argv, NULL at the end */
};

/* Whether a person sees the file at once: mpirun connects processes to terminals of its own. */
bool is_terminal(FILE *);

bool colored(const struct output *, FILE *);

/* "ok" or "WRONG", colored if stdout is. */
const char *ok_text(const struct output *, bool right);

#endif
