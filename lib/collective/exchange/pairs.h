/*
 * Pairs for p = 2^bits + extra nodes, so that an algorithm for 2^bits nodes serves any p.
 *
 *   p = 6          before             algorithm on 4 virtual ranks         after
 *                  1 -> 0, 3 -> 2     0 = {0,1}  1 = {2,3}  2 = 4  3 = 5   0 -> 1, 2 -> 3
 *
 * Before the algorithm the nodes 2i + 1, i < extra, send their operands to 2i; after it they
 * receive the result.  A pair counts as one virtual rank.  So virtual ranks stand for contiguous
 * ranges of ranks, in order.
 */
#ifndef LSI_COLLECTIVE_EXCHANGE_PAIRS_H
#define LSI_COLLECTIVE_EXCHANGE_PAIRS_H

#include "collective/algorithm.h"

enum lsi_role { LSI_ROLE_ALONE, LSI_ROLE_RECEIVES, LSI_ROLE_SENDS };

struct lsi_pairs {
	int64_t extra;
	int bits;
};

static inline struct lsi_pairs lsi_pairs_of(int64_t nodes)
{
	const int bits = lsi_log2_floor(nodes);

	return (struct lsi_pairs){ nodes - ((int64_t)1 << bits), bits };
}

static inline enum lsi_role lsi_pairs_role(struct lsi_pairs pairs, int64_t rank)
{
	if (rank >= 2 * pairs.extra)
		return LSI_ROLE_ALONE;
	return rank % 2 ? LSI_ROLE_SENDS : LSI_ROLE_RECEIVES;
}

static inline int64_t lsi_pairs_virtual(struct lsi_pairs pairs, int64_t rank)
{
	return rank < 2 * pairs.extra ? rank / 2 : rank - pairs.extra;
}

static inline int64_t lsi_pairs_node(struct lsi_pairs pairs, int64_t virtual_rank)
{
	return virtual_rank < pairs.extra ? 2 * virtual_rank : virtual_rank + pairs.extra;
}

/*
 * The number of all rounds if the algorithm has `own` rounds; the algorithm's round at `round`, -1
 * before and after it.
 */
static inline int64_t lsi_pairs_rounds(struct lsi_pairs pairs, int64_t own)
{
	return own + (pairs.extra > 0 ? 2 : 0);
}

static inline int64_t lsi_pairs_round(struct lsi_pairs pairs, int64_t own, int64_t round)
{
	const int64_t i = round - (pairs.extra > 0);

	return i < own ? i : -1;
}

/* The rounds before and after; the first one stores the sum of the pair in buffer `sum`. */
void lsi_pairs_peers(struct lsi_pairs, int64_t rank, int64_t round, struct lsi_peers *);
void lsi_pairs_body(enum lsi_role, int64_t round, int64_t blocks, int sum, struct ls_step *);

#endif
