/*
 * All-reduce of idempotent operations, and barrier, on a Cayley graph: gossip along a word of
 * links.
 *
 *   rounds     the letters of the word: collective/word.h
 *   traffic    p messages of m elements a round; a barrier's have none
 *   cost       (t_s + t_w m) rounds
 *   requires   hop mode, a Cayley graph with a word; x (+) x = x
 *   source     words on star and pancake graphs: found by search (scripts/link_words.c)
 */
#include <string.h>

#include "collective/bound.h"
#include "collective/gossip.h"
#include "collective/word.h"

static struct ls_frame frame(const struct ls_problem *problem)
{
	return ls_gossip_frame(problem, ls_word_rounds(problem->topology));
}

/* The local step: every node copies its block. */
static int64_t period(const struct ls_plan *plan, int64_t round)
{
	return round < 0 ? 1 : ls_word_period(plan->problem.topology, round);
}

static bool exchanges(const struct ls_plan *plan, int64_t first, int64_t count, int64_t round,
	int64_t *peer, int64_t *at)
{
	const struct ls_topology *t = plan->problem.topology;
	const int64_t link = ls_word_link(t, round);

	if (ls_word_back(t, round) != link)
		return false;
	ls_neighbors(t, first, count, link, peer);
	memset(at, 0, (size_t)count * sizeof *at);
	return true;
}

static struct ls_counts predict(const struct ls_problem *problem, size_t n)
{
	return ls_gossip_counts(problem, ls_word_rounds(problem->topology), n);
}

const struct ls_algorithm ls_allreduce_word = {
	.operations = LS_FOR(LS_ALLREDUCE) | LS_FOR(LS_BARRIER),
	.name = "word",
	.networks = LS_WORD_NETWORKS,
	.rounds = LS_WORD_ROUNDS,
	.bound = LS_WORD_BOUND,
	.source = LS_WORD_SOURCE,
	.claim = LS_IDEMPOTENT,
	.supports = ls_word_supports,
	.frame = frame,
	.peers = ls_word_peers,
	.shape = ls_gossip_shape,
	.period = period,
	.exchanges = exchanges,
	.body = ls_gossip_body,
	.predict = predict,
	.lower_bound = ls_lower_bound,
};
