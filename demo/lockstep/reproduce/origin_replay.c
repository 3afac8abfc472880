/*
 * Replays a plan to show the blocks of operands that nodes send and hold.
 */
#include "reproduce/reproduce.h"
#include "reproduce/evidence.h"
#include "base/messages.h"

#include <stdlib.h>

static void add_origins(struct origins *to, struct origins from)
{
	to->bits[0] |= from.bits[0];
	to->bits[1] |= from.bits[1];
}

/* The origin is r*p + b for block b of node r in an all-to-all, b in a scatter, r otherwise. */
static struct origins origins_of_operand(
	const struct origin_replay *replay, int64_t rank, int64_t block)
{
	const enum ls_operation operation = ls_plan_operation(replay->plan);
	const int64_t origin = operation == LS_ALLTOALL ? rank * replay->nodes + block
		: operation == LS_SCATTER                   ? block
													: rank;
	struct origins origins = { { 0 } };

	if (origin < 128)
		origins.bits[origin / 64] = UINT64_C(1) << origin % 64;
	return origins;
}

static struct origins origins_of(const struct origin_replay *replay, int32_t term)
{
	const struct term_set *set = &replay->terms.set;
	struct origins origins = { { 0 } };

	if (term == NO_TERM)
		return origins;

	const struct combination *combination = combination_of(set, term);

	if (!combination)
		return origins_of_operand(replay, term / set->blocks, term % set->blocks);
	add_origins(&origins, origins_of(replay, combination->left));
	add_origins(&origins, origins_of(replay, combination->right));
	return origins;
}

struct origins origins_of_message(
	const struct origin_replay *replay, const struct term_message *message)
{
	struct origins origins = { { 0 } };

	for (size_t k = message->first; k < message->first + message->count; k++)
		add_origins(&origins, origins_of(replay, replay->terms.sent.term[k]));
	return origins;
}

static bool sender_gives_up_blocks(const struct origin_replay *replay)
{
	const enum ls_operation operation = ls_plan_operation(replay->plan);

	return operation == LS_ALLTOALL || operation == LS_SCATTER || operation == LS_GATHER
		|| operation == LS_SHIFT;
}

static void deliver(struct origin_replay *replay, const struct term_message *message)
{
	const struct origins origins = origins_of_message(replay, message);

	add_origins(&replay->held[message->dst], origins);
	for (int i = 0; sender_gives_up_blocks(replay) && i < 2; i++)
		replay->held[message->src].bits[i] &= ~origins.bits[i];
}

/* True: it is a round. */
static bool next_step(struct origin_replay *replay)
{
	const bool is_round = !ls_plan_is_local(replay->plan, replay->step);

	term_replay_step(&replay->terms, replay->step++);
	for (int64_t i = 0; i < replay->terms.messages && is_round; i++)
		deliver(replay, &replay->terms.message[i]);
	return is_round;
}

/* Blocks that a node has at the beginning. */
static int64_t blocks_of(const struct origin_replay *replay, int64_t rank)
{
	switch (ls_plan_operation(replay->plan)) {
	case LS_ALLTOALL:
		return replay->nodes;
	case LS_SCATTER:
		return rank == 0 ? replay->nodes : 0;
	default:
		return 1;
	}
}

struct origin_replay origin_replay_begin(const ls_plan *plan)
{
	const int64_t p = ls_plan_nodes(plan);
	struct origin_replay replay = { .plan = plan, .nodes = p };

	record_method(METHOD_REPLAY, p);
	replay.terms = term_replay_begin(plan, SIZE_MAX, SIZE_MAX);
	replay.held = require_memory(calloc((size_t)p, sizeof *replay.held));
	for (int64_t r = 0; r < p; r++)
		for (int64_t b = 0; b < blocks_of(&replay, r); b++)
			add_origins(&replay.held[r], origins_of_operand(&replay, r, b));
	return replay;
}

/* Local steps after the last round belong to that round. */
bool origin_replay_round(struct origin_replay *replay)
{
	const int64_t steps = ls_plan_steps(replay->plan);
	bool done = false;

	while (!done && replay->step < steps)
		done = next_step(replay);
	replay->round += done;
	while (done && replay->round == ls_plan_rounds(replay->plan) && replay->step < steps)
		next_step(replay);
	return done;
}

void origin_replay_end(struct origin_replay *replay)
{
	term_replay_end(&replay->terms);
	free(replay->terms.set.combination);
	free(replay->held);
}

void format_origins(struct origins origins, char *text, size_t size)
{
	size_t used = (size_t)snprintf(text, size, "(");

	for (int i = 0; i < 128 && used + 8 < size; i++)
		if (has_origin(origins, i))
			used += (size_t)snprintf(text + used, size - used, used > 1 ? ",%d" : "%d", i);
	snprintf(text + used, size - used, ")");
}
