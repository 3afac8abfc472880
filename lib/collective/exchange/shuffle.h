/*
 * Shuffles on the binary de Bruijn network of 2^D nodes, D >= 2.
 *
 * From every node u exactly one path of D links leads to every node v: each shifts u one place up
 * and fills in a bit of v, the highest first.  A stage takes one step on all these paths.  The two
 * successors of a node, 2u and 2u + 1 mod p, come in turn: over a rotation of u, and over one with
 * the bit complemented.  Both are permutations, so all nodes send and receive at once; only 0..0
 * and 1..1 rotate to themselves.
 *
 * After i stages v has to do with the 2^i nodes whose low D - i bits are v's high ones: a strided
 * slice.
 *
 *   source     H. S. Stone, "Parallel processing with the perfect shuffle", IEEE Trans. Computers
 *              C-20(2), 1971
 */
#ifndef LSI_COLLECTIVE_EXCHANGE_SHUFFLE_H
#define LSI_COLLECTIVE_EXCHANGE_SHUFFLE_H

#include "collective/algorithm.h"
#include "collective/round_bound.h"

bool lsi_shuffle_supports(const struct lsi_problem *);

static inline int64_t lsi_shuffle_stages(const struct lsi_problem *problem)
{
	return problem->topology->number[0];
}

/* Round 2 i is the rotation of stage i, round 2 i + 1 the one with the bit complemented. */
static inline bool lsi_shuffle_rotates(int64_t round)
{
	return round % 2 == 0;
}

/* The node that a node's block goes to in a round, and the one whose block it gets. */
int64_t lsi_shuffle_next(const struct lsi_problem *, int64_t rank, int64_t round);
int64_t lsi_shuffle_previous(const struct lsi_problem *, int64_t rank, int64_t round);
void lsi_shuffle_peers(const struct ls_plan *, int64_t rank, int64_t round, struct lsi_peers *);

/* The blocks that a node has to do with after so many stages. */
struct ls_slice lsi_shuffle_slice(
	const struct lsi_problem *, int buffer, int64_t rank, int64_t stages);

/* Messages of one block; of blocks that double with every stage. */
struct ls_counts lsi_shuffle_counts(const struct lsi_problem *, size_t n);
struct ls_counts lsi_shuffle_block_counts(const struct lsi_problem *, size_t n);

/* The fields of every algorithm by shuffles. */
#define LSI_SHUFFLE_FIELDS \
	.name = "shuffle", .networks = "debruijn:D", .rounds = "2 D", \
	.bound = "by degree and diameter: about 1.14 D", .supports = lsi_shuffle_supports, \
	.lower_bound = lsi_round_lower_bound

#endif
