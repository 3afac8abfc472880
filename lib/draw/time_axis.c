/*
 * Time 0 of the axis is the first event that is drawn: a program may compute for long before its
 * first message, and then the messages would share a few pixels.  The title says when that was.
 *
 *      1       2     3       numbers of the rounds, where there is room
 *     ----    ---------      from the first send of a round to its last receipt; bars of rounds
 *                -------     that overlap stand on lanes
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
	BAR = 4,        /* px between bars of rounds that overlap */
	LANES = 12,     /* of bars */
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

/* The places of the first send of a round and the last receipt; false: it has none. */
static bool find_extent(const struct lsi_time_axis *axis, const struct lsi_drawn_round *round,
	double *begin, double *end)
{
	const struct lsi_subject *s = axis->subject;

	*begin = INFINITY;
	*end = -INFINITY;
	for (size_t i = round->first; i < round->first + round->n; i++) {
		const struct ls_record *m = &s->message[i];

		if (!lsi_is_timed(m))
			continue;
		*begin = fmin(*begin, lsi_time_axis_place(axis, m->sent_ns));
		*end = fmax(*end, lsi_time_axis_place(axis, lsi_receipt_ns(s, m)));
	}
	return *begin <= *end;
}

/* The first lane that is free; if none is, the one that is free first. */
static int find_lane(const double end[LANES], double begin)
{
	int lane = 0;

	for (int i = 1; i < LANES && end[lane] > begin; i++)
		lane = end[i] < end[lane] ? i : lane;
	return lane;
}

/* Returns the upper end of the bars. */
static double put_bars(const struct lsi_time_axis *axis, struct lsi_scene *scene, double bottom)
{
	const struct lsi_subject *s = axis->subject;
	double lane[LANES], begin, end, top = bottom;

	for (int i = 0; i < LANES; i++)
		lane[i] = -INFINITY;
	for (size_t k = 0; k < s->rounds; k++) {
		struct lsi_element bar = lsi_element_at(LSI_SHAPE_RULE, (struct lsi_point){ 0, 0 });
		int i;

		if (!find_extent(axis, &s->round[k], &begin, &end))
			continue;
		i = find_lane(lane, begin);
		lane[i] = end;
		bar.from = (struct lsi_point){ begin, bottom - BAR * (i + 1) };
		bar.to = (struct lsi_point){ end, bar.from.y };
		bar.width = 2;
		bar.variant = "round";
		bar.round = s->round[k].number;
		bar.color = (int)((bar.round - 1) % INT32_MAX);
		lsi_scene_add(scene, &bar);
		top = fmin(top, bar.from.y);
	}
	return top;
}

/*
 * A number stands at the middle of its bar, or right of the numbers before it, but not past its
 * bar.
 */
void lsi_time_axis_put_rounds(
	const struct lsi_time_axis *axis, struct lsi_scene *scene, double bottom)
{
	const struct lsi_subject *s = axis->subject;
	const double y = put_bars(axis, scene, bottom) - NUMBER;
	double left = -INFINITY, begin, end;

	for (size_t k = 0; k < s->rounds; k++) {
		struct lsi_element number = lsi_element_at(LSI_SHAPE_TEXT, (struct lsi_point){ 0, y });
		double half;

		number.style = LSI_TEXT_NUMBER;
		number.round = s->round[k].number;
		number.color = (int)((number.round - 1) % INT32_MAX);
		number.text = lsi_scene_text(scene, "%" PRId64, number.round);
		if (!number.text || !find_extent(axis, &s->round[k], &begin, &end))
			continue;
		half = lsi_text_width(number.style, number.text) / 2;
		number.from.x = fmax((begin + end) / 2, left + NUMBER_GAP + half);
		if (number.from.x > end)
			continue;
		lsi_scene_add(scene, &number);
		left = number.from.x + half;
	}
}

/* ---- Messages */

int64_t lsi_receipt_ns(const struct lsi_subject *s, const struct ls_record *m)
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
