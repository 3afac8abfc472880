/*
 * What the nodes hold before and after each round, as texts: an observer of the checker's replay.
 * A node holds what it still needs (ls_replay_needs).
 *
 *   blocks   "(0..3)"        contributions, in the notation of ls_replay_text
 *   data     "[10]"          the values of the blocks
 *   both     "(0..3)[10]"
 *
 * In a sum a node may have a result so far, and another sum: "[0..1](0..3)", "[3](10)", or both.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "draw/subject.h"
#include "op/op_internal.h"
#include "plan/plan_internal.h"

/* STATES: most nodes times steps, which the replay visits. */
enum { STATES = 1 << 22, TEXT = 120, PART = 2 * TEXT + 4, VALUES_SHOWN = 4 };

/* The first elements of a block. */
struct value {
	double element[VALUES_SHOWN + 1];
};

/* A block that holds block `number` of the operands of `count` ranks from `first` on. */
struct needed_block {
	int64_t first, count, number, at;
	int buffer;
};

struct observation {
	struct lsi_subject *subject;
	struct lsi_operator operator; /* on doubles or on 64-bit integers */
	bool of_integers;
	struct needed_block *needed; /* of one node */
	bool no_memory;
};

/* ---- Values */

/* Elements of the operand before a block; a vector is cut into the blocks of the plan. */
static int64_t elements_before(const struct ls_drawing *d, int64_t block)
{
	const struct ls_operation_info *info = ls_operation_describe(ls_plan_operation(d->plan));
	const size_t n = lsi_drawn_elements(d);

	return info->input == LS_VECTOR ? (int64_t)lsi_cut_offset(n, ls_plan_blocks(d->plan), block)
									: (int64_t)n * block;
}

/* The elements of a block that are drawn; the last one may stand for more. */
static int64_t elements_shown(const struct ls_drawing *d, int64_t block)
{
	const int64_t n = elements_before(d, block + 1) - elements_before(d, block);

	return d->operand && n > 0 ? 1 : n < VALUES_SHOWN + 1 ? n : VALUES_SHOWN + 1;
}

/* By default element e of the operand of rank r is r + 1 + e. */
static void put_operand(void *context, int64_t rank, int64_t block, void *out)
{
	const struct observation *o = context;
	const struct ls_drawing *d = o->subject->drawing;
	struct value *value = out;

	for (int i = 0; i <= VALUES_SHOWN; i++)
		value->element[i] = d->operand ? d->operand(d->operand_context, rank, block)
									   : (double)rank + 1 + (double)(elements_before(d, block) + i);
}

static void put_combination(void *context, const void *a, const void *b, void *out)
{
	const struct observation *o = context;
	const struct value *x = a, *y = b;
	struct value *value = out;

	for (int i = 0; i <= VALUES_SHOWN; i++) {
		int64_t left = (int64_t)x->element[i], right = (int64_t)y->element[i], made;

		if (o->of_integers) {
			lsi_combine(&o->operator, & made, &left, &right, 1);
			value->element[i] = (double)made;
		} else {
			lsi_combine(&o->operator, & value->element[i], &x->element[i], &y->element[i], 1);
		}
	}
}

/* The operator on doubles; if it has none, on integers. */
static int find_operator(struct observation *o, struct ls_error *why)
{
	const struct ls_drawing *d = o->subject->drawing;
	const ls_op op = d->op ? d->op : LS_SUM;

	o->of_integers = !ls_op_defined(op, LS_DOUBLE);
	o->operator= lsi_kernel_for(op, o->of_integers ? LS_INT64 : LS_DOUBLE);
	if (o->operator.kernel)
		return LS_OK;
	return lsi_error_set(why, LS_ERR_UNSUPPORTED,
		"values of the operator %s cannot be drawn; try the contributions (--values blocks)",
		ls_op_name(op));
}

/* ---- Texts */

/* The contributions in the needed blocks of some buffers: "0..3". */
static void write_blocks(
	struct observation *o, const ls_replay *replay, int64_t rank, uint32_t buffers, char text[TEXT])
{
	const int64_t length = ls_replay_needed_text(replay, rank, buffers, text, TEXT);

	o->no_memory |= length == LS_ERR_MEMORY;
	if (length >= TEXT)
		memcpy(text + TEXT - 3, "..", 3);
}

/* Sums by block, as they lie in a vector; else by rank, as the notation of blocks. */
static int compare_needed(const void *left, const void *right, void *by_block)
{
	const struct needed_block *a = left, *b = right;
	const int blocks = (a->number > b->number) - (a->number < b->number);
	const int ranks = (a->first > b->first) - (a->first < b->first);
	const int order =
		*(const bool *)by_block ? (blocks ? blocks : ranks) : (ranks ? ranks : blocks);

	return order ? order : (a->count > b->count) - (a->count < b->count);
}

