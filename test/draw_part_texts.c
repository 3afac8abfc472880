/*
 * Texts of pictures that depend on what has room: the units that are linked to a unit, the steps of
 * a unit that are drawn, the messages of a node to several others outside a part, no labels.  Also
 * the network that is too large for every view, and the writer of long texts.
 */
/* variants: release checked asan */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <lockstep.h>

#include "draw/draw_format.h"
#include "draw/text_form.h"
#include "support/cells.h"
#include "support/guard.h"
#include "support/svg_tags.h"
#include "test.h"

static int64_t count_texts(const struct drawn_page *page, const char *text)
{
	struct tag tag = { NULL };
	int64_t n = 0;

	while (next_tag(page, &tag))
		n += text_is(&tag, text);
	return n;
}

static void expect_text(const struct ls_drawing *drawing, const char *text, int64_t n)
{
	struct drawn_page page;

	guard("%s of %s, focus %s", drawing->view, ls_topology_spec(drawing->topology),
		drawing->focus ? drawing->focus : "none");
	CHECK(drawn_page_make(drawing, &page) == LS_OK && count_texts(&page, text) == n,
		"%s: %" PRId64 " times '%s': %s", guarded(), page.svg.at ? count_texts(&page, text) : -1,
		text, page.why.text);
	drawn_page_release(&page);
}

/* ---- Units */

enum { BOXES = 48 };

/* The units, of consecutive nodes, that have links to the first. */
static int64_t linked_units(const ls_topology *t, int64_t nodes)
{
	bool *seen = calloc((size_t)(ls_topology_nodes(t) / nodes), sizeof *seen);
	int64_t n = 0;

	for (int64_t v = 0; v < nodes; v++) {
		for (int64_t l = 0; l < ls_degree(t, v); l++) {
			const int64_t unit = ls_neighbor(t, v, l) / nodes;

			n += unit > 0 && !seen[unit];
			seen[unit] = true;
		}
	}
	free(seen);
	return n;
}

static void test_many_units(const char *spec, int64_t nodes)
{
	ls_topology *t = drawn_network(spec);
	const struct ls_drawing drawing = { .size = sizeof drawing, .topology = t, .view = "exemplar" };
	const int64_t hidden = linked_units(t, nodes) - BOXES;
	char text[80];

	CHECK(hidden > 0, "%s: all have a box", spec);
	snprintf(text, sizeof text, "%" PRId64 " further units are linked to this one", hidden);
	expect_text(&drawing, text, 1);
	ls_topology_destroy(t);
}

/* A name of up to 24 letters is beside the number of a unit; a longer one has no room. */
static void test_long_names(void)
{
	static const struct {
		const char *spec, *text;
	} cases[] = { { "hypercube:24", "unit 1: 00000000000000000001xxxx" },
		{ "hypercube:25", "unit 1" } };

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		ls_topology *t = drawn_network(cases[i].spec);
		const struct ls_drawing drawing = {
			.size = sizeof drawing, .topology = t, .view = "exemplar"
		};

		expect_text(&drawing, cases[i].text, 1);
		ls_topology_destroy(t);
	}
}

/* ---- Steps */

enum { UNIT = 16, ROUNDS = 1 << 12, DRAWN = 12 };

static bool is_inside[ROUNDS]; /* the round has a message between nodes of the unit */

static int note_inside(void *context, const struct ls_record *m)
{
	(void)context;
	is_inside[m->round] |= m->src < UNIT && m->dst < UNIT;
	return m->round >= ROUNDS;
}

/* Of the steps with messages inside the unit, the first ones are drawn. */
static void test_steps(void)
{
	ls_topology *t = drawn_network("hypercube:6");
	const struct ls_request request = {
		.size = sizeof request, .topology = t, .operation = LS_ALLTOALL, .algorithm = "parcels"
	};
	ls_plan *plan = plan_for(&request);
	const struct ls_drawing drawing = {
		.size = sizeof drawing, .topology = t, .plan = plan, .view = "exemplar"
	};
	char text[80];
	struct text svg;
	int steps = 0;

	CHECK(ls_trace_plan(plan, 1, note_inside, NULL) == LS_OK, "too many rounds");
	for (int k = 0; k < ROUNDS; k++)
		steps += is_inside[k];
	snprintf(text, sizeof text, "Of %d steps with messages inside it, %d are drawn.", steps, DRAWN);
	CHECK(drawn_text(&drawing, "svg", &svg) == LS_OK && strstr(svg.at, text), "no '%s'", text);
	free(svg.at);
	ls_plan_destroy(plan);
	ls_topology_destroy(t);
}

