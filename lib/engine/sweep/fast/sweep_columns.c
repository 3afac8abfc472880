/*
 * The moves of many nodes at a time.
 *
 * Nodes of one class form a group.  For each move of the group, the operands are used in their
 * place where they are one piece of memory, else gathered into a staging buffer; one call of a
 * kernel then computes all results.
 */
#include <string.h>

#include "check/checker.h"
#include "engine/sweep/fast/block_gather.h"
#include "engine/sweep/fast/sweep_fast.h"

/* ---- The operands of a group of nodes */

/*
 * Nodes of one class: node j is base + at[j], its sender base + from[j].  `shape` and `sender` are
 * the shapes of both.  If all shapes send the same block, the contents of `sender` may be unset.
 */
struct group {
	struct lsi_sweep_worker *worker;
	const struct lsi_sweep_shapes *shapes;
	const struct lsi_shape_class *class;
	int64_t base, n;
	bool consecutive;
	const uint32_t *at, *from;
	const uint16_t *shape, *sender;
};

/* One cell of each node of a group, or of its sender, `after` blocks further. */
struct operand {
	int buffer, block, after;
	bool buffer_varies; /* it depends on the shape */
	bool consecutive;
	const uint32_t *at;
	const uint16_t *shape; /* of the nodes in `at`; only read if buffers or blocks vary */
	const uint32_t *slot;  /* the block by shape; NULL: blocks do not vary */
};

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

static struct operand operand_of(const struct group *g, int move, int cell)
{
	const struct lsi_sweep_shapes *shapes = g->shapes;
	const struct lsi_cell of_shape = shapes->shape[g->class->shape].step.move[move].cell[cell];
	const int number =
		lsi_is_arrival(of_shape.buffer) ? LSI_OPERAND_SENT : lsi_sweep_operand(move, cell);
	const uint32_t *blocks = shapes->block + number * shapes->capacity;
	const struct lsi_cell sent = shapes->shape[shapes->sender].step.sent;
	const bool sent_varies = shapes->sent_buffers || shapes->sent_blocks;

	if (lsi_is_arrival(of_shape.buffer))
		return (struct operand){ sent.buffer, sent.block, 0, shapes->sent_buffers,
			is_run(g->from, g->n), g->from, g->sender, sent_varies ? blocks : NULL };
	return (struct operand){ of_shape.buffer, of_shape.block, 0, false, g->consecutive, g->at,
		g->shape, g->class->varies >> number & 1 ? blocks : NULL };
}

/* Whether the blocks are one piece of memory. */
static bool is_contiguous(const struct lsi_payload *payload, const struct operand *o)
{
	const struct lsi_sweep_buffer *buffer = &payload->buffer[o->buffer];

	return o->consecutive && !o->slot && buffer->base && !buffer->begin
		&& buffer->by_rank == payload->bytes;
}

/* Whether struct lsi_scattered_blocks can describe the blocks. */
static bool is_regular(const struct lsi_payload *payload, const struct operand *o)
{
	const struct lsi_sweep_buffer *buffer = &payload->buffer[o->buffer];

	return !o->buffer_varies && buffer->base && !buffer->begin
		&& (!o->slot || buffer->by_block > 0);
}

static struct lsi_scattered_blocks blocks_of(
	const struct group *g, const struct lsi_payload *payload, const struct operand *o)
{
	const struct lsi_sweep_buffer *buffer = &payload->buffer[o->buffer];
	const int64_t block = (o->slot ? 0 : o->block) + o->after;

	return (struct lsi_scattered_blocks){ lsi_payload_at(payload, g->base, o->buffer, block),
		buffer->by_rank, buffer->by_block, o->at, o->shape, o->slot };
}

/* The cell of the j-th node, in the general case. */
static struct lsi_cell cell_at(const struct group *g, const struct operand *o, int64_t j)
{
	struct lsi_cell cell = { o->buffer, o->block };

