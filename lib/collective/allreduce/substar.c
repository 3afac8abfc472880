/*
 * All-reduce on the star graph in rank order, with the messages of the paper.
 *
 * At level k a node comes to hold the sums of all k sub-stars S_{k-1} of its S_k.  It keeps each in the place
 * that the sub-star has in rank order (sub-stars are contiguous ranges of ranks), passes it on from
 * there, and folds all k, left to right, at the end of the level.  So every node evaluates the same
 * expression, and the operation need not be commutative.
 *
 * Node q = q_1 .. q_n.  The sum of the S_{k-1} whose symbol at position k is s has place(s), how many of
 * q_1 .. q_k are larger than s.  Over link k goes the own sum, s = q_k, for the one of s = q_1; over link
 * d < k goes what came over link k, s = q_1, for the one of s = q_d.
 *
 *   rounds     n(n-1)/2
 *   traffic    N n(n-1)/2 messages of m elements, N = n! nodes; no contribution reaches a node twice
 *   cost       (t_s + t_w m) n(n-1)/2
 *   storage    two banks of n blocks, used in turn by the levels
 *   requires   star graph
 *   source     messages: E. Oh, H. Choi, D. Primeaux, ICCS 2005
 */
#include "collective/allreduce/level.h"
#include "collective/bound.h"

static struct ls_frame frame(const struct ls_problem *problem)
{
	const int64_t n = problem->topology->number[0];

	return (struct ls_frame){
		.rounds = ls_level_rounds(problem), .blocks = 1, .lead = true, .scratch = { { n, n }, { n, n } },
	};
}

/* How many of q_1 .. q_k are larger than q_i.  They include those larger than q_j > q_i, digit(j) of them. */
static int64_t place(int64_t rank, int i, int k)
{
	int64_t larger = i == 1 ? 0 : ls_permutation_digit(rank, i);

	for (int j = i + 1; j <= k; j++)
		larger += ls_permutation_digit(rank, j) <= larger;
	return larger;
}

static int bank(int k)
{
	return LS_SCRATCH + k % 2;
}

/* What is sent, what arrives and, at the end of the level, the place for the sum in the next. */
static int64_t shape(const struct ls_plan *plan, int64_t rank, int64_t round)
{
	const struct ls_level level = ls_level_of(round);
	const int k = level.k, d = level.link;
	const int64_t sent = place(rank, d == k ? k : 1, k), arrives = place(rank, d == k ? 1 : d, k);
	const bool ends = d == 2 && k < plan->problem.topology->number[0];

	return ((ends ? place(rank, k + 1, k + 1) : 0) * k + sent) * k + arrives;
}

static void body(const struct ls_plan *plan, int64_t round, int64_t at, struct ls_step *step)
{
	if (round < 0) {
		ls_step_copy(step, ls_one(bank(2), place(at, 2, 2)), ls_one(LS_INPUT, 0));
		return;
	}

	const struct ls_level level = ls_level_of(round);
	const int k = level.k;

	ls_step_send(step, ls_one(bank(k), at / k % k));
	ls_step_receive(step, 1);
	ls_step_copy(step, ls_one(bank(k), at % k), ls_arrival(step));
	if (level.link == 2)
		ls_step_fold(step, k < plan->problem.topology->number[0]
			? ls_one(bank(k + 1), at / k / k) : ls_one(LS_OUTPUT, 0), ls_run(bank(k), 0, k));
}

const struct ls_algorithm ls_allreduce_substar = {
	.operations = LS_FOR(LS_ALLREDUCE) | LS_FOR(LS_BARRIER),
	.name = "substar",
	.networks = "star:N",
	.rounds = "n(n-1)/2",
	.bound = "ceil(log2 n!)",
	.source = "Oh, Choi, Primeaux 2005, rank-ordered",
	.claim = LS_ORDERED,
	.identical = true,
	.nodup = true,
	.supports = ls_level_supports,
	.frame = frame,
	.peers = ls_level_peers,
	.shape = shape,
	.body = body,
	.predict = ls_level_counts,
	.lower_bound = ls_lower_bound,
};
