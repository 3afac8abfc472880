/*
 * A workload on the engine sweep: no thread per node, and matrices only for files.
 */
#ifndef LOCKSTEP_JOB_JOB_SWEEP_H
#define LOCKSTEP_JOB_JOB_SWEEP_H

#include "base/output.h"
#include "data/trace_file.h"
#include "job/watch.h"
#include "job/workload.h"

/*
 * Report a sweep that is not possible or does not fit into memory, with a network that fits; exit
 * code.  The first counts nodes only, before there is a plan; the second counts all of a job, and
 * sets *left to the bytes that remain.
 */
int sweep_check_nodes(
	const struct query *, const struct execution *, const struct output *, ls_topology *);
int sweep_check_memory(const struct query *, const struct execution *, const struct output *,
	const struct job *, size_t *left);

/*
 * One run, with verified results.  Returns the status; *signal: the signal received, or 0.
 * trace NULL: none; since: start of the time limit.  If the limit is over before the run starts,
 * *out keeps the counts of the run before; only its error changes.
 */
int sweep_run(const struct workload *, struct output_file *trace, int64_t since,
	struct ls_sweep_result *out, int *signal);

/*
 * Runs a sweep, in all processes of a shared run, and ends its watch.  Returns the status; process
 * 0 decides on signals and the time limit.
 */
int watched_sweep(struct ls_sweep *, struct watch *, struct ls_sweep_result *out);

/* Bytes per node, without operands and results; 0: unknown. */
double sweep_bytes_per_node(const ls_plan *, const struct ls_request *);

#endif
