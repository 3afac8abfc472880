#include "collective/exchange/shuffle.h"

bool lsi_shuffle_supports(const struct lsi_problem *problem)
{
	return lsi_topology_is(problem->topology, &lsi_network_debruijn)
		&& problem->topology->number[0] >= 2;
}

int64_t lsi_shuffle_next(const struct lsi_problem *problem, int64_t rank, int64_t round)
{
	const int64_t half = problem->nodes / 2;

	return rank % half * 2 + (lsi_shuffle_rotates(round) == (rank >= half));
}

int64_t lsi_shuffle_previous(const struct lsi_problem *problem, int64_t rank, int64_t round)
{
	const bool top = lsi_shuffle_rotates(round) == (rank % 2 == 1);

	return rank / 2 + (top ? problem->nodes / 2 : 0);
}

void lsi_shuffle_peers(
	const struct ls_plan *plan, int64_t rank, int64_t round, struct lsi_peers *out)
{
	const int64_t next = lsi_shuffle_next(&plan->problem, rank, round);

	if (next == rank)
		return;
	out->to[0] = next;
	out->from[0] = lsi_shuffle_previous(&plan->problem, rank, round);
}

struct ls_slice lsi_shuffle_slice(
	const struct lsi_problem *problem, int buffer, int64_t rank, int64_t stages)
{
	const int64_t held = (int64_t)1 << stages;

	return lsi_strided(buffer, rank / held, 1, problem->nodes / held, held);
}

void lsi_shuffle_move(
	bool is_fixed, struct ls_slice fresh, struct ls_slice old, struct ls_step *step)
{
	if (!is_fixed) {
		lsi_step_send(step, old);
		lsi_step_receive(step, ls_slice_blocks(&fresh));
		old = lsi_arrival(step);
	}
	lsi_step_copy(step, fresh, old);
}

/* In every second round all nodes send, in the other rounds all but two. */
struct ls_counts lsi_shuffle_counts(const struct lsi_problem *problem, size_t n)
{
	const int64_t rounds = 2 * lsi_shuffle_stages(problem);
	const int64_t messages = lsi_mul_sat(rounds, problem->nodes - 1);

	return lsi_equal_counts(rounds, messages, n);
}

struct ls_counts lsi_shuffle_block_counts(const struct lsi_problem *problem, size_t n)
{
	struct ls_counts c = lsi_shuffle_counts(problem, n);

	c.volume = lsi_mul_sat(2 * (problem->nodes - 1), (int64_t)n);
	c.words = lsi_mul_sat(problem->nodes - 1, c.volume);
	return c;
}
