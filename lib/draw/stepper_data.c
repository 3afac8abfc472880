/*
 * What the script of the stepper needs beside the picture, as JSON.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "draw/stepper.h"
#include "draw/text_numbers.h"
#include "plan/text.h"

struct data {
	struct lsi_writer *w;
	const struct lsi_subject *subject;
	const ls_plan *plan; /* of the messages; NULL: they passed in a run */
	int64_t *step;       /* of the plan, of each round */
	struct lsi_text_numbers texts;
	struct lsi_text_buffer buffer;
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

/* A string of JSON that may also stand in HTML and XML. */
static void write_string(struct lsi_writer *w, const char *text)
{
	lsi_write(w, "\"");
	for (; *text; text++) {
		const unsigned char c = (unsigned char)*text;

		if (c < ' ' || strchr("\"\\<>&", c))
			lsi_write(w, "\\u%04x", c);
		else
			lsi_write(w, "%c", c);
	}
	lsi_write(w, "\"");
}

/* The number of a text; -1 in a text: no text. */
static void write_text_number(struct data *d, const char *text)
{
	const int64_t number = lsi_text_numbers_find(&d->texts, text);

	if (number < 0)
		fail(d);
	lsi_write(d->w, ",%" PRId64, number);
}

/* The number of the text of a slice, or of a move if it is not NULL. */
static void write_plan_text(struct data *d, const struct ls_step *step,
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
	if (writer.stopped)
		fail(d);
	else
		write_text_number(d, d->buffer.text);
}

/* ---- Network */

static void write_labels(struct data *d)
{
	const struct lsi_subject *s = d->subject;
	char name[LSI_NAME];
	bool named = false;

	for (int64_t v = 0; v < lsi_subject_inner(s); v++)
		named |= lsi_subject_name(s, v, name);
	lsi_write(d->w, s->whole ? ",\n\"labels\":{" : ",\n\"labels\":[");
	for (int64_t v = 0; v < lsi_subject_inner(s) && named; v++) {
		lsi_write(d->w, v ? "," : "");
		if (s->whole)
			lsi_write(d->w, "\"%" PRId64 "\":", s->rank[v]);
		write_string(d->w, lsi_subject_name(s, v, name) ? name : "");
	}
	lsi_write(d->w, s->whole ? "}" : "]");
}

static void write_route(struct data *d, const struct ls_record *m)
{
	const ls_topology *t = lsi_subject_network(d->subject);
	const int64_t src = lsi_subject_rank(d->subject, m->src);
	const int64_t dst = lsi_subject_rank(d->subject, m->dst);

	lsi_write(d->w, "\"%" PRId64 "-%" PRId64 "\":[%" PRId64, src, dst, src);
	for (int64_t at = src; at != dst;) {
		at = ls_neighbor(t, at, ls_first_hop(t, at, dst));
		lsi_write(d->w, ",%" PRId64, at);
	}
	lsi_write(d->w, "]");
}

static void write_routes(struct data *d)
{
	const struct lsi_subject *s = d->subject;
	struct ls_record *pair = lsi_alloc((s->messages + 1) * sizeof *pair);
	const char *before = "";

	if (!pair) {
		fail(d);
		return;
	}
	memcpy(pair, s->message, s->messages * sizeof *pair);
	qsort(pair, s->messages, sizeof *pair, lsi_compare_pairs);
	lsi_write(d->w, ",\n\"routes\":{");
	for (size_t i = 0; i < s->messages; i++) {
		if ((i > 0 && lsi_compare_pairs(&pair[i - 1], &pair[i]) == 0)
			|| ls_link_to(lsi_subject_network(s), lsi_subject_rank(s, pair[i].src),
				   lsi_subject_rank(s, pair[i].dst))
				>= 0)
			continue;
		lsi_write(d->w, "%s", before);
		write_route(d, &pair[i]);
		before = ",";
	}
	lsi_write(d->w, "}");
	lsi_free(pair);
}

/* ---- Messages */

