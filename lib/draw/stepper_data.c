/*
 * What the script of the stepper needs beside the picture, as JSON.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "draw/broken.h"
#include "draw/number_list.h"
#include "draw/stepper.h"
#include "draw/text_form.h"
#include "draw/text_numbers.h"
#include "plan/text.h"

enum { COLUMNS = 4 };

struct data {
	struct lsi_writer *w;
	const struct lsi_subject *subject;
	const ls_plan *plan; /* of the messages; NULL: they passed in a run */
	int64_t *step;       /* of the plan, of each round */
	struct lsi_text_numbers texts;
	struct lsi_text_buffer buffer;
	struct lsi_number_list column[COLUMNS]; /* of the table that is written */
};

static void fail(struct data *d)
{
	d->w->failed = d->w->failed ? d->w->failed : LS_ERR_MEMORY;
}

/* ---- Ranks: those of the plan and of the network differ if the plan is embedded */

static int64_t host_rank(const struct data *d, int64_t rank)
{
	const ls_embedding *embedding = d->subject->drawing->embedding;

	return embedding ? ls_embedding_host_rank(embedding, rank) : rank;
}

/* LS_NO_RANK: the node has no part in the plan. */
static int64_t plan_rank(const struct data *d, int64_t node)
{
	const ls_embedding *embedding = d->subject->drawing->embedding;

	return embedding ? ls_embedding_guest_rank(embedding, node) : node;
}

/* ---- Texts */

static int64_t text_number(struct data *d, const char *text)
{
	const int64_t number = lsi_text_numbers_find(&d->texts, text);

	if (number < 0)
		fail(d);
	return number;
}

/* The number of the text of a slice, or of a move if it is not NULL. */
static int64_t plan_text_number(struct data *d, const struct ls_step *step,
	const struct ls_slice *slice, const struct ls_move *move)
{
	struct lsi_plan_writer writer = {
		.plan = d->plan, .put = lsi_text_buffer_put, .context = &d->buffer, .brief = step
	};

	d->buffer.length = 0;
	if (move)
		lsi_plan_write_move(&writer, move);
	else
		lsi_plan_write_slice(&writer, slice);
	if (!writer.stopped)
		return text_number(d, d->buffer.text);
	fail(d);
	return -1;
}

/* ---- Tables, by columns */

static void add(struct data *d, int column, int64_t number)
{
	lsi_number_list_add(&d->column[column], number);
}

/* Write and empty the first columns; a table without rows is []. */
static void write_columns(struct data *d, int columns)
{
	const bool is_empty = d->column[0].n == 0;

	lsi_write(d->w, "[");
	for (int i = 0; i < columns && !is_empty; i++) {
		lsi_write(d->w, i ? "," : "");
		lsi_number_list_write(&d->column[i], d->w);
	}
	lsi_write(d->w, "]");
}

/* ---- Messages */

/* The number of the text of its blocks; -1: there is none. */
static int64_t blocks_of(struct data *d, size_t k, const struct ls_record *m)
{
	const int64_t src = lsi_subject_rank(d->subject, m->src);
	const int64_t dst = lsi_subject_rank(d->subject, m->dst);
	struct ls_step step;

	if (!d->plan)
		return -1;
	ls_plan_step(d->plan, plan_rank(d, src), d->step[k], &step);
	for (int q = 0; q < step.ports; q++) {
		if (step.to[q] != LS_NO_RANK && host_rank(d, step.to[q]) == dst)
			return plan_text_number(d, &step, &step.send[q], NULL);
	}
	return -1;
}

static void write_messages(struct data *d)
{
	const struct lsi_subject *s = d->subject;

	lsi_write(d->w, ",\n\"messages\":[");
	for (size_t k = 0; k < s->rounds; k++) {
		lsi_write(d->w, k ? ",\n" : "");
		for (size_t i = 0; i < s->round[k].n; i++) {
			const struct ls_record *m = &s->message[s->round[k].first + i];

			add(d, 0, lsi_subject_rank(s, m->src));
			add(d, 1, lsi_subject_rank(s, m->dst));
			add(d, 2, (int64_t)m->words);
			add(d, 3, blocks_of(d, k, m));
		}
		write_columns(d, 4);
	}
	lsi_write(d->w, "]");
}

