/*
 * Plans as text: reading the header and the lines.  <lockstep/plan.h> describes the form.
 *
 *   lockstep plan 1          the version           read_lines
 *   operation reduce         the header            words[], by read_line
 *   nodes 2
 *   round                    a step                lsi_read_step
 *   1: send INPUT to 0       a row of the step     lsi_read_row
 *   0: receive 1 from 1
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "plan/reader.h"
#include "plan/text.h"

/* The words that begin a line; rows of nodes begin with a number. */
enum word {
	OPERATION,
	NODES,
	ALGORITHM,
	MODE,
	CLAIM,
	ROOT,
	SHIFT,
	PORTS,
	BLOCKS,
	IN_PLACE,
	SCRATCH,
	ROUND,
	LOCAL,
	WORDS
};

static bool has_line(const struct lsi_reader *r, enum word word)
{
	return r->seen >> word & 1;
}

/* ---- The header */

/* A name that is not an operation gets the nearest one as a suggestion. */
static int read_operation(struct lsi_reader *r)
{
	const struct lsi_quote name = lsi_reader_rest(r);
	struct lsi_suggestion nearest;
	char word[32];
	int operation;

	snprintf(word, sizeof word, "%.*s", (int)strcspn(name.text, " \t"), name.text);
	operation = ls_operation_find(word);
	if (operation < 0) {
		nearest = lsi_suggest_begin(word, strlen(word));
		for (int i = 0; i < LS_OPERATIONS; i++)
			lsi_suggest_offer(&nearest, lsi_operations[i].name);
		return lsi_reader_fail(r,
			nearest.name ? "no operation '%s'; did you mean '%s'?"
						 : "no operation '%s'; expected a name like '%s'",
			word, nearest.name ? nearest.name : lsi_operations[LS_ALLREDUCE].name);
	}
	r->plan->problem.operation = (enum ls_operation)operation;
	r->at = r->end;
	return LS_OK;
}

/* The number must be that of the topology, which the caller gives. */
static int read_nodes(struct lsi_reader *r)
{
	const int64_t nodes = r->plan->problem.nodes;
	int64_t given;
	const int failed = lsi_reader_number(r, "node count", 1, LSI_NUMBER_MOST, &given);

	if (failed)
		return failed;
	if (given != nodes)
		return lsi_reader_fail(r,
			"the plan has %" PRId64 " nodes, but %.40s has %" PRId64 "; expected 'nodes %" PRId64
			"'",
			given, ls_topology_spec(r->plan->problem.topology), nodes, nodes);
	return LS_OK;
}

/* "claim ordered identical nodup": one claim, then optional properties. */
static int read_claim(struct lsi_reader *r)
{
	struct lsi_algorithm *a = &r->t->algorithm;
	int claim = LS_MOVE;

	while (claim >= 0 && !lsi_reader_take(r, lsi_claim_words[claim]))
		claim--;
	if (claim < 0)
		return lsi_reader_fail_expected(r, "'idempotent', 'commutative', 'ordered' or 'move'");
	r->claim_line = r->line;
	a->claim = (enum ls_claim)claim;
	a->identical = lsi_reader_take(r, "identical");
	a->nodup = lsi_reader_take(r, "nodup");
	return LS_OK;
}

/* "scratch S 4 each 2": slots, then slots for each logical block (1 unless given). */
static int read_scratch(struct lsi_reader *r)
{
	struct lsi_scratch *scratch = NULL;

	for (int k = 0; k < LS_SCRATCH_BUFFERS && !scratch; k++) {
		const char letter[] = { LSI_SCRATCH_LETTERS[k], '\0' };

		if (lsi_reader_take(r, letter))
			scratch = &r->plan->frame.scratch[k];
	}
	if (!scratch)
		return lsi_reader_fail_expected(r, "S, T, U or V");
	if (scratch->slots > 0)
		return lsi_reader_fail(r, "a second line for this buffer; expected one");

	const int failed = lsi_reader_number(r, "slot count", 1, LSI_NUMBER_MOST, &scratch->slots);

	scratch->each = 1;
	return !failed && lsi_reader_take(r, "each")
		? lsi_reader_number(r, "count of slots per block", 1, LSI_NUMBER_MOST, &scratch->each)
		: failed;
}

