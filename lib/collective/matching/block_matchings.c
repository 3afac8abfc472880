#include "collective/matching/block_matchings.h"

#include "collective/matching/heaviest_matching.h"
#include "collective/matching/link_search.h"
#include "collective/matching/path_shares.h"
#include "collective/round_bound.h"
#include "collective/words_bound.h"

enum { TRIES_MOST = 64, TRIES_FEW = 4, LIMB_VISITS = 1 << 21, LINK_VISITS = 1 << 24 };

/* How much counts for the weight of a link: for a block an owner less counts 1. */
enum { NEED = 2, LACK = 2, SHARES = 4, WEIGHT_BITS = 10 };

struct search {
	struct lsi_link_search links;
	struct lsi_heaviest heaviest;
	const int64_t *share; /* per link of the receiver: see path_shares.h; NULL: not yet needed */
	int32_t width;
	bool by_weight;  /* of links, in this try */
	int share_shift; /* what a share counts in this try, as a power of 2; negative: a fraction */
	int32_t *gain;   /* per link of the receiver: blocks that a message would bring */
	int32_t *lacks;  /* blocks that each node lacks */
	int32_t *owners; /* of each block: the nodes that have it, or receive it in this round */
	struct lsi_weighted *receiver; /* the nodes that lack blocks, those that lack most first */
	struct lsi_weighted *rarest;   /* blocks that a message could bring, least weight first */
};

static bool make_search(
	struct search *s, const struct ls_topology *t, struct lsi_block_goal goal, int32_t width)
{
	const size_t p = (size_t)t->nodes;
	struct lsi_arena *const arena = &s->links.arena;

	if (!lsi_link_search_make(&s->links, t, goal))
		return false;
	s->width = width;
	s->receiver = lsi_arena_take(arena, p, sizeof *s->receiver);
	s->rarest = lsi_arena_take(arena, (size_t)width, sizeof *s->rarest);
	s->gain = lsi_arena_take(arena, (size_t)s->links.table.links + 1, sizeof *s->gain);
	s->lacks = lsi_arena_take(arena, p, sizeof *s->lacks);
	s->owners = lsi_arena_take(arena, (size_t)goal.blocks, sizeof *s->owners);
	return s->receiver && s->rarest && s->gain && s->lacks && s->owners
		&& lsi_heaviest_make(&s->heaviest, &s->links.table, arena);
}

/* The number of blocks that a message would bring, at most the width. */
static int32_t gain_of(const struct search *s, int32_t from, int32_t to)
{
	const uint64_t *const a = lsi_search_blocks(&s->links, from);
	const uint64_t *const b = lsi_search_blocks(&s->links, to);
	int32_t gain = 0;

	for (int32_t i = 0; i < s->links.limbs && gain < s->width; i++)
		if (a[i] & ~b[i])
			gain += s->width == 1 ? 1 : __builtin_popcountll(a[i] & ~b[i]);
	return gain < s->width ? gain : s->width;
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
			s->gain[l] = gain_of(s, table->neighbor[l], v);
		s->receiver[count++] =
			(struct lsi_weighted){ (int64_t)s->lacks[v] << 32 | lsi_search_random(&s->links.random),
				v };
	}
	lsi_sort_heaviest(s->receiver, count);
	return count;
}

/* Put a block among the rarest, if it is rarer than one of them; returns their number. */
static int32_t insert(struct search *s, int32_t count, struct lsi_weighted fresh)
{
	int32_t i = count < s->width ? count : s->width - 1;

	if (count == s->width && s->rarest[i].weight <= fresh.weight)
		return count;
	for (; i > 0 && s->rarest[i - 1].weight > fresh.weight; i--)
		s->rarest[i] = s->rarest[i - 1];
	s->rarest[i] = fresh;
	return count < s->width ? count + 1 : count;
}

/* The neighbors of a node that lack a block. */
static int32_t needing(const struct search *s, int32_t v, int32_t block)
{
	const struct lsi_link_table *const table = &s->links.table;
	int32_t count = 0;

	for (int32_t l = table->first[v]; l < table->first[v + 1]; l++)
		count += !(lsi_search_blocks(&s->links, table->neighbor[l])[block / 64] >> block % 64 & 1);
	return count;
}

/*
 * Of the blocks that a message could bring, those that fewest nodes have; returns their number.  If
 * links have weights, blocks that more neighbors of the receiver need count as rarer.
 */
