/*
 * In a replay terms take the place of elements.  Equal terms have equal numbers.
 *
 *     node 0   INPUT[0] = 0 --.                       number   term
 *                              \                         0     operand of node 0
 *     node 1   INPUT[0] = 1     +->  OUTPUT[0] = 2       1     operand of node 1
 *                                                        2     0 (+) 1
 */
#include "data/plan_terms.h"

#include "base/messages.h"

#include <stdlib.h>
#include <string.h>

/* Limits: steps of all nodes; blocks that are stored or moved. */
enum { STEPS_MOST = 1 << 21, BLOCKS_MOST = 1 << 24 };

/* A growing list of terms. */
struct terms {
	int32_t *term;
	size_t count, room;
};

struct message {
	int64_t src, next; /* next: to the same node; -1: none */
	size_t first, count;
};

struct replay {
	const ls_plan *plan;
	struct ls_request request; /* of the plan */
	struct plan_terms *out;
	int64_t nodes;
	size_t left; /* blocks until the limit */

	struct terms *buffer; /* [node * LS_BUFFERS + buffer] */
	struct terms sent;    /* contents of the messages of this step */
	struct message *message;
	int64_t messages, *inbox; /* the first message to each node; -1: none */

	int32_t room;   /* for combinations */
	int32_t *table; /* of terms by hash; 0: empty; 2 * room entries */
};

/* ---- Terms */

static void spend(struct replay *replay, size_t blocks)
{
	replay->left = blocks < replay->left ? replay->left - blocks : 0;
}

/* Grows the list to at least `count` terms; new ones are NO_TERM. */
static void extend(struct replay *replay, struct terms *list, size_t count)
{
	if (count > list->room) {
		list->room = count > 2 * list->room ? count : 2 * list->room;
		list->term = require_memory(realloc(list->term, list->room * sizeof *list->term));
	}
	if (count > list->count)
		spend(replay, count - list->count);
	while (list->count < count)
		list->term[list->count++] = NO_TERM;
}

static int32_t *find_entry(const struct replay *replay, int32_t left, int32_t right)
{
	const uint64_t hash = ((uint64_t)left << 32 | (uint32_t)right) * UINT64_C(0x9e3779b97f4a7c15);
	const size_t mask = 2 * (size_t)replay->room - 1;
	size_t i = (size_t)(hash >> 32) & mask;

	for (; replay->table[i] > 0; i = (i + 1) & mask) {
		const struct combination *found = &replay->out->combination[replay->table[i] - 1];

		if (found->left == left && found->right == right)
			break;
	}
	return &replay->table[i];
}

static void grow_combinations(struct replay *replay)
{
	replay->room = replay->room ? 2 * replay->room : 1024;
	replay->out->combination = require_memory(
		realloc(replay->out->combination, (size_t)replay->room * sizeof *replay->out->combination));
	free(replay->table);
	replay->table = require_memory(calloc(2 * (size_t)replay->room, sizeof *replay->table));
	for (int32_t i = 0; i < replay->out->combinations; i++)
		*find_entry(replay, replay->out->combination[i].left, replay->out->combination[i].right) =
			i + 1;
}

const struct combination *combination_of(const struct plan_terms *terms, int32_t term)
{
	return term < terms->operands ? NULL : &terms->combination[term - terms->operands];
}

static int32_t block_of(const struct plan_terms *terms, int32_t term)
{
	const struct combination *found = combination_of(terms, term);

	return found ? found->block : (int32_t)(term % terms->blocks);
}

static int32_t combine(struct replay *replay, int32_t left, int32_t right)
{
	int32_t *entry;

	if (left == NO_TERM || right == NO_TERM)
		return NO_TERM;
	if (replay->out->combinations == replay->room)
		grow_combinations(replay);
	entry = find_entry(replay, left, right);
	if (*entry == 0) {
		replay->out->combination[replay->out->combinations] =
			(struct combination){ left, right, block_of(replay->out, left) };
		*entry = ++replay->out->combinations;
	}
	return (int32_t)replay->out->operands + *entry - 1;
}

/* ---- Buffers */

struct place {
	int buffer;
	int64_t block;
};

/* In place, OUTPUT[b] is INPUT[b]; of a reduce-scatter, OUTPUT[0] is INPUT[rank]. */
static struct place place_of(const struct replay *replay, int64_t rank, int buffer, int64_t block)
{
	if (buffer != LS_OUTPUT || !replay->request.in_place)
		return (struct place){ buffer, block };
	return (
		struct place){ LS_INPUT, replay->request.operation == LS_REDUCE_SCATTER ? rank : block };
}

static struct terms *buffer_at(const struct replay *replay, int64_t rank, int buffer)
{
	return &replay->buffer[rank * LS_BUFFERS + buffer];
}

static int32_t term_at(const struct replay *replay, int64_t rank, int buffer, int64_t block)
{
	const struct place place = place_of(replay, rank, buffer, block);
	const struct terms *list = buffer_at(replay, rank, place.buffer);

	return (size_t)place.block < list->count ? list->term[place.block] : NO_TERM;
}

static int32_t slice_term(
	const struct replay *replay, int64_t rank, const struct ls_slice *slice, int64_t k)
{
	return term_at(replay, rank, slice->buffer, ls_slice_at(slice, k));
}

static void put_term(struct replay *replay, int64_t rank, int buffer, int64_t block, int32_t term)
{
	const struct place place = place_of(replay, rank, buffer, block);
	struct terms *list = buffer_at(replay, rank, place.buffer);

	extend(replay, list, (size_t)place.block + 1);
	list->term[place.block] = term;
}

/* ---- Steps */

