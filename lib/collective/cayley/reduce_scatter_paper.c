/*
 * Reduce-scatter on the star graph: the all-to-all broadcast of the paper in reverse time order.
 *
 * At level k = n..2 a node has sums of the blocks of its S_k.  Over the links 2, .., k-1 it sends
 * the sums that its neighbor will forward over link k, and adds those that it receives.  Over link
 * k it sends the sums of the other S_{k-1}, and adds the arrivals to the sums of its own S_{k-1}.
 * The first addition reads INPUT, so there is no copy of it.
 *
 *   rounds     n(n-1)/2
 *   traffic    N n(n-1)/2 messages, (N - 1) m words per node, N = n! nodes; no contribution reaches
 *              a node twice
 *   cost       t_s n(n-1)/2 + t_w m (N - 1)
 *   memory     N blocks
 *   requires   star graph; a commutative operation
 *   source     E. Oh, H. Choi, D. Primeaux, ICCS 2005, Theorem 1, reversed
 */
#include "collective/cayley/star_levels.h"
#include "collective/round_bound.h"

static struct lsi_frame frame(const struct lsi_problem *problem)
{
	const int64_t p = problem->nodes;

	return (struct lsi_frame){
		.rounds = lsi_level_rounds(problem), .blocks = p, .scratch[0] = { p, 1 }
	};
}

static struct lsi_level level_of(const struct ls_plan *plan, int64_t round)
{
	return lsi_level_of(plan->frame.rounds - 1 - round);
}

static void peers(const struct ls_plan *plan, int64_t rank, int64_t round, struct lsi_peers *out)
{
	lsi_level_peers(plan, rank, plan->frame.rounds - 1 - round, out);
}

static void body(const struct ls_plan *plan, int64_t round, int64_t rank, struct ls_step *step)
{
	const struct lsi_level level = level_of(plan, round);
	const int k = level.k, d = level.link;
	const bool ends = d == k, first = k == plan->problem.topology->number[0];
	/* At the first level, link k sends the only sums that links 2 .. k-1 have added to. */
	const int sent = first && !(ends && k > 2) ? LS_INPUT : LS_SCRATCH;
	const int read = first && (ends || d == 2) ? LS_INPUT : LS_SCRATCH;
	const struct ls_slice held = lsi_level_substar(read, rank, ends ? k : 1, k);
	struct ls_slice sum = held;

	sum.buffer = LS_SCRATCH;
	if (k == 2)
		sum = lsi_block(LS_OUTPUT, 0);
	lsi_step_send(step, lsi_level_substar(sent, rank, ends ? 1 : d, k));
	lsi_step_receive(step, ls_slice_blocks(&held));
	lsi_step_combine(step, sum, held, lsi_arrival(step));
}

const struct lsi_algorithm lsi_reduce_scatter_paper = {
	.operations = LSI_FOR(LS_REDUCE_SCATTER),
	.name = "paper",
	.networks = "star:N",
	.rounds = "n(n-1)/2",
	.bound = LSI_STAR_BOUND,
	.source = "Oh, Choi, Primeaux 2005, Theorem 1 reversed",
	.claim = LS_COMMUTATIVE,
	.nodup = true,
	.supports = lsi_is_star,
	.frame = frame,
	.peers = peers,
	.body = body,
	.predict = lsi_level_block_counts,
	.lower_bound = lsi_round_lower_bound,
};