static int read_algorithm(struct lsi_reader *r)
{
	const struct lsi_quote name = lsi_reader_rest(r);

	if (!name.text[0])
		return lsi_reader_fail_expected(r, "a name");
	snprintf(r->t->name, sizeof r->t->name, "%s", name.text);
	r->at = r->end;
	return LS_OK;
}

static int read_mode(struct lsi_reader *r)
{
	const bool hop = lsi_reader_take(r, "hop");

	if (!hop && !lsi_reader_take(r, "routed"))
		return lsi_reader_fail_expected(r, "'hop' or 'routed'");
	r->plan->problem.mode = hop ? LS_HOP : LS_ROUTED;
	return LS_OK;
}

static int read_ports(struct lsi_reader *r)
{
	int64_t ports;
	const int failed = lsi_reader_number(r, "port count", 1, LS_PORTS, &ports);

	r->plan->problem.ports = (int)ports;
	return failed;
}

static int read_root(struct lsi_reader *r)
{
	return lsi_reader_node(r, &r->plan->problem.root);
}

static int read_shift(struct lsi_reader *r)
{
	return lsi_reader_node(r, &r->plan->problem.shift);
}

static int read_blocks(struct lsi_reader *r)
{
	return lsi_reader_number(r, "block count", 1, LSI_NUMBER_MOST, &r->plan->frame.blocks);
}

static int read_in_place(struct lsi_reader *r)
{
	r->plan->problem.in_place = true;
	return LS_OK;
}

/* `move` claims that nothing is combined; the other claims are about combinations. */
static int check_claim(struct lsi_reader *r)
{
	const enum ls_operation operation = r->plan->problem.operation;
	const bool adds = lsi_operation_adds(operation);
	const enum ls_claim claim = r->t->algorithm.claim;

	if (adds == (claim != LS_MOVE))
		return LS_OK;
	r->line = r->claim_line;
	return lsi_reader_fail(r, "the claim '%s' does not fit %s, which %s; expected %s",
		lsi_claim_words[claim], ls_operation_name(operation),
		adds ? "combines contributions" : "only moves data",
		adds ? "'idempotent', 'commutative' or 'ordered'" : "'move'");
}

/* The header must be complete before the first step; lines that it lacks get their defaults. */
static int end_header(struct lsi_reader *r)
{
	struct ls_plan *plan = r->plan;
	const enum ls_operation operation = plan->problem.operation;
	const bool is_vector = lsi_operation_is_vector(operation) || operation == LS_SHIFT;

	if (!has_line(r, OPERATION))
		return lsi_reader_fail(r,
			"the header does not state the operation; expected 'operation NAME' before the first "
			"step");
	if (!has_line(r, NODES))
		return lsi_reader_fail(
			r, "the header does not state the nodes; expected 'nodes P' before the first step");
	if (!has_line(r, CLAIM))
		r->t->algorithm.claim = lsi_operation_adds(operation) ? LS_COMMUTATIVE : LS_MOVE;
	if (plan->frame.blocks == 0)
		plan->frame.blocks = is_vector ? 1 : plan->problem.nodes;
	return check_claim(r);
}

/* The first step ends the header. */
static int read_step(struct lsi_reader *r, bool local)
{
	const int failed = r->t->steps == 0 ? end_header(r) : LS_OK;

	return failed ? failed : lsi_read_step(r, local);
}

static int read_round(struct lsi_reader *r)
{
	return read_step(r, false);
}

static int read_local(struct lsi_reader *r)
{
	return read_step(r, true);
}

static const struct {
	const char *word;
	int (*read)(struct lsi_reader *);
	bool in_header, repeats; /* repeats: may begin several lines */
} words[WORDS] = {
	[OPERATION] = { "operation", read_operation, .in_header = true },
	[NODES] = { "nodes", read_nodes, .in_header = true },
	[ALGORITHM] = { "algorithm", read_algorithm, .in_header = true },
	[MODE] = { "mode", read_mode, .in_header = true },
	[CLAIM] = { "claim", read_claim, .in_header = true },
	[ROOT] = { "root", read_root, .in_header = true },
	[SHIFT] = { "shift", read_shift, .in_header = true },
	[PORTS] = { "ports", read_ports, .in_header = true },
	[BLOCKS] = { "blocks", read_blocks, .in_header = true },
	[IN_PLACE] = { "in-place", read_in_place, .in_header = true },
	[SCRATCH] = { "scratch", read_scratch, .in_header = true, .repeats = true },
	[ROUND] = { "round", read_round, .repeats = true },
	[LOCAL] = { "local", read_local, .repeats = true },
};

