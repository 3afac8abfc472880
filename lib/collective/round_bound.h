/*
 * Lower bounds of the number of rounds, from ports, degree and distances alone.
 *
 * A node that has a contribution sends it over at most `ports` links per round.  In hop mode it
 * uses each link once and never sends back.  So t rounds inform a limited number of nodes, and time
 * reversal gives the same limit for a reduction.  In the operations without a root, data of every
 * node must reach all nodes; in a scan, those of rank 0.  In hop mode a contribution moves one link
 * per round, and on a line the contributions of both ends meet.  Trees and odd rings have exact
 * bounds for one port (tree_bound.h).
 */
#ifndef LSI_COLLECTIVE_ROUND_BOUND_H
#define LSI_COLLECTIVE_ROUND_BOUND_H

#include "plan/plan_internal.h"

/* Fits the field lower_bound of an algorithm. */
int64_t lsi_round_lower_bound(const struct lsi_problem *);

/*
 * The same for schedules with one block per message: all-to-alls and shifts, by the loads of ports
 * (port_bound.h).  -1 if unknown, and for the other operations.
 */
int64_t lsi_block_round_bound(const struct lsi_problem *);

/*
 * The nodes that a message of the root can reach first in each round, fresh[1] in the first one, if
 * as many as possible are reached as early as possible; returns the rounds.  0: they are too many.
 */
enum { LSI_SPREAD_ROUNDS = 128 };
int64_t lsi_spread_rounds(const struct lsi_problem *, int64_t fresh[LSI_SPREAD_ROUNDS]);

/* The text for the field bound: on any network, and its values on star graphs. */
#define LSI_ROUND_BOUND "from ports, degree and distances; with one port at least ceil(log2 p)"
#define LSI_STAR_BOUND  "hop mode, one port: 3 5 8 10 13 16 19 22 for n = 3..10"

#endif
