#include "collective/matching/flow_paths.h"

#include <string.h>

#include "base/math.h"

enum { DETOUR = 2, SWEEPS = 12, VISITS = 1 << 25 };
enum { SENT, RECEIVED };

/* Prices: of a hop; of a block above those wanted, now and for each sweep before. */
enum { HOP = 1 << 10, OVER = HOP / 4, PAST = HOP / 4 };

struct search {
	struct lsi_flow_paths *paths;
	int32_t p;
	uint8_t *distance;  /* of each pair */
	int64_t *price[2];  /* of each port */
	int64_t *past[2];   /* the part of the price that earlier sweeps have added */
	int64_t *cost;      /* of the cheapest path to each node, by hops; INT64_MAX: none */
	int32_t *via;       /* its last link */
	int32_t wanted;     /* ports with more blocks are overloaded */
	int64_t over_price; /* of a block above those wanted */
	int64_t excess;     /* sum over the ports of the blocks above those wanted */
	int64_t visits;     /* of nodes and links; they limit the time */
	uint8_t *best_length;
	int32_t *best_link;
};

/* ---- Prices */

/* The blocks above those wanted. */
static int32_t above(const struct search *s, int32_t load)
{
	return load > s->wanted ? load - s->wanted : 0;
}

/* The price for one block more, which would be above those wanted already at the limit. */
static void set_price(struct search *s, int end, int32_t node)
{
	s->price[end][node] =
		s->past[end][node] + above(s, s->paths->load[end][node] + 1) * s->over_price;
}

static void change_load(struct search *s, int end, int32_t node, int by)
{
	int32_t *const load = &s->paths->load[end][node];

	s->excess -= above(s, *load);
	*load += by;
	s->excess += above(s, *load);
	set_price(s, end, node);
}

/* Every price depends on the blocks wanted. */
static void want(struct search *s, int32_t wanted, int64_t over_price)
{
	s->wanted = wanted;
	s->over_price = over_price;
	s->excess = 0;
	for (int end = SENT; end <= RECEIVED; end++)
		for (int32_t u = 0; u < s->p; u++) {
			s->excess += above(s, s->paths->load[end][u]);
			set_price(s, end, u);
		}
}

/* Add the blocks above those wanted to the price of the past. */
static void charge(struct search *s)
{
	for (int end = SENT; end <= RECEIVED; end++)
		for (int32_t u = 0; u < s->p; u++)
			s->past[end][u] += (int64_t)above(s, s->paths->load[end][u]) * PAST;
}

static void change_loads(struct search *s, int64_t block, int by)
{
	const struct lsi_flow_paths *const f = s->paths;
	const int32_t *const link = f->link + block * f->stride;

	for (int i = 0; i < f->length[block]; i++) {
		change_load(s, SENT, f->table->neighbor[link[i]], by);
		change_load(s, RECEIVED, f->table->node[link[i]], by);
	}
}

/* ---- Cheapest paths */

/* A search for a path of at most `most` hops. */
struct route {
	const uint8_t *source, *target; /* distances of all nodes from them */
	int most;
};

/* The cheapest paths of exactly `hops` hops, from those of one hop less. */
static void extend(struct search *s, struct route route, int hops)
{
	const struct lsi_link_table *const table = s->paths->table;
	const int64_t *const before = s->cost + (int64_t)(hops - 1) * s->p;
	const int64_t *const price = s->price[SENT];
	int64_t *const cost = s->cost + (int64_t)hops * s->p;
	int32_t *const via = s->via + (int64_t)hops * s->p;

	for (int32_t v = 0; v < s->p; v++) {
		cost[v] = INT64_MAX;
		if (route.source[v] > hops || route.target[v] > route.most - hops)
			continue;
		for (int32_t l = table->first[v]; l < table->first[v + 1]; l++) {
			const int32_t u = table->neighbor[l];

			if (before[u] == INT64_MAX || before[u] + price[u] >= cost[v])
				continue;
			cost[v] = before[u] + price[u];
			via[v] = l;
		}
		if (cost[v] < INT64_MAX)
			cost[v] += HOP + s->price[RECEIVED][v];
		s->visits += table->first[v + 1] - table->first[v];
	}
	s->visits += s->p;
}

