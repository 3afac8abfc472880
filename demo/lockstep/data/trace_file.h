/*
 * Trace files: "# operation=.. topology=..", "round,src,dst,words", and a row for each message.
 */
#ifndef LOCKSTEP_DATA_TRACE_FILE_H
#define LOCKSTEP_DATA_TRACE_FILE_H

#include "cli/tool.h"

/* The values of the first line. */
struct trace_title {
	const char *operation, *algorithm, *topology;
	size_t count;
	int64_t root, shift;
	const char *map; /* of an embedding; "" or NULL: none */
};

struct trace_file {
	FILE *file;
	const char *path;
};

int trace_open(const char *path, const struct trace_title *, struct trace_file *out);
int trace_put(struct trace_file *, int64_t round, int64_t src, int64_t dst, size_t words);
void trace_record(void *trace_file, const struct ls_record *);
int trace_close(struct trace_file *); /* exit code; also after an earlier write that failed */

/*
 * Read all rows of a file, in its order; every rank is below nodes.  A row with the mark R is
 * `unsent`.  The caller frees *out.
 */
int trace_read(const char *path, int64_t nodes, struct ls_message **out, size_t *count);

#endif
