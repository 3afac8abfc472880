/*
 * All-gather on a Cayley graph along a link sequence.
 *
 * In each round all nodes use the same link.  A node sends the blocks that its neighbor does not
 * have yet.  Relative to the sender these are the same blocks at every node.
 *
 *   rounds     length of the link sequence (link_sequence.h)
 *   traffic    p messages per round, (p - 1) m words per node; no block reaches a node twice
 *   cost       t_s rounds + t_w m (p - 1)
 *   requires   hop mode, a Cayley graph with a link sequence
 *   source     star and pancake graphs: sequences found by scripts/link_sequence_search.c.  On
 *              rings and hypercubes this is the algorithm of the textbook
 */
#include "collective/cayley/sequence_paths.h"
#include "collective/round_bound.h"

static struct lsi_frame frame(const struct lsi_problem *problem)
{
	return (struct lsi_frame){ .rounds = lsi_sequence_rounds(problem->topology),
		.blocks = problem->nodes };
}

static void body(const struct ls_plan *plan, int64_t round, int64_t rank, struct ls_step *step)
{
	const struct ls_topology *t = plan->problem.topology;
	const int64_t sender = ls_neighbor(t, rank, lsi_sequence_link_back(t, round));
	const struct ls_slice sent = lsi_sequence_spread_slice(plan, LS_OUTPUT, rank, round);

	lsi_step_send(step, round == 0 ? lsi_block(LS_INPUT, 0) : sent);
	lsi_step_receive(step, ls_slice_blocks(&sent));
	lsi_step_copy(
		step, lsi_sequence_spread_slice(plan, LS_OUTPUT, sender, round), lsi_arrival(step));
	if (round == 0)
		lsi_step_copy(step, lsi_block(LS_OUTPUT, rank), lsi_block(LS_INPUT, 0));
}

static struct ls_counts predict(const struct lsi_problem *problem, size_t n)
{
	const int64_t rounds = lsi_sequence_rounds(problem->topology), p = problem->nodes;
	const int64_t words = lsi_mul_sat(p - 1, (int64_t)n);

	return (struct ls_counts){ rounds, lsi_mul_sat(rounds, p), lsi_mul_sat(words, p), words };
}

const struct lsi_algorithm lsi_allgather_sequence = {
	LSI_SEQUENCE_FIELDS,
	.operations = LSI_FOR(LS_ALLGATHER),
	.claim = LS_MOVE,
	.identical = true,
	.nodup = true,
	.supports = lsi_sequence_spread_supports,
	.frame = frame,
	.prepare = lsi_sequence_spread_prepare,
	.peers = lsi_sequence_peers,
	.body = body,
	.predict = predict,
};
