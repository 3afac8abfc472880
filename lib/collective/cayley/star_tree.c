#include "collective/cayley/star_tree.h"

#include "collective/tree/broadcast_tree.h"

/* Rounds of level k: the doublings, and one round over link k. */
static int level_rounds(int k)
{
	return lsi_log2_ceil(k - 1) + 1;
}

int64_t lsi_star_tree_rounds(int n, int b)
{
	int64_t rounds = 0;

	for (int k = n; k > b; k--)
		rounds += level_rounds(k);
	return rounds;
}

static const struct lsi_star_stored *stored(const struct ls_plan *plan)
{
	static const struct lsi_star_stored none = { .symbols = 1 };

	return plan->table ? plan->table : &none;
}

/*
 * A node relative to a leader.  Its i-th symbol is at position symbol[i] in the leader, and the
 * i-th symbol of the leader is at position[i] in the node.  The leader itself is 12..n.
 */
struct view {
	int symbols;
	uint8_t symbol[LSI_SYMBOLS_MAX + 1], position[LSI_SYMBOLS_MAX + 1];
};

static struct view view_from(const struct lsi_problem *problem, int64_t leader, int64_t rank)
{
	const int n = (int)problem->topology->number[0];
	struct lsi_permutation u = lsi_permutation_of(rank, n);
	struct view v = { .symbols = n };

	if (leader != 0) {
		const struct lsi_permutation from = lsi_permutation_of(leader, n);

		u = lsi_permutation_relative(&u, &from);
	}
	for (int i = 1; i <= n; i++) {
		v.symbol[i] = u.symbol[i];
		v.position[u.symbol[i]] = (uint8_t)i;
	}
	return v;
}

static struct view neighbor_of(const struct view *v, int link)
{
	struct view w = *v;

	w.symbol[1] = v->symbol[link];
	w.symbol[link] = v->symbol[1];
	w.position[w.symbol[1]] = 1;
	w.position[w.symbol[link]] = (uint8_t)link;
	return w;
}

/*
 * The path from the leader to its member j takes the bits of j from the lowest; `left` has the bits
 * still to go.  Each bit is a link: the symbol at its end moves to the front, and the first symbol
 * goes there.
 */
static int link_on_way(int j, int left)
{
	return (j & (left ^ (left - 1))) + 1;
}

/* The number of a node as a member, if its k-th symbol is that of its leader; -1: no member. */
static int member_number(const struct view *v, int k)
{
	const int j = v->symbol[1] - 1;
	uint32_t on_way = 0;
	int first = 1;

	for (int left = j; left; left &= left - 1) {
		const int link = link_on_way(j, left);

		if (v->symbol[link] != first)
			return -1;
		on_way |= 1u << link;
		first = link;
	}
	for (int i = 2; i < k; i++)
		if (!(on_way >> i & 1) && v->symbol[i] != i)
			return -1;
	return j;
}

static void put_symbol(struct view *v, int i, int position)
{
	v->position[i] = (uint8_t)position;
	v->symbol[position] = (uint8_t)i;
}

/*
 * Replace the leader of the S_k of a node by the leader of its S_{k-1}: by the neighbor over link k
 * of the member whose first symbol is the node's k-th.  False if the leader stays the same.
 */
static bool descend(struct view *v, int k)
{
	const int j = v->symbol[k] - 1;
	int first = v->position[1];

	if (j == k - 1)
		return false;
	put_symbol(v, 1, v->position[k]);
	for (int left = j; left; left &= left - 1) {
		const int link = link_on_way(j, left), next = v->position[link];

		put_symbol(v, link, first);
		first = next;
	}
	put_symbol(v, k, first);
	return true;
}

/* The rank of a node in its S_b, relative to the leader. */
static int64_t rank_below(const struct view *v, int b)
{
	struct lsi_permutation p = { .n = b };

	for (int i = 1; i <= b; i++)
		p.symbol[i] = v->symbol[i];
	return lsi_permutation_rank(&p);
}

/* The round in which a node receives, and the link; round -1: the root. */
struct reception {
	int64_t round;
	int link;
};

/* `v` is the node relative to the root. */
static struct reception reception_of(const struct lsi_star_stored *s, struct view v)
{
	struct reception last = { -1, 0 };
	int64_t start = 0;

	for (int k = v.symbols; k > s->symbols; start += level_rounds(k--)) {
		if (descend(&v, k)) {
			last = (struct reception){ start + level_rounds(k) - 1, k };
			continue;
		}

		const int j = member_number(&v, k);

		if (j == 0)
			return last;
		if (j > 0)
			return (struct reception){ start + lsi_log2_floor(j), j + 1 };
	}

