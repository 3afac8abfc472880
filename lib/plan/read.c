/*
 * Plans as text: reading.  The form is described in <lockstep/plan.h>.
 *
 * What is read is kept as a table of actions, sorted by step and node: a slice is a run or a list of
 * numbers.  The plan's algorithm is one of its own, whose functions look into the table.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/nearest.h"
#include "plan/step.h"
#include "plan/text.h"

enum { STEPS_MOST = 1 << 24, NUMBER_MOST = 1 << 20, NUMBERS_MOST = 1 << 26 };

/* Blocks first .. first+run-1, or, where listed, the run numbers from there on in the table's. */
struct blocks { int64_t first, run; bool listed; uint8_t buffer; };

enum kind { SEND, RECEIVE, COPY, COMBINE, FOLD };
struct action {
	uint8_t kind, port;
	int64_t peer, arrives;
	struct blocks dst, a, b;        /* SEND: a */
};

/* The actions of a node in a step are those up to the next row's. */
struct row { int64_t node; size_t first; };

struct table {
	struct ls_algorithm algorithm;
	char name[64];
	struct step { size_t row; bool local; } *step;          /* one more than there are */
	struct row *row;                                        /* one more                */
	struct action *action;
	int64_t *number;
	size_t steps, rows, actions, numbers;
	size_t step_room, row_room, action_room, number_room;
};

/* A plan of this kind ---------------------------------------------------------------------------- */

static bool is_local(const struct ls_plan *plan, int64_t step)
{
	return ((const struct table *)plan->table)->step[step].local;
}

static struct ls_slice slice_of(const struct table *t, const struct blocks *blocks)
{
	return blocks->listed ? ls_indexed(blocks->buffer, t->number + blocks->first, blocks->run)
			      : ls_blocks(blocks->buffer, blocks->first, blocks->run);
}

/* The row of a node in a step; NULL: it does nothing. */
static const struct row *row_of(const struct table *t, int64_t step, int64_t node)
{
	size_t low = t->step[step].row, high = t->step[step + 1].row;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (t->row[middle].node < node)
			low = middle + 1;
		else
			high = middle;
	}
	return low < t->step[step + 1].row && t->row[low].node == node ? &t->row[low] : NULL;
}

static void peers(const struct ls_plan *plan, int64_t rank, int64_t step, struct ls_peers *out)
{
	const struct table *t = plan->table;
	const struct row *row = row_of(t, step, rank);

	for (size_t i = row ? row->first : 0; row && i < row[1].first; i++) {
		const struct action *action = &t->action[i];

		if (action->kind == SEND)
			out->to[action->port] = action->peer;
		else if (action->kind == RECEIVE)
			out->from[action->port] = action->peer;
	}
}

static void body(const struct ls_plan *plan, int64_t step, int64_t rank, struct ls_step *out)
{
	const struct table *t = plan->table;
	const struct row *row = row_of(t, step, rank);

	for (size_t i = row ? row->first : 0; row && i < row[1].first; i++) {
		const struct action *action = &t->action[i];
		const struct ls_slice a = slice_of(t, &action->a), dst = slice_of(t, &action->dst);

		switch (action->kind) {
		case SEND: ls_step_send_on(out, action->port, a); break;
		case RECEIVE: ls_step_receive_on(out, action->port, action->arrives); break;
		case COPY: ls_step_copy(out, dst, a); break;
		case COMBINE: ls_step_combine(out, dst, a, slice_of(t, &action->b)); break;
		default: ls_step_fold(out, dst, a);
		}
	}
}

static void table_free(struct table *t)
{
	if (!t)
		return;
	ls_free(t->step);
	ls_free(t->row);
	ls_free(t->action);
	ls_free(t->number);
	ls_free(t);
}

static void release(struct ls_plan *plan)
{
	table_free(plan->table);
}

/* Reading ----------------------------------------------------------------------------------------- */

struct reader {
	const char *at, *end;           /* the rest of the line: words are cut off its front */
	int64_t line;
	struct ls_plan *plan;
	struct table *t;
	struct ls_error *why;
	bool named, sized;              /* operation and nodes are known */
	bool claimed;
};

__attribute__((format(printf, 2, 3))) static int fail(struct reader *r, const char *format, ...)
{
	char text[160];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	return ls_fail(r->why, LS_ERR_SPEC, "line %" PRId64 " of the plan: %s", r->line, text);
}

