#include "collective/matching/link_search.h"

#include <string.h>

bool lsi_link_search_make(
	struct lsi_link_search *s, const struct ls_topology *t, struct lsi_block_goal goal)
{
	const size_t p = (size_t)t->nodes, uses = p * (size_t)goal.blocks;

	s->goal = goal;
	s->limbs = goal.blocks / 64 + 1;
	s->best_cost = INT64_MAX;
	if (!lsi_link_table_make(&s->table, t, &s->arena)
		|| !lsi_matching_make(&s->matching, &s->table, &s->arena))
		return false;
	s->usable = lsi_arena_take(&s->arena, (size_t)s->table.links + 1, sizeof *s->usable);
	s->has = lsi_arena_take(&s->arena, p * (size_t)s->limbs, sizeof *s->has);
	/* Each message brings a block to a node that lacks it. */
	s->use = lsi_arena_take(&s->arena, 2 * uses, sizeof *s->use);
	if (!s->usable || !s->has || !s->use)
		return false;
	s->best = s->use + uses;
	return true;
}

void lsi_link_search_begin(struct lsi_link_search *s, int attempt)
{
	memset(s->has, 0, (size_t)s->table.nodes * (size_t)s->limbs * sizeof *s->has);
	for (int32_t x = 0; x < s->goal.blocks; x++)
		lsi_search_blocks(s, s->goal.source < 0 ? x : s->goal.source)[x / 64] |= (uint64_t)1
			<< x % 64;
	s->uses = 0;
	s->random = (uint64_t)attempt << 32;
}

void lsi_link_search_keep(struct lsi_link_search *s, int64_t cost)
{
	struct lsi_link_use *const better = s->use;

	if (cost >= s->best_cost)
		return;
	s->use = s->best;
	s->best = better;
	s->best_uses = s->uses;
	s->best_cost = cost;
}

struct lsi_delivery *lsi_link_search_end(struct lsi_link_search *s, bool made)
{
	struct lsi_delivery *const delivery =
		made ? lsi_delivery_make(s->table.nodes, s->goal, s->best, s->best_uses) : NULL;

	lsi_arena_release(&s->arena);
	return delivery;
}
