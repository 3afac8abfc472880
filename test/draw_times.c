/*
 * The views timeline and gantt of messages with times: each message and each wait is drawn once, at
 * its times to 0.1 px, in the row of its node; shares and curves are those of the waits.  The test
 * computes all of them by itself from the records.
 */
/* variants: release checked asan */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <lockstep.h>

#include "support/cells.h"
#include "support/gantt_picture.h"
#include "support/guard.h"
#include "support/picture_lines.h"
#include "support/picture_lint.h"
#include "support/timed_picture.h"
#include "test.h"

static const char *const views[] = { "timeline", "gantt" };

static struct ls_drawing drawing_of(const ls_topology *t, const char *view)
{
	return (struct ls_drawing){ .size = sizeof(struct ls_drawing),
		.topology = t,
		.records = trace.row,
		.n_records = trace.n,
		.mode = LS_ROUTED,
		.view = view,
		.core = trace.has_cores ? trace.core : NULL };
}

/* ---- One trace in both views */

static void check_lint(const struct drawn_page *page)
{
	struct picture picture;
	const bool right = picture_read(page->svg.at, &picture);

	CHECK(right, "%s: %s", guarded(), picture.why);
	if (right)
		lint_picture(&picture);
	picture_release(&picture);
}

static const char *begin_of_clause(const char *text, const char *at)
{
	while (at > text && *at != ';')
		at--;
	return at;
}

/* The caption names the two nodes of which one waited longest for the other. */
static void check_longest(const struct drawn_page *page)
{
	static double waited[TRACED_NODES][TRACED_NODES];
	const char *at = strstr(page->svg.at, " waited most, ");
	int dst = 0, src = 0;
	double most = 0;

	memset(waited, 0, sizeof waited);
	for (size_t i = 0; i < trace.n; i++) {
		double *sum = &waited[trace.row[i].dst][trace.row[i].src];

		*sum += trace.row[i].waited_ns > 0 ? (double)trace.row[i].waited_ns : 0;
		most = fmax(most, *sum);
	}
	CHECK(!at == (most == 0), "%s: a longest wait", guarded());
	CHECK(!at
			|| (sscanf(begin_of_clause(page->svg.at, at),
					"; node %d waited most, %*s %*s for node %d", &dst, &src)
					== 2
				&& dst >= 0 && src >= 0 && dst < TRACED_NODES && src < TRACED_NODES
				&& waited[dst][src] == most),
		"%s: node %d waits longest for node %d", guarded(), dst, src);
}

static void check_other_formats(const struct ls_drawing *drawing)
{
	static struct ls_record got[ROWS + 2];
	static const char *const formats[] = { "tikz", "html" };
	size_t timed = 0;

	for (size_t i = 0; i < trace.n; i++)
		timed += trace.row[i].sent_ns >= 0;
	for (size_t f = 0; f < 2; f++) {
		struct text text = { 0 };

		CHECK(ls_draw(drawing, formats[f], text_append, &text, NULL) == LS_OK, "%s: no %s",
			guarded(), formats[f]);
		if (f == 0)
			CHECK(read_messages(text.at, read_tikz_message, got, ROWS) == timed, "%s: TikZ",
				guarded());
		else
			CHECK(!strstr(text.at, "<script"), "%s: a script in a static page", guarded());
		free(text.at);
	}
}

static void check_view(const ls_topology *t, const char *view, const char *name)
{
	static int draws;
	struct ls_drawing drawing = drawing_of(t, view);
	struct drawn_page page, again;
	const int64_t nodes = ls_topology_nodes(t);
	const bool is_gantt = strcmp(view, "gantt") == 0;
	struct axis axis;

	drawing.theme = (enum ls_theme)(draws++ % 3);
	guard("%s of %s", view, name);
	CHECK(drawn_page_make(&drawing, &page) == LS_OK, "%s: %s", guarded(), page.why.text);
	if (!page.svg.at)
		return;
	axis = read_axis(&page);
	check_marks(&page, &axis, is_gantt);
	check_rounds(&page, &axis);
	if (is_gantt)
		check_gantt(&page, &axis, nodes);
	check_longest(&page);
	check_lint(&page);
	check_other_formats(&drawing);
	CHECK(drawn_page_make(&drawing, &again) == LS_OK && strcmp(page.svg.at, again.svg.at) == 0,
		"%s: other bytes", guarded());
	drawn_page_release(&page);
	drawn_page_release(&again);
}

/* With and without cores; the timeline is the default. */
static void check_trace(const char *spec, int cores, const char *name)
{
	ls_topology *t = drawn_network(spec);
	const struct ls_drawing by_default = drawing_of(t, NULL), timeline = drawing_of(t, "timeline");
	struct drawn_page one, other;

	find_ends();
	trace.has_cores = cores > 0;
	for (int v = 0; v < TRACED_NODES && cores > 0; v++)
		trace.core[v] = v % cores;
	for (int v = 0; v < 2; v++)
		check_view(t, views[v], name);
	trace.has_cores = false;
	check_view(t, "gantt", name);
	CHECK(drawn_page_make(&by_default, &one) == LS_OK && drawn_page_make(&timeline, &other) == LS_OK
			&& strcmp(one.svg.at, other.svg.at) == 0,
		"%s: the timeline is not the default", name);
	drawn_page_release(&one);
	drawn_page_release(&other);
	ls_topology_destroy(t);
}

