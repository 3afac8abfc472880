#include "collective/direct/packets.h"

#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"

enum { SENT, RECEIVED, MOST_PARCELS = 1 << 20, MOST_HOPS = 1 << 23 };

/* What is to be carried ------------------------------------------------------------------------ */

static int64_t parcels_of(const struct lsi_problem *problem)
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
	const int64_t parcels = parcels_of(problem);

	return parcels <= MOST_PARCELS
		&& lsi_mul_sat(parcels, ls_topology_diameter(problem->topology)) <= MOST_HOPS;
}

/* The yard: where parcels wait ----------------------------------------------------------------- */

/* A slot of some node, free or not; chained with others of its node that are free. */
struct slot {
	int32_t number, next;
};

struct yard {
	const struct lsi_problem *problem;
	bool together;
	struct lsi_arena arena;
	int64_t links, longest; /* directed links; hops of the longest way */
	int64_t *link;          /* of each node the first of its links */
	int32_t *from, *to;     /* of each link */
	int32_t *stack;         /* for each link and hops to go: top parcel + 1, or 0 */
	int32_t *most;          /* of each link: the most hops to go; 0: none waits */
	int32_t *below;         /* of each parcel: the one below it in its stack, + 1 */
	int32_t *lies;          /* of each parcel: the slot it lies in, or 0: at home */
	int32_t *free;          /* of each node: a free slot, or 0 */
	struct slot *slot;      /* from 1 on */
	int32_t slots, room;
	int32_t *busy[2];       /* of each node: the round after it last sent, received */
	int32_t *order, *count; /* links by hops to go; links chosen at the head */
};

static int32_t *numbers(struct yard *yard, int64_t count)
{
	return lsi_arena_take(&yard->arena, (size_t)count, sizeof(int32_t));
}

static bool make_links(struct yard *yard)
{
	const struct ls_topology *t = yard->problem->topology;
	const int64_t p = yard->problem->nodes;

	yard->link = lsi_arena_take(&yard->arena, (size_t)p + 1, sizeof *yard->link);
	if (!yard->link)
		return false;
	for (int64_t u = 0; u < p; u++)
		yard->link[u + 1] = yard->link[u] + ls_degree(t, u);
	yard->links = yard->link[p];
	yard->from = numbers(yard, yard->links);
	yard->to = numbers(yard, yard->links);
	for (int64_t u = 0; u < p && yard->from && yard->to; u++) {
		for (int64_t l = yard->link[u]; l < yard->link[u + 1]; l++) {
			yard->from[l] = (int32_t)u;
			yard->to[l] = (int32_t)ls_neighbor(t, u, l - yard->link[u]);
		}
	}
	return yard->from && yard->to;
}

static bool make_yard(struct yard *yard)
{
	const int64_t p = yard->problem->nodes, parcels = parcels_of(yard->problem);

	yard->longest = ls_topology_diameter(yard->problem->topology);
	if (!make_links(yard))
		return false;
	yard->stack = numbers(yard, yard->links * (yard->longest + 1));
	yard->most = numbers(yard, yard->links);
	yard->below = numbers(yard, parcels);
	yard->lies = numbers(yard, parcels);
	yard->free = numbers(yard, p);
	yard->busy[SENT] = numbers(yard, p);
	yard->busy[RECEIVED] = numbers(yard, p);
	yard->order = numbers(yard, yard->links);
	yard->count = numbers(yard, yard->longest + 1);
	return yard->stack && yard->most && yard->below && yard->lies && yard->free && yard->busy[SENT]
		&& yard->busy[RECEIVED] && yard->order && yard->count;
}

/* A parcel at u waits for the link of its next hop. */
static void push(struct yard *yard, int64_t u, int64_t packet)
{
	const struct ls_topology *t = yard->problem->topology;
	const int64_t target = target_of(yard->problem, packet);
	const int64_t link = yard->link[u] + ls_first_hop(t, u, target);
	const int32_t hops = (int32_t)ls_distance(t, u, target);
	int32_t *top = &yard->stack[link * (yard->longest + 1) + hops];

	yard->below[packet] = *top;
	*top = (int32_t)packet + 1;
	if (yard->most[link] < hops)
		yard->most[link] = hops;
}

/* One of those with the most hops to go. */
static int32_t pop(struct yard *yard, int64_t link)
{
	int32_t *stack = &yard->stack[link * (yard->longest + 1)];
	const int32_t packet = stack[yard->most[link]] - 1;

	stack[yard->most[link]] = yard->below[packet];
	while (yard->most[link] > 0 && stack[yard->most[link]] == 0)
		yard->most[link]--;
	return packet;
}

