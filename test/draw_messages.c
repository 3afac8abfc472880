/*
 * The views timeline and matrix show each message exactly once, and nothing else.
 */
/* variants: release checked asan */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <lockstep.h>

#include "support/drawn_messages.h"
#include "support/svg_picture.h"
#include "test.h"

/* Every message is one element with round, src and dst. */
static void check_messages(const struct drawn_page *picture, const char *text)
{
	for (struct tag tag = { 0 }; next_tag(picture, &tag);) {
		const int64_t round = number_of(&tag, "data-round"), src = number_of(&tag, "data-src"),
					  dst = number_of(&tag, "data-dst");

		if (round < 0 || src < 0 || dst < 0)
			continue;
		CHECK(has_class(&tag, "message"), "%s: an element %s", text, tag.element->name);
		see_message(round, src, dst);
	}
	check_seen(text);
}

/* Messages from one node to another share a pixel, the first on the left. */
static double place_in_pixel(int64_t round, int64_t src, int64_t dst)
{
	int before = 0, all = 0;

	for (size_t i = 0; i < expected.n; i++) {
		const struct ls_record *row = &expected.row[i];

		all += row->src == src && row->dst == dst;
		before += row->src == src && row->dst == dst && row->round < round;
	}
	return all ? (double)before / all : 0;
}

/* Every pixel of a step is a message.  A pixel is `unit` long. */
static void check_pixels(const struct drawn_page *picture, double unit, const char *text)
{
	for (struct tag tag = { 0 }; next_tag(picture, &tag);) {
		const int64_t round = number_of(&tag, "data-round");
		struct rectangle r = { 0 };

		if (!has_class(&tag, "area") || round < 0)
			continue;
		for (const char *at = path_of(&tag); (at = next_rectangle(at, &r));) {
			const int64_t src = (int64_t)(r.top / unit + 0.01);

			for (int64_t dst = (int64_t)(r.left / unit + 0.001); (double)dst * unit < r.right - 0.2;
				 dst++) {
				const double left = fmax(r.left, (double)dst * unit);
				const double place = (double)dst + place_in_pixel(round, src, dst);

				see_message(round, src, dst);
				CHECK(fabs(left - place * unit) < 0.2, "%s: %g instead of %g", text, left / unit,
					place);
			}
		}
	}
	check_seen(text);
}

/* The frame, in px, is as large as the scaled marks of all nodes. */
static void check_scale(const struct drawn_page *picture, double unit, const char *text)
{
	const char *scale = NULL;
	double nodes = 0, side = 0;

	for (struct tag tag = { 0 }; next_tag(picture, &tag);) {
		if (has_class(&tag, "frame")) {
			nodes = (double)number_of(&tag, "data-count");
			next_tag(picture, &tag);
			side = strtod(attribute_of(&tag, "width"), NULL);
		} else if (has_class(&tag, "matrix")) {
			scale = strstr(attribute_of(&tag, "transform"), "scale(");
		}
	}
	CHECK(scale && fabs(strtod(scale + strlen("scale("), NULL) * unit * nodes - side) < 0.1,
		"%s: %g nodes on %g px, %.12s", text, nodes, side, scale ? scale : "no scale");
}

static bool has_repeats(void)
{
	for (size_t i = 0; i < expected.n; i++)
		for (size_t k = 0; k < i; k++)
			if (expected.row[i].src == expected.row[k].src
				&& expected.row[i].dst == expected.row[k].dst)
				return true;
	return false;
}

static void check_view(const struct ls_drawing *drawing, const char *view)
{
	const int64_t nodes = ls_topology_nodes(drawing->topology);
	const double unit = has_repeats() ? 100 : 1;
	struct ls_drawing one = *drawing;
	struct drawn_page picture;
	const char *text = ls_topology_spec(drawing->topology);

	one.view = view;
	CHECK(drawn_page_make(&one, &picture) == LS_OK, "%s: %s", text, picture.why.text);
	if (nodes <= 32 || !strcmp(view, "timeline")) {
		check_messages(&picture, text);
	} else {
		check_pixels(&picture, unit, text);
		check_scale(&picture, unit, text);
	}
	drawn_page_release(&picture);
}

static void check_views(const struct ls_drawing *drawing)
{
	check_view(drawing, "timeline");
	check_view(drawing, "matrix");
}

/* A node sends to each of the next eight, with this probability. */
static void check_random(const char *spec, int64_t rounds, unsigned percent)
{
	ls_topology *t = drawn_network(spec);
	const int64_t nodes = ls_topology_nodes(t);
	struct ls_drawing drawing = { .size = sizeof drawing, .topology = t, .records = expected.row };
	unsigned state = 1;

	expected.n = 0;
	for (int64_t round = 1; round <= rounds; round++) {
		for (int64_t i = 0; i < 8 * nodes; i++) {
			state = state * 1103515245 + 12345;
			if (state / 65536 % 100 < percent)
				expected.row[expected.n++] = (struct ls_record){
					.round = round, .src = i / 8, .dst = (i / 8 + i % 8 + 1) % nodes, .words = 1
				};
		}
	}
	sort_messages(expected.row, expected.n);
	drawing.n_records = expected.n;
	check_views(&drawing);
	ls_topology_destroy(t);
}