/* The needed blocks of some buffers, in the order of their values. */
static size_t list_needed(
	struct observation *o, const ls_replay *replay, int64_t rank, uint32_t buffers)
{
	const enum ls_operation operation = ls_plan_operation(ls_replay_plan(replay));
	bool by_block = ls_operation_describe(operation)->combines;
	size_t count = 0;

	for (int buffer = 0; buffer < LS_BUFFERS; buffer++) {
		const int64_t blocks = buffers >> buffer & 1 ? ls_replay_blocks(replay, buffer) : 0;

		for (int64_t b = 0; b < blocks; b++) {
			struct ls_contents held = { .size = sizeof held };

			if (ls_replay_needs(replay, rank, buffer, b)
				&& ls_replay_contents(replay, rank, buffer, b, &held) == LS_OK)
				o->needed[count++] =
					(struct needed_block){ held.first, held.count, held.block, b, buffer };
		}
	}
	qsort_r(o->needed, count, sizeof *o->needed, compare_needed, &by_block);
	return count;
}

/* Two copies of one block. */
static bool is_copy(const struct needed_block *a, const struct needed_block *b)
{
	bool by_block = false;

	return compare_needed(a, b, &by_block) == 0;
}

/* The text so far. */
struct value_list {
	char *text;
	int length, shown;
};

static void add_value(struct value_list *list, double value)
{
	const size_t room = TEXT - (size_t)list->length;
	char *end = list->text + list->length;

	if (list->shown < VALUES_SHOWN)
		list->length += snprintf(end, room, "%s%.6g", list->shown > 0 ? "," : "", value);
	else if (list->shown == VALUES_SHOWN)
		list->length += snprintf(end, room, ",..");
	list->shown++;
}

/* The values of the needed blocks: "10,12"; those of copies appear once. */
static void write_values(
	struct observation *o, const ls_replay *replay, int64_t rank, uint32_t buffers, char text[TEXT])
{
	const size_t count = list_needed(o, replay, rank, buffers);
	struct value_list list = { text, 0, 0 };
	struct value before = { { NAN } };

	text[0] = '\0';
	for (size_t i = 0; i < count && list.shown <= VALUES_SHOWN; i++) {
		const struct needed_block *block = &o->needed[i];
		const int64_t elements = elements_shown(o->subject->drawing, block->number);
		struct value value;

		const int failed = ls_replay_value(replay, rank, block->buffer, block->at, &value);

		o->no_memory |= failed == LS_ERR_MEMORY;
		if (failed
			|| (i > 0 && is_copy(block, block - 1) && memcmp(&value, &before, sizeof value) == 0))
			continue;
		for (int64_t e = 0; e < elements; e++)
			add_value(&list, value.element[e]);
		before = value;
	}
}

/*
 * The buffers of the result so far, and the others.  A sum of whole vectors has a result: OUTPUT,
 * and before it is written INPUT, except in an exclusive scan.  Moved blocks and sums of parts are
 * one list.
 */
struct buffers {
	uint32_t result, rest;
};

static struct buffers buffers_of(const ls_replay *replay, int64_t rank)
{
	const uint32_t all = (1u << LS_BUFFERS) - 1, output = 1u << LS_OUTPUT;
	const ls_plan *plan = ls_replay_plan(replay);
	const enum ls_operation operation = ls_plan_operation(plan);
	uint32_t result = output;

	if (!ls_operation_describe(operation)->combines || ls_plan_blocks(plan) > 1)
		return (struct buffers){ all, 0 };
	if (operation != LS_EXSCAN && ls_replay_needed_text(replay, rank, output, NULL, 0) == 0)
		result = 1u << LS_INPUT;
	return (struct buffers){ result, all & ~result };
}

typedef void write_buffers(
	struct observation *, const ls_replay *, int64_t rank, uint32_t buffers, char text[TEXT]);

/* Does the node send in the next round? */
static bool sends_next(const ls_replay *replay, int64_t rank)
{
	const ls_plan *plan = ls_replay_plan(replay);
	struct ls_step step;
	bool sends = false;

	if (ls_replay_steps(replay) == ls_plan_steps(plan))
		return false;
	ls_plan_step(plan, rank, ls_replay_steps(replay), &step);
	for (int q = 0; q < step.ports; q++)
		sends |= step.to[q] != LS_NO_RANK;
	return sends;
}

