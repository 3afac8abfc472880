/*
 * Words of links: how data spreads on a Cayley graph when all nodes use the same link in a round.
 *
 * u.l is the node that link l leads to from u; ranks are group elements, 0 the identity, so
 * u.l = product(u, 0.l), and every node sees the others in the same relation.  A word l_1 .. l_R is
 * complete when each displacement g, from u to u.g, is the product of some of its letters, left to
 * right: then whatever every node passes on over l_1, .., l_R reaches all.
 *
 *   ring            up, p - 1 times                                           rounds p - 1
 *   complete        1, 2, 4, .. ranks up                                      ceil(log2 p)
 *   hypercube       each dimension once                                       d
 *   star            found by search up to n = 9: 3, 6, 9, 13, 17, 22, 27 for n = 3..9; beyond,
 *                   link k, then k-1, .., 2, at each level k = 10..n
 *   pancake         found by search up to n = 8: 3, 5, 8, 11, 15, 19 for n = 3..8; beyond, link k,
 *                   then 2, 4, 8, .. and k - 1, at each level k: ceil(log2 (k-1)) + 1
 *   bubble-sort     link k, k-1, .., 2 at each level k = 2..n: n(n-1)/2, the diameter
 *   torus, product  the words of the dimensions or factors, the last first
 *
 * A level takes the nodes that differ in the first k - 1 symbols alone to those that differ in the
 * first k: it must bring position k to all k positions.
 */
#ifndef LSI_COLLECTIVE_CAYLEY_LINK_SEQUENCE_H
#define LSI_COLLECTIVE_CAYLEY_LINK_SEQUENCE_H

#include "collective/algorithm.h"
#include "collective/round_bound.h"

/* Hop mode, and a network with a word. */
bool lsi_sequence_supports(const struct lsi_problem *);
int64_t lsi_sequence_rounds(const struct ls_topology *);
/* The letter of a round, and the link that leads back from u.l to u. */
int64_t lsi_sequence_link(const struct ls_topology *, int64_t round);
int64_t lsi_sequence_link_back(const struct ls_topology *, int64_t round);
/* What every node sends to and receives from in a round: u.l, and the v with v.l == u. */
void lsi_sequence_peers(const struct ls_plan *, int64_t rank, int64_t round, struct lsi_peers *);

/* Ranks after which a round repeats: aligned blocks of so many that its links do not leave. */
int64_t lsi_sequence_period(const struct ls_topology *, int64_t round);

/*
 * Hops of the blocks for all displacements together, as formulas; INT64_MAX where too many to be
 * told.  Several subwords may lead to a displacement.  Spreading, a block takes the one that is
 * complete first; exchanged, the shortest.
 */
struct lsi_sequence_costs {
	int64_t spread;
	int64_t messages; /* of a gather to one node, of blocks that go as if spread */
	int64_t exchanged;
};
struct lsi_sequence_costs lsi_sequence_costs_of(const struct ls_topology *);

/* The fields of every algorithm that follows a link sequence. */
#define LSI_SEQUENCE_FIELDS \
	.name = "word", \
	.networks = "ring torus hypercube complete star pancake bubblesort, and products of these", \
	.rounds = "length of the link sequence; on star:3..9: 3 6 9 13 17 22 27", \
	.bound = "by degree and diameter: 3 5 8 10 13 16 19 on star:3..9", \
	.source = "this project: link sequences found by search", .lower_bound = lsi_round_lower_bound

#endif
