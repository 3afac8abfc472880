#include "collective/direct/packets.h"

#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"

enum { SENT, RECEIVED, MOST_PACKETS = 1 << 20, MOST_HOPS = 1 << 23 };

/*
 * Packets
 * ------------------------------------------------------------------------------------------
 */

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

/*
 * The scheduler
 * ------------------------------------------------------------------------------------
 */

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
	int32_t *lies;          /* per packet: its slot, or 0: still at its source */
	int32_t *free;          /* per node: a free slot, or 0 */
	struct slot *slot;      /* counted from 1 */
	int32_t slots, room;
	int32_t *busy[2];       /* per node: 1 + the round in which it last sent, received */
	int32_t *order, *count; /* links by hops left, those chosen first; see sort_links */
};

static int32_t *numbers(struct scheduler *scheduler, int64_t count)
{
	return lsi_arena_take(&scheduler->arena, (size_t)count, sizeof(int32_t));
}

static bool make_links(struct scheduler *scheduler)
{
	const struct ls_topology *t = scheduler->problem->topology;
	const int64_t p = scheduler->problem->nodes;

	scheduler->link = lsi_arena_take(&scheduler->arena, (size_t)p + 1, sizeof *scheduler->link);
	if (!scheduler->link)
		return false;
	for (int64_t u = 0; u < p; u++)
		scheduler->link[u + 1] = scheduler->link[u] + ls_degree(t, u);
	scheduler->links = scheduler->link[p];
	scheduler->from = numbers(scheduler, scheduler->links);
	scheduler->to = numbers(scheduler, scheduler->links);
	for (int64_t u = 0; u < p && scheduler->from && scheduler->to; u++) {
		for (int64_t l = scheduler->link[u]; l < scheduler->link[u + 1]; l++) {
			scheduler->from[l] = (int32_t)u;
			scheduler->to[l] = (int32_t)ls_neighbor(t, u, l - scheduler->link[u]);
		}
	}
	return scheduler->from && scheduler->to;
}

static bool make_scheduler(struct scheduler *scheduler)
{
	const int64_t p = scheduler->problem->nodes, packets = packets_of(scheduler->problem);

	scheduler->longest = ls_topology_diameter(scheduler->problem->topology);
	if (!make_links(scheduler))
		return false;
	scheduler->stack = numbers(scheduler, scheduler->links * (scheduler->longest + 1));
	scheduler->most = numbers(scheduler, scheduler->links);
	scheduler->below = numbers(scheduler, packets);
	scheduler->lies = numbers(scheduler, packets);
	scheduler->free = numbers(scheduler, p);
	scheduler->busy[SENT] = numbers(scheduler, p);
	scheduler->busy[RECEIVED] = numbers(scheduler, p);
	scheduler->order = numbers(scheduler, scheduler->links);
	scheduler->count = numbers(scheduler, scheduler->longest + 1);
	return scheduler->stack && scheduler->most && scheduler->below && scheduler->lies
		&& scheduler->free && scheduler->busy[SENT] && scheduler->busy[RECEIVED] && scheduler->order
		&& scheduler->count;
}

/* Queue a packet at u for the link of its next hop. */
static void push(struct scheduler *scheduler, int64_t u, int64_t packet)
{
	const struct ls_topology *t = scheduler->problem->topology;
	const int64_t target = target_of(scheduler->problem, packet);
	const int64_t link = scheduler->link[u] + ls_first_hop(t, u, target);
	const int32_t hops = (int32_t)ls_distance(t, u, target);
	int32_t *top = &scheduler->stack[link * (scheduler->longest + 1) + hops];

	scheduler->below[packet] = *top;
	*top = (int32_t)packet + 1;
	if (scheduler->most[link] < hops)
		scheduler->most[link] = hops;
}

/* Remove a packet with the most hops left from the queue of a link. */
static int32_t pop(struct scheduler *scheduler, int64_t link)
{
	int32_t *stack = &scheduler->stack[link * (scheduler->longest + 1)];
	const int32_t packet = stack[scheduler->most[link]] - 1;

	stack[scheduler->most[link]] = scheduler->below[packet];
	while (scheduler->most[link] > 0 && stack[scheduler->most[link]] == 0)
		scheduler->most[link]--;
	return packet;
}

/* Make a slot with this number; 0: no memory. */
static int32_t new_slot(struct scheduler *scheduler, int32_t number)
{
	if (scheduler->slots + 1 >= scheduler->room) {
		const size_t old = (size_t)scheduler->room, room = 2 * old + 64;
		void *more = lsi_alloc_grow(
			scheduler->slot, old * sizeof *scheduler->slot, room * sizeof *scheduler->slot);

		if (!more)
			return 0;
		scheduler->slot = more;
		scheduler->room = (int32_t)room;
	}
	scheduler->slot[++scheduler->slots] = (struct slot){ number, 0 };
	return scheduler->slots;
}

