/*
 * Plans as text: reading steps and their rows.
 *
 *   RANK: send BLOCKS to RANK [port Q]; receive COUNT from RANK [port Q]; MOVE; ..
 *   MOVE:   BLOCKS := BLOCKS    BLOCKS := BLOCKS (+) BLOCKS    BLOCKS := fold BLOCKS
 *   BLOCKS: BUFFER    BUFFER[0..3,8]
 */
#include <inttypes.h>
#include <stdlib.h>

#include "plan/reader.h"
#include "plan/text.h"

enum { STEPS_MAX = 1 << 24, NUMBERS_MAX = 1 << 26, WHOLE = 0 /* the run of all blocks */ };

static int add_number(struct lsi_reader *r, int64_t number)
{
	struct lsi_table *t = r->t;

	if (t->numbers == NUMBERS_MAX)
		return lsi_reader_fail(r,
			"the lists of blocks have more than %d numbers; try ranges such as 0..3", NUMBERS_MAX);
	if (!lsi_table_grow(&t->number, t->numbers, &t->number_room, sizeof *t->number))
		return lsi_reader_no_memory(r);
	t->number[t->numbers++] = number;
	return LS_OK;
}

/* "ARRIVAL" is port 0, "ARRIVAL2" port 2. */
static int take_buffer(struct lsi_reader *r, const char *expected, uint8_t *out)
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
		return lsi_reader_fail_expected(r, expected);
	*out = (uint8_t)found;
	return LS_OK;
}

/*
 * "BUFFER[0..3]" becomes a run, "BUFFER[0..3,8]" a list, "BUFFER" WHOLE until the row is complete.
 */
static int take_named_blocks(
	struct lsi_reader *r, const char *expected, struct lsi_table_blocks *out)
{
	int64_t first, last;
	size_t begin = r->t->numbers;
	int failed = take_buffer(r, expected, &out->buffer);

	out->listed = false;
	out->run = WHOLE;
	if (!failed && !lsi_reader_take(r, "["))
		return LS_OK;
	while (!failed) {
		failed = lsi_reader_number(r, "block", 0, LSI_NUMBER_MOST, &first);
		last = first;
		if (!failed && lsi_reader_take(r, ".."))
			failed = lsi_reader_number(r, "block", first, LSI_NUMBER_MOST, &last);
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
			failed = lsi_reader_fail_expected(r, "',' or ']'");
	}
	return failed;
}

static int take_blocks(struct lsi_reader *r, struct lsi_table_blocks *out)
{
	return take_named_blocks(r, "INPUT, OUTPUT, ARRIVAL, S, T, U or V", out);
}

/* An optional "port Q"; 0 unless given. */
static int take_port(struct lsi_reader *r, struct lsi_table_action *action)
{
	int64_t port = 0;
	const int failed =
		lsi_reader_take(r, "port") ? lsi_reader_number(r, "port", 0, LS_PORTS - 1, &port) : LS_OK;

	action->port = (uint8_t)port;
	return failed;
}

static int take_send(struct lsi_reader *r, struct lsi_table_action *action)
{
	int failed = take_blocks(r, &action->a);

	action->kind = LSI_ACT_SEND;
	if (!failed && !lsi_reader_take(r, "to"))
		failed = lsi_reader_fail_expected(r, "'to' and a rank");
	if (!failed)
		failed = lsi_reader_node(r, &action->peer);
	return failed ? failed : take_port(r, action);
}

static int take_receive(struct lsi_reader *r, struct lsi_table_action *action)
{
	int failed = lsi_reader_number(r, "block count", 1, LSI_NUMBER_MOST, &action->arrives);

	action->kind = LSI_ACT_RECEIVE;
	if (!failed && !lsi_reader_take(r, "from"))
		failed = lsi_reader_fail_expected(r, "'from' and a rank");
	if (!failed)
		failed = lsi_reader_node(r, &action->peer);
	return failed ? failed : take_port(r, action);
}

static int take_move(struct lsi_reader *r, struct lsi_table_action *action)
{
	int failed = take_named_blocks(r, "'send', 'receive', OUTPUT, S, T, U or V", &action->dst);

	if (!failed && !lsi_reader_take(r, ":="))
		failed = lsi_reader_fail_expected(r, "':='");
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

/* A step holds one send and one receive per port, and LS_MOVES moves. */
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
		return lsi_reader_fail(r,
			"a second %s on port %d in this round; try another port, or another round",
			last->kind == LSI_ACT_SEND ? "send" : "receive", last->port);
	return alike > LS_MOVES ? lsi_reader_fail(
			   r, "more than %d moves in a step; try a 'local' step for the rest", LS_MOVES)
							: LS_OK;
}

/* ---- Buffers that a row names */

/* The slots that a scratch buffer needs for these blocks; the header does not declare it. */
static int64_t slots_needed(const struct lsi_table *t, const struct lsi_table_blocks *blocks)
{
	int64_t most = blocks->run == WHOLE ? 0 : blocks->first + blocks->run - 1;

	if (!blocks->listed)
		return most + 1;
	most = 0;
	for (int64_t i = 0; i < blocks->run; i++) {
		const int64_t number = t->number[blocks->first + i];

		most = number > most ? number : most;
	}
	return most + 1;
}

/* The blocks that arrive on a port in a row; 0: none. */
static int64_t arrivals(const struct lsi_table *t, const struct lsi_table_row *row, int port)
{
	for (size_t i = row->first; i < row->first + row->actions; i++) {
		const struct lsi_table_action *action = &t->action[i];

		if (action->kind == LSI_ACT_RECEIVE && action->port == port)
			return action->arrives;
	}
	return 0;
}

