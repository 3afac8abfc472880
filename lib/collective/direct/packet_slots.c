#include "base/alloc.h"
#include "collective/direct/packets.h"

struct slots {
	struct lsi_packets *packets;
	int32_t *of;   /* each packet: the slot where it waits */
	int32_t *next; /* of each hop: the next one that left a free slot at its node; -1: none */
	int32_t *free; /* of each node: the last hop that left a slot; -1: none */
};

static int32_t take_slot(const struct slots *s, int32_t node)
{
	const int32_t hop = s->free[node];

	if (hop < 0)
		return s->packets->used[node]++;
	s->free[node] = s->next[hop];
	return s->packets->hop[hop].taken;
}

/* A slot is free again after the round in which its packet leaves. */
static void free_slots(const struct slots *s, int64_t first, int64_t end)
{
	const struct lsi_packet_hop *const hop = s->packets->hop;

	for (int64_t h = first; h < end; h++) {
		if (hop[h].taken < 0)
			continue;
		s->next[h] = s->free[hop[h].from];
		s->free[hop[h].from] = (int32_t)h;
	}
}

/* The last hop of a packet brings it to its destination. */
static void find_last_hops(const struct slots *s)
{
	for (int64_t h = 0; h < s->packets->hops; h++) {
		struct lsi_packet_hop *const hop = &s->packets->hop[h];

		hop->put = -1;
		if (s->of[hop->packet] >= 0)
			s->packets->hop[s->of[hop->packet]].put = 0;
		s->of[hop->packet] = (int32_t)h;
	}
}

static void assign_slots(const struct slots *s, int64_t packets, int64_t homes)
{
	struct lsi_packet_hop *const hop = s->packets->hop;

	for (int64_t i = 0; i < packets; i++)
		s->of[i] = homes > 0 ? (int32_t)(i % homes) : -1;
	for (int64_t h = 0, first = 0; h < s->packets->hops; h++) {
		hop[h].taken = s->of[hop[h].packet];
		if (hop[h].put >= 0)
			hop[h].put = s->of[hop[h].packet] = take_slot(s, hop[h].to);
		if (h + 1 < s->packets->hops && hop[h + 1].round == hop[h].round)
			continue;
		free_slots(s, first, h + 1);
		first = h + 1;
	}
}

/* In a round the hops of one sender follow one another. */
static void count_messages(struct lsi_packets *packets)
{
	int64_t longest = 0, count = 0;

	for (int64_t h = 0; h < packets->hops; h++) {
		const struct lsi_packet_hop *const hop = &packets->hop[h], *const after = hop + 1;
		const bool ends_round = h + 1 == packets->hops || after->round != hop->round;

		count++;
		if (ends_round || after->from != hop->from) {
			packets->messages++;
			longest = longest < count ? count : longest;
			count = 0;
		}
		if (ends_round) {
			packets->volume += longest;
			longest = 0;
		}
		packets->rounds = hop->round + 1;
	}
}

static int32_t end_of(const struct lsi_packet_hop *hop, int end)
{
	return end == LSI_SENT ? hop->from : hop->to;
}

/* List the hops of each node; they are sorted by round already. */
static void list(struct lsi_packets *packets, int64_t p, int end)
{
	int64_t *const first = packets->first[end];

	for (int64_t i = 0; i < packets->hops; i++)
		first[end_of(&packets->hop[i], end) + 1]++;
	for (int64_t u = 0; u < p; u++)
		first[u + 1] += first[u];
	for (int64_t i = packets->hops - 1; i >= 0; i--)
		packets->at[end][--first[end_of(&packets->hop[i], end) + 1]] = (int32_t)i;
	/* Now each first[u + 1] is where node u begins. */
	for (int64_t u = 0; u < p; u++)
		first[u] = first[u + 1];
	first[p] = packets->hops;
}

static void find_most_slots(struct lsi_packets *packets, int64_t nodes)
{
	for (int64_t u = 0; u < nodes; u++)
		if (packets->slots < packets->used[u])
			packets->slots = packets->used[u];
}

static int64_t number_of_packets(const struct lsi_packets *packets)
{
	int64_t last = -1;

	for (int64_t h = 0; h < packets->hops; h++)
		last = lsi_max(last, packets->hop[h].packet);
	return last + 1;
}

struct lsi_packets *lsi_packets_finish(struct lsi_packets *packets, int64_t nodes, int64_t homes)
{
	const int64_t numbers = number_of_packets(packets);
	const size_t n = (size_t)numbers, p = (size_t)nodes, hops = (size_t)packets->hops;
	struct slots s = { .packets = packets, .of = lsi_alloc((n + p + hops) * sizeof *s.of) };

	if (!s.of) {
		lsi_free(packets);
		return NULL;
	}
	s.free = s.of + n;
	s.next = s.free + p;
	for (size_t i = 0; i < n + p; i++)
		s.of[i] = -1;
	for (size_t u = 0; u < p; u++)
		packets->used[u] = (int32_t)homes;
	find_last_hops(&s);
	assign_slots(&s, numbers, homes);
	lsi_free(s.of);
	count_messages(packets);
	list(packets, nodes, LSI_SENT);
	list(packets, nodes, LSI_RECEIVED);
	find_most_slots(packets, nodes);
	return packets;
}
