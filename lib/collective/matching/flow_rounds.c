#include "collective/matching/flow_rounds.h"

#include <string.h>

#include "base/alloc.h"
#include "collective/direct/link_queues.h"
#include "collective/matching/flow_paths.h"
#include "collective/matching/largest_matching.h"
#include "collective/matching/link_search.h"
#include "collective/port_bound.h"

enum { TRIES_MOST = 16, LINK_VISITS = 1 << 22 };

struct search {
	struct lsi_arena arena;
	struct lsi_link_table table;
	struct lsi_matching matching[2]; /* its `receivers` are the ports of this end */
	struct lsi_flow_paths paths;
	bool *usable[2];
	int32_t *left[2]; /* blocks that each port has left */
	struct lsi_link_queues queues;
	uint8_t *done;             /* per block: hops */
	struct lsi_weighted *port; /* the nodes, those with most blocks left first */
	struct lsi_packet_hop *hop, *best;
	int64_t hops, rounds, best_rounds;
	uint64_t random;
};

static bool take_memory(struct search *s)
{
	const size_t p = (size_t)s->table.nodes, links = (size_t)s->table.links;
	const size_t hops = (size_t)s->paths.hops;

	s->queues.links = s->table.links;
	s->queues.longest = s->paths.stride;
	s->usable[LSI_SENT] = lsi_arena_take(&s->arena, 2 * links + 1, sizeof **s->usable);
	s->left[LSI_SENT] = lsi_arena_take(&s->arena, 2 * p, sizeof **s->left);
	s->done = lsi_arena_take(&s->arena, p * p, sizeof *s->done);
	s->port = lsi_arena_take(&s->arena, p, sizeof *s->port);
	s->hop = lsi_arena_take(&s->arena, 2 * hops + 1, sizeof *s->hop);
	if (!s->usable[LSI_SENT] || !s->left[LSI_SENT] || !s->done || !s->port || !s->hop
		|| !lsi_link_queues_make(&s->queues, (int64_t)(p * p), &s->arena))
		return false;
	s->usable[LSI_RECEIVED] = s->usable[LSI_SENT] + links;
	s->left[LSI_RECEIVED] = s->left[LSI_SENT] + p;
	s->best = s->hop + hops;
	s->best_rounds = INT64_MAX;
	return true;
}

static bool make_search(struct search *s, const struct ls_topology *t)
{
	return lsi_link_table_make(&s->table, t, &s->arena)
		&& lsi_matching_make(&s->matching[LSI_SENT], &s->table, &s->arena)
		&& lsi_matching_make(&s->matching[LSI_RECEIVED], &s->table, &s->arena)
		&& lsi_flow_paths_make(&s->paths, t, &s->table, lsi_alltoall_port_bound(t), &s->arena)
		&& take_memory(s);
}

/* Let a block wait for the link of its next hop. */
static void push(struct search *s, int64_t block)
{
	const int32_t done = s->done[block], hops = s->paths.length[block] - done;

	lsi_link_queues_push(
		&s->queues, s->paths.link[block * s->paths.stride + done], hops, (int32_t)block);
}

/* ---- Rounds */

/* Mark the links for which blocks wait, as either end counts them; returns their number. */
static int32_t find_waiting(struct search *s)
{
	int32_t count = 0;

	for (int32_t l = 0; l < s->table.links; l++) {
		s->usable[LSI_RECEIVED][l] = s->usable[LSI_SENT][s->paths.reverse[l]] =
			s->queues.most[l] > 0;
		count += s->queues.most[l] > 0;
	}
	return count;
}

/* The largest matching whose ports of one end are the busiest. */
static void match_end(struct search *s, int end)
{
	struct lsi_matching *const m = &s->matching[end];

	for (int32_t u = 0; u < s->table.nodes; u++)
		s->port[u] =
			(struct lsi_weighted){ (int64_t)s->left[end][u] << 32 | lsi_search_random(&s->random),
				u };
	lsi_sort_heaviest(s->port, s->table.nodes);
	lsi_matching_begin(m, s->usable[end]);
	for (int32_t i = 0; i < s->table.nodes && s->left[end][s->port[i].index] > 0; i++)
		lsi_matching_add(m, s->port[i].index);
}