static int no_memory(struct reader *r)
{
	return ls_fail(r->why, LS_ERR_MEMORY, "no memory for line %" PRId64 " of the plan", r->line);
}

/* Room for one more element of an array; false: no memory. */
static bool grow(void *array, size_t count, size_t *room, size_t bytes)
{
	void **at = array;

	if (count < *room)
		return true;

	const size_t more = 2 * *room + 64;
	void *wider = ls_alloc_more(*at, count * bytes, more * bytes);

	if (!wider)
		return false;
	*at = wider;
	*room = more;
	return true;
}

static void skip_blanks(struct reader *r)
{
	while (r->at < r->end && (*r->at == ' ' || *r->at == '\t' || *r->at == '\r'))
		r->at++;
}

/* Whether the line goes on with a text, which is then taken. */
static bool take(struct reader *r, const char *text)
{
	const size_t length = strlen(text);

	skip_blanks(r);
	if ((size_t)(r->end - r->at) < length || memcmp(r->at, text, length) != 0)
		return false;
	if (isalnum((unsigned char)text[length - 1]) && r->at + length < r->end
			&& isalnum((unsigned char)r->at[length]))
		return false;
	r->at += length;
	return true;
}

static bool at_end(struct reader *r)
{
	skip_blanks(r);
	return r->at == r->end;
}

static struct ls_quote rest(struct reader *r)
{
	skip_blanks(r);
	return ls_quote(r->at, (size_t)(r->end - r->at));
}

static int take_number(struct reader *r, int64_t least, int64_t most, int64_t *out)
{
	const char *begin;

	skip_blanks(r);
	begin = r->at;
	for (*out = 0; r->at < r->end && isdigit((unsigned char)*r->at) && *out <= most; r->at++)
		*out = 10 * *out + (*r->at - '0');
	if (r->at == begin || *out < least || *out > most) {
		r->at = begin;
		return fail(r, "'%s'; would be right: a number from %" PRId64 " to %" PRId64, rest(r).text, least, most);
	}
	return LS_OK;
}

static int take_node(struct reader *r, int64_t *out)
{
	return take_number(r, 0, r->plan->problem.nodes - 1, out);
}

static int add_number(struct reader *r, int64_t number)
{
	struct table *t = r->t;

	if (t->numbers == NUMBERS_MOST)
		return fail(r, "more than %d numbers of blocks", NUMBERS_MOST);
	if (!grow(&t->number, t->numbers, &t->number_room, sizeof *t->number))
		return no_memory(r);
	t->number[t->numbers++] = number;
	return LS_OK;
}

static int take_buffer(struct reader *r, uint8_t *out)
{
	char scratch[] = { 0, 0 }, arrival[] = "ARRIVAL0";
	int found = take(r, "INPUT") ? LS_INPUT : take(r, "OUTPUT") ? LS_OUTPUT : take(r, "ARRIVAL") ? LS_ARRIVAL : -1;

	for (int q = 1; q < LS_PORTS && found < 0; q++) {
		arrival[7] = (char)('0' + q);
		found = take(r, arrival) ? LS_ARRIVAL + q : -1;
	}
	for (int k = 0; k < LS_SCRATCHES && found < 0; k++) {
		scratch[0] = LS_SCRATCH_LETTERS[k];
		found = take(r, scratch) ? LS_SCRATCH + k : -1;
	}
	if (found < 0)
		return fail(r, "'%s'; would be right: INPUT, OUTPUT, ARRIVAL, S, T, U or V", rest(r).text);
	*out = (uint8_t)found;
	return LS_OK;
}

/* "BUFFER[0..3,8]": one range is a run, more are listed. */
static int take_blocks(struct reader *r, struct blocks *out)
{
	int64_t first, last;
	size_t begin = r->t->numbers;
	int failed = take_buffer(r, &out->buffer);

	out->listed = false;
	if (!failed && !take(r, "["))
		return fail(r, "'%s'; would be right: [, and numbers of blocks", rest(r).text);
	while (!failed) {
		failed = take_number(r, 0, NUMBER_MOST, &first);
		last = first;
		if (!failed && take(r, ".."))
			failed = take_number(r, first, NUMBER_MOST, &last);
		if (failed)
			break;
		if (!out->listed && take(r, "]")) {
			out->first = first;
			out->run = last - first + 1;
			return LS_OK;
		}
		out->listed = true;
		for (int64_t b = first; b <= last && !failed; b++)
			failed = add_number(r, b);
		if (!failed && take(r, "]")) {
			out->first = (int64_t)begin;
			out->run = (int64_t)(r->t->numbers - begin);
			return LS_OK;
		}
		if (!failed && !take(r, ","))
			failed = fail(r, "'%s'; would be right: a comma, or ]", rest(r).text);
	}
	return failed;
}