	if (o->buffer_varies)
		cell = g->shapes->shape[o->shape[j]].step.sent;
	else if (o->slot)
		cell.block = (int32_t)o->slot[o->shape[j]];
	cell.block += o->after;
	return cell;
}

static void gather_each(
	const struct group *g, const struct lsi_payload *payload, const struct operand *o, char *into)
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

/* The blocks of an operand as one piece: in their place, or copied to `staging`. */
static const char *gather(const struct group *g, const struct lsi_payload *payload,
	const struct operand *o, char *staging)
{
	if (is_contiguous(payload, o))
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

static void scatter(const struct group *g, const struct lsi_payload *payload,
	const struct operand *o, const char *from)
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

/* ---- Moves */

static void fold_group(const struct group *g, const struct lsi_payload *payload, struct operand a,
	int run, char *out, char *const staging[])
{
	const size_t n = (size_t)g->n * payload->length;
	const char *first = gather(g, payload, &a, staging[0]);

	if (is_contiguous(payload, &a) && payload->buffer[a.buffer].by_block > 0) {
		lsi_fold(&payload->combine, out, first, (size_t)run, payload->buffer[a.buffer].by_block, n);
		return;
	}
	for (a.after = 1; a.after < run; a.after++)
		lsi_combine(&payload->combine, out, a.after == 1 ? first : out,
			gather(g, payload, &a, staging[1]), n);
}

static void move_group(const struct group *g, const struct lsi_payload *payload, int i)
{
	const struct lsi_sweep_fast *fast = g->worker->sweep->fast;
	const struct lsi_cell_move *m = &g->shapes->shape[g->class->shape].step.move[i];
	const struct operand dst = operand_of(g, i, LSI_CELL_DST), a = operand_of(g, i, LSI_CELL_A);
	char *const first = lsi_sweep_worker_tables_of(g->worker)->staging;
	char *const staging[LSI_STAGING_BUFFERS] = { first, first + fast->staging_bytes,
		first + 2 * fast->staging_bytes };
	char *const direct = is_contiguous(payload, &dst)
		? lsi_payload_at(payload, g->base + dst.at[0], dst.buffer, dst.block)
		: NULL;
	char *const out = direct ? direct : staging[2];
	const char *from = out;

	if (m->what == LS_COPY) {
		from = gather(g, payload, &a, out);
		if (direct && from != direct)
			memcpy(direct, from, (size_t)g->n * payload->bytes);
	} else if (m->what == LS_COMBINE) {
		const struct operand b = operand_of(g, i, LSI_CELL_B);
		const char *left = gather(g, payload, &a, staging[0]);

		lsi_combine(&payload->combine, out, left, gather(g, payload, &b, staging[1]),
			(size_t)g->n * payload->length);
	} else {
		fold_group(g, payload, a, m->run, out, staging);
	}
	if (!direct)
		scatter(g, payload, &dst, from);
}

static void run_group(const struct group *g)
{
	struct lsi_sweep_worker *w = g->worker;
	const struct lsi_payload *data = &w->sweep->payload[LSI_PAYLOAD_DATA];
	const struct lsi_cell_step *step = &g->shapes->shape[g->class->shape].step;

	for (int l = 0; l < LSI_PAYLOADS; l++) {
		for (int i = 0; i < step->moves && w->sweep->payload[l].bytes > 0; i++)
			move_group(g, &w->sweep->payload[l], i);
	}
	if (step->receives) {
		w->messages += g->n;
		w->load = 1; /* no two messages share a link */
		w->words += g->n * (int64_t)data->length;
		w->bytes += g->n * (int64_t)data->bytes;
	}
}

/* ---- Groups of nodes */

enum { BATCHES = 8 }; /* between two polls */

void lsi_sweep_columns_by_class(
	struct lsi_sweep_worker *w, const struct lsi_sweep_shapes *shapes, int64_t base, int64_t n)
{
	struct lsi_sweep_worker_tables *tables = lsi_sweep_worker_tables_of(w);
	const struct lsi_sweep_lists *in_order = &tables->in_order;
	struct lsi_sweep_lists *by_class = &tables->by_class;
	int64_t end[LSI_SHAPE_CLASSES + 1] = { 0 };

	for (int64_t j = 0; j < n; j++)
		end[shapes->class_of[in_order->shape[j]] + 1]++;
	for (int k = 0; k < shapes->classes; k++)
		end[k + 1] += end[k];
	for (int64_t j = 0; j < n; j++) {
		const int64_t to = end[shapes->class_of[in_order->shape[j]]]++;

		by_class->at[to] = in_order->at[j];
		by_class->from[to] = in_order->from[j];
		by_class->shape[to] = in_order->shape[j];
		by_class->sender[to] = in_order->sender[j];
	}
	for (int64_t k = 0, begin = 0; k < shapes->classes; begin = end[k++]) {
		const struct group g = { .worker = w,
			.shapes = shapes,
			.class = &shapes->class[k],
			.base = base,
			.n = end[k] - begin,
			.at = by_class->at + begin,
			.from = by_class->from + begin,
			.shape = by_class->shape + begin,
			.sender = by_class->sender + begin };

		if (g.n > 0)
			run_group(&g);
	}
}

/* The class of all shapes of a list; -1: several classes. */
static int common_class_of(const struct lsi_sweep_shapes *shapes, const uint16_t *shape, int64_t n)
{
	const int class = shapes->class_of[shape[0]];

	for (int64_t j = 1; j < n && shapes->classes > 1; j++) {
		if (shapes->class_of[shape[j]] != class)
			return -1;
	}
	return class;
}

/* Execute the nodes base+first .. base+first+n-1; the tables begin at node `base`. */
static void run_batch(struct lsi_sweep_worker *w, const struct lsi_peer_table *t, int64_t base,
	int64_t first, int64_t n)
{
	struct lsi_sweep_lists *in_order = &lsi_sweep_worker_tables_of(w)->in_order;
	const struct lsi_sweep_shapes *shapes = &t->shapes;
	const uint16_t *shape = t->shape + first;
	const uint32_t *from = t->from + first;
	const int class = shapes->count == 1 ? 0 : common_class_of(shapes, shape, n);

	for (int64_t j = 0; j < n; j++)
		in_order->at[j] = (uint32_t)(first + j);
	if (class < 0 || shapes->sent_blocks || shapes->sent_buffers) {
		for (int64_t j = 0; j < n; j++)
			in_order->sender[j] = t->local || from[j] == LSI_IDLE ? 0 : t->shape[from[j]];
	}
	if (class >= 0) {
		run_group(&(struct group){ .worker = w,
			.shapes = shapes,
			.class = &shapes->class[class],
			.base = base,
			.n = n,
			.consecutive = true,
			.at = in_order->at,
			.from = from,
			.shape = shape,
			.sender = in_order->sender });
		return;
	}
	if (!t->local)
		memcpy(in_order->from, from, (size_t)n * sizeof *from);
	memcpy(in_order->shape, shape, (size_t)n * sizeof *shape);
	lsi_sweep_columns_by_class(w, shapes, base, n);
}

void lsi_sweep_columns(struct lsi_sweep_worker *w, const struct lsi_peer_table *t, int64_t origin,
	int64_t lo, int64_t hi)
{
	const struct lsi_sweep_fast *fast = w->sweep->fast;

	for (int64_t n, done = 0; lo < hi; lo += n, done++) {
		const int64_t first = (lo - origin) % t->entries;

		n = hi - lo < fast->batch ? hi - lo : fast->batch;
		if (n > t->entries - first)
			n = t->entries - first;
		run_batch(w, t, lo - first, first, n);
		if (done % BATCHES == 0 && lsi_sweep_poll(w))
			return;
	}
}
