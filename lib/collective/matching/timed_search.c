#include "collective/matching/timed_search.h"

#include <string.h>

#include "collective/matching/link_search.h"

enum { SWEEPS_IN_VAIN = 32, VISITS = 1 << 19, VISITS_TOTAL = 1 << 21 };
enum { DETOUR = 2 }; /* a path has at most DETOUR hops more than the distance */

/* Prices: of a hop, of a block that shares a message, of a message beside others; of the past. */
enum { HOP = 16, SHARE = 1, OVER = 16, PAST = 8 };

/* ---- Messages of a round */

/* Whether a further block on the link of a receiver is a further message. */
static bool is_message(const struct lsi_timed_search *s, int64_t round, int32_t link)
{
	return !s->together || s->blocks[round * s->table.links + link] == 0;
}

/* Add a block to the messages on its path, or take it out of them. */
static void change_use(struct lsi_timed_search *s, int32_t block, int by)
{
	for (int32_t t = 0, u = block; t < s->rounds; t++) {
		const int32_t next = s->path[(int64_t)block * s->rounds + t];
		int32_t v, *blocks;

		if (next == LSI_TIMED_WAIT)
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
static int64_t price(const struct lsi_timed_search *s, int64_t round, int32_t u, int32_t link)
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
static void list_near(struct lsi_timed_search *s, int32_t block)
{
	const uint8_t *const here = s->distance + block * s->p;
	const uint8_t *const there = s->distance + lsi_timed_target(s, block) * s->p;

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
static void extend(struct lsi_timed_search *s, int64_t round, int32_t target)
{
	const int64_t *const before = s->cost + round * s->p;
	int64_t *const after = s->cost + (round + 1) * s->p;
	int32_t *const via = s->via + round * s->p;

	for (int32_t i = 0; i < s->nears; i++) {
		after[s->near[i]] = before[s->near[i]];
		via[s->near[i]] = LSI_TIMED_WAIT;
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

static void choose_path(struct lsi_timed_search *s, int32_t block)
{
	int32_t *const path = s->path + block * s->rounds;
	int32_t v = lsi_timed_target(s, block);

	list_near(s, block);
	for (int64_t t = 0; t < s->rounds; t++)
		extend(s, t, v);
	for (int64_t t = s->rounds - 1; t >= 0; t--) {
		path[t] = s->via[t * s->p + v];
		v = path[t] == LSI_TIMED_WAIT ? v : s->from[path[t]];
	}
}

/* ---- Sweeps */

/* Another order in each sweep: in the same order blocks could exchange their paths for ever. */
static void shuffle(struct lsi_timed_search *s)
{
	for (int32_t i = s->p - 1; i > 0; i--) {
		const int32_t j = lsi_search_random_below(&s->random, i + 1), kept = s->order[i];

		s->order[i] = s->order[j];
		s->order[j] = kept;
	}
}

/* Raise the prices of ports with several messages; returns the number of excess messages. */
static int64_t charge(struct lsi_timed_search *s)
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

static void clear(struct lsi_timed_search *s)
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
		s->path[i] = LSI_TIMED_WAIT;
}

/* Whether a block has no path yet, or passes a port with several messages. */
static bool must_choose(const struct lsi_timed_search *s, int32_t block)
{
	const int32_t *const path = s->path + block * s->rounds;
	int32_t u = block;

	for (int64_t t = 0; t < s->rounds; t++) {
		const int32_t from = u;

		u = path[t] == LSI_TIMED_WAIT ? u : s->table.neighbor[path[t]];
		if (path[t] != LSI_TIMED_WAIT
			&& (s->messages[LSI_SENT][t * s->p + from] > 1
				|| s->messages[LSI_RECEIVED][t * s->p + u] > 1))
			return true;
	}
	return u != lsi_timed_target(s, block);
}

/* Returns the number of excess messages. */
static int64_t sweep(struct lsi_timed_search *s)
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

bool lsi_timed_search_finds(struct lsi_timed_search *s, int64_t rounds)
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

/* ---- Memory */

static bool take_memory(struct lsi_timed_search *s, int64_t most_rounds)
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

static void fill_tables(struct lsi_timed_search *s)
{
	for (int32_t u = 0; u < s->p; u++) {
		for (int32_t l = s->table.first[u]; l < s->table.first[u + 1]; l++)
			s->from[l] = u;
		for (int32_t v = 0; v < s->p; v++)
			s->distance[u * s->p + v] = (uint8_t)ls_distance(s->problem->topology, u, v);
	}
}

bool lsi_timed_search_make(struct lsi_timed_search *s, const struct lsi_problem *problem,
	bool together, int64_t most_rounds)
{
	s->problem = problem;
	s->together = together;
	s->p = (int32_t)problem->nodes;
	if (!take_memory(s, most_rounds))
		return false;
	fill_tables(s);
	return true;
}
