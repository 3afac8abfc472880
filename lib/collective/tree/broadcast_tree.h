/*
 * Broadcast along a tree: who passes it on to whom is the algorithm's; what they do is the same in
 * all.
 *
 * The root sends INPUT and keeps a copy in OUTPUT; every other node receives once, on port 0, into
 * OUTPUT, and sends that.  A step depends on the algorithm's peers alone.
 */
#ifndef LSI_COLLECTIVE_TREE_BROADCAST_TREE_H
#define LSI_COLLECTIVE_TREE_BROADCAST_TREE_H

#include "collective/algorithm.h"

int64_t lsi_broadcast_shape(const struct ls_plan *, int64_t rank, int64_t round);
/* The same of a node whose edge is known. */
int64_t lsi_broadcast_edge_shape(
	const struct ls_plan *, int64_t rank, int64_t round, struct lsi_edge);
void lsi_broadcast_body(const struct ls_plan *, int64_t round, int64_t shape, struct ls_step *);

/* Counts of a tree on all nodes whose every round has a message: p - 1 messages of n elements. */
struct ls_counts lsi_broadcast_counts(const struct lsi_problem *, int64_t rounds, size_t n);

#endif
