#include "collective/port_bound.h"

#include <string.h>

#include "base/alloc.h"
#include "base/math.h"
#include "collective/distance_sum.h"
#include "collective/matching/link_table.h"
#include "topology/kept.h"

enum { SENT, RECEIVED };
enum { NODES = 256, SWEEPS_LEAST = 2, SWEEPS_MOST = 128, SWEEPS_IN_VAIN = 48, VISITS = 1 << 23 };
enum { BITS = 16, ONE = 1 << BITS }; /* of numbers with a fraction */

struct bound {
	struct lsi_kept kept;
	int64_t blocks;
};

enum { TO_ALL = -1 };

/* A node that was reached, perhaps at a higher cost than now. */
struct wait {
	int64_t cost;
	int32_t node;
};

struct search {
	struct lsi_arena arena;
	struct lsi_link_table table;
	int32_t p;
	int64_t shift;               /* each node sends to the one this many ranks up, or TO_ALL */
	int64_t *price[2], *load[2]; /* of each port */
	int64_t *cost;               /* of the cheapest path to each node; INT64_MAX: unknown */
	int64_t *behind;         /* blocks on cheapest paths that reach each node; -1: not settled */
	int32_t *parent, *order; /* nodes as they are settled */
	struct wait *heap;
	int32_t waits;
};

/* ---- Cheapest paths from one node (Dijkstra 1959) */

static void push(struct search *s, int32_t node)
{
	int32_t i = s->waits++;

	for (; i > 0 && s->heap[(i - 1) / 2].cost > s->cost[node]; i = (i - 1) / 2)
		s->heap[i] = s->heap[(i - 1) / 2];
	s->heap[i] = (struct wait){ s->cost[node], node };
}

/* The node with the lowest cost.  A node that was pushed again comes again. */
static int32_t pop(struct search *s)
{
	const int32_t nearest = s->heap[0].node;
	const struct wait last = s->heap[--s->waits];
	int32_t i = 0;

	for (int32_t child; (child = 2 * i + 1) < s->waits; i = child) {
		child += child + 1 < s->waits && s->heap[child + 1].cost < s->heap[child].cost;
		if (s->heap[child].cost >= last.cost)
			break;
		s->heap[i] = s->heap[child];
	}
	s->heap[i] = last;
	return nearest;
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
		push(s, v);
	}
}

static void find_paths(struct search *s, int32_t source)
{
	for (int32_t v = 0; v < s->p; v++) {
		s->cost[v] = v == source ? 0 : INT64_MAX;
		s->behind[v] = -1;
	}
	push(s, source);
	for (int32_t settled = 0; s->waits > 0;) {
		const int32_t u = pop(s);

		if (s->behind[u] >= 0)
			continue;
		s->order[settled++] = u;
		s->behind[u] = 0;
		settle(s, u);
	}
}

/* Add the loads of the blocks of a node; returns the sum of their costs. */
static int64_t send_from(struct search *s, int32_t source)
{
	int64_t sum = 0;

	find_paths(s, source);
	for (int32_t v = 0; v < s->p; v++) {
		if (v == source || (s->shift != TO_ALL && v != (source + s->shift) % s->p))
			continue;
		s->behind[v] = 1;
		sum += s->cost[v];
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
		sum += send_from(s, source);
	return (sum + prices - 1) / prices;
}

/* e^x for x > -8, as (1 + x / 8)^8.  Integers give the same prices on every machine. */
static int64_t power(int64_t x)
{
	int64_t y = ONE + x / 8;

	for (int i = 0; i < 3; i++)
		y = y * y >> BITS;
	return y;
}

/*
 * Multiply each price by e^(rate (load / bound - 1)), then let their mean be 1 again.  Ports whose
 * load is above the bound become more expensive, the others cheaper.
 */
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

/* Stops when many sweeps have found no better prices. */
static int64_t highest_bound(struct search *s)
{
	const int64_t visits = (int64_t)s->p * (s->p + s->table.links);
	const int64_t sweeps = lsi_min(VISITS / visits + SWEEPS_LEAST, SWEEPS_MOST);
	int64_t best = 0, root = 0, found = 0;

	for (int32_t u = 0; u < s->p; u++)
		s->price[SENT][u] = s->price[RECEIVED][u] = ONE;
	for (int64_t i = 0; i < sweeps && i < found + SWEEPS_IN_VAIN; i++) {
		const int64_t bound = bound_of_prices(s);

		found = bound > best ? i : found;
		best = bound > best ? bound : best;
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
	if (!s->cost || !s->parent || !lsi_link_table_make(&s->table, t, &s->arena))
		return false;
	s->behind = s->cost + p;
	s->price[SENT] = s->behind + p;
	s->price[RECEIVED] = s->price[SENT] + p;
	s->load[SENT] = s->price[RECEIVED] + p;
	s->load[RECEIVED] = s->load[SENT] + p;
	s->order = s->parent + p;
	s->heap = lsi_arena_take(&s->arena, (size_t)s->table.links + 1, sizeof *s->heap);
	return s->heap;
}

static struct lsi_kept *make(const struct ls_topology *t, int64_t shift)
{
	struct bound *const bound = lsi_alloc_zero(1, sizeof *bound);
	struct search s = { .shift = shift };
	const bool made = bound && take_memory(&s, t);

	if (made)
		bound->blocks = highest_bound(&s);
	lsi_arena_release(&s.arena);
	if (made)
		return &bound->kept;
	lsi_free(bound);
	return NULL;
}

static int64_t kept_bound(const struct ls_topology *t, int64_t shift)
{
	const struct bound *bound;

	if (!lsi_topology_is_direct(t) || t->nodes > NODES)
		return -1;
	if (t->nodes == 1)
		return 0;
	bound = (const struct bound *)lsi_topology_keep(t, make, shift);
	return bound ? bound->blocks : -1;
}

int64_t lsi_alltoall_port_bound(const struct ls_topology *t)
{
	return lsi_topology_is_group(t) ? lsi_distance_sum(t) : kept_bound(t, TO_ALL);
}

int64_t lsi_shift_port_bound(const struct ls_topology *t, int64_t shift)
{
	return shift == 0 ? 0 : kept_bound(t, shift);
}
