#include "collective/direct/packets.h"

#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "collective/direct/link_queues.h"

enum { MOST_PACKETS = 1 << 20, MOST_HOPS = 1 << 23 };

/* ---- Packets */

static int64_t packets_of(const struct lsi_problem *problem)
{
	return lsi_mul_sat(problem->nodes, problem->operation == LS_ALLTOALL ? problem->nodes : 1);
}

static int64_t source_of(const struct lsi_problem *problem, int64_t packet)
{
	return problem->operation == LS_ALLTOALL ? packet / problem->nodes : packet;
}

static int64_t target_of(const struct lsi_problem *problem, int64_t packet)
{
	if (problem->operation == LS_ALLTOALL)
		return packet % problem->nodes;
	return lsi_wrap(packet + problem->shift, problem->nodes);
}

bool lsi_packets_fit(const struct lsi_problem *problem)
{
	const int64_t packets = packets_of(problem);

	return packets <= MOST_PACKETS
		&& lsi_mul_sat(packets, ls_topology_diameter(problem->topology)) <= MOST_HOPS;
}

/* ---- The scheduler */

struct scheduler {
	const struct lsi_problem *problem;
	bool together;
	struct lsi_arena arena;
	int64_t *link;      /* the first link of each node */
	int32_t *from, *to; /* the ends of each link */
	struct lsi_link_queues queues;
	int32_t *busy[2];       /* per node: 1 + the last round in which it sent, received */
	int32_t *order, *count; /* links by hops left, those chosen first; see sort_links */
};

static int32_t *numbers(struct scheduler *s, int64_t count)
{
	return lsi_arena_take(&s->arena, (size_t)count, sizeof(int32_t));
}

static bool make_links(struct scheduler *s)
{
	const struct ls_topology *t = s->problem->topology;
	const int64_t p = s->problem->nodes;

	s->link = lsi_arena_take(&s->arena, (size_t)p + 1, sizeof *s->link);
	if (!s->link)
		return false;
	for (int64_t u = 0; u < p; u++)
		s->link[u + 1] = s->link[u] + ls_degree(t, u);
	s->queues.links = s->link[p];
	s->from = numbers(s, s->queues.links);
	s->to = numbers(s, s->queues.links);
	for (int64_t u = 0; u < p && s->from && s->to; u++) {
		for (int64_t l = s->link[u]; l < s->link[u + 1]; l++) {
			s->from[l] = (int32_t)u;
			s->to[l] = (int32_t)ls_neighbor(t, u, l - s->link[u]);
		}
	}
	return s->from && s->to;
}

static bool make_scheduler(struct scheduler *s)
{
	const int64_t p = s->problem->nodes;

	s->queues.longest = ls_topology_diameter(s->problem->topology);
	if (!make_links(s) || !lsi_link_queues_make(&s->queues, packets_of(s->problem), &s->arena))
		return false;
	s->busy[LSI_SENT] = numbers(s, p);
	s->busy[LSI_RECEIVED] = numbers(s, p);
	s->order = numbers(s, s->queues.links);
	s->count = numbers(s, s->queues.longest + 1);
	return s->busy[LSI_SENT] && s->busy[LSI_RECEIVED] && s->order && s->count;
}

/* Queue a packet at u for the link of its next hop. */
static void push(struct scheduler *s, int64_t u, int64_t packet)
{
	const struct ls_topology *t = s->problem->topology;
	const int64_t target = target_of(s->problem, packet);
	const int64_t link = s->link[u] + ls_first_hop(t, u, target);

	lsi_link_queues_push(&s->queues, link, (int32_t)ls_distance(t, u, target), (int32_t)packet);
}

/* ---- Rounds */

/*
 * Sort the links with waiting packets, those with the most hops left first; returns their number.
 */
static int64_t sort_links(struct scheduler *s)
{
	const struct lsi_link_queues *const q = &s->queues;
	int32_t *const count = s->count;
	int64_t sum = 0;

	memset(count, 0, (size_t)(q->longest + 1) * sizeof *count);
	for (int64_t l = 0; l < q->links; l++)
		count[q->most[l]]++;
	for (int64_t h = q->longest; h > 0; h--) {
		const int32_t here = count[h];

		count[h] = (int32_t)sum;
		sum += here;
	}
	for (int64_t l = 0; l < q->links; l++)
		if (q->most[l] > 0)
			s->order[count[q->most[l]]++] = (int32_t)l;
	return sum;
}

/* Choose the links of this round and put them first in `order`; returns their number. */
static int64_t choose_links(struct scheduler *s, int64_t round)
{
	const int64_t waiting = sort_links(s);
	const int32_t now = (int32_t)round + 1;
	int64_t chosen = 0;

	for (int64_t i = 0; i < waiting; i++) {
		const int32_t l = s->order[i], u = s->from[l], v = s->to[l];

		if (s->busy[LSI_SENT][u] == now || s->busy[LSI_RECEIVED][v] == now)
			continue;
		s->busy[LSI_SENT][u] = s->busy[LSI_RECEIVED][v] = now;
		s->order[chosen++] = l;
	}
	return chosen;
}

