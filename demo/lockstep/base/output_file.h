/*
 * Files that the tool writes.
 *
 * "-", /dev/stdout and /dev/stderr name open streams; the tool appends to them.  A regular file is
 * replaced as a whole: the tool writes a temporary file in the same folder, and renames it when it
 * is complete.  Until then, and after a failure or a signal, the old file keeps its content.
 *
 * Devices, pipes, sockets and names of open files (/dev/fd/N, /proc/..) are written directly.  So
 * are files for which no temporary file can take their place: the folder is not writable, the owner
 * is another user, or the file is a mount point.  Such a file keeps its content until
 * output_truncate.
 */
#ifndef LOCKSTEP_BASE_OUTPUT_FILE_H
#define LOCKSTEP_BASE_OUTPUT_FILE_H

#include <stdbool.h>
#include <stdio.h>

struct output_file {
	FILE *file; /* NULL: none is open */
	const char *path;
	char *target;             /* the regular or new file that the path names; NULL: none */
	char *temporary;          /* replaces the target; NULL: `path` is written directly */
	struct output_file *next; /* of those with a temporary file */
};

/* Whether a path names an open stream. */
bool output_is_stream(const char *path);

/*
 * Exit code, with a message, for a file that cannot be written: EXIT_RESOURCE if memory is lacking,
 * else EXIT_USAGE.  *out stays where it is until the file is closed or discarded.
 */
int output_open(const char *path, struct output_file *out);
void output_truncate(struct output_file *);

/*
 * Renames the temporary file.  Exit code, as of output_open, if that, the close or an earlier write
 * failed.
 */
int output_close(struct output_file *);

/* Closes the file, and removes its temporary file. */
void output_discard(struct output_file *);

/* Removes all temporary files; for an exit that closes no files. */
void output_remove_temporaries(void);

#endif
