/*
 * A broadcast along a tree in reverse time order is a reduction; one after the other they are an
 * all-reduce.
 *
 * The algorithm states the edge of a node in each round of the broadcast: its peer, the direction,
 * and whether it sends to a child later.  In reverse, in round rounds-1 - r, a node first adds the
 * sums of its children, the last child of the broadcast first.  Then it sends its sum to its
 * parent.  The first addition reads INPUT, so there is no copy of it.  Sums grow in OUTPUT where
 * there is one, else in scratch 0.  The order of the operands follows the tree, not the ranks, so
 * the operator must be commutative.
 *
 * An all-reduce may meet in the middle:
 *
 *   round     0 ..            T - 1              .. 2T - 2
 *             reduce          root <-> child     broadcast
 *
 * In round T - 1 the root exchanges with its first child of the broadcast, and both then have the
 * result.  This saves a round, so such a plan has an odd number of rounds.  Its sums grow in
 * scratch 0.
 */
#ifndef LSI_COLLECTIVE_TREE_REVERSAL_H
#define LSI_COLLECTIVE_TREE_REVERSAL_H

#include "collective/tree/reduce_tree.h"

/* The frame of an operation for a broadcast of this number of rounds. */
struct lsi_frame lsi_reversal_frame(const struct lsi_problem *, int64_t rounds);

/* The same for an all-reduce that meets in the middle; other operations do not change. */
struct lsi_frame lsi_reversal_meeting_frame(const struct lsi_problem *, int64_t rounds);

/* The root; rank 0 in an all-reduce. */
int64_t lsi_reversal_root(const struct lsi_problem *);
/*
 * Whether messages go toward the root in this round, and the round of the broadcast that this round
 * performs or mirrors.
 */
bool lsi_reversal_moves_up(const struct ls_plan *, int64_t round);
int64_t lsi_reversal_round(const struct ls_plan *, int64_t round);

/* Both at once. */
bool lsi_reversal_round_of(const struct ls_plan *, int64_t round, int64_t *broadcast_round);

/* Peers, also for a broadcast, whose shape and body are those of broadcast_tree.h. */
void lsi_reversal_peers(const struct ls_plan *, int64_t round, struct lsi_edge, struct lsi_peers *);
int64_t lsi_reversal_shape(const struct ls_plan *, int64_t rank, int64_t round, struct lsi_edge);
void lsi_reversal_body(const struct ls_plan *, int64_t round, int64_t shape, struct ls_step *);

/*
 * Counts for a broadcast of this number of rounds with a message in each: p - 1 messages of n
 * elements in each direction.
 */
struct ls_counts lsi_reversal_counts(const struct lsi_problem *, int64_t rounds, size_t n);
struct ls_counts lsi_reversal_meeting_counts(const struct lsi_problem *, int64_t rounds, size_t n);

#endif