/* Take a free slot of v, or make one; 0: no memory. */
static int32_t take_slot(struct scheduler *scheduler, int32_t *used, int64_t v)
{
	const int32_t slot = scheduler->free[v];

	if (slot == 0)
		return new_slot(scheduler, used[v]++);
	scheduler->free[v] = scheduler->slot[slot].next;
	return slot;
}

/*
 * Rounds
 * -------------------------------------------------------------------------------------------
 */

/*
 * Sort the links with waiting packets, those with the most hops left first; returns their number.
 */
static int64_t sort_links(struct scheduler *scheduler)
{
	int32_t *const count = scheduler->count;
	int64_t sum = 0;

	memset(count, 0, (size_t)(scheduler->longest + 1) * sizeof *count);
	for (int64_t l = 0; l < scheduler->links; l++)
		count[scheduler->most[l]]++;
	for (int64_t h = scheduler->longest; h > 0; h--) {
		const int32_t here = count[h];

		count[h] = (int32_t)sum;
		sum += here;
	}
	for (int64_t l = 0; l < scheduler->links; l++)
		if (scheduler->most[l] > 0)
			scheduler->order[count[scheduler->most[l]]++] = (int32_t)l;
	return sum;
}

/* Choose the links of this round and put them first in `order`; returns their number. */
static int64_t choose_links(struct scheduler *scheduler, int64_t round)
{
	const int64_t waiting = sort_links(scheduler);
	const int32_t now = (int32_t)round + 1;
	int64_t chosen = 0;

	for (int64_t i = 0; i < waiting; i++) {
		const int32_t l = scheduler->order[i], u = scheduler->from[l], v = scheduler->to[l];

		if (scheduler->busy[SENT][u] == now || scheduler->busy[RECEIVED][v] == now)
			continue;
		scheduler->busy[SENT][u] = scheduler->busy[RECEIVED][v] = now;
		scheduler->order[chosen++] = l;
	}
	return chosen;
}

/* Send one packet over a link.  Its old slot becomes free for the next round.  False: no memory. */
static bool take(struct scheduler *scheduler, struct lsi_packets *packets, int32_t link)
{
	const int32_t packet = pop(scheduler, link), v = scheduler->to[link];
	const bool is_there = v == target_of(scheduler->problem, packet);
	const int32_t put = is_there ? 0 : take_slot(scheduler, packets->used, v);

	packets->hop[packets->hops++] = (struct lsi_packet_hop){ (int32_t)packets->rounds,
		scheduler->from[link], v, packet, scheduler->lies[packet], put };
	return put > 0 || is_there;
}

/* Store a packet at its new node and queue it there. */
static void put_down(struct scheduler *scheduler, const struct lsi_packet_hop *hop)
{
	if (hop->taken > 0) {
		scheduler->slot[hop->taken].next = scheduler->free[hop->from];
		scheduler->free[hop->from] = hop->taken;
	}
	scheduler->lies[hop->packet] = hop->put;
	if (hop->put > 0)
		push(scheduler, hop->to, hop->packet);
}

static bool carry(struct scheduler *scheduler, struct lsi_packets *packets, int64_t chosen)
{
	const int64_t before = packets->hops;
	int64_t longest = 0;

	for (int64_t i = 0; i < chosen; i++) {
		const int32_t link = scheduler->order[i];
		const int64_t first = packets->hops;

		do {
			if (!take(scheduler, packets, link))
				return false;
		} while (scheduler->together && scheduler->most[link] > 0);
		if (longest < packets->hops - first)
			longest = packets->hops - first;
	}
	for (int64_t h = before; h < packets->hops; h++)
		put_down(scheduler, &packets->hop[h]);
	packets->messages += chosen;
	packets->volume += longest;
	packets->rounds++;
	return true;
}

/* Queue every packet at its source. */
static bool fill(struct scheduler *scheduler, struct lsi_packets *packets)
{
	const struct lsi_problem *problem = scheduler->problem;

	for (int64_t packet = packets_of(problem) - 1; packet >= 0; packet--) {
		const int64_t source = source_of(problem, packet);
		const int64_t target = target_of(problem, packet);

		if (source == target)
			continue;
		if (scheduler->together) {
			scheduler->lies[packet] = new_slot(scheduler, (int32_t)target);
			packets->used[source] = (int32_t)problem->nodes;
			if (scheduler->lies[packet] == 0)
				return false;
		}
		push(scheduler, source, packet);
	}
	return true;
}