/* The packets that arrive wait from the next round on. */
static void run_round(struct scheduler *s, struct lsi_packets *packets, int64_t chosen)
{
	const int64_t before = packets->hops;

	for (int64_t i = 0; i < chosen; i++) {
		const int32_t link = s->order[i];

		do {
			packets->hop[packets->hops++] = (struct lsi_packet_hop){ (int32_t)packets->rounds,
				s->from[link], s->to[link], lsi_link_queues_pop(&s->queues, link), -1, -1 };
		} while (s->together && s->queues.most[link] > 0);
	}
	for (int64_t h = before; h < packets->hops; h++) {
		const struct lsi_packet_hop *const hop = &packets->hop[h];

		if (hop->to != target_of(s->problem, hop->packet))
			push(s, hop->to, hop->packet);
	}
	packets->rounds++;
}

static void schedule(struct scheduler *s, struct lsi_packets *packets)
{
	for (int64_t packet = packets_of(s->problem) - 1; packet >= 0; packet--) {
		const int64_t source = source_of(s->problem, packet);

		if (source != target_of(s->problem, packet))
			push(s, source, packet);
	}
	for (int64_t chosen; (chosen = choose_links(s, packets->rounds)) > 0;)
		run_round(s, packets, chosen);
}

/* ---- The result */

int64_t lsi_packets_distance_sum(const struct lsi_problem *problem)
{
	int64_t sum = 0;

	for (int64_t packet = 0; packet < packets_of(problem); packet++)
		sum +=
			ls_distance(problem->topology, source_of(problem, packet), target_of(problem, packet));
	return sum;
}

struct lsi_packets *lsi_packets_allocate(int64_t nodes, int64_t most_hops)
{
	const size_t p = (size_t)nodes, hops = (size_t)most_hops;
	struct lsi_packets *packets = lsi_alloc_zero(1,
		sizeof *packets + 2 * (p + 1) * sizeof(int64_t) + hops * sizeof(struct lsi_packet_hop)
			+ (2 * hops + p) * sizeof(int32_t));

	if (!packets)
		return NULL;
	packets->first[LSI_SENT] = (int64_t *)(packets + 1);
	packets->first[LSI_RECEIVED] = packets->first[LSI_SENT] + p + 1;
	packets->hop = (struct lsi_packet_hop *)(packets->first[LSI_RECEIVED] + p + 1);
	packets->at[LSI_SENT] = (int32_t *)(packets->hop + hops);
	packets->at[LSI_RECEIVED] = packets->at[LSI_SENT] + hops;
	packets->used = packets->at[LSI_RECEIVED] + hops;
	return packets;
}

struct lsi_packets *lsi_packets_make(const struct lsi_problem *problem, bool together)
{
	struct scheduler s = { .problem = problem, .together = together };
	struct lsi_packets *packets =
		lsi_packets_allocate(problem->nodes, lsi_packets_distance_sum(problem));

	if (packets && make_scheduler(&s)) {
		schedule(&s, packets);
		packets = lsi_packets_finish(
			packets, problem->nodes, together && packets->hops > 0 ? problem->nodes : 0);
	} else {
		lsi_free(packets);
		packets = NULL;
	}
	lsi_arena_release(&s.arena);
	return packets;
}

struct ls_counts lsi_packets_counts(const struct lsi_packets *packets, size_t n)
{
	if (!packets)
		return (struct ls_counts){ -1, -1, -1, -1 };
	return (struct ls_counts){ packets->rounds, packets->messages,
		lsi_mul_sat(packets->hops, (int64_t)n), lsi_mul_sat(packets->volume, (int64_t)n) };
}

struct ls_counts lsi_packets_predict_with(struct lsi_packets *packets, size_t n)
{
	const struct ls_counts counts = lsi_packets_counts(packets, n);

	lsi_free(packets);
	return counts;
}

struct lsi_packet_message lsi_packets_at(
	const struct lsi_packets *packets, int end, int64_t rank, int64_t round)
{
	const int32_t *const at = packets->at[end];
	const int64_t last = packets->first[end][rank + 1];
	int64_t low = packets->first[end][rank], high = last;
	struct lsi_packet_message message = { NULL, 0 };

	while (low < high) {
		const int64_t middle = low + (high - low) / 2;

		if (packets->hop[at[middle]].round < round)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < last && packets->hop[at[low]].round == round; low++)
		message.count++;
	if (message.count > 0)
		message.hop = &packets->hop[at[low - message.count]];
	return message;
}
