/*
 * The contract of a collective algorithm: one const struct lsi_algorithm (plan/plan_internal.h) and
 * a few pure functions.
 *
 * A new algorithm is one file and one line in algorithms.c.  All tools and tests iterate over that
 * table, so the algorithm is then listed, checked, priced, drawn, tested and run.
 */
#ifndef LSI_COLLECTIVE_ALGORITHM_H
#define LSI_COLLECTIVE_ALGORITHM_H

#include "base/math.h"
#include "plan/plan_internal.h"
#include "plan/step.h"
#include "topology/topology_internal.h"

/* For `shape`: all nodes have the same body in every round. */
static inline int64_t lsi_one_shape(const struct ls_plan *plan, int64_t rank, int64_t round)
{
	(void)plan, (void)rank, (void)round;
	return 0;
}

/* For `predict`: every message has n elements, and every round has a message. */
static inline struct ls_counts lsi_equal_counts(int64_t rounds, int64_t messages, size_t n)
{
	return (struct ls_counts){ rounds, messages, lsi_mul_sat(messages, (int64_t)n),
		lsi_mul_sat(rounds, (int64_t)n) };
}

/* For `release`, if the topology keeps the table. */
static inline void lsi_release_kept(struct ls_plan *plan)
{
	plan->table = NULL;
}

/* The table of all algorithms; NULL ends it. */
extern const struct lsi_algorithm *const lsi_algorithms[];

#endif
