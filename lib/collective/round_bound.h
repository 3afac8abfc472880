/*
 * Least numbers of rounds, from the ports, the degree and the distances alone.
 *
 * A node that holds a contribution passes it on over at most `ports` links a round, in hop mode
 * over each link once, and never back.  So t rounds inform at most a certain number of nodes; time
 * reversal gives the same for a reduction.  An all-reduce or all-gather holds a broadcast from
 * every node, a reduce-scatter a reduction to every node.  In hop mode no contribution moves faster
 * than one link a round, and on a line those of both ends meet.
 */
#ifndef LSI_COLLECTIVE_ROUND_BOUND_H
#define LSI_COLLECTIVE_ROUND_BOUND_H

#include "plan/plan_internal.h"

/*
 * Rooted operations, all-reduce, barrier, all-gather, reduce-scatter; fits the field lower_bound of
 * an algorithm.
 */
int64_t lsi_round_lower_bound(const struct lsi_problem *);

/* Its values on star graphs, as text for the field bound. */
#define LSI_STAR_BOUND "by degree and diameter: 3 5 8 10 13 16 19 22 for n = 3..10"

#endif
