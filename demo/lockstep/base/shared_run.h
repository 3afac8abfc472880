/*
 * A run that all processes of mpirun execute together: each has the nodes of its ranks, and process
 * 0 prints, reads and writes.
 *
 * All processes call these functions in the same order.  What decides how a run goes on must be the
 * same in all of them: counts and errors of the library are; times, signals and files are known to
 * process 0, and the others follow it.
 */
#ifndef LOCKSTEP_BASE_SHARED_RUN_H
#define LOCKSTEP_BASE_SHARED_RUN_H

#include "base/execution.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Whether all processes can execute the run.  The default engine is sweep where nothing is said of
 * rounds, nodes and mailboxes, else mailboxes.  Times of messages need one clock, and hosts have
 * different ones.
 */
bool can_share_engines(struct execution *);

/* From now on all processes execute the run; process 0 alone prints. */
void share_processes(void);

/* The world of a shared run; NULL: this process executes it alone. */
ls_world *shared_world(void);

/* The ranks of this process in a shared run: first .. end-1; otherwise all of them. */
struct local_ranks {
	int64_t first, end;
};
struct local_ranks local_ranks_of(const ls_topology *);
int64_t most_local_nodes(const ls_topology *); /* of a process */

/* The cores that the run may use: at process 0 those of all processes. */
int cores_of_run(void);
struct local_ranks ranks_of_process(const ls_topology *, int process);
/* The first rank of each process, and the number of nodes; the caller frees them. */
int64_t *first_ranks(const ls_topology *);
/* The process that has a rank. */
int process_of_rank(const int64_t *first_ranks, int64_t rank);

/*
 * After what may fail in one process only: whether it has failed in none.  Process 0 reports the
 * failure of another one.  A failure is known to all from then on, and is not reported again.
 * Returns an exit code.
 */
int agree_on_failure(int failed);

/* The number of process 0. */
int64_t follow_first(int64_t number);
/* Replaces each of n numbers by the greatest of all processes. */
void take_most(int64_t *number, size_t n);
int64_t most_of_processes(int64_t number);
int64_t sum_of_processes(int64_t number);

/* Replaces the bytes by those of process 0. */
void share_bytes(void *data, size_t bytes);
/* Copies the bytes of a process to process 0. */
void fetch_bytes(int process, void *data, size_t bytes);
/* Copies the bytes of each process into a row at process 0. */
void collect_bytes(const void *data, size_t bytes, void *rows);

/* Messages between nodes of different processes, in the last run. */
struct crossing {
	bool counted;
	int64_t messages, bytes, rounds;
};
const struct crossing *last_crossing(void);
void note_crossing(struct crossing);

#endif
