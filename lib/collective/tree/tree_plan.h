/*
 * The functions of algorithms on a spanning tree; plan->table is a struct lsi_tree.
 *
 * In a scatter or gather a subtree is a run of the preorder of the tree.  A node stores the blocks
 * of its subtree by preorder numbers; only the root uses ranks.
 */
#ifndef LSI_COLLECTIVE_TREE_TREE_PLAN_H
#define LSI_COLLECTIVE_TREE_TREE_PLAN_H

#include "collective/tree/spanning_tree.h"

/* Broadcast, reduce and all-reduce.  The tree adds the rounds to the frame. */
struct lsi_frame lsi_tree_frame(const struct lsi_problem *);
void lsi_tree_peers(const struct ls_plan *, int64_t rank, int64_t round, struct lsi_peers *);
int64_t lsi_tree_shape(const struct ls_plan *, int64_t rank, int64_t round);
extern const struct lsi_whole_machine lsi_tree_broadcast, lsi_tree_reduce;

/* Scatter and gather; the peers are the same. */
struct lsi_frame lsi_tree_scatter_frame(const struct lsi_problem *);
int lsi_tree_scatter_prepare_with(struct ls_plan *, struct lsi_tree *);
void lsi_tree_scatter_body(const struct ls_plan *, int64_t round, int64_t rank, struct ls_step *);
extern const struct lsi_whole_machine lsi_tree_scatter;

#endif