/* The buffer must exist; a slice WHOLE becomes the run of all its blocks. */
static int complete_blocks(
	struct lsi_reader *r, const struct lsi_table_row *row, struct lsi_table_blocks *blocks)
{
	const int scratch = blocks->buffer - LS_SCRATCH, port = blocks->buffer - LS_ARRIVAL;
	const bool arrives = port >= 0 && scratch < 0;

	if (scratch >= 0 && r->plan->frame.scratch[scratch].slots == 0)
		return lsi_reader_fail(r,
			"the header does not declare buffer %c; try 'scratch %c %" PRId64
			"' before the first step",
			LSI_SCRATCH_LETTERS[scratch], LSI_SCRATCH_LETTERS[scratch], slots_needed(r->t, blocks));
	if (blocks->run != WHOLE)
		return LS_OK;
	blocks->first = 0;
	blocks->run = arrives ? arrivals(r->t, row, port) : lsi_buffer_blocks(r->plan, blocks->buffer);
	if (blocks->run == 0 && port == 0)
		return lsi_reader_fail(
			r, "the node reads ARRIVAL, but receives nothing on port 0; try 'receive 1 from RANK'");
	if (blocks->run == 0)
		return lsi_reader_fail(r,
			"the node reads ARRIVAL%d, but receives nothing on port %d; try 'receive 1 from RANK "
			"port %d'",
			port, port, port);
	return LS_OK;
}

/* ARRIVAL without numbers may appear before its receive, so the end of the row completes slices. */
static int complete_row(struct lsi_reader *r, const struct lsi_table_row *row)
{
	int failed = LS_OK;

	for (size_t i = row->first; i < row->first + row->actions && !failed; i++) {
		struct lsi_table_action *action = &r->t->action[i];

		if (action->kind >= LSI_ACT_COPY)
			failed = complete_blocks(r, row, &action->dst);
		if (action->kind != LSI_ACT_RECEIVE && !failed)
			failed = complete_blocks(r, row, &action->a);
		if (action->kind == LSI_ACT_COMBINE && !failed)
			failed = complete_blocks(r, row, &action->b);
	}
	return failed;
}

/* ---- Rows and steps */

/* The actions of a row, separated by ';'.  A local step has no messages. */
static int take_actions(struct lsi_reader *r, size_t first)
{
	struct lsi_table *t = r->t;
	const bool local = t->step[t->steps - 1].local;
	int failed;

	do {
		if (!lsi_table_grow(&t->action, t->actions, &t->action_room, sizeof *t->action))
			return lsi_reader_no_memory(r);
		failed = take_action(r, &t->action[t->actions++]);
		if (!failed && local && t->action[t->actions - 1].kind < LSI_ACT_COPY)
			failed = lsi_reader_fail(
				r, "a local step cannot send or receive; try 'round' in place of 'local'");
		if (!failed)
			failed = check_room(r, first);
	} while (!failed && lsi_reader_take(r, ";"));
	return failed;
}

int lsi_read_row(struct lsi_reader *r)
{
	struct lsi_table *t = r->t;
	struct lsi_table_row *row;
	int64_t node;
	int failed = lsi_reader_node(r, &node);

	if (failed)
		return failed;
	if (t->steps == 0)
		return lsi_reader_fail(
			r, "node %" PRId64 " comes before the first step; expected 'round' or 'local'", node);
	if (!lsi_reader_take(r, ":"))
		return lsi_reader_fail_expected(r, "':' after the rank");
	if (!lsi_table_grow(&t->row, t->rows, &t->row_room, sizeof *t->row))
		return lsi_reader_no_memory(r);
	row = &t->row[t->rows++];
	*row = (struct lsi_table_row){ .node = node, .first = t->actions, .line = r->line };
	failed = take_actions(r, row->first);
	row->actions = t->actions - row->first;
	return failed ? failed : complete_row(r, row);
}

/* By node, then by line, so that an error names the second line of a node. */
static int compare_by_node(const void *left, const void *right)
{
	const struct lsi_table_row *a = left, *b = right;
	const int64_t x = a->node == b->node ? a->line : a->node;
	const int64_t y = a->node == b->node ? b->line : b->node;

	return (x > y) - (x < y);
}

/* Sort the rows of the last step by node; no node may have two. */
static int end_step(struct lsi_reader *r)
{
	struct lsi_table *t = r->t;
	const size_t first = t->step[t->steps - 1].row;
	bool sorted = true;

	for (size_t i = first + 1; i < t->rows; i++)
		sorted = sorted && t->row[i - 1].node < t->row[i].node;
	if (sorted)
		return LS_OK;
	qsort(t->row + first, t->rows - first, sizeof *t->row, compare_by_node);
	for (size_t i = first + 1; i < t->rows; i++) {
		if (t->row[i - 1].node < t->row[i].node)
			continue;
		r->line = t->row[i].line;
		return lsi_reader_fail(r,
			"node %" PRId64 " has two lines in one step; try one line, with ';' between its parts",
			t->row[i].node);
	}
	return LS_OK;
}

int lsi_read_step(struct lsi_reader *r, bool local)
{
	struct lsi_table *t = r->t;

	if (t->steps > 0) {
		const int failed = end_step(r);

		if (failed)
			return failed;
	}
	if (t->steps == STEPS_MAX)
		return lsi_reader_fail(r, "the plan has more than %d steps; try fewer rounds", STEPS_MAX);
	if (!lsi_table_grow(&t->step, t->steps, &t->step_room, sizeof *t->step))
		return lsi_reader_no_memory(r);
	t->step[t->steps++] = (struct lsi_table_step){ t->rows, local };
	return LS_OK;
}
