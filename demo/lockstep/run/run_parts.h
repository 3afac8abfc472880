/*
 * The two forms of `run`: execute an operation on data, or play a trace file.
 */
#ifndef LOCKSTEP_RUN_RUN_PARTS_H
#define LOCKSTEP_RUN_RUN_PARTS_H

#include "data/trace_file.h"
#include "run/outcome.h"

/*
 * Find out whether a trace performs the operation that it names: sets checked_operation and
 * violation of the outcome.  Exit code.
 */
int check_trace(struct outcome *);

int play_trace(const struct query *, const struct execution *, const struct output *,
	ls_topology *); /* takes the topology */

/* As play_trace, on the engine sweep; prints the outcome.  Exit code. */
int play_on_sweep(const struct ls_message *, size_t count, struct output_file *, struct outcome *);

/* Prints the violation of a trace, or the first count that differs from the prediction. */
int print_wrong_counts(const struct outcome *);

/* Reports a run that failed or was stopped; its exit code.  machine NULL: a sweep. */
int report_failure(struct outcome *, const ls_machine *, int signal);

/* Prints the outcome and, if it is not ok, a message; exit code. */
int report_outcome(struct outcome *, const ls_machine *, int signal);

#endif
