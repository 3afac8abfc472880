#include "collective/allreduce/level.h"

bool ls_level_supports(const struct ls_problem *problem)
{
	return ls_topology_is(problem->topology, &ls_network_star);
}

void ls_level_peers(const struct ls_plan *plan, int64_t rank, int64_t round, struct ls_peers *out)
{
	(void)plan;
	out->to[0] = out->from[0] = ls_star_across(rank, ls_level_of(round).link);
}

/* T(n) = T(n-1) + n - 1; every node sends in every round. */
struct ls_counts ls_level_counts(const struct ls_problem *problem, size_t n)
{
	const int64_t m = (int64_t)n;
	int64_t rounds = 0, nodes = 1;

	for (int64_t k = 2; nodes < problem->nodes; k++) {
		nodes *= k;
		rounds += k - 1;
	}

	const int64_t messages = ls_mul(rounds, nodes);

	return (struct ls_counts){ rounds, messages, ls_mul(messages, m), ls_mul(rounds, m) };
}

int64_t ls_level_place(int64_t rank, int i, int k)
{
	int digit[LS_SYMBOLS_MAX + 1];

	ls_permutation_digits(rank, k, digit);
	return ls_digits_place(digit, i, k);
}

struct ls_slice ls_level_substar(int buffer, int64_t rank, int i, int k)
{
	const int64_t run = ls_factorial(k - 1);

	return ls_blocks(buffer, rank - rank % (k * run) + ls_level_place(rank, i, k) * run, run);
}

/* At level k every node gets the blocks of k - 1 sub-stars of (k-1)! nodes. */
struct ls_counts ls_level_block_counts(const struct ls_problem *problem, size_t n)
{
	struct ls_counts c = ls_level_counts(problem, n);
	int64_t blocks = 0;

	for (int k = 2; k <= problem->topology->number[0]; k++)
		blocks += (k - 1) * ls_factorial(k - 1);
	c.volume = ls_mul(blocks, (int64_t)n);
	c.words = ls_mul(c.volume, problem->nodes);
	return c;
}
