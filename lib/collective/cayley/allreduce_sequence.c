/*
 * All-reduce of idempotent operations, and barrier, on a Cayley graph: gossip along a link
 * sequence.
 *
 *   rounds     length of the link sequence (link_sequence.h)
 *   traffic    p messages of m elements per round; those of a barrier are empty
 *   cost       (t_s + t_w m) rounds
 *   requires   hop mode, a Cayley graph with a link sequence; x (+) x = x
 *   source     star and pancake graphs: sequences found by scripts/link_sequence_search.c
 */
#include <string.h>

#include "collective/cayley/link_sequence.h"
#include "collective/exchange/gossip.h"
#include "collective/round_bound.h"

static struct lsi_frame frame(const struct lsi_problem *problem)
{
	return lsi_gossip_frame(problem, lsi_sequence_rounds(problem->topology));
}

/* In the local step every node copies its block. */
static int64_t period(const struct ls_plan *plan, int64_t round)
{
	return round < 0 ? 1 : lsi_sequence_period(plan->problem.topology, round);
}

static bool exchanges(const struct ls_plan *plan, int64_t first, int64_t count, int64_t round,
	int64_t *peer, int64_t *at)
{
	const struct ls_topology *t = plan->problem.topology;
	const int64_t link = lsi_sequence_link(t, round);

	if (lsi_sequence_link_back(t, round) != link)
		return false;
	lsi_neighbors(t, first, count, link, peer);
	memset(at, 0, (size_t)count * sizeof *at);
	return true;
}

static struct ls_counts predict(const struct lsi_problem *problem, size_t n)
{
	return lsi_gossip_counts(problem, lsi_sequence_rounds(problem->topology), n);
}

static const struct lsi_whole_machine whole = { .period = period, .exchanges = exchanges };

const struct lsi_algorithm lsi_allreduce_sequence = {
	LSI_SEQUENCE_FIELDS,
	.operations = LSI_FOR(LS_ALLREDUCE) | LSI_FOR(LS_BARRIER),
	.claim = LS_IDEMPOTENT,
	.supports = lsi_sequence_supports,
	.frame = frame,
	.peers = lsi_sequence_peers,
	.shape = lsi_one_shape,
	.body = lsi_gossip_body,
	.predict = predict,
	.whole = &whole,
};
