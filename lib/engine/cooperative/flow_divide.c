#include "engine/cooperative/flow_divide.h"

#include <string.h>

#include "base/alloc.h"
#include "engine/cooperative/flow.h"
#include "engine/cooperative/flow_graph.h"

/* A value that a part computes for later ones, in a slot; a list by part. */
struct kept_value {
	uint32_t value, slot, next; /* next: 1 + index; 0: none */
};

/*
 * The state of a division of values into parts.
 *
 *   part_of   by value: 1 + the part that computes it; 0: none
 *   slot_of   by value: 1 + a slot that holds it in later parts; 0: none
 *   number    by value: its number in the part that is made; 0: none
 */
struct divider {
	const struct lsi_flow_values *v;
	const struct lsi_flow_transfers *t;
	struct lsi_flow_parts *out;
	struct lsi_flow_results results; /* of the local nodes */
	uint32_t *part_of, *slot_of, *number, *stack;
	uint32_t *sum, *first_sum; /* the sums of all parts, and by part where they begin */
	uint32_t *first_transfer;  /* by part */
	struct kept_value *kept;
	uint32_t n_kept, *kept_by_part; /* 1 + the last one that was added; 0: none */
	struct lsi_flow_values own;     /* the values of the part that is made */
	struct lsi_flow_results made;   /* its results */
	uint32_t *touched;              /* its leaves, by the numbers of all values */
	uint32_t n_touched;
};

/* All numbers of values, 0 included. */
static size_t count_values(const struct lsi_flow_values *v)
{
	return 1 + (size_t)v->leaves + v->sums;
}

/* ---- Which part computes a value */

/* A new slot for a value, as long as its logical block. */
static uint32_t add_slot(struct divider *d, uint32_t value)
{
	struct lsi_flow_slots *slots = &d->out->slots;

	slots->label[slots->n] = (uint32_t)lsi_flow_value_label(d->v, value);
	return slots->n++;
}

/* The part that computes the value also stores it in a slot, where later parts find it. */
static void keep_value(struct divider *d, uint32_t value)
{
	uint32_t *const last = &d->kept_by_part[d->part_of[value] - 1];

	d->kept[d->n_kept] = (struct kept_value){ value, add_slot(d, value), *last };
	d->slot_of[value] = 1 + d->kept[d->n_kept].slot;
	*last = ++d->n_kept;
}

/* Whether a value is computed by no part: it is an operand, or it arrives. */
static bool is_given(const struct divider *d, uint32_t value)
{
	return !lsi_flow_value_is_sum(d->v, value) || (d->slot_of[value] && !d->part_of[value]);
}

/* A part needs a value: find the part that computes it, and all that it is computed from. */
static void need_value(struct divider *d, uint32_t value, uint32_t part)
{
	uint32_t n = 0;

	d->stack[n++] = value;
	while (n > 0) {
		const uint32_t next = d->stack[--n];

		if (is_given(d, next))
			continue;
		if (!d->part_of[next]) {
			d->part_of[next] = part + 1;
			d->stack[n++] = lsi_flow_value_sum(d->v, next)->a;
			d->stack[n++] = lsi_flow_value_sum(d->v, next)->b;
		} else if (d->part_of[next] != part + 1 && !d->slot_of[next]) {
			keep_value(d, next);
		}
	}
}

/* The slots of transfers are in their order. */
static void place_transfers(struct divider *d)
{
	for (uint32_t i = 0; i < d->t->n; i++) {
		const struct lsi_flow_transfer *t = &d->t->transfer[i];
		const uint32_t slot = add_slot(d, t->value);

		if (!t->sends)
			d->slot_of[t->value] = 1 + slot;
	}
}

/*
 * In the order of parts, so that the first part that needs a value computes it.  A value that is
 * sent in the part that computes it stays in the slot from which it is sent.
 */
static void assign_parts(struct divider *d)
{
	for (uint32_t part = 0; part + 1 < d->out->parts; part++) {
		const uint32_t first = d->first_transfer[part], last = d->first_transfer[part + 1];

		for (uint32_t i = first; i < last && d->t->transfer[i].sends; i++)
			need_value(d, d->t->transfer[i].value, part);
		for (uint32_t i = first; i < last && d->t->transfer[i].sends; i++) {
			const uint32_t value = d->t->transfer[i].value;

			if (d->part_of[value] == part + 1 && !d->slot_of[value])
				d->slot_of[value] = 1 + i;
		}
	}
	for (uint32_t i = 0; i < d->results.n; i++)
		need_value(d, d->results.at[i].value, d->out->parts - 1);
}

