/*
 * The labels and routes of the network for the script of the stepper, as JSON.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "draw/character.h"
#include "draw/stepper.h"

void lsi_stepper_write_string(struct lsi_writer *w, const char *text)
{
	lsi_write(w, "\"");
	while (*text) {
		const struct lsi_character c = lsi_character_next(&text);
		const unsigned char first = (unsigned char)*c.text;

		if (first < ' ' || strchr("\"\\<>&", first))
			lsi_write(w, "\\u%04x", first);
		else
			lsi_write(w, "%s", c.text);
	}
	lsi_write(w, "\"");
}

void lsi_stepper_write_labels(struct lsi_writer *w, const struct lsi_subject *s)
{
	char name[LSI_NAME];
	bool named = false;

	for (int64_t v = 0; v < lsi_subject_inner(s); v++)
		named |= lsi_subject_name(s, v, name);
	lsi_write(w, s->whole ? ",\n\"labels\":{" : ",\n\"labels\":[");
	for (int64_t v = 0; v < lsi_subject_inner(s) && named; v++) {
		lsi_write(w, v ? "," : "");
		if (s->whole)
			lsi_write(w, "\"%" PRId64 "\":", s->rank[v]);
		lsi_stepper_write_string(w, lsi_subject_name(s, v, name) ? name : "");
	}
	lsi_write(w, s->whole ? "}" : "]");
}

static void write_route(
	struct lsi_writer *w, const struct lsi_subject *s, const struct ls_record *m)
{
	const ls_topology *t = lsi_subject_network(s);
	const int64_t src = lsi_subject_rank(s, m->src);
	const int64_t dst = lsi_subject_rank(s, m->dst);

	lsi_write(w, "\"%" PRId64 "-%" PRId64 "\":[%" PRId64, src, dst, src);
	for (int64_t at = src; at != dst;) {
		at = ls_neighbor(t, at, ls_first_hop(t, at, dst));
		lsi_write(w, ",%" PRId64, at);
	}
	lsi_write(w, "]");
}

void lsi_stepper_write_routes(struct lsi_writer *w, const struct lsi_subject *s)
{
	struct ls_record *pair = lsi_alloc((s->messages + 1) * sizeof *pair);
	const char *before = "";

	if (!pair) {
		w->failed = w->failed ? w->failed : LS_ERR_MEMORY;
		return;
	}
	memcpy(pair, s->message, s->messages * sizeof *pair);
	qsort(pair, s->messages, sizeof *pair, lsi_compare_pairs);
	lsi_write(w, ",\n\"routes\":{");
	for (size_t i = 0; i < s->messages; i++) {
		if ((i > 0 && lsi_compare_pairs(&pair[i - 1], &pair[i]) == 0)
			|| ls_link_to(lsi_subject_network(s), lsi_subject_rank(s, pair[i].src),
				   lsi_subject_rank(s, pair[i].dst))
				>= 0)
			continue;
		lsi_write(w, "%s", before);
		write_route(w, s, &pair[i]);
		before = ",";
	}
	lsi_write(w, "}");
	lsi_free(pair);
}
