#include "collective/matching/gossip_search.h"

#include <string.h>

#include "base/alloc.h"
#include "collective/matching/link_search.h"
#include "collective/round_bound.h"
#include "collective/tree/spanning_tree.h"
#include "collective/tree_bound.h"

enum { TRIES_MOST = 64, TRIES_LEAST = 2, LIMB_VISITS = 1 << 15 };

struct search {
	const struct ls_topology *topology;
	struct lsi_link_search links;
	uint64_t *after;           /* the blocks of each node after the round */
	int32_t *owners;           /* of each block: the nodes that have it */
	struct lsi_weighted *gain; /* links that would bring new blocks, heaviest first */
};

static bool make_search(struct search *s, const struct ls_topology *t)
{
	struct lsi_link_search *const l = &s->links;
	const size_t p = (size_t)t->nodes;

	s->topology = t;
	if (!lsi_link_search_make(l, t, (struct lsi_block_goal){ (int32_t)p, -1 }))
		return false;
	s->gain = lsi_arena_take(&l->arena, (size_t)l->table.links + 1, sizeof *s->gain);
	s->after = lsi_arena_take(&l->arena, p * (size_t)l->limbs, sizeof *s->after);
	s->owners = lsi_arena_take(&l->arena, p, sizeof *s->owners);
	return s->gain && s->after && s->owners;
}

/* The number of blocks that a link would bring, or their weight, the rare ones being heavier. */
static int64_t weigh(const struct search *s, int32_t from, int32_t to, bool by_rarity)
{
	const uint64_t *const a = lsi_search_blocks(&s->links, from);
	const uint64_t *const b = lsi_search_blocks(&s->links, to);
	int64_t sum = 0;

	for (int32_t i = 0; i < s->links.limbs; i++) {
		uint64_t fresh = a[i] & ~b[i];

		if (!by_rarity)
			sum += __builtin_popcountll(fresh);
		for (; by_rarity && fresh; fresh &= fresh - 1)
			sum += 2 * s->links.table.nodes - s->owners[64 * i + __builtin_ctzll(fresh)];
	}
	return sum;
}

/* Collect the links that would bring something, heavy ones first; returns their number. */
static int32_t find_gains(struct search *s, int attempt)
{
	const struct lsi_link_table *const table = &s->links.table;
	int32_t count = 0;

	for (int32_t v = 0; v < table->nodes; v++) {
		for (int32_t l = table->first[v]; l < table->first[v + 1]; l++) {
			const int64_t weight = weigh(s, table->neighbor[l], v, attempt % 2);

			s->links.usable[l] = weight > 0;
			if (weight > 0)
				s->gain[count++] = (struct lsi_weighted){
					weight << 20 | lsi_search_random_below(&s->links.random, 1 << 20), l
				};
		}
	}
	lsi_sort_heaviest(s->gain, count);
	return count;
}

static void match(struct search *s, int32_t gains)
{
	const struct lsi_link_table *const table = &s->links.table;
	struct lsi_matching *const m = &s->links.matching;

	lsi_matching_begin(m, s->links.usable);
	for (int32_t i = 0; i < gains; i++) {
		const int32_t link = s->gain[i].index;
		const int32_t from = table->neighbor[link], to = table->node[link];

		if (m->receiver[from] < 0 && m->sender[to] < 0)
			lsi_matching_pair(m, from, to);
	}
	for (int32_t i = 0; i < gains; i++)
		if (m->sender[table->node[s->gain[i].index]] < 0)
			lsi_matching_add(m, table->node[s->gain[i].index]);
}

static void count_owners(struct search *s)
{
	const struct lsi_link_search *const l = &s->links;

	memset(s->owners, 0, (size_t)l->table.nodes * sizeof *s->owners);
	for (int32_t v = 0; v < l->table.nodes; v++)
		for (int32_t i = 0; i < l->limbs; i++)
			for (uint64_t set = lsi_search_blocks(l, v)[i]; set; set &= set - 1)
				s->owners[64 * i + __builtin_ctzll(set)]++;
}

