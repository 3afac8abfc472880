/*
 * From a drawing to its subject:
 *
 *   1. Collect the messages: the records of a run, or else those of the plan.  With an embedding,
 *      the ranks of the plan become those of the network.
 *   2. Sort them by round, source and destination.  Find the first and the last time
 *      (subject_records.c).
 *   3. Find the range of each round.  A round without messages has an empty one.  Send its messages
 *      along their routes, and note the load of the busiest link.
 *   4. Write what the nodes hold (subject_contents.c), then title and caption (subject_words.c).
 */
#include "draw/subject.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/math.h"
#include "plan/plan_internal.h"
#include "topology/link_traffic.h"

enum {
	FIRST_ROOM = 64,
	ROUNDS = 1 << 22,   /* most of a picture, also empty ones */
	MESSAGES = 1 << 23, /* most of a picture */
	VISITS = 1 << 25    /* most nodes times rounds of a plan: some seconds */
};

/* ---- Messages */

size_t lsi_drawn_elements(const struct ls_drawing *d)
{
	if (d->empty || (d->plan && ls_plan_operation(d->plan) == LS_BARRIER))
		return 0;
	return d->count ? d->count : 1;
}

struct collection {
	struct lsi_subject *subject;
	size_t room;
};

static bool is_drawn(const struct ls_drawing *drawing, int64_t round)
{
	return round >= drawing->first_round && (!drawing->last_round || round <= drawing->last_round);
}

static int collect(void *context, const struct ls_record *record)
{
	struct collection *c = context;
	struct lsi_subject *s = c->subject;
	const ls_embedding *embedding = s->drawing->embedding;

	s->all_messages++;
	if (!is_drawn(s->drawing, record->round))
		return LS_OK;
	if (s->messages == c->room) {
		const size_t room = c->room ? 2 * c->room : FIRST_ROOM;
		struct ls_record *larger = s->messages >= MESSAGES
			? NULL
			: lsi_alloc_grow(
				s->message, s->messages * sizeof *s->message, room * sizeof *s->message);

		if (!larger)
			return s->messages < MESSAGES ? LS_ERR_MEMORY : LS_ERR_UNSUPPORTED;
		s->message = larger;
		c->room = room;
	}

	struct ls_record *copy = &s->message[s->messages++];

	*copy = *record;
	if (embedding) {
		copy->src = ls_embedding_host_rank(embedding, record->src);
		copy->dst = ls_embedding_host_rank(embedding, record->dst);
	}
	return LS_OK;
}

static int compare_messages(const void *one, const void *other)
{
	const struct ls_record *a = one, *b = other;

	return a->round != b->round ? (a->round < b->round ? -1 : 1) : lsi_compare_pairs(a, b);
}

/* Messages with the same ends in the order in which they were sent. */
static int compare_records(const void *one, const void *other)
{
	const struct ls_record *a = one, *b = other;
	const int order = compare_messages(one, other);

	return order ? order : (a->sent_ns > b->sent_ns) - (a->sent_ns < b->sent_ns);
}

/* The last round of the plan, or of the messages that passed. */
static int64_t count_rounds(const struct ls_drawing *d)
{
	int64_t last = 0;

	if (d->plan && !d->records)
		return ls_plan_rounds(d->plan);
	for (size_t i = 0; i < d->n_records; i++)
		last = d->records[i].round > last ? d->records[i].round : last;
	return last;
}

/* Are the first and the last round that are drawn among the rounds, and these not too many? */
static int check_rounds(const struct lsi_subject *s, struct ls_error *why)
{
	const struct ls_drawing *d = s->drawing;
	const int64_t last = d->last_round > d->first_round ? d->last_round : d->first_round;

	if (s->all_rounds > ROUNDS)
		return lsi_error_set(why, LS_ERR_UNSUPPORTED,
			"%" PRId64 " steps are too many for a picture; expected at most %d", s->all_rounds,
			ROUNDS);
	if (last <= s->all_rounds)
		return LS_OK;
	if (s->all_rounds == 0)
		return lsi_error_set(why, LS_ERR_ARGUMENT,
			"no step %" PRId64 ": there are no steps; try without a step", last);
	return lsi_error_set(why, LS_ERR_ARGUMENT,
		"no step %" PRId64 "; expected a step from 1 to %" PRId64, last, s->all_rounds);
}

