/*
 * Laws 0, 1 and 4: the actions of one node in one step, without values.
 *
 *   law 0 (shape)       buffers and blocks exist; operands of a move have equal lengths
 *   law 1 (port)        at most one message each way per port, and per peer
 *   law 4 (in flight)   no move of a round overwrites a block that the node sends in it
 *
 * Cells of storage (plan/storage.h) detect overlap: a slice marks its cells with a new stamp, and
 * another slice overlaps it if a cell already has this stamp.
 */
#include <stdio.h>

#include "check/checker.h"
#include "topology/rank_text.h"
#include "plan/storage.h"
#include "plan/text.h"

/* One node in one step. */
struct node_step {
	struct lsi_checker *c;
	int64_t node, step;
	const struct ls_step *actions;
};

static struct lsi_violation_at violation_at(const struct node_step *s)
{
	return (struct lsi_violation_at){ s->node, -1, s->step, -1 };
}

/* The end of a message: how to change the plan; or "". */
struct remedy {
	char text[288];
};

#define BROKEN(law, ...) lsi_check_fail(s->c, law, violation_at(s), __VA_ARGS__)

/* ---- Law 1 */

static bool is_node(const struct node_step *s, int64_t rank)
{
	return rank == LS_NO_RANK || (rank >= 0 && rank < s->c->nodes);
}

/* Fail for a port that the plan does not have; a count of messages says more than its number. */
static int report_excess_port(const struct node_step *s, int port)
{
	const int ports = s->c->plan->problem.ports;
	struct lsi_rank_text to = { .text = "" }, from = { .text = "" };

	for (int q = 0; q < s->actions->ports; q++) {
		if (s->actions->to[q] != LS_NO_RANK)
			lsi_rank_text_add(&to, s->actions->to[q]);
		if (s->actions->from[q] != LS_NO_RANK)
			lsi_rank_text_add(&from, s->actions->from[q]);
	}

	const bool sends = to.count >= from.count;
	struct lsi_rank_text *peers = sends ? &to : &from;

	if (peers->count <= ports)
		return BROKEN(LS_LAW_PORT, "uses port %d, but the plan has %d port%s, numbered from 0",
			port, ports, ports > 1 ? "s" : "");
	return BROKEN(LS_LAW_PORT,
		"%s %lld messages in this round, %s nodes %s, but has %d port%s; try another round for one "
		"of them, --ports %lld, or the line 'ports %lld' in a plan file",
		sends ? "sends" : "receives", (long long)peers->count, sends ? "to" : "from",
		lsi_rank_text_end(peers), ports, ports > 1 ? "s" : "", (long long)peers->count,
		(long long)peers->count);
}

/* No two ports have the same peer. */
static int check_peers(const struct node_step *s)
{
	const struct ls_step *actions = s->actions;

	for (int q = 0; q < actions->ports; q++)
		for (int other = 0; other < q; other++) {
			if (actions->to[q] != LS_NO_RANK && actions->to[q] == actions->to[other])
				return BROKEN(LS_LAW_PORT,
					"sends two messages to node %lld in this round; try another round for one of "
					"them",
					(long long)actions->to[q]);
			if (actions->from[q] != LS_NO_RANK && actions->from[q] == actions->from[other])
				return BROKEN(LS_LAW_PORT,
					"receives two messages from node %lld in this round; "
					"try another round for one of them",
					(long long)actions->from[q]);
		}
	return LS_OK;
}

/* Ports are within the plan's. */
static int check_port_numbers(const struct node_step *s)
{
	for (int q = s->c->plan->problem.ports; q < s->actions->ports; q++)
		if (s->actions->to[q] != LS_NO_RANK || s->actions->from[q] != LS_NO_RANK)
			return report_excess_port(s, q);
	return LS_OK;
}

