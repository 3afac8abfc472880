#include "collective/broadcast/star_tree.h"

#include <string.h>

bool ls_star_tree_supports(const struct ls_problem *problem)
{
	return ls_topology_is(problem->topology, &ls_network_star);
}

/* Rounds of level k: doubling, and one over link k. */
static int level_rounds(int k)
{
	return ls_log2_ceil(k - 1) + 1;
}

int64_t ls_star_tree_rounds(int n, int b)
{
	int64_t rounds = 0;

	for (int k = n; k > b; k--)
		rounds += level_rounds(k);
	return rounds;
}

static const struct ls_star_stored *stored(const struct ls_plan *plan)
{
	static const struct ls_star_stored none = { .symbols = 1 };

	return plan->table ? plan->table : &none;
}

static int position(const struct ls_permutation *p, int symbol)
{
	int i = 1;

	while (p->symbol[i] != symbol)
		i++;
	return i;
}

/* Member j of a leader: the way to it from the leader is j's bits from the lowest. */
static struct ls_permutation member(const struct ls_permutation *leader, int j)
{
	struct ls_permutation m = *leader;

	for (int bit = 1; bit <= j; bit *= 2)
		if (j & bit)
			ls_star_swap(&m, (j & (2 * bit - 1)) + 1);
	return m;
}

/* Which member of the leader of its S_k a node is; -1: none. */
static int member_number(const struct ls_permutation *leader, const struct ls_permutation *u, int k)
{
	const int j = position(leader, u->symbol[1]) - 1;

	if (j > k - 2)
		return -1;

	const struct ls_permutation m = member(leader, j);

	return memcmp(m.symbol, u->symbol, sizeof m.symbol) == 0 ? j : -1;
}

/* From the leader of the S_k that holds u to that of its S_{k-1}; false if it is the same node. */
static bool descend(struct ls_permutation *leader, const struct ls_permutation *u, int k)
{
	if (leader->symbol[k] == u->symbol[k])
		return false;
	*leader = member(leader, position(leader, u->symbol[k]) - 1);
	ls_star_swap(leader, k);
	return true;
}

/* The rank of u in its S_b as the leader sees it, from which it is 12..b. */
static int64_t rank_below(const struct ls_permutation *leader, const struct ls_permutation *u,
	int b)
{
	struct ls_permutation relative = ls_permutation_relative(u, leader);

	relative.n = b;
	return ls_permutation_rank(&relative);
}

/* When a node hears, and over which link; round -1: the root. */
struct hearing { int64_t round; int link; };

static struct hearing heard(const struct ls_star_stored *s, const struct ls_permutation *root,
	const struct ls_permutation *u)
{
	struct ls_permutation leader = *root;
	struct hearing last = { -1, 0 };
	int64_t start = 0;

	for (int k = root->n; k > s->symbols; start += level_rounds(k--)) {
		const int j = member_number(&leader, u, k);

		if (j == 0)
			return last;
		if (j > 0)
			return (struct hearing){ start + ls_log2_floor(j), j + 1 };
		if (descend(&leader, u, k))
			last = (struct hearing){ start + level_rounds(k) - 1, k };
	}

	const int64_t w = rank_below(&leader, u, s->symbols);

	return w == 0 ? last : (struct hearing){ start + s->round[w] - 1, s->link[w] };
}

/*
 * The link over which node w of S_b tells another in round t = 0.. of the stored schedule; 0: none.
 */
static int stored_link(const struct ls_star_stored *s, int64_t w, int64_t t)
{
	for (int link = 2; link <= s->symbols; link++) {
		const int64_t v = ls_star_across(w, link);

		if (s->link[v] == link && s->round[v] == t + 1)
			return link;
	}
	return 0;
}

/*
 * The link over which a node would tell another in a round, had that one not heard before; 0: none.
 */
static int offered_link(const struct ls_star_stored *s, const struct ls_permutation *root,
	const struct ls_permutation *u, int64_t round)
{
	struct ls_permutation leader = *root;
	int k = root->n;

	for (; k > s->symbols && round >= level_rounds(k); k--) {
		round -= level_rounds(k);
		descend(&leader, u, k);
	}
	if (k == s->symbols)
		return stored_link(s, rank_below(&leader, u, k), round);

	const int j = member_number(&leader, u, k);

	if (j < 0)
		return 0;
	if (round == level_rounds(k) - 1)
		return k;

	const int told = 1 << round;

	return j < told && told + j <= k - 2 ? told + j + 1 : 0;
}

static bool hears(const struct ls_star_stored *s, const struct ls_permutation *root,
	const struct ls_permutation *u, int link, struct hearing *when)
{
	struct ls_permutation v = *u;

	ls_star_swap(&v, link);
	*when = heard(s, root, &v);
	return when->link == link;
}

/* The link to the parent (*up) or to a child; 0: the node is idle. */
static int link_in(const struct ls_plan *plan, const struct ls_permutation *root,
	const struct ls_permutation *u, int64_t round, bool *up)
{
	const struct ls_star_stored *const s = stored(plan);
	const struct hearing mine = heard(s, root, u);
	struct hearing child;

	*up = mine.round == round;
	if (*up)
		return mine.link;

	const int link = mine.round < round ? offered_link(s, root, u, round) : 0;

	return link && hears(s, root, u, link, &child) && child.round == round ? link : 0;
}

static struct ls_permutation root_of(const struct ls_plan *plan)
{
	const struct ls_problem *const problem = &plan->problem;

	return ls_permutation_of(ls_reversal_root(problem), (int)problem->topology->number[0]);
}

void ls_star_tree_peers(const struct ls_plan *plan, int64_t rank, int64_t round,
	struct ls_peers *out)
{
	const struct ls_permutation root = root_of(plan), u = ls_permutation_of(rank, root.n);
	struct ls_edge edge = { .peer = LS_NOBODY };
	const int link = link_in(plan, &root, &u, ls_reversal_round(plan, round), &edge.up);

	if (link)
		edge.peer = ls_star_across(rank, link);
	ls_reversal_peers(plan, round, edge, out);
}

int64_t ls_star_tree_shape(const struct ls_plan *plan, int64_t rank, int64_t round)
{
	const struct ls_permutation root = root_of(plan), u = ls_permutation_of(rank, root.n);
	const int64_t told = ls_reversal_round(plan, round);
	struct ls_edge edge = { .peer = LS_NOBODY, .last = true };
	const int link = link_in(plan, &root, &u, told, &edge.up);

	if (link)
		edge.peer = ls_star_across(rank, link);
	for (int k = 2; link && k <= root.n; k++) {
		struct hearing child;

		if (hears(stored(plan), &root, &u, k, &child) && child.round > told)
			edge.last = false;
	}
	return ls_reversal_shape(plan, rank, round, edge);
}
