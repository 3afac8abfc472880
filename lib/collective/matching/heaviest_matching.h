/*
 * The heaviest of the largest matchings of senders to receivers, where each link has a weight.
 *
 * Pairs are added one after another.  Each time, of all paths that make the matching larger by one
 * pair, the one that gains most weight is taken.  So the matching is the heaviest of its size, and
 * no sequence of exchanges gains weight: this is the method of successive shortest paths.
 */
#ifndef LSI_COLLECTIVE_MATCHING_HEAVIEST_MATCHING_H
#define LSI_COLLECTIVE_MATCHING_HEAVIEST_MATCHING_H

#include "collective/matching/largest_matching.h"

struct lsi_heaviest {
	int64_t *weight; /* per link of the receiver; those that are not usable have none */
	int64_t *gain;   /* per sender: of the best path to it */
	int32_t *via;    /* per sender: the last link of this path; -1: none */
	int32_t *paired; /* per receiver: the link of its pair */
	int32_t *queue;  /* senders whose gain has grown */
	bool *queued;
};

/* Take memory; false: no memory.  The caller sets the weights, which are below 2^40. */
bool lsi_heaviest_make(
	struct lsi_heaviest *, const struct lsi_link_table *, struct lsi_arena *);

/* Add pairs to a matching that has none, over its usable links. */
void lsi_heaviest_match(struct lsi_heaviest *, struct lsi_matching *);

#endif
