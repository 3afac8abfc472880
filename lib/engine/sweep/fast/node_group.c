#include "engine/sweep/fast/node_group.h"

#include <string.h>

#include "check/checker.h"
#include "engine/sweep/fast/block_gather.h"

/* Whether the numbers are consecutive. */
static bool is_run(const uint32_t *at, int64_t n)
{
	const uint32_t first = at[0];
	uint32_t other = 0;

	if (at[n - 1] - first != (uint32_t)n - 1)
		return false;
	for (int64_t j = 0; j < n; j++)
		other |= at[j] ^ (first + (uint32_t)j);
	return other == 0;
}

struct lsi_group_cells lsi_group_sent(const struct lsi_node_group *g)
{
	const struct lsi_sweep_shapes *shapes = g->shapes;
	const uint32_t *blocks = shapes->block + LSI_OPERAND_SENT * shapes->capacity;
	const struct lsi_cell sent = shapes->shape[shapes->sender].step.sent;

	return (struct lsi_group_cells){ sent.buffer, sent.block, 0, shapes->sent_buffers,
		is_run(g->from, g->n), g->from, g->sender, lsi_sent_varies(shapes) ? blocks : NULL, NULL };
}

struct lsi_group_cells lsi_group_cells_of(const struct lsi_node_group *g, int move, int cell)
{
	const struct lsi_sweep_shapes *shapes = g->shapes;
	const struct lsi_cell of_shape = shapes->shape[g->class->shape].step.move[move].cell[cell];
	const int number = lsi_sweep_operand(move, cell);
	const bool varies = g->class->varies >> number & 1;

	if (!lsi_is_arrival(of_shape.buffer))
		return (struct lsi_group_cells){ of_shape.buffer, of_shape.block, 0, false, g->consecutive,
			g->at, g->shape, varies ? shapes->block + number * shapes->capacity : NULL, NULL };
	if (g->arrived)
		return (struct lsi_group_cells){ of_shape.buffer, 0, 0, false, is_run(g->from, g->n),
			g->from, NULL, NULL, g->arrived };
	return lsi_group_sent(g);
}

bool lsi_group_is_contiguous(const struct lsi_payload *payload, const struct lsi_group_cells *o)
{
	const struct lsi_sweep_buffer *buffer = &payload->buffer[o->buffer];

	return o->consecutive && !o->arrived && !o->slot && buffer->base && !buffer->begin
		&& buffer->by_rank == payload->bytes;
}

/* Whether struct lsi_scattered_blocks can describe the blocks. */
static bool is_regular(const struct lsi_payload *payload, const struct lsi_group_cells *o)
{
	const struct lsi_sweep_buffer *buffer = &payload->buffer[o->buffer];

	return !o->buffer_varies && buffer->base && !buffer->begin
		&& (!o->slot || buffer->by_block > 0);
}

static struct lsi_scattered_blocks blocks_of(const struct lsi_node_group *g,
	const struct lsi_payload *payload, const struct lsi_group_cells *o)
{
	const struct lsi_sweep_buffer *buffer = &payload->buffer[o->buffer];
	const int64_t block = (o->slot ? 0 : o->block) + o->after;

	return (struct lsi_scattered_blocks){ lsi_payload_at(payload, g->base, o->buffer, block),
		buffer->by_rank, buffer->by_block, o->at, o->shape, o->slot };
}

/* The cell of the j-th node, in the general case. */
static struct lsi_cell cell_at(
	const struct lsi_node_group *g, const struct lsi_group_cells *o, int64_t j)
{
	struct lsi_cell cell = { o->buffer, o->block };

	if (o->buffer_varies)
		cell = g->shapes->shape[o->shape[j]].step.sent;
	else if (o->slot)
		cell.block = (int32_t)o->slot[o->shape[j]];
	cell.block += o->after;
	return cell;
}

static void gather_each(const struct lsi_node_group *g, const struct lsi_payload *payload,
	const struct lsi_group_cells *o, char *into)
{
	for (int64_t j = 0; j < g->n; j++, into += payload->bytes) {
		const struct lsi_cell cell = cell_at(g, o, j);
		const int64_t rank = g->base + o->at[j];

		if (payload->buffer[cell.buffer].base)
			memcpy(into, lsi_payload_at(payload, rank, cell.buffer, cell.block), payload->bytes);
		else
			payload->make(g->worker->sweep, rank, 1, cell.block, into);
	}
}

static const char *gather_arrived(const struct lsi_node_group *g, const struct lsi_payload *payload,
	const struct lsi_group_cells *o, char *staging)
{
	char *lane = (char *)o->arrived->lane[payload - g->worker->sweep->payload];
	const struct lsi_scattered_blocks p = { lane, payload->bytes, 0, o->at, NULL, NULL };

	if (o->consecutive)
		return lane + o->at[0] * payload->bytes;
	lsi_gather_blocks(staging, &p, g->n, payload->bytes);
	return staging;
}

const char *lsi_group_gather(const struct lsi_node_group *g, const struct lsi_payload *payload,
	const struct lsi_group_cells *o, char *staging)
{
	if (o->arrived)
		return gather_arrived(g, payload, o, staging);
	if (lsi_group_is_contiguous(payload, o))
		return lsi_payload_at(payload, g->base + o->at[0], o->buffer, o->block + o->after);
	if (is_regular(payload, o)) {
		const struct lsi_scattered_blocks p = blocks_of(g, payload, o);

		lsi_gather_blocks(staging, &p, g->n, payload->bytes);
	} else if (o->consecutive && !o->slot && !payload->buffer[o->buffer].base) {
		payload->make(g->worker->sweep, g->base + o->at[0], g->n, o->block + o->after, staging);
	} else {
		gather_each(g, payload, o, staging);
	}
	return staging;
}

void lsi_group_scatter(const struct lsi_node_group *g, const struct lsi_payload *payload,
	const struct lsi_group_cells *o, const char *from)
{
	if (is_regular(payload, o)) {
		const struct lsi_scattered_blocks p = blocks_of(g, payload, o);

		lsi_scatter_blocks(&p, from, g->n, payload->bytes);
		return;
	}
	for (int64_t j = 0; j < g->n; j++, from += payload->bytes) {
		const struct lsi_cell cell = cell_at(g, o, j);

		memcpy(lsi_payload_at(payload, g->base + o->at[j], cell.buffer, cell.block), from,
			payload->bytes);
	}
}
