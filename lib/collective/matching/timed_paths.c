#include "collective/matching/timed_paths.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "collective/matching/link_search.h"
#include "collective/shift_bound.h"

enum { SWEEPS_IN_VAIN = 32, VISITS = 1 << 23, VISITS_IN_ALL = 1 << 26 };
enum { WAIT = -1 };

/* Prices: of a hop, of a block that shares a message, of a message beside others; of the past. */
enum { HOP = 16, SHARE = 1, OVER = 16, PAST = 8 };

struct search {
	struct lsi_arena arena;
	struct lsi_link_table table;
	const struct lsi_problem *problem;
	bool together;
	int32_t p;
	int64_t rounds;
	int64_t visits; /* of nodes and links; they limit the time */
	uint64_t random;
	int32_t *from;     /* of each link */
	uint8_t *distance; /* of each pair */
	int32_t *order;    /* of the blocks in a sweep */
	/* Of each round, first index: */
	int32_t *blocks;      /* of each link */
	int32_t *messages[2]; /* of each port */
	int64_t *past[2];     /* the part of the price that earlier sweeps have added */
	int64_t *cost;        /* of the cheapest path to each node before each round */
	int32_t *via;         /* its last link, or WAIT */
	int32_t *path;        /* of each block: its link in each round, or WAIT */
};

static int32_t target_of(const struct search *s, int32_t block)
{
	return (int32_t)lsi_wrap(block + s->problem->shift, s->p);
}

/* ---- Messages of a round */

/* Whether a further block on the link of a receiver is a further message. */
static bool is_message(const struct search *s, int64_t round, int32_t link)
{
	return !s->together || s->blocks[round * s->table.links + link] == 0;
}

/* Add a block to the messages on its path, or take it out of them. */
static void change_use(struct search *s, int32_t block, int by)
{
	for (int32_t t = 0, u = block; t < s->rounds; t++) {
		const int32_t next = s->path[(int64_t)block * s->rounds + t];
		int32_t v, *blocks;

		if (next == WAIT)
			continue;
		v = s->table.neighbor[next];
		blocks = &s->blocks[(int64_t)t * s->table.links + next];
		*blocks += by < 0 ? by : 0;
		if (is_message(s, t, next)) {
			s->messages[LSI_SENT][(int64_t)t * s->p + u] += by;
			s->messages[LSI_RECEIVED][(int64_t)t * s->p + v] += by;
		}
		*blocks += by > 0 ? by : 0;
		u = v;
	}
}

/*
 * The price of a hop from u over a link in a round.  A block that joins a message uses no port, so
 * it pays for the past only if other messages use the ports of this one.
 */
static int64_t price(const struct search *s, int64_t round, int32_t u, int32_t link)
{
	const int64_t from = round * s->p + u, to = round * s->p + s->table.neighbor[link];
	const int32_t blocks = s->blocks[round * s->table.links + link];
	const int64_t others = s->messages[LSI_SENT][from] + s->messages[LSI_RECEIVED][to]
		- (s->together && blocks > 0 ? 2 : 0);

	if (others == 0 && s->together && blocks > 0)
		return HOP + blocks * SHARE;
	return HOP + blocks * SHARE + others * OVER + s->past[LSI_SENT][from]
		+ s->past[LSI_RECEIVED][to];
}

/* ---- Cheapest paths */

/* Reach nodes in a round from those where a block is, if it can still be in time. */
static void extend(struct search *s, int64_t round, int32_t target)
{
	const int64_t *const before = s->cost + round * s->p;
	int64_t *const after = s->cost + (round + 1) * s->p;
	int32_t *const via = s->via + round * s->p;

	for (int32_t v = 0; v < s->p; v++) {
		after[v] = before[v];
		via[v] = WAIT;
	}
	for (int32_t u = 0; u < s->p; u++) {
		if (before[u] == INT64_MAX || s->distance[target * s->p + u] > s->rounds - round)
			continue;
		for (int32_t l = s->table.first[u]; l < s->table.first[u + 1]; l++) {
			const int32_t v = s->table.neighbor[l];
			const int64_t cost = before[u] + price(s, round, u, l);

			if (cost >= after[v])
				continue;
			after[v] = cost;
			via[v] = l;
		}
		s->visits += s->table.first[u + 1] - s->table.first[u];
	}
	s->visits += s->p;
}

