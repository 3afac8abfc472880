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
#ifndef LS_COLLECTIVE_GRID_H
#define LS_COLLECTIVE_GRID_H

#include "collective/algorithm.h"

struct ls_axis { int64_t side, stride; };

/* A round of a phase: its axis, the round within it, and the phases that came before. */
struct ls_phase { struct ls_axis axis; int64_t round; int before; };

/* Rounds that an algorithm spends on an axis. */
typedef int64_t ls_axis_rounds(const struct ls_problem *, struct ls_axis);

int ls_axes(const struct ls_topology *);
int64_t ls_axis_side(const struct ls_topology *, int axis);
int64_t ls_axis_longest(const struct ls_topology *);      /* side */

/* The same, with a hypercube as the grid of sides 2 that it is. */
int ls_cube_axes(const struct ls_topology *);
int64_t ls_cube_side(const struct ls_topology *, int axis);

/* Are consecutive nodes of every axis neighbors; and also the last and the first? */
bool ls_axes_linked(const struct ls_topology *);
bool ls_axes_closed(const struct ls_topology *);

int64_t ls_phases_rounds(const struct ls_problem *, ls_axis_rounds *);
struct ls_phase ls_phase_at(const struct ls_problem *, ls_axis_rounds *, int64_t round);

/* The axis of dimension d, after that of dimension d + 1. */
static inline struct ls_axis ls_axis_next(
	const struct ls_problem *problem, struct ls_axis axis, int d)
{
	return (struct ls_axis){ ls_axis_side(problem->topology, d), axis.stride * axis.side };
}

static inline int64_t ls_axis_coordinate(struct ls_axis axis, int64_t rank)
{
	return rank / axis.stride % axis.side;
}

/* The node of the same line at another coordinate. */
static inline int64_t ls_axis_node(struct ls_axis axis, int64_t rank, int64_t coordinate)
{
	return rank + (coordinate - ls_axis_coordinate(axis, rank)) * axis.stride;
}

/*
 * The blocks of all the nodes that a node of the same line, at a coordinate, has met when the
 * phases come to this axis.
 */
static inline struct ls_slice ls_axis_range(struct ls_axis axis, int64_t rank, int64_t coordinate)
{
	const int64_t node = ls_axis_node(axis, rank, coordinate);

	return ls_blocks(LS_OUTPUT, node - node % axis.stride, axis.stride);
}

/* Do the nodes agree on the axes that are taken before this one, after this one? */
static inline bool ls_axis_same_before(struct ls_axis axis, int64_t a, int64_t b)
{
	return a % axis.stride == b % axis.stride;
}

static inline bool ls_axis_same_after(struct ls_axis axis, int64_t a, int64_t b)
{
	return a / axis.stride / axis.side == b / axis.stride / axis.side;
}

/* The nodes that agree on all axes but this one and those before lie in such a block of ranks. */
static inline int64_t ls_axis_block(struct ls_axis axis)
{
	return axis.stride * axis.side;
}

/* No axis with rounds is taken before, after this one. */
static inline bool ls_axis_is_first(struct ls_axis axis)
{
	return axis.stride == 1;
}

static inline bool ls_axis_is_last(const struct ls_problem *problem, struct ls_axis axis)
{
	return ls_axis_block(axis) == problem->nodes;
}

#endif
