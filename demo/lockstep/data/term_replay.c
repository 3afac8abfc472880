#include "data/term_replay.h"

#include "base/messages.h"

#include <stdlib.h>

/* ---- Terms */

static int32_t *find_entry(const struct term_set *set, int32_t left, int32_t right)
{
	const uint64_t hash = ((uint64_t)left << 32 | (uint32_t)right) * UINT64_C(0x9e3779b97f4a7c15);
	const size_t mask = 2 * (size_t)set->room - 1;
	size_t i = (size_t)(hash >> 32) & mask;

	for (; set->table[i] > 0; i = (i + 1) & mask) {
		const struct combination *found = &set->combination[set->table[i] - 1];

		if (found->left == left && found->right == right)
			break;
	}
	return &set->table[i];
}

const struct combination *combination_of(const struct term_set *set, int32_t term)
{
	return term < set->operands ? NULL : &set->combination[term - set->operands];
}

int32_t block_of(const struct term_set *set, int32_t term)
{
	const struct combination *found = combination_of(set, term);

	return found ? found->block : (int32_t)(term % set->blocks);
}

/* ---- Limits */

static void spend(struct term_replay *replay, size_t blocks)
{
	replay->left = blocks < replay->left ? replay->left - blocks : 0;
}

/* False: the replay ends. */
static bool take_memory(struct term_replay *replay, size_t bytes)
{
	if (bytes > replay->memory) {
		replay->left = 0;
		return false;
	}
	replay->memory -= bytes;
	return true;
}

/* Grows the list to at least `count` terms; new ones are NO_TERM.  False: over a limit. */
static bool extend(struct term_replay *replay, struct terms *list, size_t count)
{
	enum { OVERHEAD = 32 }; /* bytes of an allocation */

	if (count > list->room) {
		const size_t room = count > 2 * list->room ? count : 2 * list->room;

		if (!take_memory(
				replay, (room - list->room) * sizeof *list->term + (list->room ? 0 : OVERHEAD)))
			return false;
		list->room = room;
		list->term = require_memory(realloc(list->term, room * sizeof *list->term));
	}
	if (count > list->count)
		spend(replay, count - list->count);
	while (list->count < count)
		list->term[list->count++] = NO_TERM;
	return true;
}

static bool grow_combinations(struct term_replay *replay)
{
	struct term_set *set = &replay->set;
	const int32_t room = set->room ? 2 * set->room : 1024;
	const size_t bytes = sizeof *set->combination + 2 * sizeof *set->table;

	if (!take_memory(replay, (size_t)(room - set->room) * bytes))
		return false;
	set->room = room;
	set->combination =
		require_memory(realloc(set->combination, (size_t)room * sizeof *set->combination));
	free(set->table);
	set->table = require_memory(calloc(2 * (size_t)room, sizeof *set->table));
	for (int32_t i = 0; i < set->combinations; i++)
		*find_entry(set, set->combination[i].left, set->combination[i].right) = i + 1;
	return true;
}

static int32_t combine(struct term_replay *replay, int32_t left, int32_t right)
{
	struct term_set *set = &replay->set;
	int32_t *entry;

	if (left == NO_TERM || right == NO_TERM
		|| (set->combinations == set->room && !grow_combinations(replay)))
		return NO_TERM;
	entry = find_entry(set, left, right);
	if (*entry == 0) {
		set->combination[set->combinations] =
			(struct combination){ left, right, block_of(set, left) };
		*entry = ++set->combinations;
	}
	return (int32_t)set->operands + *entry - 1;
}

/* ---- Buffers */

struct place {
	int buffer;
	int64_t block;
};

/* In place, OUTPUT[b] is INPUT[b]; of a reduce-scatter, OUTPUT[0] is INPUT[rank]. */
static struct place place_of(
	const struct term_replay *replay, int64_t rank, int buffer, int64_t block)
{
	if (buffer != LS_OUTPUT || !replay->request.in_place)
		return (struct place){ buffer, block };
	return (
		struct place){ LS_INPUT, replay->request.operation == LS_REDUCE_SCATTER ? rank : block };
}

static struct terms *buffer_at(const struct term_replay *replay, int64_t rank, int buffer)
{
	return &replay->buffer[rank * LS_BUFFERS + buffer];
}

int32_t term_at(const struct term_replay *replay, int64_t rank, int buffer, int64_t block)
{
	const struct place place = place_of(replay, rank, buffer, block);
	const struct terms *list = buffer_at(replay, rank, place.buffer);

	return (size_t)place.block < list->count ? list->term[place.block] : NO_TERM;
}

static int32_t slice_term(
	const struct term_replay *replay, int64_t rank, const struct ls_slice *slice, int64_t k)
{
	return term_at(replay, rank, slice->buffer, ls_slice_at(slice, k));
}

static void put_term(
	struct term_replay *replay, int64_t rank, int buffer, int64_t block, int32_t term)
{
	const struct place place = place_of(replay, rank, buffer, block);
	struct terms *list = buffer_at(replay, rank, place.buffer);

