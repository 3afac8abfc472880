/*
 * All-gather on a Cayley graph, along a word of links.
 *
 * In each round every node sends, over the same link, the blocks that its neighbor there does not
 * yet have.  Which these are, as seen from the sender, is the same everywhere.
 *
 *   rounds     the letters of the word: collective/word.h
 *   traffic    p messages a round, (p - 1) m words a node; no block reaches a node twice
 *   cost       t_s rounds + t_w m (p - 1)
 *   requires   hop mode, a Cayley graph with a word
 *   source     words on star and pancake graphs: found by search (scripts/link_words.c).  On rings
 *              and hypercubes these are the textbook's algorithms.
 */
#include "collective/bound.h"
#include "collective/word_path.h"

static struct ls_frame frame(const struct ls_problem *problem)
{
	return (struct ls_frame){ .rounds = ls_word_rounds(problem->topology),
		.blocks = problem->nodes };
}

static void body(const struct ls_plan *plan, int64_t round, int64_t rank, struct ls_step *step)
{
	const struct ls_topology *t = plan->problem.topology;
	const int64_t sender = ls_neighbor(t, rank, ls_word_back(t, round));
	const struct ls_slice sent = ls_word_spread_slice(plan, LS_OUTPUT, rank, round);

	ls_step_send(step, round == 0 ? ls_one(LS_INPUT, 0) : sent);
	ls_step_receive(step, ls_slice_blocks(&sent));
	ls_step_copy(step, ls_word_spread_slice(plan, LS_OUTPUT, sender, round), ls_arrival(step));
	if (round == 0)
		ls_step_copy(step, ls_one(LS_OUTPUT, rank), ls_one(LS_INPUT, 0));
}

static struct ls_counts predict(const struct ls_problem *problem, size_t n)
{
	const int64_t rounds = ls_word_rounds(problem->topology), p = problem->nodes;
	const int64_t words = ls_mul(p - 1, (int64_t)n);

	return (struct ls_counts){ rounds, ls_mul(rounds, p), ls_mul(words, p), words };
}

const struct ls_algorithm ls_allgather_word = {
	.operations = LS_FOR(LS_ALLGATHER),
	.name = "word",
	.networks = LS_WORD_NETWORKS,
	.rounds = LS_WORD_ROUNDS,
	.bound = LS_WORD_BOUND,
	.source = LS_WORD_SOURCE,
	.claim = LS_MOVE,
	.identical = true,
	.nodup = true,
	.supports = ls_word_spread_supports,
	.frame = frame,
	.prepare = ls_word_spread_prepare,
	.peers = ls_word_peers,
	.body = body,
	.predict = predict,
	.lower_bound = ls_lower_bound,
};