/* Sort the sums by part; within a part they are ascending. */
static void sort_sums(struct divider *d)
{
	const size_t count = count_values(d->v);

	for (size_t value = 1; value < count; value++)
		d->first_sum[d->part_of[value] + 1]++;
	d->first_sum[1] = 0; /* values that no part computes */
	for (uint32_t part = 0; part < d->out->parts; part++)
		d->first_sum[part + 2] += d->first_sum[part + 1];
	for (size_t value = 1; value < count; value++) {
		if (d->part_of[value])
			d->sum[d->first_sum[d->part_of[value]]++] = (uint32_t)value;
	}
}

/* ---- The streams */

/* Transfers of an exchange with one peer and direction are one stream. */
static bool begins_stream(const struct lsi_flow_transfers *t, uint32_t i)
{
	const struct lsi_flow_transfer *now = &t->transfer[i];

	return i == 0 || now->exchange != now[-1].exchange || now->sends != now[-1].sends
		|| now->peer != now[-1].peer;
}

/* Streams and transfers, by part.  False: no memory. */
static bool make_streams(struct divider *d)
{
	struct lsi_flow_parts *out = d->out;
	const struct lsi_flow_transfers *t = d->t;

	out->stream = lsi_alloc((t->n + 1) * sizeof *out->stream);
	if (!out->stream)
		return false;
	for (uint32_t i = 0, part = 0; i < t->n; i++) {
		const struct lsi_flow_transfer *now = &t->transfer[i];

		if (i > 0 && now->exchange != now[-1].exchange) {
			d->first_transfer[++part] = i;
			out->part[part].first_stream = out->streams;
		}
		if (begins_stream(t, i))
			out->stream[out->streams++] =
				(struct lsi_flow_stream){ .peer = now->peer, .sends = now->sends, .slot = i };
		out->stream[out->streams - 1].slots++;
	}
	for (uint32_t part = out->parts - 1; part <= out->parts; part++) {
		d->first_transfer[part] = (uint32_t)t->n;
		out->part[part].first_stream = out->streams;
	}
	return true;
}

/* ---- One part */

/* Where a part finds a value that it does not compute. */
static struct lsi_block_ref place_of(const struct divider *d, uint32_t value)
{
	return d->slot_of[value] ? (struct lsi_block_ref){ d->out->slots.base, d->slot_of[value] - 1 }
							 : lsi_flow_leaf(d->v, value);
}

/* The value of a part that is computed before it, as a leaf of the part. */
static void number_leaf(struct divider *d, uint32_t value, uint32_t part)
{
	if (d->part_of[value] == part + 1 || d->number[value])
		return;
	d->number[value] = ++d->own.leaves;
	d->own.leaf[d->own.leaves] = place_of(d, value);
	d->touched[d->n_touched++] = value;
}

static void add_result(
	struct divider *d, uint32_t value, struct lsi_block_ref target, uint32_t over)
{
	d->made.at[d->made.n++] =
		(struct lsi_flow_result){ .target = target, .value = value, .over = over };
}

/* The results of a part, by the numbers of all values. */
static void list_results(struct divider *d, uint32_t part)
{
	const uint32_t base = d->out->slots.base;

	d->made.n = 0;
	for (uint32_t i = d->first_transfer[part]; i < d->first_transfer[part + 1]; i++) {
		if (d->t->transfer[i].sends)
			add_result(d, d->t->transfer[i].value, (struct lsi_block_ref){ base, i }, 0);
	}
	for (uint32_t k = d->kept_by_part[part]; k; k = d->kept[k - 1].next)
		add_result(d, d->kept[k - 1].value, (struct lsi_block_ref){ base, d->kept[k - 1].slot }, 0);
	for (uint32_t i = 0; i < d->results.n && part + 1 == d->out->parts; i++)
		add_result(d, d->results.at[i].value, d->results.at[i].target, d->results.at[i].over);
}

/* Replace all numbers by those of the part: first its leaves, then its sums. */
static void number_values(struct divider *d, uint32_t part)
{
	const uint32_t *sum = d->sum + d->first_sum[part];
	const uint32_t sums = d->first_sum[part + 1] - d->first_sum[part];

	d->own.leaves = d->n_touched = 0;
	for (uint32_t i = 0; i < d->made.n; i++)
		number_leaf(d, d->made.at[i].value, part);
	for (uint32_t i = 0; i < sums; i++) {
		number_leaf(d, lsi_flow_value_sum(d->v, sum[i])->a, part);
		number_leaf(d, lsi_flow_value_sum(d->v, sum[i])->b, part);
	}
	d->own.sums = sums;
	for (uint32_t i = 0; i < sums; i++) {
		const struct lsi_flow_sum *s = lsi_flow_value_sum(d->v, sum[i]);

		d->number[sum[i]] = d->own.leaves + 1 + i;
		d->own.sum[i] = (struct lsi_flow_sum){ d->number[s->a], d->number[s->b], s->label };
	}
	for (uint32_t i = 0; i < d->made.n; i++) {
		d->made.at[i].value = d->number[d->made.at[i].value];
		d->made.at[i].over = d->number[d->made.at[i].over];
	}
	for (uint32_t i = 0; i < d->n_touched; i++)
		d->number[d->touched[i]] = 0;
	for (uint32_t i = 0; i < sums; i++)
		d->number[sum[i]] = 0;
}

