#include "collective/port_bound.h"

#include <string.h>

#include "base/alloc.h"
#include "base/math.h"
#include "collective/distance_sum.h"
#include "collective/matching/link_table.h"
#include "topology/kept.h"

enum { SENT, RECEIVED };
enum { NODES = 256, SWEEPS_LEAST = 2, SWEEPS_MOST = 128, VISITS = 1 << 26 };
enum { BITS = 16, ONE = 1 << BITS }; /* of numbers with a fraction */

struct bound {
	struct lsi_kept kept;
	int64_t blocks;
};

struct search {
	struct lsi_arena arena;
	struct lsi_link_table table;
	int32_t p;
	int64_t *price[2], *load[2]; /* of each port */
	int64_t *cost;               /* of the cheapest path to each node; INT64_MAX: unknown */
	int64_t *behind;             /* nodes behind each one on the cheapest paths; -1: not settled */
	int32_t *parent, *order;     /* nodes as they are settled */
};

/* ---- Cheapest paths from one node (Dijkstra 1959) */

static int32_t nearest_unsettled(const struct search *s)
{
	int32_t best = -1;

	for (int32_t v = 0; v < s->p; v++)
		if (s->behind[v] < 0 && s->cost[v] < INT64_MAX && (best < 0 || s->cost[v] < s->cost[best]))
			best = v;
	return best;
}

static void settle(struct search *s, int32_t u)
{
	for (int32_t l = s->table.first[u]; l < s->table.first[u + 1]; l++) {
		const int32_t v = s->table.neighbor[l];
		const int64_t cost = s->cost[u] + s->price[SENT][u] + s->price[RECEIVED][v];

		if (cost >= s->cost[v])
			continue;
		s->cost[v] = cost;
		s->parent[v] = u;
	}
}

/* Returns the sum of the costs, and adds the loads. */
static int64_t reach_from(struct search *s, int32_t source)
{
	int64_t sum = 0;

	for (int32_t v = 0; v < s->p; v++) {
		s->cost[v] = v == source ? 0 : INT64_MAX;
		s->behind[v] = -1;
	}
	for (int32_t i = 0; i < s->p; i++) {
		const int32_t u = nearest_unsettled(s);

		s->order[i] = u;
		s->behind[u] = 1;
		sum += s->cost[u];
		settle(s, u);
	}
	for (int32_t i = s->p - 1; i > 0; i--) {
		const int32_t v = s->order[i];

		s->load[RECEIVED][v] += s->behind[v];
		s->load[SENT][s->parent[v]] += s->behind[v];
		s->behind[s->parent[v]] += s->behind[v];
	}
	return sum;
}

/* ---- Prices */

static int64_t sum_of_prices(const struct search *s)
{
	int64_t sum = 0;

	for (int32_t u = 0; u < s->p; u++)
		sum += s->price[SENT][u] + s->price[RECEIVED][u];
	return sum;
}

/* The bound for these prices; also the loads of the cheapest paths. */
static int64_t bound_of_prices(struct search *s)
{
	const int64_t prices = sum_of_prices(s);
	int64_t sum = 0;

	for (int end = SENT; end <= RECEIVED; end++)
		memset(s->load[end], 0, (size_t)s->p * sizeof *s->load[end]);
	for (int32_t source = 0; source < s->p; source++)
		sum += reach_from(s, source);
	return (sum + prices - 1) / prices;
}

/* e^x for x < 8, as (1 + x / 8)^8. */
static int64_t power(int64_t x)
{
	int64_t y = ONE + x / 8;

	for (int i = 0; i < 3; i++)
		y = y * y >> BITS;
	return y;
}

/* Multiply each price by e^(rate (load / bound - 1)), then let their mean be 1 again. */
static void change_prices(struct search *s, int64_t bound, int64_t rate)
{
	const int64_t mean = (int64_t)2 * s->p * ONE;
	int64_t sum;

	for (int end = SENT; end <= RECEIVED; end++)
		for (int32_t u = 0; u < s->p; u++) {
			const int64_t x = lsi_min(rate * (s->load[end][u] - bound) / bound, 4 * ONE);

			s->price[end][u] = s->price[end][u] * power(x) >> BITS;
		}
	sum = sum_of_prices(s);
	for (int end = SENT; end <= RECEIVED; end++)
		for (int32_t u = 0; u < s->p; u++)
			s->price[end][u] = s->price[end][u] * mean / sum;
}

static int64_t highest_bound(struct search *s)
{
	const int64_t sweeps = VISITS / ((int64_t)s->p * s->p * s->p);
	int64_t best = 0, root = 0;

	for (int32_t u = 0; u < s->p; u++)
		s->price[SENT][u] = s->price[RECEIVED][u] = ONE;
	for (int64_t i = 0; i < lsi_min(sweeps + SWEEPS_LEAST, SWEEPS_MOST); i++) {
		const int64_t bound = bound_of_prices(s);

		best = best < bound ? bound : best;
		root += (root + 1) * (root + 1) <= i;
		change_prices(s, bound, 2 * ONE / (1 + root));
	}
	return best;
}

static bool take_memory(struct search *s, const struct ls_topology *t)
{
	const size_t p = (size_t)t->nodes;

	s->p = (int32_t)p;
	s->cost = lsi_arena_take(&s->arena, 6 * p, sizeof *s->cost);
	s->parent = lsi_arena_take(&s->arena, 2 * p, sizeof *s->parent);
	if (!s->cost || !s->parent)
		return false;
	s->behind = s->cost + p;
	s->price[SENT] = s->behind + p;
	s->price[RECEIVED] = s->price[SENT] + p;
	s->load[SENT] = s->price[RECEIVED] + p;
	s->load[RECEIVED] = s->load[SENT] + p;
	s->order = s->parent + p;
	return lsi_link_table_make(&s->table, t, &s->arena);
}

static struct lsi_kept *make(const struct ls_topology *t, int64_t key)
{
	struct bound *const bound = lsi_alloc_zero(1, sizeof *bound);
	struct search s = { 0 };

	(void)key;
	if (bound)
		bound->blocks = take_memory(&s, t) ? highest_bound(&s) : -1;
	lsi_arena_release(&s.arena);
	return bound ? &bound->kept : NULL;
}

int64_t lsi_port_bound(const struct ls_topology *t)
{
	const struct bound *bound;

	if (lsi_topology_is_group(t))
		return lsi_distance_sum(t);
	if (!lsi_topology_is_direct(t) || t->nodes > NODES)
		return -1;
	bound = (const struct bound *)lsi_topology_keep(t, make, 0);
	return bound ? bound->blocks : -1;
}
