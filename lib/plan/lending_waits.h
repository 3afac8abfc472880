/*
 * Lending (law 8): which waits make it safe to send views of a node's own storage in free rounds.
 *
 * A slice sent in step s is read by its receiver during the receiver's moves of step s.  It may
 * be overwritten when the receiver is known to be past them: it acknowledged the message, or any
 * message that it sent in a later step has been taken.
 */
#ifndef LSI_PLAN_LENDING_WAITS_H
#define LSI_PLAN_LENDING_WAITS_H

#include "plan/plan_internal.h"

/*
 * For each step of a node the latest earlier step whose lent slice must be acknowledged before
 * this step's moves, which overwrite it; -1: none.  An engine then waits for everything lent up
 * to that step; and, before it returns, for everything.  A lend is proved finished by a message
 * straight from its receiver; longer chains are not looked for.
 *
 * Shape      waits has ls_plan_steps() entries.
 * Returns    LS_OK or LS_ERR_MEMORY
 * Cost       linear in the blocks that the node sends and writes
 */
int lsi_plan_waits(const ls_plan *, int64_t rank, int64_t *waits);

#endif
