/*
 * Rounds.  In lockstep mode, a barrier of the group ends each round.
 */
#ifndef LSI_MACHINE_ROUND_H
#define LSI_MACHINE_ROUND_H

#include "machine/port.h"
#include "machine/wait.h"

/* ---- A barrier of the group */

/*
 * Arrive.  True: this node was the last one, and the wait is over.  False: wait as the struct says,
 * by lsi_wait_until; it must stay where it is until then.
 */
bool lsi_barrier_wait_begin(
	struct ls_node *, struct lsi_barrier *, const char *operation, struct lsi_wait *);
bool lsi_barrier_wait_is_over(struct lsi_node_state *, void *wait);
/* Arrive, and wait until all have arrived. */
int lsi_barrier_wait_all(struct ls_node *, struct lsi_barrier *, const char *operation);

/* ---- The end of a round */

/* Lockstep: check that all messages that this node sent in the round were received. */
int lsi_round_end_lockstep(struct ls_node *, const char *operation);

/*
 * Free the ports of this round, and go to the next one.  In lockstep mode the caller has waited at
 * the barrier, and this node's messages are checked.
 */
static inline int lsi_round_end(struct ls_node *node, const char *operation)
{
	struct lsi_node_state *me = node->self;
	int failed = LS_OK;

	if (me->machine->options.rounds == LS_LOCKSTEP)
		failed = lsi_round_end_lockstep(node, operation);
	lsi_ports_release(node);
	me->count.rounds++;
	node->round++;
	return failed;
}

#endif
