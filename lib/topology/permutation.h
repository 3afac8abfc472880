/*
 * Permutations and their ranks, for star graphs and other Cayley graphs of permutations.
 *
 * A permutation of n symbols is written q_1 q_2 .. q_n, as in the literature; symbol[0] is unused.
 *
 * Ranks are reverse colexicographic: digit(k) is how many of q_1 .. q_{k-1} are larger than q_k,
 * and the rank is the sum of digit(k) (k-1)! over k = 2..n.  Hence 12..n is 0, 213..n is 1; nodes
 * with the same last symbols are a contiguous range; and a rearrangement of the first k symbols
 * moves a node inside its aligned block of k! ranks.
 */
#ifndef LSI_TOPOLOGY_PERMUTATION_H
#define LSI_TOPOLOGY_PERMUTATION_H

#include <stdint.h>

enum { LSI_SYMBOLS_MAX = 20 }; /* 20! < 2^62 < 21! */

struct lsi_permutation {
	int n;
	uint8_t symbol[LSI_SYMBOLS_MAX + 1];
};

int64_t lsi_factorial(int n); /* 0 <= n <= LSI_SYMBOLS_MAX */

struct lsi_permutation lsi_permutation_of(int64_t rank, int n);
/* The same in place, which is faster: a copy waits until the symbols, byte by byte, are written. */
void lsi_permutation_init(struct lsi_permutation *, int64_t rank, int n);
int64_t lsi_permutation_rank(const struct lsi_permutation *);
int lsi_permutation_digit(int64_t rank, int k);
/* digit(k) for all k = 1..n, in digit[k]; there is room for LSI_SYMBOLS_MAX + 1. */
void lsi_permutation_digits(int64_t rank, int n, int *digit);

/* Where each symbol of `from` belongs: symbol[i] is the position in `to` of from.symbol[i]. */
struct lsi_permutation lsi_permutation_relative(
	const struct lsi_permutation *from, const struct lsi_permutation *to);

/*
 * One character per symbol: 1..9, then a = 10 .. k = 20.  write: the text has room for n + 1
 * characters.  read: the rank if the text is a permutation of n symbols, else any number.
 */
void lsi_permutation_write(const struct lsi_permutation *, char *text);
int64_t lsi_permutation_read(const char *text, int n);

/* Link k = 2..n of the star graph swaps q_1 and q_k: on a permutation, and on ranks alone. */
void lsi_star_swap(struct lsi_permutation *, int k);
int64_t lsi_star_neighbor(int64_t rank, int k);
/* The same for the ranks first .. first+count-1; much faster for many ranks. */
void lsi_star_neighbors(int64_t first, int64_t count, int k, int64_t *across);

#endif
