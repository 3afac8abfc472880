/*
 * Prefix sums: how OUTPUT of a scan or exscan grows.
 *
 * It stands for a range of ranks that ends with the node's own (exscan: just before it), and takes
 * in sums of the ranks just before that range.  Until the first it has not begun: then the node's
 * own operand is still in INPUT alone.  Rank 0 takes in nothing.
 */
#ifndef LSI_COLLECTIVE_PREFIX_H
#define LSI_COLLECTIVE_PREFIX_H

#include "collective/axis.h"

#define LSI_PREFIXES (LSI_FOR(LS_SCAN) | LSI_FOR(LS_EXSCAN))

static inline bool lsi_is_prefix(const struct lsi_problem *problem)
{
	return LSI_FOR(problem->operation) & LSI_PREFIXES;
}

/* Block b of OUTPUT takes in a sum. */
void lsi_prefix_combine(
	const struct lsi_problem *, int64_t b, bool begun, struct ls_slice sum, struct ls_step *);

/* OUTPUT, one block, takes in the sum of these, in order; spare is a block for that sum. */
void lsi_prefix_combine_all(const struct lsi_problem *, bool begun, struct ls_slice blocks,
	struct ls_slice spare, struct ls_step *);

/* What rank 0 does: a scan's OUTPUT is its INPUT. */
void lsi_prefix_first(const struct lsi_problem *, int64_t blocks, struct ls_step *);

/*
 * The shape of a step of an algorithm that goes axis by axis and folds when a phase ends: it
 * depends on the coordinates on this axis and, when its phase ends, on the next, and in a scan on
 * whether any before is not 0.  It is a rank that agrees in them.
 */
int64_t lsi_prefix_shape(
	const struct ls_plan *, lsi_axis_rounds *rounds_on, int64_t rank, int64_t round);
/*
 * Its period, and that of a local step before the rounds in which a node moves its value to the
 * place that it has on the first axis.
 */
int64_t lsi_prefix_period(const struct ls_plan *, lsi_axis_rounds *rounds_on, int64_t round);

#endif
