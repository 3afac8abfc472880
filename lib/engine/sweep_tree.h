/*
 * Plans along one tree: rounds in which few nodes talk.
 */
#ifndef LS_ENGINE_SWEEP_TREE_H
#define LS_ENGINE_SWEEP_TREE_H

#include "engine/sweep_wiring.h"

/* The tree of the wiring, or its bytes; none where the plan is not along one. */
void ls_sweep_tree_lay(struct ls_sweeping *, struct ls_layout *);
/* As ls_sweep_stage, of one round. */
int64_t ls_sweep_tree_round(struct ls_sweep_worker *, int64_t step);

#endif
