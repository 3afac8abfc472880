/*
 * One run in which every node makes the calls of a workload, with their start and end times.
 */
#ifndef LOCKSTEP_BENCH_MEASUREMENT_H
#define LOCKSTEP_BENCH_MEASUREMENT_H

#include "bench/pair.h"
#include "data/trace_file.h"
#include "job/workload.h"

struct measurement {
	struct workload *workload;    /* NULL: a pair */
	struct pair *pair;            /* NULL: a workload */
	int64_t first;                /* the rank of the first node of start and end */
	size_t nodes;                 /* of start and end: those of this process */
	size_t warmup, calls;         /* untimed and timed calls */
	bool aligned;                 /* the nodes are aligned between the two; not for sweeps */
	int64_t *start, *end;         /* of the timed calls of each node, ns */
	struct output_file *trace;    /* of a sweep; NULL: none */
	struct ls_sweep_result sweep; /* of the last run */
	double *times;                /* ns of the rounds of each timed sweep; NULL: not kept */
	double time;                  /* see measurement_time, ns */
};

typedef int caller(ls_node *, const struct ls_call *);
/* The function of the operation if it has all parameters of the call; else ls_collective. */
caller *plain_call(const struct ls_call *);

struct measurement measurement_make(struct workload *);
struct measurement measurement_make_pair(struct pair *);
void measurement_destroy(struct measurement *);

/* As machine_run; machine NULL: a sweep. */
int measurement_run(struct measurement *, ls_machine *, int *signal);

/* Clears the results before a run; in place, stores the operands. */
void measurement_clear(struct measurement *);
/*
 * Counts the wrong results of a run, in outcome->wrong.  A barrier has no results; calls in place
 * may have changed their operands, so that only one call has the expected results.
 */
void measurement_verify(const struct measurement *, struct outcome *);

/* Copies the result of a sweep, also of one that was stopped. */
void measurement_copy_sweep(const struct measurement *, struct outcome *);

/*
 * From the first start to the last end, in the slowest process; of sweeps: the rounds of all timed
 * ones.
 */
int64_t measurement_time(const struct measurement *);

/*
 * One call of every node, cold, counted, timed and verified.  outcome->status: as measurement_run.
 */
void measurement_count(struct measurement *, ls_machine *, struct outcome *, int *signal);

#endif
