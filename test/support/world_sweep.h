/*
 * A sweep by several processes: threads with the memory transport between them, or the processes
 * that mpirun has started.
 */
#ifndef LOCKSTEP_TEST_WORLD_SWEEP_H
#define LOCKSTEP_TEST_WORLD_SWEEP_H

#include <lockstep/sweep.h>

#include "support/transport_memory.h"

/*
 * The world of this process, if mpirun has started several, and otherwise NULL.  A test that runs
 * under mpirun opens it before its first sweep, and closes it at its end.
 */
void open_launched_world(void);
ls_world *launched_world(void);
void close_launched_world(void);
/* The number of processes of mpirun, or this one. */
int or_launched(int processes);

/*
 * Run a sweep in all processes of a network, each with the rows of its own nodes.  `world` in the
 * sweep is not used.  `change`, if not NULL, is called for each process before it begins.
 *
 * All must return the same, unless a call of the transport fails: then the result is that of the
 * process in which it failed, and the others may have ended before.
 */
struct ls_sweep_result sweep_in_network(struct network *, int processes, const struct ls_sweep *,
	void (*change_or_null)(int process, struct ls_sweep *));
/*
 * The same in a network of its own, whose counts are written to *counts_or_null.  Under mpirun: in
 * its processes, whatever their number; counts are 0, and others may have failed a check.
 */
struct ls_sweep_result sweep_in_processes(
	int processes, uint64_t seed, const struct ls_sweep *, struct network_counts *counts_or_null);

#endif
