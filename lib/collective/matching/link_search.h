/*
 * What searches for all-gathers and broadcasts share: links in use by round, the blocks of each
 * node, and the best of several tries with fixed seeds.
 *
 *   make . (begin . rounds that append to use[] . keep) for each try . end
 */
#ifndef LSI_COLLECTIVE_MATCHING_LINK_SEARCH_H
#define LSI_COLLECTIVE_MATCHING_LINK_SEARCH_H

#include "base/math.h"
#include "collective/matching/delivery.h"
#include "collective/matching/largest_matching.h"

struct lsi_link_search {
	struct lsi_arena arena;
	struct lsi_link_table table;
	struct lsi_matching matching;
	bool *usable;
	struct lsi_block_goal goal;
	int32_t limbs;
	uint64_t *has; /* a set of blocks for each node */
	struct lsi_link_use *use, *best;
	int64_t uses, best_uses, best_cost; /* INT64_MAX: no try has succeeded */
	uint64_t random;
};

/* For the bounds: one port, hop mode. */
static inline struct lsi_problem lsi_search_problem(
	const struct ls_topology *t, enum ls_operation operation)
{
	return (struct lsi_problem){ .topology = t,
		.nodes = t->nodes,
		.operation = operation,
		.mode = LS_HOP,
		.segments = 1,
		.ports = 1 };
}

/* A number of the stream that begins at *state. */
static inline uint32_t lsi_search_random(uint64_t *state)
{
	*state += 0x9e3779b97f4a7c15u;
	return (uint32_t)(lsi_mix(*state) >> 32);
}

static inline int32_t lsi_search_random_below(uint64_t *state, int32_t limit)
{
	return (int32_t)((uint64_t)lsi_search_random(state) * (uint64_t)limit >> 32);
}

/* The number of tries: n, within these limits. */
static inline int lsi_search_tries(int64_t n, int least, int most)
{
	return n < least ? least : n > most ? most : (int)n;
}

static inline uint64_t *lsi_search_blocks(const struct lsi_link_search *s, int64_t node)
{
	return s->has + node * s->limbs;
}

/* Take the memory, from an arena that lsi_link_search_end releases; false: no memory. */
bool lsi_link_search_make(
	struct lsi_link_search *, const struct ls_topology *, struct lsi_block_goal);
/* Blocks are where the goal states; no link is in use. */
void lsi_link_search_begin(struct lsi_link_search *, int attempt);
/* Keep the links in use if they cost less than the best. */
void lsi_link_search_keep(struct lsi_link_search *, int64_t cost);
/* The delivery of the best links; NULL: no memory, or not `made`. */
struct lsi_delivery *lsi_link_search_end(struct lsi_link_search *, bool made);

#endif