/* A new slot with this number; 0: no memory. */
static int32_t new_slot(struct yard *yard, int32_t number)
{
	if (yard->slots + 1 >= yard->room) {
		const size_t old = (size_t)yard->room, room = 2 * old + 64;
		void *more =
			lsi_alloc_grow(yard->slot, old * sizeof *yard->slot, room * sizeof *yard->slot);

		if (!more)
			return 0;
		yard->slot = more;
		yard->room = (int32_t)room;
	}
	yard->slot[++yard->slots] = (struct slot){ number, 0 };
	return yard->slots;
}

/* A free slot of v, or a new one; 0: no memory. */
static int32_t take_slot(struct yard *yard, int32_t *used, int64_t v)
{
	const int32_t slot = yard->free[v];

	if (slot == 0)
		return new_slot(yard, used[v]++);
	yard->free[v] = yard->slot[slot].next;
	return slot;
}

/* Rounds --------------------------------------------------------------------------------------- */

/* The links for which parcels wait, those with the most hops to go first; how many. */
static int64_t sort_links(struct yard *yard)
{
	int32_t *const count = yard->count;
	int64_t sum = 0;

	memset(count, 0, (size_t)(yard->longest + 1) * sizeof *count);
	for (int64_t l = 0; l < yard->links; l++)
		count[yard->most[l]]++;
	for (int64_t h = yard->longest; h > 0; h--) {
		const int32_t here = count[h];

		count[h] = (int32_t)sum;
		sum += here;
	}
	for (int64_t l = 0; l < yard->links; l++)
		if (yard->most[l] > 0)
			yard->order[count[yard->most[l]]++] = (int32_t)l;
	return sum;
}

/* Links that are used in this round, at the head of order; how many. */
static int64_t choose_links(struct yard *yard, int64_t round)
{
	const int64_t waiting = sort_links(yard);
	const int32_t now = (int32_t)round + 1;
	int64_t chosen = 0;

	for (int64_t i = 0; i < waiting; i++) {
		const int32_t l = yard->order[i], u = yard->from[l], v = yard->to[l];

		if (yard->busy[SENT][u] == now || yard->busy[RECEIVED][v] == now)
			continue;
		yard->busy[SENT][u] = yard->busy[RECEIVED][v] = now;
		yard->order[chosen++] = l;
	}
	return chosen;
}

/* Takes one parcel over a link; its old slot is free for the next round.  false: no memory. */
static bool take(struct yard *yard, struct lsi_packets *parcels, int32_t link)
{
	const int32_t packet = pop(yard, link), v = yard->to[link];
	const bool is_there = v == target_of(yard->problem, packet);
	const int32_t put = is_there ? 0 : take_slot(yard, parcels->used, v);

	parcels->hop[parcels->hops++] = (struct lsi_packet_hop){ (int32_t)parcels->rounds,
		yard->from[link], v, packet, yard->lies[packet], put };
	return put > 0 || is_there;
}

/* What was carried lies at its new node, and waits there. */
static void put_down(struct yard *yard, const struct lsi_packet_hop *hop)
{
	if (hop->taken > 0) {
		yard->slot[hop->taken].next = yard->free[hop->from];
		yard->free[hop->from] = hop->taken;
	}
	yard->lies[hop->packet] = hop->put;
	if (hop->put > 0)
		push(yard, hop->to, hop->packet);
}

static bool carry(struct yard *yard, struct lsi_packets *parcels, int64_t chosen)
{
	const int64_t before = parcels->hops;
	int64_t longest = 0;

	for (int64_t i = 0; i < chosen; i++) {
		const int32_t link = yard->order[i];
		const int64_t first = parcels->hops;

		do {
			if (!take(yard, parcels, link))
				return false;
		} while (yard->together && yard->most[link] > 0);
		if (longest < parcels->hops - first)
			longest = parcels->hops - first;
	}
	for (int64_t h = before; h < parcels->hops; h++)
		put_down(yard, &parcels->hop[h]);
	parcels->messages += chosen;
	parcels->volume += longest;
	parcels->rounds++;
	return true;
}

/* Every parcel waits at its source. */
static bool fill(struct yard *yard, struct lsi_packets *parcels)
{
	const struct lsi_problem *problem = yard->problem;

	for (int64_t packet = parcels_of(problem) - 1; packet >= 0; packet--) {
		const int64_t source = source_of(problem, packet);
		const int64_t target = target_of(problem, packet);

		if (source == target)
			continue;
		if (yard->together) {
			yard->lies[packet] = new_slot(yard, (int32_t)target);
			parcels->used[source] = (int32_t)problem->nodes;
			if (yard->lies[packet] == 0)
				return false;
		}
		push(yard, source, packet);
	}
	return true;
}