/* ---- Moves */

/* Step t of vertex v; none, if it is no node of the plan. */
static struct ls_step step_of(const struct data *d, int64_t v, int64_t t)
{
	const int64_t rank = plan_rank(d, lsi_subject_rank(d->subject, v));
	struct ls_step step = { 0 };

	if (rank != LS_NO_RANK)
		ls_plan_step(d->plan, rank, t, &step);
	return step;
}

/* The text of move `index` of every node that has one; false: no node has. */
static bool add_texts_of_moves(struct data *d, int64_t first, int64_t end, int index)
{
	bool some = false;

	for (int64_t t = first; t < end; t++) {
		for (int64_t v = 0; v < d->subject->nodes; v++) {
			const struct ls_step step = step_of(d, v, t);

			if (index < step.n_moves)
				add(d, 2, plan_text_number(d, &step, NULL, &step.move[index]));
			some |= index < step.n_moves;
		}
	}
	return some;
}

/* Those of the steps first .. end - 1. */
static void write_moves(struct data *d, int64_t first, int64_t end)
{
	for (int64_t t = first; t < end; t++) {
		for (int64_t v = 0; v < d->subject->nodes; v++) {
			const struct ls_step step = step_of(d, v, t);

			if (step.n_moves == 0)
				continue;
			add(d, 0, lsi_subject_rank(d->subject, v));
			add(d, 1, step.n_moves);
		}
	}
	for (int i = 0; add_texts_of_moves(d, first, end, i); i++)
		;
	write_columns(d, 3);
}

static void write_moves_of_rounds(struct data *d)
{
	lsi_write(d->w, ",\n\"moves\":[");
	for (size_t k = 0; k < d->subject->rounds && d->plan; k++) {
		lsi_write(d->w, k ? ",\n" : "");
		write_moves(d, d->step[k], d->step[k] + 1);
	}
	lsi_write(d->w, "]");
}

/* Local steps before each round, and after the last one if it is the last of the plan. */
static void write_local_moves(struct data *d)
{
	const size_t rounds = d->subject->rounds;

	lsi_write(d->w, ",\n\"before\":[");
	for (size_t k = 0; k <= rounds && d->plan; k++) {
		int64_t first = k < rounds ? d->step[k] : d->step[rounds - 1] + 1, end = first;

		while (k < rounds && first > 0 && ls_plan_is_local(d->plan, first - 1))
			first--;
		while (k == rounds && end < ls_plan_steps(d->plan) && ls_plan_is_local(d->plan, end))
			end++;
		lsi_write(d->w, k ? "," : "");
		write_moves(d, first, end);
	}
	lsi_write(d->w, "]");
}

/* ---- Contents */

static void write_changes(struct data *d, size_t k)
{
	const struct lsi_subject *s = d->subject;

	for (int64_t rank = 0; rank < s->nodes; rank++) {
		const char *old = k ? lsi_subject_contents(s, k - 1, rank) : NULL;
		const char *now = lsi_subject_contents(s, k, rank);

		if (strcmp(old ? old : "", now ? now : "") == 0)
			continue;
		add(d, 0, lsi_subject_rank(s, rank));
		add(d, 1, text_number(d, now ? now : ""));
	}
	write_columns(d, 2);
}

static void write_contents(struct data *d)
{
	const struct lsi_subject *s = d->subject;

	lsi_write(d->w, ",\n\"contents\":[");
	for (size_t k = 0; k <= s->rounds && s->contents; k++) {
		lsi_write(d->w, k ? ",\n" : "");
		write_changes(d, k);
	}
	lsi_write(d->w, "]");
}

