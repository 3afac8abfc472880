/*
 * Search for paths of the blocks of a shift in a given number of rounds: see timed_paths.h.
 */
#ifndef LSI_COLLECTIVE_MATCHING_TIMED_SEARCH_H
#define LSI_COLLECTIVE_MATCHING_TIMED_SEARCH_H

#include "base/math.h"
#include "collective/direct/packets.h"
#include "collective/matching/link_table.h"
#include "plan/plan_internal.h"

enum { LSI_TIMED_WAIT = -1 };

struct lsi_timed_search {
	struct lsi_arena arena;
	struct lsi_link_table table;
	const struct lsi_problem *problem;
	bool together;
	int32_t p;
	int64_t rounds, visits; /* visits of nodes and links limit the time */
	uint64_t random;
	int32_t *from;        /* of each link */
	uint8_t *distance;    /* of each pair */
	int32_t *order;       /* of the blocks in a sweep */
	int32_t *near, nears; /* the nodes that a path may pass */
	bool *is_near;
	/* Of each round, first index: */
	int32_t *blocks;      /* of each link */
	int32_t *messages[2]; /* of each port */
	int64_t *past[2];     /* the part of the price that earlier sweeps have added */
	int64_t *cost;        /* of the cheapest path to each node before each round */
	int32_t *via;         /* its last link, or LSI_TIMED_WAIT */
	int32_t *path;        /* of each block: its link in each round, or LSI_TIMED_WAIT */
};

/*
 * For at most this number of rounds; *s is zero.  The memory is that of s->arena, which the caller
 * releases also without success; false: no memory.
 */
bool lsi_timed_search_make(
	struct lsi_timed_search *, const struct lsi_problem *, bool together, int64_t most_rounds);
/*
 * Whether there are paths of this number of rounds without two messages at a port; they are in
 * s->path then.  Gives up when many sweeps lower the excess no more, or when the visits are spent.
 */
bool lsi_timed_search_finds(struct lsi_timed_search *, int64_t rounds);

/* The node that receives a block. */
static inline int32_t lsi_timed_target(const struct lsi_timed_search *s, int32_t block)
{
	return (int32_t)lsi_wrap(block + s->problem->shift, s->p);
}

#endif