static bool schedule(struct scheduler *scheduler, struct lsi_packets *packets)
{
	if (!fill(scheduler, packets))
		return false;
	for (int64_t chosen; (chosen = choose_links(scheduler, packets->rounds)) > 0;) {
		if (!carry(scheduler, packets, chosen))
			return false;
	}
	return true;
}

/*
 * The result
 * ---------------------------------------------------------------------------------------
 */

static int64_t sum_of_distances(const struct lsi_problem *problem)
{
	int64_t sum = 0;

	for (int64_t packet = 0; packet < packets_of(problem); packet++)
		sum +=
			ls_distance(problem->topology, source_of(problem, packet), target_of(problem, packet));
	return sum;
}

static struct lsi_packets *allocate(const struct lsi_problem *problem)
{
	const size_t p = (size_t)problem->nodes, hops = (size_t)sum_of_distances(problem);
	struct lsi_packets *packets = lsi_alloc_zero(1,
		sizeof *packets + 2 * (p + 1) * sizeof(int64_t) + hops * sizeof(struct lsi_packet_hop)
			+ (2 * hops + p) * sizeof(int32_t));

	if (!packets)
		return NULL;
	packets->first[SENT] = (int64_t *)(packets + 1);
	packets->first[RECEIVED] = packets->first[SENT] + p + 1;
	packets->hop = (struct lsi_packet_hop *)(packets->first[RECEIVED] + p + 1);
	packets->at[SENT] = (int32_t *)(packets->hop + hops);
	packets->at[RECEIVED] = packets->at[SENT] + hops;
	packets->used = packets->at[RECEIVED] + hops;
	return packets;
}

static int32_t end_of(const struct lsi_packet_hop *hop, int which)
{
	return which == SENT ? hop->from : hop->to;
}

/* List the hops of each node; they are sorted by round already. */
static void list(struct lsi_packets *packets, int64_t p, int which)
{
	int64_t *const first = packets->first[which];

	for (int64_t i = 0; i < packets->hops; i++)
		first[end_of(&packets->hop[i], which) + 1]++;
	for (int64_t u = 0; u < p; u++)
		first[u + 1] += first[u];
	for (int64_t i = packets->hops - 1; i >= 0; i--)
		packets->at[which][--first[end_of(&packets->hop[i], which) + 1]] = (int32_t)i;
	/* Now each first[u + 1] is where node u begins. */
	for (int64_t u = 0; u < p; u++)
		first[u] = first[u + 1];
	first[p] = packets->hops;
}

static void finish(const struct scheduler *scheduler, struct lsi_packets *packets)
{
	const int64_t p = scheduler->problem->nodes;

	for (int64_t i = 0; i < packets->hops; i++) {
		struct lsi_packet_hop *const hop = &packets->hop[i];

		hop->taken = hop->taken > 0 ? scheduler->slot[hop->taken].number : -1;
		hop->put = hop->put > 0 ? scheduler->slot[hop->put].number : -1;
	}
	list(packets, p, SENT);
	list(packets, p, RECEIVED);
	for (int64_t u = 0; u < p; u++)
		if (packets->slots < packets->used[u])
			packets->slots = packets->used[u];
}

struct lsi_packets *lsi_packets_make(const struct lsi_problem *problem, bool together)
{
	struct scheduler scheduler = { .problem = problem, .together = together };
	struct lsi_packets *packets = allocate(problem);

	if (packets && make_scheduler(&scheduler) && schedule(&scheduler, packets)) {
		finish(&scheduler, packets);
	} else {
		lsi_free(packets);
		packets = NULL;
	}
	lsi_free(scheduler.slot);
	lsi_arena_release(&scheduler.arena);
	return packets;
}

static struct lsi_packet_message in_round(
	const struct lsi_packets *packets, int which, int64_t rank, int64_t round)
{
	const int32_t *const at = packets->at[which];
	const int64_t end = packets->first[which][rank + 1];
	int64_t low = packets->first[which][rank], high = end;
	struct lsi_packet_message message = { NULL, 0 };

	while (low < high) {
		const int64_t middle = low + (high - low) / 2;

		if (packets->hop[at[middle]].round < round)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < end && packets->hop[at[low]].round == round; low++)
		message.count++;
	if (message.count > 0)
		message.hop = &packets->hop[at[low - message.count]];
	return message;
}

struct lsi_packet_message lsi_packets_sent(
	const struct lsi_packets *packets, int64_t rank, int64_t round)
{
	return in_round(packets, SENT, rank, round);
}

struct lsi_packet_message lsi_packets_received(
	const struct lsi_packets *packets, int64_t rank, int64_t round)
{
	return in_round(packets, RECEIVED, rank, round);
}
