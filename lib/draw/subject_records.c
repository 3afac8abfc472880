/*
 * The times of messages that passed: are they possible; from when to when; and in words.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "draw/chart_axis.h"
#include "draw/waits.h"

/* As struct ls_record documents them. */
static bool are_possible(const struct ls_record *m)
{
	if (m->received_ns == -1)
		return m->sent_ns >= -1 && m->waited_ns == -1;
	return m->sent_ns >= 0 && m->sent_ns <= m->received_ns && m->waited_ns >= 0
		&& m->waited_ns <= m->received_ns;
}

static int refuse_times(const struct ls_record *m, struct ls_error *why)
{
	return lsi_error_set(why, LS_ERR_ARGUMENT,
		"round %" PRId64 ", %" PRId64 " to %" PRId64
		": impossible times; expected sent_ns <= received_ns and waited_ns <= received_ns, or -1 "
		"if not received",
		m->round, m->src, m->dst);
}

static void extend(struct lsi_subject *s, int64_t begin, int64_t end)
{
	s->begin_ns = begin < s->begin_ns ? begin : s->begin_ns;
	s->end_ns = end > s->end_ns ? end : s->end_ns;
}

static void add_times(struct lsi_subject *s, const struct ls_record *m)
{
	if (!lsi_is_timed(m))
		return;
	s->timed++;
	extend(s, m->sent_ns, m->sent_ns);
	if (lsi_is_received(m))
		extend(s, lsi_wait_begin(m), m->received_ns);
}

int lsi_subject_find_times(struct lsi_subject *s, struct ls_error *why)
{
	const enum ls_x_axis x = s->drawing->x_axis;

	if (x == LS_X_AXIS_ROUNDS)
		return LS_OK;
	s->begin_ns = INT64_MAX;
	s->end_ns = 0;
	for (size_t i = 0; i < s->messages && s->drawing->records; i++) {
		if (!are_possible(&s->message[i]))
			return refuse_times(&s->message[i], why);
		add_times(s, &s->message[i]);
	}
	if (s->end_ns == 0) /* the fields were not set */
		s->timed = 0;
	if (x == LS_X_AXIS_TIME && s->timed == 0)
		return lsi_error_set(why, LS_ERR_ARGUMENT,
			"the messages have no times; record them with LOCKSTEP_TRACE_TIMES=1 or run --times");
	return LS_OK;
}

/* ---- Words */

static size_t count_unreceived(const struct lsi_subject *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->messages; i++)
		n += lsi_is_timed(&s->message[i]) && !lsi_is_received(&s->message[i]);
	return n;
}

/* How long a node waits for another one, in all messages between them. */
struct pair_wait {
	int64_t src, dst;
	double waited; /* ns */
};

/* The longest; of equal ones the first by src, then dst.  LS_OK or LS_ERR_MEMORY. */
static int find_longest(const struct lsi_subject *s, struct pair_wait *out)
{
	struct ls_record *sorted = lsi_alloc((s->messages + 1) * sizeof *sorted);
	struct pair_wait pair = { LS_NO_RANK, LS_NO_RANK, 0 };

	*out = pair;
	if (!sorted)
		return LS_ERR_MEMORY;
	memcpy(sorted, s->message, s->messages * sizeof *sorted);
	qsort(sorted, s->messages, sizeof *sorted, lsi_compare_pairs);
	for (size_t i = 0; i < s->messages; i++) {
		const struct ls_record *m = &sorted[i];

		if (m->src != pair.src || m->dst != pair.dst)
			pair = (struct pair_wait){ m->src, m->dst, 0 };
		pair.waited += lsi_is_received(m) ? (double)m->waited_ns : 0;
		if (pair.waited > out->waited)
			*out = pair;
	}
	lsi_free(sorted);
	return LS_OK;
}

/* The share of the time in which the nodes wait; LS_OK or LS_ERR_MEMORY. */
static int find_share(const struct lsi_subject *s, double *share)
{
	const double span = (double)(s->end_ns - s->begin_ns);
	struct lsi_waits waits;
	const int failed = lsi_waits_make(s, &waits);

	*share = 0;
	for (int64_t v = 0; v < s->nodes && !failed && span > 0; v++)
		*share += lsi_waits_sum(&waits, v) / span / (double)s->nodes;
	lsi_waits_release(&waits);
	return failed;
}

static struct lsi_number_text time_text(double ns)
{
	return lsi_number_write(LS_UNIT_SECONDS, ns * 1e-9);
}

const char *lsi_subject_describe_times(struct lsi_subject *s, const char *caption)
{
	const size_t lost = count_unreceived(s), untimed = s->messages - s->timed;
	char wait[120] = "", unreceived[60] = "", omitted[60] = "";
	struct pair_wait longest;
	double share;

	if (find_share(s, &share) != LS_OK || find_longest(s, &longest) != LS_OK)
		return NULL;
	if (longest.waited > 0)
		snprintf(wait, sizeof wait, "; node %" PRId64 " waited most, %s for node %" PRId64,
			longest.dst, time_text(longest.waited).text, longest.src);
	if (lost > 0)
		snprintf(unreceived, sizeof unreceived, "; %zu not received", lost);
	if (untimed > 0)
		snprintf(omitted, sizeof omitted, "; %zu without times are not drawn", untimed);
	return lsi_arena_print(&s->arena,
		"%s\n%s, from %s after the run began; nodes waited for messages %.0f %% of this time%s%s%s",
		caption, time_text((double)(s->end_ns - s->begin_ns)).text,
		time_text((double)s->begin_ns).text, 100 * share, wait, unreceived, omitted);
}
