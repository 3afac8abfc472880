#include "collective/matching/largest_matching.h"

#include <stdlib.h>
#include <string.h>

enum { EXHAUSTED = INT32_MAX }; /* in `visited`: no path leads from this sender to a free one */

bool lsi_matching_make(
	struct lsi_matching *m, const struct lsi_link_table *table, struct lsi_arena *arena)
{
	const size_t p = (size_t)table->nodes;

	m->table = table;
	m->sender = lsi_arena_take(arena, p, sizeof *m->sender);
	m->receiver = lsi_arena_take(arena, p, sizeof *m->receiver);
	m->visited = lsi_arena_take(arena, p, sizeof *m->visited);
	return m->sender && m->receiver && m->visited;
}

void lsi_matching_begin(struct lsi_matching *m, const bool *usable)
{
	m->usable = usable;
	for (int32_t u = 0; u < m->table->nodes; u++)
		m->sender[u] = m->receiver[u] = -1;
	lsi_matching_widen(m);
}

void lsi_matching_widen(struct lsi_matching *m)
{
	memset(m->visited, 0, (size_t)m->table->nodes * sizeof *m->visited);
	m->searches = 0;
}

/* Find a sender; it may be that of another receiver, which then finds a further one. */
static bool augment(struct lsi_matching *m, int32_t receiver)
{
	const struct lsi_link_table *const table = m->table;

	for (int32_t l = table->first[receiver]; l < table->first[receiver + 1]; l++) {
		const int32_t u = table->neighbor[l];

		if (!m->usable[l] || m->visited[u] >= m->searches)
			continue;
		m->visited[u] = m->searches;
		if (m->receiver[u] < 0 || augment(m, m->receiver[u])) {
			lsi_matching_pair(m, u, receiver);
			return true;
		}
	}
	return false;
}

bool lsi_matching_add(struct lsi_matching *m, int32_t receiver)
{
	m->searches++;
	if (augment(m, receiver))
		return true;
	for (int32_t u = 0; u < m->table->nodes; u++)
		if (m->visited[u] == m->searches)
			m->visited[u] = EXHAUSTED;
	return false;
}

static int heavier(const void *a, const void *b)
{
	const struct lsi_weighted *x = a, *y = b;

	return x->weight == y->weight ? x->index - y->index : x->weight < y->weight ? 1 : -1;
}

void lsi_sort_heaviest(struct lsi_weighted *weighted, int32_t count)
{
	qsort(weighted, (size_t)count, sizeof *weighted, heavier);
}
