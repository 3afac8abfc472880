/*
 * Title and caption: what is drawn, in words.
 *
 *   broadcast on ring:8, root 0                                  operation, network, root
 *   pipeline (Grama, Gupta, Karypis, Kumar 2003, section 4.1)    algorithm and source, or a file
 *   hop, 1 port: step 2 of 4, 2 of 7 messages, 2 words;          counts of what is drawn
 *   bound 4 rounds                                               fewest that are possible
 *   Wrong: law 5 (result): node 3: ..                            a violation
 *
 * The lines of a trace with times follow the counts; see subject_records.c.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "draw/subject.h"
#include "plan/plan_internal.h"

enum { TERMS = 6 }; /* of a sum that is written out */

static const char *title_of(struct lsi_subject *s, const struct ls_request *request)
{
	const char *spec = ls_topology_spec(s->topology);
	char detail[40] = "";

	if (!s->drawing->plan)
		return lsi_arena_print(&s->arena, "%s%s", s->messages ? "Messages on " : "", spec);
	if (s->root != LS_NO_RANK)
		snprintf(detail, sizeof detail, ", root %" PRId64, s->root);
	if (request->operation == LS_SHIFT)
		snprintf(detail, sizeof detail, ", distance %" PRId64, request->shift);
	return lsi_arena_print(
		&s->arena, "%s on %s%s", ls_operation_name(request->operation), spec, detail);
}

static const char *plural(int64_t n)
{
	return n == 1 ? "" : "s";
}

static const char *describe_network(struct lsi_subject *s)
{
	const int64_t links = ls_topology_links(s->topology);

	return lsi_arena_print(&s->arena,
		"%" PRId64 " node%s, degree %" PRId64 ", diameter %" PRId64 ", %" PRId64 " link%s",
		s->nodes, plural(s->nodes), ls_topology_degree(s->topology),
		ls_topology_diameter(s->topology), links, plural(links));
}

/* A line with the algorithm and its source, or the name of a schedule. */
static const char *describe_algorithm(struct lsi_subject *s)
{
	const struct ls_drawing *d = s->drawing;
	const char *name, *source;

	if (d->schedule)
		return lsi_arena_print(&s->arena, "%s\n", d->schedule);
	name = ls_plan_algorithm(d->plan);
	source = d->plan->algorithm->source;
	return lsi_arena_print(&s->arena, "%s%s%s%s%s%s\n",
		d->embedding ? ls_topology_spec(ls_embedding_guest(d->embedding)) : "",
		d->embedding ? "/" : "", name, source ? " (" : "", source ? source : "", source ? ")" : "");
}

/* "3 rounds, 24 messages"; "steps 5 to 8 of 21, 240 of 504 messages" */
static const char *count_messages(struct lsi_subject *s)
{
	const int64_t rounds = (int64_t)s->rounds;
	const int64_t first = rounds ? s->round[0].number : 0;

	if (rounds == s->all_rounds)
		return lsi_arena_print(&s->arena, "%" PRId64 " round%s, %zu message%s", rounds,
			plural(rounds), s->messages, plural((int64_t)s->messages));
	if (rounds == 1)
		return lsi_arena_print(&s->arena, "step %" PRId64 " of %" PRId64 ", %zu of %zu messages",
			first, s->all_rounds, s->messages, s->all_messages);
	return lsi_arena_print(&s->arena,
		"steps %" PRId64 " to %" PRId64 " of %" PRId64 ", %zu of %zu messages", first,
		first + rounds - 1, s->all_rounds, s->messages, s->all_messages);
}

/* "1 + 4 + 16 = "; "" for many rounds, and for one. */
static void write_terms(const struct lsi_subject *s, char *text, size_t size)
{
	int length = 0;

	text[0] = '\0';
	for (size_t k = 0; k < s->rounds && s->rounds > 1 && s->rounds <= TERMS; k++)
		length += snprintf(text + length, size - (size_t)length, "%" PRId64 "%s", s->round[k].words,
			k + 1 < s->rounds ? " + " : " = ");
}

