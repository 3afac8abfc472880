#include "collective/direct/packets.h"

#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"

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

/* A slot of some node; the free slots of a node form a list. */
struct slot {
	int32_t number, next;
};

struct scheduler {
	const struct lsi_problem *problem;
	bool together;
	struct lsi_arena arena;
	int64_t links, longest; /* directed links; hops of the longest path */
	int64_t *link;          /* the first link of each node */
	int32_t *from, *to;     /* the ends of each link */
	int32_t *stack;         /* per link and number of hops left: top packet + 1, or 0 */
	int32_t *most;          /* per link: the most hops left; 0: no packet waits */
	int32_t *below;         /* per packet: the next one in its stack + 1, or 0 */
	int32_t *slot_of;       /* per packet: its slot, or 0: still at its source */
	int32_t *free;          /* per node: a free slot, or 0 */
	struct slot *slot;      /* counted from 1 */
	int32_t slots, room;
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
	s->links = s->link[p];
	s->from = numbers(s, s->links);
	s->to = numbers(s, s->links);
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
	const int64_t p = s->problem->nodes, packets = packets_of(s->problem);

	s->longest = ls_topology_diameter(s->problem->topology);
	if (!make_links(s))
		return false;
	s->stack = numbers(s, s->links * (s->longest + 1));
	s->most = numbers(s, s->links);
	s->below = numbers(s, packets);
	s->slot_of = numbers(s, packets);
	s->free = numbers(s, p);
	s->busy[LSI_SENT] = numbers(s, p);
	s->busy[LSI_RECEIVED] = numbers(s, p);
	s->order = numbers(s, s->links);
	s->count = numbers(s, s->longest + 1);
	return s->stack && s->most && s->below && s->slot_of && s->free && s->busy[LSI_SENT]
		&& s->busy[LSI_RECEIVED] && s->order && s->count;
}

/* Queue a packet at u for the link of its next hop. */
static void push(struct scheduler *s, int64_t u, int64_t packet)
{
	const struct ls_topology *t = s->problem->topology;
	const int64_t target = target_of(s->problem, packet);
	const int64_t link = s->link[u] + ls_first_hop(t, u, target);
	const int32_t hops = (int32_t)ls_distance(t, u, target);
	int32_t *top = &s->stack[link * (s->longest + 1) + hops];

	s->below[packet] = *top;
	*top = (int32_t)packet + 1;
	if (s->most[link] < hops)
		s->most[link] = hops;
}

/* Remove a packet with the most hops left from the queue of a link. */
static int32_t pop(struct scheduler *s, int64_t link)
{
	int32_t *stack = &s->stack[link * (s->longest + 1)];
	const int32_t packet = stack[s->most[link]] - 1;

	stack[s->most[link]] = s->below[packet];
	while (s->most[link] > 0 && stack[s->most[link]] == 0)
		s->most[link]--;
	return packet;
}

/* Make a slot with this number; 0: no memory. */
static int32_t new_slot(struct scheduler *s, int32_t number)
{
	if (s->slots + 1 >= s->room) {
		const size_t old = (size_t)s->room, room = 2 * old + 64;
		void *more = lsi_alloc_grow(s->slot, old * sizeof *s->slot, room * sizeof *s->slot);

		if (!more)
			return 0;
		s->slot = more;
		s->room = (int32_t)room;
	}
	s->slot[++s->slots] = (struct slot){ number, 0 };
	return s->slots;
}

/* Take a free slot of v, or make one; 0: no memory. */
static int32_t take_slot(struct scheduler *s, int32_t *used, int64_t v)
{
	const int32_t slot = s->free[v];

	if (slot == 0)
		return new_slot(s, used[v]++);
	s->free[v] = s->slot[slot].next;
	return slot;
}

/* ---- Rounds */

/*
 * Sort the links with waiting packets, those with the most hops left first; returns their number.
 */
