/*
 * The moves of many nodes at a time.
 *
 * Nodes of one class form a group.  For each move of the group, one call of a kernel computes all
 * results.
 */
#include <string.h>

#include "engine/sweep/fast/node_group.h"

/* ---- Moves */

static void fold_group(const struct lsi_node_group *g, const struct lsi_payload *payload,
	struct lsi_group_cells a, int run, char *out, char *const staging[])
{
	const size_t n = (size_t)g->n * payload->length;
	const char *first = lsi_group_gather(g, payload, &a, staging[0]);

	if (lsi_group_is_contiguous(payload, &a) && payload->buffer[a.buffer].by_block > 0) {
		lsi_fold(&payload->combine, out, first, (size_t)run, payload->buffer[a.buffer].by_block, n);
		return;
	}
	for (a.after = 1; a.after < run; a.after++)
		lsi_combine(&payload->combine, out, a.after == 1 ? first : out,
			lsi_group_gather(g, payload, &a, staging[1]), n);
}

static void move_group(const struct lsi_node_group *g, const struct lsi_payload *payload, int i)
{
	const struct lsi_sweep_fast *fast = g->worker->sweep->fast;
	const struct lsi_cell_move *m = &g->shapes->shape[g->class->shape].step.move[i];
	const struct lsi_group_cells dst = lsi_group_cells_of(g, i, LSI_CELL_DST),
								 a = lsi_group_cells_of(g, i, LSI_CELL_A);
	char *const first = lsi_sweep_worker_tables_of(g->worker)->staging;
	char *const staging[LSI_STAGING_BUFFERS] = { first, first + fast->staging_bytes,
		first + 2 * fast->staging_bytes };
	char *const direct = lsi_group_is_contiguous(payload, &dst)
		? lsi_payload_at(payload, g->base + dst.at[0], dst.buffer, dst.block)
		: NULL;
	char *const out = direct ? direct : staging[2];
	const char *from = out;

	if (m->what == LS_COPY) {
		from = lsi_group_gather(g, payload, &a, out);
		if (direct && from != direct)
			memcpy(direct, from, (size_t)g->n * payload->bytes);
	} else if (m->what == LS_COMBINE) {
		const struct lsi_group_cells b = lsi_group_cells_of(g, i, LSI_CELL_B);
		const char *left = lsi_group_gather(g, payload, &a, staging[0]);

		lsi_combine(&payload->combine, out, left, lsi_group_gather(g, payload, &b, staging[1]),
			(size_t)g->n * payload->length);
	} else {
		fold_group(g, payload, a, m->run, out, staging);
	}
	if (!direct)
		lsi_group_scatter(g, payload, &dst, from);
}

static void run_group(const struct lsi_node_group *g)
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
		w->crossing_messages += g->arrived ? g->n : 0;
		w->crossing_bytes += g->arrived ? g->n * (int64_t)data->bytes : 0;
	}
}

void lsi_sweep_gather_sent(struct lsi_sweep_worker *w, const struct lsi_chunk_step *step,
	const uint32_t *node, int64_t n, char *const lane[LSI_PAYLOADS])
{
	uint16_t *sender = lsi_sweep_worker_tables_of(w)->by_class.sender;
	const struct lsi_node_group g = { .worker = w,
		.shapes = step->shapes,
		.base = step->origin,
		.n = n,
		.from = node,
		.sender = sender };

	for (int64_t j = 0; j < n && lsi_sent_varies(step->shapes); j++)
		sender[j] = step->shape[node[j]];
	for (int l = 0; l < LSI_PAYLOADS; l++) {
		const struct lsi_payload *payload = &w->sweep->payload[l];
		const struct lsi_group_cells sent = lsi_group_sent(&g);

		if (payload->bytes == 0)
			continue;

		const char *blocks = lsi_group_gather(&g, payload, &sent, lane[l]);

		if (blocks != lane[l])
			memcpy(lane[l], blocks, (size_t)n * payload->bytes);
	}
}

/* ---- Groups of nodes */

enum {
	BATCHES = 8,  /* between two polls */
	LONG_RUN = 24 /* nodes: grouping them by class would take longer */
};

/* Sort the first n nodes of the list `in_order` by class; end[k] becomes the end of class k. */
static const struct lsi_sweep_lists *sort_by_class(struct lsi_sweep_worker_tables *tables,
	const struct lsi_sweep_shapes *shapes, int64_t n, int64_t end[LSI_SHAPE_CLASSES + 1])
{
	const struct lsi_sweep_lists *in_order = &tables->in_order;
	struct lsi_sweep_lists *by_class = &tables->by_class;

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
	return by_class;
}

