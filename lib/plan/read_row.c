/* Plans as text: what a node does in a step. */
#include <inttypes.h>

#include "plan/reader.h"
#include "plan/text.h"

enum { STEPS_MOST = 1 << 24, NUMBERS_MOST = 1 << 26 };

static int add_number(struct ls_reader *r, int64_t number)
{
	struct ls_table *t = r->t;

	if (t->numbers == NUMBERS_MOST)
		return ls_reader_fail(r, "more than %d numbers of blocks", NUMBERS_MOST);
	if (!ls_table_grow(&t->number, t->numbers, &t->number_room, sizeof *t->number))
		return ls_reader_no_memory(r);
	t->number[t->numbers++] = number;
	return LS_OK;
}

static int take_buffer(struct ls_reader *r, uint8_t *out)
{
	char scratch[] = { 0, 0 }, arrival[] = "ARRIVAL0";
	int found = ls_reader_take(r, "INPUT")     ? LS_INPUT
	            : ls_reader_take(r, "OUTPUT")  ? LS_OUTPUT
	            : ls_reader_take(r, "ARRIVAL") ? LS_ARRIVAL
	                                           : -1;

	for (int q = 1; q < LS_PORTS && found < 0; q++) {
		arrival[7] = (char)('0' + q);
		found = ls_reader_take(r, arrival) ? LS_ARRIVAL + q : -1;
	}
	for (int k = 0; k < LS_SCRATCHES && found < 0; k++) {
		scratch[0] = LS_SCRATCH_LETTERS[k];
		found = ls_reader_take(r, scratch) ? LS_SCRATCH + k : -1;
	}
	if (found < 0)
		return ls_reader_fail(r,
			"'%s'; would be right: INPUT, OUTPUT, ARRIVAL, S, T, U or V",
			ls_reader_rest(r).text);
	*out = (uint8_t)found;
	return LS_OK;
}

/* "BUFFER[0..3,8]": one range is a run, more are listed. */
static int take_blocks(struct ls_reader *r, struct ls_table_blocks *out)
{
	int64_t first, last;
	size_t begin = r->t->numbers;
	int failed = take_buffer(r, &out->buffer);

	out->listed = false;
	if (!failed && !ls_reader_take(r, "["))
		return ls_reader_fail(r, "'%s'; would be right: [, and numbers of blocks",
			ls_reader_rest(r).text);
	while (!failed) {
		failed = ls_reader_number(r, 0, LS_NUMBER_MOST, &first);
		last = first;
		if (!failed && ls_reader_take(r, ".."))
			failed = ls_reader_number(r, first, LS_NUMBER_MOST, &last);
		if (failed)
			break;
		if (!out->listed && ls_reader_take(r, "]")) {
			out->first = first;
			out->run = last - first + 1;
			return LS_OK;
		}
		out->listed = true;
		for (int64_t b = first; b <= last && !failed; b++)
			failed = add_number(r, b);
		if (!failed && ls_reader_take(r, "]")) {
			out->first = (int64_t)begin;
			out->run = (int64_t)(r->t->numbers - begin);
			return LS_OK;
		}
		if (!failed && !ls_reader_take(r, ","))
			failed = ls_reader_fail(
				r, "'%s'; would be right: a comma, or ]", ls_reader_rest(r).text);
	}
	return failed;
}

static int take_port(struct ls_reader *r, struct ls_table_action *action)
{
	int64_t port = 0;
	const int failed =
		ls_reader_take(r, "port") ? ls_reader_number(r, 0, LS_PORTS - 1, &port) : LS_OK;

	action->port = (uint8_t)port;
	return failed;
}

static int take_send(struct ls_reader *r, struct ls_table_action *action)
{
	int failed = take_blocks(r, &action->a);

	action->kind = LS_ACT_SEND;
	if (!failed && !ls_reader_take(r, "to"))
		failed = ls_reader_fail(
			r, "'%s'; would be right: to, and a node", ls_reader_rest(r).text);
	if (!failed)
		failed = ls_reader_node(r, &action->peer);
	return failed ? failed : take_port(r, action);
}