/* ---- Messages out of a part */

/* Beside messages to nodes outside the part are their ranks, or the first ones. */
static void test_stubs(void)
{
	static const struct ls_record rows[] = { { .round = 1, .src = 0, .dst = 2 },
		{ .round = 1, .src = 0, .dst = 3 }, { .round = 1, .src = 0, .dst = 4 } };
	static const char *const texts[] = { "2", "2, 3", "2, .." };
	ls_topology *t = drawn_network("complete:5");

	for (size_t n = 1; n <= 3; n++) {
		const struct ls_drawing drawing = { .size = sizeof drawing,
			.topology = t,
			.records = rows,
			.n_records = n,
			.view = "timeline",
			.focus = "0-1" };

		for (size_t i = 0; i < 3; i++)
			expect_text(&drawing, texts[i], n == i + 1);
	}
	ls_topology_destroy(t);
}

/* ---- No labels */

static void test_no_labels(void)
{
	static const struct ls_record rows[] = {
		{ .round = 1, .src = 0, .dst = 3, .sent_ns = 10, .received_ns = 20, .waited_ns = 5 }
	};
	ls_topology *t = drawn_network("complete:4");

	for (int labels = 0; labels < 2; labels++) {
		const struct ls_drawing drawing = { .size = sizeof drawing,
			.topology = t,
			.records = rows,
			.n_records = 1,
			.view = "gantt",
			.labels = labels ? LS_LABELS_RANK : LS_LABELS_NONE };

		expect_text(&drawing, "3", labels);
	}
	ls_topology_destroy(t);
}

/* ---- Too large */

static void test_no_view(void)
{
	static const char text[] =
		"no view can draw debruijn:24; draw fewer rounds, or a smaller network";
	ls_topology *t = drawn_network("debruijn:24");
	const struct ls_drawing drawing = { .size = sizeof drawing, .topology = t };
	struct drawn_page page;

	CHECK(drawn_page_make(&drawing, &page) == LS_ERR_UNSUPPORTED && !strcmp(page.why.text, text),
		"debruijn:24: %s", page.why.text);
	drawn_page_release(&page);
	ls_topology_destroy(t);
}

/* ---- Writing */

enum { LONGEST = 2000 };

static char written[LONGEST + 1];

static int keep(void *context, const char *text)
{
	(void)context;
	snprintf(written, sizeof written, "%s", text);
	return 0;
}

/* A piece of text is written whole, with or without room in the buffer of the writer. */
static void test_writer(void)
{
	static const size_t lengths[] = { 0, 1, 510, 511, 512, 513, LONGEST };
	char text[LONGEST + 1];

	for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
		struct lsi_writer w = { .put = keep };

		for (size_t k = 0; k < lengths[i]; k++)
			text[k] = (char)('a' + k % 26);
		text[lengths[i]] = '\0';
		lsi_write(&w, "%s", text);
		CHECK(w.failed == LS_OK && strcmp(written, text) == 0, "%zu characters", lengths[i]);
	}
}

static void test_forms(void)
{
	static const struct {
		const char *text, *form;
		int numbers;
	} cases[] = { { "OUTPUT[0..31]", "OUTPUT[#..#]", 2 }, { "a", "a", 0 }, { "007", "007", 0 },
		{ "no. #7", NULL, 0 } };

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char form[32] = "";

		CHECK(lsi_text_form(cases[i].text, form, NULL) == cases[i].numbers
				&& (!cases[i].form || strcmp(form, cases[i].form) == 0),
			"%s: %s", cases[i].text, form);
	}
}

int main(void)
{
	test_many_units("pancake:8", 24);
	test_steps();
	test_long_names();
	test_stubs();
	test_no_labels();
	test_no_view();
	test_writer();
	test_forms();
	return test_result();
}
