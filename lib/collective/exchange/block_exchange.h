/*
 * Block exchanges: an all-gather by the messages of its rounds; in reverse order, a reduce-scatter.
 *
 * An algorithm states what a node sends and receives in each round of the all-gather.  The
 * reduce-scatter does this in reverse time order:
 *
 *   all-gather, round r                      reduce-scatter, round rounds-1 - r
 *   send `sends` to `to`                     receive from `to` the sums of `sends`, and add them
 *   receive `receives` from `from`           send to `from` the sums of `receives`
 *
 * So every block ends, with all contributions, at the node where it began.  The operand of the
 * lower rank comes first; this keeps rank order if sums stand for contiguous ranges of ranks.  Sums
 * grow in scratch 0.  The first addition to a block reads INPUT, so there is no copy of it.
 */
#ifndef LSI_COLLECTIVE_EXCHANGE_BLOCK_EXCHANGE_H
#define LSI_COLLECTIVE_EXCHANGE_BLOCK_EXCHANGE_H

#include "collective/algorithm.h"

/*
 * The part of a node on one port in a round of the all-gather.  Slices number the blocks by rank.
 * If scratch has fewer than p slots, a plain run may use numbers p higher, so that successive
 * blocks get different slots.
 */
struct lsi_block_exchange {
	int64_t to, from; /* LS_NO_RANK: nothing to send, to receive */
	struct ls_slice sends, receives;
	bool again;  /* sent again later, or in this round on an earlier port */
	bool passed; /* the received blocks are sent on later */
};

typedef struct lsi_block_exchange lsi_block_exchange_at(
	const struct ls_plan *, int64_t rank, int64_t round, int port);

/*
 * The frame of an all-gather or reduce-scatter with this number of rounds.  A reduce-scatter keeps
 * up to `slots` sums, at most p.
 */
struct lsi_frame lsi_block_exchange_frame(
	const struct lsi_problem *, int64_t rounds, int64_t slots);
void lsi_block_exchange_peers(const struct ls_plan *, lsi_block_exchange_at *, int64_t rank,
	int64_t round, struct lsi_peers *);
void lsi_block_exchange_body(
	const struct ls_plan *, lsi_block_exchange_at *, int64_t rank, int64_t round, struct ls_step *);

/*
 * Counts if every node sends on one port in every round, all messages of a round are of equal
 * length, and no block reaches a node twice.
 */
struct ls_counts lsi_block_exchange_counts(const struct lsi_problem *, int64_t rounds, size_t n);

#endif
