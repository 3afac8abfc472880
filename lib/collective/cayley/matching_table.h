/*
 * Broadcasts in the fewest rounds possible on the star graphs S_1 .. S_8, root rank 0.
 *
 *   n        1  2  3  4  5   6   7   8
 *   rounds   0  1  3  5  8  10  13  16
 *
 * Fewer are impossible: a round at most doubles the informed nodes, so ceil(log2 n!) are needed; at
 * n = 5, where that is 7, a node other than the root has only n - 2 = 3 links left to send on, so
 * that after 7 rounds at most 1 + 1 + 2 + 4 + 8 + 14 + 26 + 48 = 104 of the 120 nodes know.
 *
 * Any root g: relabelling the symbols is an automorphism that keeps the links, so node u behaves as
 * the permutation g^-1 u, which sends i to the position in g of u's symbol i
 * (lsi_permutation_relative(&u, &g)).
 *
 * Larger n: by the levels k = n .. 9 of Sheu, Wu and Chen, ceil(log2(k - 1)) + 1 rounds each, one
 * node of every S_8 learns the message; these S_8 then run the stored schedule side by side from
 * that node as root. 20, 25, 30 rounds for n = 9, 10, 11 (their own scheme: 25, 30, 35).
 */
#ifndef LSI_COLLECTIVE_CAYLEY_MATCHING_TABLE_H
#define LSI_COLLECTIVE_CAYLEY_MATCHING_TABLE_H

#include <stdint.h>

#include "topology/permutation.h"

enum { LSI_MATCHING_SYMBOLS_MAX = 8 };

/* Rounds on S_n; 1 <= n <= LSI_MATCHING_SYMBOLS_MAX. */
int lsi_matching_rounds(int n);

/*
 * The schedule on S_n, in arrays of n! entries that are the caller's: link[u] = 2..n leads from u
 * to the node that u hears from, round[u] = 1.. is when; both are 0 at the root.
 * 1 <= n <= LSI_MATCHING_SYMBOLS_MAX.
 */
void lsi_matching_schedule(int n, uint8_t *link, uint8_t *round);

/*
 * The schedule looks the same when symbols 1 and 2 change places, but for round 1, in which rank 0
 * tells rank 1. So it is kept only where symbol 1 stands left of symbol 2; this is the rank of u or
 * of its mirror image, whichever is so.
 *
 * A digit k - 1 says that symbol 1 is at position k or further right, k - 2 the same of symbol 2
 * with 1 before it, and every other symbol right of both has a smaller digit: the last digit
 * >= k - 2 decides.
 */
static inline int64_t lsi_matching_representative(int64_t u, int n)
{
	int k = n, digit;

	while ((digit = lsi_permutation_digit(u, k)) < k - 2)
		k--;
	return digit == k - 1 ? u - lsi_factorial(k - 1) : u;
}

#endif
