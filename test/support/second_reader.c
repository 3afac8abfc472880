/*
 * The grammar of docs/plans.md, line by line.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "support/second_plan.h"

enum { LINE = 16384, TOKEN = 32 };

struct reader {
	struct second_plan *plan;
	const char *at; /* in the line */
	bool is_large;  /* it has more than this reader takes */
	char *why;
	unsigned headers; /* those that were there */
};

static bool fail(struct reader *r, const char *what)
{
	if (!*r->why)
		snprintf(r->why, 200, "%s at '%.40s'", what, r->at);
	return false;
}

/* ---- Words */

static void skip_blanks(struct reader *r)
{
	r->at += strspn(r->at, " \t\r");
}

static bool take(struct reader *r, const char *symbol)
{
	const size_t n = strlen(symbol);

	skip_blanks(r);
	if (strncmp(r->at, symbol, n) != 0)
		return false;
	r->at += n;
	return true;
}

/* Letters, digits and dashes. */
static bool take_word(struct reader *r, char word[TOKEN])
{
	size_t n = 0;

	skip_blanks(r);
	while (isalnum((unsigned char)r->at[n]) || r->at[n] == '-')
		n++;
	if (n == 0 || n >= TOKEN)
		return false;
	memcpy(word, r->at, n);
	word[n] = '\0';
	r->at += n;
	return true;
}

static bool take_this(struct reader *r, const char *word)
{
	const char *before = r->at;
	char found[TOKEN];

	if (take_word(r, found) && strcmp(found, word) == 0)
		return true;
	r->at = before;
	return false;
}

static bool take_number(struct reader *r, int64_t least, int64_t most, int64_t *out)
{
	skip_blanks(r);
	if (!isdigit((unsigned char)*r->at))
		return fail(r, "no number");
	for (*out = 0; isdigit((unsigned char)*r->at) && *out <= most; r->at++)
		*out = *out * 10 + (*r->at - '0');
	if (*out < least || *out > most || isalnum((unsigned char)*r->at))
		return fail(r, "a number out of range before");
	return true;
}

static bool at_end(struct reader *r)
{
	skip_blanks(r);
	return *r->at == '\0';
}

/* ---- Actions */

static int buffer_of(const char *word)
{
	static const char *const names[PLAN_BUFFERS] = { "INPUT", "OUTPUT", "ARRIVAL", "ARRIVAL1",
		"ARRIVAL2", "ARRIVAL3", "S", "T", "U", "V" };

	for (int i = 0; i < PLAN_BUFFERS; i++)
		if (strcmp(word, names[i]) == 0)
			return i;
	return -1;
}

static bool take_range(struct reader *r, struct plan_slice *slice)
{
	int64_t first, last;

	if (!take_number(r, 0, (1 << 20) - 1, &first))
		return false;
	last = first;
	if (take(r, "..") && !take_number(r, 0, (1 << 20) - 1, &last))
		return false;
	if (last < first)
		return fail(r, "a range that falls");
	for (int64_t block = first; block <= last; block++) {
		if (slice->blocks == PLAN_BLOCKS || block > INT16_MAX) {
			r->is_large = true;
			return fail(r, "a long slice");
		}
		slice->block[slice->blocks++] = (int16_t)block;
	}
	return true;
}

static bool take_slice(struct reader *r, struct plan_slice *slice)
{
	char word[TOKEN];

	if (!take_word(r, word) || (slice->buffer = buffer_of(word)) < 0)
		return fail(r, "no buffer");
	slice->blocks = -1;
	if (!take(r, "["))
		return true;
	slice->blocks = 0;
	do
		if (!take_range(r, slice))
			return false;
	while (take(r, ","));
	return take(r, "]") || fail(r, "no ]");
}

/* [ "port" Q ] */
static bool take_port(struct reader *r, int64_t *port)
{
	*port = 0;
	return !take_this(r, "port") || take_number(r, 0, r->plan->ports - 1, port);
}