static void send_blocks(
	struct replay *replay, int64_t src, int64_t dst, const struct ls_slice *slice)
{
	const size_t first = replay->sent.count, count = (size_t)ls_slice_blocks(slice);
	struct message *message = &replay->message[replay->messages];

	*message = (struct message){ src, replay->inbox[dst], first, count };
	replay->inbox[dst] = replay->messages++;
	extend(replay, &replay->sent, first + count);
	for (size_t k = 0; k < count; k++)
		replay->sent.term[first + k] = slice_term(replay, src, slice, (int64_t)k);
}

static void receive_blocks(struct replay *replay, int64_t dst, int port, int64_t src)
{
	struct terms *arrival = buffer_at(replay, dst, LS_ARRIVAL + port);
	int64_t i = replay->inbox[dst];

	while (i >= 0 && replay->message[i].src != src)
		i = replay->message[i].next;
	arrival->count = 0;
	if (i < 0)
		return;
	extend(replay, arrival, replay->message[i].count);
	memcpy(arrival->term, replay->sent.term + replay->message[i].first,
		arrival->count * sizeof *arrival->term);
}

static void apply_move(struct replay *replay, int64_t rank, const struct ls_move *move)
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
static void send_messages(struct replay *replay, int64_t index)
{
	struct ls_step step;

	for (int64_t r = 0; r < replay->nodes && replay->left > 0; r++) {
		ls_plan_step(replay->plan, r, index, &step);
		for (int q = 0; q < step.ports; q++)
			if (step.to[q] != LS_NO_RANK)
				send_blocks(replay, r, step.to[q], &step.send[q]);
	}
}

static void replay_step(struct replay *replay, int64_t index)
{
	struct ls_step step;

	replay->messages = 0;
	replay->sent.count = 0;
	for (int64_t r = 0; r < replay->nodes; r++)
		replay->inbox[r] = -1;
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

/* False: it exceeds the limits. */
static bool replay_steps(struct replay *replay)
{
	const int64_t p = replay->nodes, blocks = replay->out->blocks;
	const int64_t steps = ls_plan_steps(replay->plan);

	if (p > STEPS_MOST || steps > STEPS_MOST / p || blocks > BLOCKS_MOST / p)
		return false;
	replay->buffer = require_memory(calloc((size_t)p * LS_BUFFERS, sizeof *replay->buffer));
	replay->message = require_memory(calloc((size_t)p * LS_PORTS, sizeof *replay->message));
	replay->inbox = require_memory(calloc((size_t)p, sizeof *replay->inbox));
	for (int64_t r = 0; r < p; r++)
		for (int64_t b = blocks - 1; b >= 0; b--)
			put_term(replay, r, LS_INPUT, b, (int32_t)(r * blocks + b));
	for (int64_t step = 0; step < steps && replay->left > 0; step++)
		replay_step(replay, step);
	return replay->left > 0;
}

static void replay_end(struct replay *replay)
{
	for (int64_t i = 0; replay->buffer && i < replay->nodes * LS_BUFFERS; i++)
		free(replay->buffer[i].term);
	free(replay->buffer);
	free(replay->sent.term);
	free(replay->message);
	free(replay->inbox);
	free(replay->table);
}

/* ---- Results */

/* Node 0 has no result of an exscan. */
static int32_t output_term(const struct replay *replay, int64_t rank, int64_t block)
{
	return replay->request.operation == LS_EXSCAN && rank == 0
		? NO_TERM
		: term_at(replay, rank, LS_OUTPUT, block);
}

static bool results_are_equal(const struct replay *replay)
{
	for (int64_t r = 1; r < replay->nodes; r++)
		for (int64_t b = 0; b < replay->out->blocks; b++)
			if (output_term(replay, r, b) != output_term(replay, 0, b))
				return false;
	return true;
}

/* Only results of the right block count. */
static void collect_results(const struct replay *replay)
{
	struct plan_terms *out = replay->out;
	const bool is_rooted = replay->request.operation == LS_REDUCE;
	const int64_t blocks = out->scatters ? 1 : out->blocks;

	out->rows = is_rooted || (!out->scatters && results_are_equal(replay)) ? 1 : replay->nodes;
	out->result = require_memory(calloc((size_t)(out->rows * blocks), sizeof *out->result));
	for (int64_t row = 0; row < out->rows; row++)
		for (int64_t b = 0; b < blocks; b++) {
			const int64_t rank = is_rooted ? replay->request.root : row;
			const int32_t term = output_term(replay, rank, b);
			const bool fits = term != NO_TERM && block_of(out, term) == (out->scatters ? row : b);

			out->result[row * blocks + b] = fits ? term : NO_TERM;
		}
}

int32_t result_term(const struct plan_terms *terms, int64_t row, int64_t block)
{
	if (terms->scatters)
		return row == block ? terms->result[row] : NO_TERM;
	return terms->result[row * terms->blocks + block];
}

bool plan_terms_make(const ls_plan *plan, struct plan_terms *out)
{
	struct replay replay = { .plan = plan,
		.request = { .size = sizeof replay.request },
		.out = out,
		.nodes = ls_plan_nodes(plan),
		.left = BLOCKS_MOST };
	const int64_t blocks = ls_plan_blocks(plan);
	bool fits;

	ls_plan_request(plan, &replay.request);
	*out = (struct plan_terms){ .blocks = blocks,
		.scatters = replay.request.operation == LS_REDUCE_SCATTER };
	if (__builtin_mul_overflow(replay.nodes, blocks, &out->operands))
		return false;
	fits = replay_steps(&replay);
	if (fits)
		collect_results(&replay);
	replay_end(&replay);
	return fits;
}

void plan_terms_destroy(struct plan_terms *terms)
{
	free(terms->combination);
	free(terms->result);
}
