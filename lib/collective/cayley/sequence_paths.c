#include "collective/cayley/sequence_paths.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* The largest tables: nodes x rounds, and hops. */
enum { CELLS_MAX = 1 << 25, ENTRIES_MAX = 1 << 21 };

static int64_t product(const struct ls_block_map *map, int64_t by, int64_t listed, int64_t j)
{
	const struct ls_topology *t = ((const struct lsi_relation *)map)->topology;

	(void)j;
	return t->network->product(t, by, listed);
}

static struct lsi_relation relation_of(const struct ls_plan *plan)
{
	return (struct lsi_relation){ { 1, product }, plan->problem.topology };
}

static int64_t inverse(const struct ls_plan *plan, int64_t x)
{
	return plan->problem.topology->network->inverse(plan->problem.topology, x);
}

static bool fits(const struct lsi_problem *problem)
{
	return lsi_sequence_supports(problem)
		&& lsi_mul_sat(problem->nodes, lsi_sequence_rounds(problem->topology)) <= CELLS_MAX;
}

/* ---- Spread */

bool lsi_sequence_spread_supports(const struct lsi_problem *problem)
{
	return fits(problem);
}

/*
 * List the displacements in the order in which data reaches them.  reached[g] is the round + 1, and
 * 0 for g = 0; via[i] is the displacement before order[i] on its path.
 */
static void reach(const struct ls_plan *plan, int64_t *order, int64_t *reached, int64_t *via)
{
	const struct ls_topology *t = plan->problem.topology;
	int64_t count = 1;

	memset(reached, 0xff, (size_t)plan->problem.nodes * sizeof *reached);
	order[0] = reached[0] = 0;
	for (int64_t r = 0; r < plan->frame.rounds; r++) {
		const int64_t before = count, link = lsi_sequence_link(t, r);

		for (int64_t i = 0; i < before && count < plan->problem.nodes; i++) {
			const int64_t g = ls_neighbor(t, order[i], link);

			if (reached[g] >= 0)
				continue;
			reached[g] = r + 1;
			via[count] = order[i];
			order[count++] = g;
		}
	}
}

int lsi_sequence_spread_prepare(struct ls_plan *plan)
{
	const int64_t p = plan->problem.nodes, rounds = plan->frame.rounds;
	struct lsi_sequence_spread *s =
		lsi_alloc(sizeof *s + (size_t)(rounds + 1 + p) * sizeof *s->first);
	int64_t *work = lsi_alloc(2 * (size_t)p * sizeof *work);

	plan->table = s;
	if (!s || !work) {
		lsi_free(work);
		return LS_ERR_MEMORY;
	}
	s->relation = relation_of(plan);
	s->first = (int64_t *)(s + 1);
	s->origin = s->first + rounds + 1;

	int64_t *order = work, *reached = work + p, r = 0;

	reach(plan, order, reached, s->origin);
	for (int64_t i = 1; i < p; i++) {
		while (r < reached[order[i]])
			s->first[r++] = i;
		s->origin[i] = inverse(plan, s->origin[i]);
	}
	while (r <= rounds)
		s->first[r++] = p;
	lsi_free(work);
	return LS_OK;
}

struct ls_slice lsi_sequence_spread_slice(
	const struct ls_plan *plan, int buffer, int64_t by, int64_t round)
{
	const struct lsi_sequence_spread *s = plan->table;
	const int64_t first = s->first[round];

	return lsi_mapped(
		lsi_indexed(buffer, s->origin + first, s->first[round + 1] - first), &s->relation.map, by);
}

/* ---- Gather */

bool lsi_sequence_gather_supports(const struct lsi_problem *problem)
{
	return fits(problem) && lsi_sequence_costs_of(problem->topology).first_path_hops <= ENTRIES_MAX;
}

static int by_key(const void *a, const void *b)
{
	const struct lsi_sequence_hop *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return x->origin < y->origin ? -1 : x->origin > y->origin;
}