static int take_port(struct reader *r, struct action *action)
{
	int64_t port = 0;
	const int failed = take(r, "port") ? take_number(r, 0, LS_PORTS - 1, &port) : LS_OK;

	action->port = (uint8_t)port;
	return failed;
}

static int take_send(struct reader *r, struct action *action)
{
	int failed = take_blocks(r, &action->a);

	action->kind = SEND;
	if (!failed && !take(r, "to"))
		failed = fail(r, "'%s'; would be right: to, and a node", rest(r).text);
	if (!failed)
		failed = take_node(r, &action->peer);
	return failed ? failed : take_port(r, action);
}

static int take_receive(struct reader *r, struct action *action)
{
	int failed = take_number(r, 1, NUMBER_MOST, &action->arrives);

	action->kind = RECEIVE;
	if (!failed && !take(r, "from"))
		failed = fail(r, "'%s'; would be right: from, and a node", rest(r).text);
	if (!failed)
		failed = take_node(r, &action->peer);
	return failed ? failed : take_port(r, action);
}

static int take_move(struct reader *r, struct action *action)
{
	int failed = take_blocks(r, &action->dst);

	if (!failed && !take(r, ":="))
		failed = fail(r, "'%s'; would be right: :=, and what is written", rest(r).text);
	if (failed)
		return failed;
	action->kind = take(r, "fold") ? FOLD : COPY;
	failed = take_blocks(r, &action->a);
	if (!failed && action->kind == COPY && take(r, "(+)")) {
		action->kind = COMBINE;
		failed = take_blocks(r, &action->b);
	}
	return failed;
}

static int take_action(struct reader *r, struct action *action)
{
	*action = (struct action){ 0 };
	if (take(r, "send"))
		return take_send(r, action);
	return take(r, "receive") ? take_receive(r, action) : take_move(r, action);
}

/* What a step has room for. */
static int check_room(struct reader *r, size_t first)
{
	const struct table *t = r->t;
	const struct action *last = &t->action[t->actions - 1];
	int alike = 0;

	for (size_t i = first; i < t->actions; i++) {
		const struct action *a = &t->action[i];

		alike += last->kind < COPY ? a->kind == last->kind && a->port == last->port : a->kind >= COPY;
	}
	if (last->kind < COPY && alike > 1)
		return fail(r, "a second %s on port %d in one round", last->kind == SEND ? "send" : "receive", last->port);
	return alike > LS_MOVES ? fail(r, "more than %d moves in a step", LS_MOVES) : LS_OK;
}

static int read_row(struct reader *r)
{
	struct table *t = r->t;
	const struct row *before = t->rows > 0 ? &t->row[t->rows - 1] : NULL;
	const size_t first = t->actions;
	int64_t node;
	int failed = take_node(r, &node);

	if (failed)
		return failed;
	if (t->steps == 0)
		return fail(r, "node %" PRId64 " before the first round; would be right: round, or local", node);
	if (before && t->rows > t->step[t->steps - 1].row && before->node >= node)
		return fail(r, "node %" PRId64 " after node %" PRId64 "; would be right: nodes in order", node, before->node);
	if (!take(r, ":"))
		return fail(r, "'%s'; would be right: a colon after the node", rest(r).text);
	if (!grow(&t->row, t->rows, &t->row_room, sizeof *t->row))
		return no_memory(r);
	t->row[t->rows++] = (struct row){ node, first };
	do {
		if (!grow(&t->action, t->actions, &t->action_room, sizeof *t->action))
			return no_memory(r);
		failed = take_action(r, &t->action[t->actions++]);
		if (!failed && t->step[t->steps - 1].local && t->action[t->actions - 1].kind < COPY)
			failed = fail(r, "a message in a local step; would be right: round, not local");
		if (!failed)
			failed = check_room(r, first);
	} while (!failed && take(r, ";"));
	return failed;
}

