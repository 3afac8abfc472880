/*
 * The results of a plan, each combined in the order of the plan.
 *
 * Sums and products of floating types round, so their bits depend on the order of the operands.
 * The replay uses only the steps of the plan and the arithmetic of element.h, and no engine or
 * kernel of the library.
 */
#ifndef LOCKSTEP_DATA_PLAN_REPLAY_H
#define LOCKSTEP_DATA_PLAN_REPLAY_H

#include "data/operands.h"

/*
 * One row per node; one row if all results are the same expression.  Without memory if order does
 * not matter, or if the plan exceeds the limits of a replay, or needs more than `memory` bytes for
 * it.
 */
struct matrix plan_replay(const ls_plan *, ls_op, const struct operands *, size_t memory);

#endif
