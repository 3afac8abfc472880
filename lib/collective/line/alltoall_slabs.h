/*
 * Blocks of an all-to-all on the lines of an axis: a slab is the blocks for one coordinate.
 *
 * A message for `count` coordinates has, for each block of the earlier axes, `count` runs of stride
 * blocks, in ascending order of the coordinates, mod the side.
 */
#ifndef LSI_COLLECTIVE_LINE_ALLTOALL_SLABS_H
#define LSI_COLLECTIVE_LINE_ALLTOALL_SLABS_H

#include "collective/axis.h"

/* The blocks at `count` coordinates from `from` on, mod the side. */
static inline struct ls_slice lsi_slabs(
	const struct ls_plan *plan, struct lsi_axis axis, int buffer, int64_t from, int64_t count)
{
	const int64_t block = lsi_axis_block(axis);
	struct ls_slice slice = lsi_strided(buffer, lsi_wrap(from, axis.side) * axis.stride,
		count * axis.stride, block, plan->problem.nodes / block);

	slice.cycle = block;
	return slice;
}

/* Of slabs for `count` coordinates that lie in a buffer from block 0 on, `taken` from `from` on. */
static inline struct ls_slice lsi_slab_parts(const struct ls_plan *plan, struct lsi_axis axis,
	int buffer, int64_t count, int64_t from, int64_t taken)
{
	return lsi_strided(buffer, from * axis.stride, taken * axis.stride, count * axis.stride,
		plan->problem.nodes / lsi_axis_block(axis));
}

#endif
