/*
 * Trace files: "# operation=.. topology=..", "round,src,dst,words", and one row per message.
 *
 * With times there are three more columns, "sent_ns,received_ns,waited_ns" (struct ls_record), and
 * the first line has "cores=..", the core of each node, unless nodes are not bound.
 */
#ifndef LOCKSTEP_DATA_TRACE_FILE_H
#define LOCKSTEP_DATA_TRACE_FILE_H

#include "base/execution.h"
#include "base/output_file.h"

#include <lockstep.h>

/* The values of the first line. */
struct trace_title {
	const char *operation; /* NULL: not known */
	const char *algorithm, *topology;
	size_t count;
	int64_t root, shift;
	const char *mode;               /* NULL: the default of the topology */
	int ports;                      /* 0 or 1: one, the default */
	const char *map;                /* of an embedding; "" or NULL: none */
	bool timed;                     /* rows have the times of messages */
	const struct execution *placed; /* the run whose cores are stated; NULL: not known */
	int64_t nodes;                  /* of that run */
};

int trace_open(const char *path, const struct trace_title *, struct output_file *out);
void trace_put_title(FILE *, const struct trace_title *);
/* Put a row, with times if the record has them. */
int trace_put(FILE *, const struct ls_record *);
void trace_record(void *output_file, const struct ls_record *);

/*
 * Read all rows of a trace, with or without words and times, in their order; every rank is below
 * nodes.  A row with the mark R is `unsent`.  `path` is the name in messages.  *states_words: every
 * row states its words; a row that does not has one.  The caller frees *out.
 */
int trace_read(const char *path, const char *text, int64_t nodes, struct ls_message **out,
	size_t *count, bool *states_words);
/* The same with times, as they are in the rows; without those with the mark R. */
int trace_read_records(
	const char *path, const char *text, int64_t nodes, struct ls_record **out, size_t *count);

/*
 * Read the list of `cores=0,0,1,1`, the core of each node, into out[nodes].  `path` is the name in
 * messages.
 */
int trace_read_cores(const char *path, const char *list, int64_t nodes, int *out);

#endif
