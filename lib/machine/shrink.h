/*
 * ls_shrink: a machine goes on after an error.
 *
 *   node 0   a call fails . arrives .............. | handle of the new group
 *   node 1       a call fails ........ arrives ... | handle of the new group
 *   node 2   leaves                        \_ last: recovers the machine
 *
 * A stopped machine stays so until every node has arrived in ls_shrink or has left.  The last one
 * to do so recovers the machine.  It waits for the thread that stopped the machine, which may still
 * be waking nodes.  Then no other thread uses the machine, so what it resets needs no other
 * protection.
 *
 * A stop from outside, or the time limit, forbids all further recoveries of the run.  One word
 * decides, by one compare-and-swap, so all nodes in ls_shrink return the same:
 *
 *   OPEN ---- last node ----> BEGUN ---- count += 1 ----> OPEN
 *     '------ ls_machine_stop, time limit ----> status, to the end of the run
 *
 * Edges  SHRINK  every subtraction from unarrived -> the last one: all that a node did before
 *                increment of count -> its load by the nodes in ls_shrink: the recovery
 *        DECIDE  a recovery sets the state and count, then decision.  A thread that forbids
 *                recoveries sets decision, then stops the machine.  So this stop is not lost; and a
 *                node that reads its status in decision, then count, knows whether it came first
 *        PARK    of park.h: decision and count are conditions of waits in ls_shrink
 */
#ifndef LSI_MACHINE_SHRINK_H
#define LSI_MACHINE_SHRINK_H

#include <lockstep/status.h>

#include "base/atomic.h"

struct ls_machine;
struct lsi_group;
struct lsi_node_state;

enum lsi_recovery_decision { LSI_RECOVERY_OPEN, LSI_RECOVERY_BEGUN };

struct lsi_recovery {
	LSI_ATOMIC(int64_t) unarrived; /* SHRINK: nodes that neither wait in ls_shrink nor have left */
	LSI_ATOMIC(uint32_t) waiting;  /* SHRINK, LINK: nodes that wait in ls_shrink */
	LSI_ATOMIC(uint32_t) count;    /* SHRINK, PARK: recoveries, also those without memory */
	LSI_ATOMIC(uint32_t) stops;    /* SHRINK: threads that stop the machine with a verdict now */
	LSI_ATOMIC(int) decision;      /* DECIDE, PARK: as above, or the status that forbids it */
	LSI_ATOMIC(bool) lacks_memory; /* SHRINK: a node has no memory for its handle */
	int result;                    /* of the last recovery: LS_OK or LS_ERR_MEMORY */
	struct lsi_group *group;       /* its group */
	struct ls_error error;         /* what it has ended */
};

/* A run begins.  No thread uses the machine. */
void lsi_shrink_reset(struct ls_machine *);

/* Has an error stopped the machine that ls_shrink can end? */
bool lsi_shrink_is_possible(struct ls_machine *);

/* Forbid all further recoveries of the run: ls_shrink returns this status from now on. */
void lsi_shrink_forbid(struct ls_machine *, int why);

/* This thread stops the machine with a verdict: no recovery begins before the end. */
void lsi_shrink_stop_begin(struct ls_machine *);
void lsi_shrink_stop_end(struct ls_machine *);

/* This node leaves.  Afterwards it uses no more than the park counter. */
void lsi_shrink_leave(struct lsi_node_state *);

/* How many nodes wait in ls_shrink? */
uint32_t lsi_shrink_waiting(struct ls_machine *);

#endif
