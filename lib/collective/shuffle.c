#include "collective/shuffle.h"

bool ls_shuffle_supports(const struct ls_problem *problem)
{
	return ls_topology_is(problem->topology, &ls_network_debruijn)
		&& problem->topology->number[0] >= 2;
}

int64_t ls_shuffle_next(const struct ls_problem *problem, int64_t rank, int64_t round)
{
	const int64_t half = problem->nodes / 2;

	return rank % half * 2 + (ls_shuffle_rotates(round) == (rank >= half));
}

int64_t ls_shuffle_previous(const struct ls_problem *problem, int64_t rank, int64_t round)
{
	const bool top = ls_shuffle_rotates(round) == (rank % 2 == 1);

	return rank / 2 + (top ? problem->nodes / 2 : 0);
}

void ls_shuffle_peers(const struct ls_plan *plan, int64_t rank, int64_t round, struct ls_peers *out)
{
	const int64_t next = ls_shuffle_next(&plan->problem, rank, round);

	if (next == rank)
		return;
	out->to[0] = next;
	out->from[0] = ls_shuffle_previous(&plan->problem, rank, round);
}

struct ls_slice ls_shuffle_slice(
	const struct ls_problem *problem, int buffer, int64_t rank, int64_t stages)
{
	const int64_t held = (int64_t)1 << stages;

	return ls_strided(buffer, rank / held, 1, problem->nodes / held, held);
}

/* All nodes send in every second round, all but two in the others. */
struct ls_counts ls_shuffle_counts(const struct ls_problem *problem, size_t n)
{
	const int64_t rounds = 2 * ls_shuffle_stages(problem), m = (int64_t)n;
	const int64_t messages = ls_mul(rounds, problem->nodes - 1);

	return (struct ls_counts){ rounds, messages, ls_mul(messages, m), ls_mul(rounds, m) };
}

struct ls_counts ls_shuffle_block_counts(const struct ls_problem *problem, size_t n)
{
	struct ls_counts c = ls_shuffle_counts(problem, n);

	c.volume = ls_mul(2 * (problem->nodes - 1), (int64_t)n);
	c.words = ls_mul(problem->nodes - 1, c.volume);
	return c;
}
