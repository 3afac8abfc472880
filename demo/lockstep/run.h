/*
 * Both kinds of `run`: an operation on data, and a trace file that is played.
 */
#ifndef LOCKSTEP_RUN_H
#define LOCKSTEP_RUN_H

#include "outcome.h"
#include "trace.h"

int play(const struct options *, ls_topology *);         /* takes the topology */

/* Name the first count that is not as predicted. */
int complain_counts(const struct outcome *);

/* The exit code of a run that was stopped, after a message; machine NULL: a sweep. */
int outcome_failure(struct outcome *, const ls_machine *, int by);

/* Print the outcome; the exit code, after a message on what stopped the machine or is wrong. */
int conclude(struct outcome *, const ls_machine *, int by);

#endif
