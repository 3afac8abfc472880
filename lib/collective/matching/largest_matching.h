/*
 * Largest matchings of senders to receivers: each node sends to at most one node and receives from
 * at most one, over links that the caller marks as usable.
 *
 * Receivers are added one after another, by augmenting paths.  An added receiver stays, though its
 * sender may change.  The sets of receivers that can be matched together form a matroid.  So if
 * receivers come in order of weight, heaviest first, the matching is the heaviest of all.
 *
 * The senders that a search without success has visited all have receivers, and those receivers
 * have no other senders.  No later path leads out of this set, so it is never searched again.
 */
#ifndef LSI_COLLECTIVE_MATCHING_LARGEST_MATCHING_H
#define LSI_COLLECTIVE_MATCHING_LARGEST_MATCHING_H

#include "collective/matching/link_table.h"

struct lsi_matching {
	const struct lsi_link_table *table;
	const bool *usable; /* per link of the receiver */
	int32_t *sender;    /* per receiver; -1: none */
	int32_t *receiver;  /* per sender; -1: none */
	int32_t *visited;   /* per sender: the last search that has visited it */
	int32_t searches;
};

/* Take memory for matchings; false: no memory.  Then begin one, each time. */
bool lsi_matching_make(struct lsi_matching *, const struct lsi_link_table *, struct lsi_arena *);
void lsi_matching_begin(struct lsi_matching *, const bool *usable);
/* The caller has marked more links as usable. */
void lsi_matching_widen(struct lsi_matching *);

/* Let a pair be in the matching; both are free. */
static inline void lsi_matching_pair(struct lsi_matching *m, int32_t sender, int32_t receiver)
{
	m->sender[receiver] = sender;
	m->receiver[sender] = receiver;
}

/* Add a receiver that has no sender yet; false: no larger matching contains it. */
bool lsi_matching_add(struct lsi_matching *, int32_t receiver);

/* A node, link or block with its weight. */
struct lsi_weighted {
	int64_t weight;
	int32_t index;
};
/* Heaviest first; of equal weights, by index. */
void lsi_sort_heaviest(struct lsi_weighted *, int32_t count);

#endif