/* ---- Traces */

static uint64_t state = 5;

/* Messages in free order: each node has a clock, and messages take their time. */
static void make_random(int64_t nodes, int rounds, int64_t start, int64_t unit)
{
	int64_t clock[TRACED_NODES];

	begin_trace();
	for (int64_t v = 0; v < nodes; v++)
		clock[v] = start + random_below(&state, 3 * unit);
	for (int round = 1; round <= rounds; round++) {
		for (int64_t v = 0; v < nodes; v++) {
			const int64_t dst = (v + 1 + random_below(&state, nodes - 1)) % nodes;
			const int64_t sent = clock[v] + random_below(&state, unit);
			const int64_t there = sent + 1 + random_below(&state, 2 * unit);
			const int64_t received = there > clock[dst] ? there : clock[dst];
			const int64_t waited = received - clock[dst];

			if (random_below(&state, 40) == 0) {
				add_row(round, v, dst, sent, -1, -1);
				continue;
			}
			if (random_below(&state, 40) == 0) {
				add_row(round, v, dst, -1, -1, -1);
				continue;
			}
			add_row(round, v, dst, sent, received, waited);
			clock[v] = sent;
			clock[dst] = received + random_below(&state, unit);
		}
	}
}

static void test_random(void)
{
	make_random(2, 3, 0, 1000);
	check_trace("linear:2", 1, "two nodes");
	make_random(8, 12, 1000000, 50);
	check_trace("ring:8", 3, "ring:8");
	make_random(24, 6, 5, 1000000000);
	check_trace("star:4", 2, "star:4");
	make_random(50, 12, 77, 3);
	check_trace("complete:50", 7, "50 nodes, 3 ns");
	make_random(256, 4, 123456789, 10000);
	check_trace("hypercube:8", 16, "256 nodes");
	make_random(16, 64, 0, 100);
	check_trace("hypercube:4", 4, "64 steps");
}

static void test_edges(void)
{
	begin_trace();
	add_row(1, 0, 1, 5, 5, 0);
	check_trace("ring:4", 1, "one row");
	begin_trace();
	add_row(1, 0, 1, 5210, 9370, 4020);
	check_trace("linear:2", 2, "the example of the header");
	begin_trace();
	for (int i = 0; i < 4; i++)
		add_row(1 + i % 2, i, (i + 1) % 4, 70, 70, 0);
	check_trace("ring:4", 2, "equal times");
	begin_trace();
	for (int i = 0; i < 3; i++)
		add_row(1, 0, 1, 10 * i, 40 + i, 5 + i);
	check_trace("ring:4", 2, "messages with the same ends");
	begin_trace();
	add_row(1, 0, 1, INT64_MAX - 1000, INT64_MAX - 300, 800);
	add_row(2, 1, 2, INT64_MAX - 300, INT64_MAX, 1000);
	check_trace("ring:4", 2, "times near 2^63");
	begin_trace();
	add_row(1, 0, 1, 0, 1, 0);
	add_row(1, 1, 2, 2, INT64_MAX, INT64_MAX);
	check_trace("ring:4", 2, "a wait of 2^63 ns");
	begin_trace();
	add_row(1, 0, 1, 12, -1, -1);
	check_trace("ring:4", 2, "not received");
	begin_trace();
	add_row(40, 2, 2, 10, 20, 5);
	check_trace("ring:4", 2, "a message to itself, in round 40");
}

/* ---- Real runs */

static void keep_record(void *context, const struct ls_record *record)
{
	(void)context;
	if (trace.n < ROWS)
		trace.row[trace.n++] = *record;
}

static int two_reductions(ls_node *me, void *unused)
{
	double in = 1, out;
	int failed = ls_allreduce(me, &in, &out, 1, LS_DOUBLE, LS_SUM);

	(void)unused;
	if (!failed)
		failed = ls_broadcast(me, &out, 1, LS_DOUBLE, 0);
	return failed;
}

static void test_runs(void)
{
	for (int kind = 0; kind < 4; kind++) {
		ls_topology *t = drawn_network("hypercube:4");
		const struct ls_machine_options options = { .size = sizeof options,
			.rounds = kind % 2 ? LS_FREE : LS_LOCKSTEP,
			.node_kind = kind / 2 ? LS_NODE_FIBER : LS_NODE_THREAD,
			.trace = keep_record,
			.trace_times = true };
		ls_machine *machine = NULL;

		begin_trace();
		CHECK(ls_machine_make(t, &options, &machine) == LS_OK
				&& ls_run(machine, two_reductions, NULL) == LS_OK && trace.n > 0,
			"no run");
		ls_machine_destroy(machine);
		ls_topology_destroy(t);
		check_trace("hypercube:4", 2, kind % 2 ? "free rounds" : "lockstep rounds");
	}
}

