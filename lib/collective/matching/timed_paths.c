#include "collective/matching/timed_paths.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "collective/matching/link_search.h"
#include "collective/matching/timed_search.h"
#include "collective/round_bound.h"
#include "collective/shift_bound.h"
#include "collective/tree_bound.h"

static int in_message_order(const void *a, const void *b)
{
	const struct lsi_packet_hop *const x = a, *const y = b;

	if (x->round != y->round)
		return x->round - y->round;
	if (x->from != y->from)
		return x->from - y->from;
	return x->put != y->put ? y->put - x->put : x->packet - y->packet;
}

/* In a message, those that stay on their way come first. */
static struct lsi_packets *write_packets(const struct lsi_timed_search *s)
{
	struct lsi_packets *packets;
	int64_t hops = 0;

	for (int64_t i = 0; i < s->rounds * s->p; i++)
		hops += s->path[i] != LSI_TIMED_WAIT;
	packets = lsi_packets_allocate(s->p, hops);
	if (!packets)
		return NULL;
	for (int64_t i = 0; i < s->rounds * s->p; i++) {
		const int32_t link = s->path[i], block = (int32_t)(i / s->rounds);

		if (link == LSI_TIMED_WAIT)
			continue;
		packets->hop[packets->hops++] = (struct lsi_packet_hop){ (int32_t)(i % s->rounds),
			s->from[link], s->table.neighbor[link], block, -1,
			s->table.neighbor[link] == lsi_timed_target(s, block) ? -1 : 0 };
	}
	qsort(packets->hop, (size_t)packets->hops, sizeof *packets->hop, in_message_order);
	return lsi_packets_finish(packets, s->p, s->together);
}

/* A known schedule, with the slots of this one. */
static struct lsi_packets *copy(const struct lsi_packets *known, int64_t nodes, bool together)
{
	struct lsi_packets *const packets = lsi_packets_allocate(nodes, known->hops);

	for (int64_t h = 0; packets && h < known->hops; h++)
		packets->hop[packets->hops++] = known->hop[h];
	return packets ? lsi_packets_finish(packets, nodes, together) : NULL;
}

/*
 * Rounds that are too few, as these are without paths.  The bound of ports costs more than a
 * search, and says much only on trees.  -1: no memory.
 */
static int64_t too_few(const struct lsi_timed_search *s, int64_t rounds)
{
	int64_t bound;

	if (s->together || !lsi_is_tree(s->problem->topology))
		return rounds;
	bound = lsi_block_round_bound(s->problem);
	return bound < 0 ? -1 : lsi_max(rounds, bound - 1);
}

/*
 * Replace the schedule, which is no longer than `most` rounds, by one of few rounds for which there
 * are paths, from `first` on.  The step doubles until paths are found; then the range without a
 * result is halved.  NULL: no memory.
 */
static struct lsi_packets *shorten(
	struct lsi_timed_search *s, int64_t first, int64_t most, struct lsi_packets *packets)
{
	int64_t failed = first - 1, step = 1;
	bool found = false;

	while (packets && failed + 1 < most) {
		const int64_t rounds =
			found ? failed + (most - failed) / 2 : lsi_min(failed + step, most - 1);

		if (lsi_timed_search_finds(s, rounds)) {
			lsi_free(packets);
			packets = write_packets(s);
			most = rounds;
			found = true;
		} else if ((failed = too_few(s, rounds)) < 0) {
			lsi_free(packets);
			packets = NULL;
		}
		step = found ? step : 2 * step;
	}
	return packets;
}

/* At most the rounds of the greedy schedule. */
static struct lsi_kept *search_packets(
	const struct lsi_problem *problem, bool together, int64_t first)
{
	struct lsi_timed_search s = { 0 };
	struct lsi_packets *const greedy = lsi_packets_make(problem, false);
	struct lsi_packets *packets = NULL;

	if (greedy && lsi_timed_search_make(&s, problem, together, greedy->rounds))
		packets = shorten(&s, first, greedy->rounds, copy(greedy, s.p, together));
	lsi_free(greedy);
	lsi_arena_release(&s.arena);
	return (struct lsi_kept *)packets;
}

static struct lsi_kept *make_together(const struct ls_topology *t, int64_t shift)
{
	struct lsi_problem problem = lsi_search_problem(t, LS_SHIFT);

	problem.shift = shift;
	return search_packets(&problem, true, lsi_shift_bound(&problem));
}

/* If no message has several blocks, one schedule serves for both; else this one is no shorter. */
static struct lsi_kept *make_single(const struct ls_topology *t, int64_t shift)
{
	struct lsi_problem problem = lsi_search_problem(t, LS_SHIFT);
	const struct lsi_packets *together;

	problem.shift = shift;
	together = lsi_timed_packets(&problem, true);
	if (together && together->messages == together->hops)
		return (struct lsi_kept *)copy(together, t->nodes, false);
	return together ? search_packets(&problem, false, together->rounds) : NULL;
}

const struct lsi_packets *lsi_timed_packets(const struct lsi_problem *problem, bool together)
{
	return (const struct lsi_packets *)lsi_topology_keep(
		problem->topology, together ? make_together : make_single, problem->shift);
}