static int check_ports(const struct node_step *s)
{
	int status;

	for (int q = 0; q < s->actions->ports; q++)
		if (!is_node(s, s->actions->to[q]) || !is_node(s, s->actions->from[q]))
			return BROKEN(LS_LAW_SHAPE, "the peer of port %d is not a node", q);
	status = check_peers(s);
	return status ? status : check_port_numbers(s);
}

/* ---- Law 0 */

/* Whether the node has this block: arriving in this step, or within the window of its scratch. */
static bool exists(const struct node_step *s, int buffer, int64_t block)
{
	const struct ls_plan *plan = s->c->plan;

	if (block < 0)
		return false;
	if (lsi_is_arrival(buffer)) {
		const int q = buffer - LS_ARRIVAL;

		return q < s->actions->ports && s->actions->from[q] != LS_NO_RANK
			&& block < s->actions->arrives[q];
	}
	if (buffer < LS_SCRATCH)
		return block < lsi_buffer_blocks(plan, buffer);

	const struct lsi_scratch scratch = plan->frame.scratch[buffer - LS_SCRATCH];

	if (scratch.slots < 1 || scratch.each < 1)
		return false;
	if (scratch.slots == plan->frame.blocks * scratch.each && block >= scratch.slots)
		return false;

	const struct lsi_window window = lsi_plan_window(plan, s->node, buffer - LS_SCRATCH);
	const int64_t slot = block % scratch.slots;

	return slot >= window.first && slot - window.first < window.count;
}

/* A slice of existing blocks.  `verb` is for the message: "reads", "writes", "sends". */
static int check_slice(
	const struct node_step *s, int move, const char *verb, const struct ls_slice *slice)
{
	if (slice->buffer >= LS_BUFFERS)
		return BROKEN(LS_LAW_SHAPE, "%s buffer %d, which does not exist",
			lsi_move_text(move, verb).text, slice->buffer);
	if (slice->run < 1 || slice->runs < 1 || (slice->index && slice->runs != 1)
		|| ls_slice_blocks(slice) < 1)
		return BROKEN(LS_LAW_SHAPE, "%s an empty slice", lsi_move_text(move, verb).text);
	if (slice->cycle < 0 || (slice->cycle > 0 && slice->run > slice->cycle))
		return BROKEN(LS_LAW_SHAPE, "%s a run of %lld in a cycle of %lld",
			lsi_move_text(move, verb).text, (long long)slice->run, (long long)slice->cycle);
	for (int64_t k = 0; k < ls_slice_blocks(slice); k++) {
		const int64_t block = ls_slice_at(slice, k);

		if (!exists(s, slice->buffer, block))
			return BROKEN(LS_LAW_SHAPE, "%s %s, which does not exist",
				lsi_move_text(move, verb).text, lsi_block_name(slice->buffer, block).text);
	}
	return LS_OK;
}

/* A node cannot forward ARRIVAL in the round in which it arrives. */
static int check_sends(const struct node_step *s)
{
	for (int q = 0; q < s->actions->ports; q++) {
		const struct ls_slice *send = &s->actions->send[q];

		if (s->actions->to[q] == LS_NO_RANK)
			continue;
		if (lsi_is_arrival(send->buffer))
			return BROKEN(
				LS_LAW_SHAPE, "sends ARRIVAL; copy it first, and send the copy in a later round");

		const int status = check_slice(s, 0, "sends", send);

		if (status != LS_OK)
			return status;
	}
	return LS_OK;
}

static int64_t cell(const struct node_step *s, const struct ls_slice *slice, int64_t k)
{
	return lsi_storage_cell(s->c->plan, s->node, slice->buffer, ls_slice_at(slice, k));
}

/* Mark the cells of a slice.  Returns the first block whose cell already had the mark, or -1. */
static int64_t mark(const struct node_step *s, const struct ls_slice *slice)
{
	int64_t again = -1;

	for (int64_t k = 0; k < ls_slice_blocks(slice); k++) {
		struct lsi_mark *m = &s->c->mark[cell(s, slice, k)];

		if (m->stamp == s->c->stamp && again < 0)
			again = k;
		*m = (struct lsi_mark){ s->c->stamp, k };
	}
	return again;
}

