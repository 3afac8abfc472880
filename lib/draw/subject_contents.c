/*
 * What the nodes hold before and after each round, as texts: an observer of the checker's replay.
 *
 *   blocks   "(0..3)"        contributions, in the notation of ls_replay_text
 *   data     "[10]"          the values of the blocks
 *   both     "(0..3)[10]"
 *
 * In a scan a node has a result, and a sum that it sends next: "[0..1](0..3)", "[3](10)", or both.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "draw/subject.h"

/* STATES: most nodes times steps, which the replay visits. */
enum { STATES = 1 << 22, TEXT = 120, PART = 2 * TEXT + 4, VALUES_SHOWN = 4 };

struct observation {
	struct lsi_subject *subject;
	struct ls_slice *result; /* of each node of the plan: the blocks of its result so far */
	bool no_memory;
};

/* ---- Values */

/* By default element e of the operand of rank r is r + 1 + e. */
static double default_operand(const struct ls_drawing *d, int64_t rank, int64_t block)
{
	const enum ls_operation operation = ls_plan_operation(d->plan);
	const struct ls_operation_info *info = ls_operation_describe(operation);
	const double n = (double)lsi_drawn_elements(d);
	const bool whole = info->input == LS_BLOCKS || info->output == LS_BLOCKS;
	const double first =
		whole ? n * (double)block : floor(n * (double)block / (double)ls_plan_blocks(d->plan));

	return (double)rank + 1 + first;
}

static void put_operand(void *context, int64_t rank, int64_t block, void *out)
{
	const struct observation *o = context;
	const struct ls_drawing *d = o->subject->drawing;

	*(double *)out =
		d->operand ? d->operand(d->operand_context, rank, block) : default_operand(d, rank, block);
}

static void put_combination(void *context, const void *a, const void *b, void *out)
{
	const struct observation *o = context;
	const struct ls_drawing *d = o->subject->drawing;
	const double left = *(const double *)a, right = *(const double *)b;

	*(double *)out = d->combine ? d->combine(left, right) : left + right;
}

/* ---- Texts */

/* All blocks of a buffer. */
static struct ls_slice whole(const ls_replay *replay, int buffer)
{
	return (struct ls_slice){
		.run = ls_replay_blocks(replay, buffer), .runs = 1, .buffer = (uint8_t)buffer
	};
}

/* The contributions in the blocks of a slice: "0..3". */
static void write_blocks(struct observation *o, const ls_replay *replay, int64_t rank,
	const struct ls_slice *slice, char text[TEXT])
{
	const int64_t length = ls_replay_text(replay, rank, slice, text, TEXT);

	o->no_memory |= length == LS_ERR_MEMORY;
	if (length >= TEXT)
		memcpy(text + TEXT - 3, "..", 3);
}

/* The values of the blocks: "10"; equal values of neighboring blocks appear once. */
static void write_values(struct observation *o, const ls_replay *replay, int64_t rank,
	const struct ls_slice *slice, char text[TEXT])
{
	const int64_t blocks = ls_slice_blocks(slice);
	double last = NAN;
	int shown = 0, at = 0;

	text[0] = '\0';
	for (int64_t b = 0; b < blocks && shown <= VALUES_SHOWN; b++) {
		double value;

		const int failed =
			ls_replay_value(replay, rank, slice->buffer, ls_slice_at(slice, b), &value);

		o->no_memory |= failed == LS_ERR_MEMORY;
		if (failed || value == last)
			continue;
		if (shown++ == VALUES_SHOWN)
			at += snprintf(text + at, TEXT - (size_t)at, ",..");
		else
			at += snprintf(text + at, TEXT - (size_t)at, "%s%.6g", shown > 1 ? "," : "", value);
		last = value;
	}
}

/* The blocks that a node sends in the next round; false: none. */
static bool sends_next(const ls_replay *replay, int64_t rank, struct ls_slice *out)
{
	const ls_plan *plan = ls_replay_plan(replay);
	struct ls_step step;

	if (ls_replay_steps(replay) == ls_plan_steps(plan))
		return false;
	ls_plan_step(plan, rank, ls_replay_steps(replay), &step);
	for (int q = 0; q < step.ports; q++) {
		if (step.to[q] != LS_NO_RANK) {
			*out = step.send[q];
			return true;
		}
	}
	return false;
}

typedef void write_slice(struct observation *, const ls_replay *, int64_t rank,
	const struct ls_slice *, char text[TEXT]);

/* In a scan "[result](sent next)"; else the result in these brackets, if it has none. */
static int put_part(struct observation *o, const ls_replay *replay, int64_t rank,
	write_slice *write, char *text, const char brackets[2])
{
	char result[TEXT], sent[TEXT] = "";
	struct ls_slice next;

	write(o, replay, rank, &o->result[rank], result);
	if (ls_plan_operation(ls_replay_plan(replay)) == LS_SCAN) {
		if (sends_next(replay, rank, &next))
			write(o, replay, rank, &next, sent);
		return snprintf(text, PART, *sent ? "[%s](%s)" : "[%s]", result, sent);
	}
	if (!*result || *result == *brackets)
		return snprintf(text, PART, "%s", result);
	return snprintf(text, PART, "%c%s%c", brackets[0], result, brackets[1]);
}

