/*
 * Broadcast trees on the star graph, level by level, from any root.
 *
 * At level k = n .. 2 every S_k that has heard has a leader L, at level n the root.  Members m_0 =
 * L, m_1, .., m_{k-2} have the first symbols L_1 .. L_{k-1}: they double, m_j hearing over link j +
 * 1 from the member without j's highest bit, in ceil(log2(k-1)) rounds; in one more round all tell
 * their neighbors over link k, the leaders of the other S_{k-1} (L leads its own).  The levels may
 * end at some S_b, which then runs a stored schedule from its leader.  A node that has heard before
 * is not told again.
 *
 * Nothing is stored of the levels: a node's leaders follow from its permutation and the root's.
 */
#ifndef LSI_COLLECTIVE_CAYLEY_STAR_TREE_H
#define LSI_COLLECTIVE_CAYLEY_STAR_TREE_H

#include "collective/requirement.h"
#include "collective/tree/reversal.h"

/*
 * plan->table: a schedule on S_b for the root 12..b, as in broadcast/matching_table.h; NULL: none,
 * b = 1.
 */
struct lsi_star_stored {
	int symbols; /* b */
	uint8_t *link, *round;
};

/* Rounds of levels n .. b+1. */
int64_t lsi_star_tree_rounds(int n, int b);

void lsi_star_tree_peers(const struct ls_plan *, int64_t rank, int64_t round, struct lsi_peers *);
/* Of reduce and all-reduce. */
int64_t lsi_star_tree_shape(const struct ls_plan *, int64_t rank, int64_t round);

/* Of a broadcast, and of reduce and all-reduce. */
extern const struct lsi_whole_machine lsi_star_tree_broadcast, lsi_star_tree_reduce,
	lsi_star_tree_allreduce;

#endif
