/*
 * Broadcasts in the fewest possible rounds on the star graphs S_1 .. S_8, from the root rank 0.
 * The links that messages use in a round form a matching: a node sends or receives at most one of
 * them.
 *
 *   n        1  2  3  4  5   6   7   8
 *   rounds   0  1  3  5  8  10  13  16
 *
 * These are the least numbers.  A round at most doubles the informed nodes, so ceil(log2 n!) rounds
 * are necessary; that proves all but n = 5.  For n = 5 this bound is 7.  A node other than the root
 * has n - 2 = 3 links to send on, so 7 rounds inform at most 1 + 1 + 2 + 4 + 8 + 14 + 26 + 48 = 104
 * of the 120 nodes.
 *
 * For another root g, the schedule is relabeled: node u acts as node g^-1 u.  This renames symbols,
 * so links keep their numbers.  g^-1 u maps i to the position in g of the i-th symbol of u
 * (lsi_permutation_relative(&u, &g)).
 *
 * Larger n: the levels k = n .. 9 of Sheu, Wu and Chen, ceil(log2(k - 1)) + 1 rounds each, inform
 * one node of every S_8.  All S_8 then execute the stored schedule at once, with that node as the
 * root.  This gives 20, 25, 30 rounds for n = 9, 10, 11; their own scheme needs 25, 30, 35.
 */
#ifndef LSI_COLLECTIVE_CAYLEY_MATCHING_TABLE_H
#define LSI_COLLECTIVE_CAYLEY_MATCHING_TABLE_H

#include <stdint.h>

#include "topology/permutation.h"

enum { LSI_MATCHING_SYMBOLS_MAX = 8 };

/* Rounds on S_n; 1 <= n <= LSI_MATCHING_SYMBOLS_MAX. */
int lsi_matching_rounds(int n);

/*
 * Write the schedule on S_n into two arrays of n! entries.  link[u] = 2..n leads from u to the node
 * that it receives from, and round[u] = 1.. is the round of that message.  Both are 0 at the root.
 * 1 <= n <= LSI_MATCHING_SYMBOLS_MAX.
 */
void lsi_matching_schedule(int n, uint8_t *link, uint8_t *round);

/*
 * The schedule is symmetric: it stays the same if symbols 1 and 2 swap, except for round 1, in
 * which rank 0 sends to rank 1.  So the table has only the nodes with symbol 1 left of symbol 2.
 * Returns u if it is such a node, else its mirror image, in which both symbols have swapped.
 *
 * Digit k of a rank counts the larger symbols left of position k, so it is at most k - 3 right of
 * both symbols.  The last digit >= k - 2 belongs to the rightmost of the two: k - 1 to symbol
 * 1, k - 2 to symbol 2.
 */
static inline int64_t lsi_matching_representative(int64_t u, int n)
{
	int k = n, digit;

	while ((digit = lsi_permutation_digit(u, k)) < k - 2)
		k--;
	return digit == k - 1 ? u - lsi_factorial(k - 1) : u;
}

#endif
