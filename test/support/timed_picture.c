#include "support/timed_picture.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/guard.h"
#include "test.h"

struct timed_trace trace;

/* ---- The trace */

void begin_trace(void)
{
	memset(&trace, 0, sizeof trace);
}

void add_row(
	int64_t round, int64_t src, int64_t dst, int64_t sent, int64_t received, int64_t waited)
{
	CHECK(trace.n < ROWS, "too many rows for this test");
	trace.row[trace.n++] = (struct ls_record){ round, src, dst, 1, 8, sent, received, waited };
}

void find_ends(void)
{
	trace.begin = INT64_MAX;
	trace.end = 0;
	for (size_t i = 0; i < trace.n; i++) {
		const struct ls_record *r = &trace.row[i];
		const int64_t wait = r->received_ns < 0 ? r->sent_ns : r->received_ns - r->waited_ns;

		if (r->sent_ns < 0)
			continue;
		trace.begin = r->sent_ns < trace.begin ? r->sent_ns : trace.begin;
		trace.begin = wait < trace.begin ? wait : trace.begin;
		trace.end = r->sent_ns > trace.end ? r->sent_ns : trace.end;
		trace.end = r->received_ns > trace.end ? r->received_ns : trace.end;
	}
}

/* ---- Places: the axis says where a time is */

/* "20 us" in ns; -1: not a time. */
static double time_of(const char *text)
{
	static const struct {
		const char *unit;
		double ns;
	} units[] = { { " ns", 1 }, { " \302\265s", 1e3 }, { " ms", 1e6 }, { " s", 1e9 }, { "", 0 } };
	char *end;
	const double value = strtod(text, &end);

	for (size_t i = 0; i < sizeof units / sizeof *units && end > text; i++) {
		if (strcmp(end, units[i].unit) == 0)
			return value * units[i].ns;
	}
	return -1;
}

static double length_of(const struct tag *tag, const char *name)
{
	const char *value = attribute_of(tag, name);

	return value ? strtod(value, NULL) : NAN;
}

struct axis read_axis(const struct drawn_page *page)
{
	struct axis axis = { NAN, NAN, 0, 1 };
	bool is_below = false; /* in the part of the axes */

	for (struct tag tag = { 0 }; next_tag(page, &tag);) {
		const char *transform = attribute_of(&tag, "transform");
		const bool is_tick = is_below && has_class(&tag, "axis") && has_class(&tag, "mid");
		const double ns = is_tick ? time_of(tag.element->text) : -1;

		is_below |= has_class(&tag, "axes");

		if (has_class(&tag, "timeline") && transform)
			sscanf(transform, "translate(%*f,%*f) scale(%lf)", &axis.scale);
		if (ns == 0 && isnan(axis.left))
			axis.left = length_of(&tag, "x");
		axis.right = ns > 0 ? length_of(&tag, "x") : axis.right;
		axis.ns = ns > 0 ? ns : axis.ns;
	}
	CHECK(axis.right > axis.left && axis.ns >= (double)(trace.end - trace.begin) * (1 - 1e-9),
		"%s: an axis of %g ns on %g px", guarded(), axis.ns, axis.right - axis.left);
	return axis;
}

/* Is a time drawn at x, in the part with the messages? */
static void check_place(const struct axis *axis, double x, int64_t time, const char *what)
{
	const double expected =
		axis->left + (double)(time - trace.begin) / axis->ns * (axis->right - axis->left);

	CHECK(fabs(x * axis->scale - expected) <= 0.1, "%s: %s at %" PRId64 " ns: %.1f px, not %.2f",
		guarded(), what, time, x * axis->scale, expected);
}

/* ---- Rows: each node has one */

struct heights {
	double at[TRACED_NODES]; /* NAN: not seen */
};

static void check_height(struct heights *heights, int64_t node, double y)
{
	if (isnan(heights->at[node]))
		heights->at[node] = y;
	CHECK(fabs(heights->at[node] - y) <= 0.11, "%s: node %" PRId64 " at %.1f and %.1f", guarded(),
		node, heights->at[node], y);
}

/* Without cores, the rows are in the order of the nodes. */
static void check_order(const struct heights *heights)
{
	double last = -INFINITY;

	for (int v = 0; v < TRACED_NODES && !trace.has_cores; v++) {
		if (isnan(heights->at[v]))
			continue;
		CHECK(heights->at[v] > last, "%s: node %d at %.1f", guarded(), v, heights->at[v]);
		last = heights->at[v];
	}
}

static struct heights no_heights(void)
{
	struct heights heights;

	for (int v = 0; v < TRACED_NODES; v++)
		heights.at[v] = NAN;
	return heights;
}

/* ---- Messages and waits */

static bool drawn[2][ROWS]; /* message, wait */

/* The row of an element with these numbers, which is not drawn yet; NULL: none. */
static const struct ls_record *mark(const struct tag *tag, bool is_wait)
{
	const int64_t dst = number_of(tag, is_wait ? "data-node" : "data-dst");

	for (size_t i = 0; i < trace.n; i++) {
		const struct ls_record *r = &trace.row[i];
		const int64_t begin = is_wait ? r->received_ns - r->waited_ns : r->sent_ns;

		if (drawn[is_wait][i] || r->sent_ns < 0 || (is_wait && r->waited_ns <= 0)
			|| r->round != number_of(tag, "data-round") || r->src != number_of(tag, "data-src")
			|| r->dst != dst || begin != number_of(tag, "data-begin-ns")
			|| r->received_ns != number_of(tag, "data-end-ns"))
			continue;
		drawn[is_wait][i] = true;
		return r;
	}
	CHECK(false, "%s: no row for <%s> of round %" PRId64, guarded(), tag->element->name,
		number_of(tag, "data-round"));
	return NULL;
}

