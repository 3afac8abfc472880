/*
 * Space and time: a horizontal line for each node, time to the right, and an arrow for each message
 * from its sender at the begin of a round to its receiver at the end.
 *
 * The line of a node is bold from its first message to its last:
 *
 *            1           2
 *   0   |=o=========|-----------|     0 sends to 1 in step 1, and 1 to 2 in step 2.
 *       |   `---.   |           |
 *   1   |========`>=|=o=========|     An arrow leaves out a tenth of the step at both ends, so that
 *       |           |   `---.   |     those of neighboring steps do not touch.
 *   2   |-----------|========`>=|
 *
 * By the times of a trace, an arrow goes from where its message was sent to where it was received.
 * The line of a node is broad where the node waits for the message that arrives at its end:
 *
 *   0   --o====================--
 *          `------------.
 *   1   ---#############`>====---    1 waits for the message of 0, and for most of this time 0 has
 *       |       |       |       |    not sent it yet.
 *       0     10 us   20 us   30 us
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/alloc.h"
#include "draw/geometry.h"
#include "draw/timeline.h"
#include "draw/view.h"
#include "draw/waits.h"

enum {
	NODES = 256,
	ROUNDS = 64,
	PAGE = 900,     /* px that the rounds share */
	WIDEST = 72,    /* px of a round .. */
	STEEP = 120,    /* .. where messages go far */
	NARROWEST = 26, /* room for its number */
	HEADER = 18,    /* px above the first line */
	LABEL_GAP = 10,
	LEGIBLE = 13, /* px between lines with labels */
	STUB_ROW = 44 /* px between lines with stubs */
};
/* Of each node, px: from its first message to its last one; begin > end: it has none. */
struct span {
	double begin, end;
};

static bool fits(const struct lsi_subject *s)
{
	return s->nodes <= NODES && s->rounds >= 1 && s->rounds <= ROUNDS;
}

/* ---- Places */

/* Rows of a part have room for its stubs. */
static double row_height(const struct lsi_subject *s)
{
	if (lsi_timeline_has_stubs(s))
		return s->nodes <= LSI_TIMELINE_MANY ? STUB_ROW : STUB_ROW / 2.0;
	return s->nodes <= 32 ? 24 : s->nodes <= LSI_TIMELINE_MANY ? 16 : 8;
}

/* Lines, dots and heads are drawn at this scale. */
static double scale_of(int64_t nodes)
{
	return nodes <= LSI_TIMELINE_MANY ? 1 : 0.5;
}

static double column_width(const struct lsi_subject *s)
{
	const double widest = s->nodes <= 32 ? WIDEST : STEEP;

	return floor(fmin(widest, fmax(NARROWEST, PAGE / (double)s->rounds)));
}

/* ---- Lines */

static void put_line(
	const struct lsi_timeline *t, const char *variant, struct lsi_point from, struct lsi_point to)
{
	lsi_scene_put_rule(t->scene, variant, from, to, variant ? 0 : 2);
}

/* The borders of the rounds. */
static void put_rounds(const struct lsi_timeline *t)
{
	const struct lsi_subject *s = t->s;
	const double above = -t->row / t->scale / 2, below = lsi_timeline_y_of(t, s->nodes - 1) - above;

	for (size_t k = 0; k <= s->rounds; k++) {
		const double x = lsi_timeline_x_of(t, (double)k);

		put_line(t, "grid", (struct lsi_point){ x, above }, (struct lsi_point){ x, below });
	}
}

static void put_numbers(const struct lsi_timeline *t)
{
	const struct lsi_subject *s = t->s;
	const double above = lsi_timeline_has_stubs(s) ? t->row / 2 + LABEL_GAP : HEADER;

	for (size_t k = 0; k < s->rounds; k++) {
		struct lsi_element number = lsi_element_at(
			LSI_SHAPE_TEXT, (struct lsi_point){ lsi_timeline_x_of(t, (double)k + 0.5), -above });

		number.text = lsi_scene_text(t->scene, "%" PRId64, s->round[k].number);
		number.style = LSI_TEXT_NUMBER;
		number.round = s->round[k].number;
		number.color = (int)((s->round[k].number - 1) % INT32_MAX);
		if (number.text)
			lsi_scene_add(t->scene, &number);
	}
}

static void extend(struct span *span, double begin, double end)
{
	span->begin = fmin(span->begin, begin);
	span->end = fmax(span->end, end);
}

static void extend_by_round(
	const struct lsi_timeline *t, size_t k, const struct ls_record *m, struct span *span)
{
	const double begin = lsi_timeline_x_of(t, (double)k), end = lsi_timeline_x_of(t, (double)k + 1);

	if (m->src < t->s->nodes)
		extend(&span[m->src], begin, end);
	if (m->dst < t->s->nodes)
		extend(&span[m->dst], begin, end);
}

static void extend_by_time(
	const struct lsi_timeline *t, const struct ls_record *m, struct span *span)
{
	if (lsi_is_timed(m))
		extend(&span[m->src], lsi_timeline_x_at(t, m->sent_ns), lsi_timeline_x_at(t, m->sent_ns));
	if (lsi_is_received(m))
		extend(&span[m->dst], lsi_timeline_x_at(t, lsi_wait_begin(m)),
			lsi_timeline_x_at(t, m->received_ns));
}

static void find_spans(const struct lsi_timeline *t, struct span *span)
{
	const struct lsi_subject *s = t->s;

	for (int64_t v = 0; v < s->nodes; v++)
		span[v] = (struct span){ INFINITY, -INFINITY };
	for (size_t k = 0; k < s->rounds; k++) {
		for (size_t i = 0; i < s->round[k].n; i++) {
			const struct ls_record *m = &s->message[s->round[k].first + i];

			if (t->axis)
				extend_by_time(t, m, span);
			else
				extend_by_round(t, k, m, span);
		}
	}
}