static void write_message(struct data *d, size_t k, const struct ls_record *m)
{
	const int64_t src = lsi_subject_rank(d->subject, m->src);
	const int64_t dst = lsi_subject_rank(d->subject, m->dst);
	struct ls_step step;

	lsi_write(d->w, "[%" PRId64 ",%" PRId64 ",%zu", src, dst, m->words);
	if (!d->plan) {
		lsi_write(d->w, ",-1]");
		return;
	}
	ls_plan_step(d->plan, plan_rank(d, src), d->step[k], &step);
	for (int q = 0; q < step.ports; q++) {
		if (step.to[q] != LS_NO_RANK && host_rank(d, step.to[q]) == dst) {
			write_plan_text(d, &step, &step.send[q], NULL);
			break;
		}
	}
	lsi_write(d->w, "]");
}

static void write_messages(struct data *d)
{
	const struct lsi_subject *s = d->subject;

	lsi_write(d->w, ",\n\"messages\":[");
	for (size_t k = 0; k < s->rounds; k++) {
		lsi_write(d->w, k ? ",\n[" : "[");
		for (size_t i = 0; i < s->round[k].n; i++) {
			lsi_write(d->w, i ? "," : "");
			write_message(d, k, &s->message[s->round[k].first + i]);
		}
		lsi_write(d->w, "]");
	}
	lsi_write(d->w, "]");
}

/* ---- Moves */

/* Those of the steps first .. end - 1: [[node, text, ..], ..]. */
static void write_moves(struct data *d, int64_t first, int64_t end)
{
	const char *before = "";

	lsi_write(d->w, "[");
	for (int64_t t = first; t < end; t++) {
		for (int64_t v = 0; v < d->subject->nodes; v++) {
			const int64_t node = lsi_subject_rank(d->subject, v), rank = plan_rank(d, node);
			struct ls_step step = { 0 };

			if (rank != LS_NO_RANK)
				ls_plan_step(d->plan, rank, t, &step);
			if (step.n_moves == 0)
				continue;
			lsi_write(d->w, "%s[%" PRId64, before, node);
			for (int i = 0; i < step.n_moves; i++)
				write_plan_text(d, &step, NULL, &step.move[i]);
			lsi_write(d->w, "]");
			before = ",";
		}
	}
	lsi_write(d->w, "]");
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
	const char *before = "";

	for (int64_t rank = 0; rank < s->nodes; rank++) {
		const char *old = k ? lsi_subject_contents(s, k - 1, rank) : NULL;
		const char *now = lsi_subject_contents(s, k, rank);

		if (strcmp(old ? old : "", now ? now : "") == 0)
			continue;
		lsi_write(d->w, "%s%" PRId64, before, lsi_subject_rank(s, rank));
		write_text_number(d, now ? now : "");
		before = ",";
	}
}

static void write_contents(struct data *d)
{
	const struct lsi_subject *s = d->subject;

	lsi_write(d->w, ",\n\"contents\":[");
	for (size_t k = 0; k <= s->rounds && s->contents; k++) {
		lsi_write(d->w, k ? ",\n[" : "[");
		write_changes(d, k);
		lsi_write(d->w, "]");
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

static void write_texts(struct data *d)
{
	lsi_write(d->w, ",\n\"texts\":[");
	for (int64_t i = 0; i < d->texts.texts; i++) {
		lsi_write(d->w, i ? "," : "");
		write_string(d->w, d->texts.text[i]);
	}
	lsi_write(d->w, "]");
}

void lsi_stepper_write_data(struct lsi_writer *w, const struct lsi_subject *s)
{
	struct data d = { .w = w, .subject = s, .plan = s->drawing->records ? NULL : s->drawing->plan };

	if (!find_steps(&d)) {
		fail(&d);
		return;
	}
	lsi_write(w, "{\"first\":%" PRId64 ",\"nodes\":%" PRId64, s->round[0].number, s->nodes);
	write_labels(&d);
	write_messages(&d);
	write_routes(&d);
	write_local_moves(&d);
	write_moves_of_rounds(&d);
	write_contents(&d);
	write_texts(&d);
	lsi_write(w, "}\n");
	lsi_text_numbers_release(&d.texts);
	lsi_free(d.buffer.text);
	lsi_free(d.step);
}
