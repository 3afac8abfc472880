/*
 * The trace file of a run: LOCKSTEP_TRACE=FILE, and LOCKSTEP_TRACE_TIMES=1 for times.
 *
 * Run k of a FILE in this process writes FILE with .k before its ending; the first writes FILE
 * itself.  Names in /dev/ are written as they are.
 */
#ifndef LSI_MACHINE_TRACE_OUTPUT_H
#define LSI_MACHINE_TRACE_OUTPUT_H

#include <stdio.h>

#include <lockstep/trace.h>

/* The trace file of a machine. */
struct lsi_trace_output {
	char *path; /* LOCKSTEP_TRACE when the machine was made; NULL: no file is written */
	FILE *file; /* of the current run */
	bool times; /* rows have times */
};

/* The head of a file. */
struct lsi_trace_head {
	const char *topology;
	enum ls_mode mode;
	const int *core; /* of each node, as ls_placement_cores; NULL: the head does not say */
	int64_t nodes;
};

/* Read LOCKSTEP_TRACE, and LOCKSTEP_TRACE_TIMES unless there are times anyway; false: no memory. */
bool lsi_trace_output_make(struct lsi_trace_output *, bool times);
void lsi_trace_output_destroy(struct lsi_trace_output *);

/* Open the file of the next run and write its head.  LS_OK, or an error with its text. */
int lsi_trace_output_open(
	struct lsi_trace_output *, const struct lsi_trace_head *, struct ls_error *);
void lsi_trace_output_write(struct lsi_trace_output *, const struct ls_record *);
/* Write all rows before the program may fork: its child would write them again. */
void lsi_trace_output_flush(struct lsi_trace_output *);
/*
 * Close the file at the end of a run.  Sets the error if a write failed and there is no other
 * error.
 */
void lsi_trace_output_close(struct lsi_trace_output *, struct ls_error *);

#endif
