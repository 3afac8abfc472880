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
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/alloc.h"
#include "draw/geometry.h"
#include "draw/view.h"

enum {
	NODES = 256,
	ROUNDS = 64,
	PAGE = 900,     /* px that the rounds share */
	WIDEST = 72,    /* px of a round .. */
	STEEP = 120,    /* .. where messages go far */
	NARROWEST = 26, /* room for its number */
	HEADER = 18,    /* px above the first line */
	LABEL_GAP = 10,
	STUB_GAP = 5, /* between a stub and its text */
	LEGIBLE = 13, /* px between lines with labels */
	MANY = 64,    /* nodes, from which on lines are thin */
	STUB_ROW = 44 /* px between lines with stubs */
};
static const double inset = 0.1; /* of a round: from its begin to the tail, and from head to end */
/* Of a row and of a round: how far a stub goes. */
static const double stub_rise = 0.26, stub_run = 0.26;

struct timeline {
	struct lsi_scene *scene;
	const struct lsi_subject *s;
	double column, row; /* px of a round, and between two nodes */
	double scale;       /* of the part */
};

/* Of each node: when its first message begins and its last one ends; begin > end: it has none. */
struct span {
	double begin, end;
};

static bool fits(const struct lsi_subject *s)
{
	return s->nodes <= NODES && s->rounds >= 1 && s->rounds <= ROUNDS;
}

/* ---- Places */

/* The place of a time; its unit is a round. */
static double x_of(const struct timeline *t, double time)
{
	return time * t->column / t->scale;
}

static double y_of(const struct timeline *t, int64_t node)
{
	return (double)node * t->row / t->scale;
}

static bool has_stubs(const struct lsi_subject *s)
{
	return s->vertices > lsi_subject_inner(s);
}

