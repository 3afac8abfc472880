/*
 * Spanning trees of the star graph S_n, n = 3..7: n-1 of them, and no directed link in two.
 *
 * In round r it is the turn of link 2 + r mod (n-1), on which every node then has one message out
 * and one in.  Tree i leaves the root, rank 0, over link i + 2, and is the image of tree 0 when
 * symbols and positions 2..n all move up by i, cyclically; so a node hears of each tree over
 * another link.
 */
#ifndef LSI_COLLECTIVE_CAYLEY_TSENG_TREES_H
#define LSI_COLLECTIVE_CAYLEY_TSENG_TREES_H

#include "plan/plan_internal.h"

enum { LSI_TSENG_SYMBOLS_MAX = 7 };

struct lsi_tseng {
	int symbols;
	uint8_t last;   /* round in which the last node hears of tree 0 */
	uint8_t *link;  /* over which a node hears of tree 0; tree i: i links later */
	uint8_t *round; /* [rank (n-1) + i]: in which it hears of tree i */
};

/* One object, released by lsi_free; NULL: no memory. */
struct lsi_tseng *lsi_tseng_make(int n);

/* Of which tree a node other than the root hears over a link. */
int64_t lsi_tseng_tree(const struct lsi_tseng *, int64_t rank, int link);

#endif