static void check_plan(const char *spec, enum ls_operation operation, enum ls_mode mode)
{
	ls_topology *t = drawn_network(spec);
	ls_plan *plan = drawn_plan(t, operation, mode);

	CHECK(plan, "no plan on %s", spec);
	expect_plan(plan);
	check_views(
		&(struct ls_drawing){ .size = sizeof(struct ls_drawing), .topology = t, .plan = plan });
	ls_plan_destroy(plan);
	ls_topology_destroy(t);
}

/* Thousands of messages that share cells: a pixel tells how many, at least data-count. */
static void check_counts(const char *spec, enum ls_operation operation)
{
	ls_topology *t = drawn_network(spec);
	ls_plan *plan = drawn_plan(t, operation, LS_HOP);
	const int64_t nodes = ls_topology_nodes(t);
	int64_t *left = calloc((size_t)(nodes * nodes), sizeof *left);
	struct drawn_page picture = draw_view(t, plan, "matrix");
	size_t seen_messages = 0;

	expect_plan(plan);
	for (size_t i = 0; left && i < expected.n; i++)
		left[expected.row[i].src * nodes + expected.row[i].dst]++;
	for (struct tag tag = { 0 }; left && next_tag(&picture, &tag);) {
		const int64_t least = number_of(&tag, "data-count");
		struct rectangle r = { 0 };

		if (!has_class(&tag, "area") || least < 0)
			continue;
		for (const char *at = path_of(&tag); (at = next_rectangle(at, &r));) {
			for (int64_t dst = (int64_t)r.left; (double)dst < r.right; dst++) {
				int64_t *count = &left[(int64_t)r.top * nodes + dst];

				CHECK(*count >= least && *count < 2 * least,
					"%s: %" PRId64 " messages to %" PRId64 ", %" PRId64 " or more in the picture",
					spec, *count, dst, least);
				seen_messages += (size_t)*count;
				*count = 0;
			}
		}
	}
	CHECK(seen_messages == expected.n, "%s: %zu messages, expected %zu", spec, seen_messages,
		expected.n);
	check_scale(&picture, 1, spec);
	expected.n = 0;
	free(left);
	drawn_page_release(&picture);
	ls_plan_destroy(plan);
	ls_topology_destroy(t);
}

/* A network without messages: every link is a pixel. */
static void check_links(const char *spec)
{
	ls_topology *t = drawn_network(spec);
	struct drawn_page picture = draw_view(t, NULL, "matrix");
	int64_t links = 0;

	for (struct tag tag = { 0 }; next_tag(&picture, &tag);) {
		struct rectangle r = { 0 };

		if (!has_class(&tag, "area"))
			continue;
		for (const char *at = path_of(&tag); (at = next_rectangle(at, &r));) {
			for (int64_t dst = (int64_t)r.left; (double)dst < r.right; dst++, links++)
				CHECK(ls_link_to(t, (int64_t)r.top, dst) >= 0, "%s: %g to %" PRId64, spec, r.top,
					dst);
		}
	}
	CHECK(links == 2 * ls_topology_links(t), "%s: %" PRId64 " links", spec, links);
	check_scale(&picture, 1, spec);
	drawn_page_release(&picture);
	ls_topology_destroy(t);
}

/*
 * TikZ: a mark is a rectangle in cm before the scale of its part, where a cell is 1 px.  All lie on
 * the borders of cells.
 */
static void check_tikz_cells(const char *spec)
{
	ls_topology *t = drawn_network(spec);
	const struct ls_drawing drawing = { .size = sizeof drawing, .topology = t, .view = "matrix" };
	const double px = 2.54 / 96;
	struct text tikz = { 0 };
	const char *at, *end;
	double x, y;

	CHECK(ls_draw(&drawing, "tikz", text_append, &tikz, NULL) == LS_OK, "%s", spec);
	at = strstr(tikz.at, "\\path[draw=none");
	CHECK(at, "%s: no marks", spec);
	end = at ? strchr(at, ';') : NULL;
	while (at && (at = strchr(at + 1, '(')) && at < end)
		CHECK(sscanf(at, "(%lf,%lf)", &x, &y) == 2 && fabs(x / px - round(x / px)) < 0.01
				&& fabs(y / px - round(y / px)) < 0.01,
			"%s: %.20s is no corner of a cell", spec, at);
	free(tikz.at);
	ls_topology_destroy(t);
}

int main(void)
{
	check_plan("ring:8", LS_ALLGATHER, LS_HOP);
	check_plan("ring:16", LS_ALLTOALL, LS_ROUTED);
	check_plan("star:4", LS_ALLREDUCE, LS_HOP);
	check_plan("hypercube:6", LS_ALLGATHER, LS_HOP);
	check_plan("mesh:6x7", LS_ALLREDUCE, LS_HOP);
	check_plan("ring:40", LS_ALLTOALL, LS_ROUTED);
	check_random("complete:20", 5, 40);
	check_random("complete:50", 1, 50);
	check_random("torus:10x10", 6, 60);
	check_counts("ring:200", LS_ALLGATHER);
	check_links("hypercube:7");
	check_links("complete:60");
	check_links("mct:3,3");
	check_tikz_cells("hypercube:9");
	return test_result();
}
