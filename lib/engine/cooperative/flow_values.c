#include "engine/cooperative/flow_values.h"

#include "base/alloc.h"
#include "base/math.h"
#include "check/checker.h"
#include "engine/cooperative/flow.h"
#include "engine/cooperative/flow_transfers.h"
#include "plan/storage.h"

/* ---- Numbers */

static uint32_t slot_of(const struct lsi_flow_values *v, uint32_t a, uint32_t b)
{
	const uint64_t both = (uint64_t)a << 32 | b;

	return (uint32_t)((both * 0x9e3779b97f4a7c15u ^ both >> 29) * 0xbf58476d1ce4e5b9u
		>> (64 - v->bits));
}

/* Double the capacity for sums and their hash table. */
static bool grow_sums(struct lsi_flow_values *v)
{
	const uint32_t capacity = v->capacity ? 2 * v->capacity : 512;
	const int bits = lsi_log2_ceil(capacity) + 1;
	struct lsi_flow_sum *sum =
		lsi_alloc_grow(v->sum, v->sums * sizeof *sum, capacity * sizeof *sum);
	uint32_t *place;

	if (sum)
		v->sum = sum;
	place = sum ? lsi_alloc_zero((size_t)1 << bits, sizeof *place) : NULL;
	if (!place)
		return false;
	lsi_free(v->place);
	v->place = place;
	v->capacity = capacity;
	v->bits = bits;
	for (uint32_t i = 0; i < v->sums; i++) {
		uint32_t at = slot_of(v, sum[i].a, sum[i].b);

		while (place[at])
			at = (at + 1) & (((uint32_t)1 << bits) - 1);
		place[at] = i + 1;
	}
	return true;
}

/* Find or add the number of a (+) b; 0: no memory. */
static uint32_t combine_values(struct lsi_flow_values *v, uint32_t a, uint32_t b, uint32_t label)
{
	uint32_t at, i;

	if (v->sums == v->capacity && !grow_sums(v))
		return 0;
	at = slot_of(v, a, b);
	for (; (i = v->place[at]) != 0; at = (at + 1) & (((uint32_t)1 << v->bits) - 1)) {
		if (v->sum[i - 1].a == a && v->sum[i - 1].b == b)
			return v->leaves + i;
	}
	v->sum[v->sums] = (struct lsi_flow_sum){ a, b, label };
	v->place[at] = ++v->sums;
	return v->leaves + v->sums;
}

int64_t lsi_flow_value_label(const struct lsi_flow_values *v, uint32_t value)
{
	if (lsi_flow_value_is_sum(v, value))
		return lsi_flow_value_sum(v, value)->label;
	return lsi_buffer_label(v->plan, (value - 1) / v->inputs, LS_INPUT, (value - 1) % v->inputs);
}

/* ---- The walk */

/* A message of the current step; its values begin at sent[first]. */
struct message {
	int64_t to, blocks;
	size_t first;
};

struct list {
	uint32_t *at;
	size_t n, capacity;
};

struct walk {
	struct lsi_flow_values *v;
	const struct ls_plan *plan;
	struct lsi_checker shape;             /* for lsi_check_shape */
	bool labelled;                        /* the plan has several logical blocks */
	struct lsi_flow_transfers *transfers; /* NULL: one process */
	int process;                          /* of the current node */
	int64_t step;
	struct message *message; /* LS_PORTS per node */
	int64_t messages, received;
	struct list sent, a, b;
	size_t results; /* blocks that the current move writes */
};

static bool list_reserve(struct list *list, size_t n)
{
	const size_t capacity = list->capacity ? 2 * list->capacity : 64;
	uint32_t *at;

	if (n <= list->capacity)
		return true;
	at = lsi_alloc_grow(list->at, list->n * sizeof *at, (capacity > n ? capacity : n) * sizeof *at);
	if (!at)
		return false;
	list->at = at;
	list->capacity = capacity > n ? capacity : n;
	return true;
}

static uint32_t *values_of(const struct walk *w, int64_t node)
{
	return w->v->held + node * w->v->cells;
}

/*
 * Append the values of a slice of the node's own buffers. Each must be defined, and of the logical
 * block that the slice states.
 */
static int read_own_slice(
	const struct walk *w, int64_t node, const struct ls_slice *slice, struct list *out)
{
	const uint32_t *cells = values_of(w, node);
	const int64_t blocks = ls_slice_blocks(slice);

	if (!list_reserve(out, out->n + (size_t)blocks))
		return LS_ERR_MEMORY;
	for (int64_t k = 0; k < blocks; k++) {
		const int64_t block = ls_slice_at(slice, k);
		const uint32_t value = cells[lsi_storage_cell(w->plan, node, slice->buffer, block)];

		if (value == 0
			|| (w->labelled
				&& lsi_flow_value_label(w->v, value)
					!= lsi_buffer_label(w->plan, node, slice->buffer, block)))
			return LS_ERR_LAW;
		out->at[out->n++] = value;
	}
	return LS_OK;
}