	const int64_t w = rank_below(&v, s->symbols);

	return w == 0 ? last : (struct reception){ start + s->round[w] - 1, s->link[w] };
}

/* The link on which node w of S_b sends in round t = 0.. of the stored schedule; 0: none. */
static int stored_link(const struct lsi_star_stored *s, int64_t w, int64_t t)
{
	for (int link = 2; link <= s->symbols; link++) {
		const int64_t v = lsi_star_neighbor(w, link);

		if (s->link[v] == link && s->round[v] == t + 1)
			return link;
	}
	return 0;
}

/*
 * The link on which a node sends in a round, unless the node at its end has received before; 0:
 * none.
 */
static int offered_link(const struct lsi_star_stored *s, struct view v, int64_t round)
{
	int k = v.symbols;

	for (; k > s->symbols && round >= level_rounds(k); k--) {
		round -= level_rounds(k);
		descend(&v, k);
	}
	if (k == s->symbols)
		return stored_link(s, rank_below(&v, k), round);

	const int j = v.symbol[k] == k ? member_number(&v, k) : -1;

	if (j < 0)
		return 0;
	if (round == level_rounds(k) - 1)
		return k;

	const int informed = 1 << round;

	return j < informed && informed + j <= k - 2 ? informed + j + 1 : 0;
}

/* Whether the node at the end of a link receives over it; `when` is its round. */
static bool child_receives(
	const struct lsi_star_stored *s, const struct view *v, int link, struct reception *when)
{
	*when = reception_of(s, neighbor_of(v, link));
	return when->link == link;
}

/* The link to the parent (*up) or to a child; 0: the node is idle. */
static int link_in(const struct ls_plan *plan, const struct view *v, int64_t round, bool *up)
{
	const struct lsi_star_stored *const s = stored(plan);
	const struct reception mine = reception_of(s, *v);
	struct reception child;

	*up = mine.round == round;
	if (*up)
		return mine.link;

	const int link = mine.round < round ? offered_link(s, *v, round) : 0;

	return link && child_receives(s, v, link, &child) && child.round == round ? link : 0;
}

static struct view view_of(const struct ls_plan *plan, int64_t rank)
{
	return view_from(&plan->problem, lsi_reversal_root(&plan->problem), rank);
}

void lsi_star_tree_peers(
	const struct ls_plan *plan, int64_t rank, int64_t round, struct lsi_peers *out)
{
	const struct view v = view_of(plan, rank);
	struct lsi_edge edge = { .peer = LS_NO_RANK };
	const int link = link_in(plan, &v, lsi_reversal_round(plan, round), &edge.up);

	if (link)
		edge.peer = lsi_star_neighbor(rank, link);
	lsi_reversal_peers(plan, round, edge, out);
}

int64_t lsi_star_tree_shape(const struct ls_plan *plan, int64_t rank, int64_t round)
{
	const struct view v = view_of(plan, rank);
	const int64_t informed = lsi_reversal_round(plan, round);
	struct lsi_edge edge = { .peer = LS_NO_RANK, .last = true };
	const int link = link_in(plan, &v, informed, &edge.up);

	if (link)
		edge.peer = lsi_star_neighbor(rank, link);
	for (int k = 2; link && k <= v.symbols; k++) {
		struct reception child;

		if (child_receives(stored(plan), &v, k, &child) && child.round > informed)
			edge.last = false;
	}
	return lsi_reversal_shape(plan, rank, round, edge);
}

static struct lsi_receive_at receives(const struct ls_plan *plan, int64_t rank)
{
	const struct reception mine = reception_of(stored(plan), view_of(plan, rank));

	return (struct lsi_receive_at){ mine.round,
		mine.round < 0 ? LS_NO_RANK : lsi_star_neighbor(rank, mine.link) };
}

static const struct lsi_single_tree outward = { receives, lsi_reversal_round_of,
	lsi_broadcast_edge_shape };
static const struct lsi_single_tree inward = { receives, lsi_reversal_round_of,
	lsi_reversal_shape };

const struct lsi_whole_machine lsi_star_tree_broadcast = { .tree = &outward };
const struct lsi_whole_machine lsi_star_tree_reduce = { .tree = &inward,
	.window = lsi_reduce_window };
const struct lsi_whole_machine lsi_star_tree_allreduce = { .tree = &inward };
