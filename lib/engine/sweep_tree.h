/*
 * Plans along one tree: rounds in which few nodes talk.
 */
#ifndef LS_ENGINE_SWEEP_TREE_H
#define LS_ENGINE_SWEEP_TREE_H

#include "engine/sweep_wiring.h"

/* Bytes that the tree of this plan takes; 0: it is not along one. */
size_t ls_sweep_tree_bytes(const struct ls_sweeping *);
void ls_sweep_tree_make(struct ls_sweeping *, char *memory);
/* As ls_sweep_stage, of one round. */
int64_t ls_sweep_tree_round(struct ls_sweep_worker *, int64_t step);

#endif
