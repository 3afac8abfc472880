/*
 * The times of the messages: are they possible, from when to when, and in words.
 */
#include <inttypes.h>
#include <stdio.h>

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

int lsi_subject_put_times(const struct lsi_subject *s, char *text, size_t size)
{
	const double span = (double)(s->end_ns - s->begin_ns);
	const size_t lost = count_unreceived(s), untimed = s->messages - s->timed;
	struct lsi_waits waits;
	const int failed = lsi_waits_make(s, &waits);
	double waited = 0;
	int at;

	for (int64_t v = 0; v < s->nodes && !failed; v++)
		waited += lsi_waits_sum(&waits, v);
	lsi_waits_release(&waits);
	at = snprintf(text, size,
		"\n%s from the first event, %s after the run began, to the last; nodes waited for messages "
		"%.0f %% of this time",
		lsi_number_write(LS_UNIT_SECONDS, span * 1e-9).text,
		lsi_number_write(LS_UNIT_SECONDS, (double)s->begin_ns * 1e-9).text,
		span > 0 ? 100 * waited / span / (double)s->nodes : 0);
	if (lost > 0)
		at += snprintf(text + at, size - (size_t)at, "; %zu not received", lost);
	if (untimed > 0)
		snprintf(text + at, size - (size_t)at, "; %zu without times are not drawn", untimed);
	return failed;
}
