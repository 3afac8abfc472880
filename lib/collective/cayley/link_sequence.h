/*
 * Link sequences: all nodes of a Cayley graph use the same link in a round.
 *
 * u.l is the neighbor of u over link l.  Ranks are group elements, and 0 is the identity.  So u.l =
 * product(u, 0.l), and the network looks the same from every node.  A link sequence l_1 .. l_R is
 * complete if every displacement g, from u to u.g, is the product of a subsequence of its links,
 * from left to right.  Then data that every node forwards over l_1, .., l_R reaches all nodes.  For
 * example, 2 3 2 is complete on star:3, where link k swaps the symbols at the positions 1 and k.
 * Rows are displacements, columns the rounds in which a block with this displacement crosses a
 * link:
 *
 *   round          1      2      3
 *   link           2      3      2
 *   123 to 213     hop
 *   123 to 312     hop    hop
 *   123 to 132     hop    hop    hop
 *   123 to 321            hop
 *   123 to 231            hop    hop
 *
 *   network         sequence                                                   rounds
 *   ring            up, p - 1 times                                            p - 1
 *   complete        1, 2, 4, .. ranks up                                       ceil(log2 p)
 *   hypercube       each dimension once                                        d
 *   star            found by search up to n = 9; beyond it, link k, then       3, 6, 9, 13, 17, 22,
 *                   k-1, .., 2 at each level k = 10..n                         27 for n = 3..9
 *   pancake         found by search up to n = 8; beyond it, link k, then       3, 5, 8, 11, 15, 19
 *                   2, 4, 8, .. and k - 1: ceil(log2 (k-1)) + 1 per level      for n = 3..8
 *   bubble-sort     link k, k-1, .., 2 at each level k = 2..n                  n(n-1)/2
 *   torus, product  the sequences of the dimensions or factors, last first     their sum
 *
 * Before level k, data has reached all nodes that differ only in the first k - 1 symbols; after
 * level k, all that differ only in the first k.  So the links of a level must move the symbol at
 * position k to all k positions.
 */
#ifndef LSI_COLLECTIVE_CAYLEY_LINK_SEQUENCE_H
#define LSI_COLLECTIVE_CAYLEY_LINK_SEQUENCE_H

#include "collective/algorithm.h"
#include "collective/round_bound.h"

/* Whether a problem is in hop mode on a network with a link sequence. */
bool lsi_sequence_supports(const struct lsi_problem *);
int64_t lsi_sequence_rounds(const struct ls_topology *);
/* The link of a round, and the link that leads back from u.l to u. */
int64_t lsi_sequence_link(const struct ls_topology *, int64_t round);
int64_t lsi_sequence_link_back(const struct ls_topology *, int64_t round);
/* The peers of a node in a round: it sends to u.l and receives from the v with v.l == u. */
void lsi_sequence_peers(const struct ls_plan *, int64_t rank, int64_t round, struct lsi_peers *);

/*
 * The number of ranks after which a round repeats; its links stay in aligned blocks of this size.
 */
int64_t lsi_sequence_period(const struct ls_topology *, int64_t round);

/*
 * Total hops over all displacements, computed without the table of a plan; INT64_MAX: unknown.
 * Several subsequences may lead to the same displacement.  The first path is the one that ends in
 * the earliest round; the shortest path has the fewest links.
 */
struct lsi_sequence_costs {
	int64_t first_path_hops;
	int64_t first_path_messages; /* of a gather whose blocks take their first paths */
	int64_t shortest_path_hops;
};
struct lsi_sequence_costs lsi_sequence_costs_of(const struct ls_topology *);

/* The fields of every algorithm along a link sequence. */
#define LSI_SEQUENCE_FIELDS \
	.name = "word", \
	.networks = "ring torus hypercube complete star pancake bubblesort, and products of these", \
	.rounds = "length of the link sequence: 3 6 9 13 17 22 27 on star:3..9", \
	.bound = "from ports, degree and diameter; one port: 3 5 8 10 13 16 19 on star:3..9", \
	.source = "this project: link sequences found by search", .lower_bound = lsi_round_lower_bound

#endif
