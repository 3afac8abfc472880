/*
 * A work executed by the engine sweep: no thread a node, and no matrix but of files.
 */
#ifndef LOCKSTEP_JOB_JOB_SWEEP_H
#define LOCKSTEP_JOB_JOB_SWEEP_H

#include "base/output.h"
#include "data/trace_file.h"
#include "job/workload.h"

/*
 * Refuse what no sweep can do, and before it is taken what does not fit into memory, and say what
 * would fit: so many nodes, whatever is done on them; a job with all that is its own.
 */
int sweep_holds(
	const struct query *, const struct execution *, const struct output *, ls_topology *);
int sweep_fits(
	const struct query *, const struct execution *, const struct output *, const struct job *);

/*
 * One run, with results verified.  Returns the status; *by is the signal that came, or 0.  trace
 * NULL: none; since: when the time limit began.  When that is over before, *out keeps what it said
 * of the run before, but for the error.
 */
int sweep_run(const struct workload *, struct output_file *trace, int64_t since,
	struct ls_sweep_result *out, int *by);

/* Bytes a node of a plan of the request, but for operands and results; 0: not to be had. */
double sweep_bytes_a_node(const ls_plan *, const struct ls_request *);

#endif
