/* The fields of a flow: its moves, and their addresses after a bind. */
#ifndef LSI_ENGINE_COOPERATIVE_FLOW_BIND_H
#define LSI_ENGINE_COOPERATIVE_FLOW_BIND_H

#include "engine/cooperative/flow.h"
#include "engine/cooperative/flow_moves.h"

/* Blocks of values between the parts of a flow, see flow_parts.h. */
struct lsi_flow_slots {
	uint32_t base; /* of a struct lsi_block_ref in a slot */
	uint32_t n;
	uint32_t *label; /* by slot: the logical block of its value */
	size_t *at;      /* after a bind, by slot: its offset; then the bytes of all slots */
};

struct lsi_flow {
	const struct ls_plan *plan;
	const struct lsi_flow_slots *slots; /* NULL: none */
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

/* Elements of a slot; INPUT has a block of each label under this number. */
static inline size_t lsi_flow_slot_length(const struct ls_plan *plan,
	const struct lsi_flow_slots *slots, uint32_t slot, const struct lsi_measure *measure)
{
	return lsi_buffer_length(plan, slots->label[slot], LS_INPUT, slots->label[slot], measure);
}

struct lsi_flow_results;

/*
 * A flow that computes results from values; NULL slots: there are none.  LS_OK or LS_ERR_MEMORY.
 */
int lsi_flow_make_of(const struct lsi_flow_values *, const struct lsi_flow_results *,
	const struct lsi_flow_slots *or_null, struct lsi_flow **out);

#endif
