/*
 * Packets that wait for links.  A link serves those with the most hops left first; of equal ones,
 * the last that came.
 */
#ifndef LSI_COLLECTIVE_DIRECT_LINK_QUEUES_H
#define LSI_COLLECTIVE_DIRECT_LINK_QUEUES_H

#include <string.h>

#include "base/arena.h"

struct lsi_link_queues {
	int64_t links, longest; /* the most hops of a packet */
	int32_t *top;           /* per link and number of hops left: a packet + 1; 0: none */
	int32_t *most;          /* per link: the most hops left; 0: no packet waits */
	int32_t *below;         /* per packet: the next one of its link and hops + 1; 0: none */
};

/* The queues are empty; false: no memory. */
static inline bool lsi_link_queues_make(
	struct lsi_link_queues *q, int64_t packets, struct lsi_arena *arena)
{
	q->top = lsi_arena_take(arena, (size_t)(q->links * (q->longest + 1)) + 1, sizeof *q->top);
	q->most = lsi_arena_take(arena, (size_t)q->links + 1, sizeof *q->most);
	q->below = lsi_arena_take(arena, (size_t)packets, sizeof *q->below);
	return q->top && q->most && q->below;
}

static inline void lsi_link_queues_clear(struct lsi_link_queues *q)
{
	memset(q->top, 0, (size_t)(q->links * (q->longest + 1)) * sizeof *q->top);
	memset(q->most, 0, (size_t)q->links * sizeof *q->most);
}

static inline void lsi_link_queues_push(
	struct lsi_link_queues *q, int64_t link, int32_t hops, int32_t packet)
{
	int32_t *const top = &q->top[link * (q->longest + 1) + hops];

	q->below[packet] = *top;
	*top = packet + 1;
	if (q->most[link] < hops)
		q->most[link] = hops;
}

/* Remove a packet from the queue of a link, where one waits. */
static inline int32_t lsi_link_queues_pop(struct lsi_link_queues *q, int64_t link)
{
	int32_t *const top = &q->top[link * (q->longest + 1)];
	const int32_t packet = top[q->most[link]] - 1;

	top[q->most[link]] = q->below[packet];
	while (q->most[link] > 0 && top[q->most[link]] == 0)
		q->most[link]--;
	return packet;
}

#endif