static int32_t find_rarest(struct search *s, int32_t from, int32_t to)
{
	const uint64_t *const a = lsi_search_blocks(&s->links, from);
	const uint64_t *const b = lsi_search_blocks(&s->links, to);
	int32_t count = 0;

	for (int32_t i = 0; i < s->links.limbs; i++)
		for (uint64_t fresh = a[i] & ~b[i]; fresh; fresh &= fresh - 1) {
			const int32_t x = 64 * i + __builtin_ctzll(fresh);
			const int32_t rank = s->owners[x] - (s->by_weight ? NEED * needing(s, to, x) : 0);
			const int64_t weight = rank * (INT64_C(1) << 32) + lsi_search_random(&s->links.random);

			count = insert(s, count, (struct lsi_weighted){ weight, x });
		}
	return count;
}

/* Links that bring `width` blocks first, then those that bring half of that, and so on. */
static void match_receivers(struct search *s, int32_t receivers)
{
	struct lsi_link_search *const l = &s->links;

	lsi_matching_begin(&l->matching, l->usable);
	for (int32_t gain = s->width; gain > 0; gain /= 2) {
		for (int32_t i = 0; i < l->table.links; i++)
			l->usable[i] = s->gain[i] >= gain;
		lsi_matching_widen(&l->matching);
		for (int32_t i = 0; i < receivers; i++)
			if (l->matching.sender[s->receiver[i].index] < 0)
				lsi_matching_add(&l->matching, s->receiver[i].index);
	}
}

/* The rarest blocks that a message would bring, by what they count together with the link. */
static int64_t weight_of(struct search *s, int32_t link)
{
	const struct lsi_link_table *const table = &s->links.table;
	const int32_t v = table->node[link], count = find_rarest(s, table->neighbor[link], v);
	const int64_t share =
		s->share_shift < 0 ? s->share[link] >> -s->share_shift : s->share[link] << s->share_shift;
	int64_t weight = count * (((int64_t)LACK * s->lacks[v] << WEIGHT_BITS) + share);

	for (int32_t k = 0; k < count; k++)
		weight +=
			((int64_t)table->nodes << WEIGHT_BITS) - (s->rarest[k].weight >> (32 - WEIGHT_BITS));
	return weight;
}

static void match_by_weight(struct search *s)
{
	struct lsi_link_search *const l = &s->links;

	for (int32_t i = 0; i < l->table.links; i++) {
		l->usable[i] = s->lacks[l->table.node[i]] > 0 && s->gain[i] > 0;
		if (l->usable[i])
			s->heaviest.weight[i] = weight_of(s, i);
	}
	lsi_matching_begin(&l->matching, l->usable);
	lsi_heaviest_match(&s->heaviest, &l->matching);
}

/* One round; returns the blocks of the longest message; 0: every node has all blocks. */
static int32_t run_round(struct search *s, int64_t round)
{
	struct lsi_link_search *const l = &s->links;
	const int64_t begin = l->uses;
	const int32_t receivers = find_receivers(s);
	int32_t longest = 0;

	if (s->by_weight)
		match_by_weight(s);
	else
		match_receivers(s, receivers);
	for (int32_t i = 0; i < receivers; i++) {
		const int32_t v = s->receiver[i].index, u = l->matching.sender[v];
		const int32_t count = u < 0 ? 0 : find_rarest(s, u, v);

		for (int32_t k = 0; k < count; k++) {
			l->use[l->uses++] = (struct lsi_link_use){ (int32_t)round, u, v, s->rarest[k].index };
			s->owners[s->rarest[k].index]++;
		}
		longest = longest < count ? count : longest;
	}
	for (int64_t i = begin; i < l->uses; i++) {
		const struct lsi_link_use use = l->use[i];

		lsi_search_blocks(l, use.to)[use.block / 64] |= (uint64_t)1 << use.block % 64;
		s->lacks[use.to]--;
	}
	return longest;
}

/*
 * A round and a block of the longest message count the same at width 1; the wider messages may be,
 * the more a round counts.  Gives up when it costs as much as the best try.
 */
static void attempt_delivery(struct search *s, int attempt)
{
	const struct lsi_block_goal goal = s->links.goal;
	int64_t cost = 0;

	lsi_link_search_begin(&s->links, attempt);
	for (int32_t v = 0; v < s->links.table.nodes; v++)
		s->lacks[v] = goal.source < 0 ? goal.blocks - 1 : v == goal.source ? 0 : goal.blocks;
	for (int32_t x = 0; x < goal.blocks; x++)
		s->owners[x] = 1;
	for (int64_t round = 0; cost < s->links.best_cost; round++) {
		const int32_t longest = run_round(s, round);

		if (longest == 0)
			break;
		cost += s->width + longest;
	}
	lsi_link_search_keep(&s->links, cost);
}

