#include "collective/cayley/star_levels.h"

void lsi_level_peers(const struct ls_plan *plan, int64_t rank, int64_t round, struct lsi_peers *out)
{
	(void)plan;
	out->to[0] = out->from[0] = lsi_star_neighbor(rank, lsi_level_of(round).link);
}

/* T(n) = T(n-1) + n - 1; every node sends in every round. */
struct ls_counts lsi_level_counts(const struct lsi_problem *problem, size_t n)
{
	int64_t rounds = 0, nodes = 1;

	for (int64_t k = 2; nodes < problem->nodes; k++) {
		nodes *= k;
		rounds += k - 1;
	}

	const int64_t messages = lsi_mul_sat(rounds, nodes);

	return lsi_equal_counts(rounds, messages, n);
}

int64_t lsi_level_position(int64_t rank, int i, int k)
{
	int digit[LSI_SYMBOLS_MAX + 1];

	lsi_permutation_digits(rank, k, digit);
	return lsi_digits_position(digit, i, k);
}

struct ls_slice lsi_level_substar(int buffer, int64_t rank, int i, int k)
{
	const int64_t run = lsi_factorial(k - 1);

	return lsi_blocks(buffer, rank - rank % (k * run) + lsi_level_position(rank, i, k) * run, run);
}

/* At level k every node receives the blocks of k - 1 sub-stars of (k-1)! nodes. */
struct ls_counts lsi_level_block_counts(const struct lsi_problem *problem, size_t n)
{
	struct ls_counts c = lsi_level_counts(problem, n);
	int64_t blocks = 0;

	for (int k = 2; k <= problem->topology->number[0]; k++)
		blocks += (k - 1) * lsi_factorial(k - 1);
	c.volume = lsi_mul_sat(blocks, (int64_t)n);
	c.words = lsi_mul_sat(c.volume, problem->nodes);
	return c;
}