/* The flows of all parts. */
static int make_parts(struct divider *d)
{
	int failed = LS_OK;

	for (uint32_t part = 0; part < d->out->parts && !failed; part++) {
		list_results(d, part);
		number_values(d, part);
		failed = lsi_flow_make_of(&d->own, &d->made, &d->out->slots, &d->out->part[part].flow);
	}
	return failed;
}

/* ---- All parts */

/* Memory for the worst case; most of it is never touched. */
static bool divider_alloc(struct divider *d)
{
	const size_t count = count_values(d->v), parts = d->out->parts, sums = d->v->sums;

	d->part_of = lsi_alloc_zero(count, sizeof *d->part_of);
	d->slot_of = lsi_alloc_zero(count, sizeof *d->slot_of);
	d->number = lsi_alloc_zero(count, sizeof *d->number);
	d->stack = lsi_alloc((2 * sums + 2) * sizeof *d->stack);
	d->sum = lsi_alloc((sums + 1) * sizeof *d->sum);
	d->first_sum = lsi_alloc_zero(parts + 2, sizeof *d->first_sum);
	d->first_transfer = lsi_alloc_zero(parts + 1, sizeof *d->first_transfer);
	d->kept = lsi_alloc((sums + 1) * sizeof *d->kept);
	d->kept_by_part = lsi_alloc_zero(parts, sizeof *d->kept_by_part);
	d->own.leaf = lsi_alloc((count + 1) * sizeof *d->own.leaf);
	d->own.sum = lsi_alloc((sums + 1) * sizeof *d->own.sum);
	d->made.at = lsi_alloc((d->t->n + sums + d->results.n + 1) * sizeof *d->made.at);
	d->touched = lsi_alloc(count * sizeof *d->touched);
	d->out->slots.label = lsi_alloc((d->t->n + sums + 1) * sizeof *d->out->slots.label);
	d->out->part = lsi_alloc_zero(parts + 1, sizeof *d->out->part);
	return d->part_of && d->slot_of && d->number && d->stack && d->sum && d->first_sum
		&& d->first_transfer && d->kept && d->kept_by_part && d->own.leaf && d->own.sum
		&& d->made.at && d->touched && d->out->slots.label && d->out->part;
}

static void divider_release(struct divider *d)
{
	void *const memory[] = { d->results.at, d->part_of, d->slot_of, d->number, d->stack, d->sum,
		d->first_sum, d->first_transfer, d->kept, d->kept_by_part, d->own.leaf, d->own.sum,
		d->made.at, d->touched };

	for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
		lsi_free(memory[i]);
}

/* Exchanges of this process; transfers are sorted by exchange. */
static uint32_t count_exchanges(const struct lsi_flow_transfers *t)
{
	uint32_t n = 0;

	for (size_t i = 0; i < t->n; i++)
		n += i == 0 || t->transfer[i].exchange != t->transfer[i - 1].exchange;
	return n;
}

static int divide_values(struct divider *d)
{
	const struct lsi_division *division = &d->t->division;
	int failed = lsi_flow_results_make(d->v, division->first[division->process],
		division->first[division->process + 1], &d->results);

	d->out->parts = 1 + count_exchanges(d->t);
	d->out->slots.base = (uint32_t)(2 * d->v->plan->problem.nodes);
	d->own.plan = d->v->plan;
	if (!failed && (!divider_alloc(d) || !make_streams(d)))
		failed = LS_ERR_MEMORY;
	if (!failed) {
		place_transfers(d);
		assign_parts(d);
		sort_sums(d);
		failed = make_parts(d);
	}
	if (!failed) {
		d->out->slots.at = lsi_alloc(((size_t)d->out->slots.n + 1) * sizeof *d->out->slots.at);
		failed = d->out->slots.at ? LS_OK : LS_ERR_MEMORY;
	}
	divider_release(d);
	return failed;
}

int lsi_flow_divide(const struct lsi_flow_values *values,
	const struct lsi_flow_transfers *transfers, struct lsi_flow_parts *out)
{
	return divide_values(&(struct divider){ .v = values, .t = transfers, .out = out });
}
