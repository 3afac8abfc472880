/*
 * Plans along one tree: rounds in which few nodes talk.
 */
#ifndef LSI_ENGINE_SWEEP_FAST_SWEEP_TREE_H
#define LSI_ENGINE_SWEEP_FAST_SWEEP_TREE_H

#include "engine/sweep/fast/sweep_fast.h"

/* The tree of the wiring, or its bytes; none where the plan is not along one. */
void lsi_sweep_tree_layout(struct lsi_sweep_state *, struct lsi_memory_layout *);
/* As lsi_sweep_stage, of one round. */
int64_t lsi_sweep_tree_round(struct lsi_sweep_worker *, int64_t step);

#endif