/* The hops to the root of the block with displacement g to it; returns their number. */
static int64_t trace(
	const struct ls_plan *plan, const int64_t *reached, int64_t g, struct lsi_sequence_hop *out)
{
	const struct ls_topology *t = plan->problem.topology;
	const int64_t origin = inverse(plan, g);
	int64_t hops = 0, at = origin;

	for (; g != 0; g = ls_neighbor(t, g, lsi_sequence_link_back(t, out[hops++].key)))
		out[hops].key = reached[g] - 1;
	for (int64_t i = 0; i < hops / 2; i++) {
		const int64_t late = out[i].key;

		out[i].key = out[hops - 1 - i].key;
		out[hops - 1 - i].key = late;
	}
	for (int64_t i = 0; i < hops; i++) {
		const int64_t round = out[i].key;

		out[i] = (struct lsi_sequence_hop){ at * plan->frame.rounds + round,
			origin == at ? -1 : origin };
		at = ls_neighbor(t, at, lsi_sequence_link(t, round));
	}
	return hops;
}

/* The number of hops of all blocks. */
static int64_t count_hops(
	const struct ls_plan *plan, const int64_t *order, const int64_t *via, int64_t *hops)
{
	int64_t all = 0;

	hops[0] = 0;
	for (int64_t i = 1; i < plan->problem.nodes; i++) {
		hops[order[i]] = hops[via[i]] + 1;
		all += hops[order[i]];
	}
	return all;
}

static void fill(const struct ls_plan *plan, struct lsi_sequence_gather *s, const int64_t *reached)
{
	for (int64_t g = 1; g < plan->problem.nodes; g++)
		s->entries += trace(plan, reached, g, s->hop + s->entries);
	qsort(s->hop, (size_t)s->entries, sizeof *s->hop, by_key);
	for (int64_t i = 0; i < s->entries; i++) {
		if (s->hop[i].origin < 0)
			s->hop[i].origin = s->hop[i].key / s->rounds;
		s->origin[i] = s->hop[i].origin;
	}
}

int lsi_sequence_gather_prepare(struct ls_plan *plan)
{
	const size_t p = (size_t)plan->problem.nodes;
	int64_t *work = lsi_alloc(4 * p * sizeof *work);
	struct lsi_sequence_gather *s = NULL;

	if (work) {
		reach(plan, work, work + p, work + 2 * p);

		const size_t hops = (size_t)count_hops(plan, work, work + 2 * p, work + 3 * p);

		s = lsi_alloc(sizeof *s + hops * (sizeof *s->hop + sizeof *s->origin));
		if (s) {
			*s = (struct lsi_sequence_gather){ .relation = relation_of(plan),
				.rounds = plan->frame.rounds };
			s->hop = (struct lsi_sequence_hop *)(s + 1);
			s->origin = (int64_t *)(s->hop + hops);
			fill(plan, s, work + p);
		}
	}
	lsi_free(work);
	plan->table = s;
	return s ? LS_OK : LS_ERR_MEMORY;
}