static void choose_path(struct search *s, int64_t block, int detour)
{
	struct lsi_flow_paths *const f = s->paths;
	int32_t *const link = f->link + block * f->stride;
	const int32_t x = (int32_t)(block / s->p), w = (int32_t)(block % s->p);
	const struct route route = { s->distance + x * s->p, s->distance + w * s->p,
		s->distance[block] + detour };
	int best = 1;

	for (int32_t v = 0; v < s->p; v++)
		s->cost[v] = v == x ? 0 : INT64_MAX;
	for (int h = 1; h <= route.most; h++) {
		extend(s, route, h);
		if (s->cost[(int64_t)h * s->p + w] < s->cost[(int64_t)best * s->p + w])
			best = h;
	}
	f->length[block] = (uint8_t)best;
	for (int32_t h = best, v = w; h > 0; h--) {
		link[h - 1] = s->via[(int64_t)h * s->p + v];
		v = f->table->neighbor[link[h - 1]];
	}
}

/* Whether a block uses a port with more blocks than wanted. */
static bool is_overloaded(const struct search *s, int64_t block)
{
	const struct lsi_flow_paths *const f = s->paths;
	const int32_t *const link = f->link + block * f->stride;

	for (int i = 0; i < f->length[block]; i++)
		if (f->load[SENT][f->table->neighbor[link[i]]] > s->wanted
			|| f->load[RECEIVED][f->table->node[link[i]]] > s->wanted)
			return true;
	return false;
}

/* ---- Sweeps */

/*
 * Blocks choose one after another, each with the prices that those before it leave: if all chose at
 * once they would all leave the same port for the same other one.
 */
static void sweep(struct search *s)
{
	const int64_t blocks = (int64_t)s->p * s->p;

	for (int64_t block = 0; block < blocks && s->excess > 0; block++) {
		if (!is_overloaded(s, block))
			continue;
		change_loads(s, block, -1);
		choose_path(s, block, DETOUR);
		change_loads(s, block, 1);
	}
	s->visits += blocks;
}

static int32_t busiest(const struct search *s)
{
	int32_t most = 0;

	for (int end = SENT; end <= RECEIVED; end++)
		for (int32_t u = 0; u < s->p; u++)
			most = most < s->paths->load[end][u] ? s->paths->load[end][u] : most;
	return most;
}

static void copy_paths(struct search *s, bool back)
{
	struct lsi_flow_paths *const f = s->paths;
	const size_t blocks = (size_t)s->p * (size_t)s->p;
	const size_t bytes = blocks * (size_t)f->stride * sizeof *f->link;

	memcpy(back ? f->length : s->best_length, back ? s->best_length : f->length, blocks);
	memcpy(back ? f->link : s->best_link, back ? s->best_link : f->link, bytes);
}

/* The loads do not fall in every sweep. */
static void keep_best(struct search *s)
{
	const int32_t now = busiest(s);

	if (now >= s->paths->busiest)
		return;
	s->paths->busiest = now;
	copy_paths(s, false);
}

/* Sweep until no port has more than `least` blocks.  When all have those wanted, want fewer. */
static void improve(struct search *s, int sweeps, int32_t wanted, int32_t least)
{
	want(s, wanted, OVER);
	for (int i = 0; i < sweeps && s->paths->busiest > least && s->visits < VISITS; i++) {
		sweep(s);
		keep_best(s);
		charge(s);
		if (s->excess == 0)
			i = 0;
		want(s, s->excess == 0 ? s->paths->busiest - 1 : s->wanted, OVER);
	}
}

