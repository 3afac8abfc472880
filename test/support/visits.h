/*
 * Threads that attach to a machine of several processes, one for each node.
 */
#ifndef LOCKSTEP_TEST_VISITS_H
#define LOCKSTEP_TEST_VISITS_H

#include <pthread.h>

#include <lockstep/machine.h>

struct visit {
	ls_machine *machine;
	int64_t rank;
	int (*act)(ls_node *, int64_t which);
	int64_t which;
	int attached, acted, detached; /* statuses */
	pthread_t thread;
};

enum { NO_DETACH = 1 }; /* what `act` returns if its thread is to end as a node */
/* An `act` that adds the ranks of all nodes. */
int visit_add_ranks(ls_node *, int64_t which);

/* Threads attach to all ranks of one process, in an array of a visit for each node. */
void visits_begin(ls_machine *, int processes, int process, int (*act)(ls_node *, int64_t),
	int64_t which, struct visit *);
/* They have returned. */
void visits_end(const ls_machine *, int processes, int process, struct visit *);
/* Both, in all processes; the machine of each. */
void visit_all(ls_machine *const *, int processes, int (*act)(ls_node *, int64_t), int64_t which,
	struct visit *);

#endif
