/*
 * A flow inside: its moves, and how they lie in memory once it is bound.
 */
#ifndef LS_ENGINE_FLOW_BIND_H
#define LS_ENGINE_FLOW_BIND_H

#include "engine/flow.h"
#include "engine/flow_moves.h"

struct ls_flow {
	const struct ls_plan *plan;
	struct ls_moves moves;
	bool bound;
	struct ls_measure measure;
	size_t size;                          /* bytes of an element                            */
	int workers;
	struct ls_flow_shape shape;
	size_t strip;                         /* bytes, whole elements                          */
	/*
	 * Units are strips of all components; or, where batch is not NULL, unit i is the components
	 * batch[i] .. batch[i + 1] - 1 over their whole length.
	 */
	uint32_t *batch;
};

#endif
