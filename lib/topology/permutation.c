#include "topology/permutation.h"

#include <stdbool.h>
#include <string.h>

enum { LISTED = 16 }; /* symbols of four bits in a word */

static const char character[] = " 123456789abcdefghijk";

static const int64_t factorial[LSI_SYMBOLS_MAX + 1] = {
	1,
	1,
	2,
	6,
	24,
	120,
	720,
	5040,
	40320,
	362880,
	3628800,
	39916800,
	479001600,
	6227020800,
	87178291200,
	1307674368000,
	20922789888000,
	355687428096000,
	6402373705728000,
	121645100408832000,
	2432902008176640000,
};

int64_t lsi_factorial(int n)
{
	return factorial[n];
}

/* Divisors that the compiler knows become multiplications. */
#define TAKE(k) \
	if (n < (k)) \
		return; \
	digit[k] = (int)(rest % (k)); \
	rest /= (k);

void lsi_permutation_digits(int64_t rank, int n, int *digit)
{
	uint64_t rest = (uint64_t)rank;

	digit[1] = 0;
	/* clang-format off */
	TAKE(2) TAKE(3) TAKE(4) TAKE(5) TAKE(6) TAKE(7) TAKE(8) TAKE(9) TAKE(10) TAKE(11)
	TAKE(12) TAKE(13) TAKE(14) TAKE(15) TAKE(16) TAKE(17) TAKE(18) TAKE(19) TAKE(20)
	/* clang-format on */
}

/*
 * From the right, q_k is number k - digit(k) of the symbols that remain, which a word lists in
 * order, four bits each.  The word has room for 16 symbols.  Positions k > 16 are added after it,
 * in ascending order: q_k is number k - digit(k) of the first k, and those not below it move up by
 * one.
 */
void lsi_permutation_init(struct lsi_permutation *p, int64_t rank, int n)
{
	const int listed = n < LISTED ? n : LISTED;
	uint64_t left = 0xfedcba9876543210;
	int digit[LSI_SYMBOLS_MAX + 1];

	p->n = n;
	lsi_permutation_digits(rank, n, digit);
	for (int k = listed; k >= 1; k--) {
		const int at = 4 * (k - 1 - digit[k]);
		const uint64_t below = ((uint64_t)1 << at) - 1;

		p->symbol[k] = (uint8_t)(1 + (left >> at & 15));
		left = (left & below) | (left >> 4 & ~below);
	}
	for (int k = listed + 1; k <= n; k++) {
		const int symbol = k - digit[k];

		for (int i = 1; i < k; i++)
			p->symbol[i] = (uint8_t)(p->symbol[i] + (p->symbol[i] >= symbol));
		p->symbol[k] = (uint8_t)symbol;
	}
}

struct lsi_permutation lsi_permutation_of(int64_t rank, int n)
{
	struct lsi_permutation p = { 0 };

	lsi_permutation_init(&p, rank, n);
	return p;
}

int64_t lsi_permutation_rank(const struct lsi_permutation *p)
{
	int64_t rank = 0;

	for (int k = p->n; k > 1; k--) {
		int digit = 0;

		for (int i = 1; i < k; i++)
			digit += p->symbol[i] > p->symbol[k];
		rank += digit * factorial[k - 1];
	}
	return rank;
}

int lsi_permutation_digit(int64_t rank, int k)
{
	return (int)(rank / factorial[k - 1] % k);
}

struct lsi_permutation lsi_permutation_relative(
	const struct lsi_permutation *from, const struct lsi_permutation *to)
{
	struct lsi_permutation relative = { .n = from->n };
	uint8_t position[LSI_SYMBOLS_MAX + 1];

	for (int i = 1; i <= to->n; i++)
		position[to->symbol[i]] = (uint8_t)i;
	for (int i = 1; i <= from->n; i++)
		relative.symbol[i] = position[from->symbol[i]];
	return relative;
}

void lsi_permutation_write(const struct lsi_permutation *p, char *text)
{
	for (int i = 1; i <= p->n; i++)
		text[i - 1] = character[p->symbol[i]];
	text[p->n] = '\0';
}

int64_t lsi_permutation_read(const char *text, int n)
{
	struct lsi_permutation p = { .n = n };

	for (int i = 1; i <= n; i++) {
		const char *at = text[i - 1] ? strchr(character, text[i - 1]) : NULL;

		if (!at)
			return -1;
		p.symbol[i] = (uint8_t)(at - character);
	}
	return lsi_permutation_rank(&p);
}

void lsi_star_swap(struct lsi_permutation *p, int k)
{
	const uint8_t first = p->symbol[1];

	p->symbol[1] = p->symbol[k];
	p->symbol[k] = first;
}