/* Most plans list their messages in order. */
static void sort_messages(struct lsi_subject *s)
{
	size_t i = 1;

	while (i < s->messages && compare_records(&s->message[i - 1], &s->message[i]) <= 0)
		i++;
	if (i < s->messages)
		qsort(s->message, s->messages, sizeof *s->message, compare_records);
}

/* The step that a picture can begin with, as the remedy for too many. */
static int64_t first_step(const struct ls_drawing *d)
{
	return d->first_round > 1 ? d->first_round : 1;
}

/* A plan is asked what each node does in each round that is drawn. */
static int check_visits(const struct lsi_subject *s, struct ls_error *why)
{
	const struct ls_drawing *d = s->drawing;
	const int64_t last = d->last_round ? d->last_round : s->all_rounds;
	const int64_t rounds = last - first_step(d) + 1, nodes = ls_plan_nodes(d->plan);

	if (rounds <= 1 || nodes <= VISITS / rounds)
		return LS_OK;
	return lsi_error_set(why, LS_ERR_UNSUPPORTED,
		"%" PRId64 " nodes in %" PRId64 " steps are too many for a picture; try --step %" PRId64
		", or a smaller network",
		nodes, rounds, first_step(d));
}

static int refuse_messages(const struct lsi_subject *s, struct ls_error *why)
{
	return lsi_error_set(why, LS_ERR_UNSUPPORTED,
		"more than %d messages are too many for a picture; try --step %" PRId64
		", or a smaller network",
		MESSAGES, first_step(s->drawing));
}

/* Room for all messages of the plan, if it predicts their number. */
static int reserve(struct collection *c, struct ls_error *why)
{
	struct lsi_subject *s = c->subject;
	const struct ls_drawing *d = s->drawing;
	const int64_t messages = ls_plan_predict(d->plan, lsi_drawn_elements(d)).messages;

	if (d->first_round > 1 || d->last_round || messages <= FIRST_ROOM)
		return LS_OK;
	if (messages > MESSAGES)
		return refuse_messages(s, why);
	s->message = lsi_alloc((size_t)messages * sizeof *s->message);
	c->room = s->message ? (size_t)messages : 0;
	return s->message ? LS_OK : LS_ERR_MEMORY;
}

/* The messages of the rounds that are drawn; those of the others are only counted, by formulas. */
static int collect_planned(struct collection *c)
{
	const struct ls_drawing *d = c->subject->drawing;
	const size_t n = lsi_drawn_elements(d);
	int64_t round = 0; /* local steps send nothing */
	int failed = LS_OK;

	for (int64_t t = 0; t < ls_plan_steps(d->plan) && !failed; t++) {
		round += !ls_plan_is_local(d->plan, t);
		if (is_drawn(d, round))
			failed = ls_trace_step(d->plan, n, t, collect, c);
	}
	if (d->first_round > 1 || d->last_round)
		c->subject->all_messages = (size_t)ls_plan_predict(d->plan, n).messages;
	return failed;
}

static int collect_messages(struct lsi_subject *s, struct ls_error *why)
{
	const struct ls_drawing *d = s->drawing;
	struct collection c = { .subject = s };
	int failed;

	s->all_rounds = count_rounds(d);
	failed = check_rounds(s, why);
	if (!failed && d->plan && !d->records)
		failed = check_visits(s, why);
	if (!failed && d->plan && !d->records)
		failed = reserve(&c, why);
	if (!failed && d->plan && !d->records)
		failed = collect_planned(&c);
	for (size_t i = 0; i < d->n_records && !failed; i++)
		failed = collect(&c, &d->records[i]);
	if (failed == LS_ERR_UNSUPPORTED && s->messages == MESSAGES)
		return refuse_messages(s, why);
	if (!failed)
		sort_messages(s);
	return failed;
}

/* ---- Rounds */

/* Load and words of the busiest link. */
static int count_load(struct lsi_subject *s, struct lsi_drawn_round *round)
{
	struct lsi_link_traffics traffic = { .topology = s->topology };
	int failed = LS_OK;

	for (size_t i = 0; i < round->n && !failed; i++) {
		const struct ls_record *m = &s->message[round->first + i];

		s->words = lsi_add_sat(s->words, (int64_t)m->words);
		if ((int64_t)m->words > round->longest)
			round->longest = (int64_t)m->words;
		failed = lsi_link_traffics_add(&traffic, m->src, m->dst, (int64_t)m->words);
	}
	round->load = traffic.most.messages;
	s->load = round->load > s->load ? round->load : s->load;
	round->words = traffic.most.words;
	s->volume = lsi_add_sat(s->volume, round->words);
	s->longest = lsi_add_sat(s->longest, round->longest);
	lsi_link_traffics_fini(&traffic);
	return failed;
}

