/* Plans as text: what a node does in a step. */
#include <inttypes.h>

#include "plan/reader.h"
#include "plan/text.h"

enum { STEPS_MOST = 1 << 24, NUMBERS_MOST = 1 << 26 };

static int add_number(struct lsi_reader *r, int64_t number)
{
	struct lsi_table *t = r->t;

	if (t->numbers == NUMBERS_MOST)
		return lsi_reader_fail(r, "more than %d numbers of blocks", NUMBERS_MOST);
	if (!lsi_table_grow(&t->number, t->numbers, &t->number_room, sizeof *t->number))
		return lsi_reader_no_memory(r);
	t->number[t->numbers++] = number;
	return LS_OK;
}

static int take_buffer(struct lsi_reader *r, uint8_t *out)
{
	char scratch[] = { 0, 0 }, arrival[] = "ARRIVAL0";
	int found = lsi_reader_take(r, "INPUT") ? LS_INPUT
		: lsi_reader_take(r, "OUTPUT")      ? LS_OUTPUT
		: lsi_reader_take(r, "ARRIVAL")     ? LS_ARRIVAL
											: -1;

	for (int q = 1; q < LS_PORTS && found < 0; q++) {
		arrival[7] = (char)('0' + q);
		found = lsi_reader_take(r, arrival) ? LS_ARRIVAL + q : -1;
	}
	for (int k = 0; k < LS_SCRATCH_BUFFERS && found < 0; k++) {
		scratch[0] = LSI_SCRATCH_LETTERS[k];
		found = lsi_reader_take(r, scratch) ? LS_SCRATCH + k : -1;
	}
	if (found < 0)
		return lsi_reader_fail(r, "'%s'; would be right: INPUT, OUTPUT, ARRIVAL, S, T, U or V",
			lsi_reader_rest(r).text);
	*out = (uint8_t)found;
	return LS_OK;
}

/* "BUFFER[0..3,8]": one range is a run, more are listed. */
static int take_blocks(struct lsi_reader *r, struct lsi_table_blocks *out)
{
	int64_t first, last;
	size_t begin = r->t->numbers;
	int failed = take_buffer(r, &out->buffer);

	out->listed = false;
	if (!failed && !lsi_reader_take(r, "["))
		return lsi_reader_fail(
			r, "'%s'; would be right: [, and numbers of blocks", lsi_reader_rest(r).text);
	while (!failed) {
		failed = lsi_reader_number(r, 0, LSI_NUMBER_MOST, &first);
		last = first;
		if (!failed && lsi_reader_take(r, ".."))
			failed = lsi_reader_number(r, first, LSI_NUMBER_MOST, &last);
		if (failed)
			break;
		if (!out->listed && lsi_reader_take(r, "]")) {
			out->first = first;
			out->run = last - first + 1;
			return LS_OK;
		}
		out->listed = true;
		for (int64_t b = first; b <= last && !failed; b++)
			failed = add_number(r, b);
		if (!failed && lsi_reader_take(r, "]")) {
			out->first = (int64_t)begin;
			out->run = (int64_t)(r->t->numbers - begin);
			return LS_OK;
		}
		if (!failed && !lsi_reader_take(r, ","))
			failed =
				lsi_reader_fail(r, "'%s'; would be right: a comma, or ]", lsi_reader_rest(r).text);
	}
	return failed;
}

static int take_port(struct lsi_reader *r, struct lsi_table_action *action)
{
	int64_t port = 0;
	const int failed =
		lsi_reader_take(r, "port") ? lsi_reader_number(r, 0, LS_PORTS - 1, &port) : LS_OK;

	action->port = (uint8_t)port;
	return failed;
}

static int take_send(struct lsi_reader *r, struct lsi_table_action *action)
{
	int failed = take_blocks(r, &action->a);

	action->kind = LSI_ACT_SEND;
	if (!failed && !lsi_reader_take(r, "to"))
		failed =
			lsi_reader_fail(r, "'%s'; would be right: to, and a node", lsi_reader_rest(r).text);
	if (!failed)
		failed = lsi_reader_node(r, &action->peer);
	return failed ? failed : take_port(r, action);
}

