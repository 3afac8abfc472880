#include "collective/matching/hop_phases.h"

#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"

struct coloring {
	struct lsi_arena arena;
	const struct lsi_chain_hop *hop;
	int64_t period;
	int32_t *at[2];   /* by node and phase: the hop that it sends, receives; -1: none */
	int32_t *swapped; /* hops of an alternating chain */
	int32_t *phase;   /* per hop */
};

static bool make_coloring(
	struct coloring *c, const struct lsi_chain_paths *paths, int64_t nodes, int64_t period)
{
	const size_t entries = (size_t)(nodes * period), hops = (size_t)paths->hops;

	c->hop = paths->hop;
	c->period = period;
	c->phase = lsi_alloc_zero(hops + 1, sizeof *c->phase);
	c->swapped = lsi_arena_take(&c->arena, hops + 1, sizeof *c->swapped);
	c->at[LSI_HOP_SENT] = lsi_arena_take(&c->arena, 2 * entries, sizeof *c->at[0]);
	if (!c->phase || !c->swapped || !c->at[LSI_HOP_SENT])
		return false;
	c->at[LSI_HOP_RECEIVED] = c->at[LSI_HOP_SENT] + entries;
	memset(c->at[LSI_HOP_SENT], -1, 2 * entries * sizeof *c->at[0]);
	return true;
}

static int32_t *entry(const struct coloring *c, int end, int64_t node, int64_t phase)
{
	return &c->at[end][node * c->period + phase];
}

static void set(const struct coloring *c, int32_t hop, int64_t phase, int32_t value)
{
	*entry(c, LSI_HOP_SENT, c->hop[hop].from, phase) = value;
	*entry(c, LSI_HOP_RECEIVED, c->hop[hop].to, phase) = value;
}

/* The first free phase of a node from `first` on, round the period. */
static int64_t free_phase(const struct coloring *c, int end, int64_t node, int64_t first)
{
	while (*entry(c, end, node, first % c->period) >= 0)
		first++;
	return first % c->period;
}

/*
 * Swap two phases along the alternating (Kempe) chain of hops that begins at a receiver.  Koenig
 * 1916 colors the edges of a bipartite graph in this way.
 */
static void swap_phases(const struct coloring *c, int32_t receiver, int64_t a, int64_t b)
{
	int32_t count = 0, hop = *entry(c, LSI_HOP_RECEIVED, receiver, a);

	while (hop >= 0) {
		const bool sent = count % 2; /* the path came over its sender */

		c->swapped[count++] = hop;
		hop = sent ? *entry(c, LSI_HOP_RECEIVED, c->hop[hop].to, a)
				   : *entry(c, LSI_HOP_SENT, c->hop[hop].from, b);
	}
	for (int32_t i = 0; i < count; i++)
		set(c, c->swapped[i], c->phase[c->swapped[i]], -1);
	for (int32_t i = 0; i < count; i++) {
		int32_t *const phase = &c->phase[c->swapped[i]];

		*phase = (int32_t)(*phase == a ? b : a);
		set(c, c->swapped[i], *phase, c->swapped[i]);
	}
}

/* A phase that is free at both ends of a hop, near `first`. */
static int64_t common_phase(const struct coloring *c, struct lsi_chain_hop hop, int64_t first)
{
	const int64_t a = free_phase(c, LSI_HOP_SENT, hop.from, first);

	for (int64_t k = 0; k < c->period; k++) {
		const int64_t phase = (first + k) % c->period;

		if (*entry(c, LSI_HOP_SENT, hop.from, phase) < 0
			&& *entry(c, LSI_HOP_RECEIVED, hop.to, phase) < 0)
			return phase;
	}
	swap_phases(c, hop.to, a, free_phase(c, LSI_HOP_RECEIVED, hop.to, first));
	return a;
}

int32_t *lsi_hop_phases(const struct lsi_chain_paths *paths, int64_t nodes, int64_t period)
{
	struct coloring c = { .hop = NULL };
	const bool made = make_coloring(&c, paths, nodes, period);

	for (int32_t h = 0; made && h < paths->hops; h++) {
		const int64_t after = h == 0 ? 0 : c.phase[h - 1] + 1;

		c.phase[h] = (int32_t)common_phase(&c, c.hop[h], after);
		set(&c, h, c.phase[h], h);
	}
	lsi_arena_release(&c.arena);
	if (made)
		return c.phase;
	lsi_free(c.phase);
	return NULL;
}
