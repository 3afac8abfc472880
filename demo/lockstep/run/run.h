/*
 * The two forms of `run`: execute an operation on data, or play a trace file.
 */
#ifndef LOCKSTEP_RUN_RUN_H
#define LOCKSTEP_RUN_RUN_H

#include "run/outcome.h"
#include "data/trace_file.h"

int play_trace(const struct options *, ls_topology *); /* takes the topology */

/* As play_trace, on the engine sweep; prints the outcome.  Exit code. */
int play_on_sweep(const struct ls_message *, size_t count, struct trace_file *, struct outcome *);

/* Name the first count that is not as predicted. */
int complain_counts(const struct outcome *);

/* The exit code of a run that was stopped, after a message; machine NULL: a sweep. */
int outcome_failure(struct outcome *, const ls_machine *, int by);

/* Print the outcome; the exit code, after a message on what stopped the machine or is wrong. */
int report_outcome(struct outcome *, const ls_machine *, int by);

#endif
