/*
 * Prefix sums: how a scan or exscan builds its OUTPUT.
 *
 * OUTPUT holds the sum of a range of ranks that ends with the node itself, in an exscan just before
 * it.  Each step adds the sum of the ranks just below that range.  Before the first step `begun` is
 * false, and only INPUT has the operand of the node.  Rank 0 adds nothing.
 */
#ifndef LSI_COLLECTIVE_PREFIX_H
#define LSI_COLLECTIVE_PREFIX_H

#include "collective/axis.h"

#define LSI_PREFIXES (LSI_FOR(LS_SCAN) | LSI_FOR(LS_EXSCAN))

static inline bool lsi_is_prefix(const struct lsi_problem *problem)
{
	return LSI_FOR(problem->operation) & LSI_PREFIXES;
}

/* Add a sum of lower ranks to block b of OUTPUT. */
void lsi_prefix_combine(
	const struct lsi_problem *, int64_t b, bool begun, struct ls_slice sum, struct ls_step *);

/*
 * Add several sums of lower ranks, in order, to the one block of OUTPUT; `spare` is a scratch
 * block.
 */
void lsi_prefix_combine_all(const struct lsi_problem *, bool begun, struct ls_slice blocks,
	struct ls_slice spare, struct ls_step *);

/* The step of rank 0: copy INPUT to OUTPUT in a scan. */
void lsi_prefix_first(const struct lsi_problem *, int64_t blocks, struct ls_step *);

/*
 * The shape of a step of an algorithm that works axis by axis and folds at the end of a phase.  It
 * depends on the coordinate on this axis and, at the end of a phase, on that on the next axis.  In
 * a scan or exscan it also depends on whether an earlier coordinate is not 0.  The value is a rank
 * that agrees in all of these.
 */
int64_t lsi_prefix_shape(
	const struct ls_plan *, lsi_axis_rounds *rounds_on, int64_t rank, int64_t round);
/*
 * The period of such a step.  Also that of the local step before the rounds, in which a node copies
 * its value to the slot of its coordinate on the first axis.
 */
int64_t lsi_prefix_period(const struct ls_plan *, lsi_axis_rounds *rounds_on, int64_t round);

#endif
