/*
 * A spanning tree of shortest paths on any topology: the parent is the first hop of the route to
 * the root.
 *
 * A node that has received tells its children in consecutive rounds, first the one whose subtree
 * takes longest; no order of the same tree needs fewer rounds.  Subtrees are contiguous in
 * preorder.
 */
#ifndef LSI_COLLECTIVE_TREE_SPANNING_TREE_H
#define LSI_COLLECTIVE_TREE_SPANNING_TREE_H

#include "collective/tree/reversal.h"

struct lsi_tree_node {
	int64_t parent;
	int64_t received;        /* the round in which it hears; -1: the root */
	int64_t first, children; /* its children are child[first ..] */
	int64_t size;            /* nodes of its subtree, itself included */
};

struct lsi_tree {
	int64_t rounds;
	struct lsi_tree_node *node;
	int64_t *child;    /* of all nodes, in the order in which each tells them */
	int64_t *preorder; /* number in preorder */
	int64_t *order;    /* the node at a preorder */
};

/* One object, released by lsi_free; NULL: no memory. */
struct lsi_tree *lsi_tree_make(const struct ls_topology *, int64_t root);

/*
 * prepare() of an algorithm on this tree: makes plan->table, a struct lsi_tree, and sets the
 * rounds, of an all-reduce those of one that meets.
 */
int lsi_tree_prepare(struct ls_plan *);

/* What a node does in a round of the broadcast. */
struct lsi_edge lsi_tree_edge(const struct lsi_tree *, int64_t rank, int64_t round);

/*
 * Rounds of the broadcast, apart from the tree: in closed form where one is known, else by
 * recursion over the topology, which is linear in its links; -1 when there is no memory for that.
 */
int64_t lsi_tree_rounds(const struct ls_topology *, int64_t root);
int64_t lsi_tree_rounds_by_recursion(const struct ls_topology *, int64_t root);

/*
 * Of a gather that sends whole subtrees: blocks of the longest message of each round, summed; -1
 * when there is no memory for it.  And the blocks of all its messages.
 */
int64_t lsi_tree_volume(const struct ls_topology *, int64_t root);
int64_t lsi_tree_hops(const struct ls_topology *, int64_t root);

#endif