void lsi_sweep_columns_by_class(struct lsi_sweep_worker *w, const struct lsi_sweep_shapes *shapes,
	int64_t base, int64_t n, const struct lsi_arrived_blocks *arrived)
{
	struct lsi_sweep_worker_tables *tables = lsi_sweep_worker_tables_of(w);
	int64_t end[LSI_SHAPE_CLASSES + 1] = { shapes->classes == 1 ? n : 0 };
	const struct lsi_sweep_lists *list =
		shapes->classes == 1 ? &tables->in_order : sort_by_class(tables, shapes, n, end);

	for (int64_t k = 0, begin = 0; k < shapes->classes; begin = end[k++]) {
		const struct lsi_node_group g = { .worker = w,
			.shapes = shapes,
			.class = &shapes->class[k],
			.base = base,
			.n = end[k] - begin,
			.at = list->at + begin,
			.from = list->from + begin,
			.shape = list->shape + begin,
			.sender = list->sender + begin,
			.arrived = arrived };

		if (g.n > 0)
			run_group(&g);
	}
}

/* The first of the shapes j .. n-1 that is of another class than shape j. */
static int64_t end_of_run(
	const struct lsi_sweep_shapes *shapes, const uint16_t *shape, int64_t j, int64_t n)
{
	const int class = shapes->class_of[shape[j]];

	while (j < n && shapes->class_of[shape[j]] == class)
		j++;
	return j;
}

/* Whether runs of one class are long enough to execute them one after another. */
static bool has_long_runs(const struct lsi_sweep_shapes *shapes, const uint16_t *shape, int64_t n)
{
	int64_t runs = 1;

	for (int64_t j = 1; j < n && shapes->classes > 1; j++)
		runs += shapes->class_of[shape[j]] != shapes->class_of[shape[j - 1]];
	return runs == 1 || runs * LONG_RUN <= n;
}

/*
 * List those of the entries first .. first+n-1 whose peer is not in another process.  There is no
 * branch, because no processor could predict it.
 */
static int64_t list_local(
	struct lsi_sweep_worker *w, const struct lsi_peer_table *t, int64_t first, int64_t n)
{
	struct lsi_sweep_lists *list = &lsi_sweep_worker_tables_of(w)->in_order;
	int64_t k = 0;

	for (int64_t i = first; i < first + n; i++) {
		list->at[k] = (uint32_t)i;
		list->from[k] = t->from[i];
		list->shape[k] = t->shape[i];
		k += t->from[i] != LSI_ELSEWHERE;
	}
	for (int64_t j = 0; j < k && lsi_sent_varies(&t->shapes); j++)
		list->sender[j] = list->from[j] == LSI_IDLE ? 0 : t->shape[list->from[j]];
	return k;
}

static bool has_crossing(const uint32_t *from, int64_t n)
{
	bool found = false;

	for (int64_t j = 0; j < n; j++)
		found |= from[j] == LSI_ELSEWHERE;
	return found;
}

/* Execute the nodes base+first .. base+first+n-1; the tables begin at node `base`. */
static void run_batch(struct lsi_sweep_worker *w, const struct lsi_peer_table *t, int64_t base,
	int64_t first, int64_t n)
{
	struct lsi_sweep_lists *in_order = &lsi_sweep_worker_tables_of(w)->in_order;
	const struct lsi_sweep_shapes *shapes = &t->shapes;
	const uint16_t *shape = t->shape + first;
	const uint32_t *from = t->from + first;
	const bool in_runs = has_long_runs(shapes, shape, n);

	if (t->crosses && !t->local && has_crossing(from, n)) {
		lsi_sweep_columns_by_class(w, shapes, base, list_local(w, t, first, n), NULL);
		return;
	}
	for (int64_t j = 0; j < n; j++)
		in_order->at[j] = (uint32_t)(first + j);
	if (!in_runs || lsi_sent_varies(shapes)) {
		for (int64_t j = 0; j < n; j++)
			in_order->sender[j] = t->local || from[j] == LSI_IDLE ? 0 : t->shape[from[j]];
	}
	if (!in_runs) {
		if (!t->local)
			memcpy(in_order->from, from, (size_t)n * sizeof *from);
		memcpy(in_order->shape, shape, (size_t)n * sizeof *shape);
		lsi_sweep_columns_by_class(w, shapes, base, n, NULL);
		return;
	}
	for (int64_t j = 0, end; j < n; j = end) {
		end = shapes->classes == 1 ? n : end_of_run(shapes, shape, j, n);
		run_group(&(struct lsi_node_group){ .worker = w,
			.shapes = shapes,
			.class = &shapes->class[shapes->class_of[shape[j]]],
			.base = base,
			.n = end - j,
			.consecutive = true,
			.at = in_order->at + j,
			.from = from + j,
			.shape = shape + j,
			.sender = in_order->sender + j });
	}
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