static bool schedule(struct yard *yard, struct lsi_packets *parcels)
{
	if (!fill(yard, parcels))
		return false;
	for (int64_t chosen; (chosen = choose_links(yard, parcels->rounds)) > 0;) {
		if (!carry(yard, parcels, chosen))
			return false;
	}
	return true;
}

/* The result ----------------------------------------------------------------------------------- */

static int64_t sum_of_distances(const struct lsi_problem *problem)
{
	int64_t sum = 0;

	for (int64_t packet = 0; packet < parcels_of(problem); packet++)
		sum +=
			ls_distance(problem->topology, source_of(problem, packet), target_of(problem, packet));
	return sum;
}

static struct lsi_packets *allocate(const struct lsi_problem *problem)
{
	const size_t p = (size_t)problem->nodes, hops = (size_t)sum_of_distances(problem);
	struct lsi_packets *parcels = lsi_alloc_zero(1,
		sizeof *parcels + 2 * (p + 1) * sizeof(int64_t) + hops * sizeof(struct lsi_packet_hop)
			+ (2 * hops + p) * sizeof(int32_t));

	if (!parcels)
		return NULL;
	parcels->first[SENT] = (int64_t *)(parcels + 1);
	parcels->first[RECEIVED] = parcels->first[SENT] + p + 1;
	parcels->hop = (struct lsi_packet_hop *)(parcels->first[RECEIVED] + p + 1);
	parcels->at[SENT] = (int32_t *)(parcels->hop + hops);
	parcels->at[RECEIVED] = parcels->at[SENT] + hops;
	parcels->used = parcels->at[RECEIVED] + hops;
	return parcels;
}

static int32_t end_of(const struct lsi_packet_hop *hop, int which)
{
	return which == SENT ? hop->from : hop->to;
}

/* Lists the hops of each node, which are by rounds already. */
static void list(struct lsi_packets *parcels, int64_t p, int which)
{
	int64_t *const first = parcels->first[which];

	for (int64_t i = 0; i < parcels->hops; i++)
		first[end_of(&parcels->hop[i], which) + 1]++;
	for (int64_t u = 0; u < p; u++)
		first[u + 1] += first[u];
	for (int64_t i = parcels->hops - 1; i >= 0; i--)
		parcels->at[which][--first[end_of(&parcels->hop[i], which) + 1]] = (int32_t)i;
	/* Each first[u + 1] is where node u begins now. */
	for (int64_t u = 0; u < p; u++)
		first[u] = first[u + 1];
	first[p] = parcels->hops;
}

static void finish(const struct yard *yard, struct lsi_packets *parcels)
{
	const int64_t p = yard->problem->nodes;

	for (int64_t i = 0; i < parcels->hops; i++) {
		struct lsi_packet_hop *const hop = &parcels->hop[i];

		hop->taken = hop->taken > 0 ? yard->slot[hop->taken].number : -1;
		hop->put = hop->put > 0 ? yard->slot[hop->put].number : -1;
	}
	list(parcels, p, SENT);
	list(parcels, p, RECEIVED);
	for (int64_t u = 0; u < p; u++)
		if (parcels->slots < parcels->used[u])
			parcels->slots = parcels->used[u];
}

struct lsi_packets *lsi_packets_make(const struct lsi_problem *problem, bool together)
{
	struct yard yard = { .problem = problem, .together = together };
	struct lsi_packets *parcels = allocate(problem);

	if (parcels && make_yard(&yard) && schedule(&yard, parcels)) {
		finish(&yard, parcels);
	} else {
		lsi_free(parcels);
		parcels = NULL;
	}
	lsi_free(yard.slot);
	lsi_arena_release(&yard.arena);
	return parcels;
}

static struct lsi_packet_message in_round(
	const struct lsi_packets *parcels, int which, int64_t rank, int64_t round)
{
	const int32_t *const at = parcels->at[which];
	const int64_t end = parcels->first[which][rank + 1];
	int64_t low = parcels->first[which][rank], high = end;
	struct lsi_packet_message load = { NULL, 0 };

	while (low < high) {
		const int64_t middle = low + (high - low) / 2;

		if (parcels->hop[at[middle]].round < round)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < end && parcels->hop[at[low]].round == round; low++)
		load.count++;
	if (load.count > 0)
		load.hop = &parcels->hop[at[low - load.count]];
	return load;
}

struct lsi_packet_message lsi_packets_sent(
	const struct lsi_packets *parcels, int64_t rank, int64_t round)
{
	return in_round(parcels, SENT, rank, round);
}

struct lsi_packet_message lsi_packets_received(
	const struct lsi_packets *parcels, int64_t rank, int64_t round)
{
	return in_round(parcels, RECEIVED, rank, round);
}
