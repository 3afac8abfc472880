/*
 * Shuffles on the binary de Bruijn network of 2^D nodes, D >= 2.
 *
 * Exactly one path of D links leads from a node u to a node v.  Each link shifts u up by one bit
 * and fills in the next bit of v, the highest first.  A stage is one link of all these paths:
 *
 *   D = 3, stage of node u = abc        successors bc0 and bc1
 *   round 2 i      rotation             to bca
 *   round 2 i + 1  complement           to bc(not a)
 *
 * Both rounds are permutations, so all nodes send and receive at once.  Only 0..0 and 1..1 rotate
 * to themselves.  After i stages v has data of the 2^i nodes whose low D - i bits equal the high
 * D - i bits of v: a strided slice.
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

/* Round 2 i is the rotation of stage i, round 2 i + 1 the one with the complemented bit. */
static inline bool lsi_shuffle_rotates(int64_t round)
{
	return round % 2 == 0;
}

/* The node that a node sends to in a round, and the node that it receives from. */
int64_t lsi_shuffle_next(const struct lsi_problem *, int64_t rank, int64_t round);
int64_t lsi_shuffle_previous(const struct lsi_problem *, int64_t rank, int64_t round);
void lsi_shuffle_peers(const struct ls_plan *, int64_t rank, int64_t round, struct lsi_peers *);

/* The blocks that a node has data of after this number of stages. */
struct ls_slice lsi_shuffle_slice(
	const struct lsi_problem *, int buffer, int64_t rank, int64_t stages);

/* Send `old` and store what arrives in `fresh`; a node that would send to itself copies. */
void lsi_shuffle_move(
	bool is_fixed, struct ls_slice fresh, struct ls_slice old, struct ls_step *step);

/* Counts with messages of one block; with blocks that double in every stage. */
struct ls_counts lsi_shuffle_counts(const struct lsi_problem *, size_t n);
struct ls_counts lsi_shuffle_block_counts(const struct lsi_problem *, size_t n);

/* The fields of every algorithm by shuffles. */
#define LSI_SHUFFLE_FIELDS \
	.name = "shuffle", .networks = "debruijn:D", .rounds = "2 D", \
	.bound = "hop mode, one port: about 1.14 D", .supports = lsi_shuffle_supports, \
	.lower_bound = lsi_round_lower_bound

#endif
