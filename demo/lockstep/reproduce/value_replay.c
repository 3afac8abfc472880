/*
 * Replays a plan on values and records the blocks that each node holds after each round.
 */
#include "reproduce/reproduce.h"
#include "reproduce/evidence.h"
#include "base/messages.h"

#include <stdlib.h>
#include <string.h>

struct block_list {
	struct block_value *value;
	int64_t count;
};

/* Buffers of a node; blocks that the plan never wrote are zero. */
struct node_store {
	struct block_list buffer[LS_BUFFERS];
};

static bool is_exchange(const struct plan_replay *play)
{
	return ls_plan_operation(play->plan) == LS_ALLTOALL;
}

/* The origin is r*p + b for block b of node r in an all-to-all, b in a scatter, r otherwise. */
static struct block_value input_value(const struct plan_replay *play, int64_t rank, int64_t block)
{
	const int64_t origin = is_exchange(play)          ? rank * play->nodes + block
		: ls_plan_operation(play->plan) == LS_SCATTER ? block
													  : rank;
	struct block_value value = { .number = rank + play->first };

	if (origin < 128)
		value.origins[origin / 64] = UINT64_C(1) << origin % 64;
	return value;
}

static struct block_value block_value_at(
	const struct plan_replay *play, int64_t rank, int buffer, int64_t block)
{
	const struct block_list *list = &play->store[rank].buffer[buffer];

	if (buffer == LS_INPUT)
		return input_value(play, rank, block);
	return block < list->count ? list->value[block] : (struct block_value){ 0 };
}

static struct block_value *written_block(
	struct plan_replay *play, int64_t rank, int buffer, int64_t block)
{
	struct block_list *list = &play->store[rank].buffer[buffer];

	if (block >= list->count) {
		list->value =
			require_memory(realloc(list->value, (size_t)(block + 1) * sizeof *list->value));
		memset(
			list->value + list->count, 0, (size_t)(block + 1 - list->count) * sizeof *list->value);
		list->count = block + 1;
	}
	return &list->value[block];
}

static void add_origins(uint64_t to[2], const uint64_t from[2])
{
	to[0] |= from[0];
	to[1] |= from[1];
}

static void add_value(struct block_value *sum, struct block_value value)
{
	sum->number += value.number;
	add_origins(sum->origins, value.origins);
}

static struct block_value slice_value(
	const struct plan_replay *play, int64_t rank, const struct ls_slice *slice, int64_t k)
{
	return block_value_at(play, rank, slice->buffer, ls_slice_at(slice, k));
}

static void apply_move(struct plan_replay *play, int64_t rank, const struct ls_move *move)
{
	const int64_t blocks = ls_slice_blocks(&move->dst);
	const int64_t parts = move->action == LS_FOLD ? ls_slice_blocks(&move->a) / blocks : 1;

	for (int64_t k = 0; k < blocks; k++) {
		struct block_value value = slice_value(play, rank, &move->a, k);

		for (int64_t part = 1; part < parts; part++)
			add_value(&value, slice_value(play, rank, &move->a, part * blocks + k));
		if (move->action == LS_COMBINE)
			add_value(&value, slice_value(play, rank, &move->b, k));
		*written_block(play, rank, move->dst.buffer, ls_slice_at(&move->dst, k)) = value;
	}
}

static bool sender_gives_up_blocks(const struct plan_replay *play)
{
	const enum ls_operation operation = ls_plan_operation(play->plan);

	return operation == LS_ALLTOALL || operation == LS_SCATTER || operation == LS_GATHER
		|| operation == LS_SHIFT;
}

static void deliver(struct plan_replay *play, const struct replay_message *message)
{
	struct block_list *arrival = &play->store[message->dst].buffer[LS_ARRIVAL];

	free(arrival->value);
	arrival->value = require_memory(calloc((size_t)message->count + 1, sizeof *arrival->value));
	arrival->count = message->count;
	for (int64_t k = 0; k < message->count; k++) {
		const uint64_t *origins = message->value[k].origins;

		arrival->value[k] = message->value[k];
		add_origins(play->held[message->dst], origins);
		for (int i = 0; sender_gives_up_blocks(play) && i < 2; i++)
			play->held[message->src][i] &= ~origins[i];
	}
}

