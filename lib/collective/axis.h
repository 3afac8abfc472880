/*
 * Axes: how algorithms that work dimension by dimension see a network.
 *
 * The axes of a grid are its dimensions.  Any other network is one axis with all nodes in rank
 * order.  A phase works on all lines of one axis at once.  The first phase
 * handles the last axis:
 *
 *   mesh:2x3        phase 0: rows       phase 1: columns
 *   0 - 1 - 2       0 - 1 - 2           0   1   2
 *   |   |   |                           |   |   |
 *   3 - 4 - 5       3 - 4 - 5           3   4   5
 *
 * Ranks are row-major.  So after a phase the nodes of each line have data of a contiguous range of
 * ranks: here of 0..2 and 3..5, then of 0..5.  An axis of side 1 takes no rounds.
 *
 * Consecutive nodes of an axis of a grid are neighbors.  An axis is closed if its last node is also
 * a neighbor of its first.
 */
#ifndef LSI_COLLECTIVE_AXIS_H
#define LSI_COLLECTIVE_AXIS_H

#include "collective/algorithm.h"

struct lsi_axis {
	int64_t side, stride;
};

/* A round within a phase: its number there, and the number of earlier phases with rounds. */
struct lsi_axis_phase {
	struct lsi_axis axis;
	int64_t round;
	int before;
};

/* The rounds that an algorithm needs on one axis. */
typedef int64_t lsi_axis_rounds(const struct lsi_problem *, struct lsi_axis);

int lsi_axes(const struct ls_topology *);
int64_t lsi_axis_side(const struct ls_topology *, int axis);
int64_t lsi_axis_longest(const struct ls_topology *); /* the longest side */

/* The same, but a hypercube counts as a grid of sides 2. */
int lsi_cube_axes(const struct ls_topology *);
int64_t lsi_cube_side(const struct ls_topology *, int axis);

/* Whether consecutive nodes of every axis are neighbors; and whether every axis is closed. */
bool lsi_axes_linked(const struct ls_topology *);
bool lsi_axes_closed(const struct ls_topology *);

int64_t lsi_phases_rounds(const struct lsi_problem *, lsi_axis_rounds *);
struct lsi_axis_phase lsi_phase_at(const struct lsi_problem *, lsi_axis_rounds *, int64_t round);

/*
 * The scratch buffer of a phase.  Phases use two in turn: a phase ends with a fold from its own
 * buffer into that of the next.
 */
static inline int lsi_phase_bank(struct lsi_axis_phase phase)
{
	return LS_SCRATCH + phase.before % 2;
}

/* The axis of dimension d; `axis` is that of dimension d + 1. */
static inline struct lsi_axis lsi_axis_next(
	const struct lsi_problem *problem, struct lsi_axis axis, int d)
{
	return (struct lsi_axis){ lsi_axis_side(problem->topology, d), axis.stride * axis.side };
}

static inline int64_t lsi_axis_coordinate(struct lsi_axis axis, int64_t rank)
{
	return rank / axis.stride % axis.side;
}

/* The node of the same line at another coordinate. */
static inline int64_t lsi_axis_node(struct lsi_axis axis, int64_t rank, int64_t coordinate)
{
	return rank + (coordinate - lsi_axis_coordinate(axis, rank)) * axis.stride;
}

/*
 * The blocks that the node at `coordinate` of the line of `rank` has when the phase of this axis
 * begins.
 */
static inline struct ls_slice lsi_axis_range(struct lsi_axis axis, int64_t rank, int64_t coordinate)
{
	const int64_t node = lsi_axis_node(axis, rank, coordinate);

	return lsi_blocks(LS_OUTPUT, node - node % axis.stride, axis.stride);
}

/* Whether two nodes agree on the axes of earlier phases; on those of later phases. */
static inline bool lsi_axis_same_before(struct lsi_axis axis, int64_t a, int64_t b)
{
	return a % axis.stride == b % axis.stride;
}

static inline bool lsi_axis_same_after(struct lsi_axis axis, int64_t a, int64_t b)
{
	return a / axis.stride / axis.side == b / axis.stride / axis.side;
}

/* The size of the aligned block of ranks whose nodes differ on this axis and earlier ones only. */
static inline int64_t lsi_axis_block(struct lsi_axis axis)
{
	return axis.stride * axis.side;
}

/* Whether no phase with rounds comes before this one; after this one. */
static inline bool lsi_axis_is_first(struct lsi_axis axis)
{
	return axis.stride == 1;
}

static inline bool lsi_axis_is_last(const struct lsi_problem *problem, struct lsi_axis axis)
{
	return lsi_axis_block(axis) == problem->nodes;
}

#endif
