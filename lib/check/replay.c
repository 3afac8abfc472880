/*
 * Laws 2, 5 and 7, and the blocks of law 0: a replay of messages and moves with symbolic values.
 *
 * Every cell of every node holds a value: an expression over contributions (check/expression.h).
 * Here node 1 receives a block of node 0 and combines it with its own, in round 1:
 *
 *            before                           after
 *   node 0   INPUT[0] = a                     INPUT[0] = a
 *                \ sends INPUT[0]
 *   node 1   INPUT[0] = b                     OUTPUT[0] = a (+) b
 *            OUTPUT[0] := ARRIVAL[0] (+) INPUT[0]
 *
 * ARRIVAL is not memory of the node: it is read from the sender.  Law 4 keeps the sender's cells
 * unchanged during the round, so the order of the nodes does not matter.
 */
#include "check/checker.h"
#include "plan/storage.h"

/* One node in one step, and the actions of its peers in it. */
struct node_step {
	struct lsi_checker *c;
	int64_t node, step;
	const struct ls_step *actions;
	struct ls_step peer[LS_PORTS];
	const struct ls_slice *arrival[LS_PORTS]; /* the slice that the peer of each port sends */
};

static struct lsi_violation_at violation_at(const struct node_step *s, int64_t peer)
{
	return (struct lsi_violation_at){ s->node, peer, s->step, -1 };
}

/* ---- Values */

/* The stored value of a cell; the first `unstored` cells are INPUT, which has no storage. */
static lsi_value *cell_value(const struct lsi_checker *c, int64_t node, int64_t cell)
{
	return &c->memory[node * (c->cells - c->unstored) + cell - c->unstored];
}

lsi_value lsi_check_value(const struct lsi_checker *c, int64_t node, int buffer, int64_t block)
{
	if (!lsi_storage_has(c->plan, node, buffer))
		return LSI_UNDEFINED;

	const int64_t cell = lsi_storage_cell(c->plan, node, buffer, block);

	return cell < c->unstored ? lsi_expression_leaf(&c->values, node, cell)
							  : *cell_value(c, node, cell);
}

/* The logical block of a value, which determines its length: see lsi_buffer_label. */
static int64_t label_of(const struct lsi_checker *c, lsi_value value)
{
	const enum ls_operation operation = c->plan->problem.operation;

	if (lsi_operation_gathers(operation))
		return lsi_expression_origin(&c->values, value);
	return lsi_operation_scatters(operation) || lsi_operation_is_vector(operation)
		? lsi_expression_block(&c->values, value)
		: 0;
}

/*
 * Read block k of a slice of a node's own buffers, for a move or (move 0) a send.  The block must
 * be defined, and hold the logical block that its position implies.
 */
static int read_block(const struct node_step *s, int move, int64_t node,
	const struct ls_slice *slice, int64_t k, lsi_value *out)
{
	struct lsi_checker *c = s->c;
	const int64_t block = ls_slice_at(slice, k);
	const struct lsi_violation_at where = { node, -1, s->step, -1 };

	*out = lsi_check_value(c, node, slice->buffer, block);
	if (*out == LSI_UNDEFINED)
		return lsi_check_fail(c, LS_LAW_RESULT, where, "%s %s, %s",
			lsi_move_text(move, move ? "reads" : "sends").text,
			lsi_block_name(slice->buffer, block).text,
			slice->buffer == LS_INPUT ? "but only the root has an INPUT"
									  : "which was never written");

	const int64_t held = label_of(c, *out);
	const int64_t label = lsi_buffer_label(c->plan, node, slice->buffer, block);

	if (held != label)
		return lsi_check_fail(c, LS_LAW_SHAPE, where,
			"%s %s, which holds block %lld, not block %lld",
			lsi_move_text(move, move ? "reads" : "sends").text,
			lsi_block_name(slice->buffer, block).text, (long long)held, (long long)label);
	return LS_OK;
}

/* Store a value in block k of a slice; the node must have that buffer. */
static int write_block(
	const struct node_step *s, int number, const struct ls_slice *dst, int64_t k, lsi_value value)
{
	struct lsi_checker *c = s->c;
	const int64_t block = ls_slice_at(dst, k);

	if (!lsi_storage_has(c->plan, s->node, dst->buffer))
		return lsi_check_fail(c, LS_LAW_RESULT, violation_at(s, -1),
			"move %d writes %s, which the node does not have", number,
			lsi_block_name(dst->buffer, block).text);
	*cell_value(c, s->node, lsi_storage_cell(c->plan, s->node, dst->buffer, block)) = value;
	return LS_OK;
}

/* Block k of an operand of a move that writes logical block `label`. */
static int operand_value(const struct node_step *s, int number, const struct ls_slice *slice,
	int64_t k, int64_t label, lsi_value *out)
{
	const struct lsi_checker *c = s->c;

	if (!lsi_is_arrival(slice->buffer))
		return read_block(s, number, s->node, slice, k, out);

	const int64_t from = s->actions->from[slice->buffer - LS_ARRIVAL];
	const struct ls_slice *sent = s->arrival[slice->buffer - LS_ARRIVAL];

	*out = lsi_check_value(c, from, sent->buffer, ls_slice_at(sent, ls_slice_at(slice, k)));
	if (label_of(c, *out) != label)
		return lsi_check_fail(s->c, LS_LAW_MATCH, violation_at(s, from),
			"move %d stores received block %lld as block %lld", number,
			(long long)label_of(c, *out), (long long)label);
	return LS_OK;
}

/* ---- Laws 2 and 7: messages */

