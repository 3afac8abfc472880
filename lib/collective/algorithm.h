/*
 * The contract of a collective algorithm: one const struct lsi_algorithm (plan/plan.h), a few pure
 * functions.
 *
 * Adding one is one file and one line in algorithms.c; it is then listed, checked, priced, drawn,
 * tested and run everywhere, because all of that iterates over the table.
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

/* THE table, NULL at the end. */
extern const struct lsi_algorithm *const lsi_algorithms[];

#endif