static int take_receive(struct lsi_reader *r, struct lsi_table_action *action)
{
	int failed = lsi_reader_number(r, 1, LSI_NUMBER_MOST, &action->arrives);

	action->kind = LSI_ACT_RECEIVE;
	if (!failed && !lsi_reader_take(r, "from"))
		failed =
			lsi_reader_fail(r, "'%s'; would be right: from, and a node", lsi_reader_rest(r).text);
	if (!failed)
		failed = lsi_reader_node(r, &action->peer);
	return failed ? failed : take_port(r, action);
}

static int take_move(struct lsi_reader *r, struct lsi_table_action *action)
{
	int failed = take_blocks(r, &action->dst);

	if (!failed && !lsi_reader_take(r, ":="))
		failed = lsi_reader_fail(
			r, "'%s'; would be right: :=, and what is written", lsi_reader_rest(r).text);
	if (failed)
		return failed;
	action->kind = lsi_reader_take(r, "fold") ? LSI_ACT_FOLD : LSI_ACT_COPY;
	failed = take_blocks(r, &action->a);
	if (!failed && action->kind == LSI_ACT_COPY && lsi_reader_take(r, "(+)")) {
		action->kind = LSI_ACT_COMBINE;
		failed = take_blocks(r, &action->b);
	}
	return failed;
}

static int take_action(struct lsi_reader *r, struct lsi_table_action *action)
{
	*action = (struct lsi_table_action){ 0 };
	if (lsi_reader_take(r, "send"))
		return take_send(r, action);
	return lsi_reader_take(r, "receive") ? take_receive(r, action) : take_move(r, action);
}

/* What a step has room for. */
static int check_room(struct lsi_reader *r, size_t first)
{
	const struct lsi_table *t = r->t;
	const struct lsi_table_action *last = &t->action[t->actions - 1];
	int alike = 0;

	for (size_t i = first; i < t->actions; i++) {
		const struct lsi_table_action *a = &t->action[i];

		alike += last->kind < LSI_ACT_COPY ? a->kind == last->kind && a->port == last->port
										   : a->kind >= LSI_ACT_COPY;
	}
	if (last->kind < LSI_ACT_COPY && alike > 1)
		return lsi_reader_fail(r, "a second %s on port %d in one round",
			last->kind == LSI_ACT_SEND ? "send" : "receive", last->port);
	return alike > LS_MOVES ? lsi_reader_fail(r, "more than %d moves in a step", LS_MOVES) : LS_OK;
}

int lsi_read_row(struct lsi_reader *r)
{
	struct lsi_table *t = r->t;
	const struct lsi_table_row *before = t->rows > 0 ? &t->row[t->rows - 1] : NULL;
	const size_t first = t->actions;
	int64_t node;
	int failed = lsi_reader_node(r, &node);

	if (failed)
		return failed;
	if (t->steps == 0)
		return lsi_reader_fail(
			r, "node %" PRId64 " before the first round; would be right: round, or local", node);
	if (before && t->rows > t->step[t->steps - 1].row && before->node >= node)
		return lsi_reader_fail(r,
			"node %" PRId64 " after node %" PRId64 "; would be right: nodes in order", node,
			before->node);
	if (!lsi_reader_take(r, ":"))
		return lsi_reader_fail(
			r, "'%s'; would be right: a colon after the node", lsi_reader_rest(r).text);
	if (!lsi_table_grow(&t->row, t->rows, &t->row_room, sizeof *t->row))
		return lsi_reader_no_memory(r);
	t->row[t->rows++] = (struct lsi_table_row){ node, first };
	do {
		if (!lsi_table_grow(&t->action, t->actions, &t->action_room, sizeof *t->action))
			return lsi_reader_no_memory(r);
		failed = take_action(r, &t->action[t->actions++]);
		if (!failed && t->step[t->steps - 1].local && t->action[t->actions - 1].kind < LSI_ACT_COPY)
			failed =
				lsi_reader_fail(r, "a message in a local step; would be right: round, not local");
		if (!failed)
			failed = check_room(r, first);
	} while (!failed && lsi_reader_take(r, ";"));
	return failed;
}

int lsi_read_step(struct lsi_reader *r, bool local)
{
	struct lsi_table *t = r->t;

	if (t->steps == STEPS_MOST)
		return lsi_reader_fail(r, "more than %d steps", STEPS_MOST);
	if (!lsi_table_grow(&t->step, t->steps, &t->step_room, sizeof *t->step))
		return lsi_reader_no_memory(r);
	t->step[t->steps++] = (struct lsi_table_step){ t->rows, local };
	return LS_OK;
}
