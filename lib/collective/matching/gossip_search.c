#include "collective/matching/gossip_search.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "collective/matching/largest_matching.h"
#include "collective/round_bound.h"
#include "collective/tree/spanning_tree.h"

enum { TRIES_MOST = 64, TRIES_LEAST = 2, LIMB_VISITS = 1 << 15 };

/* A link over which new blocks would pass.  Heavy ones come first. */
struct gain {
	int64_t weight;
	int32_t link, to;
};

struct search {
	const struct ls_topology *topology;
	struct lsi_arena arena;
	struct lsi_link_table table;
	struct lsi_matching matching;
	bool *usable;
	int32_t limbs;
	uint64_t *has;   /* a set of blocks for each node */
	uint64_t *after; /* the same after the round */
	int32_t *owners; /* of each block: the nodes that have it */
	struct gain *gain;
	struct lsi_link_use *use, *best;
	int64_t uses, best_uses, best_rounds;
	uint64_t random;
};

static bool make_search(struct search *s, const struct ls_topology *t)
{
	const size_t p = (size_t)t->nodes;

	s->topology = t;
	s->limbs = (int32_t)(p / 64 + 1);
	s->best_rounds = INT64_MAX;
	if (!lsi_link_table_make(&s->table, t, &s->arena)
		|| !lsi_matching_make(&s->matching, &s->table, &s->arena))
		return false;

	const size_t links = (size_t)s->table.links + 1, limbs = p * (size_t)s->limbs;

	s->usable = lsi_arena_take(&s->arena, links, sizeof *s->usable);
	s->gain = lsi_arena_take(&s->arena, links, sizeof *s->gain);
	s->has = lsi_arena_take(&s->arena, 2 * limbs, sizeof *s->has);
	s->owners = lsi_arena_take(&s->arena, p, sizeof *s->owners);
	/* Each message brings a block to a node that lacks it. */
	s->use = lsi_arena_take(&s->arena, 2 * p * p, sizeof *s->use);
	if (!s->usable || !s->gain || !s->has || !s->owners || !s->use)
		return false;
	s->after = s->has + limbs;
	s->best = s->use + p * p;
	return true;
}

static int32_t random_below(struct search *s, int32_t limit)
{
	s->random += 0x9e3779b97f4a7c15u;
	return (int32_t)((lsi_mix(s->random) >> 32) * (uint64_t)limit >> 32);
}

/* The number of blocks that a link would bring, or their weight, the rare ones being heavier. */
static int64_t weigh(const struct search *s, int32_t from, int32_t to, bool by_rarity)
{
	const uint64_t *const a = s->has + (int64_t)from * s->limbs;
	const uint64_t *const b = s->has + (int64_t)to * s->limbs;
	int64_t sum = 0;

	for (int32_t i = 0; i < s->limbs; i++) {
		uint64_t fresh = a[i] & ~b[i];

		if (!by_rarity)
			sum += __builtin_popcountll(fresh);
		for (; by_rarity && fresh; fresh &= fresh - 1)
			sum += 2 * s->table.nodes - s->owners[64 * i + __builtin_ctzll(fresh)];
	}
	return sum;
}

static int heavier(const void *a, const void *b)
{
	const struct gain *x = a, *y = b;

	return x->weight == y->weight ? x->link - y->link : x->weight < y->weight ? 1 : -1;
}

/* Collect the links that would bring something, heavy ones first; returns their number. */
static int32_t find_gains(struct search *s, int attempt)
{
	int32_t count = 0;

	for (int32_t v = 0; v < s->table.nodes; v++) {
		for (int32_t l = s->table.first[v]; l < s->table.first[v + 1]; l++) {
			const int64_t weight = weigh(s, s->table.neighbor[l], v, attempt % 2);

			s->usable[l] = weight > 0;
			if (weight > 0)
				s->gain[count++] = (struct gain){ weight << 20 | random_below(s, 1 << 20), l, v };
		}
	}
	qsort(s->gain, (size_t)count, sizeof *s->gain, heavier);
	return count;
}

static void match(struct search *s, int32_t gains)
{
	struct lsi_matching *const m = &s->matching;

	lsi_matching_begin(m, s->usable);
	for (int32_t i = 0; i < gains; i++) {
		const int32_t from = s->table.neighbor[s->gain[i].link], to = s->gain[i].to;

		if (m->receiver[from] < 0 && m->sender[to] < 0)
			lsi_matching_pair(m, from, to);
	}
	for (int32_t i = 0; i < gains; i++)
		if (m->sender[s->gain[i].to] < 0)
			lsi_matching_add(m, s->gain[i].to);
}

static void count_owners(struct search *s)
{
	memset(s->owners, 0, (size_t)s->table.nodes * sizeof *s->owners);
	for (int32_t v = 0; v < s->table.nodes; v++)
		for (int32_t i = 0; i < s->limbs; i++)
			for (uint64_t set = s->has[(int64_t)v * s->limbs + i]; set; set &= set - 1)
				s->owners[64 * i + __builtin_ctzll(set)]++;
}

