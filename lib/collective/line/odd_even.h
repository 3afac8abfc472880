/*
 * Odd-even exchanges: how what every node of an open line has comes to all its nodes.
 *
 * A line of s nodes has s runs of blocks; run c begins at coordinate c and spreads to both ends. In
 * round t the nodes of every link l with l + t even exchange, so a run waits for one round at most,
 * then goes on in every round, beside the run of a neighbor. From round ceil(s/2) on the fronts
 * have passed each other: nodes only tell outward. There are two ways to end:
 *
 *   s rounds       over every link, in every round, a run a message
 *   s - 1 rounds   by exchanges as before, two runs a message; s even (2 and 4: at no cost)
 *
 * With two ports the runs of both directions go in every round, one in a message: s - 1 rounds.
 *
 * A direction is a direction; places and runs are numbered along it, so that LSI_DOWN is the mirror
 * image of LSI_UP.
 */
#ifndef LSI_COLLECTIVE_LINE_ODD_EVEN_H
#define LSI_COLLECTIVE_LINE_ODD_EVEN_H

#include "collective/line/chains.h"

/* Is there a grid to cross hop by hop? The rounds of the longest line would not fit an int64_t. */
bool lsi_odd_even_supports(const struct lsi_problem *);

/* Rounds of a line: the first way to end, and the second where the side is even. */
int64_t lsi_odd_even_rounds(const struct lsi_problem *, struct lsi_axis);
int64_t lsi_odd_even_rounds_in_pairs(const struct lsi_problem *, struct lsi_axis);

int64_t lsi_odd_even_position(int direction, struct lsi_axis, int64_t rank);

/* None when last < first. */
struct lsi_runs {
	int64_t first, last;
};

static inline bool lsi_runs_any(struct lsi_runs runs)
{
	return runs.first <= runs.last;
}

/* The runs from coordinate `first` on, however a direction numbers them. */
static inline int64_t lsi_runs_first(struct lsi_runs runs, int direction, struct lsi_axis axis)
{
	return direction == LSI_UP ? runs.first : axis.side - 1 - runs.last;
}

/* What the node at a position tells the next one in round t of so many. */
struct lsi_runs lsi_odd_even_sent(const struct lsi_problem *, struct lsi_axis, int64_t rounds,
	int direction, int64_t position, int64_t t);

/* The formula for the messages of a line in s rounds, with two ports in s - 1. */
int64_t lsi_odd_even_messages(int64_t side, bool two_ports);

#endif
