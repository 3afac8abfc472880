/*
 * The message pattern of the star paper (Oh, Choi, Primeaux 2005; allreduce_paper.c): levels k =
 * 2..n, with the links k, k-1, .., 2 at level k.
 *
 * In a round all nodes use the same link in both directions.  S_k is the sub-star of the nodes that
 * agree in all symbols after position k.  At level k a node gets data of the other k - 1 sub-stars
 * S_{k-1} of its S_k.  For example S_3 has three sub-stars S_2, named by their last symbol:
 *
 *       ..3              ..2              ..1
 *   123 -2- 213 -3- 312 -2- 132 -3- 231 -2- 321 -3- (123)
 *
 * At level 3 node 123 gets the data of ..1 over link 3, from 321.  Then it gets over link 2, from
 * 213, what that node received over link 3: the data of ..2.
 */
#ifndef LSI_COLLECTIVE_CAYLEY_STAR_LEVELS_H
#define LSI_COLLECTIVE_CAYLEY_STAR_LEVELS_H

#include "collective/algorithm.h"
#include "collective/requirement.h"

struct lsi_level {
	int k, link;
};

static inline struct lsi_level lsi_level_of(int64_t round)
{
	int k = 2;

	for (; round >= k - 1; k++)
		round -= k - 1;
	return (struct lsi_level){ k, k - (int)round };
}

static inline int64_t lsi_level_rounds(const struct lsi_problem *problem)
{
	const int64_t n = problem->topology->number[0];

	return n * (n - 1) / 2;
}

void lsi_level_peers(const struct ls_plan *, int64_t rank, int64_t round, struct lsi_peers *);
/* Counts with messages of one block; with messages of one block per node of a sub-star. */
struct ls_counts lsi_level_counts(const struct lsi_problem *, size_t n);
struct ls_counts lsi_level_block_counts(const struct lsi_problem *, size_t n);

/*
 * How many of q_1 .. q_k, the first k symbols of a node, are larger than a given one of q_1 .. q_i;
 * `larger` of q_1 .. q_i are.  digit[j] is the number of symbols among q_1 .. q_{j-1} that are
 * larger than q_j.
 */
static inline int lsi_digits_larger(const int *digit, int larger, int i, int k)
{
	for (int j = i + 1; j <= k; j++)
		larger += digit[j] <= larger;
	return larger;
}

/* How many of q_1 .. q_k are larger than q_i. */
static inline int lsi_digits_position(const int *digit, int i, int k)
{
	return lsi_digits_larger(digit, digit[i], i, k);
}

/* The same, from the rank. */
int64_t lsi_level_position(int64_t rank, int i, int k);
/* The blocks of the S_{k-1} with symbol q_i at position k, in the S_k of the node. */
struct ls_slice lsi_level_substar(int buffer, int64_t rank, int i, int k);

#endif
