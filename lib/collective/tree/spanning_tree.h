/*
 * A spanning tree on any network without switches.  The parent of a node is given, or it is the
 * first hop of its route to the root: then the tree consists of shortest paths.
 *
 * A node that has received sends to its children in consecutive rounds, first to the one whose
 * subtree takes longest.  No other order on this tree needs fewer rounds.  Subtrees are contiguous
 * in preorder.
 */
#ifndef LSI_COLLECTIVE_TREE_SPANNING_TREE_H
#define LSI_COLLECTIVE_TREE_SPANNING_TREE_H

#include "collective/tree/reversal.h"

struct lsi_tree_node {
	int64_t parent;
	int64_t received;        /* the round in which it receives; -1: the root */
	int64_t first, children; /* its children are child[first ..] */
	int64_t size;            /* nodes of its subtree, with the node itself */
};

struct lsi_tree {
	int64_t rounds;
	struct lsi_tree_node *node;
	int64_t *child;    /* of all nodes, in the order in which each one sends to them */
	int64_t *preorder; /* the preorder number of each node */
	int64_t *order;    /* the node with each preorder number */
};

/*
 * One object, released by lsi_free; NULL: no memory.  Without `parent`, the tree of shortest paths.
 */
struct lsi_tree *lsi_tree_make(
	const struct ls_topology *, int64_t root, const int32_t *parent_or_null);

/*
 * The prepare() of an algorithm on a tree, NULL: no memory.  Sets plan->table and the rounds; those
 * of an all-reduce that meets in the middle.
 */
int lsi_tree_prepare_with(struct ls_plan *, struct lsi_tree *);
/* The same on the tree of shortest paths. */
int lsi_tree_prepare(struct ls_plan *);

/* The edge of a node in a round of the broadcast. */
struct lsi_edge lsi_tree_edge(const struct lsi_tree *, int64_t rank, int64_t round);

/*
 * Rounds of the broadcast, computed without the tree: by a formula where one is known, else by
 * recursion over the topology, in time p degree^2.  -1: no memory for the recursion.
 */
int64_t lsi_tree_rounds(const struct ls_topology *, int64_t root);
int64_t lsi_tree_rounds_by_recursion(const struct ls_topology *, int64_t root);

/*
 * For a gather that sends whole subtrees: the sum over the rounds of the blocks of the longest
 * message, -1: no memory; and the blocks of all messages.  The first one overwrites `preorder`.
 */
int64_t lsi_tree_measure_volume(const struct ls_topology *, struct lsi_tree *);
int64_t lsi_tree_volume(const struct ls_topology *, int64_t root);
int64_t lsi_tree_hops(const struct ls_topology *, int64_t root);

#endif
