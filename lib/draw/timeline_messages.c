/*
 * The messages of a timeline: arrows, the waits for them, and what leads out of a part.
 */
#include "draw/timeline.h"

#include <stdio.h>

#include "draw/geometry.h"
#include "draw/view.h"
#include "draw/waits.h"

enum {
	WAIT = 4,     /* half the height of a wait, px */
	STUB_GAP = 5, /* between a stub and its text */
	STUB_TEXT = 2 * LSI_NAME
};
static const double inset = 0.1; /* of a round: from its begin to the tail, and from head to end */
/* Of a row and of a round: how far a stub goes. */
static const double stub_rise = 0.26, stub_run = 0.26;

/* From sender to receiver.  What leaves the part goes down, what enters comes from above. */
static void set_ends(const struct lsi_timeline *t, size_t k, const struct ls_record *m,
	struct lsi_point *from, struct lsi_point *to)
{
	const double begin = (double)k + inset, end = (double)k + 1 - inset;
	const double rise = stub_rise * t->row / t->scale;

	*from = (struct lsi_point){ lsi_timeline_x_of(t, begin), lsi_timeline_y_of(t, m->src) };
	*to = (struct lsi_point){ lsi_timeline_x_of(t, end), lsi_timeline_y_of(t, m->dst) };
	if (m->dst >= t->s->nodes)
		*to = (struct lsi_point){ lsi_timeline_x_of(t, begin + stub_run), from->y + rise };
	else if (m->src >= t->s->nodes)
		*from = (struct lsi_point){ lsi_timeline_x_of(t, end - stub_run), to->y - rise };
}

static void put_message(const struct lsi_timeline *t, size_t k, const struct ls_record *m)
{
	struct lsi_element arrow = lsi_element_at(LSI_SHAPE_MESSAGE, (struct lsi_point){ 0, 0 });

	set_ends(t, k, m, &arrow.from, &arrow.to);
	arrow.dotted = true;
	arrow.round = m->round;
	arrow.src = lsi_subject_rank(t->s, m->src);
	arrow.dst = lsi_subject_rank(t->s, m->dst);
	arrow.words = (int64_t)m->words;
	arrow.color = (int)((m->round - 1) % INT32_MAX);
	lsi_scene_add(t->scene, &arrow);
}

static void put_timed_message(const struct lsi_timeline *t, const struct ls_record *m)
{
	struct lsi_element arrow = lsi_element_at(LSI_SHAPE_MESSAGE,
		(struct lsi_point){ lsi_timeline_x_at(t, m->sent_ns), lsi_timeline_y_of(t, m->src) });

	arrow.to = (struct lsi_point){ lsi_timeline_x_at(t, lsi_receipt_ns(t->s, m)),
		lsi_timeline_y_of(t, m->dst) };
	arrow.dotted = true;
	arrow.variant = lsi_is_received(m) ? NULL : "unreceived";
	lsi_timed_message(t->scene, m, &arrow);
	lsi_scene_add(t->scene, &arrow);
}

void lsi_timeline_put_messages(const struct lsi_timeline *t)
{
	for (size_t k = 0; k < t->s->rounds; k++) {
		for (size_t i = 0; i < t->s->round[k].n; i++) {
			const struct ls_record *m = &t->s->message[t->s->round[k].first + i];

			if (!t->axis)
				put_message(t, k, m);
			else if (lsi_is_timed(m))
				put_timed_message(t, m);
		}
	}
}

void lsi_timeline_put_waits(const struct lsi_timeline *t)
{
	for (size_t i = 0; i < t->s->messages; i++) {
		const struct ls_record *m = &t->s->message[i];
		struct lsi_element wait;

		if (!lsi_is_received(m) || m->waited_ns == 0)
			continue;
		wait = lsi_time_axis_wait(t->axis, t->scene, m, lsi_timeline_y_of(t, m->dst) - WAIT,
			lsi_timeline_y_of(t, m->dst) + WAIT);
		wait.from.x /= t->scale;
		wait.to.x /= t->scale;
		lsi_scene_add(t->scene, &wait);
	}
}

/* ---- Stubs */

/* The messages of the node of m in this direction over stubs, from m on. */
static size_t count_stubs(
	const struct lsi_timeline *t, const struct lsi_drawn_round *round, size_t i)
{
	const struct ls_record *m = &t->s->message[round->first + i];
	size_t n = 0;

	for (; i + n < round->n; n++) {
		const struct ls_record *next = m + n;
		const bool is_same = m->dst >= t->s->nodes
			? next->src == m->src && next->dst >= t->s->nodes
			: next->dst == m->dst && next->src >= t->s->nodes;

		if (!is_same)
			break;
	}
	return n;
}

static bool fits(const struct lsi_timeline *t, const char *text)
{
	return lsi_text_width(LSI_TEXT_NAME, text) <= (1 - 2 * inset - stub_run) * t->column;
}

/* The names of all partners; if they do not fit, that of the first one. */
static void name_partners(const struct lsi_timeline *t, const struct ls_record *m, size_t n,
	bool leaves, char text[STUB_TEXT])
{
	size_t used = 0;
	char name[LSI_NAME];

	for (size_t i = 0; i < n && used < STUB_TEXT && (i == 0 || used > 0); i++) {
		lsi_stub_text(t->s, leaves ? m[i].dst : m[i].src, name);
		used += (size_t)snprintf(text + used, STUB_TEXT - used, "%s%s", i > 0 ? ", " : "", name);
	}
	if (used < STUB_TEXT && fits(t, text))
		return;
	lsi_stub_text(t->s, leaves ? m->dst : m->src, name);
	snprintf(text, STUB_TEXT, "%s%s", name, n > 1 ? ", .." : "");
}

/* The partners of a node at the end of the stub. */
static void put_stub(const struct lsi_timeline *t, size_t k, const struct ls_record *m, size_t n)
{
	const bool leaves = m->dst >= t->s->nodes;
	char text[STUB_TEXT];
	struct lsi_point from, to, at;

	set_ends(t, k, m, &from, &to);
	at = leaves ? (struct lsi_point){ to.x + STUB_GAP, to.y }
				: (struct lsi_point){ from.x - STUB_GAP, from.y };
	name_partners(t, m, n, leaves, text);
	if (*text && fits(t, text))
		lsi_scene_put_text(t->scene, LSI_TEXT_NAME, leaves ? LSI_ANCHOR_START : LSI_ANCHOR_END, at,
			lsi_scene_text(t->scene, "%s", text));
}

void lsi_timeline_put_stubs(const struct lsi_timeline *t)
{
	const struct lsi_subject *s = t->s;

	for (size_t k = 0; k < s->rounds && s->nodes <= LSI_TIMELINE_MANY; k++) {
		for (size_t i = 0, n; i<s->round[k].n; i += n> 0 ? n : 1) {
			const struct ls_record *m = &s->message[s->round[k].first + i];
			const bool is_stub = m->src >= s->nodes || m->dst >= s->nodes;

			n = is_stub ? count_stubs(t, &s->round[k], i) : 0;
			if (is_stub)
				put_stub(t, k, m, n);
		}
	}
}
