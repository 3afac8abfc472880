/*
 * Fronts: how a vector spreads from a source to all nodes of a line or ring, over one link a round.
 *
 * Two chains of nodes begin at the source, one up and one down. The node at distance k of a chain
 * hears in round start + k - 1 and tells the next in round start + k. With one port one chain
 * starts a round after the other, so the longer one is first:
 *
 *   line       max(a, b) rounds, one more if a = b, which are the distances of the source to the
 *              ends
 *   ring       ceil(s/2) rounds
 *   two ports  max(a, b), or ceil((s - 1)/2), rounds
 *
 * The same back in time is a reduction to the source. On a ring at most one chain then passes the
 * link between the last node and the first; it is the one that starts first, so it arrives last.
 */
#ifndef LSI_COLLECTIVE_LINE_CHAINS_H
#define LSI_COLLECTIVE_LINE_CHAINS_H

#include "collective/axis.h"
#include "collective/requirement.h"

enum { LSI_UP, LSI_DOWN, LSI_CHAINS }; /* to higher coordinates, to lower ones */

/* On an axis: `source` is the root's coordinate. */
struct lsi_chains {
	int64_t source, length[LSI_CHAINS], start[LSI_CHAINS];
};

/* A node in its chain; the source is at distance 0. */
struct lsi_chain_position {
	int chain;
	int64_t distance;
};

struct lsi_chains lsi_chains_of(const struct lsi_problem *, struct lsi_axis);
struct lsi_chain_position lsi_chain_position_of(
	const struct lsi_chains *, struct lsi_axis, int64_t rank);

/* Rounds until the last node has heard; 1 or more, as side > 1. */
int64_t lsi_chains_rounds(const struct lsi_problem *, struct lsi_axis);

/* The port on which the source tells a chain. */
int lsi_chain_port(const struct lsi_chains *, int chain);

/* Who tells whom in a round; a reduction sends the other way in round rounds - 1 - round. */
void lsi_chains_peers(
	const struct lsi_chains *, struct lsi_axis, int64_t rank, int64_t round, struct lsi_peers *);

/* The formula for lsi_chains_rounds, by the distances of the source to the ends. */
int64_t lsi_chains_rounds_predicted(const struct lsi_problem *, int dimension);

/* The fields of a broadcast, reduction, scatter or gather by chains: on a line, on a grid. */
#define LSI_CHAINS_ON_LINE \
	.name = "pipeline", .networks = "linear:P ring:P", .supports = lsi_is_line, \
	.rounds = "max(a, b), one port and a = b: one more; a, b nodes on each side of the root", \
	.bound = "the same"
#define LSI_CHAINS_ON_GRID \
	.name = "dimension", .networks = "mesh:RxC.. torus:RxC..", .supports = lsi_is_grid, \
	.rounds = "sum of the pipelines of the dimensions", .bound = "distance of the farthest node"

#endif
