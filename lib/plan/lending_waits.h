/*
 * Lending (law 8): the waits that make it safe to send views of a node's own storage in free
 * rounds.
 *
 * A receiver reads a slice sent in step s during its moves of step s.  The sender may overwrite the
 * slice when it knows that the receiver has passed them: the receiver acknowledged the message, or
 * the sender has received a message that the receiver sent in a later step.
 *
 *   sender     send x to v (step s) . . . . . . . . . . . . overwrite x (step t)
 *                        \                            ^
 *   v                     moves of step s read x -- acknowledgement, or a message of step > s
 */
#ifndef LSI_PLAN_LENDING_WAITS_H
#define LSI_PLAN_LENDING_WAITS_H

#include "plan/plan_internal.h"

/*
 * For each step of a node the latest earlier step whose lent slice must be acknowledged before
 * this step's moves, which overwrite it; -1: none.  An engine then waits for everything lent up
 * to that step; and, before it returns, for everything.  Only a message straight from the receiver
 * ends a lend without a wait; longer chains of messages do not count.
 *
 * Shape      waits has ls_plan_steps() entries.
 * Returns    LS_OK or LS_ERR_MEMORY
 * Cost       linear in the blocks that the node sends and writes
 */
int lsi_plan_waits(const ls_plan *, int64_t rank, int64_t *waits);

#endif
