/*
 * Least rounds of a shift by q in hop mode: the farthest that a block must go.
 */
#ifndef LSI_COLLECTIVE_SHIFT_BOUND_H
#define LSI_COLLECTIVE_SHIFT_BOUND_H

#include "collective/algorithm.h"

/* Fits the field lower_bound of an algorithm; -1 where there are too many nodes to ask them all. */
int64_t lsi_shift_bound(const struct lsi_problem *);

#endif
