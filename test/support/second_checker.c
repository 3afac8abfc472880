/*
 * The laws of docs/architecture.md on a plan that was read: nodes hold sequences of contributions.
 */
#include "support/second_checker.h"

#include <stdio.h>
#include <string.h>

bool second_broken(struct checker *c, int law, int node, int step, const char *what)
{
	if (!*c->why)
		snprintf(c->why, 200, "law %d: node %d: step %d: %s", law, node, step + 1, what);
	return false;
}

/* ---- Buffers */

bool second_has_buffer(const struct checker *c, int node, int buffer)
{
	const bool is_root = node == c->plan->root;

	return buffer == IN    ? is_root || !c->info->from_root
		: buffer == OUT    ? is_root || !c->info->at_root
		: buffer < SCRATCH ? c->arrived[node][buffer - ARRIVED].blocks >= 0
						   : c->plan->slots[buffer - SCRATCH] > 0;
}

int64_t second_blocks_of(const struct checker *c, int node, int buffer)
{
	const enum ls_buffer_form form = buffer == IN ? c->info->input : c->info->output;

	if (buffer >= SCRATCH)
		return c->plan->slots[buffer - SCRATCH];
	if (buffer >= ARRIVED)
		return c->arrived[node][buffer - ARRIVED].blocks;
	return form == LS_VECTOR ? c->blocks : form == LS_BLOCKS ? c->plan->nodes : 1;
}

/* Blocks of one class have equal lengths, whatever the call. */
static int length_class(const struct checker *c, int node, int buffer, int64_t block)
{
	const enum ls_operation operation = (enum ls_operation)c->plan->operation;
	const enum ls_buffer_form form = buffer == IN ? c->info->input : c->info->output;

	if (operation == LS_ALLTOALL || operation == LS_SHIFT || operation == LS_BARRIER)
		return 0;
	if (buffer >= SCRATCH) {
		const int64_t each = c->plan->each[buffer - SCRATCH];

		return (int)((each ? block / each : block) % c->blocks);
	}
	if (buffer >= ARRIVED)
		return c->arrived[node][buffer - ARRIVED].length[block];
	return form == LS_BLOCK ? node : (int)block;
}

/* In place, the block of a node is a block of the other buffer, if that has P of them. */
int second_cell_of(const struct checker *c, int node, int buffer, int64_t block)
{
	if (buffer >= SCRATCH)
		return (2 + buffer - SCRATCH) * PLAN_BLOCKS
			+ (int)(block % c->plan->slots[buffer - SCRATCH]);
	if (c->plan->is_in_place && buffer == OUT && second_has_buffer(c, node, IN)) {
		if (c->info->input == LS_BLOCKS && c->info->output == LS_BLOCK)
			block = node;
		buffer = IN;
		return (int)block + buffer;
	}
	if (c->plan->is_in_place && buffer == IN && c->info->input == LS_BLOCK
		&& c->info->output == LS_BLOCKS && second_has_buffer(c, node, OUT))
		return node;
	return buffer * PLAN_BLOCKS + (int)block;
}

/* Scratch that has a slot for each block has no others. */
static bool has_block(const struct checker *c, int buffer, int64_t block, int64_t blocks)
{
	const int64_t each = buffer >= SCRATCH ? c->plan->each[buffer - SCRATCH] : 0;

	if (buffer >= SCRATCH && blocks != c->blocks * (each ? each : 1))
		return true;
	return block < blocks;
}

/* The blocks of a slice, all of which exist. */
static bool resolve(struct checker *c, int node, int step, struct plan_slice *slice)
{
	const int64_t blocks =
		second_has_buffer(c, node, slice->buffer) ? second_blocks_of(c, node, slice->buffer) : -1;

	if (blocks < 0)
		return second_broken(c, 0, node, step, "a buffer that it does not have");
	if (slice->blocks < 0) {
		if (blocks > PLAN_BLOCKS)
			return !(c->is_large = true);
		for (slice->blocks = 0; slice->blocks < blocks; slice->blocks++)
			slice->block[slice->blocks] = (int16_t)slice->blocks;
	}
	for (int i = 0; i < slice->blocks; i++)
		if (!has_block(c, slice->buffer, slice->block[i], blocks))
			return second_broken(c, 0, node, step, "a block that does not exist");
	return true;
}

/* ---- Values */