static void choose_path(struct search *s, int32_t block)
{
	int32_t *const path = s->path + block * s->rounds;
	int32_t v = target_of(s, block);

	for (int32_t u = 0; u < s->p; u++)
		s->cost[u] = u == block ? 0 : INT64_MAX;
	for (int64_t t = 0; t < s->rounds; t++)
		extend(s, t, v);
	for (int64_t t = s->rounds - 1; t >= 0; t--) {
		path[t] = s->via[t * s->p + v];
		v = path[t] == WAIT ? v : s->from[path[t]];
	}
}

/* ---- Sweeps */

/* Another order in each sweep: in the same order blocks could exchange their paths for ever. */
static void shuffle(struct search *s)
{
	for (int32_t i = s->p - 1; i > 0; i--) {
		const int32_t j = lsi_search_random_below(&s->random, i + 1), kept = s->order[i];

		s->order[i] = s->order[j];
		s->order[j] = kept;
	}
}

/* Raise the prices of ports with several messages; returns how many are too many. */
static int64_t charge(struct search *s)
{
	int64_t excess = 0;

	for (int end = LSI_SENT; end <= LSI_RECEIVED; end++)
		for (int64_t i = 0; i < s->rounds * s->p; i++)
			if (s->messages[end][i] > 1) {
				s->past[end][i] += (s->messages[end][i] - 1) * PAST;
				excess += s->messages[end][i] - 1;
			}
	return excess;
}

static void clear(struct search *s)
{
	const size_t ports = (size_t)(s->rounds * s->p);

	memset(s->blocks, 0, (size_t)s->rounds * (size_t)s->table.links * sizeof *s->blocks);
	for (int end = LSI_SENT; end <= LSI_RECEIVED; end++) {
		memset(s->messages[end], 0, ports * sizeof *s->messages[end]);
		memset(s->past[end], 0, ports * sizeof *s->past[end]);
	}
	for (int32_t i = 0; i < s->p; i++)
		s->order[i] = i;
	for (int64_t i = 0; i < s->rounds * s->p; i++)
		s->path[i] = WAIT;
}

static void sweep(struct search *s)
{
	shuffle(s);
	for (int32_t i = 0; i < s->p; i++) {
		change_use(s, s->order[i], -1);
		choose_path(s, s->order[i]);
		change_use(s, s->order[i], 1);
	}
}

/*
 * Whether there are paths of this number of rounds without two messages at a port.  Gives up when
 * many sweeps leave as many messages too many as the best one before.
 */
static bool finds_paths(struct search *s, int64_t rounds)
{
	const int64_t limit = lsi_min(s->visits + VISITS, VISITS_IN_ALL);
	int64_t least = INT64_MAX;

	s->rounds = rounds;
	clear(s);
	for (int vain = 0; vain < SWEEPS_IN_VAIN && s->visits < limit; vain++) {
		sweep(s);

		const int64_t excess = charge(s);

		if (excess == 0)
			return true;
		vain = excess < least ? 0 : vain;
		least = lsi_min(least, excess);
	}
	return false;
}

/* ---- The result */

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
static struct lsi_packets *write_packets(const struct search *s)
{
	struct lsi_packets *const packets = lsi_packets_allocate(s->p, s->rounds * s->p);

	if (!packets)
		return NULL;
	for (int64_t i = 0; i < s->rounds * s->p; i++) {
		const int32_t link = s->path[i], block = (int32_t)(i / s->rounds);

		if (link == WAIT)
			continue;
		packets->hop[packets->hops++] = (struct lsi_packet_hop){ (int32_t)(i % s->rounds),
			s->from[link], s->table.neighbor[link], block, -1,
			s->table.neighbor[link] == target_of(s, block) ? -1 : 0 };
	}
	qsort(packets->hop, (size_t)packets->hops, sizeof *packets->hop, in_message_order);
	return lsi_packets_finish(packets, s->p, s->together);
}