/* A try by the weight of links, in which shares count more and more; false: no memory. */
static bool attempt_by_weight(struct search *s, int attempt)
{
	if (!s->share)
		s->share = lsi_path_shares(&s->links.table, s->links.goal.source, &s->links.arena);
	if (!s->share)
		return false;
	s->by_weight = true;
	s->share_shift = attempt % SHARES - (s->links.goal.source < 0 ? 0 : 2);
	attempt_delivery(s, attempt);
	return true;
}

/* An all-gather of single blocks is one search for a network; others differ by width or root. */
static int tries(const struct search *s)
{
	const struct lsi_link_search *const l = &s->links;
	const int64_t visits = (int64_t)l->table.links * l->limbs * l->goal.blocks + 1;

	if (s->width == 1 && l->goal.source < 0)
		return lsi_search_tries(LIMB_VISITS / visits, 1, TRIES_MOST);
	return lsi_search_tries(LIMB_VISITS / TRIES_MOST / visits, 1, TRIES_FEW);
}

/* Each of them searches all links for each pair of each round. */
static int tries_by_weight(const struct search *s)
{
	const struct lsi_link_search *const l = &s->links;
	const int64_t visits = (int64_t)l->goal.blocks * l->table.nodes * l->table.links + 1;
	const int64_t most = LINK_VISITS / visits;

	return most < tries(s) ? (int)most : tries(s);
}

/* `least`: no delivery costs less.  NULL: no memory. */
static struct lsi_delivery *search_delivery(
	const struct ls_topology *t, struct lsi_block_goal goal, int32_t width, int64_t least)
{
	struct search s = { 0 };
	bool made = make_search(&s, t, goal, width);

	for (int i = 0; made && i < tries(&s) && s.links.best_cost > least; i++)
		attempt_delivery(&s, i);
	for (int i = 0; made && i < tries_by_weight(&s) && s.links.best_cost > least; i++)
		made = attempt_by_weight(&s, i);
	return lsi_link_search_end(&s.links, made);
}

static struct lsi_kept *make(const struct ls_topology *t, int64_t width)
{
	const struct lsi_problem problem = lsi_search_problem(t, LS_ALLGATHER);
	const int64_t p = t->nodes, words = lsi_words_bound(&problem, 1);
	const int64_t rounds = (words + width - 1) / width;

	if (words < 0)
		return NULL;
	return lsi_delivery_kept(search_delivery(
		t, (struct lsi_block_goal){ (int32_t)p, -1 }, (int32_t)width, rounds * width + words));
}

bool lsi_block_search_fits(const struct lsi_problem *problem)
{
	return lsi_delivery_fits(problem) && problem->nodes <= LSI_BLOCK_SEARCH_NODES;
}

const struct lsi_delivery *lsi_block_delivery(const struct lsi_problem *problem)
{
	const int64_t width =
		problem->segments < problem->nodes ? problem->segments : problem->nodes - 1;

	return (const struct lsi_delivery *)lsi_topology_keep(problem->topology, make, width);
}

/* The choice doubles the segments while they are fewer than the elements. */
struct ls_counts lsi_block_predict_least(const struct lsi_problem *problem, size_t count, size_t n)
{
	const int64_t others = problem->nodes - 1, least = lsi_round_lower_bound(problem);
	const int64_t widest = count > 1 ? lsi_mul_sat(2, (int64_t)count) : problem->segments;
	const int64_t rounds = (others - 1) / widest + 1;

	return (
		struct ls_counts){ rounds > least ? rounds : least, 0, 0, lsi_mul_sat(others, (int64_t)n) };
}

struct lsi_delivery *lsi_block_broadcast(const struct ls_topology *t, int64_t root, int64_t blocks)
{
	struct lsi_problem problem = lsi_search_problem(t, LS_BROADCAST);

	/* The last block leaves the root in round `blocks` or later, and then needs a broadcast. */
	problem.root = root;
	return search_delivery(t, (struct lsi_block_goal){ (int32_t)blocks, (int32_t)root }, 1,
		2 * (blocks - 1 + lsi_round_lower_bound(&problem)));
}