static uint64_t hash(uint64_t a, uint64_t b)
{
	uint64_t z = a * 0x9e3779b97f4a7c15u + b;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

struct value second_contribution(const struct checker *c, int node, int64_t block)
{
	const uint16_t term = (uint16_t)(node * PLAN_BLOCKS + block);

	return (struct value){ .is_defined = true,
		.length = length_class(c, node, IN, block),
		.terms = 1,
		.term = { term },
		.expression = hash(1, term) };
}

static struct value *value_at(struct checker *c, int node, const struct plan_slice *slice, int i)
{
	const int buffer = slice->buffer;

	return buffer >= ARRIVED && buffer < SCRATCH
		? &c->arrived[node][buffer - ARRIVED].value[slice->block[i]]
		: &c->cell[node][second_cell_of(c, node, buffer, slice->block[i])];
}

/* What a node reads was written, as a block of this length. */
static bool check_read(struct checker *c, int node, int step, const struct plan_slice *slice)
{
	for (int i = 0; i < slice->blocks; i++) {
		const struct value *value = value_at(c, node, slice, i);

		if (!value->is_defined)
			return second_broken(c, 5, node, step, "reads a block that was never written");
		if (value->length != length_class(c, node, slice->buffer, slice->block[i]))
			return second_broken(c, 0, node, step, "reads a block of another length");
	}
	return true;
}

static void insert(struct value *value, uint16_t term, bool is_set)
{
	int at = value->terms;

	if (is_set) {
		for (at = 0; at < value->terms && value->term[at] < term;)
			at++;
		if (at < value->terms && value->term[at] == term)
			return;
	}
	if (value->terms == TERMS) {
		value->is_over = true;
		return;
	}
	memmove(&value->term[at + 1], &value->term[at], (size_t)(value->terms - at) * sizeof(uint16_t));
	value->term[at] = term;
	value->terms++;
}

static void combine(const struct checker *c, struct value *left, const struct value *right)
{
	left->is_defined &= right->is_defined;
	left->is_over |= right->is_over;
	for (int i = 0; i < right->terms; i++)
		insert(left, right->term[i], c->claim == LS_IDEMPOTENT);
	left->expression = hash(left->expression * 3 + 2, right->expression);
}

/* ---- Steps */

static bool sends_cell(struct checker *c, int node, const struct plan_part *part, int cell)
{
	for (int q = 0; q < PLAN_PORTS; q++)
		for (int i = 0; part->send[q].is_there && i < part->send[q].slice.blocks; i++)
			if (second_cell_of(c, node, part->send[q].slice.buffer, part->send[q].slice.block[i])
				== cell)
				return true;
	return false;
}

static bool is_arrival(const struct plan_slice *slice)
{
	return slice->buffer >= ARRIVED && slice->buffer < SCRATCH;
}

/* The result is written as a whole: it equals an operand, if it may, or shares no block with it. */
static bool is_apart(struct checker *c, int node, const struct plan_slice *a,
	const struct plan_slice *b, bool may_equal)
{
	bool same = a->blocks == b->blocks, shared = false;

	if (is_arrival(b))
		return true;
	for (int i = 0; i < a->blocks; i++) {
		const int cell = second_cell_of(c, node, a->buffer, a->block[i]);

		same &= i < b->blocks && second_cell_of(c, node, b->buffer, b->block[i]) == cell;
		for (int k = 0; k < b->blocks; k++)
			shared |= second_cell_of(c, node, b->buffer, b->block[k]) == cell;
	}
	return (same && may_equal) || !shared;
}

static bool fits(
	struct checker *c, int node, const struct plan_slice *a, const struct plan_slice *b)
{
	for (int i = 0; i < b->blocks; i++)
		if (length_class(c, node, a->buffer, a->block[i % a->blocks])
			!= length_class(c, node, b->buffer, b->block[i]))
			return false;
	return true;
}

static bool check_move(
	struct checker *c, int node, int step, const struct plan_part *part, struct plan_move *move)
{
	struct plan_slice *x = &move->result, *y = &move->left, *z = &move->right;

	if (!resolve(c, node, step, x) || !resolve(c, node, step, y)
		|| (move->kind == COMBINES && !resolve(c, node, step, z)))
		return false;
	if (!check_read(c, node, step, y) || (move->kind == COMBINES && !check_read(c, node, step, z)))
		return false;
	if (x->buffer == IN || is_arrival(x))
		return second_broken(c, 0, node, step, "a move writes what is read only");
	if (move->kind != COPIES && !c->info->combines && c->plan->operation != LS_BARRIER)
		return second_broken(c, 0, node, step, "the operation combines nothing");
	if (move->kind == FOLDS ? x->blocks == 0 || y->blocks % x->blocks || y->blocks == 0
							: x->blocks != y->blocks)
		return second_broken(c, 0, node, step, "numbers of blocks");
	if (move->kind == COMBINES && z->blocks != x->blocks)
		return second_broken(c, 0, node, step, "numbers of blocks");
	if (!fits(c, node, x, y) || (move->kind == COMBINES && !fits(c, node, x, z)))
		return second_broken(c, 0, node, step, "lengths of blocks");
	if (!is_apart(c, node, x, y, move->kind != FOLDS)
		|| (move->kind == COMBINES && !is_apart(c, node, x, z, true)))
		return second_broken(c, 0, node, step, "overlaps");
	for (int i = 0; i < x->blocks; i++) {
		const int cell = second_cell_of(c, node, x->buffer, x->block[i]);

		for (int k = 0; k < i; k++)
			if (second_cell_of(c, node, x->buffer, x->block[k]) == cell)
				return second_broken(c, 0, node, step, "writes a block twice");
		const bool stays = move->kind == COPIES && !is_arrival(y)
			&& second_cell_of(c, node, y->buffer, y->block[i]) == cell;

		if (!stays && sends_cell(c, node, part, cell))
			return second_broken(c, 4, node, step, "writes what it sends");
	}
	return true;
}

static void execute_move(struct checker *c, int node, const struct plan_move *move)
{
	static struct value result[PLAN_BLOCKS];

	for (int i = 0; i < move->result.blocks; i++) {
		result[i] = *value_at(c, node, &move->left, i);
		if (move->kind == COMBINES)
			combine(c, &result[i], value_at(c, node, &move->right, i));
		for (int k = i + move->result.blocks; move->kind == FOLDS && k < move->left.blocks;
			 k += move->result.blocks)
			combine(c, &result[i], value_at(c, node, &move->left, k));
	}
	for (int i = 0; i < move->result.blocks; i++) {
		result[i].length = length_class(c, node, move->result.buffer, move->result.block[i]);
		*value_at(c, node, &move->result, i) = result[i];
	}
}

/* ---- Messages */

static bool are_neighbors(const ls_topology *t, int u, int64_t v)
{
	for (int64_t link = 0; link < ls_degree(t, u); link++)
		if (ls_neighbor(t, u, link) == v)
			return true;
	return false;
}

static bool check_send(struct checker *c, int node, int step, int port)
{
	struct plan_part *part = &c->plan->part[step][node];
	struct plan_send *send = &part->send[port];
	const struct plan_part *peer = &c->plan->part[step][send->to];
	int matches = 0;

	if (is_arrival(&send->slice))
		return second_broken(c, 0, node, step, "sends what arrives");
	if (!resolve(c, node, step, &send->slice) || !check_read(c, node, step, &send->slice))
		return false;
	for (int q = 0; q < PLAN_PORTS; q++) {
		if (q != port && part->send[q].is_there && part->send[q].to == send->to)
			return second_broken(c, 1, node, step, "two sends to one node");
		matches += peer->receive[q].is_there && peer->receive[q].from == node
			&& peer->receive[q].blocks == send->slice.blocks;
	}
	if (matches != 1)
		return second_broken(c, 2, node, step, "a send without its receive");
	if (send->to == node || (!c->plan->is_routed && !are_neighbors(c->network, node, send->to)))
		return second_broken(c, 3, node, step, "no link");
	return true;
}

/* Deliver a message that matches. */
static bool deliver(struct checker *c, int node, int step, int port)
{
	const struct plan_receive *every = c->plan->part[step][node].receive, *receive = &every[port];
	const struct plan_part *peer = &c->plan->part[step][receive->from];
	struct message *message = &c->arrived[node][port];
	int q = 0;

	for (int other = 0; other < port; other++)
		if (every[other].is_there && every[other].from == receive->from)
			return second_broken(c, 1, node, step, "two receives from one node");
	while (q < PLAN_PORTS && !(peer->send[q].is_there && peer->send[q].to == node))
		q++;
	if (q == PLAN_PORTS)
		return second_broken(c, 2, node, step, "a receive without its send");
	message->blocks = peer->send[q].slice.blocks;
	for (int i = 0; i < message->blocks; i++) {
		const struct plan_slice *slice = &peer->send[q].slice;

		message->length[i] = length_class(c, (int)receive->from, slice->buffer, slice->block[i]);
		message->value[i] = *value_at(c, (int)receive->from, slice, i);
	}
	return true;
}

/* Law 7: neither the message nor what came before has a contribution twice. */
static bool check_nodup(struct checker *c, int node, int step, const struct message *message)
{
	for (int i = 0; i < message->blocks; i++) {
		const struct value *value = &message->value[i];

		c->is_large |= value->is_over;
		for (int k = 0; value->is_defined && k < value->terms; k++) {
			if (c->received[node][value->term[k]])
				return second_broken(c, 7, node, step, "a contribution twice");
			c->received[node][value->term[k]] = true;
		}
	}
	return true;
}

static bool check_messages(struct checker *c, int step)
{
	const struct second_plan *plan = c->plan;

	for (int u = 0; u < plan->nodes; u++)
		for (int q = 0; q < PLAN_PORTS; q++) {
			c->arrived[u][q].blocks = -1;
			if (plan->part[step][u].send[q].is_there && !check_send(c, u, step, q))
				return false;
		}
	for (int u = 0; u < plan->nodes; u++)
		for (int q = 0; q < PLAN_PORTS; q++)
			if (plan->part[step][u].receive[q].is_there && !deliver(c, u, step, q))
				return false;
	for (int u = 0; u < plan->nodes; u++)
		for (int q = 0; q < PLAN_PORTS && plan->is_nodup; q++)
			if (!check_nodup(c, u, step, &c->arrived[u][q]))
				return false;
	return true;
}

bool second_check_step(struct checker *c, int step)
{
	if (!check_messages(c, step))
		return false;
	for (int u = 0; u < c->plan->nodes; u++) {
		struct plan_part *part = &c->plan->part[step][u];

		for (int i = 0; i < part->moves; i++) {
			if (!check_move(c, u, step, part, &part->move[i]))
				return false;
			execute_move(c, u, &part->move[i]);
		}
	}
	return true;
}
