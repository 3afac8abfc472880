/*
 * Plans as text: reading the head and the lines.  <lockstep/plan.h> describes the form.
 *
 *   lockstep plan 1          the version           read_lines
 *   operation reduce         the head              words[], by read_line
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

/* ---- The head */

/* A name that is no operation gets the nearest one as a suggestion. */
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
	r->has_operation = true;
	r->at = r->end;
	return LS_OK;
}

/* The number must be that of the topology, which the caller gives. */
static int read_nodes(struct lsi_reader *r)
{
	const int64_t nodes = r->plan->problem.nodes;
	int64_t given;
	const int failed = lsi_reader_number(r, 1, LSI_NUMBER_MOST, &given);

	if (failed)
		return failed;
	if (given != nodes)
		return lsi_reader_fail(r,
			"%" PRId64 " nodes, but %.40s has %" PRId64 "; expected 'nodes %" PRId64 "'", given,
			ls_topology_spec(r->plan->problem.topology), nodes, nodes);
	r->has_nodes = true;
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
		return lsi_reader_fail(r, "'%s'; expected 'idempotent', 'commutative', 'ordered' or 'move'",
			lsi_reader_rest(r).text);
	a->claim = (enum ls_claim)claim;
	r->has_claim = true;
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
		return lsi_reader_fail(r, "'%s'; expected S, T, U or V", lsi_reader_rest(r).text);

	const int failed = lsi_reader_number(r, 1, LSI_NUMBER_MOST, &scratch->slots);

	scratch->each = 1;
	return !failed && lsi_reader_take(r, "each")
		? lsi_reader_number(r, 1, LSI_NUMBER_MOST, &scratch->each)
		: failed;
}

static int read_algorithm(struct lsi_reader *r)
{
	const struct lsi_quote name = lsi_reader_rest(r);

	if (!name.text[0])
		return lsi_reader_fail(r, "no name; expected 'algorithm NAME'");
	snprintf(r->t->name, sizeof r->t->name, "%s", name.text);
	r->at = r->end;
	return LS_OK;
}

static int read_mode(struct lsi_reader *r)
{
	const bool hop = lsi_reader_take(r, "hop");

	if (!hop && !lsi_reader_take(r, "routed"))
		return lsi_reader_fail(r, "'%s'; expected 'hop' or 'routed'", lsi_reader_rest(r).text);
	r->plan->problem.mode = hop ? LS_HOP : LS_ROUTED;
	return LS_OK;
}

static int read_ports(struct lsi_reader *r)
{
	int64_t ports;
	const int failed = lsi_reader_number(r, 1, LS_PORTS, &ports);

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
	return lsi_reader_number(r, 1, LSI_NUMBER_MOST, &r->plan->frame.blocks);
}

static int read_in_place(struct lsi_reader *r)
{
	r->plan->problem.in_place = true;
	return LS_OK;
}

/* The head must be complete before the first step; lines that it lacks get their defaults. */
static int end_head(struct lsi_reader *r)
{
	struct ls_plan *plan = r->plan;
	const enum ls_operation operation = plan->problem.operation;
	const bool is_vector = lsi_operation_is_vector(operation) || operation == LS_SHIFT;

	if (!r->has_operation || !r->has_nodes)
		return lsi_reader_fail(r, "no line gives the %s; expected '%s' before the first round",
			r->has_operation ? "nodes" : "operation",
			r->has_operation ? "nodes P" : "operation NAME");
	if (!r->has_claim)
		r->t->algorithm.claim = lsi_operation_combines(operation) ? LS_COMMUTATIVE : LS_MOVE;
	if (plan->frame.blocks == 0)
		plan->frame.blocks = is_vector ? 1 : plan->problem.nodes;
	return LS_OK;
}

/* The first step ends the head. */
static int read_step(struct lsi_reader *r, bool local)
{
	const int failed = r->t->steps == 0 ? end_head(r) : LS_OK;

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
	bool in_head;
} words[] = {
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

/* Suggest the nearest word, else list the lines that are valid here. */
static int unknown_line(struct lsi_reader *r)
{
	const struct lsi_quote rest = lsi_reader_rest(r);
	struct lsi_suggestion nearest = lsi_suggest_begin(rest.text, strcspn(rest.text, " \t"));

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		lsi_suggest_offer(&nearest, words[i].word);
	if (nearest.name)
		return lsi_reader_fail(r, "'%s'; did you mean '%s'?", rest.text, nearest.name);
	return lsi_reader_fail(r, "'%s'; expected %s", rest.text,
		r->t->steps ? "'NODE: ...', 'round' or 'local'" : "a line of the head, 'round' or 'local'");
}

static int read_line(struct lsi_reader *r)
{
	if (lsi_reader_at_end(r))
		return LS_OK;
	if (isdigit((unsigned char)*r->at))
		return lsi_read_row(r);
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		if (!lsi_reader_take(r, words[i].word))
			continue;
		if (words[i].in_head && r->t->steps > 0)
			return lsi_reader_fail(
				r, "'%s' after the first round; expected before it", words[i].word);
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
		comment = memchr(text, '#', (size_t)(r->end - text));
		r->end = comment ? comment : r->end;
		if (r->end > r->at && r->end[-1] == '\r')
			r->end--;
		if (r->line == 1 && !lsi_reader_take(r, "lockstep plan 1"))
			return lsi_reader_fail(r, "'%s'; expected 'lockstep plan 1'", lsi_reader_rest(r).text);
		failed = r->line == 1 ? LS_OK : read_line(r);
		if (!failed && !lsi_reader_at_end(r))
			failed = lsi_reader_fail(r, "'%s' behind the end; expected %s", lsi_reader_rest(r).text,
				r->t->steps ? "';' or a new line" : "a new line");
	}
	return failed;
}

/* Close the last step: the reader opens one more, which only marks the end, and drops it. */
static int finish(struct lsi_reader *r)
{
	struct lsi_table *t = r->t;
	struct lsi_frame *frame = &r->plan->frame;
	int failed = t->steps == 0 ? end_head(r) : LS_OK;

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
	struct ls_plan *plan = lsi_table_plan(topology);
	struct lsi_reader r = { .plan = plan, .why = why };
	int status;

	*out = NULL;
	if (!plan)
		return lsi_error_set(why, LS_ERR_MEMORY, "no memory for a plan");
	r.t = plan->table;
	status = read_lines(&r, text, length);
	if (status == LS_OK && r.line == 0) {
		r.line = 1;
		status = lsi_reader_fail(&r, "an empty file; expected 'lockstep plan 1'");
	}
	if (status == LS_OK)
		status = finish(&r);
	if (status == LS_OK)
		*out = plan;
	else
		ls_plan_destroy(plan);
	return status;
}