/*
 * Whether an operand is disjoint from dst, whose cells are marked, or (if may_equal) is dst itself,
 * block by block.  Any other overlap would make the result depend on the order of the blocks.
 */
static bool fits(const struct node_step *s, const struct ls_slice *operand, bool may_equal)
{
	int64_t equal = 0;

	if (lsi_is_arrival(operand->buffer))
		return true;
	for (int64_t k = 0; k < ls_slice_blocks(operand); k++) {
		const struct lsi_mark m = s->c->mark[cell(s, operand, k)];

		if (m.stamp != s->c->stamp)
			continue;
		if (!may_equal || m.position != k)
			return false;
		equal++;
	}
	return equal == 0 || equal == ls_slice_blocks(operand);
}

/* Equal numbers of blocks, or for a fold a multiple (`parts`); and equal lengths of the blocks. */
static int check_lengths(const struct node_step *s, int number, const struct ls_slice *dst,
	const struct ls_slice *a, bool parts)
{
	const struct ls_plan *plan = s->c->plan;
	const int64_t to = ls_slice_blocks(dst), blocks = ls_slice_blocks(a);

	if (parts ? blocks % to != 0 : blocks != to)
		return BROKEN(LS_LAW_SHAPE, "move %d writes %lld blocks from %lld blocks", number,
			(long long)to, (long long)blocks);
	if (lsi_is_arrival(a->buffer))
		return LS_OK;
	for (int64_t k = 0; k < blocks; k++) {
		const int64_t from = ls_slice_at(a, k), at = ls_slice_at(dst, k % to);

		if (lsi_buffer_label(plan, s->node, a->buffer, from)
			!= lsi_buffer_label(plan, s->node, dst->buffer, at))
			return BROKEN(LS_LAW_SHAPE, "move %d writes %s from %s, whose length may differ",
				number, lsi_block_name(dst->buffer, at).text, lsi_block_name(a->buffer, from).text);
	}
	return LS_OK;
}

/* A fold reads its parts of ARRIVAL in one pass, so they must be consecutive. */
static int check_operand(const struct node_step *s, int number, const struct ls_move *move,
	const struct ls_slice *operand)
{
	int status = check_slice(s, number, "reads", operand);

	for (int64_t k = 1; status == LS_OK && move->action == LS_FOLD
		 && lsi_is_arrival(operand->buffer) && k < ls_slice_blocks(operand);
		 k++) {
		if (ls_slice_at(operand, k) != ls_slice_at(operand, k - 1) + 1)
			return BROKEN(
				LS_LAW_SHAPE, "move %d folds blocks of ARRIVAL that are not consecutive", number);
	}
	if (status == LS_OK)
		status = check_lengths(s, number, &move->dst, operand, move->action == LS_FOLD);
	if (status == LS_OK && !fits(s, operand, move->action != LS_FOLD))
		return BROKEN(LS_LAW_SHAPE, "move %d reads some of the blocks that it writes", number);
	return status;
}

/* Destination, then operands; messages number the moves from 1. */
static int check_move(const struct node_step *s, int number, const struct ls_move *move)
{
	int status;

	if (move->action > LS_FOLD)
		return BROKEN(LS_LAW_SHAPE, "move %d has an unknown action", number);
	if (move->action != LS_COPY && !lsi_operation_adds(s->c->plan->problem.operation))
		return BROKEN(
			LS_LAW_SHAPE, "move %d combines blocks, but the operation has no operator", number);
	if (move->dst.buffer == LS_INPUT || lsi_is_arrival(move->dst.buffer))
		return BROKEN(LS_LAW_SHAPE, "move %d writes %s", number,
			move->dst.buffer == LS_INPUT ? "INPUT" : "ARRIVAL");
	status = check_slice(s, number, "writes", &move->dst);
	if (status != LS_OK)
		return status;
	s->c->stamp++;

	const int64_t again = mark(s, &move->dst);

	if (again >= 0)
		return BROKEN(LS_LAW_SHAPE, "move %d writes %s twice", number,
			lsi_block_name(move->dst.buffer, ls_slice_at(&move->dst, again)).text);
	status = check_operand(s, number, move, &move->a);
	if (status == LS_OK && move->action == LS_COMBINE)
		status = check_operand(s, number, move, &move->b);
	return status;
}