/*
 * A matching of the receivers of one matching and the senders of the other (Mendelsohn, Dulmage
 * 1958).  A sender that is left out gets its receiver of the second matching; the sender which this
 * receiver had before may then be left out.
 */
static void unite(struct search *s)
{
	struct lsi_matching *const m = &s->matching[LSI_RECEIVED];
	const int32_t *const receiver = s->matching[LSI_SENT].sender;

	for (int32_t i = 0; i < s->table.nodes; i++)
		for (int32_t u = i; u >= 0 && m->receiver[u] < 0 && receiver[u] >= 0;) {
			const int32_t v = receiver[u], before = m->sender[v];

			if (before >= 0)
				m->receiver[before] = -1;
			lsi_matching_pair(m, u, v);
			u = before;
		}
}

/*
 * One round; false: no block waits.  A block that arrives waits from the next round on.  A matched
 * receiver takes one block, even if several links lead to it from its sender.
 */
static bool run_round(struct search *s)
{
	const int64_t before = s->hops;

	if (find_waiting(s) == 0)
		return false;
	match_end(s, LSI_SENT);
	match_end(s, LSI_RECEIVED);
	unite(s);
	for (int32_t l = 0; l < s->table.links; l++) {
		const int32_t u = s->table.neighbor[l], v = s->table.node[l];

		if (s->queues.most[l] == 0 || s->matching[LSI_RECEIVED].sender[v] != u)
			continue;
		s->hop[s->hops++] = (struct lsi_packet_hop){ (int32_t)s->rounds, u, v,
			lsi_link_queues_pop(&s->queues, l), -1, -1 };
		s->left[LSI_SENT][u]--;
		s->left[LSI_RECEIVED][v]--;
		s->matching[LSI_RECEIVED].sender[v] = -1;
	}
	for (int64_t h = before; h < s->hops; h++) {
		const int32_t block = s->hop[h].packet;

		if (++s->done[block] < s->paths.length[block])
			push(s, block);
	}
	s->rounds++;
	return true;
}

static void begin(struct search *s, int attempt)
{
	const int64_t blocks = (int64_t)s->table.nodes * s->table.nodes;

	s->random = (uint64_t)attempt << 32;
	s->hops = s->rounds = 0;
	memset(s->done, 0, (size_t)blocks * sizeof *s->done);
	lsi_link_queues_clear(&s->queues);
	for (int end = LSI_SENT; end <= LSI_RECEIVED; end++)
		memcpy(s->left[end], s->paths.load[end], (size_t)s->table.nodes * sizeof **s->left);
	for (int64_t block = blocks - 1; block >= 0; block--)
		if (s->paths.length[block] > 0)
			push(s, block);
}

/* Gives up when it takes as many rounds as the best try. */
static void attempt_rounds(struct search *s, int attempt)
{
	struct lsi_packet_hop *const hop = s->hop;

	begin(s, attempt);
	while (s->rounds < s->best_rounds && run_round(s))
		continue;
	if (s->rounds >= s->best_rounds)
		return;
	s->hop = s->best;
	s->best = hop;
	s->best_rounds = s->rounds;
}

/* ---- The result */

static struct lsi_packets *write_packets(const struct search *s)
{
	struct lsi_packets *const packets = lsi_packets_allocate(s->table.nodes, s->paths.hops);

	if (!packets)
		return NULL;
	packets->hops = s->paths.hops;
	memcpy(packets->hop, s->best, (size_t)s->paths.hops * sizeof *s->best);
	return lsi_packets_finish(packets, s->table.nodes, 0);
}

static int tries(const struct search *s)
{
	const int64_t visits = (int64_t)s->paths.busiest * s->table.links;

	return lsi_search_tries(LINK_VISITS / (visits + 1), 1, TRIES_MOST);
}

static struct lsi_kept *make(const struct ls_topology *t, int64_t key)
{
	struct search s = { 0 };
	struct lsi_packets *packets = NULL;

	(void)key;
	if (make_search(&s, t)) {
		for (int i = 0; i < tries(&s) && s.best_rounds > s.paths.busiest; i++)
			attempt_rounds(&s, i);
		packets = write_packets(&s);
	}
	lsi_arena_release(&s.arena);
	return packets ? &packets->kept : NULL;
}

const struct lsi_packets *lsi_flow_packets(const struct ls_topology *t)
{
	return (const struct lsi_packets *)lsi_topology_keep(t, make, 0);
}