static void put_lines(const struct lsi_timeline *t, const struct span *span)
{
	for (int64_t v = 0; v < t->s->nodes; v++) {
		const double y = lsi_timeline_y_of(t, v);

		put_line(
			t, "idle", (struct lsi_point){ 0, y }, (struct lsi_point){ t->width / t->scale, y });
		if (span[v].begin < span[v].end)
			put_line(t, NULL, (struct lsi_point){ span[v].begin, y },
				(struct lsi_point){ span[v].end, y });
	}
}

/* ---- Labels */

/* The least power of two of nodes whose lines leave room for a label. */
static int64_t label_distance(const struct lsi_timeline *t)
{
	int64_t distance = 1;

	while ((double)distance * t->row < LEGIBLE)
		distance *= 2;
	return distance;
}

/* Rank and name on the left; on the right what the node has at the end. */
static void put_labels(const struct lsi_timeline *t)
{
	const int64_t distance = label_distance(t);
	const char *last =
		lsi_scene_text(t->scene, "%" PRId64, lsi_subject_rank(t->s, t->s->nodes - 1));
	const double beside = -2 * LABEL_GAP - (last ? lsi_text_width(LSI_TEXT_RANK, last) : 0);
	const double end = t->width + LABEL_GAP;

	if (t->s->drawing->labels == LS_LABELS_NONE)
		return;
	for (int64_t v = 0; v < t->s->nodes; v += distance) {
		const char *contents = lsi_subject_contents(t->s, t->s->rounds, v);
		const int64_t rank = lsi_subject_rank(t->s, v);
		const double y = lsi_timeline_y_of(t, v);
		char name[LSI_NAME];

		lsi_scene_put_label(t->scene, LSI_TEXT_RANK, LSI_ANCHOR_END,
			(struct lsi_point){ -LABEL_GAP, y }, rank, lsi_scene_text(t->scene, "%" PRId64, rank));
		if (lsi_subject_name(t->s, v, name))
			lsi_scene_put_label(t->scene, LSI_TEXT_NAME, LSI_ANCHOR_END,
				(struct lsi_point){ beside, y }, rank, lsi_scene_text(t->scene, "%s", name));
		if (contents && *contents)
			lsi_scene_put_label(t->scene, LSI_TEXT_CONTENTS, LSI_ANCHOR_START,
				(struct lsi_point){ end, y }, rank, contents);
	}
}

/* ---- View */

static void put_rounds_and_messages(const struct lsi_timeline *t, const struct span *span)
{
	const double above = -t->row / 2, below = (double)t->s->nodes * t->row + above;

	if (t->axis) {
		lsi_time_axis_put_grid(t->axis, t->scene, above, below, t->scale);
		lsi_timeline_put_waits(t);
	} else {
		put_rounds(t);
	}
	put_lines(t, span);
	lsi_timeline_put_messages(t);
}

static void put_axes(const struct lsi_timeline *t)
{
	const double above = -t->row / 2, below = (double)t->s->nodes * t->row + above;

	lsi_scene_begin(t->scene, "axes", -1);
	if (t->axis) {
		lsi_time_axis_put_rounds(t->axis, t->scene, above);
		lsi_time_axis_put_ticks(t->axis, t->scene, below);
	} else {
		put_numbers(t);
	}
	put_labels(t);
	lsi_timeline_put_stubs(t);
	t->scene->legend = t->axis
		? "A line is a node, and bold from its first event to its last; an arrow is a message from "
		  "its sending to its receipt, in the color of its step. A bar on a line: the node "
		  "waits for the message that arrives at the end."
		: lsi_timeline_has_stubs(t->s)
		? "A line is a node, and bold from its first message to its last; an arrow is a message of "
		  "the step above it; down or from above: to or from a node with this rank outside."
		: "A line is a node, and bold from its first message to its last; an arrow is a message of "
		  "the step above it.";
}

static int draw(struct lsi_scene *scene, const struct lsi_subject *s, struct ls_error *why)
{
	struct lsi_timeline t = { .scene = scene,
		.s = s,
		.column = column_width(s),
		.row = row_height(s),
		.scale = scale_of(s->nodes) };
	struct span *span = lsi_alloc((size_t)s->nodes * sizeof *span);
	struct lsi_time_axis axis;

	(void)why;
	if (!span)
		return LS_ERR_MEMORY;
	if (s->timed) {
		lsi_time_axis_make(&axis, s);
		t.axis = &axis;
	}
	t.width = t.axis ? axis.width : t.column * (double)s->rounds;
	find_spans(&t, span);
	lsi_scene_begin(scene, "timeline", -1)->scale = t.scale;
	put_rounds_and_messages(&t, span);
	lsi_free(span);
	t.scale = 1;
	put_axes(&t);
	lsi_scene_end_page(scene, s, lsi_scene_put_origin(scene, LSI_MARGIN, LSI_MARGIN));
	return LS_OK;
}

const struct lsi_draw_view lsi_draw_view_timeline = { .name = "timeline",
	.text = "nodes as lines, time to the right, messages as arrows",
	.limit = "256 nodes and 1 to 64 steps",
	.fits = fits,
	.lack = lsi_lacks_steps,
	.is_default = fits,
	.draw = draw,
	.takes = LSI_TAKES_VALUES | LSI_TAKES_TIME | LSI_TAKES_LABELS };
