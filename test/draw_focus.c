/*
 * Pictures of a part of a network: the messages are exactly those of the plan with an end in the
 * focus, in each view that shows messages and in each format; the geometry is that of other
 * pictures.  On a unit, and on a random set of nodes, of each example network.
 */
/* variants: release checked asan */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <lockstep.h>

#include "support/cells.h"
#include "support/guard.h"
#include "support/picture_lint.h"
#include "support/picture_lines.h"
#include "support/svg_tags.h"
#include "test.h"
#include "topology/topology_internal.h"
#include "topology_specs.h"

enum { NODES = 1024, MESSAGES = 1 << 15, FOCUS_MOST = 24, CELLS = 31, TEXT = 400 };

static struct {
	long long drawn, refused;
} counts;

/* ---- Messages */

struct selection {
	bool has[NODES];
	int64_t n;
	char text[TEXT];
	bool is_unit; /* or the first half of a network without units */
};

static struct {
	struct ls_record record[MESSAGES];
	size_t n;
	const struct selection *selection;
	int64_t first, last;
} want;

static int keep(void *unused, const struct ls_record *m)
{
	(void)unused;
	if ((want.selection->has[m->src] || want.selection->has[m->dst]) && m->round >= want.first
		&& m->round <= want.last && want.n < MESSAGES)
		want.record[want.n++] = *m;
	return 0;
}

static void expect(const ls_plan *plan, const struct ls_drawing *d, const struct selection *s)
{
	want.selection = s;
	want.first = d->first_round;
	want.last = d->last_round ? d->last_round : INT64_MAX;
	want.n = 0;
	ls_trace_plan(plan, 1, keep, NULL);
	sort_messages(want.record, want.n);
}

static void test_messages(const struct ls_record *got, size_t n, const char *format)
{
	CHECK(n == want.n, "%s: %s: %zu messages, expected %zu", guarded(), format, n, want.n);
	for (size_t i = 0; i < n && i < want.n; i++)
		CHECK(got[i].round == want.record[i].round && got[i].src == want.record[i].src
				&& got[i].dst == want.record[i].dst,
			"%s: %s: message %lld -> %lld of round %lld", guarded(), format, (long long)got[i].src,
			(long long)got[i].dst, (long long)got[i].round);
}

static void test_lines(
	const struct ls_drawing *drawing, const char *format, message_reader *read_message)
{
	static struct ls_record got[MESSAGES + 2];
	struct text text;

	if (drawn_text(drawing, format, &text) == LS_OK)
		test_messages(got, read_messages(text.at, read_message, got, MESSAGES), format);
	free(text.at);
}

/* Every node of the focus is in each panel, and no other. */
static void test_nodes(const struct picture *p, const struct selection *s)
{
	int64_t found = 0;

	for (size_t i = 0; i < p->nodes; i++) {
		if (p->node[i].part != p->node[0].part)
			continue;
		found += p->node[i].node < NODES && s->has[p->node[i].node];
		CHECK(s->has[p->node[i].node] || p->node[i].radius < 15, "%s: node %lld", guarded(),
			(long long)p->node[i].node);
	}
	CHECK(found == s->n, "%s: %lld nodes, expected %lld", guarded(), (long long)found,
		(long long)s->n);
}

/* The network with arrows.  The stubs of nodes that lie anywhere in it may cross other nodes. */
static void test_picture(const struct ls_drawing *drawing, const struct selection *s)
{
	struct picture picture;
	struct text svg;

	if (drawn_text(drawing, "svg", &svg) != LS_OK) {
		counts.refused++;
		return;
	}
	counts.drawn++;

	const bool right = picture_read(svg.at, &picture);

	CHECK(right, "%s: %s", guarded(), picture.why);
	if (right) {
		test_messages(picture.message, picture.messages, "svg");
		test_nodes(&picture, s);
		if (s->is_unit)
			lint_picture(&picture);
	}
	picture_release(&picture);
	free(svg.at);
	test_lines(drawing, "tikz", read_tikz_message);
	if (want.n > 0)
		test_lines(drawing, "dot", read_dot_message);
}

/* The elements with round, src and dst of any other view. */
static void test_elements(const struct ls_drawing *drawing)
{
	static struct ls_record got[MESSAGES];
	struct drawn_page page;
	size_t n = 0;

	if (drawn_page_make(drawing, &page) != LS_OK) {
		CHECK(page.why.kind == LS_ERR_UNSUPPORTED, "%s: %s", guarded(), page.why.text);
		counts.refused++;
	} else {
		for (struct tag tag = { 0 }; next_tag(&page, &tag);) {
			const struct ls_record m = { .round = number_of(&tag, "data-round"),
				.src = number_of(&tag, "data-src"),
				.dst = number_of(&tag, "data-dst") };

			if (m.round >= 0 && m.src >= 0 && m.dst >= 0 && n < MESSAGES)
				got[n++] = m;
		}

		sort_messages(got, n);
		test_messages(got, n, drawing->view);
		counts.drawn++;
	}
	drawn_page_release(&page);
}