static int take_receive(struct ls_reader *r, struct ls_table_action *action)
{
	int failed = ls_reader_number(r, 1, LS_NUMBER_MOST, &action->arrives);

	action->kind = LS_ACT_RECEIVE;
	if (!failed && !ls_reader_take(r, "from"))
		failed = ls_reader_fail(
			r, "'%s'; would be right: from, and a node", ls_reader_rest(r).text);
	if (!failed)
		failed = ls_reader_node(r, &action->peer);
	return failed ? failed : take_port(r, action);
}

static int take_move(struct ls_reader *r, struct ls_table_action *action)
{
	int failed = take_blocks(r, &action->dst);

	if (!failed && !ls_reader_take(r, ":="))
		failed = ls_reader_fail(
			r, "'%s'; would be right: :=, and what is written", ls_reader_rest(r).text);
	if (failed)
		return failed;
	action->kind = ls_reader_take(r, "fold") ? LS_ACT_FOLD : LS_ACT_COPY;
	failed = take_blocks(r, &action->a);
	if (!failed && action->kind == LS_ACT_COPY && ls_reader_take(r, "(+)")) {
		action->kind = LS_ACT_COMBINE;
		failed = take_blocks(r, &action->b);
	}
	return failed;
}

static int take_action(struct ls_reader *r, struct ls_table_action *action)
{
	*action = (struct ls_table_action){ 0 };
	if (ls_reader_take(r, "send"))
		return take_send(r, action);
	return ls_reader_take(r, "receive") ? take_receive(r, action) : take_move(r, action);
}

/* What a step has room for. */
static int check_room(struct ls_reader *r, size_t first)
{
	const struct ls_table *t = r->t;
	const struct ls_table_action *last = &t->action[t->actions - 1];
	int alike = 0;

	for (size_t i = first; i < t->actions; i++) {
		const struct ls_table_action *a = &t->action[i];

		alike += last->kind < LS_ACT_COPY ? a->kind == last->kind && a->port == last->port
		                                  : a->kind >= LS_ACT_COPY;
	}
	if (last->kind < LS_ACT_COPY && alike > 1)
		return ls_reader_fail(r, "a second %s on port %d in one round",
			last->kind == LS_ACT_SEND ? "send" : "receive", last->port);
	return alike > LS_MOVES ? ls_reader_fail(r, "more than %d moves in a step", LS_MOVES)
	                        : LS_OK;
}

int ls_read_row(struct ls_reader *r)
{
	struct ls_table *t = r->t;
	const struct ls_table_row *before = t->rows > 0 ? &t->row[t->rows - 1] : NULL;
	const size_t first = t->actions;
	int64_t node;
	int failed = ls_reader_node(r, &node);

	if (failed)
		return failed;
	if (t->steps == 0)
		return ls_reader_fail(r,
			"node %" PRId64 " before the first round; would be right: round, or local",
			node);
	if (before && t->rows > t->step[t->steps - 1].row && before->node >= node)
		return ls_reader_fail(r,
			"node %" PRId64 " after node %" PRId64 "; would be right: nodes in order",
			node, before->node);
	if (!ls_reader_take(r, ":"))
		return ls_reader_fail(
			r, "'%s'; would be right: a colon after the node", ls_reader_rest(r).text);
	if (!ls_table_grow(&t->row, t->rows, &t->row_room, sizeof *t->row))
		return ls_reader_no_memory(r);
	t->row[t->rows++] = (struct ls_table_row){ node, first };
	do {
		if (!ls_table_grow(&t->action, t->actions, &t->action_room, sizeof *t->action))
			return ls_reader_no_memory(r);
		failed = take_action(r, &t->action[t->actions++]);
		if (!failed && t->step[t->steps - 1].local
			&& t->action[t->actions - 1].kind < LS_ACT_COPY)
			failed = ls_reader_fail(
				r, "a message in a local step; would be right: round, not local");
		if (!failed)
			failed = check_room(r, first);
	} while (!failed && ls_reader_take(r, ";"));
	return failed;
}

int ls_read_step(struct ls_reader *r, bool local)
{
	struct ls_table *t = r->t;

	if (t->steps == STEPS_MOST)
		return ls_reader_fail(r, "more than %d steps", STEPS_MOST);
	if (!ls_table_grow(&t->step, t->steps, &t->step_room, sizeof *t->step))
		return ls_reader_no_memory(r);
	t->step[t->steps++] = (struct ls_table_step){ t->rows, local };
	return LS_OK;
}
