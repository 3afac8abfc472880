#include "collective/matching/link_search.h"

#include <string.h>

bool lsi_link_search_make(struct lsi_link_search *s, const struct ls_topology *t)
{
	const size_t p = (size_t)t->nodes;

	s->limbs = (int32_t)(p / 64 + 1);
	s->best_rounds = INT64_MAX;
	if (!lsi_link_table_make(&s->table, t, &s->arena)
		|| !lsi_matching_make(&s->matching, &s->table, &s->arena))
		return false;
	s->usable = lsi_arena_take(&s->arena, (size_t)s->table.links + 1, sizeof *s->usable);
	s->has = lsi_arena_take(&s->arena, p * (size_t)s->limbs, sizeof *s->has);
	/* Each message brings a block to a node that lacks it. */
	s->use = lsi_arena_take(&s->arena, 2 * p * p, sizeof *s->use);
	if (!s->usable || !s->has || !s->use)
		return false;
	s->best = s->use + p * p;
	return true;
}

void lsi_link_search_begin(struct lsi_link_search *s, int attempt)
{
	memset(s->has, 0, (size_t)s->table.nodes * (size_t)s->limbs * sizeof *s->has);
	for (int32_t v = 0; v < s->table.nodes; v++)
		lsi_search_blocks(s, v)[v / 64] |= (uint64_t)1 << v % 64;
	s->uses = 0;
	s->random = (uint64_t)attempt << 32;
}

void lsi_link_search_keep(struct lsi_link_search *s, int64_t rounds)
{
	struct lsi_link_use *const better = s->use;

	if (rounds >= s->best_rounds)
		return;
	s->use = s->best;
	s->best = better;
	s->best_uses = s->uses;
	s->best_rounds = rounds;
}

struct lsi_kept *lsi_link_search_end(struct lsi_link_search *s, bool made)
{
	struct lsi_delivery *const delivery =
		made ? lsi_delivery_make(s->table.nodes, s->best, s->best_uses) : NULL;

	lsi_arena_release(&s->arena);
	return delivery ? &delivery->kept : NULL;
}
