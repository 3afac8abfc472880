#include "collective/matching/block_matchings.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "collective/matching/largest_matching.h"

enum { TRIES_MOST = 16, LIMB_VISITS = 1 << 20 };

/* A node that lacks blocks.  Heavy ones come first. */
struct receiver {
	int64_t weight;
	int32_t node;
};

struct search {
	struct lsi_arena arena;
	struct lsi_link_table table;
	struct lsi_matching matching;
	bool *usable;
	int32_t limbs;
	uint64_t *has;   /* a set of blocks for each node */
	int32_t *lacks;  /* blocks that each node lacks */
	int32_t *owners; /* of each block: the nodes that have it, or receive it in this round */
	struct receiver *receiver;
	struct lsi_link_use *use, *best;
	int64_t uses, best_uses, best_rounds;
	uint64_t random;
};

static bool make_search(struct search *s, const struct ls_topology *t)
{
	const size_t p = (size_t)t->nodes;

	s->limbs = (int32_t)(p / 64 + 1);
	s->best_rounds = INT64_MAX;
	if (!lsi_link_table_make(&s->table, t, &s->arena)
		|| !lsi_matching_make(&s->matching, &s->table, &s->arena))
		return false;
	s->usable = lsi_arena_take(&s->arena, (size_t)s->table.links + 1, sizeof *s->usable);
	s->receiver = lsi_arena_take(&s->arena, p, sizeof *s->receiver);
	s->has = lsi_arena_take(&s->arena, p * (size_t)s->limbs, sizeof *s->has);
	s->lacks = lsi_arena_take(&s->arena, 2 * p, sizeof *s->lacks);
	s->use = lsi_arena_take(&s->arena, 2 * p * p, sizeof *s->use);
	if (!s->usable || !s->receiver || !s->has || !s->lacks || !s->use)
		return false;
	s->owners = s->lacks + p;
	s->best = s->use + p * p;
	return true;
}

static uint32_t random_number(struct search *s)
{
	s->random += 0x9e3779b97f4a7c15u;
	return (uint32_t)(lsi_mix(s->random) >> 32);
}

static uint64_t *blocks_of(const struct search *s, int32_t node)
{
	return s->has + (int64_t)node * s->limbs;
}

static bool has_new(const struct search *s, int32_t from, int32_t to)
{
	const uint64_t *const a = blocks_of(s, from), *const b = blocks_of(s, to);

	for (int32_t i = 0; i < s->limbs; i++)
		if (a[i] & ~b[i])
			return true;
	return false;
}

static int heavier(const void *a, const void *b)
{
	const struct receiver *x = a, *y = b;

	return x->weight == y->weight ? x->node - y->node : x->weight < y->weight ? 1 : -1;
}

/* The nodes that lack blocks, those that lack most first; returns their number. */
static int32_t find_receivers(struct search *s)
{
	int32_t count = 0;

	for (int32_t v = 0; v < s->table.nodes; v++) {
		if (s->lacks[v] == 0)
			continue;
		for (int32_t l = s->table.first[v]; l < s->table.first[v + 1]; l++)
			s->usable[l] = has_new(s, s->table.neighbor[l], v);
		s->receiver[count++] =
			(struct receiver){ (int64_t)s->lacks[v] << 32 | random_number(s), v };
	}
	qsort(s->receiver, (size_t)count, sizeof *s->receiver, heavier);
	return count;
}

/* Of the blocks that a message could bring, one that fewest nodes have. */
static int32_t rarest_block(struct search *s, int32_t from, int32_t to)
{
	const uint64_t *const a = blocks_of(s, from), *const b = blocks_of(s, to);
	int64_t least = INT64_MAX;
	int32_t best = -1;

	for (int32_t i = 0; i < s->limbs; i++)
		for (uint64_t fresh = a[i] & ~b[i]; fresh; fresh &= fresh - 1) {
			const int32_t x = 64 * i + __builtin_ctzll(fresh);
			const int64_t weight = (int64_t)s->owners[x] << 32 | random_number(s);

			if (weight < least) {
				least = weight;
				best = x;
			}
		}
	return best;
}

/* One round; false: every node has all blocks. */
static bool run_round(struct search *s, int64_t round)
{
	const int64_t begin = s->uses;
	const int32_t count = find_receivers(s);

	if (count == 0)
		return false;
	lsi_matching_begin(&s->matching, s->usable);
	for (int32_t i = 0; i < count; i++)
		lsi_matching_add(&s->matching, s->receiver[i].node);
	for (int32_t i = 0; i < count; i++) {
		const int32_t v = s->receiver[i].node, u = s->matching.sender[v];

		if (u >= 0) {
			const int32_t block = rarest_block(s, u, v);

			s->use[s->uses++] = (struct lsi_link_use){ (int32_t)round, u, v, block };
			s->owners[block]++;
		}
	}
	for (int64_t i = begin; i < s->uses; i++) {
		blocks_of(s, s->use[i].to)[s->use[i].block / 64] |= (uint64_t)1 << s->use[i].block % 64;
		s->lacks[s->use[i].to]--;
	}
	return true;
}

/* Gives up when it takes as many rounds as the best try. */
static void attempt_gather(struct search *s, int attempt)
{
	int64_t round = 0;

	memset(s->has, 0, (size_t)s->table.nodes * (size_t)s->limbs * sizeof *s->has);
	for (int32_t v = 0; v < s->table.nodes; v++) {
		blocks_of(s, v)[v / 64] |= (uint64_t)1 << v % 64;
		s->lacks[v] = s->table.nodes - 1;
		s->owners[v] = 1;
	}
	s->uses = 0;
	s->random = (uint64_t)attempt << 32;
	while (round < s->best_rounds && run_round(s, round))
		round++;
	if (round < s->best_rounds) {
		struct lsi_link_use *const better = s->use;

		s->use = s->best;
		s->best = better;
		s->best_uses = s->uses;
		s->best_rounds = round;
	}
}

static int tries(const struct search *s)
{
	const int64_t links = s->table.links, visits = links * s->limbs * s->table.nodes;
	const int64_t n = LIMB_VISITS / (visits + 1) + 1;

	return (int)(n > TRIES_MOST ? TRIES_MOST : n);
}

static struct lsi_kept *make(const struct ls_topology *t, int64_t key)
{
	struct lsi_delivery *delivery = NULL;
	struct search s = { 0 };

	(void)key;
	if (make_search(&s, t)) {
		for (int i = 0; i < tries(&s) && s.best_rounds > t->nodes - 1; i++)
			attempt_gather(&s, i);
		delivery = lsi_delivery_make(t->nodes, s.best, s.best_uses);
	}
	lsi_arena_release(&s.arena);
	return delivery ? &delivery->kept : NULL;
}

bool lsi_block_search_fits(const struct lsi_problem *problem)
{
	return lsi_delivery_fits(problem) && problem->nodes <= LSI_BLOCK_SEARCH_NODES;
}

const struct lsi_delivery *lsi_block_delivery(const struct ls_topology *t)
{
	return (const struct lsi_delivery *)lsi_topology_keep(t, make, 0);
}