/* The messages of a violation, as keys of the script. */
static void write_broken_messages(struct data *d)
{
	const struct lsi_subject *s = d->subject;
	const char *before = "";

	if (!s->drawing->violation)
		return;
	lsi_write(d->w, ",\n\"broken\":[");
	for (size_t i = 0; i < s->messages; i++) {
		const struct ls_record *m = &s->message[i];
		const int64_t src = lsi_subject_rank(s, m->src), dst = lsi_subject_rank(s, m->dst);

		if (!lsi_is_broken_message(s->drawing, m->round, src, dst))
			continue;
		lsi_write(d->w, "%s\"%" PRId64 ":%" PRId64 "-%" PRId64 "\"", before, m->round, src, dst);
		before = ",";
	}
	lsi_write(d->w, "]");
}

/* ---- Data */

/* The steps of the rounds; false: no memory. */
static bool find_steps(struct data *d)
{
	const struct lsi_subject *s = d->subject;
	size_t k = 0;

	d->step = lsi_alloc((s->rounds + 1) * sizeof *d->step);
	for (int64_t t = 0; d->step && d->plan && k < s->rounds; t++) {
		if (ls_plan_round(d->plan, t) == s->round[k].number)
			d->step[k++] = t;
	}
	return d->step;
}

/* Texts of one form that follow each other: [form, numbers], else the text. */
static void write_texts_between(struct data *d, int64_t first, int64_t end, char *form)
{
	if (end == first + 1) {
		lsi_stepper_write_string(d->w, d->texts.text[first]);
		return;
	}
	for (int64_t i = first; i < end; i++)
		lsi_text_form(d->texts.text[i], form, &d->column[0]);
	lsi_write(d->w, "[");
	lsi_stepper_write_string(d->w, form);
	lsi_write(d->w, ",");
	lsi_number_list_write(&d->column[0], d->w);
	lsi_write(d->w, "]");
}

/* Room for the longest text. */
static char *make_form(const struct data *d)
{
	size_t longest = 0;

	for (int64_t i = 0; i < d->texts.texts; i++) {
		const size_t length = strlen(d->texts.text[i]);

		longest = length > longest ? length : longest;
	}
	return lsi_alloc(longest + 1);
}

static void write_texts(struct data *d)
{
	char *form = make_form(d), *next = make_form(d);

	if (!form || !next)
		fail(d);
	lsi_write(d->w, ",\n\"texts\":[");
	for (int64_t i = 0, end; i < d->texts.texts && form && next; i = end) {
		end = i + 1;
		if (lsi_text_form(d->texts.text[i], form, NULL) > 0)
			while (end < d->texts.texts && lsi_text_form(d->texts.text[end], next, NULL) > 0
				&& strcmp(form, next) == 0)
				end++;
		lsi_write(d->w, i ? ",\n" : "");
		write_texts_between(d, i, end, form);
	}
	lsi_write(d->w, "]");
	lsi_free(form);
	lsi_free(next);
}

void lsi_stepper_write_data(struct lsi_writer *w, const struct lsi_subject *s)
{
	struct data d = { .w = w, .subject = s, .plan = s->drawing->records ? NULL : s->drawing->plan };

	if (!find_steps(&d)) {
		fail(&d);
		return;
	}
	lsi_write(w, "{\"first\":%" PRId64 ",\"nodes\":%" PRId64, s->round[0].number, s->nodes);
	lsi_stepper_write_labels(w, s);
	write_messages(&d);
	lsi_stepper_write_routes(w, s);
	write_local_moves(&d);
	write_moves_of_rounds(&d);
	write_contents(&d);
	write_texts(&d);
	write_broken_messages(&d);
	lsi_write(w, "}\n");
	for (int i = 0; i < COLUMNS; i++)
		lsi_number_list_release(&d.column[i]);
	lsi_text_numbers_release(&d.texts);
	lsi_free(d.buffer.text);
	lsi_free(d.step);
}
