/*
 * Deliveries: an all-gather or broadcast as a list of messages, and the blocks that each of them
 * brings.
 *
 * A search states which links carry messages in which rounds.  A message brings all blocks that its
 * sender has and its receiver lacks, or the blocks that the search states.  So no block reaches a
 * node twice.  A reduce-scatter sends, in reverse time order, the sum of each of these blocks back
 * over the link.
 */
#ifndef LSI_COLLECTIVE_MATCHING_DELIVERY_H
#define LSI_COLLECTIVE_MATCHING_DELIVERY_H

#include "collective/algorithm.h"
#include "topology/kept.h"

/* Deliveries list up to p (p - 1) blocks. */
enum { LSI_DELIVERY_NODES = 1024 };

/* The blocks that every node must get, and where they are at first. */
struct lsi_block_goal {
	int32_t blocks;
	int32_t source; /* the node that has all blocks; -1: block v is at node v */
};

/*
 * A link in use.  It brings one block, or with `block` < 0 all that the receiver lacks.  Uses of
 * one link in one round are one message; they follow one another.
 */
struct lsi_link_use {
	int32_t round, from, to, block;
};

struct lsi_delivery_message {
	int32_t round, from, to;
	int32_t first; /* its blocks are block[first ..], up to those of the next message */
	/* Of a message with one block: whether its sender, its receiver sends it in a later round. */
	bool sent_again, sent_on;
};

enum lsi_delivery_end { LSI_DELIVERY_SENT, LSI_DELIVERY_RECEIVED };

struct lsi_delivery {
	struct lsi_kept kept;
	int64_t rounds, messages, words;
	int64_t volume; /* sum over the rounds of the blocks of the longest message */
	struct lsi_delivery_message *message; /* by round; one more at the end */
	int64_t *block;
	/* The messages that node u sends, receives, by round: at[first[u]] .. at[first[u + 1] - 1]. */
	int32_t *first[2], *at[2];
};

/* Whether deliveries on this network are small enough. */
bool lsi_delivery_fits(const struct lsi_problem *);

/* From the links in use, by round, until every node has all blocks; NULL: no memory. */
struct lsi_delivery *lsi_delivery_make(
	int64_t nodes, struct lsi_block_goal, const struct lsi_link_use *, int64_t uses);

/* As an object to keep with the topology. */
static inline struct lsi_kept *lsi_delivery_kept(struct lsi_delivery *d)
{
	return d ? &d->kept : NULL;
}

/* ---- The functions of algorithms; an algorithm states where its deliveries are */

typedef const struct lsi_delivery *lsi_delivery_of(const struct lsi_problem *);

/*
 * The messages that a node sends and receives in a round of a broadcast or all-gather; NULL: none.
 * A round of a reduce or reduce-scatter returns the messages of the mirrored round.
 */
struct lsi_delivery_exchange {
	const struct lsi_delivery_message *sent, *received;
};

struct lsi_delivery_exchange lsi_delivery_exchange_of(
	const struct ls_plan *, int64_t rank, int64_t round);

/* Sets plan->table to a delivery, and the rounds. */
int lsi_delivery_prepare(struct ls_plan *, lsi_delivery_of *);
struct lsi_frame lsi_delivery_frame(const struct lsi_problem *);
void lsi_delivery_peers(const struct ls_plan *, int64_t rank, int64_t round, struct lsi_peers *);
void lsi_delivery_body(const struct ls_plan *, int64_t round, int64_t rank, struct ls_step *);
struct ls_counts lsi_delivery_predict(const struct lsi_problem *, lsi_delivery_of *, size_t n);

/* Every node sends, or receives, p - 1 blocks. */
struct ls_counts lsi_delivery_predict_least(const struct lsi_problem *, size_t n);

#endif
