/*
 * Total exchange on a Cayley graph, along a word of links.
 *
 * A block from u to u.g takes the shortest subword that leads to g, the same for all u: in a round
 * every node sends, over the same link, the blocks of the same displacements g.
 *
 *   rounds     the letters of the word: collective/word.h
 *   traffic    p messages a round, X m words a node, X the letters of all these subwords: star:3..8
 *              9, 64, 468, 3920, 33156, 313914; the sum of the distances is the least any takes
 *   cost       t_s rounds + t_w m X
 *   storage    2 p blocks; a copy of INPUT
 *   requires   hop mode, a Cayley graph with a word
 *   source     words on star and pancake graphs: found by search (scripts/link_words.c)
 */
#include "collective/bound.h"
#include "collective/word_path.h"

static struct ls_frame frame(const struct ls_problem *problem)
{
	const int64_t p = problem->nodes;

	return (struct ls_frame){ .rounds = ls_word_rounds(problem->topology), .blocks = p,
		.lead = true, .scratch[0] = { 2 * p, 2 } };
}

static void body(const struct ls_plan *plan, int64_t round, int64_t rank, struct ls_step *step)
{
	const struct ls_word_exchange *s = plan->table;
	const struct ls_naming *naming = &s->relation.naming;
	const int64_t p = plan->problem.nodes;

	if (round < 0) {
		ls_step_copy(step, ls_blocks(LS_SCRATCH, 1, p - 1),
			ls_named(ls_blocks(LS_INPUT, 1, p - 1), naming, rank));
		ls_step_copy(step, ls_one(LS_OUTPUT, rank), ls_one(LS_INPUT, rank));
		return;
	}

	const int64_t first = s->first[round], count = s->first[round + 1] - first;
	const int64_t ends = s->last[round] - first;

	ls_step_send(step, ls_indexed(LS_SCRATCH, s->sent + first, count));
	ls_step_receive(step, count);
	if (ends > 0)
		ls_step_copy(step,
			ls_named(ls_indexed(LS_OUTPUT, s->kept + first, ends), naming, rank),
			ls_blocks(LS_ARRIVAL, 0, ends));
	if (ends < count)
		ls_step_copy(step, ls_indexed(LS_SCRATCH, s->kept + first + ends, count - ends),
			ls_blocks(LS_ARRIVAL, ends, count - ends));
}

static struct ls_counts predict(const struct ls_problem *problem, size_t n)
{
	const int64_t rounds = ls_word_rounds(problem->topology), p = problem->nodes;
	const int64_t words = ls_mul(ls_word_costs(problem->topology).exchanged, (int64_t)n);

	return (struct ls_counts){ rounds, ls_mul(rounds, p), ls_mul(words, p), words };
}

const struct ls_algorithm ls_alltoall_word = {
	.operations = LS_FOR(LS_ALLTOALL),
	.name = "word",
	.networks = LS_WORD_NETWORKS,
	.rounds = LS_WORD_ROUNDS,
	.bound = LS_WORD_BOUND,
	.source = LS_WORD_SOURCE,
	.claim = LS_MOVE,
	.nodup = true,
	.supports = ls_word_exchange_supports,
	.frame = frame,
	.prepare = ls_word_exchange_prepare,
	.peers = ls_word_peers,
	.body = body,
	.predict = predict,
	.lower_bound = ls_lower_bound,
};
