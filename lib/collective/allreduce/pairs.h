/*
 * The textbook's remedy for p = 2^bits + extra nodes, by which algorithms for 2^bits serve any p.
 *
 * In a round before the algorithm's own, nodes 2i + 1, i < extra, give their operands to 2i; in a
 * round after them they get the result.  The pair counts as one virtual rank, so that virtual ranks
 * stand for contiguous ranges of ranks in order.
 */
#ifndef LS_COLLECTIVE_ALLREDUCE_PAIRS_H
#define LS_COLLECTIVE_ALLREDUCE_PAIRS_H

#include "collective/algorithm.h"

enum ls_role { LS_ROLE_ALONE, LS_ROLE_TAKES, LS_ROLE_GIVES };

struct ls_pairs { int64_t extra; int bits; };

static inline struct ls_pairs ls_pairs(int64_t nodes)
{
	const int bits = ls_log2_floor(nodes);

	return (struct ls_pairs){ nodes - ((int64_t)1 << bits), bits };
}

static inline enum ls_role ls_pairs_role(struct ls_pairs pairs, int64_t rank)
{
	if (rank >= 2 * pairs.extra)
		return LS_ROLE_ALONE;
	return rank % 2 ? LS_ROLE_GIVES : LS_ROLE_TAKES;
}

static inline int64_t ls_pairs_virtual(struct ls_pairs pairs, int64_t rank)
{
	return rank < 2 * pairs.extra ? rank / 2 : rank - pairs.extra;
}

static inline int64_t ls_pairs_node(struct ls_pairs pairs, int64_t virtual_rank)
{
	return virtual_rank < pairs.extra ? 2 * virtual_rank : virtual_rank + pairs.extra;
}

/* All rounds, when the algorithm has so many of its own; and which of these a round is, or -1. */
static inline int64_t ls_pairs_rounds(struct ls_pairs pairs, int64_t own)
{
	return own + (pairs.extra > 0 ? 2 : 0);
}

static inline int64_t ls_pairs_round(struct ls_pairs pairs, int64_t own, int64_t round)
{
	const int64_t i = round - (pairs.extra > 0);

	return i < own ? i : -1;
}

/* The rounds before and after: the first takes the pair's sum into buffer `sum`. */
void ls_pairs_peers(struct ls_pairs, int64_t rank, int64_t round, struct ls_peers *);
void ls_pairs_body(enum ls_role, int64_t round, int64_t blocks, int sum, struct ls_step *);

#endif