static int begin_step(struct reader *r, bool local)
{
	struct table *t = r->t;

	if (t->steps == STEPS_MOST)
		return fail(r, "more than %d steps", STEPS_MOST);
	if (!grow(&t->step, t->steps, &t->step_room, sizeof *t->step))
		return no_memory(r);
	t->step[t->steps++] = (struct step){ t->rows, local };
	return LS_OK;
}

/* The head ----------------------------------------------------------------------------------------- */

static int read_operation(struct reader *r)
{
	const struct ls_quote name = rest(r);
	char word[32];
	int operation;

	snprintf(word, sizeof word, "%.*s", (int)strcspn(name.text, " \t"), name.text);
	operation = ls_operation_find(word);
	if (operation < 0)
		return fail(r, "no operation is named %s; would be right: allreduce, or another", word);
	r->plan->problem.operation = (enum ls_operation)operation;
	r->named = true;
	r->at = r->end;
	return LS_OK;
}

static int read_nodes(struct reader *r)
{
	const int64_t nodes = r->plan->problem.nodes;
	int64_t given;
	const int failed = take_number(r, 1, NUMBER_MOST, &given);

	if (failed)
		return failed;
	if (given != nodes)
		return fail(r, "%" PRId64 " nodes; %.40s has %" PRId64, given, ls_topology_spec(r->plan->problem.topology), nodes);
	r->sized = true;
	return LS_OK;
}

static int read_claim(struct reader *r)
{
	struct ls_algorithm *a = &r->t->algorithm;
	int claim = LS_MOVE;

	while (claim >= 0 && !take(r, ls_claim_words[claim]))
		claim--;
	if (claim < 0)
		return fail(r, "'%s'; would be right: idempotent, commutative, ordered or move", rest(r).text);
	a->claim = (enum ls_claim)claim;
	r->claimed = true;
	a->identical = take(r, "identical");
	a->nodup = take(r, "nodup");
	return LS_OK;
}

static int read_scratch(struct reader *r)
{
	struct ls_scratch *scratch = NULL;

	for (int k = 0; k < LS_SCRATCHES && !scratch; k++) {
		const char letter[] = { LS_SCRATCH_LETTERS[k], '\0' };

		if (take(r, letter))
			scratch = &r->plan->frame.scratch[k];
	}
	if (!scratch)
		return fail(r, "'%s'; would be right: S, T, U or V", rest(r).text);

	const int failed = take_number(r, 1, NUMBER_MOST, &scratch->slots);

	scratch->each = 1;
	return !failed && take(r, "each") ? take_number(r, 1, NUMBER_MOST, &scratch->each) : failed;
}

static int read_algorithm(struct reader *r)
{
	const struct ls_quote name = rest(r);

	if (!name.text[0])
		return fail(r, "an algorithm without a name");
	snprintf(r->t->name, sizeof r->t->name, "%s", name.text);
	r->at = r->end;
	return LS_OK;
}

static int read_mode(struct reader *r)
{
	const bool hop = take(r, "hop");

	if (!hop && !take(r, "routed"))
		return fail(r, "'%s'; would be right: hop, or routed", rest(r).text);
	r->plan->problem.mode = hop ? LS_HOP : LS_ROUTED;
	return LS_OK;
}

static int read_ports(struct reader *r)
{
	int64_t ports;
	const int failed = take_number(r, 1, LS_PORTS, &ports);

	r->plan->problem.ports = (int)ports;
	return failed;
}

static int read_root(struct reader *r)
{
	return take_node(r, &r->plan->problem.root);
}

static int read_shift(struct reader *r)
{
	return take_node(r, &r->plan->problem.shift);
}

static int read_blocks(struct reader *r)
{
	return take_number(r, 1, NUMBER_MOST, &r->plan->frame.blocks);
}

static int read_in_place(struct reader *r)
{
	r->plan->problem.in_place = true;
	return LS_OK;
}

static int read_round(struct reader *r)
{
	return begin_step(r, false);
}

static int read_local(struct reader *r)
{
	return begin_step(r, true);
}

