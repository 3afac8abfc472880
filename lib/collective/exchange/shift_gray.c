/*
 * Circular shift of a ring that is mapped on a hypercube by the Gray code: q as a sum of powers of
 * two.
 *
 * Ring position x is hypercube node G(x) = x xor x/2.  Positions 2^i apart differ in one bit of
 * their nodes if i = 0, else in two: bit i - 1, and one that depends on the position.  So each
 * power 2^i in q takes one or two rounds.  In each round every block crosses one link of the
 * hypercube, and bit i - 1, the same for all, comes first.
 *
 *   rounds     2 (one bits of q) - (q mod 2), at most 2 log2 p - 1
 *   cost       (t_s + t_w m) rounds on the hypercube
 *   memory     one block; in place two
 *   requires   ring of p = 2^d nodes in routed mode, mapped on hypercube:D by the Gray code
 *   source     Grama, Gupta, Karypis, Kumar 2003, section 4.6; their slides to chapter 4,
 *              "Basic Communication Operations", equation (8)
 */
#include "collective/requirement.h"
#include "collective/shift_block.h"
#include "collective/shift_bound.h"

static bool supports(const struct lsi_problem *problem)
{
	return problem->mode == LS_ROUTED && lsi_topology_is(problem->topology, &lsi_network_ring)
		&& lsi_has_power_of_two_nodes(problem);
}

static struct lsi_frame frame(const struct lsi_problem *problem)
{
	int64_t rounds = 0;

	for (int i = 0; problem->shift >> i; i++)
		rounds += (problem->shift >> i & 1) * (i == 0 ? 1 : 2);
	return lsi_shift_frame(problem, rounds, rounds);
}

static int64_t code(int64_t position)
{
	return position ^ position >> 1;
}

static int64_t position(int64_t code)
{
	for (int shift = 1; shift < 64; shift *= 2)
		code ^= code >> shift;
	return code;
}

/* Where a block is between the two rounds of power 2^i, from position x; also the inverse. */
static int64_t half_way(int64_t x, int i)
{
	return i == 0 ? x : position(code(x) ^ (int64_t)1 << (i - 1));
}

static void peers(const struct ls_plan *plan, int64_t rank, int64_t round, struct lsi_peers *out)
{
	const int64_t p = plan->problem.nodes;
	bool is_second = true;
	int i = -1;

	while (round >= 0) {
		i++;
		if (plan->problem.shift >> i & 1) {
			is_second = i == 0 || round > 0;
			round -= i == 0 ? 1 : 2;
		}
	}
	if (is_second) {
		const int64_t power = (int64_t)1 << i;

		out->to[0] = lsi_wrap(half_way(rank, i) + power, p);
		out->from[0] = half_way(lsi_wrap(rank - power, p), i);
	} else {
		out->to[0] = out->from[0] = half_way(rank, i);
	}
}

static struct ls_counts predict(const struct lsi_problem *problem, size_t n)
{
	const int64_t ones = __builtin_popcountll((unsigned long long)problem->shift);
	const int64_t rounds = 2 * ones - problem->shift % 2;

	return lsi_equal_counts(rounds, lsi_mul_sat(rounds, problem->nodes), n);
}

const struct lsi_algorithm lsi_shift_gray = {
	.operations = LSI_FOR(LS_SHIFT),
	.name = "gray",
	.networks = "ring:P in routed mode, P = 2^D, mapped on hypercube:D by the Gray code",
	.rounds = "2 (one bits of q) - (q mod 2), at most 2 log2 p - 1",
	.bound = "1",
	.source =
		"Grama, Gupta, Karypis, Kumar 2003, section 4.6; their slides to chapter 4, equation (8)",
	.claim = LS_MOVE,
	.identical = true,
	.teaching = true,
	.supports = supports,
	.frame = frame,
	.peers = peers,
	.shape = lsi_one_shape,
	.body = lsi_shift_body,
	.predict = predict,
	.lower_bound = lsi_shift_bound,
};
