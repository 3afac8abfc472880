/*
 * Zero-copy messages (law 8): the waits that make them safe in free rounds.
 *
 * A zero-copy message is not copied to a buffer: its receiver reads the sender's storage, during
 * the moves of the step in which it was sent.  The sender may overwrite that storage when it knows
 * that the receiver finished these moves.  It knows this from an acknowledgment, or from a message
 * that the receiver sent in a later step.
 *
 *   sender     send x to v (step s) . . . . . . . . . . . . overwrite x (step t)
 *                        \                            ^
 *   v                     moves of step s read x -- acknowledgment, or a message of step > s
 */
#ifndef LSI_PLAN_ZERO_COPY_WAITS_H
#define LSI_PLAN_ZERO_COPY_WAITS_H

#include "plan/plan_internal.h"

/*
 * Compute the waits of a node.  waits[t] = s: before the moves of step t, the node waits for the
 * acknowledgments of all messages that it sent in steps up to s; -1: it does not wait.  Before a
 * call returns, the engine waits for all acknowledgments.  Only a message that comes directly from
 * the receiver replaces an acknowledgment; chains over other nodes do not.
 *
 * Shape      waits has ls_plan_steps() entries.
 * Returns    LS_OK or LS_ERR_MEMORY
 * Cost       at most the blocks that the node sends and writes, times the number of steps
 */
int lsi_plan_zero_copy_waits(const ls_plan *, int64_t rank, int64_t *waits);

#endif
