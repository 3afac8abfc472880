/*
 * Time 0 of the axis is the first event that is drawn: a program may compute for long before its
 * first message, and then the messages would share a few pixels.  The title says when that was.
 *
 *      1       2        number of the round, where there is room
 *     ----    -----     from its first event to its last one
 *        -----
 *     |       |       |
 *     0     20 us   40 us
 *        time since ..
 */
#include "draw/time_axis.h"

#include <inttypes.h>
#include <math.h>

#include "draw/geometry.h"
#include "draw/waits.h"

enum {
	WIDTH = 900,    /* px of the axis */
	LABELS = 11,    /* at most */
	SHORTEST = 10,  /* ns: an axis is not shorter */
	LINE = 16,      /* px of a line of text */
	BAR = 3,        /* px from a bar to that of the next round */
	NUMBER_GAP = 4, /* px between numbers */
	NUMBER = 9      /* px from a number to the bars */
};
static const double ns = 1e-9;

void lsi_time_axis_make(struct lsi_time_axis *axis, const struct lsi_subject *s)
{
	const struct ls_axis seconds = { .unit = LS_UNIT_SECONDS };
	const double span = fmax((double)(s->end_ns - s->begin_ns), SHORTEST);

	axis->subject = s;
	axis->width = WIDTH;
	lsi_chart_axis_make(&axis->since, &seconds, 0, span * ns, LABELS);
	axis->since.from = 0;
	axis->since.to = WIDTH;
}

double lsi_time_axis_place(const struct lsi_time_axis *axis, int64_t time)
{
	return lsi_chart_axis_place(&axis->since, (double)(time - axis->subject->begin_ns) * ns);
}

/* "331.9 us" */
static struct lsi_number_text time_text(int64_t time)
{
	return lsi_number_write(LS_UNIT_SECONDS, (double)time * ns);
}

/* ---- Ticks */

void lsi_time_axis_put_grid(const struct lsi_time_axis *axis, struct lsi_scene *scene, double top,
	double bottom, double scale)
{
	for (int i = 0; i < axis->since.ticks; i++) {
		const double x = lsi_chart_axis_place(&axis->since, axis->since.tick[i].at) / scale;
		struct lsi_element line =
			lsi_element_at(LSI_SHAPE_RULE, (struct lsi_point){ x, top / scale });

		line.to = (struct lsi_point){ x, bottom / scale };
		line.variant = "grid";
		lsi_scene_add(scene, &line);
	}
}

double lsi_time_axis_put_ticks(
	const struct lsi_time_axis *axis, struct lsi_scene *scene, double top)
{
	const int64_t begin = axis->subject->begin_ns;
	const double y = top + LINE / 2.0;

	for (int i = 0; i < axis->since.ticks; i++) {
		const struct lsi_tick *tick = &axis->since.tick[i];
		const double x = lsi_chart_axis_place(&axis->since, tick->at);

		if (tick->label[0])
			lsi_scene_put_text(scene, LSI_TEXT_AXIS, LSI_ANCHOR_MIDDLE, (struct lsi_point){ x, y },
				lsi_scene_text(scene, "%s", tick->label));
	}
	lsi_scene_put_text(scene, LSI_TEXT_AXIS, LSI_ANCHOR_MIDDLE,
		(struct lsi_point){ axis->width / 2, y + LINE },
		begin == 0 ? "time since the run began"
				   : lsi_scene_text(scene, "time since the first event, %s after the run began",
					   time_text(begin).text));
	return y + 1.5 * LINE;
}

/* ---- Rounds */

/* From the first event of a round to its last one; begin > end: it has none. */
static struct lsi_wait extent_of(const struct lsi_subject *s, const struct lsi_drawn_round *round)
{
	struct lsi_wait extent = { INT64_MAX, -1 };

	for (size_t i = round->first; i < round->first + round->n; i++) {
		const struct ls_record *m = &s->message[i];

		if (!lsi_is_timed(m))
			continue;

		const bool received = lsi_is_received(m);
		const int64_t begin =
			received && lsi_wait_begin(m) < m->sent_ns ? lsi_wait_begin(m) : m->sent_ns;
		const int64_t end = received ? m->received_ns : m->sent_ns;

		extent.begin = begin < extent.begin ? begin : extent.begin;
		extent.end = end > extent.end ? end : extent.end;
	}
	return extent;
}