/* Suggest the nearest word, else list the lines that are valid here. */
static int unknown_line(struct lsi_reader *r)
{
	const struct lsi_quote word = lsi_reader_word(r);
	struct lsi_suggestion nearest = lsi_suggest_begin(word.text, strlen(word.text));

	for (int i = 0; i < WORDS; i++)
		lsi_suggest_offer(&nearest, words[i].word);
	if (nearest.name)
		return lsi_reader_fail(r, "unknown word '%s'; did you mean '%s'?", word.text, nearest.name);
	return lsi_reader_fail_expected(
		r, r->t->steps ? "'RANK: ...', 'round' or 'local'" : "a header line, 'round' or 'local'");
}

static int read_line(struct lsi_reader *r)
{
	if (lsi_reader_at_end(r))
		return LS_OK;
	if (isdigit((unsigned char)*r->at))
		return lsi_read_row(r);
	for (int i = 0; i < WORDS; i++) {
		if (!lsi_reader_take(r, words[i].word))
			continue;
		if (words[i].in_header && r->t->steps > 0)
			return lsi_reader_fail(
				r, "'%s' comes after the first step; expected before it", words[i].word);
		if (!words[i].repeats && has_line(r, (enum word)i))
			return lsi_reader_fail(
				r, "a second line '%s'; expected each line of the header once", words[i].word);
		r->seen |= 1u << i;
		return words[i].read(r);
	}
	return unknown_line(r);
}

/* Each line without its comment must be consumed to its end. */
static int read_lines(struct lsi_reader *r, const char *text, size_t length)
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
		if (memchr(text, '\0', (size_t)(r->end - text)))
			return lsi_reader_fail(r, "the line has a NUL byte; expected text");
		comment = memchr(text, '#', (size_t)(r->end - text));
		r->end = comment ? comment : r->end;
		if (r->end > r->at && r->end[-1] == '\r')
			r->end--;
		if (r->line == 1 && !lsi_reader_take(r, "lockstep plan 1"))
			return lsi_reader_fail(
				r, "expected 'lockstep plan 1', found '%s'", lsi_reader_rest(r).text);
		failed = r->line == 1 ? LS_OK : read_line(r);
		if (!failed && !lsi_reader_at_end(r))
			failed = lsi_reader_fail_expected(r, r->t->steps ? "';' or a new line" : "a new line");
	}
	return failed;
}

/* Close the last step: the reader opens one more, which only marks the end, and drops it. */
static int finish(struct lsi_reader *r)
{
	struct lsi_table *t = r->t;
	struct lsi_frame *frame = &r->plan->frame;
	int failed = t->steps == 0 ? end_header(r) : LS_OK;

	if (!failed)
		failed = lsi_read_step(r, false);
	if (failed)
		return failed;
	t->steps--;
	for (size_t s = 0; s < t->steps; s++)
		frame->locals += t->step[s].local;
	frame->rounds = (int64_t)t->steps - frame->locals;
	return LS_OK;
}

int ls_plan_read(const char *text, size_t length, const ls_topology *topology, ls_plan **out,
	struct ls_error *why)
{
	const char *missing = !text ? "text" : !topology ? "topology" : !out ? "out" : NULL;
	struct lsi_reader r = { .why = why };
	struct ls_plan *plan;
	int status;

	if (out)
		*out = NULL;
	if (missing)
		return lsi_error_set(why, LS_ERR_ARGUMENT,
			"%s is NULL; expected a text, a topology and the address of a plan", missing);
	plan = r.plan = lsi_table_plan(topology);
	if (!plan)
		return lsi_error_set(why, LS_ERR_MEMORY, "no memory for a plan");
	r.t = plan->table;
	status = read_lines(&r, text, length);
	if (status == LS_OK && r.line == 0) {
		r.line = 1;
		status = lsi_reader_fail(&r, "the file is empty; expected 'lockstep plan 1'");
	}
	if (status == LS_OK)
		status = finish(&r);
	if (status == LS_OK)
		*out = plan;
	else
		ls_plan_destroy(plan);
	return status;
}
