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
#include "draw/time_axis.h"
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
	WAIT = 4,     /* half the height of a wait, px */
	LEGIBLE = 13, /* px between lines with labels */
	MANY = 64     /* nodes, from which on lines are thin */
};
static const double inset = 0.1; /* of a round: from its begin to the tail, and from head to end */

struct timeline {
	struct lsi_scene *scene;
	const struct lsi_subject *s;
	double column, row;               /* px of a round, and between two nodes */
	double scale;                     /* of the part */
	double width;                     /* px of all */
	const struct lsi_time_axis *axis; /* NULL: by rounds */
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

/* The place of a number of rounds. */
static double x_of(const struct timeline *t, double rounds)
{
	return rounds * t->column / t->scale;
}

static double x_at(const struct timeline *t, int64_t ns)
{
	return lsi_time_axis_place(t->axis, ns) / t->scale;
}

static double y_of(const struct timeline *t, int64_t node)
{
	return (double)node * t->row / t->scale;
}

static double row_height(int64_t nodes)
{
	return nodes <= 32 ? 24 : nodes <= MANY ? 16 : 8;
}

/* Lines, dots and heads are drawn at this scale. */
static double scale_of(int64_t nodes)
{
	return nodes <= MANY ? 1 : 0.5;
}

static double column_width(const struct lsi_subject *s)
{
	const double widest = s->nodes <= 32 ? WIDEST : STEEP;

	return floor(fmin(widest, fmax(NARROWEST, PAGE / (double)s->rounds)));
}

/* ---- Lines */

static void put_line(
	const struct timeline *t, const char *variant, struct lsi_point from, struct lsi_point to)
{
	lsi_scene_put_rule(t->scene, variant, from, to, variant ? 0 : 2);
}

/* The borders of the rounds. */
static void put_rounds(const struct timeline *t)
{
	const struct lsi_subject *s = t->s;
	const double above = -t->row / t->scale / 2, below = y_of(t, s->nodes - 1) - above;

	for (size_t k = 0; k <= s->rounds; k++) {
		const double x = x_of(t, (double)k);

		put_line(t, "grid", (struct lsi_point){ x, above }, (struct lsi_point){ x, below });
	}
}

static void put_numbers(const struct timeline *t)
{
	const struct lsi_subject *s = t->s;

	for (size_t k = 0; k < s->rounds; k++) {
		struct lsi_element number =
			lsi_element_at(LSI_SHAPE_TEXT, (struct lsi_point){ x_of(t, (double)k + 0.5), -HEADER });

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
	const struct timeline *t, size_t k, const struct ls_record *m, struct span *span)
{
	const double begin = x_of(t, (double)k), end = x_of(t, (double)k + 1);

	extend(&span[m->src], begin, end);
	extend(&span[m->dst], begin, end);
}

static void extend_by_time(const struct timeline *t, const struct ls_record *m, struct span *span)
{
	if (lsi_is_timed(m))
		extend(&span[m->src], x_at(t, m->sent_ns), x_at(t, m->sent_ns));
	if (lsi_is_received(m))
		extend(&span[m->dst], x_at(t, lsi_wait_begin(m)), x_at(t, m->received_ns));
}

static void find_spans(const struct timeline *t, struct span *span)
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

static void put_lines(const struct timeline *t, const struct span *span)
{
	for (int64_t v = 0; v < t->s->nodes; v++) {
		const double y = y_of(t, v);

		put_line(
			t, "idle", (struct lsi_point){ 0, y }, (struct lsi_point){ t->width / t->scale, y });
		if (span[v].begin < span[v].end)
			put_line(t, NULL, (struct lsi_point){ span[v].begin, y },
				(struct lsi_point){ span[v].end, y });
	}
}

/* ---- Messages */

static void put_message(const struct timeline *t, size_t k, const struct ls_record *m)
{
	struct lsi_element arrow = lsi_element_at(
		LSI_SHAPE_MESSAGE, (struct lsi_point){ x_of(t, (double)k + inset), y_of(t, m->src) });

	arrow.to = (struct lsi_point){ x_of(t, (double)k + 1 - inset), y_of(t, m->dst) };
	arrow.dotted = true;
	arrow.round = m->round;
	arrow.src = m->src;
	arrow.dst = m->dst;
	arrow.words = (int64_t)m->words;
	arrow.color = (int)((m->round - 1) % INT32_MAX);
	lsi_scene_add(t->scene, &arrow);
}

static void put_timed_message(const struct timeline *t, const struct ls_record *m)
{
	struct lsi_element arrow = lsi_element_at(
		LSI_SHAPE_MESSAGE, (struct lsi_point){ x_at(t, m->sent_ns), y_of(t, m->src) });

	arrow.to = (struct lsi_point){ x_at(t, lsi_receipt_ns(t->s, m)), y_of(t, m->dst) };
	arrow.dotted = true;
	arrow.variant = lsi_is_received(m) ? NULL : "unreceived";
	lsi_timed_message(t->scene, m, &arrow);
	lsi_scene_add(t->scene, &arrow);
}

static void put_messages(const struct timeline *t)
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

static void put_waits(const struct timeline *t)
{
	for (size_t i = 0; i < t->s->messages; i++) {
		const struct ls_record *m = &t->s->message[i];
		struct lsi_element wait;

		if (!lsi_is_received(m) || m->waited_ns == 0)
			continue;
		wait = lsi_time_axis_wait(
			t->axis, t->scene, m, y_of(t, m->dst) - WAIT, y_of(t, m->dst) + WAIT);
		wait.from.x /= t->scale;
		wait.to.x /= t->scale;
		lsi_scene_add(t->scene, &wait);
	}
}

/* ---- Labels */

/* The least power of two of nodes whose lines leave room for a label. */
static int64_t label_distance(const struct timeline *t)
{
	int64_t distance = 1;

	while ((double)distance * t->row < LEGIBLE)
		distance *= 2;
	return distance;
}

/* Rank and name on the left; on the right what the node has at the end. */
static void put_labels(const struct timeline *t)
{
	const int64_t distance = label_distance(t);
	const char *last = lsi_scene_text(t->scene, "%" PRId64, t->s->nodes - 1);
	const double beside = -2 * LABEL_GAP - (last ? lsi_text_width(LSI_TEXT_RANK, last) : 0);
	const double end = t->width + LABEL_GAP;

	if (t->s->drawing->labels == LS_LABELS_NONE)
		return;
	for (int64_t v = 0; v < t->s->nodes; v += distance) {
		const char *contents = lsi_subject_contents(t->s, t->s->rounds, v);
		const double y = y_of(t, v);
		char name[LSI_NAME];

		lsi_scene_put_label(t->scene, LSI_TEXT_RANK, LSI_ANCHOR_END,
			(struct lsi_point){ -LABEL_GAP, y }, v, lsi_scene_text(t->scene, "%" PRId64, v));
		if (lsi_subject_name(t->s, v, name))
			lsi_scene_put_label(t->scene, LSI_TEXT_NAME, LSI_ANCHOR_END,
				(struct lsi_point){ beside, y }, v, lsi_scene_text(t->scene, "%s", name));
		if (contents && *contents)
			lsi_scene_put_label(t->scene, LSI_TEXT_CONTENTS, LSI_ANCHOR_START,
				(struct lsi_point){ end, y }, v, contents);
	}
}

/* ---- View */

static void put_rounds_and_messages(const struct timeline *t, const struct span *span)
{
	const double above = -t->row / 2, below = (double)t->s->nodes * t->row + above;

	if (t->axis) {
		lsi_time_axis_put_grid(t->axis, t->scene, above, below, t->scale);
		put_waits(t);
	} else {
		put_rounds(t);
	}
	put_lines(t, span);
	put_messages(t);
}

static void put_axes(const struct timeline *t)
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
	t->scene->legend = t->axis
		? "A line is a node, and bold from its first event to its last; an arrow is a message from "
		  "its sending to its receipt, in the color of its step. Where a line is broad, the node "
		  "waits for the message that arrives at the end."
		: "A line is a node, and bold from its first message to its last; an arrow is a message of "
		  "the step above it.";
}

static int draw(struct lsi_scene *scene, const struct lsi_subject *s, struct ls_error *why)
{
	struct timeline t = { .scene = scene,
		.s = s,
		.column = column_width(s),
		.row = row_height(s->nodes),
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

const struct lsi_draw_view lsi_draw_view_timeline = { "timeline",
	"nodes as lines, time to the right, messages as arrows", "256 nodes and 1 to 64 steps", fits,
	fits, draw };