/* The first entry with this key or a larger one. */
static int64_t find(const struct lsi_sequence_gather *s, int64_t key)
{
	int64_t low = 0, high = s->entries;

	while (low < high) {
		const int64_t middle = low + (high - low) / 2;

		if (s->hop[middle].key < key)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static struct lsi_sequence_range between(
	const struct lsi_sequence_gather *s, int64_t key, int64_t end)
{
	const int64_t first = find(s, key);

	return (struct lsi_sequence_range){ first, find(s, end) - first };
}

struct lsi_sequence_range lsi_sequence_gather_sent(
	const struct lsi_sequence_gather *s, int64_t node, int64_t round)
{
	return between(s, node * s->rounds + round, node * s->rounds + round + 1);
}

struct lsi_sequence_range lsi_sequence_gather_all(const struct lsi_sequence_gather *s, int64_t node)
{
	return between(s, node * s->rounds, (node + 1) * s->rounds);
}

/* ---- Exchange */

bool lsi_sequence_exchange_supports(const struct lsi_problem *problem)
{
	return fits(problem)
		&& lsi_sequence_costs_of(problem->topology).shortest_path_hops <= ENTRIES_MAX;
}

/* One bit of a table of nodes x rounds. */
static bool is_set(const uint64_t *bits, int64_t i)
{
	return bits[i / 64] >> (i % 64) & 1;
}

/*
 * Set bit r p + g if link r ends the shortest subsequence of the first r + 1 links that leads to g,
 * and no earlier one is as short.  `hops` has room for two arrays of p.
 */
static void shorten(const struct ls_plan *plan, uint64_t *ends, int64_t *hops)
{
	const struct ls_topology *t = plan->problem.topology;
	const int64_t p = plan->problem.nodes;
	int64_t *before = hops + p;

	for (int64_t g = 0; g < p; g++)
		hops[g] = g == 0 ? 0 : INT64_MAX - 1;
	for (int64_t r = 0; r < plan->frame.rounds; r++) {
		const int64_t link = lsi_sequence_link(t, r);

		memcpy(before, hops, (size_t)p * sizeof *before);
		for (int64_t from = 0; from < p; from++) {
			const int64_t g = ls_neighbor(t, from, link), i = r * p + g;

			if (before[from] + 1 >= before[g])
				continue;
			hops[g] = before[from] + 1;
			ends[i / 64] |= (uint64_t)1 << (i % 64);
		}
	}
}

/* The rounds of the subsequence to g, the last first; returns their number. */
static int64_t shortest(const struct ls_plan *plan, const uint64_t *ends, int64_t g, int64_t *out)
{
	const struct ls_topology *t = plan->problem.topology;
	int64_t hops = 0;

	for (int64_t r = plan->frame.rounds - 1; g != 0; r--) {
		if (!is_set(ends, r * plan->problem.nodes + g))
			continue;
		g = ls_neighbor(t, g, lsi_sequence_link_back(t, r));
		out[hops++] = r;
	}
	return hops;
}

/*
 * Count the entries of each round, and those that arrive at their destination; then sum both up to
 * offsets.
 */
static void count_entries(const struct ls_plan *plan, struct lsi_sequence_exchange *s,
	const uint64_t *ends, int64_t *path)
{
	const int64_t rounds = plan->frame.rounds;

	for (int64_t g = 1; g < plan->problem.nodes; g++) {
		const int64_t hops = shortest(plan, ends, g, path);

		s->passing[path[0]]++;
		for (int64_t i = 0; i < hops; i++)
			s->first[path[i] + 1]++;
	}
	for (int64_t r = 0; r < rounds; r++) {
		s->first[r + 1] += s->first[r];
		s->passing[r] += s->first[r];
	}
}

/*
 * next[2 r] and next[2 r + 1]: the position of the next entry of round r that arrives, that
 * continues.
 */
static void list_entries(const struct ls_plan *plan, struct lsi_sequence_exchange *s,
	const uint64_t *ends, int64_t *path, int64_t *next)
{
	const int64_t p = plan->problem.nodes;

	for (int64_t r = 0; r < plan->frame.rounds; r++) {
		next[2 * r] = s->first[r];
		next[2 * r + 1] = s->passing[r];
	}
	for (int64_t g = 1; g < p; g++) {
		const int64_t hops = shortest(plan, ends, g, path);

		for (int64_t i = 0; i < hops; i++) {
			const int64_t bank = (hops - 1 - i) % 2, at = next[2 * path[i] + (i > 0)]++;

			s->sent[at] = g + p * bank;
			s->kept[at] = i > 0 ? g + p * (1 - bank) : inverse(plan, g);
		}
	}
}

/* `work` has room for 2 p + 3 rounds numbers. */
static struct lsi_sequence_exchange *exchange_of(
	const struct ls_plan *plan, uint64_t *ends, int64_t *work)
{
	const int64_t rounds = plan->frame.rounds;
	int64_t hops = 0;

	shorten(plan, ends, work);
	for (int64_t g = 0; g < plan->problem.nodes; g++)
		hops += work[g];

	struct lsi_sequence_exchange *s =
		lsi_alloc_zero(1, sizeof *s + (size_t)(2 * rounds + 1 + 2 * hops) * sizeof *s->first);

	if (s) {
		s->relation = relation_of(plan);
		s->first = (int64_t *)(s + 1);
		s->passing = s->first + rounds + 1;
		s->sent = s->passing + rounds;
		s->kept = s->sent + hops;
		count_entries(plan, s, ends, work);
		list_entries(plan, s, ends, work, work + rounds);
	}
	return s;
}

int lsi_sequence_exchange_prepare(struct ls_plan *plan)
{
	const int64_t p = plan->problem.nodes, rounds = plan->frame.rounds;
	uint64_t *ends = lsi_alloc_zero((size_t)(rounds * p / 64 + 1), sizeof *ends);
	int64_t *work = lsi_alloc((size_t)(2 * p + 3 * rounds) * sizeof *work);

	if (ends && work)
		plan->table = exchange_of(plan, ends, work);
	lsi_free(work);
	lsi_free(ends);
	return plan->table ? LS_OK : LS_ERR_MEMORY;
}
