/*
 * Lower bound of the rounds of a shift by q in hop mode: the longest distance of a block, and the
 * messages of a node with its neighbors of degree 1, each of which sends and receives a block.
 */
#ifndef LSI_COLLECTIVE_SHIFT_BOUND_H
#define LSI_COLLECTIVE_SHIFT_BOUND_H

#include "collective/algorithm.h"

/* Fits the field lower_bound of an algorithm; -1 if there are too many nodes to visit them all. */
int64_t lsi_shift_bound(const struct lsi_problem *);

#endif
