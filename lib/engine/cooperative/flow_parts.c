#include "engine/cooperative/flow_parts.h"

#include "base/alloc.h"
#include "engine/cooperative/flow.h"
#include "engine/cooperative/flow_divide.h"
#include "world/transport.h"

/* ---- Make and destroy */

/* The walk over all nodes is made in every process; its values are not kept. */
int lsi_flow_parts_make(
	const struct ls_plan *plan, const struct lsi_division *division, struct lsi_flow_parts **out)
{
	struct lsi_flow_parts *parts = lsi_alloc_zero(1, sizeof *parts);
	struct lsi_flow_values values;
	struct lsi_flow_transfers transfers;
	int failed;

	if (!parts)
		return LS_ERR_MEMORY;
	lsi_flow_transfers_init(&transfers, division);
	failed = lsi_flow_values_make(plan, &transfers, &values);
	if (!failed) {
		lsi_flow_transfers_sort(&transfers);
		failed = lsi_flow_divide(&values, &transfers, parts);
	}
	lsi_flow_transfers_release(&transfers);
	lsi_flow_values_release(&values);
	if (failed)
		lsi_flow_parts_destroy(parts);
	else
		*out = parts;
	return failed;
}

void lsi_flow_parts_destroy(struct lsi_flow_parts *parts)
{
	if (!parts)
		return;
	for (uint32_t i = 0; parts->part && i < parts->parts; i++)
		lsi_flow_destroy(parts->part[i].flow);
	lsi_free(parts->part);
	lsi_free(parts->stream);
	lsi_free(parts->slots.label);
	lsi_free(parts->slots.at);
	lsi_free(parts);
}

/* ---- Execution */

/* Slots are as long as their blocks: adjacent blocks may be copied to adjacent slots at once. */
static void place_slots(
	struct lsi_flow_parts *parts, const struct lsi_measure *measure, size_t size)
{
	struct lsi_flow_slots *slots = &parts->slots;

	slots->at[0] = 0;
	for (uint32_t i = 0; i < slots->n; i++)
		slots->at[i + 1] = slots->at[i]
			+ size * lsi_flow_slot_length(parts->part[0].flow->plan, slots, i, measure);
}

/* The messages of the exchange after a part. */
static size_t count_messages(const struct lsi_flow_parts *parts, uint32_t part)
{
	size_t n = 0;

	for (uint32_t i = parts->part[part].first_stream; i < parts->part[part + 1].first_stream; i++)
		n += (lsi_flow_stream_bytes(parts, &parts->stream[i]) + LSI_MESSAGE_BYTES - 1)
			/ LSI_MESSAGE_BYTES;
	return n;
}

/* Calls with the same count and type as the last one find everything in place. */
int lsi_flow_parts_bind(struct lsi_flow_parts *parts, size_t n, size_t size)
{
	const struct lsi_measure measure = { .n = n };
	int failed = LS_OK;

	if (parts->n == n && parts->size == size)
		return LS_OK;
	parts->size = parts->temporaries = parts->messages = 0;
	place_slots(parts, &measure, size);
	for (uint32_t i = 0; i < parts->parts && !failed; i++) {
		struct lsi_flow *flow = parts->part[i].flow;

		failed = lsi_flow_bind(flow, &measure, size, 1);
		if (flow->shape.temporaries > parts->temporaries)
			parts->temporaries = flow->shape.temporaries;
		if (count_messages(parts, i) > parts->messages)
			parts->messages = count_messages(parts, i);
	}
	if (failed)
		return failed;
	parts->n = n;
	parts->size = size;
	return LS_OK;
}

size_t lsi_flow_parts_workspace(const struct lsi_flow_parts *parts)
{
	return parts->slots.at[parts->slots.n];
}

size_t lsi_flow_stream_bytes(
	const struct lsi_flow_parts *parts, const struct lsi_flow_stream *stream)
{
	return parts->slots.at[stream->slot + stream->slots] - parts->slots.at[stream->slot];
}

/* All units by the calling thread. */
void lsi_flow_part_execute(const struct lsi_flow_part *part, const struct lsi_operator *combine,
	struct lsi_flow_memory memory)
{
	lsi_flow_execute(part->flow, combine, memory, 0, part->flow->shape.units, LSI_FORWARD);
}