/* The message from a peer to the node; NULL: none. */
static const struct message *find_message(const struct walk *w, int64_t node, int64_t from)
{
	const struct message *message = w->message + from * LS_PORTS;

	for (int q = 0; q < LS_PORTS; q++) {
		if (message[q].to == node)
			return &message[q];
	}
	return NULL;
}

static int read_slice(const struct walk *w, int64_t node, const struct ls_step *actions,
	const struct ls_slice *slice, struct list *out)
{
	const int64_t blocks = ls_slice_blocks(slice);
	const struct message *message;

	out->n = 0;
	if (!lsi_is_arrival(slice->buffer))
		return read_own_slice(w, node, slice, out);
	if (!list_reserve(out, (size_t)blocks))
		return LS_ERR_MEMORY;
	message = find_message(w, node, actions->from[slice->buffer - LS_ARRIVAL]);
	for (int64_t k = 0; k < blocks; k++)
		out->at[out->n++] = w->sent.at[message->first + (size_t)ls_slice_at(slice, k)];
	return LS_OK;
}

/* Check law 3, and record the sent values before the moves of the step. */
static int record_sends(struct walk *w, int64_t node, const struct ls_step *actions)
{
	const struct lsi_problem *problem = &w->plan->problem;
	struct message *message = w->message + node * LS_PORTS;
	int failed = LS_OK;

	for (int q = 0; q < LS_PORTS && !failed; q++) {
		const int64_t to = q < actions->ports ? actions->to[q] : LS_NO_RANK;

		message[q] = (struct message){ .to = to, .first = w->sent.n };
		if (to == LS_NO_RANK)
			continue;
		if (to == node || (problem->mode == LS_HOP && ls_link_to(problem->topology, node, to) < 0))
			return LS_ERR_LAW;
		message[q].blocks = ls_slice_blocks(&actions->send[q]);
		w->messages++;
		failed = read_own_slice(w, node, &actions->send[q], &w->sent);
	}
	return failed;
}

/* Check law 2: each port receives the expected blocks. */
static int check_receives(struct walk *w, int64_t node, const struct ls_step *actions)
{
	for (int q = 0; q < actions->ports; q++) {
		const struct message *message;

		if (actions->from[q] == LS_NO_RANK)
			continue;
		message = find_message(w, node, actions->from[q]);
		if (!message || message->blocks != actions->arrives[q])
			return LS_ERR_LAW;
		w->received++;
	}
	return LS_OK;
}

/* The value a (+) b at the current node; 0: no memory. */
static uint32_t make_sum(struct walk *w, uint32_t a, uint32_t b, int64_t label)
{
	const uint32_t value = combine_values(w->v, a, b, (uint32_t)label);

	return value && w->transfers && !lsi_flow_transfers_compute(w->transfers, value, w->process)
		? 0
		: value;
}

/*
 * The value of block k of a move; 0: no memory.  A fold combines the blocks k, k + results, .. of
 * the list a.
 */
static uint32_t make_value(struct walk *w, const struct ls_move *move, size_t k, int64_t label)
{
	uint32_t value = w->a.at[k];

	if (move->action == LS_COMBINE)
		return make_sum(w, value, w->b.at[k], label);
	for (size_t part = k + w->results; part < w->a.n && value; part += w->results)
		value = make_sum(w, value, w->a.at[part], label);
	return value;
}

/* Whether all operands of block k belong to the logical block of the result. */
static bool labels_match(const struct walk *w, const struct ls_move *move, size_t k, int64_t label)
{
	bool alike = true;

	for (size_t part = k; part < w->a.n && alike; part += w->results)
		alike = lsi_flow_value_label(w->v, w->a.at[part]) == label;
	return alike && (move->action != LS_COMBINE || lsi_flow_value_label(w->v, w->b.at[k]) == label);
}

static int execute_move(
	struct walk *w, int64_t node, const struct ls_step *actions, const struct ls_move *move)
{
	const int buffer = move->dst.buffer;
	int failed = read_slice(w, node, actions, &move->a, &w->a);

	if (!failed && move->action == LS_COMBINE)
		failed = read_slice(w, node, actions, &move->b, &w->b);
	if (!failed && !lsi_storage_has(w->plan, node, buffer))
		failed = LS_ERR_LAW;
	w->results = (size_t)ls_slice_blocks(&move->dst);
	for (size_t k = 0; k < w->results && !failed; k++) {
		const int64_t block = ls_slice_at(&move->dst, (int64_t)k);
		const int64_t label = w->labelled ? lsi_buffer_label(w->plan, node, buffer, block) : 0;
		uint32_t value;

		if (w->labelled && !labels_match(w, move, k, label))
			return LS_ERR_LAW;
		value = make_value(w, move, k, label);
		if (!value)
			return LS_ERR_MEMORY;
		values_of(w, node)[lsi_storage_cell(w->plan, node, buffer, block)] = value;
	}
	return failed ? failed : w->v->sums > LSI_FLOW_CELLS ? LS_ERR_UNSUPPORTED : LS_OK;
}

