/*
 * Files that the tool writes.
 *
 * "-", /dev/stdout and /dev/stderr name the streams that are open already: what they hold stays,
 * and what follows is appended.  Every other file keeps its content until output_truncate, so that
 * a file can be opened before a long run and is lost only when there is something to replace it.
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

/* Exit code: also for what could not be written before. */
int output_close(struct output_file *);

/* Closes the file unwritten, and removes it if output_open created it. */
void output_discard(struct output_file *);

#endif
