/*
 * Exchanges: an all-gather as the messages of its rounds, and read backwards a reduce-scatter.
 *
 * The algorithm says what a node sends and gets in a round of the all-gather. Backwards, in round
 * rounds-1 - r, a node returns the sums of what it got and adds what comes back for what it sent;
 * every block then ends, with the contributions of all, where it began. The operand of the lower
 * rank is the first, so rank order is kept where sums stand for ranges of ranks. Sums grow in
 * scratch 0; blocks that nothing was added to yet are read from INPUT, so no copy of it is made.
 */
#ifndef LSI_COLLECTIVE_EXCHANGE_BLOCK_EXCHANGE_H
#define LSI_COLLECTIVE_EXCHANGE_BLOCK_EXCHANGE_H

#include "collective/algorithm.h"

/*
 * What a node does on one port in a round of the all-gather. Slices count the blocks of all ranks;
 * a plain run may begin p blocks later, where scratch has fewer slots and takes unwrapped numbers.
 */
struct lsi_block_exchange {
	int64_t to, from; /* LS_NO_RANK: nothing is sent, got */
	struct ls_slice sends, gets;
	bool again;  /* is sent later too, or now on an earlier port */
	bool passed; /* what is got will be passed on later */
};

typedef struct lsi_block_exchange lsi_block_exchange_at(
	const struct ls_plan *, int64_t rank, int64_t round, int port);

/* For an all-gather of so many rounds; backwards, sums need so many slots, p or fewer. */
struct lsi_frame lsi_block_exchange_frame(
	const struct lsi_problem *, int64_t rounds, int64_t slots);
/* Ports that are asked about: one or two. */
int lsi_block_exchange_ports(const struct lsi_problem *);
void lsi_block_exchange_peers(const struct ls_plan *, lsi_block_exchange_at *, int64_t rank,
	int64_t round, struct lsi_peers *);
void lsi_block_exchange_body(
	const struct ls_plan *, lsi_block_exchange_at *, int64_t rank, int64_t round, struct ls_step *);

/*
 * When every node sends on one port in every round, and as long a message as all others: no block
 * comes to a node twice.
 */
struct ls_counts lsi_block_exchange_counts(const struct lsi_problem *, int64_t rounds, size_t n);

#endif