/* The messages of the step that cross, in the order of their senders and ports. */
static int note_transfers(struct walk *w)
{
	int failed = LS_OK;

	lsi_flow_transfers_begin(w->transfers);
	for (int64_t u = 0; u < w->plan->problem.nodes && !failed; u++) {
		for (int q = 0; q < LS_PORTS && !failed; q++) {
			const struct message *m = &w->message[u * LS_PORTS + q];

			if (m->to != LS_NO_RANK)
				failed = lsi_flow_transfers_add(
					w->transfers, u, m->to, w->sent.at + m->first, m->blocks);
		}
	}
	return failed;
}

/* All nodes send what they hold when the step begins; then all nodes move. */
static int take_step(struct walk *w)
{
	struct ls_step actions;
	int failed = LS_OK;

	w->messages = w->received = 0;
	w->sent.n = 0;
	for (int64_t u = 0; u < w->plan->problem.nodes && !failed; u++) {
		ls_plan_step(w->plan, u, w->step, &actions);
		failed = lsi_check_shape(&w->shape, u, w->step, &actions);
		if (!failed)
			failed = record_sends(w, u, &actions);
	}
	if (w->transfers && !failed)
		failed = note_transfers(w);
	for (int64_t u = 0; u < w->plan->problem.nodes && !failed; u++) {
		ls_plan_step(w->plan, u, w->step, &actions);
		w->process = w->transfers ? lsi_division_process(&w->transfers->division, u) : 0;
		failed = check_receives(w, u, &actions);
		for (int i = 0; i < actions.n_moves && !failed; i++)
			failed = execute_move(w, u, &actions, &actions.move[i]);
	}
	return failed || w->messages == w->received ? failed : LS_ERR_LAW;
}

static int walk_plan(struct lsi_flow_values *v, struct lsi_flow_transfers *transfers)
{
	const enum ls_operation operation = v->plan->problem.operation;
	const int64_t nodes = v->plan->problem.nodes;
	struct ls_certificate refused = { 0 };
	struct walk w = { .v = v, .plan = v->plan, .transfers = transfers };
	int failed = LS_OK;

	w.labelled = lsi_operation_is_vector(operation)
		? v->plan->frame.blocks > 1
		: lsi_operation_gathers(operation) || lsi_operation_scatters(operation);
	w.shape = (struct lsi_checker){ .plan = v->plan, .nodes = nodes, .out = &refused };
	w.shape.mark = lsi_alloc_zero((size_t)v->cells, sizeof *w.shape.mark);
	w.message = lsi_alloc((size_t)nodes * LS_PORTS * sizeof *w.message);
	if (!w.message || !w.shape.mark)
		failed = LS_ERR_MEMORY;
	for (; w.step < ls_plan_steps(v->plan) && !failed; w.step++)
		failed = take_step(&w);
	lsi_free(w.sent.at);
	lsi_free(w.a.at);
	lsi_free(w.b.at);
	lsi_free(w.message);
	lsi_free(w.shape.mark);
	return failed;
}

int lsi_flow_values_make(
	const struct ls_plan *plan, struct lsi_flow_transfers *transfers, struct lsi_flow_values *v)
{
	const int64_t nodes = plan->problem.nodes, inputs = lsi_buffer_blocks(plan, LS_INPUT);

	*v = (struct lsi_flow_values){ .plan = plan, .cells = lsi_storage_cells(plan) };
	if (lsi_mul_sat(nodes, v->cells) > LSI_FLOW_CELLS)
		return LS_ERR_UNSUPPORTED;
	v->inputs = (uint32_t)inputs;
	v->leaves = (uint32_t)(nodes * inputs);
	v->held = lsi_alloc_zero((size_t)(nodes * v->cells), sizeof *v->held);
	if (!v->held)
		return LS_ERR_MEMORY;
	for (int64_t u = 0; u < nodes; u++) {
		for (int64_t b = 0; b < inputs && lsi_storage_has(plan, u, LS_INPUT); b++)
			v->held[u * v->cells + b] = (uint32_t)(u * inputs + b + 1);
	}
	if (transfers && !lsi_flow_transfers_compute_leaves(transfers, nodes, v->inputs))
		return LS_ERR_MEMORY;
	return walk_plan(v, transfers);
}

void lsi_flow_values_release(struct lsi_flow_values *v)
{
	lsi_free(v->sum);
	lsi_free(v->place);
	lsi_free(v->held);
}
