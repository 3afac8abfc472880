/*
 * Axes: how algorithms that go dimension by dimension see a network.
 *
 * A grid has its dimensions as axes; any other network is one axis with all nodes on it in rank
 * order. Phases take the axes from the last to the first: ranks are row-major, so when a phase
 * ends, what the nodes of its lines hold together is a contiguous range of ranks. An axis of side 1
 * takes no rounds.
 *
 * An axis is closed when its last node is linked to its first; consecutive nodes always are on a
 * grid.
 */
#ifndef LSI_COLLECTIVE_AXIS_H
#define LSI_COLLECTIVE_AXIS_H

#include "collective/algorithm.h"

struct lsi_axis {
	int64_t side, stride;
};

/* A round of a phase: its axis, the round within it, and the phases that came before. */
struct lsi_execution_phase {
	struct lsi_axis axis;
	int64_t round;
	int before;
};

/* Rounds that an algorithm spends on an axis. */
typedef int64_t lsi_axis_rounds(const struct lsi_problem *, struct lsi_axis);

int lsi_axes(const struct ls_topology *);
int64_t lsi_axis_side(const struct ls_topology *, int axis);
int64_t lsi_axis_longest(const struct ls_topology *); /* side */

/* The same, with a hypercube as the grid of sides 2 that it is. */
int lsi_cube_axes(const struct ls_topology *);
int64_t lsi_cube_side(const struct ls_topology *, int axis);

/* Are consecutive nodes of every axis neighbors; and also the last and the first? */
bool lsi_axes_linked(const struct ls_topology *);
bool lsi_axes_closed(const struct ls_topology *);

int64_t lsi_phases_rounds(const struct lsi_problem *, lsi_axis_rounds *);
struct lsi_execution_phase lsi_phase_at(
	const struct lsi_problem *, lsi_axis_rounds *, int64_t round);

/* The axis of dimension d, after that of dimension d + 1. */
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
 * The blocks of all the nodes that a node of the same line, at a coordinate, has met when the
 * phases come to this axis.
 */
static inline struct ls_slice lsi_axis_range(struct lsi_axis axis, int64_t rank, int64_t coordinate)
{
	const int64_t node = lsi_axis_node(axis, rank, coordinate);

	return lsi_blocks(LS_OUTPUT, node - node % axis.stride, axis.stride);
}

/* Do the nodes agree on the axes that are taken before this one, after this one? */
static inline bool lsi_axis_same_before(struct lsi_axis axis, int64_t a, int64_t b)
{
	return a % axis.stride == b % axis.stride;
}

static inline bool lsi_axis_same_after(struct lsi_axis axis, int64_t a, int64_t b)
{
	return a / axis.stride / axis.side == b / axis.stride / axis.side;
}

/* The nodes that agree on all axes but this one and those before lie in such a block of ranks. */
static inline int64_t lsi_axis_block(struct lsi_axis axis)
{
	return axis.stride * axis.side;
}

/* No axis with rounds is taken before, after this one. */
static inline bool lsi_axis_is_first(struct lsi_axis axis)
{
	return axis.stride == 1;
}

static inline bool lsi_axis_is_last(const struct lsi_problem *problem, struct lsi_axis axis)
{
	return lsi_axis_block(axis) == problem->nodes;
}

#endif
