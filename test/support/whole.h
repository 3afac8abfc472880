/*
 * One collective operation of a whole machine.  Messages, counts and bits of any engine are
 * compared with the interpreter in play.h, and that with sequential results.
 */
#ifndef LOCKSTEP_TEST_WHOLE_H
#define LOCKSTEP_TEST_WHOLE_H

#include <lockstep/sweep.h>

#include "support/play.h"

struct whole {
	const struct job *job;
	const ls_plan *plan;
	const ls_embedding *embedding; /* or NULL; then `mode` is the plan's */
	enum ls_mode mode;
	struct payload load;
	struct played want;
};

/* The job says operation, element, count, root, shift and in place as the plan does. */
struct whole whole_make(
	const struct job *, const ls_plan *, const ls_embedding *or_null, enum ls_mode);
void whole_destroy(struct whole *);

/* Nodes that are threads, in lockstep rounds.  False: they have no call for it. */
bool whole_by_threads(struct whole *);

/*
 * A sweep: rows wider than needed; operands made, results taken; messages not looked at.  In one
 * process, if `processes` is 0; in those of mpirun, if this is one of them: see world_sweep.h.
 */
struct network_counts;
struct way {
	int workers;
	uint64_t order;
	bool wide, makes, takes, untraced;
	int processes;
	struct network_counts *counts; /* of several processes, or NULL */
};
struct ls_sweep_result whole_by_sweep(struct whole *, const struct way *);

#endif
