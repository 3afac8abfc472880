/*
 * Reduce-scatter on a Cayley graph: the all-gather along a word of links, back in time.
 *
 * Where the all-gather sends blocks over a link, their sums come back over it, and are added to
 * the own ones; so a node sends its sum of a block once, when it has heard all that it will.
 *
 *   rounds     the letters of the word: collective/word.h
 *   traffic    p messages a round, (p - 1) m words a node; no contribution reaches a node twice
 *   cost       t_s rounds + t_w m (p - 1)
 *   storage    p blocks, a copy of INPUT
 *   requires   hop mode, a Cayley graph with a word; a commutative operation
 *   source     words on star and pancake graphs: found by search (scripts/link_words.c)
 */
#include "collective/bound.h"
#include "collective/word_path.h"

static struct ls_frame frame(const struct ls_problem *problem)
{
	const int64_t p = problem->nodes;

	return (struct ls_frame){ .rounds = ls_word_rounds(problem->topology), .blocks = p,
		.lead = true, .scratch[0] = { p, 1 } };
}

static int64_t mirrored(const struct ls_plan *plan, int64_t round)
{
	return plan->frame.rounds - 1 - round;
}

static void peers(const struct ls_plan *plan, int64_t rank, int64_t round, struct ls_peers *out)
{
	struct ls_peers forth;

	ls_word_peers(plan, rank, mirrored(plan, round), &forth);
	out->to[0] = forth.from[0];
	out->from[0] = forth.to[0];
}

static void body(const struct ls_plan *plan, int64_t round, int64_t rank, struct ls_step *step)
{
	const struct ls_topology *t = plan->problem.topology;
	const int64_t p = plan->problem.nodes, mirror = mirrored(plan, round);

	if (round < 0) {
		ls_step_copy(step, ls_blocks(LS_SCRATCH, 0, p), ls_blocks(LS_INPUT, 0, p));
		return;
	}

	const int64_t to = ls_neighbor(t, rank, ls_word_back(t, mirror));
	const struct ls_slice sums = ls_word_spread_slice(plan, LS_SCRATCH, rank, mirror);
	const struct ls_slice result = mirror == 0 ? ls_one(LS_OUTPUT, 0) : sums;

	ls_step_send(step, ls_word_spread_slice(plan, LS_SCRATCH, to, mirror));
	ls_step_receive(step, ls_slice_blocks(&sums));
	ls_step_combine(step, result, sums, ls_arrival(step));
}

static struct ls_counts predict(const struct ls_problem *problem, size_t n)
{
	const int64_t rounds = ls_word_rounds(problem->topology), p = problem->nodes;
	const int64_t words = ls_mul(p - 1, (int64_t)n);

	return (struct ls_counts){ rounds, ls_mul(rounds, p), ls_mul(words, p), words };
}

const struct ls_algorithm ls_reduce_scatter_word = {
	.operations = LS_FOR(LS_REDUCE_SCATTER),
	.name = "word",
	.networks = LS_WORD_NETWORKS,
	.rounds = LS_WORD_ROUNDS,
	.bound = LS_WORD_BOUND,
	.source = LS_WORD_SOURCE,
	.claim = LS_COMMUTATIVE,
	.nodup = true,
	.supports = ls_word_spread_supports,
	.frame = frame,
	.prepare = ls_word_spread_prepare,
	.peers = peers,
	.body = body,
	.predict = predict,
	.lower_bound = ls_lower_bound,
};