/* One round; false: no link brings anything. */
static bool run_round(struct search *s, int attempt, int64_t round)
{
	struct lsi_link_search *const l = &s->links;
	const size_t bytes = (size_t)l->table.nodes * (size_t)l->limbs * sizeof *l->has;

	if (attempt % 2)
		count_owners(s);

	const int32_t gains = find_gains(s, attempt);

	if (gains == 0)
		return false;
	match(s, gains);
	memcpy(s->after, l->has, bytes);
	for (int32_t v = 0; v < l->table.nodes; v++) {
		const int32_t u = l->matching.sender[v];

		if (u < 0)
			continue;
		l->use[l->uses++] = (struct lsi_link_use){ (int32_t)round, u, v, -1 };
		for (int32_t i = 0; i < l->limbs; i++)
			s->after[(int64_t)v * l->limbs + i] |= lsi_search_blocks(l, u)[i];
	}
	memcpy(l->has, s->after, bytes);
	return true;
}

/* Gives up when it takes as many rounds as the best try. */
static void attempt_gossip(struct search *s, int attempt)
{
	int64_t round = 0;

	lsi_link_search_begin(&s->links, attempt);
	while (round < s->links.best_cost && run_round(s, attempt, round))
		round++;
	lsi_link_search_keep(&s->links, round);
}

/* ---- Trees */

/*
 * On a tree, gather to the node whose broadcast takes the fewest rounds, and broadcast back.  In
 * the middle round this node and its first child exchange what they have.  False: no memory.
 */
static bool gather_and_broadcast(struct lsi_link_search *s, const struct ls_topology *t)
{
	const int64_t center = lsi_tree_center(t);
	struct lsi_tree *const tree = center >= 0 ? lsi_tree_make(t, center, NULL) : NULL;

	if (!tree)
		return false;
	s->best_cost = 2 * tree->rounds - 1;
	s->best_uses = 0;
	for (int64_t round = 0; round < s->best_cost; round++) {
		const int64_t up = tree->rounds - 1 - round, down = round - tree->rounds + 1;

		for (int32_t v = 0; v < s->table.nodes; v++) {
			const int64_t received = tree->node[v].received;
			const int32_t u = (int32_t)tree->node[v].parent;

			if (u >= 0 && received == up)
				s->best[s->best_uses++] = (struct lsi_link_use){ (int32_t)round, v, u, -1 };
			if (u >= 0 && received == down)
				s->best[s->best_uses++] = (struct lsi_link_use){ (int32_t)round, u, v, -1 };
		}
	}
	lsi_free(tree);
	return true;
}

/* ---- Odd rings */

static bool is_odd_ring(const struct ls_topology *t)
{
	return lsi_topology_is(t, &lsi_network_ring) && t->nodes % 2 && t->nodes > 1;
}

/*
 * In each round all nodes but one exchange with a neighbor, in pairs; the one that waits is the
 * next one in each round.  So each block moves on in every round, but waits once: (p + 3) / 2
 * rounds, the least (round_bound.c).
 *
 *   0   1---2   3---4        1   2---3   4---0        2   3---4   0---1
 */
static void exchange_around(struct lsi_link_search *s)
{
	const int32_t p = s->table.nodes;

	s->best_cost = (p + 3) / 2;
	s->best_uses = 0;
	for (int32_t round = 0; round < s->best_cost; round++) {
		for (int32_t i = 1; i < p; i += 2) {
			const int32_t u = (round + i) % p, v = (u + 1) % p;

			s->best[s->best_uses++] = (struct lsi_link_use){ round, u, v, -1 };
			s->best[s->best_uses++] = (struct lsi_link_use){ round, v, u, -1 };
		}
	}
}

/* ---- The best of several tries */

static int tries(const struct lsi_link_search *s)
{
	return lsi_search_tries(
		LIMB_VISITS / ((int64_t)s->table.links * s->limbs + 1), TRIES_LEAST, TRIES_MOST);
}

static struct lsi_kept *make(const struct ls_topology *t, int64_t key)
{
	const struct lsi_problem problem = lsi_search_problem(t, LS_ALLGATHER);
	const int64_t least = lsi_round_lower_bound(&problem);
	struct search s = { 0 };
	const bool made = make_search(&s, t) && (!lsi_is_tree(t) || gather_and_broadcast(&s.links, t));

	(void)key;
	if (made && is_odd_ring(t))
		exchange_around(&s.links);
	for (int i = 0; made && i < tries(&s.links) && s.links.best_cost > least; i++)
		attempt_gossip(&s, i);
	return lsi_delivery_kept(lsi_link_search_end(&s.links, made));
}

const struct lsi_delivery *lsi_gossip_delivery(const struct ls_topology *t)
{
	return (const struct lsi_delivery *)lsi_topology_keep(t, make, 0);
}