/* Rows of a part have room for its stubs. */
static double row_height(const struct lsi_subject *s)
{
	if (has_stubs(s))
		return s->nodes <= MANY ? STUB_ROW : STUB_ROW / 2.0;
	return s->nodes <= 32 ? 24 : s->nodes <= MANY ? 16 : 8;
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
	struct lsi_element line = lsi_element_at(LSI_SHAPE_RULE, from);

	line.to = to;
	line.variant = variant;
	line.width = variant ? 0 : 2;
	lsi_scene_add(t->scene, &line);
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
	const double above = has_stubs(s) ? t->row / 2 + LABEL_GAP : HEADER;

	for (size_t k = 0; k < s->rounds; k++) {
		struct lsi_element number =
			lsi_element_at(LSI_SHAPE_TEXT, (struct lsi_point){ x_of(t, (double)k + 0.5), -above });

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

static void find_spans(const struct lsi_subject *s, struct span *span)
{
	for (int64_t v = 0; v < s->nodes; v++)
		span[v] = (struct span){ INFINITY, -INFINITY };
	for (size_t k = 0; k < s->rounds; k++) {
		for (size_t i = 0; i < s->round[k].n; i++) {
			const struct ls_record *m = &s->message[s->round[k].first + i];

			if (m->src < s->nodes)
				extend(&span[m->src], (double)k, (double)k + 1);
			if (m->dst < s->nodes)
				extend(&span[m->dst], (double)k, (double)k + 1);
		}
	}
}

static void put_lines(const struct timeline *t, const struct span *span)
{
	const double end = x_of(t, (double)t->s->rounds);

	for (int64_t v = 0; v < t->s->nodes; v++) {
		const double y = y_of(t, v);

		put_line(t, "idle", (struct lsi_point){ 0, y }, (struct lsi_point){ end, y });
		if (span[v].begin < span[v].end)
			put_line(t, NULL, (struct lsi_point){ x_of(t, span[v].begin), y },
				(struct lsi_point){ x_of(t, span[v].end), y });
	}
}

/* ---- Messages */

/* From sender to receiver.  What leaves the part goes down, what enters comes from above. */
static void set_ends(const struct timeline *t, size_t k, const struct ls_record *m,
	struct lsi_point *from, struct lsi_point *to)
{
	const double begin = (double)k + inset, end = (double)k + 1 - inset;
	const double rise = stub_rise * t->row / t->scale;

	*from = (struct lsi_point){ x_of(t, begin), y_of(t, m->src) };
	*to = (struct lsi_point){ x_of(t, end), y_of(t, m->dst) };
	if (m->dst >= t->s->nodes)
		*to = (struct lsi_point){ x_of(t, begin + stub_run), from->y + rise };
	else if (m->src >= t->s->nodes)
		*from = (struct lsi_point){ x_of(t, end - stub_run), to->y - rise };
}

static void put_message(const struct timeline *t, size_t k, const struct ls_record *m)
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

static void put_messages(const struct timeline *t)
{
	for (size_t k = 0; k < t->s->rounds; k++)
		for (size_t i = 0; i < t->s->round[k].n; i++)
			put_message(t, k, &t->s->message[t->s->round[k].first + i]);
}

/* ---- Stubs */

/* The messages of the node of m in this direction over stubs, from m on. */
static size_t count_stubs(const struct timeline *t, const struct lsi_drawn_round *round, size_t i)
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

/* The rank of the partner, or the number of partners, at the end of the stub. */
static void put_stub(const struct timeline *t, size_t k, const struct ls_record *m, size_t n)
{
	const bool leaves = m->dst >= t->s->nodes;
	char text[LSI_NAME];
	struct lsi_point from, to, at;

	set_ends(t, k, m, &from, &to);
	at = leaves ? (struct lsi_point){ to.x + STUB_GAP, to.y }
				: (struct lsi_point){ from.x - STUB_GAP, from.y };
	lsi_stub_text(t->s, leaves ? m->dst : m->src, text);
	if (n > 1)
		snprintf(text, sizeof text, "%zu nodes", n);
	if (*text && lsi_text_width(LSI_TEXT_NAME, text) <= (1 - 2 * inset - stub_run) * t->column)
		lsi_scene_put_text(t->scene, LSI_TEXT_NAME, leaves ? LSI_ANCHOR_START : LSI_ANCHOR_END, at,
			lsi_scene_text(t->scene, "%s", text));
}

static void put_stubs(const struct timeline *t)
{
	const struct lsi_subject *s = t->s;

	for (size_t k = 0; k < s->rounds && s->nodes <= MANY; k++) {
		for (size_t i = 0, n; i<s->round[k].n; i += n> 0 ? n : 1) {
			const struct ls_record *m = &s->message[s->round[k].first + i];
			const bool is_stub = m->src >= s->nodes || m->dst >= s->nodes;

			n = is_stub ? count_stubs(t, &s->round[k], i) : 0;
			if (is_stub)
				put_stub(t, k, m, n);
		}
	}
}

/* ---- Labels */

static void put_label(const struct timeline *t, enum lsi_text_style style, enum lsi_anchor anchor,
	struct lsi_point at, int64_t node, const char *text)
{
	struct lsi_element label = lsi_element_at(LSI_SHAPE_TEXT, at);

	label.text = text;
	label.style = style;
	label.anchor = anchor;
	label.node = node;
	if (text)
		lsi_scene_add(t->scene, &label);
}

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
	const char *last =
		lsi_scene_text(t->scene, "%" PRId64, lsi_subject_rank(t->s, t->s->nodes - 1));
	const double beside = -2 * LABEL_GAP - (last ? lsi_text_width(LSI_TEXT_RANK, last) : 0);
	const double end = x_of(t, (double)t->s->rounds) + LABEL_GAP;

	if (t->s->drawing->labels == LS_LABELS_NONE)
		return;
	for (int64_t v = 0; v < t->s->nodes; v += distance) {
		const char *contents = lsi_subject_contents(t->s, t->s->rounds, v);
		const int64_t rank = lsi_subject_rank(t->s, v);
		const double y = y_of(t, v);
		char name[LSI_NAME];

		put_label(t, LSI_TEXT_RANK, LSI_ANCHOR_END, (struct lsi_point){ -LABEL_GAP, y }, rank,
			lsi_scene_text(t->scene, "%" PRId64, rank));
		if (lsi_subject_name(t->s, v, name))
			put_label(t, LSI_TEXT_NAME, LSI_ANCHOR_END, (struct lsi_point){ beside, y }, rank,
				lsi_scene_text(t->scene, "%s", name));
		if (contents && *contents)
			put_label(t, LSI_TEXT_CONTENTS, LSI_ANCHOR_START, (struct lsi_point){ end, y }, rank,
				contents);
	}
}

/* ---- View */

static int draw(struct lsi_scene *scene, const struct lsi_subject *s, struct ls_error *why)
{
	struct timeline t = { scene, s, column_width(s), row_height(s), 1 };
	struct span *span = lsi_alloc((size_t)s->nodes * sizeof *span);

	(void)why;
	if (!span)
		return LS_ERR_MEMORY;
	find_spans(s, span);
	lsi_scene_begin(scene, "timeline", -1)->scale = t.scale = scale_of(s->nodes);
	put_rounds(&t);
	put_lines(&t, span);
	put_messages(&t);
	lsi_free(span);
	lsi_scene_begin(scene, "axes", -1);
	t.scale = 1;
	put_numbers(&t);
	put_labels(&t);
	put_stubs(&t);
	scene->legend = has_stubs(s)
		? "A line is a node, and bold from its first message to its last; an arrow is a message of "
		  "the step above it; down or from above: to or from a node with this rank outside."
		: "A line is a node, and bold from its first message to its last; "
		  "an arrow is a message of the step above it.";
	lsi_scene_end_page(scene, s, lsi_scene_put_origin(scene, LSI_MARGIN, LSI_MARGIN));
	return LS_OK;
}

const struct lsi_draw_view lsi_draw_view_timeline = { "timeline",
	"nodes as lines, time to the right, messages as arrows", "256 nodes and 1 to 64 steps", fits,
	fits, draw };