/* ---- Refusals */

static void check_refused(struct ls_drawing drawing, int status, const char *text)
{
	struct drawn_page page;

	CHECK(drawn_page_make(&drawing, &page) == status && strstr(page.why.text, text),
		"%s: '%s', expected '%s'", drawing.view ? drawing.view : "default", page.why.text, text);
	drawn_page_release(&page);
}

static void test_impossible_times(const ls_topology *t)
{
	static const int64_t times[][3] = { { 9, 5, 0 }, { 5, 9, 10 }, { 5, 9, -1 }, { -1, 9, 0 },
		{ 5, -1, 0 }, { -2, -1, -1 }, { 5, -2, -1 } };

	for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
		begin_trace();
		add_row(1, 0, 1, 1, 2, 1);
		add_row(3, 1, 2, times[i][0], times[i][1], times[i][2]);
		check_refused(drawing_of(t, NULL), LS_ERR_ARGUMENT, "round 3, 1 to 2: impossible times");
	}
}

/* Rounds and ranks out of range, in each view. */
static void test_impossible_rows(const ls_topology *t)
{
	static const struct {
		int64_t round, src, dst;
		const char *text;
	} rows[] = { { 2, 0, 8, "record 0: a message from 0 to 8; expected ranks from 0 to 7" },
		{ 1, -1, 2, "record 0: a message from -1 to 2; expected ranks from 0 to 7" },
		{ 1, INT64_MAX, INT64_MIN, "a message from 9223372036854775807 to -9" },
		{ 0, 0, 1, "record 0: the round is 0; expected 1 or more" } };
	struct ls_draw_info info = { .size = sizeof info };

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		begin_trace();
		add_row(rows[i].round, rows[i].src, rows[i].dst, 1, 2, 1);
		for (size_t v = 0; ls_draw_view_list(v, &info); v++)
			check_refused(drawing_of(t, info.name), LS_ERR_ARGUMENT, rows[i].text);
	}
}

static void test_refusals(void)
{
	ls_topology *t = drawn_network("ring:8"), *large = drawn_network("ring:257");
	struct ls_drawing drawing;

	test_impossible_times(t);
	test_impossible_rows(t);
	begin_trace();
	check_refused(drawing_of(t, "gantt"), LS_ERR_UNSUPPORTED,
		"the view gantt needs times, which LOCKSTEP_TRACE_TIMES=1 and run --times record; try "
		"--view ");
	for (int64_t i = 0; i < 2; i++)
		add_row(1 + i, 0, 1, -1, -1, -1);
	check_refused(drawing_of(t, "gantt"), LS_ERR_UNSUPPORTED, "the view gantt needs times");
	drawing = drawing_of(t, NULL);
	drawing.x_axis = LS_X_AXIS_TIME;
	check_refused(drawing, LS_ERR_ARGUMENT, "the messages have no times; record them with");
	begin_trace();
	for (int64_t i = 0; i < 65; i++)
		add_row(1 + i, 0, 1, i, i, 0);
	check_refused(drawing_of(t, "gantt"), LS_ERR_UNSUPPORTED, "; try --view ");
	check_refused(drawing_of(t, "timeline"), LS_ERR_UNSUPPORTED, "; try --view ");
	check_refused(drawing_of(large, "gantt"), LS_ERR_UNSUPPORTED, "; try --view ");
	ls_topology_destroy(t);
	ls_topology_destroy(large);
}

/* By rounds, or with times that were not set, the picture is that of messages without times. */
static void test_rounds(void)
{
	ls_topology *t = drawn_network("ring:8");
	struct drawn_page timed, plain, zero;
	struct ls_drawing drawing;

	make_random(8, 5, 100, 100);
	drawing = drawing_of(t, NULL);
	drawing.x_axis = LS_X_AXIS_ROUNDS;
	CHECK(drawn_page_make(&drawing, &timed) == LS_OK, "%s", timed.why.text);
	for (size_t i = 0; i < trace.n; i++)
		trace.row[i].sent_ns = trace.row[i].received_ns = trace.row[i].waited_ns = -1;
	drawing.x_axis = LS_X_AXIS_DEFAULT;
	CHECK(drawn_page_make(&drawing, &plain) == LS_OK, "%s", plain.why.text);
	for (size_t i = 0; i < trace.n; i++)
		trace.row[i].sent_ns = trace.row[i].received_ns = trace.row[i].waited_ns = 0;
	CHECK(drawn_page_make(&drawing, &zero) == LS_OK, "%s", zero.why.text);
	CHECK(strcmp(timed.svg.at, plain.svg.at) == 0 && strcmp(zero.svg.at, plain.svg.at) == 0,
		"other pictures by rounds");
	drawn_page_release(&timed);
	drawn_page_release(&plain);
	drawn_page_release(&zero);
	ls_topology_destroy(t);
}

int main(void)
{
	test_random();
	test_edges();
	test_runs();
	test_refusals();
	test_rounds();
	return test_result();
}
