#include "check/observer.h"

#include <string.h>

#include "base/alloc.h"
#include "base/sized.h"
#include "check/checker.h"
#include "check/contents_text.h"
#include "plan/storage.h"

/* All functions for values are set, or none. */
static bool is_complete(const struct ls_observer *observer)
{
	const int functions = !!observer->operand + !!observer->combine + (observer->bytes > 0);

	return observer->observe && (functions == 0 || functions == 3);
}

bool lsi_replay_init(struct ls_replay *replay, const struct lsi_checker *checker,
	const struct ls_observer *or_null, struct lsi_evaluated *evaluated)
{
	*evaluated = (struct lsi_evaluated){ NULL, 0, 0 };
	*replay = (struct ls_replay){ .checker = checker, .evaluated = evaluated };
	if (!or_null)
		return true;
	return lsi_sized_read(&replay->observer, sizeof replay->observer, or_null)
		&& is_complete(&replay->observer);
}

static int observe(const struct ls_replay *replay)
{
	return replay->observer.observe(replay->observer.context, replay);
}

int lsi_observe_start(struct ls_replay *replay, struct lsi_checker *c)
{
	int status = LS_OK;

	if (replay->observer.needs)
		status = lsi_needs_init(&replay->needs, c);
	return status == LS_OK && replay->observer.observe ? observe(replay) : status;
}

int lsi_observe_step(struct ls_replay *replay, int64_t step)
{
	if (!replay->observer.observe)
		return 0;
	if (replay->observer.needs)
		lsi_needs_step(&replay->needs, step);
	replay->steps = step + 1;
	return observe(replay);
}

/* ---- Blocks */

const ls_plan *ls_replay_plan(const ls_replay *replay)
{
	return replay ? replay->checker->plan : NULL;
}

int64_t ls_replay_steps(const ls_replay *replay)
{
	return replay ? replay->steps : 0;
}

int64_t ls_replay_blocks(const ls_replay *replay, int buffer)
{
	if (!replay || buffer < 0 || buffer >= LS_BUFFERS || lsi_is_arrival(buffer))
		return 0;
	return lsi_buffer_blocks(replay->checker->plan, buffer);
}

/* The value in a block, *out LSI_UNDEFINED if it holds nothing; false: no node has this block. */
static bool find_value(
	const ls_replay *replay, int64_t rank, int buffer, int64_t block, lsi_value *out)
{
	const int64_t blocks = ls_replay_blocks(replay, buffer);

	if (blocks == 0 || rank < 0 || rank >= replay->checker->nodes || block < 0
		|| (block >= blocks && buffer < LS_SCRATCH))
		return false;
	*out = lsi_check_value(replay->checker, rank, buffer, block);
	return true;
}

/* ---- Contents */

static struct ls_contents describe(const struct lsi_expressions *e, lsi_value value)
{
	const struct lsi_contents held = lsi_expression_contents(e, value);
	struct ls_contents out = { .holding = LS_HOLDS_UNKNOWN,
		.first = -1,
		.count = -1,
		.block = lsi_expression_block(e, value),
		.ordered = held.ordered,
		.repeated = held.twice >= 0 };

	if (held.holding == LSI_HOLDS_ARC) {
		out.holding = LS_HOLDS_RANGE;
		out.first = held.arc.first;
		out.count = held.arc.count;
	} else if (held.holding == LSI_HOLDS_SET) {
		out.holding = LS_HOLDS_RANKS;
		out.first = lsi_set_next(held.set, e->ranks, 0);
		out.count = 0;
		for (size_t i = 0; i < lsi_set_words(e); i++)
			out.count += __builtin_popcountll(held.set[i]);
	}
	return out;
}

int ls_replay_contents(
	const ls_replay *replay, int64_t rank, int buffer, int64_t block, struct ls_contents *out)
{
	struct ls_contents found = { .first = -1, .count = -1, .block = -1 };
	lsi_value value;

	if (!out || !find_value(replay, rank, buffer, block, &value))
		return LS_ERR_ARGUMENT;
	if (value != LSI_UNDEFINED)
		found = describe(&replay->checker->values, value);
	lsi_sized_write(out, &found, sizeof found);
	return LS_OK;
}

int64_t ls_replay_next(
	const ls_replay *replay, int64_t rank, int buffer, int64_t block, int64_t least)
{
	struct lsi_run run;
	lsi_value value;

	if (!find_value(replay, rank, buffer, block, &value) || value == LSI_UNDEFINED)
		return LS_NO_RANK;

	const struct lsi_expressions *e = &replay->checker->values;
	const struct lsi_contents held = lsi_expression_contents(e, value);

	return lsi_contents_run(&held, e->ranks, least > 0 ? least : 0, &run) ? run.first : LS_NO_RANK;
}

/* Add the block to the list, unless it holds nothing; false: no node has it. */
static bool list_block(const ls_replay *replay, int64_t rank, int buffer, int64_t block,
	struct lsi_contents_list *list)
{
	const struct lsi_expressions *e = &replay->checker->values;
	lsi_value value;

	if (!find_value(replay, rank, buffer, block, &value))
		return false;
	if (value != LSI_UNDEFINED)
		list->at[list->count++] =
			(struct lsi_block_contents){ .held = lsi_expression_contents(e, value),
				.block = lsi_expression_block(e, value) };
	return true;
}