static char *text_of(struct observation *o, const ls_replay *replay, int64_t rank)
{
	struct lsi_subject *s = o->subject;
	const enum ls_drawn_values values = s->drawing->values;
	char text[2 * PART] = "";
	int at = 0;

	if (values != LS_VALUES_DATA)
		at = put_part(o, replay, rank, write_blocks, text, "()");
	if (values != LS_VALUES_BLOCKS)
		put_part(o, replay, rank, write_values, text + at, "[]");

	const size_t length = strlen(text) + 1;
	char *copy = lsi_arena_take(&s->arena, length, 1);

	o->no_memory |= !copy;
	return copy ? memcpy(copy, text, length) : NULL;
}

/* ---- The observer */

/* Is any block of OUTPUT written? */
static bool holds_output(struct observation *o, const ls_replay *replay, int64_t rank)
{
	const struct ls_slice output = whole(replay, LS_OUTPUT);

	const int64_t length = ls_replay_text(replay, rank, &output, NULL, 0);

	o->no_memory |= length == LS_ERR_MEMORY;
	return length > 0;
}

/*
 * The result of a node after a step: OUTPUT if the step wrote to it, else the blocks that its last
 * move wrote.  A step without moves leaves the result where it is; before the first one, it is
 * INPUT.  At the end it is OUTPUT if the node has one.  In a scan it is INPUT until OUTPUT is
 * written: the sums elsewhere are for other nodes.
 */
static struct ls_slice result_after(
	const ls_replay *replay, const struct ls_step *step, struct ls_slice before)
{
	for (int i = 0; i < step->n_moves; i++) {
		if (step->move[i].dst.buffer == LS_OUTPUT)
			return whole(replay, LS_OUTPUT);
	}
	return step->n_moves > 0 ? step->move[step->n_moves - 1].dst : before;
}

static void follow_results(struct observation *o, const ls_replay *replay)
{
	const ls_plan *plan = ls_replay_plan(replay);
	const int64_t done = ls_replay_steps(replay);
	const bool is_scan = ls_plan_operation(plan) == LS_SCAN;

	for (int64_t rank = 0; rank < ls_plan_nodes(plan); rank++) {
		struct ls_step step;

		if (done == 0) {
			o->result[rank] = whole(replay, LS_INPUT);
			continue;
		}
		ls_plan_step(plan, rank, done - 1, &step);
		if (!is_scan)
			o->result[rank] = result_after(replay, &step, o->result[rank]);
		if ((is_scan || done == ls_plan_steps(plan)) && holds_output(o, replay, rank))
			o->result[rank] = whole(replay, LS_OUTPUT);
	}
}

/*
 * The index k of the drawn round that the state precedes, or the number of drawn rounds for the
 * state after them (subject.h); -1: neither, or the next step is local.
 */
static int64_t index_of_state(const struct lsi_subject *s, const ls_replay *replay)
{
	const ls_plan *plan = ls_replay_plan(replay);
	const int64_t step = ls_replay_steps(replay);
	const bool ended = step == ls_plan_steps(plan);
	const int64_t next = ended ? ls_plan_rounds(plan) + 1 : ls_plan_round(plan, step);
	const int64_t first = s->rounds ? s->round[0].number : 1, k = next - first;

	return (next == 0 && !ended) || k < 0 || k > (int64_t)s->rounds ? -1 : k;
}

/* The check ends with the last state that is drawn: a value above 0, which is no error. */
static int observe(void *context, const ls_replay *replay)
{
	struct observation *o = context;
	struct lsi_subject *s = o->subject;
	const int64_t k = index_of_state(s, replay);

	follow_results(o, replay);
	for (int64_t rank = 0; rank < ls_plan_nodes(s->drawing->plan) && k >= 0; rank++) {
		const int64_t host =
			s->drawing->embedding ? ls_embedding_host_rank(s->drawing->embedding, rank) : rank;

		s->contents[k * s->nodes + host] = text_of(o, replay, rank);
	}
	return o->no_memory ? LS_ERR_MEMORY : k == (int64_t)s->rounds;
}

int lsi_subject_fill_contents(struct lsi_subject *s, struct ls_error *why)
{
	const struct ls_drawing *d = s->drawing;
	struct observation o = { .subject = s };
	const struct ls_observer observer = { sizeof observer, observe, &o, sizeof(double), put_operand,
		put_combination };
	struct ls_check_options options = { .size = sizeof options, .observer = &observer };
	struct ls_certificate certificate = { .size = sizeof certificate };
	int failed = LS_ERR_MEMORY;

	if (d->values == LS_VALUES_NONE || !d->plan || d->records)
		return LS_OK;
	if (s->all_rounds > STATES / s->nodes)
		return lsi_error_set(why, LS_ERR_UNSUPPORTED,
			"what %" PRId64 " nodes hold in %" PRId64
			" steps is too much for a picture; draw it without values",
			s->nodes, s->all_rounds);
	if (d->embedding) {
		options.embedding = d->embedding;
		options.mode = d->mode;
	}
	s->contents = lsi_alloc_zero((s->rounds + 1) * (size_t)s->nodes, sizeof *s->contents);
	o.result = lsi_alloc_zero((size_t)ls_plan_nodes(d->plan), sizeof *o.result);
	if (s->contents && o.result)
		failed = ls_check(d->plan, lsi_drawn_elements(d), &options, &certificate);
	lsi_free(o.result);
	/* A plan that breaks a law is drawn up to there. */
	return failed == LS_ERR_MEMORY ? failed : LS_OK;
}
