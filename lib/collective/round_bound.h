/*
 * Lower bounds of the number of rounds, from ports, degree and distances alone.
 *
 * A node that has a contribution sends it over at most `ports` links per round.  In hop mode it
 * uses each link once and never sends back.  So t rounds inform a limited number of nodes, and time
 * reversal gives the same limit for a reduction.  An all-reduce or all-gather contains a broadcast
 * from every node, and a reduce-scatter a reduction to every node.  In hop mode a contribution
 * moves one link per round, and on a line the contributions of both ends meet.
 */
#ifndef LSI_COLLECTIVE_ROUND_BOUND_H
#define LSI_COLLECTIVE_ROUND_BOUND_H

#include "plan/plan_internal.h"

/*
 * Holds for rooted operations, all-reduce, barrier, all-gather and reduce-scatter; fits the field
 * lower_bound of an algorithm.
 */
int64_t lsi_round_lower_bound(const struct lsi_problem *);

/* Its values on star graphs, as text for the field bound. */
#define LSI_STAR_BOUND "from degree and diameter: 3 5 8 10 13 16 19 22 for n = 3..10"

#endif