/* They are drawn, or refused with a reason. */
static void test_others(const struct ls_drawing *drawing)
{
	static const char *const views[] = { "load", "table", "exemplar" };
	struct ls_drawing one = *drawing;
	struct drawn_page page;
	struct text text;

	for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
		one.view = views[i];
		CHECK(drawn_page_make(&one, &page) == LS_OK || page.why.kind == LS_ERR_UNSUPPORTED,
			"%s: %s", guarded(), page.why.text);

		drawn_page_release(&page);
	}
	one.view = NULL;
	CHECK(drawn_text(&one, "html", &text) == LS_OK, "%s: no page", guarded());
	free(text.at);
}

/* ---- Selections */

static uint64_t state = 5;

static struct selection random_nodes(const ls_topology *t)
{
	const int64_t nodes = ls_topology_nodes(t), n = 1 + random_below(&state, FOCUS_MOST);
	struct selection s = { .n = 0 };

	for (int64_t i = 0; i < n; i++) {
		const int64_t node = random_below(&state, nodes);
		const size_t length = strlen(s.text);

		snprintf(s.text + length, sizeof s.text - length, "%s%lld", i ? "," : "", (long long)node);
		s.n += !s.has[node];
		s.has[node] = true;
	}
	return s;
}

/* A unit as a range; without units, the first half. */
static struct selection unit_of(const ls_topology *t)
{
	ls_topology *unit = NULL;
	struct selection s = { .n = (ls_topology_nodes(t) + 1) / 2, .is_unit = true };
	int64_t first = 0;

	if (lsi_topology_has_units(t) && lsi_topology_unit(t, &unit, NULL) == LS_OK) {
		s.n = ls_topology_nodes(unit);
		first = s.n * random_below(&state, ls_topology_nodes(t) / s.n);
	}
	for (int64_t i = 0; i < s.n; i++)
		s.has[first + i] = true;
	snprintf(s.text, sizeof s.text, "%lld-%lld", (long long)first, (long long)(first + s.n - 1));
	ls_topology_destroy(unit);
	return s;
}

static void test_selection(const ls_topology *t, const ls_plan *plan, const struct selection *s)
{
	static const char *const pictures[] = { "all", "panels", "step" };
	struct ls_drawing d = { .size = sizeof d,
		.topology = t,
		.plan = plan,
		.mode = ls_topology_vertices(t) > ls_topology_nodes(t) ? LS_ROUTED : LS_HOP,
		.focus = s->text };
	const int64_t rounds = ls_plan_rounds(plan);

	guard("%s, %s, focus %s", ls_topology_spec(t), ls_plan_algorithm(plan), s->text);
	for (size_t i = 0; i < sizeof pictures / sizeof *pictures; i++) {
		d.view = pictures[i];
		d.first_round = d.last_round = i == 2 && rounds > 0 ? 1 + random_below(&state, rounds) : 0;
		expect(plan, &d, s);
		test_picture(&d, s);
	}
	d.first_round = d.last_round = 0;
	expect(plan, &d, s);
	d.view = "timeline";
	test_elements(&d);
	d.view = "matrix";
	if (s->n <= CELLS && rounds > 0)
		test_elements(&d);
	if (rounds > 0)
		test_others(&d);
	d.plan = NULL;
	d.view = "network";
	want.n = 0;
	test_picture(&d, s);
}

static void test_network(const ls_topology *t)
{
	static const enum ls_operation operations[] = { LS_BROADCAST, LS_ALLREDUCE, LS_ALLTOALL };
	static int networks;
	const int every = is_fast() && is_thin() ? 12 : is_fast() || is_thin() ? 4 : 1;
	const int64_t nodes = ls_topology_nodes(t);

	if (nodes > NODES || nodes < 2 || networks++ % every != 0)
		return;
	for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
		struct ls_request request = {
			.size = sizeof request, .topology = t, .operation = operations[i]
		};
		const struct selection unit = unit_of(t), random = random_nodes(t);
		ls_plan *plan = NULL;

		if (nodes > 64 && operations[i] == LS_ALLTOALL)
			continue;
		if (ls_plan_make(&request, &plan, NULL) == LS_ERR_UNSUPPORTED) {
			request.mode = LS_ROUTED;
			if (ls_plan_make(&request, &plan, NULL) != LS_OK)
				continue;
		}
		if (unit.n <= 128)
			test_selection(t, plan, &unit);
		test_selection(t, plan, &random);
		ls_plan_destroy(plan);
	}
}

int main(void)
{
	visit_examples(test_network);
	CHECK(counts.drawn > 0 && counts.refused > 0, "drawn %lld, refused %lld", counts.drawn,
		counts.refused);
	printf("%lld pictures, %lld refused\n", counts.drawn, counts.refused);
	return test_result();
}