static const struct { const char *word; int (*read)(struct reader *); bool in_head; } words[] = {
	{ "operation", read_operation, true },
	{ "nodes", read_nodes, true },
	{ "algorithm", read_algorithm, true },
	{ "mode", read_mode, true },
	{ "claim", read_claim, true },
	{ "root", read_root, true },
	{ "shift", read_shift, true },
	{ "ports", read_ports, true },
	{ "blocks", read_blocks, true },
	{ "in-place", read_in_place, true },
	{ "scratch", read_scratch, true },
	{ "round", read_round, false },
	{ "local", read_local, false },
};

static int read_line(struct reader *r)
{
	if (at_end(r))
		return LS_OK;
	if (isdigit((unsigned char)*r->at))
		return read_row(r);
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		if (!take(r, words[i].word))
			continue;
		if (words[i].in_head && r->t->steps > 0)
			return fail(r, "%s after the first round; would be right: before it", words[i].word);
		return words[i].read(r);
	}
	return fail(r, "'%s'; would be right: a node, round, local, or a line of the head", rest(r).text);
}

static int read_lines(struct reader *r, const char *text, size_t length)
{
	const char *const end = text + length;
	int failed = LS_OK;

	for (const char *next; text < end && !failed; text = next) {
		const char *const newline = memchr(text, '\n', (size_t)(end - text));
		const char *comment;

		r->line++;
		r->at = text;
		r->end = newline ? newline : end;
		next = newline ? newline + 1 : end;
		comment = memchr(text, '#', (size_t)(r->end - text));
		r->end = comment ? comment : r->end;
		if (r->line == 1 && !take(r, "lockstep plan 1"))
			return fail(r, "'%s'; would be right: lockstep plan 1", rest(r).text);
		failed = r->line == 1 ? LS_OK : read_line(r);
		if (!failed && !at_end(r))
			failed = fail(r, "'%s' too much", rest(r).text);
	}
	return failed;
}

/* What follows from all lines: the ends of the tables, and what the head left open. */
static int finish(struct reader *r)
{
	struct table *t = r->t;
	struct ls_plan *plan = r->plan;

	if (!r->named || !r->sized)
		return fail(r, "no line says %s; would be right: operation and nodes before the first round",
			r->named ? "nodes" : "operation");
	if (begin_step(r, false) != LS_OK || !grow(&t->row, t->rows, &t->row_room, sizeof *t->row))
		return no_memory(r);
	t->row[t->rows] = (struct row){ 0, t->actions };
	t->steps--;
	for (size_t s = 0; s < t->steps; s++)
		plan->frame.locals += t->step[s].local;
	plan->frame.rounds = (int64_t)t->steps - plan->frame.locals;
	if (!r->claimed)
		t->algorithm.claim = ls_operation_combines(plan->problem.operation) ? LS_COMMUTATIVE : LS_MOVE;
	if (plan->frame.blocks == 0)
		plan->frame.blocks = ls_operation_is_vector(plan->problem.operation)
				|| plan->problem.operation == LS_SHIFT ? 1 : plan->problem.nodes;
	return LS_OK;
}

static struct ls_algorithm algorithm_named(const char *name)
{
	return (struct ls_algorithm){ .name = name, .networks = "one", .rounds = "as written", .source = "a file",
		.release = release, .is_local = is_local, .peers = peers, .body = body };
}

int ls_plan_read(const char *text, size_t length, const ls_topology *topology, ls_plan **out, struct ls_error *why)
{
	struct ls_plan *plan = ls_alloc_zero(1, sizeof *plan);
	struct table *t = ls_alloc_zero(1, sizeof *t);
	struct reader r = { .plan = plan, .t = t, .why = why };
	int status;

	*out = NULL;
	if (!plan || !t) {
		ls_free(plan);
		ls_free(t);
		return ls_fail(why, LS_ERR_MEMORY, "no memory for a plan");
	}
	snprintf(t->name, sizeof t->name, "unnamed");
	t->algorithm = algorithm_named(t->name);
	*plan = (struct ls_plan){ .algorithm = &t->algorithm, .table = t,
		.problem = { .topology = topology, .nodes = ls_topology_nodes(topology), .segments = 1, .ports = 1 } };
	status = read_lines(&r, text, length);
	if (status == LS_OK && r.line == 0) {
		r.line = 1;
		status = fail(&r, "nothing; would be right: lockstep plan 1");
	}
	if (status == LS_OK)
		status = finish(&r);
	if (status != LS_OK) {
		table_free(t);
		ls_free(plan);
		return status;
	}
	*out = plan;
	return LS_OK;
}
