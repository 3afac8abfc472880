/*
 * Bidirectional line all-reduce: from both ends inward to the two nodes in the middle, which
 * exchange, and back outward.
 *
 *   side 6     round 0     0 > 1               4 < 5       inward
 *              round 1         1 > 2       3 < 4
 *              round 2             2 <-> 3                 exchange
 *              round 3         1 < 2       3 > 4           outward
 *              round 4     0 < 1               4 > 5
 *
 * In its half, a node has a position k = 0 .. h - 1, counted from the end of the line, h =
 * ceil(s/2).  For odd s the upper half has no position 0.  A node sends inward in round k, receives
 * from the inner neighbor in round 2h - 2 - k, and sends outward in the next round.  Segment j does
 * the same 2j rounds later, or j rounds if s = 2.  A node exchanges with its inner neighbor in
 * rounds of one parity and with its outer neighbor in the others, so one port suffices.
 */
#ifndef LSI_COLLECTIVE_LINE_LINE_ALLREDUCE_H
#define LSI_COLLECTIVE_LINE_LINE_ALLREDUCE_H

#include "collective/axis.h"

/* 2h - 1 + 2 (S - 1) rounds with S segments. */
int64_t lsi_line_allreduce_rounds(const struct lsi_problem *, struct lsi_axis);

/* The position of a node in its half of the line; `first` is the least position of the half. */
struct lsi_line_position {
	bool lower;
	int64_t at, position, first, half;
};

struct lsi_line_position lsi_line_position_of(struct lsi_axis, int64_t rank);

/* The segments that a node moves in a round, or LSI_NO_SEGMENT. */
struct lsi_line_action {
	int64_t inward_received, inward_sent, outward_received, outward_sent;
};
enum { LSI_NO_SEGMENT = -1 };

struct lsi_line_action lsi_line_allreduce_action(
	const struct lsi_problem *, struct lsi_axis_phase, struct lsi_line_position);

/* The peers of a node for its action. */
void lsi_line_allreduce_peers(struct lsi_axis, int64_t rank, struct lsi_line_position,
	struct lsi_line_action, struct lsi_peers *);

/* Segment j of S has its turn in round due + j * gap: the segment of this round, if any. */
int64_t lsi_segment_at(int64_t S, int64_t gap, int64_t round, int64_t due);

/* Add the counts of one axis, side > 1, by formulas. */
void lsi_line_allreduce_count(
	const struct lsi_problem *, int64_t side, size_t n, struct ls_counts *);

#endif