static int64_t sort_links(struct scheduler *s)
{
	int32_t *const count = s->count;
	int64_t sum = 0;

	memset(count, 0, (size_t)(s->longest + 1) * sizeof *count);
	for (int64_t l = 0; l < s->links; l++)
		count[s->most[l]]++;
	for (int64_t h = s->longest; h > 0; h--) {
		const int32_t here = count[h];

		count[h] = (int32_t)sum;
		sum += here;
	}
	for (int64_t l = 0; l < s->links; l++)
		if (s->most[l] > 0)
			s->order[count[s->most[l]]++] = (int32_t)l;
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

/* Send one packet over a link.  False: no memory. */
static bool send_packet(struct scheduler *s, struct lsi_packets *packets, int32_t link)
{
	const int32_t packet = pop(s, link), v = s->to[link];
	const bool is_there = v == target_of(s->problem, packet);
	const int32_t put = is_there ? 0 : take_slot(s, packets->used, v);

	packets->hop[packets->hops++] = (struct lsi_packet_hop){ (int32_t)packets->rounds,
		s->from[link], v, packet, s->slot_of[packet], put };
	return put > 0 || is_there;
}

/* Store a packet at its new node and queue it there.  Its old slot is free from now on. */
static void store_packet(struct scheduler *s, const struct lsi_packet_hop *hop)
{
	if (hop->taken > 0) {
		s->slot[hop->taken].next = s->free[hop->from];
		s->free[hop->from] = hop->taken;
	}
	s->slot_of[hop->packet] = hop->put;
	if (hop->put > 0)
		push(s, hop->to, hop->packet);
}

static bool run_round(struct scheduler *s, struct lsi_packets *packets, int64_t chosen)
{
	const int64_t before = packets->hops;
	int64_t longest = 0;

	for (int64_t i = 0; i < chosen; i++) {
		const int32_t link = s->order[i];
		const int64_t first = packets->hops;

		do {
			if (!send_packet(s, packets, link))
				return false;
		} while (s->together && s->most[link] > 0);
		if (longest < packets->hops - first)
			longest = packets->hops - first;
	}
	for (int64_t h = before; h < packets->hops; h++)
		store_packet(s, &packets->hop[h]);
	packets->messages += chosen;
	packets->volume += longest;
	packets->rounds++;
	return true;
}

/* Queue every packet at its source. */
static bool fill(struct scheduler *s, struct lsi_packets *packets)
{
	const struct lsi_problem *problem = s->problem;

	for (int64_t packet = packets_of(problem) - 1; packet >= 0; packet--) {
		const int64_t source = source_of(problem, packet);
		const int64_t target = target_of(problem, packet);

		if (source == target)
			continue;
		if (s->together) {
			s->slot_of[packet] = new_slot(s, (int32_t)target);
			packets->used[source] = (int32_t)problem->nodes;
			if (s->slot_of[packet] == 0)
				return false;
		}
		push(s, source, packet);
	}
	return true;
}

static bool schedule(struct scheduler *s, struct lsi_packets *packets)
{
	if (!fill(s, packets))
		return false;
	for (int64_t chosen; (chosen = choose_links(s, packets->rounds)) > 0;) {
		if (!run_round(s, packets, chosen))
			return false;
	}
	return true;
}

/* ---- The result */

static int64_t sum_of_distances(const struct lsi_problem *problem)
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

void lsi_packets_list(struct lsi_packets *packets, int64_t nodes)
{
	list(packets, nodes, LSI_SENT);
	list(packets, nodes, LSI_RECEIVED);
	for (int64_t u = 0; u < nodes; u++)
		if (packets->slots < packets->used[u])
			packets->slots = packets->used[u];
}

static void finish(const struct scheduler *s, struct lsi_packets *packets)
{
	const int64_t p = s->problem->nodes;

	for (int64_t i = 0; i < packets->hops; i++) {
		struct lsi_packet_hop *const hop = &packets->hop[i];

		hop->taken = hop->taken > 0 ? s->slot[hop->taken].number : -1;
		hop->put = hop->put > 0 ? s->slot[hop->put].number : -1;
	}
	lsi_packets_list(packets, p);
}

struct lsi_packets *lsi_packets_make(const struct lsi_problem *problem, bool together)
{
	struct scheduler s = { .problem = problem, .together = together };
	struct lsi_packets *packets = lsi_packets_allocate(problem->nodes, sum_of_distances(problem));

	if (packets && make_scheduler(&s) && schedule(&s, packets)) {
		finish(&s, packets);
	} else {
		lsi_free(packets);
		packets = NULL;
	}
	lsi_free(s.slot);
	lsi_arena_release(&s.arena);
	return packets;
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