static void free_messages(struct plan_replay *play)
{
	for (size_t i = 0; i < play->messages; i++)
		free(play->message[i].value);
	play->messages = 0;
}

static void record_message(
	struct plan_replay *play, int64_t src, int64_t dst, const struct ls_slice *slice)
{
	const int64_t count = ls_slice_blocks(slice);
	struct replay_message *message = &play->message[play->messages++];

	*message = (struct replay_message){ src, dst, count,
		require_memory(calloc((size_t)count + 1, sizeof *message->value)) };
	for (int64_t k = 0; k < count; k++)
		message->value[k] = slice_value(play, src, slice, k);
}

/* Nodes have one port, as in the textbook. */
static void replay_step(struct plan_replay *play)
{
	struct ls_step *step = require_memory(calloc((size_t)play->nodes, sizeof *step));

	if (!ls_plan_is_local(play->plan, play->step))
		free_messages(play);
	for (int64_t r = 0; r < play->nodes; r++) {
		ls_plan_step(play->plan, r, play->step, &step[r]);
		if (step[r].ports > 0 && step[r].to[0] != LS_NO_RANK)
			record_message(play, r, step[r].to[0], &step[r].send[0]);
	}
	for (size_t i = 0; i < play->messages && !ls_plan_is_local(play->plan, play->step); i++)
		deliver(play, &play->message[i]);
	for (int64_t r = 0; r < play->nodes; r++)
		for (int i = 0; i < step[r].n_moves; i++)
			apply_move(play, r, &step[r].move[i]);
	free(step);
	play->step++;
}

struct plan_replay plan_replay_begin(const ls_plan *plan, int64_t first)
{
	const int64_t p = ls_plan_nodes(plan);
	struct plan_replay play = { .plan = plan, .nodes = p, .first = first };

	record_method(METHOD_REPLAY, p);
	play.store = require_memory(calloc((size_t)p, sizeof *play.store));
	play.held = require_memory(calloc((size_t)p, sizeof *play.held));
	play.message = require_memory(calloc((size_t)p, sizeof *play.message));
	for (int64_t r = 0; r < p; r++)
		for (int64_t b = 0; b < (is_exchange(&play) ? p : 1); b++)
			add_origins(play.held[r], input_value(&play, r, b).origins);
	for (int64_t r = 0; ls_plan_operation(plan) == LS_SCATTER && r < p; r++) {
		play.held[r][0] = play.held[r][1] = 0;
		for (int64_t b = 0; b < p && r == 0; b++)
			add_origins(play.held[r], input_value(&play, r, b).origins);
	}
	return play;
}

/* Local steps after the last round belong to that round. */
bool plan_replay_round(struct plan_replay *play)
{
	bool done = false;

	while (!done && play->step < ls_plan_steps(play->plan)) {
		done = !ls_plan_is_local(play->plan, play->step);
		replay_step(play);
	}
	play->round += done;
	while (
		done && play->round == ls_plan_rounds(play->plan) && play->step < ls_plan_steps(play->plan))
		replay_step(play);
	return done;
}

void plan_replay_end(struct plan_replay *play)
{
	free_messages(play);
	for (int64_t r = 0; r < play->nodes; r++)
		for (int b = 0; b < LS_BUFFERS; b++)
			free(play->store[r].buffer[b].value);
	free(play->store);
	free(play->held);
	free(play->message);
}

void format_origins(const uint64_t origins[2], char *text, size_t size)
{
	size_t used = (size_t)snprintf(text, size, "(");

	for (int i = 0; i < 128 && used + 8 < size; i++)
		if (origins[i / 64] >> i % 64 & 1)
			used += (size_t)snprintf(text + used, size - used, used > 1 ? ",%d" : "%d", i);
	snprintf(text + used, size - used, ")");
}