static int split_rounds(struct lsi_subject *s)
{
	const int64_t begin = s->drawing->first_round > 1 ? s->drawing->first_round : 1;
	const int64_t end = s->drawing->last_round ? s->drawing->last_round : s->all_rounds;
	size_t at = 0;

	if (end < begin)
		return LS_OK;
	s->round = lsi_alloc_zero((size_t)(end - begin + 1), sizeof *s->round);
	if (!s->round)
		return LS_ERR_MEMORY;
	s->rounds = (size_t)(end - begin + 1);
	for (size_t k = 0; k < s->rounds; k++) {
		struct lsi_drawn_round *round = &s->round[k];

		round->number = begin + (int64_t)k;
		round->first = at;
		while (at < s->messages && s->message[at].round == round->number)
			at++;
		round->n = at - round->first;
		s->most = round->n > s->most ? round->n : s->most;

		const int failed = count_load(s, round);

		if (failed)
			return failed;
	}
	return LS_OK;
}

int lsi_compare_pairs(const void *one, const void *other)
{
	const struct ls_record *a = one, *b = other;

	if (a->src != b->src)
		return a->src < b->src ? -1 : 1;
	return (a->dst > b->dst) - (a->dst < b->dst);
}

const struct ls_record *lsi_subject_reply(
	const struct lsi_subject *s, const struct lsi_drawn_round *round, const struct ls_record *m)
{
	const struct ls_record key = { .round = m->round, .src = m->dst, .dst = m->src };

	return bsearch(&key, s->message + round->first, round->n, sizeof key, compare_messages);
}

bool lsi_subject_name(const struct lsi_subject *s, int64_t vertex, char name[LSI_NAME])
{
	const enum ls_drawn_labels labels = s->drawing->labels;
	char rank[24];

	if (labels == LS_LABELS_RANK || labels == LS_LABELS_NONE)
		return false;
	ls_label(s->topology, vertex, name, LSI_NAME);
	snprintf(rank, sizeof rank, "%" PRId64, lsi_subject_rank(s, vertex));
	return strcmp(name, rank) != 0;
}

const char *lsi_subject_contents(const struct lsi_subject *s, size_t k, int64_t rank)
{
	return s->contents ? s->contents[k * (size_t)s->nodes + (size_t)rank] : NULL;
}

/* ---- Make */

static int64_t find_root(const struct ls_drawing *d)
{
	struct ls_request request = { .size = sizeof request };
	const struct ls_operation_info *operation;

	if (!d->plan)
		return LS_NO_RANK;
	ls_plan_request(d->plan, &request);
	operation = ls_operation_describe(request.operation);
	if (!operation->from_root && !operation->at_root)
		return LS_NO_RANK;
	return d->embedding ? ls_embedding_host_rank(d->embedding, request.root) : request.root;
}

int lsi_subject_make(const struct ls_drawing *drawing, struct lsi_subject *s, struct ls_error *why)
{
	int failed;

	*s = (struct lsi_subject){ .drawing = drawing, .topology = drawing->topology };
	s->nodes = ls_topology_nodes(s->topology);
	s->vertices = ls_topology_vertices(s->topology);
	s->root = find_root(drawing);
	failed = collect_messages(s, why);
	if (!failed)
		failed = lsi_subject_find_times(s, why);
	if (!failed)
		failed = split_rounds(s);
	if (!failed)
		failed = lsi_subject_find_repeats(s);
	if (!failed)
		failed = lsi_subject_fill_contents(s, why);
	if (!failed)
		failed = lsi_subject_write_words(s);
	if (failed == LS_ERR_MEMORY)
		return lsi_error_set(
			why, failed, "no memory for a picture of %s", ls_topology_spec(drawing->topology));
	return failed;
}

void lsi_subject_release(struct lsi_subject *s)
{
	lsi_free(s->message);
	lsi_free(s->round);
	lsi_free(s->contents);
	lsi_free(s->rank);
	lsi_free(s->stub_node);
	ls_topology_destroy(s->owned);
	lsi_arena_release(&s->arena);
}