static void check_all_drawn_once(void)
{
	for (size_t i = 0; i < trace.n; i++) {
		const struct ls_record *r = &trace.row[i];

		CHECK(drawn[0][i] == (r->sent_ns >= 0), "%s: row %zu is not drawn", guarded(), i);
		CHECK(drawn[1][i] == (r->waited_ns > 0), "%s: the wait of row %zu is not drawn", guarded(),
			i);
	}
}

static int64_t end_of(const struct ls_record *r)
{
	return r->received_ns < 0 ? trace.end : r->received_ns;
}

void check_rectangle(const struct drawn_page *page, struct tag tag, const struct axis *axis,
	struct time_span span, double least, double *top)
{
	double x, width;

	CHECK(next_tag(page, &tag) && strcmp(tag.element->name, "rect") == 0, "%s: no rectangle",
		guarded());
	x = length_of(&tag, "x");
	width = length_of(&tag, "width");
	*top = length_of(&tag, "y");
	check_place(axis, x, span.begin, "a cell");
	if (width > least)
		check_place(axis, x + width, span.end, "the end of a cell");
	else
		CHECK(
			(double)(span.end - span.begin) / axis->ns * (axis->right - axis->left) <= least + 0.1,
			"%s: a cell of %g px", guarded(), width);
}

/* An arrow: a dot at its tail, and a head whose first point is its tip. */
static void check_arrow(const struct drawn_page *page, struct tag tag, const struct axis *axis,
	const struct ls_record *r, struct heights *heights)
{
	double x = 0, y = 0;

	while (next_tag(page, &tag) && strcmp(tag.element->name, "circle") != 0)
		;
	check_place(axis, length_of(&tag, "cx"), r->sent_ns, "a tail");
	check_height(heights, r->src, length_of(&tag, "cy"));
	CHECK(next_tag(page, &tag) && path_of(&tag) && sscanf(path_of(&tag), "M%lf,%lf", &x, &y) == 2,
		"%s: no head", guarded());
	check_place(axis, x, end_of(r), "a tip");
	check_height(heights, r->dst, y);
}

void check_marks(const struct drawn_page *page, const struct axis *axis, bool is_gantt)
{
	struct heights of_messages = no_heights(), of_waits = no_heights();
	double top;

	memset(drawn, 0, sizeof drawn);
	for (struct tag tag = { 0 }; next_tag(page, &tag);) {
		const bool is_wait = has_class(&tag, "wait") && number_of(&tag, "data-node") >= 0;
		const struct ls_record *r;

		if (!is_wait && (!has_class(&tag, "message") || number_of(&tag, "data-dst") < 0))
			continue;
		r = mark(&tag, is_wait);
		if (!r)
			continue;
		CHECK(
			is_wait || number_of(&tag, "data-words") == (int64_t)r->words, "%s: words", guarded());
		CHECK(is_wait || has_class(&tag, "unreceived") == (r->received_ns < 0),
			"%s: received or not", guarded());
		if (is_wait) {
			check_rectangle(page, tag, axis,
				(struct time_span){ r->received_ns - r->waited_ns, r->received_ns }, 0, &top);
			check_height(&of_waits, r->dst, top);
		} else if (is_gantt) {
			check_rectangle(
				page, tag, axis, (struct time_span){ r->sent_ns, end_of(r) }, 0.5, &top);
			check_height(&of_messages, r->dst, top);
		} else {
			check_arrow(page, tag, axis, r, &of_messages);
		}
	}
	check_all_drawn_once();
	check_order(&of_messages);
	check_order(&of_waits);
}

/* ---- Rounds */

/* The first send of a round and its last receipt; false: it has no messages with times. */
static bool round_of(int64_t round, struct time_span *out)
{
	*out = (struct time_span){ INT64_MAX, -1 };
	for (size_t i = 0; i < trace.n; i++) {
		const struct ls_record *r = &trace.row[i];

		if (r->round != round || r->sent_ns < 0)
			continue;
		out->begin = r->sent_ns < out->begin ? r->sent_ns : out->begin;
		out->end = end_of(r) > out->end ? end_of(r) : out->end;
	}
	return out->end >= 0;
}

void check_rounds(const struct drawn_page *page, const struct axis *on_page)
{
	struct axis axis = *on_page;
	struct time_span span;
	int64_t last = 0, bars = 0;

	axis.scale = 1; /* of the part with the axes */
	for (struct tag tag = { 0 }; next_tag(page, &tag);) {
		double begin = NAN, end = NAN;

		if (!has_class(&tag, "round"))
			continue;
		bars++;
		CHECK(round_of(number_of(&tag, "data-round"), &span)
				&& sscanf(path_of(&tag), "M%lf,%*f L%lf,", &begin, &end) == 2,
			"%s: a bar of round %" PRId64, guarded(), number_of(&tag, "data-round"));
		check_place(&axis, begin, span.begin, "a round");
		check_place(&axis, end, span.end, "the end of a round");
	}
	for (size_t i = 0; i < trace.n; i++)
		last = trace.row[i].round > last ? trace.row[i].round : last;
	for (int64_t round = 1; round <= last; round++)
		bars -= round_of(round, &span);
	CHECK(bars == 0, "%s: %" PRId64 " bars too many", guarded(), bars);
}