/*
 * When a = q_1 and b = q_k are swapped, digit(i) for 1 < i < k loses one where q_i < a and gains
 * one where q_i < b; digit(k) becomes how many are larger than a.  The digits alone tell which are
 * smaller: how many of q_1 .. q_{i-1} are smaller than q_i is compared with how many of
 * q_2 .. q_{i-1} are smaller than a (counted from the left), and how many of q_1 .. q_i are smaller
 * than b (counted down from the right).  In the code, a and b are these two counts, not the
 * symbols.
 */
int64_t lsi_star_neighbor(int64_t rank, int k)
{
	int digit[LSI_SYMBOLS_MAX + 1], a = 0, b;
	int64_t change = 0;

	lsi_permutation_digits(rank, k, digit);
	b = k - 1 - digit[k];
	for (int i = 2, j = k - 1; i < k; i++, j--) {
		const int below_a = i - 1 - digit[i] <= a, below_b = j - 1 - digit[j] < b;

		a += below_a;
		b -= below_b;
		change += below_b * factorial[j - 1] - below_a * factorial[i - 1];
	}
	b = k - 1 - digit[k];
	a += b <= a;
	return rank + change + (b - a) * factorial[k - 1];
}

/*
 * The two sums of lsi_star_neighbor, one function each, which is slower.  lost: how much the digits
 * from .. to lower the rank when a leaves position 1.  *a counts the symbols below a.
 */
static int64_t lost(const int *digit, int from, int to, int *a)
{
	int64_t sum = 0;

	for (int i = from; i <= to; i++) {
		const int below_a = i - 1 - digit[i] <= *a;

		*a += below_a;
		sum += below_a * factorial[i - 1];
	}
	return sum;
}

/* How much they raise it when b comes there.  *b counts down the symbols below b. */
static int64_t gained(const int *digit, int from, int to, int *b)
{
	int64_t sum = 0;

	for (int i = to; i >= from; i--) {
		const int below_b = i - 1 - digit[i] < *b;

		*b -= below_b;
		sum += below_b * factorial[i - 1];
	}
	return sum;
}

/* ---- Ranks that differ in the order of the first symbols alone */

enum { FIRST = 5, ORDERS = 120 };

/* By the order of the first symbols, as a rank of FIRST symbols. */
struct orders {
	uint8_t smaller[ORDERS];           /* the first symbols below q_1 */
	int16_t left[ORDERS];              /* the rank after q_1 left */
	uint8_t gained[FIRST + 1][ORDERS]; /* [b]: the increase when a symbol above b of them comes */
};

static void tabulate(struct orders *of)
{
	for (int r = 0; r < ORDERS; r++) {
		int digit[LSI_SYMBOLS_MAX + 1], a = 0;

		lsi_permutation_digits(r, FIRST, digit);
		of->left[r] = (int16_t)(r - lost(digit, 2, FIRST, &a));
		of->smaller[r] = (uint8_t)a;
		for (int b = 0; b <= FIRST; b++)
			of->gained[b][r] = (uint8_t)gained(digit, 2, FIRST, &(int){ b });
	}
}

/* The values that all ranks of an aligned block of ORDERS ranks share. */
struct block {
	int64_t added[FIRST]; /* by `smaller`: the part of the new rank that `left` and `gained` lack */
	int below_b;          /* the first symbols below q_k */
};

static struct block block_at(int64_t rank, int k)
{
	struct block block;
	int digit[LSI_SYMBOLS_MAX + 1];

	lsi_permutation_digits(rank, k, digit);

	const int b = block.below_b = k - 1 - digit[k];
	const int64_t start = rank + gained(digit, FIRST + 1, k - 1, &block.below_b);

	for (int smaller = 0; smaller < FIRST; smaller++) {
		int a = smaller;
		const int64_t down = lost(digit, FIRST + 1, k - 1, &a);

		a += b <= a;
		block.added[smaller] = start - down + (b - a) * factorial[k - 1];
	}
	return block;
}

/* Links of the first symbols alone. */
static void across_near(int64_t first, int64_t count, int k, int64_t *across)
{
	int16_t change[ORDERS];

	for (int r = 0; r < ORDERS; r++)
		change[r] = (int16_t)(lsi_star_neighbor(r, k) - r);
	for (int64_t i = 0, at = first % ORDERS; i < count; at = 0) {
		const int64_t end = at + count - i < ORDERS ? at + count - i : ORDERS;

		for (; at < end; at++, i++)
			across[i] = first + i + change[at];
	}
}

void lsi_star_neighbors(int64_t first, int64_t count, int k, int64_t *across)
{
	struct orders of;

	if (k <= FIRST) {
		across_near(first, count, k, across);
		return;
	}
	tabulate(&of);
	for (int64_t i = 0; i < count;) {
		const int64_t at = (first + i) % ORDERS, left = count - i;
		const int64_t end = at + left < ORDERS ? at + left : ORDERS;
		const struct block block = block_at(first + i - at, k);
		const uint8_t *const comes = of.gained[block.below_b];

		for (int64_t r = at; r < end; r++)
			across[i++] = block.added[of.smaller[r]] + of.left[r] + comes[r];
	}
}