/* What it costs that messages share links. */
static void describe_load(const struct lsi_subject *s, char *text, size_t size)
{
	char terms[100];

	write_terms(s, terms, sizeof terms);
	snprintf(text, size,
		"; up to %" PRId64 " messages on a link: %s%" PRId64
		" words pass the busiest links in turn, %" PRId64 " if no link were shared",
		s->load, terms, s->volume, s->longest);
}

/* "; bound 6 rounds"; of a whole plan for several elements also "; volume 13312, at least 8192" */
static void describe_bounds(const struct lsi_subject *s, char *text, size_t size)
{
	const struct ls_drawing *d = s->drawing;
	const bool is_long = d->plan && d->count > 1 && (int64_t)s->rounds == s->all_rounds;
	const int64_t rounds = d->plan ? ls_plan_lower_bound(d->plan) : -1;
	const int64_t words = is_long ? ls_plan_words_bound(d->plan, d->count) : -1;
	int length = 0;

	text[0] = '\0';
	if (rounds >= 0)
		length = snprintf(text, size, "; bound %" PRId64 " round%s", rounds, plural(rounds));
	if (words >= 0)
		snprintf(text + length, size - (size_t)length, "; volume %" PRId64 ", at least %" PRId64,
			s->longest, words);
}

static const char *describe_messages(struct lsi_subject *s, const struct ls_request *request)
{
	const struct ls_drawing *d = s->drawing;
	const char *algorithm = d->plan || d->schedule ? describe_algorithm(s) : "";
	const char *counts = count_messages(s);
	const int ports = d->plan && request->ports > 1 ? request->ports : 1;
	char way[60] = "", bounds[120], load[200] = "";

	if (!algorithm || !counts)
		return NULL;
	if (d->plan)
		snprintf(way, sizeof way, "%s, %d port%s: ", d->mode == LS_ROUTED ? "routed" : "hop", ports,
			plural(ports));
	describe_bounds(s, bounds, sizeof bounds);
	if (s->load > 1)
		describe_load(s, load, sizeof load);
	return lsi_arena_print(&s->arena, "%s%s%s, %" PRId64 " word%s%s%s", algorithm, way, counts,
		s->words, plural(s->words), bounds, load);
}

/* Is there a node with contents in this state? */
static bool has_contents(const struct lsi_subject *s, size_t k)
{
	for (int64_t v = 0; v < s->nodes; v++)
		if (lsi_subject_contents(s, k, v))
			return true;
	return false;
}

/* The violation without its remedy, and where what nodes hold ends. */
static const char *describe_violation(struct lsi_subject *s)
{
	const char *text = s->drawing->violation->text;
	size_t states = 0;

	while (s->contents && states <= s->rounds && has_contents(s, states))
		states++;

	const bool ends = s->contents && states > 0 && states <= s->rounds;

	return lsi_arena_print(&s->arena, "%s\nWrong: %.*s%s", s->caption, (int)strcspn(text, ";"),
		text, ends ? "; what nodes hold is not known after that" : "");
}

/* Texts of the caller are copied whole. */
int lsi_subject_write_words(struct lsi_subject *s)
{
	const struct ls_drawing *d = s->drawing;
	struct ls_request request = { .size = sizeof request };

	if (d->plan)
		ls_plan_request(d->plan, &request);
	s->title = d->title ? lsi_arena_print(&s->arena, "%s", d->title) : title_of(s, &request);
	if (d->caption)
		s->caption = lsi_arena_print(&s->arena, "%s", d->caption);
	else
		s->caption = d->plan || d->records ? describe_messages(s, &request) : describe_network(s);
	if (!d->caption && s->timed && s->caption)
		s->caption = lsi_subject_describe_times(s, s->caption);
	if (!d->caption && d->violation && s->caption)
		s->caption = describe_violation(s);
	return s->title && s->caption ? LS_OK : LS_ERR_MEMORY;
}
