/*
 * The binomial tree on coordinates 0 .. side-1, by halving of intervals, for any side and root.
 *
 * Level `half`, a power of two, joins aligned blocks of `half` coordinates in pairs.  Every block
 * has a leader; the root leads its own blocks.  One leader of a pair becomes the leader of both
 * blocks.  The other one, the partner, has the same offset in its block, or is the last coordinate.
 *
 *   side 6, root 1     level 4    0 [1] 2  3 | 4  5        1 - 5
 *                      level 2    0 [1]| 2  3 | 4 [5]      1 - 3
 *                      level 1    0 [1] 2 [3] 4 [5]        1 - 0, 3 - 2, 5 - 4
 *
 * Blocks are intervals.  So messages of a level share no link of a line or ring, and a reduction
 * combines neighboring ranges of ranks.  If side is a power of two, leader and partner differ in
 * the bit `half` only (Grama, Gupta, Karypis, Kumar 2003, Algorithm 4.2).
 */
#ifndef LSI_COLLECTIVE_TREE_BINOMIAL_H
#define LSI_COLLECTIVE_TREE_BINOMIAL_H

#include "collective/axis.h"

enum lsi_binomial_role { LSI_BINOMIAL_IDLE, LSI_BINOMIAL_LEADER, LSI_BINOMIAL_PARTNER };

/* The part of a node in a round; `peer` is a rank, `held` counts the coordinates of its block. */
struct lsi_binomial {
	enum lsi_binomial_role role;
	int64_t peer, held;
};

/* The number of levels of an axis. */
int64_t lsi_binomial_levels(const struct lsi_problem *, struct lsi_axis);
struct lsi_binomial lsi_binomial_at(
	const struct lsi_problem *, struct lsi_axis, int64_t rank, int64_t half);

/*
 * The logarithm of the level at which a node, not at the root's coordinate, is a partner; *leader:
 * its leader's rank.
 */
int64_t lsi_binomial_receive_level(
	const struct lsi_problem *, struct lsi_axis, int64_t rank, int64_t *leader);

#endif
