/*
 * Scatter and gather along a tree: a message has the blocks of a whole subtree.
 *
 * In a scatter the root sends from INPUT.  Every other node receives once, stores the blocks of its
 * subtree in scratch 0 and sends parts of them to its children.  A gather is the scatter in reverse
 * time order, and the root receives into OUTPUT.  A leaf needs no scratch.
 */
#ifndef LSI_COLLECTIVE_TREE_SCATTER_TREE_H
#define LSI_COLLECTIVE_TREE_SCATTER_TREE_H

#include "collective/tree/reversal.h"

/*
 * The message on a tree edge in a round, from the view of one node.  edge.last: the root, or a node
 * that gathers, also adds its own block in this round.
 */
struct lsi_subtree_message {
	struct lsi_edge edge;
	struct ls_slice blocks; /* of the child's subtree, in the numbers of this node; any buffer */
	int64_t own;            /* the node's own block in the same numbers */
};

void lsi_subtree_body(
	const struct ls_plan *, int64_t rank, const struct lsi_subtree_message *, struct ls_step *);

#endif
