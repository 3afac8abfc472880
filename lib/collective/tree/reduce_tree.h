/*
 * Reduction along a tree with one block per message: the step of a node in a round.
 *
 * A node keeps its partial result in scratch, the root in OUTPUT.  Before its first receive the
 * partial result is INPUT.
 */
#ifndef LSI_COLLECTIVE_TREE_REDUCE_TREE_H
#define LSI_COLLECTIVE_TREE_REDUCE_TREE_H

#include "collective/algorithm.h"

/* Bits of a shape. */
enum {
	LSI_REDUCE_ROOT = 1, /* has its partial result in OUTPUT */
	LSI_REDUCE_SENDS = 2,
	LSI_REDUCE_RECEIVES = 4,
	LSI_REDUCE_HELD = 8,  /* has combined in an earlier round */
	LSI_REDUCE_ABOVE = 16 /* receives from higher ranks */
};

void lsi_reduce_body(const struct ls_plan *, int64_t round, int64_t shape, struct ls_step *);

/* The root needs no scratch. */
struct lsi_window lsi_reduce_window(const struct ls_plan *, int64_t rank, int k);
extern const struct lsi_whole_machine lsi_reduce_whole; /* the window alone */

#endif
