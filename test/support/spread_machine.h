/*
 * A machine spread over processes, each of which is a thread of the test: a world on
 * transport_memory.h.  All processes must return the same status and the same error.
 *
 * spread_wrap.c does the same for tests that know nothing of it: they state
 *
 *   link: @test/support/spread.flags
 *   processes: 1 2 3
 *
 * and run once with each number of processes, in LS_PROCESSES.
 */
#ifndef LOCKSTEP_TEST_SPREAD_MACHINE_H
#define LOCKSTEP_TEST_SPREAD_MACHINE_H

#include <lockstep/machine.h>

#include "support/transport_memory.h"

enum { SPREAD_PROCESSES = 8 }; /* at most */

struct spread {
	int processes;
	struct network *network; /* NULL: one process without a world */
	bool owns_network;
	ls_world *world[SPREAD_PROCESSES];
	ls_machine *machine[SPREAD_PROCESSES];
	int status[SPREAD_PROCESSES];            /* of the last call */
	struct ls_error error[SPREAD_PROCESSES]; /* of the last run */
	struct ls_stats stats[SPREAD_PROCESSES]; /* of the last run */
	/* Called when the threads of the processes exist, before they make or run it; or NULL. */
	void (*begins)(void *context);
	void *context;
	/* Called in each process before a run, and after it, with the argument of the run; or NULL. */
	void (*before)(int process, ls_machine *, void *arg);
	void (*after)(int process, ls_machine *, void *arg);
};

/* The worlds of all processes. */
void spread_open(struct spread *, int processes, uint64_t seed);
/* The same in a network of the caller; NULL: one process without a world. */
void spread_open_in(struct spread *, int processes, struct network *);
/* Their machines; the first status that is not LS_OK. */
int spread_make(struct spread *, const ls_topology *, const struct ls_machine_options *);
/* Run in all; the status of process 0, the same in all unless a transport fails or is aborted. */
int spread_run(struct spread *, int (*program)(ls_node *, void *), void *arg);
void spread_destroy(struct spread *);

/* Are all fields and the text of two errors equal? */
bool errors_are_equal(const struct ls_error *, const struct ls_error *);

/* Is the calling thread in one of the calls above? */
bool spread_is_calling(void);

/* spread_wrap.c: machines of fewer nodes than processes have a process for each node. */
extern bool spread_fills_processes;

/* Stop a machine of spread_wrap.c in every process: it may not have begun in all of them. */
void stop_everywhere(ls_machine *, int why);

/* LS_PROCESSES, or 1. */
int process_count(void);

#endif
