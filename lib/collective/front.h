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
#ifndef LS_COLLECTIVE_FRONT_H
#define LS_COLLECTIVE_FRONT_H

#include "collective/grid.h"

enum { LS_UP, LS_DOWN, LS_CHAINS };           /* to higher coordinates, to lower ones */

/* On an axis: `source` is the root's coordinate. */
struct ls_front { int64_t source, length[LS_CHAINS], start[LS_CHAINS]; };

/* A node in its chain; the source is at distance 0. */
struct ls_front_place { int chain; int64_t distance; };

struct ls_front ls_front_of(const struct ls_problem *, struct ls_axis);
struct ls_front_place ls_front_place(const struct ls_front *, struct ls_axis, int64_t rank);

/* Rounds until the last node has heard; 1 or more, as side > 1. */
int64_t ls_front_rounds(const struct ls_problem *, struct ls_axis);

/* The port on which the source tells a chain. */
int ls_front_port(const struct ls_front *, int chain);

/* Who tells whom in a round; a reduction sends the other way in round rounds - 1 - round. */
void ls_front_peers(const struct ls_front *, struct ls_axis, int64_t rank, int64_t round,
	struct ls_peers *);

/* The formula for ls_front_rounds, by the distances of the source to the ends. */
int64_t ls_front_rounds_predicted(const struct ls_problem *, int dimension);

#endif
