/*
 * Odd-even exchanges: how the blocks of every node of an open line reach all its nodes.
 *
 * A line of s nodes has s runs of blocks.  Run c begins at coordinate c and spreads to both ends.
 * Link l joins the coordinates l and l + 1.  In round t the nodes of every link with l + t even
 * exchange:
 *
 *   s = 5, round 0     0 - 1   2 - 3   4
 *          round 1     0   1 - 2   3 - 4
 *          round 2     0 - 1   2 - 3   4
 *
 * So a run waits one round at most, then moves in every round, together with the run of a neighbor.
 * From round ceil(s/2) on, all runs move outward only.  Two termination variants exist:
 *
 *   s rounds       from round ceil(s/2) on, one run per message; after that round also on
 *                  adjacent links
 *   s - 1 rounds   every second link until the end, with two runs per message; s must be even, and
 *                  the volume is larger unless s is 2 or 4
 *
 * With two ports the runs of both directions move in every round, one per message, in s - 1 rounds.
 *
 * Positions and runs are numbered along a direction, so LSI_DOWN is the mirror image of LSI_UP.
 */
#ifndef LSI_COLLECTIVE_LINE_ODD_EVEN_H
#define LSI_COLLECTIVE_LINE_ODD_EVEN_H

#include "collective/line/chains.h"

/*
 * Whether the problem is a grid in hop mode with fewer than LS_NODES_MAX nodes: on a line of
 * LS_NODES_MAX nodes the counts would not fit into an int64_t.
 */
bool lsi_odd_even_supports(const struct lsi_problem *);

/* The rounds of a line: s - 1 for s = 2, s = 4 or two ports, else s; s - 1 for every even s. */
int64_t lsi_odd_even_rounds(const struct lsi_problem *, struct lsi_axis);
int64_t lsi_odd_even_rounds_in_pairs(const struct lsi_problem *, struct lsi_axis);

int64_t lsi_odd_even_position(int direction, struct lsi_axis, int64_t rank);

/* Runs; none if last < first. */
struct lsi_runs {
	int64_t first, last;
};

static inline bool lsi_runs_any(struct lsi_runs runs)
{
	return runs.first <= runs.last;
}

/* The first coordinate of the runs. */
static inline int64_t lsi_runs_first(struct lsi_runs runs, int direction, struct lsi_axis axis)
{
	return direction == LSI_UP ? runs.first : axis.side - 1 - runs.last;
}

/* The runs that the node at a position sends to the next one in round t of `rounds`. */
struct lsi_runs lsi_odd_even_sent(const struct lsi_problem *, struct lsi_axis, int64_t rounds,
	int direction, int64_t position, int64_t t);

/* The formula for the messages of a line in s rounds; with two ports in s - 1. */
int64_t lsi_odd_even_messages(int64_t side, bool two_ports);

#endif
