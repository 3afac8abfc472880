/*
 * To and fro on a line: from both ends inward to the two nodes in the middle, which exchange, and
 * back.
 *
 * Counted from its end a node of either half has the position k = 0 .. h - 1, h = ceil(s/2); for s
 * odd the upper half lacks position 0. A node sends inward in round k, is told in round 2h - 2 - k
 * and tells in the next. Segment j does the same 2j rounds later (s = 2: j rounds): then a node
 * sends inward and is told in rounds of one parity, gathers and tells in those of the other, so one
 * port suffices.
 */
#ifndef LSI_COLLECTIVE_LINE_LINE_ALLREDUCE_H
#define LSI_COLLECTIVE_LINE_LINE_ALLREDUCE_H

#include "collective/axis.h"

/* 2h - 1 + 2 (S - 1) with S segments. */
int64_t lsi_line_allreduce_rounds(const struct lsi_problem *, struct lsi_axis);

/* Where a node stands in its half of the line; `first` is the least position that its half has. */
struct lsi_line_position {
	bool lower;
	int64_t at, position, first, half;
};

struct lsi_line_position lsi_line_position_of(struct lsi_axis, int64_t rank);

/* What a node does in a round: the segment that it deals with, or LSI_NO_SEGMENT. */
struct lsi_line_action {
	int64_t inward_received, inward_sent, outward_received, outward_sent;
};
enum { LSI_NO_SEGMENT = -1 };

struct lsi_line_action lsi_line_allreduce_action(
	const struct lsi_problem *, struct lsi_execution_phase, struct lsi_line_position);

/* Whom a node does it with. */
void lsi_line_allreduce_peers(struct lsi_axis, int64_t rank, struct lsi_line_position,
	struct lsi_line_action, struct lsi_peers *);

/* Of S segments so many rounds apart, the one that does now what the first does in round `due`. */
int64_t lsi_segment_at(int64_t S, int64_t apart, int64_t round, int64_t due);

/* Counts of one axis, side > 1, by formulas, added to those of others. */
void lsi_line_allreduce_count(
	const struct lsi_problem *, int64_t side, size_t n, struct ls_counts *);

#endif
