/*
 * The message pattern of the star paper: levels k = 2..n, at level k the links k, k-1, .., 2.
 *
 * In a round all nodes use the same link both ways.  At level k a node exchanges with k - 1 others
 * of its S_k, which lie in the k - 1 other S_{k-1}.
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
/* With messages of a block; and of a block of every node of a sub-star. */
struct ls_counts lsi_level_counts(const struct lsi_problem *, size_t n);
struct ls_counts lsi_level_block_counts(const struct lsi_problem *, size_t n);

/*
 * How many of q_1 .. q_k are larger than a symbol that `larger` of q_1 .. q_i are larger than, by
 * the digits of the rank: digit(j) of those are also larger than q_j.
 */
static inline int lsi_digits_larger(const int *digit, int larger, int i, int k)
{
	for (int j = i + 1; j <= k; j++)
		larger += digit[j] <= larger;
	return larger;
}

/* How many of them are larger than q_i. */
static inline int lsi_digits_position(const int *digit, int i, int k)
{
	return lsi_digits_larger(digit, digit[i], i, k);
}

int64_t lsi_level_position(int64_t rank, int i, int k);
/* Blocks of the S_{k-1} with symbol q_i at position k, of the S_k that holds the node. */
struct ls_slice lsi_level_substar(int buffer, int64_t rank, int i, int k);

#endif
