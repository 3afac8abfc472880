/*
 * A transport between threads of one process, each of which stands for a process of a world.
 *
 * A seed decides how long each operation is under way, which pair of processes advances next, and
 * whether a send is copied at once.  Messages of a pair with the same tag keep their order.  Calls
 * can be made to fail, and hosts to die.
 *
 * With an even seed, the processes divide the cores; with an odd one, each uses all of them.
 */
#ifndef LOCKSTEP_TEST_TRANSPORT_MEMORY_H
#define LOCKSTEP_TEST_TRANSPORT_MEMORY_H

#include "world/agreement.h"

struct network;

/* Ends the test when there is no memory. */
struct network *network_make(int processes, uint64_t seed);
/* All worlds must have been closed. */
void network_destroy(struct network *);

/* The world of a process; the caller closes it.  All call it, each in a thread of its own. */
ls_world *network_world(struct network *, int process);

/* From now on, calls and messages count. */
void network_begin(struct network *);
/* From now on, an operation or a probe fails that waits for a process that has died. */
void network_report_losses(struct network *);
/* The worlds are about to be closed: calls count no longer, and losses are reported. */
void network_end(struct network *);
/* The k-th call of a process, from 1, fails; so do all later ones if the host dies. */
void network_fail(struct network *, int process, int64_t k, bool dies);
/* The same, counted from now on. */
void network_fail_soon(struct network *, int process, int64_t k, bool dies);
/* From now on, all calls of a process fail: its host is down. */
void network_kill(struct network *, int process);
/* Calls of a process wait from now on, as if it had no core; or not any more. */
void network_hold(struct network *, int process, bool held);
/* The process of which a call failed; -1: none. */
int network_failed(struct network *);
/* Has a process ended all? */
bool network_is_aborted(struct network *);
/* The text of the last process that has; no process does so now. */
const char *network_abort_text(struct network *);

/* What the processes have sent; messages must not exceed LSI_MESSAGE_BYTES. */
struct network_counts {
	int64_t messages, bytes, collectives;
	size_t longest;
};
struct network_counts network_counts_of(struct network *);

#endif
