#include "collective/matching/heaviest_matching.h"

#include <string.h>

/* The cost of a receiver without a sender: more than all links of a path. */
static const int64_t nothing = INT64_C(1) << 50;

enum { NONE = -1 };

/* A search for the path of a receiver. */
struct search {
	struct lsi_heaviest *h;
	struct lsi_matching *m;
	const struct lsi_link_table *table;
	int32_t count; /* of reached senders */
	int64_t least; /* the least cost of a path at whose end a receiver goes without, */
	int32_t left;  /* and the sender that it leaves; NONE: it is the first receiver */
};

bool lsi_heaviest_make(
	struct lsi_heaviest *h, const struct lsi_link_table *table, struct lsi_arena *arena)
{
	const size_t p = (size_t)table->nodes;

	h->weight = lsi_arena_take(arena, (size_t)table->links + 1, sizeof *h->weight);
	h->paired = lsi_arena_take(arena, p, sizeof *h->paired);
	h->price = lsi_arena_take(arena, p, sizeof *h->price);
	h->cost = lsi_arena_take(arena, p, sizeof *h->cost);
	h->via = lsi_arena_take(arena, p, sizeof *h->via);
	h->passed = lsi_arena_take(arena, p, sizeof *h->passed);
	h->reached = lsi_arena_take(arena, p, sizeof *h->reached);
	return h->weight && h->paired && h->price && h->cost && h->via && h->passed && h->reached;
}

static int64_t cost_of(const struct search *s, int32_t link)
{
	return -s->h->weight[link] - s->h->price[s->table->neighbor[link]];
}

/* After a path of this cost, let a receiver take another sender than its own, or none. */
static void extend(struct search *s, int32_t receiver, int64_t cost)
{
	struct lsi_heaviest *const h = s->h;

	if (cost + nothing < s->least) {
		s->least = cost + nothing;
		s->left = s->m->sender[receiver];
	}
	for (int32_t l = s->table->first[receiver]; l < s->table->first[receiver + 1]; l++) {
		const int32_t u = s->table->neighbor[l];

		if (!s->m->usable[l] || h->passed[u])
			continue;
		if (h->via[u] == NONE)
			h->reached[s->count++] = u;
		else if (cost + cost_of(s, l) >= h->cost[u])
			continue;
		h->cost[u] = cost + cost_of(s, l);
		h->via[u] = l;
	}
}

/* The cheapest sender that is reached but not passed; NONE: no such sender. */
static int32_t cheapest(const struct search *s)
{
	const struct lsi_heaviest *const h = s->h;
	int32_t best = NONE;

	for (int32_t i = 0; i < s->count; i++) {
		const int32_t u = h->reached[i];

		if (!h->passed[u] && (best == NONE || h->cost[u] < h->cost[best]))
			best = u;
	}
	return best;
}

/* The sender at the end of the cheapest path, and its cost; NONE: the receiver goes without. */
static int32_t find_path(struct search *s, int32_t receiver, int64_t *cost)
{
	s->count = 0;
	s->least = nothing;
	s->left = NONE;
	extend(s, receiver, 0);
	for (;;) {
		const int32_t u = cheapest(s), v = u == NONE ? NONE : s->m->receiver[u];

		if (u == NONE || s->h->cost[u] >= s->least) {
			*cost = s->least;
			return s->left;
		}
		if (v == NONE) {
			*cost = s->h->cost[u];
			return u;
		}
		s->h->passed[u] = true;
		extend(s, v, s->h->cost[u] - cost_of(s, s->h->paired[v]));
	}
}

/* Each receiver on the path to a sender takes the next one; that of the last sender has lost it. */
static void exchange(struct search *s, int32_t receiver, int32_t sender)
{
	for (int32_t u = sender, v = NONE; u != NONE && v != receiver;) {
		const int32_t link = s->h->via[u];
		int32_t next;

		v = s->table->node[link];
		next = s->m->sender[v];
		s->h->paired[v] = link;
		lsi_matching_pair(s->m, u, v);
		u = next;
	}
}

static void add(struct search *s, int32_t receiver)
{
	int64_t cost;
	const int32_t sender = find_path(s, receiver, &cost);

	for (int32_t i = 0; i < s->count; i++) {
		const int32_t u = s->h->reached[i];

		s->h->price[u] += s->h->passed[u] ? s->h->cost[u] - cost : 0;
	}
	if (sender != NONE && s->m->receiver[sender] != NONE)
		s->m->sender[s->m->receiver[sender]] = NONE;
	exchange(s, receiver, sender);
	for (int32_t i = 0; i < s->count; i++) {
		s->h->passed[s->h->reached[i]] = false;
		s->h->via[s->h->reached[i]] = NONE;
	}
}

void lsi_heaviest_match(struct lsi_heaviest *h, struct lsi_matching *m)
{
	struct search s = { .h = h, .m = m, .table = m->table };

	memset(h->price, 0, (size_t)m->table->nodes * sizeof *h->price);
	memset(h->via, NONE, (size_t)m->table->nodes * sizeof *h->via);
	for (int32_t v = 0; v < m->table->nodes; v++)
		add(&s, v);
}