/* "[result](rest)".  If a node has only one of them, it stands in `brackets`, in a scan in []. */
static int put_part(struct observation *o, const ls_replay *replay, int64_t rank,
	write_buffers *write, char *text, const char brackets[2])
{
	const bool is_scan = ls_plan_operation(ls_replay_plan(replay)) == LS_SCAN;
	const struct buffers buffers = buffers_of(replay, rank);
	char result[TEXT], rest[TEXT];

	write(o, replay, rank, buffers.result, result);
	write(o, replay, rank, buffers.rest, rest);
	if (is_scan && !*rest && sends_next(replay, rank)) /* its result so far */
		memcpy(rest, result, sizeof rest);
	if (*result && *rest)
		return snprintf(text, PART, "[%s](%s)", result, rest);
	if (*result && is_scan)
		return snprintf(text, PART, "[%s]", result);

	const char *only = *result ? result : rest;

	if (!*only || *only == *brackets)
		return snprintf(text, PART, "%s", only);
	return snprintf(text, PART, "%c%s%c", brackets[0], only, brackets[1]);
}

static char *text_of(struct observation *o, const ls_replay *replay, int64_t rank)
{
	struct lsi_subject *s = o->subject;
	const enum ls_drawn_values values = s->drawing->values;
	char text[2 * PART] = "";
	int at = 0;

	if (values != LS_VALUES_DATA)
		at = put_part(o, replay, rank, write_blocks, text, "()");
	if (values != LS_VALUES_BLOCKS)
		put_part(o, replay, rank, write_values, text + at, "[]");

	const size_t length = strlen(text) + 1;
	char *copy = lsi_arena_take(&s->arena, length, 1);

	o->no_memory |= !copy;
	return copy ? memcpy(copy, text, length) : NULL;
}

/* ---- The observer */

/*
 * The index k of the drawn round that the state precedes, or the number of drawn rounds for the
 * state after them (subject.h); -1: neither, or the next step is local.
 */
static int64_t index_of_state(const struct lsi_subject *s, const ls_replay *replay)
{
	const ls_plan *plan = ls_replay_plan(replay);
	const int64_t step = ls_replay_steps(replay);
	const bool ended = step == ls_plan_steps(plan);
	const int64_t next = ended ? ls_plan_rounds(plan) + 1 : ls_plan_round(plan, step);
	const int64_t first = s->rounds ? s->round[0].number : 1, k = next - first;

	return (next == 0 && !ended) || k < 0 || k > (int64_t)s->rounds ? -1 : k;
}

/* Room for all blocks of a node. */
static void begin(struct observation *o, const ls_replay *replay)
{
	int64_t blocks = 0;

	for (int buffer = 0; buffer < LS_BUFFERS; buffer++)
		blocks += ls_replay_blocks(replay, buffer);
	o->needed = lsi_alloc((size_t)blocks * sizeof *o->needed);
	o->no_memory |= !o->needed;
}

/* The check ends with the last state that is drawn: a value above 0, which is no error. */
static int observe(void *context, const ls_replay *replay)
{
	struct observation *o = context;
	struct lsi_subject *s = o->subject;
	const int64_t k = index_of_state(s, replay);

	if (ls_replay_steps(replay) == 0)
		begin(o, replay);
	if (k < 0 || !o->needed)
		return o->no_memory ? LS_ERR_MEMORY : 0;
	for (int64_t rank = 0; rank < ls_plan_nodes(s->drawing->plan); rank++) {
		const int64_t host =
			s->drawing->embedding ? ls_embedding_host_rank(s->drawing->embedding, rank) : rank;

		s->contents[k * s->nodes + host] = text_of(o, replay, rank);
	}
	return o->no_memory ? LS_ERR_MEMORY : k == (int64_t)s->rounds;
}

int lsi_subject_fill_contents(struct lsi_subject *s, struct ls_error *why)
{
	const struct ls_drawing *d = s->drawing;
	struct observation o = { .subject = s };
	const struct ls_observer observer = { sizeof observer, observe, &o, sizeof(struct value),
		put_operand, put_combination, true };
	struct ls_check_options options = { .size = sizeof options, .observer = &observer };
	struct ls_certificate certificate = { .size = sizeof certificate };
	int failed = LS_ERR_MEMORY;

	if (d->values == LS_VALUES_NONE || !d->plan || d->records)
		return LS_OK;
	if (s->all_rounds > STATES / s->nodes)
		return lsi_error_set(why, LS_ERR_UNSUPPORTED,
			"what %" PRId64 " nodes hold in %" PRId64
			" steps is too much for a picture; draw it without values",
			s->nodes, s->all_rounds);
	if (d->values != LS_VALUES_BLOCKS && find_operator(&o, why) != LS_OK)
		return LS_ERR_UNSUPPORTED;
	if (d->embedding) {
		options.embedding = d->embedding;
		options.mode = d->mode;
	}
	s->contents = lsi_alloc_zero((s->rounds + 1) * (size_t)s->nodes, sizeof *s->contents);
	if (s->contents)
		failed = ls_check(d->plan, lsi_drawn_elements(d), &options, &certificate);
	lsi_free(o.needed);
	/* A plan that breaks a law is drawn up to there. */
	return failed == LS_ERR_MEMORY ? failed : LS_OK;
}
