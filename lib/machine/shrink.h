/*
 * ls_shrink: a machine goes on after an error.
 *
 *   node 0   a call fails . arrives .............. | handle of the new group
 *   node 1       a call fails ........ arrives ... | handle of the new group
 *   node 2   leaves                        \_ last: recovers the machine
 *
 * A stopped machine stays so until every node has arrived in ls_shrink or has left.  The last one
 * to do so recovers the machine.  No other node uses it at this moment, so what it resets needs no
 * other protection.
 *
 * Edges  SHRINK  every subtraction from unarrived -> the last one: all that a node did before
 *                release of count -> acquire by the nodes in ls_shrink: the recovery
 *        STOP    ls_machine_stop sets outside_stop, then reads the state.  A recovery sets the
 *                state, then reads outside_stop.  All are sequentially consistent: one sees the
 *                other
 */
#ifndef LSI_MACHINE_SHRINK_H
#define LSI_MACHINE_SHRINK_H

#include <lockstep/status.h>

#include "base/atomic.h"

struct ls_machine;
struct lsi_group;
struct lsi_node_state;

struct lsi_recovery {
	LSI_ATOMIC(int64_t) unarrived; /* SHRINK: nodes that neither wait in ls_shrink nor have left */
	LSI_ATOMIC(uint32_t) count;    /* SHRINK: recoveries */
	LSI_ATOMIC(int) outside_stop;  /* STOP: of ls_machine_stop in this run; LS_OK: none */
	int result;                    /* of the last recovery */
	struct lsi_group *group;       /* its group */
	struct ls_error error;         /* what it has ended */
};

/* Has an error stopped the machine that ls_shrink can end? */
bool lsi_shrink_is_possible(struct ls_machine *);

/* A thread is about to stop the machine from outside: a recovery that begins now stops it again. */
void lsi_shrink_prevent(struct ls_machine *, int why);

/* This node has left. */
void lsi_shrink_without(struct lsi_node_state *);

#endif
