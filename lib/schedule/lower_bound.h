/*
 * Lower bounds of the number of rounds: what an algorithm knows by a formula, and what the table of
 * records knows by a refutation.
 */
#ifndef LSI_SCHEDULE_LOWER_BOUND_H
#define LSI_SCHEDULE_LOWER_BOUND_H

#include "plan/plan_internal.h"

/* Rounds that every algorithm needs; -1: unknown. */
int64_t lsi_lower_bound(const struct lsi_algorithm *, const struct lsi_problem *);
/* The same by the formula alone. */
int64_t lsi_lower_bound_by_formula(const struct lsi_algorithm *, const struct lsi_problem *);

#endif
