/*
 * A program in several processes, from their worlds to their end: see spread_machine.h.
 */
#ifndef LOCKSTEP_TEST_WORLD_RUN_H
#define LOCKSTEP_TEST_WORLD_RUN_H

#include "support/spread_machine.h"

/* What ls_run, ls_last_error and ls_machine_stats gave, equal in all processes. */
struct world_outcome {
	int status;
	struct ls_error error;
	struct ls_stats stats;
};

struct world_run {
	int processes;
	uint64_t seed; /* of the network */
	const char *spec;
	struct ls_machine_options options; /* without world */
	int (*program)(ls_node *, void *);
	void *arg;
	int runs; /* of one machine; 0: one */
	/* Called in each process before its run, and after it; or NULL. */
	void (*before)(int process, ls_machine *, void *arg);
	void (*after)(int process, ls_machine *, void *arg);
	/* The trace is that of process 0: see ls_machine_options. */
};

/* Collective calls by the cooperative engine, in one process. */
struct world_run cooperative_run(
	const char *spec, enum ls_rounds, int (*program)(ls_node *, void *), void *arg);

/* The outcome of the last run.  With one process the machine has no world. */
struct world_outcome world_run(const struct world_run *);
/* The same in a network that the caller has prepared, as for failures. */
struct world_outcome world_run_in(struct network *, const struct world_run *);

#endif
