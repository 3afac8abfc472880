/*
 * Permutations and their ranks: what star graphs and other Cayley graphs of permutations stand on.
 *
 * A permutation of n symbols is written q_1 q_2 .. q_n, as in the literature; symbol[0] is unused.
 *
 * Ranks are reverse colexicographic: digit(k) is how many of q_1 .. q_{k-1} are larger than q_k,
 * and the rank is the sum of digit(k) (k-1)! over k = 2..n.  Hence 12..n is 0, 213..n is 1; nodes
 * with the same last symbols are a contiguous range; and what only rearranges the first k symbols
 * moves a node inside its aligned block of k! ranks.
 */
#ifndef LS_TOPOLOGY_PERMUTATION_H
#define LS_TOPOLOGY_PERMUTATION_H

#include <stdint.h>

enum { LS_SYMBOLS_MAX = 20 };                 /* 20! < 2^62 < 21! */

struct ls_permutation {
	int n;
	uint8_t symbol[LS_SYMBOLS_MAX + 1];
};

int64_t ls_factorial(int n);                  /* 0 <= n <= LS_SYMBOLS_MAX */

struct ls_permutation ls_permutation_of(int64_t rank, int n);
int64_t ls_permutation_rank(const struct ls_permutation *);
int ls_permutation_digit(int64_t rank, int k);
/* digit(k) for all k = 1..n, in digit[k]; there is room for LS_SYMBOLS_MAX + 1. */
void ls_permutation_digits(int64_t rank, int n, int *digit);

/* Where each symbol of `from` belongs: symbol[i] is the position in `to` of from.symbol[i]. */
struct ls_permutation ls_permutation_relative(const struct ls_permutation *from,
	const struct ls_permutation *to);

/*
 * One character a symbol: 1..9, then a = 10 .. k = 20.  The text has room for n + 1 characters;
 * what is read is the rank if the text is a permutation of n symbols, else any number.
 */
void ls_permutation_write(const struct ls_permutation *, char *text);
int64_t ls_permutation_read(const char *text, int n);

/* Link k = 2..n of the star graph swaps q_1 and q_k: on a permutation, and on ranks alone. */
void ls_star_swap(struct ls_permutation *, int k);
int64_t ls_star_across(int64_t rank, int k);
/* The same of `count` ranks from `first` on: of many, much faster. */
void ls_star_across_all(int64_t first, int64_t count, int k, int64_t *across);

#endif
