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