/* ---- Law 4 */

/*
 * Sending a copy is always a remedy: a local step before the round copies the block to an unused
 * scratch buffer, into a block of the same length.  "" if all scratch buffers are in use.
 */
static struct remedy copy_remedy(const struct node_step *s, int buffer, int64_t block)
{
	const struct ls_plan *plan = s->c->plan;
	const int64_t last = lsi_buffer_blocks(plan, LS_OUTPUT) - 1;
	const int64_t like = lsi_buffer_label(plan, s->node, buffer, block);
	const int64_t most = lsi_buffer_label(plan, s->node, LS_OUTPUT, last);
	struct remedy remedy = { "" };
	int k = 0;

	while (k < LS_SCRATCH_BUFFERS && plan->frame.scratch[k].slots > 0)
		k++;
	if (k < LS_SCRATCH_BUFFERS)
		snprintf(remedy.text, sizeof remedy.text,
			"; send a copy: 'scratch %c %lld' in the header, 'local' and '%lld: %s := %s' before "
			"the round, 'send %s' in it",
			LSI_SCRATCH_LETTERS[k], (long long)(like > most ? like : most) + 1, (long long)s->node,
			lsi_block_name(LS_SCRATCH + k, like).text, lsi_block_name(buffer, block).text,
			lsi_block_name(LS_SCRATCH + k, like).text);
	return remedy;
}

/* Mark all sent cells, then look for the mark in the destination of every move. */
static int check_in_flight(const struct node_step *s)
{
	const struct ls_step *actions = s->actions;

	s->c->stamp++;
	for (int q = 0; q < actions->ports; q++) {
		if (actions->to[q] != LS_NO_RANK)
			mark(s, &actions->send[q]);
	}
	for (int m = 0; m < actions->n_moves; m++) {
		const struct ls_slice *dst = &actions->move[m].dst;

		if (lsi_storage_is_noop(s->c->plan, s->node, &actions->move[m]))
			continue;
		for (int64_t k = 0; k < ls_slice_blocks(dst); k++) {
			if (s->c->mark[cell(s, dst, k)].stamp == s->c->stamp)
				return BROKEN(LS_LAW_IN_FLIGHT,
					"move %d writes %s, which the node sends in this round%s", m + 1,
					lsi_block_name(dst->buffer, ls_slice_at(dst, k)).text,
					copy_remedy(s, dst->buffer, ls_slice_at(dst, k)).text);
		}
	}
	return LS_OK;
}

int lsi_check_shape(
	struct lsi_checker *c, int64_t node, int64_t step, const struct ls_step *actions)
{
	const struct node_step context = { c, node, step, actions }, *s = &context;
	int status;

	if (actions->ports > LS_PORTS || actions->n_moves > LS_MOVES)
		return BROKEN(LS_LAW_SHAPE, "has %d ports and %d moves; expected at most %d and %d",
			actions->ports, actions->n_moves, LS_PORTS, LS_MOVES);
	status = check_ports(s);
	if (status == LS_OK)
		status = check_sends(s);
	for (int m = 0; status == LS_OK && m < actions->n_moves; m++)
		status = check_move(s, m + 1, &actions->move[m]);
	return status == LS_OK ? check_in_flight(s) : status;
}