static bool take_send(struct reader *r, struct plan_part *part)
{
	struct plan_send send = { .is_there = true };
	int64_t port;

	if (!take_slice(r, &send.slice) || !take_this(r, "to")
		|| !take_number(r, 0, r->plan->nodes - 1, &send.to) || !take_port(r, &port)
		|| part->send[port].is_there)
		return fail(r, "send");
	part->send[port] = send;
	return true;
}

static bool take_receive(struct reader *r, struct plan_part *part)
{
	struct plan_receive receive = { .is_there = true };
	int64_t port;

	if (!take_number(r, 0, 1 << 20, &receive.blocks) || !take_this(r, "from")
		|| !take_number(r, 0, r->plan->nodes - 1, &receive.from) || !take_port(r, &port)
		|| part->receive[port].is_there)
		return fail(r, "receive");
	part->receive[port] = receive;
	return true;
}

static bool take_move(struct reader *r, struct plan_part *part)
{
	struct plan_move *move = &part->move[part->moves];

	if (part->moves++ == PLAN_MOVES)
		return fail(r, "a fifth move");
	if (!take_slice(r, &move->result) || !take(r, ":="))
		return fail(r, "move");
	move->kind = take_this(r, "fold") ? FOLDS : COPIES;
	if (!take_slice(r, &move->left))
		return false;
	if (move->kind == FOLDS || !take(r, "(+)"))
		return true;
	move->kind = COMBINES;
	return take_slice(r, &move->right);
}

/* RANK ":" action { ";" action } */
static bool take_part(struct reader *r)
{
	struct second_plan *plan = r->plan;
	const int step = plan->steps - 1;
	struct plan_part *part;
	int64_t rank;

	if (step < 0 || !take_number(r, 0, plan->nodes - 1, &rank) || !take(r, ":"))
		return fail(r, "no line of a node");
	part = &plan->part[step][rank];
	if (part->is_there)
		return fail(r, "a second line");
	part->is_there = true;
	do {
		const bool sends = take_this(r, "send"), receives = !sends && take_this(r, "receive");

		if ((sends || receives) && plan->is_local[step])
			return fail(r, "a message in a local step");
		if (!(sends ? take_send(r, part) : receives ? take_receive(r, part) : take_move(r, part)))
			return false;
	} while (take(r, ";"));
	return at_end(r) || fail(r, "more text");
}

/* ---- The header */

static bool take_claim(struct reader *r)
{
	static const char *const names[] = { [LS_IDEMPOTENT] = "idempotent",
		[LS_COMMUTATIVE] = "commutative",
		[LS_ORDERED] = "ordered",
		[LS_MOVE] = "move" };
	char word[TOKEN];

	if (!take_word(r, word))
		return fail(r, "no claim");
	for (int i = 0; i < 4; i++)
		if (strcmp(word, names[i]) == 0)
			r->plan->claim = i;
	r->plan->is_identical = take_this(r, "identical");
	r->plan->is_nodup = take_this(r, "nodup");
	return r->plan->claim >= 0 || fail(r, "claim");
}

static bool take_scratch(struct reader *r)
{
	char word[TOKEN];
	int buffer = take_word(r, word) ? buffer_of(word) - SCRATCH : -1;

	if (buffer < 0 || r->plan->slots[buffer])
		return fail(r, "scratch");
	return take_number(r, 1, 1 << 20, &r->plan->slots[buffer])
		&& (!take_this(r, "each") || take_number(r, 1, 1 << 20, &r->plan->each[buffer]));
}

static bool take_operation(struct reader *r)
{
	char word[TOKEN];

	if (!take_word(r, word))
		return fail(r, "no operation");
	r->plan->operation = ls_operation_find(word);
	return r->plan->operation >= 0 || fail(r, "operation");
}

static bool take_mode(struct reader *r)
{
	r->plan->is_routed = take_this(r, "routed");
	return r->plan->is_routed || take_this(r, "hop") || fail(r, "mode");
}