/*
 * First every port above the mean of the least loads is overloaded: this spreads the blocks, but on
 * most networks cannot succeed.  Then only the busiest ports are overloaded.
 */
static void search_paths(struct search *s, int32_t least)
{
	const int64_t blocks = (int64_t)s->p * s->p;
	int64_t distances = 0;

	want(s, 0, 1);
	for (int64_t block = 0; block < blocks; block++) {
		if (block / s->p == block % s->p)
			continue;
		distances += s->distance[block];
		choose_path(s, block, 0);
		change_loads(s, block, 1);
	}
	s->paths->busiest = INT32_MAX;
	keep_best(s);
	improve(s, SWEEPS, (int32_t)((distances + s->p - 1) / s->p), least);
	improve(s, 2 * SWEEPS, s->paths->busiest - 1, least);
}

/* The best paths, with their loads. */
static void restore_best(struct search *s)
{
	struct lsi_flow_paths *const f = s->paths;

	copy_paths(s, true);
	for (int end = SENT; end <= RECEIVED; end++)
		memset(f->load[end], 0, (size_t)s->p * sizeof *f->load[end]);
	f->hops = 0;
	for (int64_t block = 0; block < (int64_t)s->p * s->p; block++) {
		f->hops += f->length[block];
		change_loads(s, block, 1);
	}
}

/* ---- Memory */

static bool take_memory(struct search *s, struct lsi_arena *arena)
{
	struct lsi_flow_paths *const f = s->paths;
	const size_t p = (size_t)s->p, links = (size_t)f->table->links + 1, stride = (size_t)f->stride;
	const size_t layers = p * (stride + 1);

	f->reverse = lsi_arena_take(arena, links, sizeof *f->reverse);
	f->length = lsi_arena_take(arena, 3 * p * p, sizeof *f->length);
	f->link = lsi_arena_take(arena, 2 * p * p * stride, sizeof *f->link);
	f->load[SENT] = lsi_arena_take(arena, 2 * p, sizeof *f->load[SENT]);
	s->price[SENT] = lsi_arena_take(arena, 4 * p, sizeof *s->price[SENT]);
	s->cost = lsi_arena_take(arena, layers, sizeof *s->cost);
	s->via = lsi_arena_take(arena, layers, sizeof *s->via);
	if (!f->reverse || !f->length || !f->link || !f->load[SENT] || !s->price[SENT] || !s->cost
		|| !s->via)
		return false;
	s->best_length = f->length + p * p;
	s->distance = s->best_length + p * p;
	s->best_link = f->link + p * p * stride;
	f->load[RECEIVED] = f->load[SENT] + p;
	s->price[RECEIVED] = s->price[SENT] + p;
	s->past[SENT] = s->price[RECEIVED] + p;
	s->past[RECEIVED] = s->past[SENT] + p;
	return true;
}

static void fill_tables(struct search *s, const struct ls_topology *t)
{
	struct lsi_flow_paths *const f = s->paths;

	for (int32_t v = 0; v < s->p; v++) {
		for (int32_t l = f->table->first[v]; l < f->table->first[v + 1]; l++) {
			f->reverse[l] = f->table->first[f->table->neighbor[l]]
				+ (int32_t)ls_reverse(t, v, l - f->table->first[v]);
		}
		for (int32_t u = 0; u < s->p; u++)
			s->distance[(int64_t)u * s->p + v] = (uint8_t)ls_distance(t, u, v);
	}
}

bool lsi_flow_paths_make(struct lsi_flow_paths *f, const struct ls_topology *t,
	const struct lsi_link_table *table, int64_t least, struct lsi_arena *arena)
{
	struct search s = { .paths = f, .p = table->nodes };

	f->table = table;
	f->stride = (int32_t)ls_topology_diameter(t) + DETOUR;
	if (!take_memory(&s, arena))
		return false;
	fill_tables(&s, t);
	search_paths(&s, (int32_t)least);
	restore_best(&s);
	return true;
}
