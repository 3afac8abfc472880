#include "collective/matching/heaviest_matching.h"

enum { NO_LINK = -1 };
#define NO_PATH INT64_MIN

/* What a search for a path works on. */
struct search {
	struct lsi_heaviest *h;
	struct lsi_matching *m;
	const struct lsi_link_table *table;
	int32_t first, count; /* of the queue */
};

bool lsi_heaviest_make(
	struct lsi_heaviest *h, const struct lsi_link_table *table, struct lsi_arena *arena)
{
	const size_t p = (size_t)table->nodes;

	h->weight = lsi_arena_take(arena, (size_t)table->links + 1, sizeof *h->weight);
	h->gain = lsi_arena_take(arena, p, sizeof *h->gain);
	h->via = lsi_arena_take(arena, p, sizeof *h->via);
	h->paired = lsi_arena_take(arena, p, sizeof *h->paired);
	h->queue = lsi_arena_take(arena, p, sizeof *h->queue);
	h->queued = lsi_arena_take(arena, p, sizeof *h->queued);
	return h->weight && h->gain && h->via && h->paired && h->queue && h->queued;
}

/* Let a receiver, after a path of this gain, take any sender but its own. */
static void extend(struct search *s, int32_t receiver, int64_t gain)
{
	struct lsi_heaviest *const h = s->h;

	for (int32_t l = s->table->first[receiver]; l < s->table->first[receiver + 1]; l++) {
		const int32_t u = s->table->neighbor[l];

		if (!s->m->usable[l] || u == s->m->sender[receiver] || gain + h->weight[l] <= h->gain[u])
			continue;
		h->gain[u] = gain + h->weight[l];
		h->via[u] = l;
		if (!h->queued[u]) {
			h->queue[(s->first + s->count++) % s->table->nodes] = u;
			h->queued[u] = true;
		}
	}
}

/* Find the best path from a free receiver to each sender. */
static void find_paths(struct search *s)
{
	struct lsi_heaviest *const h = s->h;

	for (int32_t u = 0; u < s->table->nodes; u++) {
		h->gain[u] = NO_PATH;
		h->via[u] = NO_LINK;
	}
	for (int32_t v = 0; v < s->table->nodes; v++)
		if (s->m->sender[v] < 0)
			extend(s, v, 0);
	while (s->count > 0) {
		const int32_t u = h->queue[s->first], v = s->m->receiver[u];

		s->first = (s->first + 1) % s->table->nodes;
		s->count--;
		h->queued[u] = false;
		if (v >= 0)
			extend(s, v, h->gain[u] - h->weight[h->paired[v]]);
	}
}

/* The free sender of the best path; -1: no path makes the matching larger. */
static int32_t best_sender(const struct search *s)
{
	int32_t best = -1;

	for (int32_t u = 0; u < s->table->nodes; u++)
		if (s->m->receiver[u] < 0 && s->h->via[u] != NO_LINK
			&& (best < 0 || s->h->gain[u] > s->h->gain[best]))
			best = u;
	return best;
}

void lsi_heaviest_match(struct lsi_heaviest *h, struct lsi_matching *m)
{
	struct search s = { .h = h, .m = m, .table = m->table };

	for (;;) {
		find_paths(&s);
		/* Each receiver on the path gives its sender to the one before it. */
		for (int32_t u = best_sender(&s), next; ; u = next) {
			if (u < 0)
				return;
			const int32_t link = h->via[u], v = s.table->node[link];

			next = m->sender[v];
			h->paired[v] = link;
			lsi_matching_pair(m, u, v);
			if (next < 0)
				break;
		}
	}
}
