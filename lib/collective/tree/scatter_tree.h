/*
 * Scatter and gather along a tree: a node sends the blocks of a whole subtree at once.
 *
 * In a scatter they go down: the root sends from INPUT; every other node receives once, keeps the
 * blocks of its subtree in scratch 0 and passes parts of them on.  A gather is the same back in
 * time, and the root receives into OUTPUT.  A leaf needs no scratch.
 */
#ifndef LSI_COLLECTIVE_TREE_SCATTER_TREE_H
#define LSI_COLLECTIVE_TREE_SCATTER_TREE_H

#include "collective/tree/reversal.h"

/*
 * What crosses a tree's edge in a round, as a node sees it.  edge.last: of the root, or of a node
 * that gathers, that it takes in its own block too.
 */
struct lsi_subtree_message {
	struct lsi_edge edge;
	struct ls_slice blocks; /* of the child's subtree, as the node numbers them; any buffer */
	int64_t own;            /* the node's own block in the same numbers */
};

void lsi_subtree_body(
	const struct ls_plan *, int64_t rank, const struct lsi_subtree_message *, struct ls_step *);

#endif
