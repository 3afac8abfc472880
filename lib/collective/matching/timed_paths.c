#include "collective/matching/timed_paths.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "collective/matching/link_search.h"
#include "collective/round_bound.h"
#include "collective/shift_bound.h"
#include "collective/tree_bound.h"

enum { SWEEPS_IN_VAIN = 32, VISITS = 1 << 19, VISITS_TOTAL = 1 << 21 };
enum { WAIT = -1, DETOUR = 2 }; /* a path has at most DETOUR hops more than the distance */

/* Prices: of a hop, of a block that shares a message, of a message beside others; of the past. */
enum { HOP = 16, SHARE = 1, OVER = 16, PAST = 8 };

struct search {
	struct lsi_arena arena;
	struct lsi_link_table table;
	const struct lsi_problem *problem;
	bool together;
	int32_t p;
	int64_t rounds, visits; /* visits of nodes and links limit the time */
	uint64_t random;
	int32_t *from;        /* of each link */
	uint8_t *distance;    /* of each pair */
	int32_t *order;       /* of the blocks in a sweep */
	int32_t *near, nears; /* the nodes that a path may pass */
	bool *is_near;
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

/* List the nodes on walks to the target that are not much longer than the distance. */
static void list_near(struct search *s, int32_t block)
{
	const uint8_t *const here = s->distance + block * s->p;
	const uint8_t *const there = s->distance + target_of(s, block) * s->p;

	s->nears = 0;
	for (int32_t u = 0; u < s->p; u++) {
		s->is_near[u] = here[u] + there[u] <= there[block] + DETOUR;
		s->near[s->nears] = u;
		s->nears += s->is_near[u];
		s->cost[u] = u == block ? 0 : INT64_MAX;
	}
	s->visits += s->p;
}

/* Reach nodes in a round from those where a block is, if it can still be in time. */
static void extend(struct search *s, int64_t round, int32_t target)
{
	const int64_t *const before = s->cost + round * s->p;
	int64_t *const after = s->cost + (round + 1) * s->p;
	int32_t *const via = s->via + round * s->p;

	for (int32_t i = 0; i < s->nears; i++) {
		after[s->near[i]] = before[s->near[i]];
		via[s->near[i]] = WAIT;
	}
	for (int32_t i = 0; i < s->nears; i++) {
		const int32_t u = s->near[i];

		if (before[u] == INT64_MAX || s->distance[target * s->p + u] > s->rounds - round)
			continue;
		for (int32_t l = s->table.first[u]; l < s->table.first[u + 1]; l++) {
			const int32_t v = s->table.neighbor[l];
			const int64_t cost = before[u] + price(s, round, u, l);

			if (s->is_near[v] && cost < after[v]) {
				after[v] = cost;
				via[v] = l;
			}
		}
		s->visits += s->table.first[u + 1] - s->table.first[u];
	}
	s->visits += s->nears;
}

static void choose_path(struct search *s, int32_t block)
{
	int32_t *const path = s->path + block * s->rounds;
	int32_t v = target_of(s, block);

	list_near(s, block);
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

/* Raise the prices of ports with several messages; returns the number of excess messages. */
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

/* Whether a block has no path yet, or passes a port with several messages. */
static bool must_choose(const struct search *s, int32_t block)
{
	const int32_t *const path = s->path + block * s->rounds;
	int32_t u = block;

	for (int64_t t = 0; t < s->rounds; t++) {
		const int32_t from = u;

		u = path[t] == WAIT ? u : s->table.neighbor[path[t]];
		if (path[t] != WAIT
			&& (s->messages[LSI_SENT][t * s->p + from] > 1
				|| s->messages[LSI_RECEIVED][t * s->p + u] > 1))
			return true;
	}
	return u != target_of(s, block);
}

/* Returns the number of excess messages. */
static int64_t sweep(struct search *s)
{
	shuffle(s);
	for (int32_t i = 0; i < s->p; i++) {
		if (!must_choose(s, s->order[i]))
			continue;
		change_use(s, s->order[i], -1);
		choose_path(s, s->order[i]);
		change_use(s, s->order[i], 1);
	}
	return charge(s);
}

/*
 * Whether there are paths of this number of rounds without two messages at a port.  Gives up when
 * SWEEPS_IN_VAIN sweeps lower the excess no more, or when the visits are spent.
 */
static bool finds_paths(struct search *s, int64_t rounds)
{
	const int64_t limit = lsi_min(s->visits + VISITS, VISITS_TOTAL);
	int64_t least = INT64_MAX;

	s->rounds = rounds;
	clear(s);
	for (int vain = 0; vain < SWEEPS_IN_VAIN && s->visits < limit; vain++) {
		const int64_t excess = sweep(s);

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
	struct lsi_packets *packets;
	int64_t hops = 0;

	for (int64_t i = 0; i < s->rounds * s->p; i++)
		hops += s->path[i] != WAIT;
	packets = lsi_packets_allocate(s->p, hops);
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

/* A known schedule, with the slots of this one. */
static struct lsi_packets *copy(const struct lsi_packets *known, int64_t nodes, bool together)
{
	struct lsi_packets *const packets = lsi_packets_allocate(nodes, known->hops);

	for (int64_t h = 0; packets && h < known->hops; h++)
		packets->hop[packets->hops++] = known->hop[h];
	return packets ? lsi_packets_finish(packets, nodes, together) : NULL;
}

static bool take_memory(struct search *s, int64_t most_rounds)
{
	const struct ls_topology *const t = s->problem->topology;
	const size_t p = (size_t)s->p, rounds = (size_t)most_rounds + 1;

	if (!lsi_link_table_make(&s->table, t, &s->arena))
		return false;
	s->from = lsi_arena_take(&s->arena, (size_t)s->table.links + 1, sizeof *s->from);
	s->distance = lsi_arena_take(&s->arena, p * p, sizeof *s->distance);
	s->order = lsi_arena_take(&s->arena, p, sizeof *s->order);
	s->near = lsi_arena_take(&s->arena, p, sizeof *s->near);
	s->is_near = lsi_arena_take(&s->arena, p, sizeof *s->is_near);
	s->blocks = lsi_arena_take(&s->arena, rounds * (size_t)s->table.links + 1, sizeof *s->blocks);
	s->cost = lsi_arena_take(&s->arena, (rounds + 1) * p, sizeof *s->cost);
	s->via = lsi_arena_take(&s->arena, rounds * p, sizeof *s->via);
	s->path = lsi_arena_take(&s->arena, rounds * p, sizeof *s->path);
	for (int end = LSI_SENT; end <= LSI_RECEIVED; end++) {
		s->messages[end] = lsi_arena_take(&s->arena, rounds * p, sizeof *s->messages[end]);
		s->past[end] = lsi_arena_take(&s->arena, rounds * p, sizeof *s->past[end]);
		if (!s->messages[end] || !s->past[end])
			return false;
	}
	return s->from && s->distance && s->order && s->near && s->is_near && s->blocks && s->cost
		&& s->via && s->path;
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

/*
 * Rounds that are too few, as these are without paths.  The bound of ports costs more than a
 * search, and says much only on trees.  -1: no memory.
 */
static int64_t too_few(const struct search *s, int64_t rounds)
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
	struct search *s, int64_t first, int64_t most, struct lsi_packets *packets)
{
	int64_t failed = first - 1, step = 1;
	bool found = false;

	while (packets && failed + 1 < most) {
		const int64_t rounds =
			found ? failed + (most - failed) / 2 : lsi_min(failed + step, most - 1);

		if (finds_paths(s, rounds)) {
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
	struct search s = { .problem = problem, .together = together, .p = (int32_t)problem->nodes };
	struct lsi_packets *const greedy = lsi_packets_make(problem, false);
	struct lsi_packets *packets = NULL;

	if (greedy && take_memory(&s, greedy->rounds)) {
		fill_tables(&s);
		packets = shorten(&s, first, greedy->rounds, copy(greedy, s.p, together));
	}
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
