/*
 * n-1 spanning trees of the star graph S_n, n = 3..7, that share no directed link, after Tseng and
 * Sheu 1997 (broadcast_tseng.c).
 *
 * The links take turns: in round r all nodes use link 2 + r mod (n-1), for one message out and one
 * message in.
 *
 *   round        0     1    ...   n-2    n-1    n    ...
 *   link         2     3    ...    n      2     3    ...
 *   root sends   tree 0, 1, ...           tree 0, its next block ..
 *
 * Tree i leaves the root, rank 0, over link i + 2.  It is the image of tree 0 when symbols and
 * positions 2..n all move up by i, cyclically.  So a node receives from each tree over a different
 * link.
 */
#ifndef LSI_COLLECTIVE_CAYLEY_TSENG_TREES_H
#define LSI_COLLECTIVE_CAYLEY_TSENG_TREES_H

#include "plan/plan_internal.h"

enum { LSI_TSENG_SYMBOLS_MAX = 7 };

struct lsi_tseng {
	int symbols;
	uint8_t last;   /* round in which the last node receives from tree 0 */
	uint8_t *link;  /* link on which a node receives from tree 0; tree i: i links later */
	uint8_t *round; /* [rank * (n-1) + i]: round in which the node receives from tree i */
};

/* One object, released by lsi_free; NULL: no memory. */
struct lsi_tseng *lsi_tseng_make(int n);

/* The tree from which a node other than the root receives over a link. */
int64_t lsi_tseng_tree(const struct lsi_tseng *, int64_t rank, int link);

#endif