static void put_bar(struct lsi_scene *scene, int64_t round, struct lsi_point from, double end)
{
	struct lsi_element bar = lsi_element_at(LSI_SHAPE_RULE, from);

	bar.to = (struct lsi_point){ end, from.y };
	bar.width = 2;
	bar.color = (int)((round - 1) % INT32_MAX);
	bar.variant = "round";
	bar.round = round;
	lsi_scene_add(scene, &bar);
}

/* Returns the right end of the number, or `left` if it has no room. */
static double put_number(struct lsi_scene *scene, int64_t round, struct lsi_point at, double left)
{
	struct lsi_element number = lsi_element_at(LSI_SHAPE_TEXT, at);
	struct lsi_box box;

	number.text = lsi_scene_text(scene, "%" PRId64, round);
	number.style = LSI_TEXT_NUMBER;
	number.round = round;
	number.color = (int)((round - 1) % INT32_MAX);
	if (!number.text)
		return left;
	box = lsi_element_box(&number);
	if (box.left < left)
		return left;
	lsi_scene_add(scene, &number);
	return box.right + NUMBER_GAP;
}

void lsi_time_axis_put_rounds(
	const struct lsi_time_axis *axis, struct lsi_scene *scene, double bottom)
{
	const struct lsi_subject *s = axis->subject;
	double left = -INFINITY;

	for (size_t k = 0; k < s->rounds; k++) {
		const struct lsi_wait extent = extent_of(s, &s->round[k]);
		const double y = bottom - BAR * (double)(1 + k % 2);

		if (extent.begin > extent.end)
			continue;

		const double begin = lsi_time_axis_place(axis, extent.begin);
		const double end = lsi_time_axis_place(axis, extent.end);

		put_bar(scene, s->round[k].number, (struct lsi_point){ begin, y }, end);
		left = put_number(scene, s->round[k].number,
			(struct lsi_point){ (begin + end) / 2, bottom - 2 * BAR - NUMBER }, left);
	}
}

/* ---- Messages */

int64_t lsi_message_end(const struct lsi_subject *s, const struct ls_record *m)
{
	return lsi_is_received(m) ? m->received_ns : s->end_ns;
}

struct lsi_element lsi_time_axis_wait(const struct lsi_time_axis *axis, struct lsi_scene *scene,
	const struct ls_record *m, double top, double bottom)
{
	const double begin = lsi_time_axis_place(axis, lsi_wait_begin(m));
	struct lsi_element wait = lsi_element_at(LSI_SHAPE_CELL, (struct lsi_point){ begin, top });

	wait.to = (struct lsi_point){ lsi_time_axis_place(axis, m->received_ns), bottom };
	wait.variant = "wait";
	wait.node = m->dst;
	wait.src = m->src;
	wait.round = m->round;
	wait.begin_ns = lsi_wait_begin(m);
	wait.end_ns = m->received_ns;
	wait.tip = lsi_scene_text(scene,
		"step %" PRId64 ": node %" PRId64 " waits %s for node %" PRId64 ", until %s", m->round,
		m->dst, time_text(m->waited_ns).text, m->src, time_text(m->received_ns).text);
	return wait;
}

void lsi_timed_message(struct lsi_scene *scene, const struct ls_record *m, struct lsi_element *out)
{
	const bool received = lsi_is_received(m);

	out->round = m->round;
	out->src = m->src;
	out->dst = m->dst;
	out->words = (int64_t)m->words;
	out->color = (int)((m->round - 1) % INT32_MAX);
	out->begin_ns = m->sent_ns;
	out->end_ns = m->received_ns;
	out->tip = lsi_scene_text(scene,
		"step %" PRId64 ": %" PRId64 " to %" PRId64 ", sent at %s, %s%s", m->round, m->src, m->dst,
		time_text(m->sent_ns).text, received ? "received at " : "not received",
		received ? time_text(m->received_ns).text : "");
}