/* One round; false: no link brings anything. */
static bool run_round(struct search *s, int attempt, int64_t round)
{
	const size_t bytes = (size_t)s->table.nodes * (size_t)s->limbs * sizeof *s->has;

	if (attempt % 2)
		count_owners(s);

	const int32_t gains = find_gains(s, attempt);

	if (gains == 0)
		return false;
	match(s, gains);
	memcpy(s->after, s->has, bytes);
	for (int32_t v = 0; v < s->table.nodes; v++) {
		const int32_t u = s->matching.sender[v];

		if (u < 0)
			continue;
		s->use[s->uses++] = (struct lsi_link_use){ (int32_t)round, u, v, -1 };
		for (int32_t i = 0; i < s->limbs; i++)
			s->after[(int64_t)v * s->limbs + i] |= s->has[(int64_t)u * s->limbs + i];
	}
	memcpy(s->has, s->after, bytes);
	return true;
}

/* Gives up when it takes as many rounds as the best try. */
static void attempt_gossip(struct search *s, int attempt)
{
	int64_t round = 0;

	memset(s->has, 0, (size_t)s->table.nodes * (size_t)s->limbs * sizeof *s->has);
	for (int32_t v = 0; v < s->table.nodes; v++)
		s->has[(int64_t)v * s->limbs + v / 64] |= (uint64_t)1 << v % 64;
	s->uses = 0;
	s->random = (uint64_t)attempt << 32;
	while (round < s->best_rounds && run_round(s, attempt, round))
		round++;
	if (round < s->best_rounds) {
		struct lsi_link_use *const better = s->use;

		s->use = s->best;
		s->best = better;
		s->best_uses = s->uses;
		s->best_rounds = round;
	}
}

/* ---- Trees */

/*
 * On a tree, gather to the node whose broadcast takes the fewest rounds, and broadcast back.  In
 * the middle round this node and its first child exchange what they have.  False: no memory.
 */
static bool gather_and_broadcast(struct search *s)
{
	struct lsi_tree *best = NULL;

	for (int64_t root = 0; root < s->table.nodes; root++) {
		struct lsi_tree *const tree = lsi_tree_make(s->topology, root, NULL);
		struct lsi_tree *const worse = tree && (!best || tree->rounds < best->rounds) ? best : tree;

		if (!tree) {
			lsi_free(best);
			return false;
		}
		best = worse == tree ? best : tree;
		lsi_free(worse);
	}
	s->best_rounds = 2 * best->rounds - 1;
	s->best_uses = 0;
	for (int64_t round = 0; round < s->best_rounds; round++) {
		const int64_t up = best->rounds - 1 - round, down = round - best->rounds + 1;

		for (int32_t v = 0; v < s->table.nodes; v++) {
			const int64_t received = best->node[v].received;
			const int32_t u = (int32_t)best->node[v].parent;

			if (u >= 0 && received == up)
				s->best[s->best_uses++] = (struct lsi_link_use){ (int32_t)round, v, u, -1 };
			if (u >= 0 && received == down)
				s->best[s->best_uses++] = (struct lsi_link_use){ (int32_t)round, u, v, -1 };
		}
	}
	lsi_free(best);
	return true;
}

/* ---- Odd rings */

static bool is_odd_ring(const struct search *s)
{
	return lsi_topology_is(s->topology, &lsi_network_ring) && s->table.nodes % 2
		&& s->table.nodes > 1;
}

/*
 * In each round all nodes but one exchange with a neighbor, in pairs; the one that waits is the
 * next one in each round.  So each block moves on in every round, but waits once: (p + 3) / 2
 * rounds, the least (round_bound.c).
 *
 *   0   1---2   3---4        1   2---3   4---0        2   3---4   0---1
 */
static void exchange_around(struct search *s)
{
	const int32_t p = s->table.nodes;

	s->best_rounds = (p + 3) / 2;
	s->best_uses = 0;
	for (int32_t round = 0; round < s->best_rounds; round++) {
		for (int32_t i = 1; i < p; i += 2) {
			const int32_t u = (round + i) % p, v = (u + 1) % p;

			s->best[s->best_uses++] = (struct lsi_link_use){ round, u, v, -1 };
			s->best[s->best_uses++] = (struct lsi_link_use){ round, v, u, -1 };
		}
	}
}

static bool is_tree(const struct search *s)
{
	return s->table.links == 2 * (s->table.nodes - 1);
}

/* ---- The best of several tries */

static int tries(const struct search *s)
{
	const int64_t n = LIMB_VISITS / ((int64_t)s->table.links * s->limbs + 1);

	return (int)(n < TRIES_LEAST ? TRIES_LEAST : n > TRIES_MOST ? TRIES_MOST : n);
}

static struct lsi_kept *make(const struct ls_topology *t, int64_t key)
{
	const struct lsi_problem problem = { .topology = t,
		.nodes = t->nodes,
		.operation = LS_ALLGATHER,
		.mode = LS_HOP,
		.segments = 1,
		.ports = 1 };
	const int64_t least = lsi_round_lower_bound(&problem);
	struct lsi_delivery *delivery = NULL;
	struct search s = { 0 };

	(void)key;
	if (make_search(&s, t) && (!is_tree(&s) || gather_and_broadcast(&s))) {
		if (is_odd_ring(&s))
			exchange_around(&s);
		for (int i = 0; i < tries(&s) && s.best_rounds > least; i++)
			attempt_gossip(&s, i);
		delivery = lsi_delivery_make(t->nodes, s.best, s.best_uses);
	}
	lsi_arena_release(&s.arena);
	return delivery ? &delivery->kept : NULL;
}

const struct lsi_delivery *lsi_gossip_delivery(const struct ls_topology *t)
{
	return (const struct lsi_delivery *)lsi_topology_keep(t, make, 0);
}
