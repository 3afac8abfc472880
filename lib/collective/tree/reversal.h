/*
 * A broadcast along a tree, read backwards, is a reduction; one after the other they are an
 * all-reduce.
 *
 * The algorithm says what a node does in a round of the broadcast: whom it hears from or tells, and
 * whether it tells others later.  Backwards, in round rounds-1 - r: a node sends its sum to its
 * parent after it has taken in its children's, those it tells last first.  INPUT is the first
 * operand, so no copy of it is made; sums grow in OUTPUT where there is one, else in scratch 0.
 * Which operand comes first follows the tree, not the ranks: commutative operators only.
 *
 * An all-reduce may meet in the middle: in the last round of the reduction the root sends what it
 * has to the child that it hears from, which is the first that it would tell; both then have the
 * result, and a round is saved.  Such a one has an odd number of rounds.  Sums then grow in scratch
 * 0.
 */
#ifndef LSI_COLLECTIVE_TREE_REVERSAL_H
#define LSI_COLLECTIVE_TREE_REVERSAL_H

#include "collective/tree/reduce_tree.h"

/* Rounds of the operation, and the frame, for a broadcast of so many rounds. */
struct lsi_frame lsi_reversal_frame(const struct lsi_problem *, int64_t rounds);

/* The same for an all-reduce that meets; of the other operations nothing changes. */
struct lsi_frame lsi_reversal_meeting_frame(const struct lsi_problem *, int64_t rounds);

/* The root: an all-reduce takes rank 0. */
int64_t lsi_reversal_root(const struct lsi_problem *);
/*
 * Whether messages go to the root in this round, and the round of the broadcast that it mirrors or
 * is.
 */
bool lsi_reversal_moves_up(const struct ls_plan *, int64_t round);
int64_t lsi_reversal_round(const struct ls_plan *, int64_t round);

/* Both at once. */
bool lsi_reversal_round_of(const struct ls_plan *, int64_t round, int64_t *broadcast_round);

/* Peers also for a broadcast, whose shape and body are those of broadcast/tree.h. */
void lsi_reversal_peers(const struct ls_plan *, int64_t round, struct lsi_edge, struct lsi_peers *);
int64_t lsi_reversal_shape(const struct ls_plan *, int64_t rank, int64_t round, struct lsi_edge);
void lsi_reversal_body(const struct ls_plan *, int64_t round, int64_t shape, struct ls_step *);

/*
 * Counts when the broadcast takes so many rounds, each with a message: p - 1 messages of n elements
 * each way.
 */
struct ls_counts lsi_reversal_counts(const struct lsi_problem *, int64_t rounds, size_t n);
struct ls_counts lsi_reversal_meeting_counts(const struct lsi_problem *, int64_t rounds, size_t n);

#endif
