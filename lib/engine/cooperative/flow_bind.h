/* The fields of a flow: its moves, and their addresses after a bind. */
#ifndef LSI_ENGINE_COOPERATIVE_FLOW_BIND_H
#define LSI_ENGINE_COOPERATIVE_FLOW_BIND_H

#include "engine/cooperative/flow.h"
#include "engine/cooperative/flow_moves.h"

struct lsi_flow {
	const struct ls_plan *plan;
	struct lsi_flow_moves moves;
	bool bound;
	struct lsi_measure measure;
	size_t size; /* bytes of an element */
	int workers;
	struct lsi_flow_shape shape;
	size_t strip; /* bytes of a strip, in whole elements */
	/*
	 * NULL: unit i is strip i of all components.  Else unit i is the whole components batch[i] ..
	 * batch[i + 1] - 1.
	 */
	uint32_t *batch;
};

#endif