/* Law 2: find the send that matches the receive on port q, and compare the numbers of blocks. */
static int find_sender(struct node_step *s, int q)
{
	const int64_t from = s->actions->from[q];
	struct ls_step *peer = &s->peer[q];

	ls_plan_step(s->c->plan, from, s->step, peer);
	for (int port = 0; port < peer->ports; port++) {
		if (peer->to[port] != s->node)
			continue;
		s->arrival[q] = &peer->send[port];
		if (ls_slice_blocks(s->arrival[q]) != s->actions->arrives[q])
			return lsi_check_fail(s->c, LS_LAW_MATCH, violation_at(s, from),
				"expects %lld blocks from node %lld, which sends %lld",
				(long long)s->actions->arrives[q], (long long)from,
				(long long)ls_slice_blocks(s->arrival[q]));
		s->c->taken++;
		return LS_OK;
	}
	return lsi_check_fail(s->c, LS_LAW_MATCH, violation_at(s, from),
		"receives from node %lld, which does not send to it", (long long)from);
}

/*
 * Law 7, if it is checked: the value contains no contribution twice, and none that has arrived at
 * the node before.
 */
static int check_nodup(const struct node_step *s, int64_t from, lsi_value value)
{
	struct lsi_checker *c = s->c;
	const struct lsi_expressions *e = &c->values;
	const struct lsi_contents held = lsi_expression_contents(e, value);
	const int64_t block = lsi_expression_block(e, value);

	if (!c->received)
		return LS_OK;

	uint64_t *received = c->received + (size_t)(s->node * e->blocks + block) * lsi_set_words(e);

	if (held.holding == LSI_HOLDS_FINGERPRINT) {
		c->out->nodup = false;
		return LS_OK;
	}

	if (held.twice >= 0)
		return lsi_check_fail(c, LS_LAW_NODUP, violation_at(s, from),
			"receives the contribution of node %lld twice in one block, from node %lld",
			(long long)held.twice, (long long)from);

	const int64_t again = lsi_set_common(e, received, value);

	if (again >= 0)
		return lsi_check_fail(c, LS_LAW_NODUP, violation_at(s, from),
			"receives the contribution of node %lld again, from node %lld", (long long)again,
			(long long)from);
	lsi_set_add(e, received, value);
	return LS_OK;
}

/* All blocks of the message that arrives on port q. */
static int check_arrival(struct node_step *s, int q)
{
	const int64_t from = s->actions->from[q];
	int status = find_sender(s, q);

	for (int64_t k = 0; status == LS_OK && k < s->actions->arrives[q]; k++) {
		lsi_value value;

		status = read_block(s, 0, from, s->arrival[q], k, &value);
		if (status == LS_OK)
			status = check_nodup(s, from, value);
	}
	return status;
}

/* Looks for a message without a receive only if the counts of the step differ. */
int lsi_check_received(struct lsi_checker *c, int64_t step)
{
	for (int64_t u = 0; u < c->nodes && c->taken < c->messages; u++) {
		struct ls_step actions, peer;

		ls_plan_step(c->plan, u, step, &actions);
		for (int q = 0; q < actions.ports; q++) {
			bool taken = actions.to[q] == LS_NO_RANK;

			if (!taken)
				ls_plan_step(c->plan, actions.to[q], step, &peer);
			for (int port = 0; !taken && port < peer.ports; port++)
				taken = peer.from[port] == u;
			if (!taken)
				return lsi_check_fail(c, LS_LAW_MATCH,
					(struct lsi_violation_at){ u, actions.to[q], step, -1 },
					"sends to node %lld, which does not receive from it", (long long)actions.to[q]);
		}
	}
	return LS_OK;
}

/* ---- Moves */

/* Evaluate block k of a move.  A fold combines the blocks k, k + blocks, k + 2 blocks, ... of a. */
static int make_block(const struct node_step *s, int number, const struct ls_move *move, int64_t k)
{
	const int64_t blocks = ls_slice_blocks(&move->dst);
	const int64_t parts = move->action == LS_FOLD ? ls_slice_blocks(&move->a) / blocks : 1;
	const int64_t label =
		lsi_buffer_label(s->c->plan, s->node, move->dst.buffer, ls_slice_at(&move->dst, k));
	lsi_value value, other;
	int status = operand_value(s, number, &move->a, k, label, &value);

	for (int64_t i = 1; status == LS_OK && i < parts; i++) {
		status = operand_value(s, number, &move->a, i * blocks + k, label, &other);
		if (status == LS_OK)
			status = lsi_expression_combine(&s->c->values, value, other, &value);
	}
	if (status == LS_OK && move->action == LS_COMBINE) {
		status = operand_value(s, number, &move->b, k, label, &other);
		if (status == LS_OK)
			status = lsi_expression_combine(&s->c->values, value, other, &value);
	}
	return status == LS_OK ? write_block(s, number, &move->dst, k, value) : status;
}

int lsi_check_replay(
	struct lsi_checker *c, int64_t node, int64_t step, const struct ls_step *actions)
{
	struct node_step s; /* large, so not cleared; check_arrival sets the peers in use */
	int status = LS_OK;

	s.c = c;
	s.node = node;
	s.step = step;
	s.actions = actions;
	for (int q = 0; status == LS_OK && q < actions->ports; q++) {
		if (actions->from[q] != LS_NO_RANK)
			status = check_arrival(&s, q);
	}
	for (int m = 0; status == LS_OK && m < actions->n_moves; m++) {
		for (int64_t k = 0; status == LS_OK && k < ls_slice_blocks(&actions->move[m].dst); k++)
			status = make_block(&s, m + 1, &actions->move[m], k);
	}
	return status;
}
