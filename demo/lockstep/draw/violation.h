/*
 * What is wrong with the plan of a file, so that its picture shows it; out->kind is LS_OK: nothing.
 */
#ifndef LOCKSTEP_DRAW_VIOLATION_H
#define LOCKSTEP_DRAW_VIOLATION_H

#include "job/job.h"

/* Check the plan of a job, if it is one of a file. */
void find_violation(const struct query *, const struct job *, struct ls_error *out);

/*
 * Why the messages of a file have no plan.  *job then has the topology and a plan without messages,
 * which states the request; the caller closes it.  Reports other errors than violations; exit code.
 */
int find_violation_of_schedule(const struct query *, struct job *, struct ls_error *out);

#endif
