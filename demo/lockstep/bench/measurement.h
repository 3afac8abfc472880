/*
 * One run of a machine in which every node makes calls of a work, and when they began and ended.
 */
#ifndef LOCKSTEP_BENCH_MEASUREMENT_H
#define LOCKSTEP_BENCH_MEASUREMENT_H

#include "data/trace_file.h"
#include "job/workload.h"

struct measurement {
	const struct workload *workload;
	size_t warmup, calls;         /* calls before those that are timed, and these */
	bool aligned;                 /* all nodes meet between the two; else warmup is 0 */
	int64_t *start, *end;         /* of the calls that are timed, of each node; ns */
	struct output_file *trace;    /* of what is swept; NULL: none */
	struct ls_sweep_result swept; /* the last of them */
	double *times;                /* ns of the rounds of each that is timed; NULL: none */
	double time;                  /* of all of them */
};

typedef int caller(ls_node *, const struct ls_call *);
/* The function of the operation itself, where it can say all of the call; else ls_collective. */
caller *plain_call(const struct ls_call *);

struct measurement turn_make(const struct workload *);
void turn_destroy(struct measurement *);

/* As machine_run; machine NULL: swept. */
int turn_run(struct measurement *, ls_machine *, int *by);

/* What a sweep says of itself, also where it was stopped. */
void turn_tell(const struct measurement *, struct outcome *);

/* From the first start to the last end; swept: of the rounds. */
int64_t turn_time(const struct measurement *);

/*
 * One call of every node, cold, counted, timed and verified.  outcome->status: as turn_run.
 */
void turn_count(struct measurement *, ls_machine *, struct outcome *, int *by);

#endif
