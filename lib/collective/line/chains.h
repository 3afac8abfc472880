/*
 * Chains: how a vector spreads from a source to all nodes of a line or ring, over one link per
 * round.
 *
 * Two chains of nodes begin at the source, one up and one down.  The node at distance k of a chain
 * receives in round start + k - 1 and sends to the next one in round start + k.  With one port the
 * shorter chain starts one round later:
 *
 *   linear:7, source 2     node           0   1  (2)  3   4   5   6
 *                          receives in    2   1   -   0   1   2   3
 *
 *   line        max(a, b) rounds, one more if a = b; a and b nodes on each side of the source
 *   ring        ceil(s/2) rounds
 *   two ports   max(a, b), or ceil((s - 1)/2), rounds
 *
 * In reverse time order this is a reduction to the source.  On a ring at most one chain uses the
 * closing link, between the last node and the first.  In a reduction that chain arrives last: it
 * starts first in the order that the reduction reverses.
 */
#ifndef LSI_COLLECTIVE_LINE_CHAINS_H
#define LSI_COLLECTIVE_LINE_CHAINS_H

#include "collective/axis.h"
#include "collective/requirement.h"

enum { LSI_UP, LSI_DOWN, LSI_CHAINS }; /* to higher coordinates, to lower ones */

/* The chains of a line; `source` is the coordinate of the root. */
struct lsi_chains {
	int64_t source, length[LSI_CHAINS], start[LSI_CHAINS];
};

/* The position of a node in its chain; the source is at distance 0. */
struct lsi_chain_position {
	int chain;
	int64_t distance;
};

struct lsi_chains lsi_chains_of(const struct lsi_problem *, struct lsi_axis);
struct lsi_chain_position lsi_chain_position_of(
	const struct lsi_chains *, struct lsi_axis, int64_t rank);

/* The rounds until the last node has received; 1 or more, as side > 1. */
int64_t lsi_chains_rounds(const struct lsi_problem *, struct lsi_axis);

/* The port on which the source sends to a chain. */
int lsi_chain_port(const struct lsi_chains *, int chain);

/* The peers of a node in a round; a reduction swaps them in round rounds - 1 - round. */
void lsi_chains_peers(
	const struct lsi_chains *, struct lsi_axis, int64_t rank, int64_t round, struct lsi_peers *);

/* The formula of lsi_chains_rounds, by the distances of the source to the ends. */
int64_t lsi_chains_rounds_predicted(const struct lsi_problem *, int dimension);

/* The fields of a broadcast, reduction, scatter or gather by chains: on a line, on a grid. */
#define LSI_CHAINS_ON_LINE \
	.name = "pipeline", .networks = "linear:P ring:P", .supports = lsi_is_line, \
	.rounds = \
		"max(a, b), a + 1 if a = b with one port; a and b nodes on the two sides of the root", \
	.bound = "equal to rounds in hop mode"
#define LSI_CHAINS_ON_GRID \
	.name = "dimension", .networks = "mesh:RxC.. torus:RxC..", .supports = lsi_is_grid, \
	.rounds = "sum over all dimensions: rounds of pipeline", .bound = LSI_ROUND_BOUND

#endif
