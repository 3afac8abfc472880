/*
 * Files that the tool writes.
 *
 * "-", /dev/stdout and /dev/stderr name open streams; the tool appends to them.  Every other file
 * keeps its content until output_truncate.  The tool can thus open a file before a long run and
 * replace its content only when the results exist.
 */
#ifndef LOCKSTEP_BASE_OUTPUT_FILE_H
#define LOCKSTEP_BASE_OUTPUT_FILE_H

#include <stdbool.h>
#include <stdio.h>

struct output_file {
	FILE *file; /* NULL: none is open */
	const char *path;
	bool created; /* by output_open */
};

/* Whether a path names an open stream. */
bool output_is_stream(const char *path);

/* Exit code: EXIT_USAGE, with a message, for a file that cannot be written. */
int output_open(const char *path, struct output_file *out);
void output_truncate(struct output_file *);

/* Exit code: EXIT_USAGE, with a message, if the close or an earlier write failed. */
int output_close(struct output_file *);

/* Closes the file unwritten, and removes it if output_open created it. */
void output_discard(struct output_file *);

#endif
