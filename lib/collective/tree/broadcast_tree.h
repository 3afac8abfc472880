/*
 * Broadcast along a tree: the steps of the nodes.  The algorithm provides the peers.
 *
 * The root sends INPUT and copies it to OUTPUT.  Every other node receives once, on port 0, into
 * OUTPUT, and sends OUTPUT.  A step depends on the peers only.
 */
#ifndef LSI_COLLECTIVE_TREE_BROADCAST_TREE_H
#define LSI_COLLECTIVE_TREE_BROADCAST_TREE_H

#include "collective/algorithm.h"

int64_t lsi_broadcast_shape(const struct ls_plan *, int64_t rank, int64_t round);
/* The shape of a node whose edge is known. */
int64_t lsi_broadcast_edge_shape(
	const struct ls_plan *, int64_t rank, int64_t round, struct lsi_edge);
void lsi_broadcast_body(const struct ls_plan *, int64_t round, int64_t shape, struct ls_step *);

/* Counts of a tree on all nodes with a message in every round: p - 1 messages of n elements. */
struct ls_counts lsi_broadcast_counts(const struct lsi_problem *, int64_t rounds, size_t n);

#endif
