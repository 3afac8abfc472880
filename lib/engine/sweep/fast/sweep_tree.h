/* Plans whose messages follow one tree: few nodes use a port in a round. */
#ifndef LSI_ENGINE_SWEEP_FAST_SWEEP_TREE_H
#define LSI_ENGINE_SWEEP_FAST_SWEEP_TREE_H

#include "engine/sweep/fast/sweep_fast.h"

/* Lay out the tree of the fast path; it takes no bytes if the plan does not follow a tree. */
void lsi_sweep_tree_layout(struct lsi_sweep_state *, struct lsi_memory_layout *);
/* The same as lsi_sweep_stage, for a stage of one round. */
int64_t lsi_sweep_tree_round(struct lsi_sweep_worker *, int64_t step);

#endif