/* An empty list with room for some blocks; list.at is NULL: no memory. */
static struct lsi_contents_list empty_list(const ls_replay *replay, int64_t blocks)
{
	const struct lsi_checker *c = replay->checker;

	return (struct lsi_contents_list){ .notation = lsi_notation_of(c->plan->problem.operation),
		.ranks = c->nodes,
		.blocks = c->values.blocks,
		.at = lsi_alloc((size_t)(blocks > 0 ? blocks : 0) * sizeof(struct lsi_block_contents)) };
}

int64_t ls_replay_text(
	const ls_replay *replay, int64_t rank, const struct ls_slice *slice, char *text, size_t size)
{
	if (!replay || !slice || (!text && size > 0))
		return LS_ERR_ARGUMENT;

	const int64_t blocks = ls_slice_blocks(slice);
	struct lsi_contents_list list = empty_list(replay, blocks);
	int64_t length = LS_ERR_ARGUMENT, k = 0;

	if (!list.at)
		return LS_ERR_MEMORY;
	while (k < blocks && list_block(replay, rank, slice->buffer, ls_slice_at(slice, k), &list))
		k++;
	if (k >= blocks)
		length = (int64_t)lsi_contents_text(&list, text, size);
	lsi_free(list.at);
	return length;
}

/* ---- Needs */

bool ls_replay_needs(const ls_replay *replay, int64_t rank, int buffer, int64_t block)
{
	lsi_value value;

	return replay && replay->observer.needs && find_value(replay, rank, buffer, block, &value)
		&& value != LSI_UNDEFINED && lsi_needs_block(&replay->needs, rank, buffer, block);
}

int64_t ls_replay_needed_text(
	const ls_replay *replay, int64_t rank, uint32_t buffers, char *text, size_t size)
{
	if (!replay || !replay->observer.needs || rank < 0 || rank >= replay->checker->nodes
		|| (!text && size > 0))
		return LS_ERR_ARGUMENT;

	struct lsi_contents_list list = empty_list(replay, replay->checker->cells);

	if (!list.at)
		return LS_ERR_MEMORY;
	for (int buffer = 0; buffer < LS_BUFFERS; buffer++) {
		const int64_t blocks = buffers >> buffer & 1 ? ls_replay_blocks(replay, buffer) : 0;

		for (int64_t b = 0; b < blocks; b++)
			if (ls_replay_needs(replay, rank, buffer, b))
				list_block(replay, rank, buffer, b, &list);
	}

	const int64_t length = (int64_t)lsi_contents_text(&list, text, size);

	lsi_free(list.at);
	return length;
}

/* ---- Values */

enum { OPERANDS = 2 };

/* Room for the values of all combinations that exist. */
static int reserve(const ls_replay *replay)
{
	struct lsi_evaluated *done = replay->evaluated;
	const size_t bytes = replay->observer.bytes, room = replay->checker->values.room;

	if (done->value && done->room >= room)
		return LS_OK;
	if (room > SIZE_MAX / bytes - OPERANDS)
		return LS_ERR_MEMORY;

	unsigned char *more = lsi_alloc_grow(
		done->value, done->value ? (OPERANDS + done->count) * bytes : 0, (OPERANDS + room) * bytes);

	if (!more)
		return LS_ERR_MEMORY;
	done->value = more;
	done->room = room;
	return LS_OK;
}

/* An evaluated value; a contribution is evaluated into the slot of the operand. */
static const void *evaluated(const ls_replay *replay, lsi_value value, int operand)
{
	const struct ls_observer *observer = &replay->observer;
	const struct lsi_expressions *e = &replay->checker->values;
	unsigned char *values = replay->evaluated->value;

	if (!lsi_expression_is_leaf(e, value))
		return values + (OPERANDS + value - 1 - (size_t)e->leaves) * observer->bytes;
	observer->operand(observer->context, lsi_expression_origin(e, value),
		lsi_expression_block(e, value), values + (size_t)operand * observer->bytes);
	return values + (size_t)operand * observer->bytes;
}

/* Evaluate the combinations up to a value, in the order in which they were made. */
static void evaluate(const ls_replay *replay, lsi_value value)
{
	const struct ls_observer *observer = &replay->observer;
	const struct lsi_expressions *e = &replay->checker->values;
	struct lsi_evaluated *done = replay->evaluated;

	for (; (size_t)e->leaves + done->count < value; done->count++) {
		const struct lsi_expression *x = &e->made[done->count];

		observer->combine(observer->context, evaluated(replay, x->a, 0), evaluated(replay, x->b, 1),
			done->value + (OPERANDS + done->count) * observer->bytes);
	}
}

int ls_replay_value(const ls_replay *replay, int64_t rank, int buffer, int64_t block, void *out)
{
	lsi_value value;

	if (!out || !find_value(replay, rank, buffer, block, &value) || value == LSI_UNDEFINED
		|| replay->observer.bytes == 0)
		return LS_ERR_ARGUMENT;
	if (reserve(replay) != LS_OK)
		return LS_ERR_MEMORY;
	evaluate(replay, value);
	memcpy(out, evaluated(replay, value, 0), replay->observer.bytes);
	return LS_OK;
}
