/*
 * Prefix sums: how OUTPUT of a scan or exscan grows.
 *
 * It stands for a range of ranks that ends with the node's own (exscan: just before it), and takes
 * in sums of the ranks just before that range.  Until the first it has not begun: then the node's
 * own operand is still in INPUT alone.  Rank 0 takes in nothing.
 */
#ifndef LS_COLLECTIVE_SCAN_PREFIX_H
#define LS_COLLECTIVE_SCAN_PREFIX_H

#include "collective/grid.h"

#define LS_PREFIXES (LS_FOR(LS_SCAN) | LS_FOR(LS_EXSCAN))

static inline bool ls_is_prefix(const struct ls_problem *problem)
{
	return LS_FOR(problem->operation) & LS_PREFIXES;
}

/* Block b of OUTPUT takes in a sum. */
void ls_prefix_take(const struct ls_problem *, int64_t b, bool begun, struct ls_slice sum,
	struct ls_step *);

/* OUTPUT, one block, takes in the sum of these, in order; spare is a block for that sum. */
void ls_prefix_take_all(const struct ls_problem *, bool begun, struct ls_slice blocks,
	struct ls_slice spare, struct ls_step *);

/* What rank 0 does: a scan's OUTPUT is its INPUT. */
void ls_prefix_first(const struct ls_problem *, int64_t blocks, struct ls_step *);

/*
 * The shape of a step of an algorithm that goes axis by axis and folds when a phase ends: it depends
 * on the coordinates on this axis and, when its phase ends, on the next, and in a scan on whether any
 * before is not 0.  It is a rank that agrees in them.
 */
int64_t ls_prefix_shape(const struct ls_plan *, ls_axis_rounds *lap, int64_t rank, int64_t round);
/*
 * Its period, and that of a local step before the rounds in which a node moves its value to the
 * place that it has on the first axis.
 */
int64_t ls_prefix_period(const struct ls_plan *, ls_axis_rounds *lap, int64_t round);

#endif
