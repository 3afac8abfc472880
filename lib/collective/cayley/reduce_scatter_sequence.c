/*
 * Reduce-scatter on a Cayley graph: the all-gather along a link sequence in reverse time order.
 *
 * Where the all-gather sends blocks over a link, their sums return over it, and the receiver adds
 * them to its own.  A node sends its sum of a block once, after it has received all contributions.
 *
 *   rounds     length of the link sequence (link_sequence.h)
 *   traffic    p messages per round, (p - 1) m words per node; no contribution reaches a node twice
 *   cost       t_s rounds + t_w m (p - 1)
 *   memory     p blocks, which begin as a copy of INPUT
 *   requires   hop mode, a Cayley graph with a link sequence; a commutative operation
 *   source     star and pancake graphs: sequences found by scripts/link_sequence_search.c
 */
#include "collective/cayley/sequence_paths.h"
#include "collective/round_bound.h"

static int64_t mirrored(const struct ls_plan *plan, int64_t round)
{
	return plan->frame.rounds - 1 - round;
}

static void peers(const struct ls_plan *plan, int64_t rank, int64_t round, struct lsi_peers *out)
{
	struct lsi_peers forth;

	lsi_sequence_peers(plan, rank, mirrored(plan, round), &forth);
	out->to[0] = forth.from[0];
	out->from[0] = forth.to[0];
}

static void body(const struct ls_plan *plan, int64_t round, int64_t rank, struct ls_step *step)
{
	const struct ls_topology *t = plan->problem.topology;
	const int64_t p = plan->problem.nodes, mirror = mirrored(plan, round);

	if (round < 0) {
		lsi_step_copy(step, lsi_blocks(LS_SCRATCH, 0, p), lsi_blocks(LS_INPUT, 0, p));
		return;
	}

	const int64_t to = ls_neighbor(t, rank, lsi_sequence_link_back(t, mirror));
	const struct ls_slice sums = lsi_sequence_spread_slice(plan, LS_SCRATCH, rank, mirror);
	const struct ls_slice result = mirror == 0 ? lsi_block(LS_OUTPUT, 0) : sums;

	lsi_step_send(step, lsi_sequence_spread_slice(plan, LS_SCRATCH, to, mirror));
	lsi_step_receive(step, ls_slice_blocks(&sums));
	lsi_step_combine(step, result, sums, lsi_arrival(step));
}

static struct ls_counts predict(const struct lsi_problem *problem, size_t n)
{
	const int64_t rounds = lsi_sequence_rounds(problem->topology), p = problem->nodes;
	const int64_t words = lsi_mul_sat(p - 1, (int64_t)n);

	return (struct ls_counts){ rounds, lsi_mul_sat(rounds, p), lsi_mul_sat(words, p), words };
}

const struct lsi_algorithm lsi_reduce_scatter_sequence = {
	LSI_SEQUENCE_FIELDS,
	.operations = LSI_FOR(LS_REDUCE_SCATTER),
	.claim = LS_COMMUTATIVE,
	.nodup = true,
	.supports = lsi_sequence_spread_supports,
	.frame = lsi_sequence_frame,
	.prepare = lsi_sequence_spread_prepare,
	.peers = peers,
	.body = body,
	.predict = predict,
};