	if (extend(replay, list, (size_t)place.block + 1))
		list->term[place.block] = term;
}

/* ---- Steps */

static void send_blocks(
	struct term_replay *replay, int64_t src, int64_t dst, const struct ls_slice *slice)
{
	const size_t first = replay->sent.count, count = (size_t)ls_slice_blocks(slice);

	if (!extend(replay, &replay->sent, first + count))
		return;
	for (size_t k = 0; k < count; k++)
		replay->sent.term[first + k] = slice_term(replay, src, slice, (int64_t)k);
	replay->message[replay->messages] =
		(struct term_message){ src, dst, replay->inbox[dst], first, count };
	replay->inbox[dst] = replay->messages++;
}

static void receive_blocks(struct term_replay *replay, int64_t dst, int port, int64_t src)
{
	struct terms *arrival = buffer_at(replay, dst, LS_ARRIVAL + port);
	int64_t i = replay->inbox[dst];

	while (i >= 0 && replay->message[i].src != src)
		i = replay->message[i].next;
	arrival->count = 0;
	if (i < 0 || !extend(replay, arrival, replay->message[i].count))
		return;
	for (size_t k = 0; k < arrival->count; k++)
		arrival->term[k] = replay->sent.term[replay->message[i].first + k];
}

static void apply_move(struct term_replay *replay, int64_t rank, const struct ls_move *move)
{
	const int64_t blocks = ls_slice_blocks(&move->dst);
	const int64_t parts = move->action == LS_FOLD ? ls_slice_blocks(&move->a) / blocks : 1;

	spend(replay, (size_t)(blocks * parts));
	for (int64_t k = 0; k < blocks; k++) {
		int32_t term = slice_term(replay, rank, &move->a, k);

		for (int64_t part = 1; part < parts; part++)
			term = combine(replay, term, slice_term(replay, rank, &move->a, part * blocks + k));
		if (move->action == LS_COMBINE)
			term = combine(replay, term, slice_term(replay, rank, &move->b, k));
		put_term(replay, rank, move->dst.buffer, ls_slice_at(&move->dst, k), term);
	}
}

/* Messages carry the contents that blocks have when the step begins. */
static void send_messages(struct term_replay *replay, int64_t index)
{
	struct ls_step step;

	replay->messages = 0;
	replay->sent.count = 0;
	for (int64_t r = 0; r < replay->nodes; r++)
		replay->inbox[r] = -1;
	for (int64_t r = 0; r < replay->nodes && replay->left > 0; r++) {
		ls_plan_step(replay->plan, r, index, &step);
		for (int q = 0; q < step.ports; q++)
			if (step.to[q] != LS_NO_RANK)
				send_blocks(replay, r, step.to[q], &step.send[q]);
	}
}

void term_replay_step(struct term_replay *replay, int64_t index)
{
	struct ls_step step;

	if (!ls_plan_is_local(replay->plan, index))
		send_messages(replay, index);
	for (int64_t r = 0; r < replay->nodes && replay->left > 0; r++) {
		ls_plan_step(replay->plan, r, index, &step);
		for (int q = 0; q < step.ports; q++)
			if (step.from[q] != LS_NO_RANK)
				receive_blocks(replay, r, q, step.from[q]);
		for (int i = 0; i < step.n_moves; i++)
			apply_move(replay, r, &step.move[i]);
	}
}

/* ---- Replay */

struct term_replay term_replay_begin(const ls_plan *plan, size_t blocks, size_t memory)
{
	const int64_t p = ls_plan_nodes(plan), B = ls_plan_blocks(plan);
	struct term_replay replay = { .plan = plan,
		.request = { .size = sizeof replay.request },
		.nodes = p,
		.set = { .blocks = B, .operands = p * B },
		.left = blocks,
		.memory = memory };

	ls_plan_request(plan, &replay.request);
	if (!take_memory(&replay,
			(size_t)p
				* (LS_BUFFERS * sizeof *replay.buffer + LS_PORTS * sizeof *replay.message
					+ sizeof *replay.inbox)))
		return replay;
	replay.buffer = require_memory(calloc((size_t)p * LS_BUFFERS, sizeof *replay.buffer));
	replay.message = require_memory(calloc((size_t)p * LS_PORTS, sizeof *replay.message));
	replay.inbox = require_memory(calloc((size_t)p, sizeof *replay.inbox));
	for (int64_t r = 0; r < p; r++)
		for (int64_t b = B - 1; b >= 0; b--)
			put_term(&replay, r, LS_INPUT, b, (int32_t)(r * B + b));
	return replay;
}

void term_replay_end(struct term_replay *replay)
{
	for (int64_t i = 0; replay->buffer && i < replay->nodes * LS_BUFFERS; i++)
		free(replay->buffer[i].term);
	free(replay->buffer);
	free(replay->message);
	free(replay->inbox);
	free(replay->sent.term);
	free(replay->set.table);
	replay->set.table = NULL;
}
