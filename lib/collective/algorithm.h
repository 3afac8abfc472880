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

/* THE table, NULL at the end. */
extern const struct lsi_algorithm *const lsi_algorithms[];

#endif
