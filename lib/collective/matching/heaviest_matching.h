/*
 * The heaviest of the largest matchings of senders to receivers, where each link has a weight.
 *
 * Receivers are added one after another, each by the path of exchanges that costs least.  It ends
 * at a free sender or, at a high cost, at a receiver that goes without.  Prices of senders keep all
 * costs at zero or above, so a search can stop at the first end: this is the method of Jonker and
 * Volgenant 1987.
 */
#ifndef LSI_COLLECTIVE_MATCHING_HEAVIEST_MATCHING_H
#define LSI_COLLECTIVE_MATCHING_HEAVIEST_MATCHING_H

#include "collective/matching/largest_matching.h"

struct lsi_heaviest {
	int64_t *weight; /* per link of the receiver; the caller sets those in use, below 2^40 */
	int32_t *paired; /* per receiver: the link of its pair */
	/* Per sender: */
	int64_t *price; /* zero or below */
	int64_t *cost;  /* of the best path to it that is known */
	int32_t *via;   /* the last link of this path; -1: no path is known */
	bool *passed;   /* no path can be better */
	int32_t *reached;
};

/* Take memory; false: no memory. */
bool lsi_heaviest_make(struct lsi_heaviest *, const struct lsi_link_table *, struct lsi_arena *);

/* Add pairs to a matching that has none, over its usable links. */
void lsi_heaviest_match(struct lsi_heaviest *, struct lsi_matching *);

#endif
