#include "collective/matching/block_matchings.h"

#include <stdlib.h>

#include "collective/matching/link_search.h"

enum { TRIES_MOST = 16, LIMB_VISITS = 1 << 20 };

/* A node that lacks blocks.  Heavy ones come first. */
struct receiver {
	int64_t weight;
	int32_t node;
};

struct search {
	struct lsi_link_search links;
	int32_t *lacks;  /* blocks that each node lacks */
	int32_t *owners; /* of each block: the nodes that have it, or receive it in this round */
	struct receiver *receiver;
};

static bool make_search(struct search *s, const struct ls_topology *t)
{
	const size_t p = (size_t)t->nodes;

	if (!lsi_link_search_make(&s->links, t))
		return false;
	s->receiver = lsi_arena_take(&s->links.arena, p, sizeof *s->receiver);
	s->lacks = lsi_arena_take(&s->links.arena, 2 * p, sizeof *s->lacks);
	if (!s->receiver || !s->lacks)
		return false;
	s->owners = s->lacks + p;
	return true;
}

static bool has_new(const struct lsi_link_search *s, int32_t from, int32_t to)
{
	const uint64_t *const a = lsi_search_blocks(s, from), *const b = lsi_search_blocks(s, to);

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
	const struct lsi_link_table *const table = &s->links.table;
	int32_t count = 0;

	for (int32_t v = 0; v < table->nodes; v++) {
		if (s->lacks[v] == 0)
			continue;
		for (int32_t l = table->first[v]; l < table->first[v + 1]; l++)
			s->links.usable[l] = has_new(&s->links, table->neighbor[l], v);
		s->receiver[count++] =
			(struct receiver){ (int64_t)s->lacks[v] << 32 | lsi_search_random(&s->links.random),
				v };
	}
	qsort(s->receiver, (size_t)count, sizeof *s->receiver, heavier);
	return count;
}

/* Of the blocks that a message could bring, one that fewest nodes have. */
static int32_t rarest_block(struct search *s, int32_t from, int32_t to)
{
	const uint64_t *const a = lsi_search_blocks(&s->links, from);
	const uint64_t *const b = lsi_search_blocks(&s->links, to);
	int64_t least = INT64_MAX;
	int32_t best = -1;

	for (int32_t i = 0; i < s->links.limbs; i++)
		for (uint64_t fresh = a[i] & ~b[i]; fresh; fresh &= fresh - 1) {
			const int32_t x = 64 * i + __builtin_ctzll(fresh);
			const int64_t weight =
				(int64_t)s->owners[x] << 32 | lsi_search_random(&s->links.random);

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
	struct lsi_link_search *const l = &s->links;
	const int64_t begin = l->uses;
	const int32_t count = find_receivers(s);

	if (count == 0)
		return false;
	lsi_matching_begin(&l->matching, l->usable);
	for (int32_t i = 0; i < count; i++)
		lsi_matching_add(&l->matching, s->receiver[i].node);
	for (int32_t i = 0; i < count; i++) {
		const int32_t v = s->receiver[i].node, u = l->matching.sender[v];

		if (u >= 0) {
			const int32_t block = rarest_block(s, u, v);

			l->use[l->uses++] = (struct lsi_link_use){ (int32_t)round, u, v, block };
			s->owners[block]++;
		}
	}
	for (int64_t i = begin; i < l->uses; i++) {
		const struct lsi_link_use use = l->use[i];

		lsi_search_blocks(l, use.to)[use.block / 64] |= (uint64_t)1 << use.block % 64;
		s->lacks[use.to]--;
	}
	return true;
}

/* Gives up when it takes as many rounds as the best try. */
static void attempt_gather(struct search *s, int attempt)
{
	int64_t round = 0;

	lsi_link_search_begin(&s->links, attempt);
	for (int32_t v = 0; v < s->links.table.nodes; v++) {
		s->lacks[v] = s->links.table.nodes - 1;
		s->owners[v] = 1;
	}
	while (round < s->links.best_rounds && run_round(s, round))
		round++;
	lsi_link_search_keep(&s->links, round);
}

static int tries(const struct lsi_link_search *s)
{
	const int64_t visits = (int64_t)s->table.links * s->limbs * s->table.nodes;

	return lsi_search_tries(LIMB_VISITS / (visits + 1) + 1, 1, TRIES_MOST);
}

static struct lsi_kept *make(const struct ls_topology *t, int64_t key)
{
	struct search s = { 0 };
	const bool made = make_search(&s, t);

	(void)key;
	for (int i = 0; made && i < tries(&s.links) && s.links.best_rounds > t->nodes - 1; i++)
		attempt_gather(&s, i);
	return lsi_link_search_end(&s.links, made);
}

bool lsi_block_search_fits(const struct lsi_problem *problem)
{
	return lsi_delivery_fits(problem) && problem->nodes <= LSI_BLOCK_SEARCH_NODES;
}

const struct lsi_delivery *lsi_block_delivery(const struct ls_topology *t)
{
	return (const struct lsi_delivery *)lsi_topology_keep(t, make, 0);
}