static bool take_nodes(struct reader *r)
{
	int64_t nodes;

	if (!take_number(r, 1, 1 << 20, &nodes))
		return false;
	r->is_large |= nodes > PLAN_NODES;
	r->plan->nodes = (int)nodes;
	return !r->is_large;
}

/* The words of a header line behind its name. */
static bool take_header(struct reader *r, int which)
{
	struct second_plan *plan = r->plan;

	switch (which) {
	case 0:
		return take_operation(r);
	case 1:
		return take_nodes(r);
	case 2:
		if (at_end(r))
			return false;
		r->at += strlen(r->at);
		return true;
	case 3:
		return take_mode(r);
	case 4:
		return take_claim(r);
	case 5:
		return take_number(r, 0, 1 << 20, &plan->root);
	case 6:
		return take_number(r, 0, 1 << 20, &plan->shift);
	case 7:
		return take_number(r, 1, PLAN_PORTS, &plan->ports);
	case 8:
		return take_number(r, 1, 1 << 20, &plan->blocks);
	case 9:
		return plan->is_in_place = true;
	default:
		return take_scratch(r);
	}
}

static bool take_header_line(struct reader *r, const char *word)
{
	static const char *const names[] = { "operation", "nodes", "algorithm", "mode", "claim", "root",
		"shift", "ports", "blocks", "in-place", "scratch" };
	enum { SCRATCH_LINE = 10 };

	for (int i = 0; i <= SCRATCH_LINE; i++)
		if (strcmp(word, names[i]) == 0) {
			if (r->headers >> i & 1 && i < SCRATCH_LINE)
				return fail(r, "a header line again");
			r->headers |= 1u << i;
			return take_header(r, i) && (at_end(r) || fail(r, "more text"));
		}
	return fail(r, "no such line");
}

static bool begin_step(struct reader *r, bool is_local)
{
	struct second_plan *plan = r->plan;

	if (plan->steps == 0
		&& ((r->headers & 3) != 3 || plan->root >= plan->nodes || plan->shift >= plan->nodes))
		return fail(r, "header");
	if (plan->steps == PLAN_STEPS) {
		r->is_large = true;
		return false;
	}
	plan->is_local[plan->steps] = is_local;
	plan->part[plan->steps] = second_plan_parts(plan->steps, plan->nodes);
	plan->steps++;
	return at_end(r) || fail(r, "more text");
}

static bool read_line(struct reader *r)
{
	char word[TOKEN];

	if (at_end(r))
		return true;
	if (isdigit((unsigned char)*r->at))
		return take_part(r);
	if (!take_word(r, word))
		return fail(r, "no word");
	if (strcmp(word, "round") == 0 || strcmp(word, "local") == 0)
		return begin_step(r, *word == 'l');
	return r->plan->steps == 0 ? take_header_line(r, word) : fail(r, "a header line in a step");
}

static bool read_first_line(struct reader *r)
{
	return take(r, "lockstep plan 1") && at_end(r); /* with one blank each */
}

enum second_verdict second_plan_read(const char *text, struct second_plan *plan, char *why)
{
	struct reader r = { .plan = plan, .why = why };
	bool is_first = true, right = true;
	char line[LINE];

	*why = '\0';
	*plan = (struct second_plan){ .claim = -1, .ports = 1 };
	while (*text && right) {
		const size_t length = strcspn(text, "\n");

		if (length >= LINE)
			return TOO_LARGE;
		memcpy(line, text, length);
		line[length] = '\0';
		line[strcspn(line, "#")] = '\0';
		text += length + (text[length] == '\n');
		r.at = line;
		right = is_first ? read_first_line(&r) : read_line(&r);
		is_first = false;
	}
	if (right && !is_first && plan->steps == 0)
		right = (r.headers & 3) == 3 && plan->root < plan->nodes && plan->shift < plan->nodes;
	return r.is_large ? TOO_LARGE : right && !is_first ? ACCEPTED : REFUSED;
}
