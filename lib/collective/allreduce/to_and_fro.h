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
#ifndef LS_COLLECTIVE_ALLREDUCE_TO_AND_FRO_H
#define LS_COLLECTIVE_ALLREDUCE_TO_AND_FRO_H

#include "collective/grid.h"

/* 2h - 1 + 2 (S - 1) with S segments. */
int64_t ls_to_and_fro_rounds(const struct ls_problem *, struct ls_axis);

/* Where a node stands in its half of the line; `first` is the least position that its half has. */
struct ls_stand { bool lower; int64_t at, position, first, half; };

struct ls_stand ls_stand(struct ls_axis, int64_t rank);

/* What a node does in a round: the segment that it deals with, or LS_NO_SEGMENT. */
struct ls_deed { int64_t gathers, sends, told, tells; };
enum { LS_NO_SEGMENT = -1 };

struct ls_deed ls_to_and_fro(const struct ls_problem *, struct ls_phase, struct ls_stand);

/* Whom a node does it with. */
void ls_to_and_fro_peers(struct ls_axis, int64_t rank, struct ls_stand, struct ls_deed,
	struct ls_peers *);

/* Of S segments so many rounds apart, the one that does now what the first does in round `due`. */
int64_t ls_segment_due(int64_t S, int64_t apart, int64_t round, int64_t due);

/* Counts of one axis, side > 1, by formulas, added to those of others. */
void ls_to_and_fro_count(const struct ls_problem *, int64_t side, size_t n, struct ls_counts *);

#endif
