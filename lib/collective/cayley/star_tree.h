/*
 * Broadcast trees on the star graph, level by level, from any root.
 *
 * S_k is a sub-star (star_levels.h).  At level k = n .. 2 each informed S_k has a leader L = L_1 ..
 * L_n; at level n this is the root.  k - 1 of its nodes are members: m_0 = L, m_1, .., m_{k-2}, of
 * which m_j has the first symbol L_{j+1}.  A level has two parts:
 *
 *   double    ceil(log2(k-1)) rounds: m_j receives over link j + 1 from the member whose number is
 *             j without its highest bit
 *   spread    one round: all members send over link k to the leaders of the other S_{k-1}
 *
 *      S_k                 m_0     m_1     m_2    ...   m_{k-2}
 *      link k               |       |       |              |
 *      sub-stars S_{k-1}  leader  leader  leader  ...   leader       (L leads its own S_{k-1})
 *
 * The levels may end at some S_b, which then executes a stored schedule from its leader.  Each node
 * receives once; messages to nodes that have received before are omitted.
 *
 * The levels need no memory: the leaders of a node follow from its permutation and that of the
 * root.
 */
#ifndef LSI_COLLECTIVE_CAYLEY_STAR_TREE_H
#define LSI_COLLECTIVE_CAYLEY_STAR_TREE_H

#include "collective/requirement.h"
#include "collective/tree/reversal.h"

/* plan->table: a schedule on S_b for the root 12..b, as in matching_table.h; NULL: none, b = 1. */
struct lsi_star_stored {
	int symbols; /* b */
	uint8_t *link, *round;
};

/* Rounds of the levels n .. b+1. */
int64_t lsi_star_tree_rounds(int n, int b);

void lsi_star_tree_peers(const struct ls_plan *, int64_t rank, int64_t round, struct lsi_peers *);
/* Shapes of a reduce or all-reduce. */
int64_t lsi_star_tree_shape(const struct ls_plan *, int64_t rank, int64_t round);

/* The statements of each operation about all nodes. */
extern const struct lsi_whole_machine lsi_star_tree_broadcast, lsi_star_tree_reduce,
	lsi_star_tree_allreduce;

#endif
