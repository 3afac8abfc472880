/*
 * The messages of a machine that cross between the processes of a shared run.  The engine sweep
 * counts its own.
 */
#ifndef LOCKSTEP_JOB_CROSSING_COUNT_H
#define LOCKSTEP_JOB_CROSSING_COUNT_H

#include "base/shared_run.h"
#include "job/job.h"

/* Of one call.  Process 0 counts. */
struct crossing crossing_of_job(const struct job *, size_t element_bytes);
/* Of the rows of a trace. */
struct crossing crossing_of_rows(
	const ls_topology *, const struct ls_message *, size_t count, size_t element_bytes);

#endif
