/*
 * The contract of a collective algorithm: one const struct ls_algorithm (plan/plan.h), a few pure
 * functions.
 *
 * Adding one is one file and one line in algorithms.c; it is then listed, checked, priced, drawn,
 * tested and run everywhere, because all of that iterates over the table.
 */
#ifndef LS_COLLECTIVE_ALGORITHM_H
#define LS_COLLECTIVE_ALGORITHM_H

#include "base/math.h"
#include "plan/plan.h"
#include "plan/step.h"
#include "topology/topology.h"

/* THE table, NULL at the end. */
extern const struct ls_algorithm *const ls_algorithms[];

#endif
