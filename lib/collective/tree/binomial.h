/*
 * The binomial tree on coordinates 0 .. side-1, by halving of intervals; any side, any root.
 *
 * Level `half`, a power of two, joins aligned blocks of `half` coordinates in pairs. Each block has
 * a leader: the root's block the root, and of a pair one is the leader of both and the other, the
 * partner, has the same place in its own block, or the last coordinate there is. Blocks are
 * intervals, so messages of a level do not meet on a line or ring, and a reduction combines
 * neighboring ranges of ranks. When side is a power of two, leader and partner differ in the bit
 * `half` alone (Algorithm 4.2).
 */
#ifndef LSI_COLLECTIVE_TREE_BINOMIAL_H
#define LSI_COLLECTIVE_TREE_BINOMIAL_H

#include "collective/axis.h"

enum lsi_binomial_role { LSI_BINOMIAL_IDLE, LSI_BINOMIAL_LEADER, LSI_BINOMIAL_PARTNER };

/* What a node does in a round; `peer` is a rank.  `held`: coordinates that its own block has. */
struct lsi_binomial {
	enum lsi_binomial_role role;
	int64_t peer, held;
};

/* Levels of an axis. */
int64_t lsi_binomial_levels(const struct lsi_problem *, struct lsi_axis);
struct lsi_binomial lsi_binomial_at(
	const struct lsi_problem *, struct lsi_axis, int64_t rank, int64_t half);

/* The level of a node that is not at the root's coordinate as a partner, and the leader's rank. */
int64_t lsi_binomial_receive_level(
	const struct lsi_problem *, struct lsi_axis, int64_t rank, int64_t *leader);

#endif