/* The greedy schedule as it is, with the slots of this one. */
static struct lsi_packets *write_greedy(const struct search *s, const struct lsi_packets *greedy)
{
	struct lsi_packets *const packets = lsi_packets_allocate(s->p, greedy->hops);

	if (!packets)
		return NULL;
	packets->hops = greedy->hops;
	memcpy(packets->hop, greedy->hop, (size_t)greedy->hops * sizeof *greedy->hop);
	return lsi_packets_finish(packets, s->p, s->together);
}

static bool take_memory(struct search *s, int64_t most_rounds)
{
	const struct ls_topology *const t = s->problem->topology;
	const size_t p = (size_t)s->p, rounds = (size_t)most_rounds + 1;

	if (!lsi_link_table_make(&s->table, t, &s->arena))
		return false;

	const size_t links = (size_t)s->table.links;

	s->from = lsi_arena_take(&s->arena, links + 1, sizeof *s->from);
	s->distance = lsi_arena_take(&s->arena, p * p, sizeof *s->distance);
	s->order = lsi_arena_take(&s->arena, p, sizeof *s->order);
	s->blocks = lsi_arena_take(&s->arena, rounds * links + 1, sizeof *s->blocks);
	s->cost = lsi_arena_take(&s->arena, (rounds + 1) * p, sizeof *s->cost);
	s->via = lsi_arena_take(&s->arena, rounds * p, sizeof *s->via);
	s->path = lsi_arena_take(&s->arena, rounds * p, sizeof *s->path);
	for (int end = LSI_SENT; end <= LSI_RECEIVED; end++) {
		s->messages[end] = lsi_arena_take(&s->arena, rounds * p, sizeof *s->messages[end]);
		s->past[end] = lsi_arena_take(&s->arena, rounds * p, sizeof *s->past[end]);
		if (!s->messages[end] || !s->past[end])
			return false;
	}
	return s->from && s->distance && s->order && s->blocks && s->cost && s->via && s->path;
}

static void fill_tables(struct search *s)
{
	for (int32_t u = 0; u < s->p; u++) {
		for (int32_t l = s->table.first[u]; l < s->table.first[u + 1]; l++)
			s->from[l] = u;
		for (int32_t v = 0; v < s->p; v++)
			s->distance[u * s->p + v] = (uint8_t)ls_distance(s->problem->topology, u, v);
	}
}

/* The fewest rounds for which there are paths; at most those of the greedy schedule. */
static struct lsi_packets *search_packets(const struct lsi_problem *problem, bool together)
{
	struct search s = { .problem = problem, .together = together, .p = (int32_t)problem->nodes };
	struct lsi_packets *const greedy = lsi_packets_make(problem, false);
	struct lsi_packets *packets = NULL;

	if (greedy && take_memory(&s, greedy->rounds)) {
		int64_t rounds = lsi_shift_bound(problem);

		fill_tables(&s);
		while (rounds < greedy->rounds && !finds_paths(&s, rounds))
			rounds++;
		packets = rounds < greedy->rounds ? write_packets(&s) : write_greedy(&s, greedy);
	}
	lsi_free(greedy);
	lsi_arena_release(&s.arena);
	return packets;
}

static struct lsi_kept *make(const struct ls_topology *t, int64_t shift, bool together)
{
	const struct lsi_problem problem = { .topology = t,
		.nodes = t->nodes,
		.operation = LS_SHIFT,
		.mode = LS_HOP,
		.shift = shift,
		.segments = 1,
		.ports = 1 };
	struct lsi_packets *const packets = search_packets(&problem, together);

	return packets ? &packets->kept : NULL;
}

static struct lsi_kept *make_single(const struct ls_topology *t, int64_t shift)
{
	return make(t, shift, false);
}

static struct lsi_kept *make_together(const struct ls_topology *t, int64_t shift)
{
	return make(t, shift, true);
}

const struct lsi_packets *lsi_timed_packets(const struct lsi_problem *problem, bool together)
{
	return (const struct lsi_packets *)lsi_topology_keep(
		problem->topology, together ? make_together : make_single, problem->shift);
}
