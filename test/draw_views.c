/*
 * The views of lib/draw: each draws where it says that it does, and shows what the plan and the
 * network say.  The numbers are read from the SVG and compared with those that this test counts.
 */
/* variants: release checked asan */
#include <inttypes.h>
#include <string.h>

#include <lockstep.h>

#include "support/drawing.h"
#include "test.h"

/* ---- What the messages should be */

enum { MESSAGES = 1 << 16 };

struct list {
	size_t n;
	struct ls_record row[MESSAGES];
	bool drawn[MESSAGES];
};
static struct list expected;

static int keep(void *context, const struct ls_record *row)
{
	struct list *list = context;

	CHECK(list->n < MESSAGES, "too many messages for this test");
	list->row[list->n++] = *row;
	return 0;
}

static void expect_plan(const ls_plan *plan)
{
	memset(&expected, 0, sizeof expected);
	CHECK(ls_trace_plan(plan, 1, keep, &expected) == 0, "no trace");
}

/* Mark a message as drawn; it must exist, and not be marked yet. */
static void mark(const char *text, int64_t round, int64_t src, int64_t dst)
{
	for (size_t i = 0; i < expected.n; i++) {
		const struct ls_record *row = &expected.row[i];

		if (row->round == round && row->src == src && row->dst == dst) {
			CHECK(!expected.drawn[i], "%s: %" PRId64 " to %" PRId64 " twice", text, src, dst);
			expected.drawn[i] = true;
			return;
		}
	}
	CHECK(
		false, "%s: no message %" PRId64 " to %" PRId64 " in step %" PRId64, text, src, dst, round);
}

static void check_all_drawn(const char *text)
{
	size_t drawn = 0;

	for (size_t i = 0; i < expected.n; i++)
		drawn += expected.drawn[i];
	CHECK(drawn == expected.n, "%s: %zu of %zu messages", text, drawn, expected.n);
}

/* ---- Views */

/* Every message is one element with round, src and dst. */
static void check_messages(const struct picture *picture, const char *text)
{
	for (struct tag tag = { 0 }; next_tag(picture, &tag);) {
		const int64_t round = number_of(&tag, "data-round"), src = number_of(&tag, "data-src"),
					  dst = number_of(&tag, "data-dst");

		if (round < 0 || src < 0 || dst < 0)
			continue;
		CHECK(has_class(&tag, "message"), "%s: %.60s", text, tag.text);
		mark(text, round, src, dst);
	}
	check_all_drawn(text);
}

/* Every pixel of a step is a message.  A pixel is `unit` long. */
static void check_pixels(const struct picture *picture, double unit, const char *text)
{
	for (struct tag tag = { 0 }; next_tag(picture, &tag);) {
		const int64_t round = number_of(&tag, "data-round");
		struct rectangle r = { 0 };

		if (!has_class(&tag, "area") || round < 0)
			continue;
		for (const char *at = path_of(&tag); (at = next_rectangle(at, &r));)
			for (int64_t dst = (int64_t)(r.left / unit); (double)dst * unit < r.right - 0.01; dst++)
				mark(text, round, (int64_t)(r.top / unit), dst);
	}
	check_all_drawn(text);
}

/* A cell of a table of counts: in its row and column. */
static int64_t cell_at(const struct picture *picture, int64_t link, int64_t round)
{
	for (struct tag tag = { 0 }; next_tag(picture, &tag);) {
		if (has_class(&tag, "cell") && number_of(&tag, "data-link") == link
			&& number_of(&tag, "data-round") == round)
			return number_of(&tag, "data-count");
	}
	return 0;
}

/* The row of a link in a table; -1: none. */
static int64_t row_of(const struct picture *picture, int64_t src, int64_t dst)
{
	for (struct tag tag = { 0 }; next_tag(picture, &tag);) {
		if (has_class(&tag, "axis") && number_of(&tag, "data-src") == src
			&& number_of(&tag, "data-dst") == dst)
			return number_of(&tag, "data-link");
	}
	return -1;
}

struct loads {
	const struct picture *picture;
	const char *text;
	int64_t round;
	int64_t links, messages;
};

static int check_load(void *context, const struct ls_link_load *load)
{
	struct loads *loads = context;
	const int64_t row = row_of(loads->picture, load->from, load->to);

	CHECK(row >= 0, "%s: no row %" PRId64 " to %" PRId64, loads->text, load->from, load->to);
	CHECK(cell_at(loads->picture, row, loads->round) == load->messages,
		"%s: step %" PRId64 ", %" PRId64 " to %" PRId64, loads->text, loads->round, load->from,
		load->to);
	loads->links++;
	loads->messages += load->messages;
	return 0;
}

/* Each load is in the table, and the table has nothing else. */
static void check_loads(const struct picture *picture, const ls_plan *plan, const char *text)
{
	struct loads loads = { .picture = picture, .text = text };
	int64_t cells = 0, messages = 0;

	for (int64_t step = 0; step < ls_plan_steps(plan); step++) {
		loads.round = ls_plan_round(plan, step);
		CHECK(ls_plan_link_loads(plan, NULL, step, 1, check_load, &loads) == 0, "%s", text);
	}
	for (struct tag tag = { 0 }; next_tag(picture, &tag);) {
		if (has_class(&tag, "cell") && number_of(&tag, "data-count") > 0) {
			cells++;
			messages += number_of(&tag, "data-count");
		}
	}
	CHECK(cells == loads.links && messages == loads.messages, "%s: %" PRId64 " cells", text, cells);
}

/* ---- Table */

/* What a node does in a round: ">4", "<2" or "<>1", sorted by the round's messages. */
static void peers_of(int64_t node, int64_t round, char *text, size_t size)
{
	*text = '\0';
	for (size_t i = 0; i < expected.n; i++) {
		const struct ls_record *row = &expected.row[i];
		bool back = false;

		if (row->round != round || (row->src != node && row->dst != node))
			continue;
		for (size_t k = 0; k < expected.n; k++)
			back |= expected.row[k].round == round && expected.row[k].src == row->dst
				&& expected.row[k].dst == row->src;
		if (back && row->src > row->dst)
			continue;
		snprintf(text + strlen(text), size - strlen(text), "%s%s%" PRId64, *text ? " " : "",
			back                   ? "&lt;&gt;"
				: row->src == node ? "&gt;"
								   : "&lt;",
			row->src == node ? row->dst : row->src);
	}
}

static void check_table(const struct picture *picture, int64_t nodes, const char *text)
{
	int64_t cells = 0, rounds = 0;
	char peers[400];

	for (struct tag tag = { 0 }; next_tag(picture, &tag);) {
		const int64_t node = number_of(&tag, "data-node"), round = number_of(&tag, "data-round");

		if (!has_class(&tag, "contents") || node < 0 || round < 0)
			continue;
		peers_of(node, round, peers, sizeof peers);
		CHECK(text_is(&tag, peers), "%s: node %" PRId64 ", step %" PRId64 ": not %s", text, node,
			round, peers);
		cells++;
	}
	for (size_t i = 0; i < expected.n; i++)
		rounds = expected.row[i].round;
	for (int64_t round = 1; round <= rounds; round++) {
		for (int64_t node = 0; node < nodes; node++) {
			peers_of(node, round, peers, sizeof peers);
			cells -= *peers != '\0';
		}
	}
	CHECK(cells == 0, "%s: %" PRId64 " more cells than nodes with messages", text, cells);
}

/* ---- Exemplar */

/* The messages of a step over links with a number. */
static int64_t count_over(const ls_topology *t, int64_t number, int64_t round)
{
	int64_t messages = 0;

	for (size_t i = 0; i < expected.n; i++) {
		const struct ls_record *row = &expected.row[i];

		for (int64_t at = row->src; row->round == round && at != row->dst;) {
			const int64_t link = ls_first_hop(t, at, row->dst);

			messages += ls_link_label(t, link) == number;
			at = ls_neighbor(t, at, link);
		}
	}
	return messages;
}

/* The links between the nodes of two units. */
static int64_t links_between(const ls_topology *t, int64_t one, int64_t other, int64_t nodes)
{
	int64_t links = 0;

	for (int64_t v = one; v < one + nodes; v++)
		for (int64_t l = 0; l < ls_degree(t, v); l++) {
			const int64_t to = ls_neighbor(t, v, l);

			links += to >= other && to < other + nodes;
		}
	return links;
}

static void check_exemplar(
	const struct picture *picture, const ls_topology *t, int64_t nodes, const char *text)
{
	const int64_t rounds = expected.n ? expected.row[expected.n - 1].round : 0;
	int64_t links = 0, boxes = 0;

	for (int64_t l = 0; l < ls_topology_degree(t); l++) {
		const int64_t number = ls_link_label(t, l);

		for (int64_t round = 1; round <= rounds; round++)
			CHECK(cell_at(picture, number, round) == count_over(t, number, round),
				"%s: link %" PRId64 ", step %" PRId64, text, number, round);
	}
	for (struct tag tag = { 0 }; next_tag(picture, &tag);) {
		const int64_t first = number_of(&tag, "data-node");

		if (!has_class(&tag, "unit") || first < 0)
			continue;
		CHECK(number_of(&tag, "data-count") == links_between(t, 0, first, nodes),
			"%s: links to node %" PRId64 " and so on", text, first);
		boxes += number_of(&tag, "data-count");
	}
	for (int64_t v = nodes; v < ls_topology_nodes(t); v += nodes)
		links += links_between(t, 0, v, nodes);
	CHECK(boxes == links, "%s: %" PRId64 " of %" PRId64 " links in boxes", text, boxes, links);
}

/* ---- Cases */

static ls_topology *network(const char *spec)
{
	ls_topology *t = NULL;

	if (ls_topology_make(spec, &t, NULL) != LS_OK)
		exit(EXIT_FAILURE);
	return t;
}

static ls_plan *plan_of(const ls_topology *t, enum ls_operation operation, enum ls_mode mode)
{
	const struct ls_request request = {
		.size = sizeof request, .operation = operation, .topology = t, .mode = mode
	};
	ls_plan *plan = NULL;

	return ls_plan_make(&request, &plan, NULL) == LS_OK ? plan : NULL;
}

/* Draw one view of a plan, or of a network; the picture is well-formed, and the same again. */
static struct picture draw_view(const ls_topology *t, const ls_plan *plan, const char *view)
{
	const struct ls_drawing drawing = {
		.size = sizeof drawing, .topology = t, .plan = plan, .view = view, .mode = LS_ROUTED
	};
	struct picture picture;
	const int status = picture_make(&drawing, &picture);

	CHECK(status == LS_OK, "%s of %s: %s", view, ls_topology_spec(t), picture.why.text);
	CHECK(status != LS_OK || is_well_formed(&picture), "%s of %s", view, ls_topology_spec(t));
	return picture;
}

/* A view that does not fit is refused, and the message names one that fits. */
static void check_refusal(
	const ls_topology *t, const ls_plan *plan, const char *view, const struct ls_error *why)
{
	const char *other = strstr(why->text, "; try --view ");
	struct ls_error again;
	struct picture picture;
	struct ls_drawing drawing = { .size = sizeof drawing, .topology = t, .plan = plan };

	CHECK(strstr(why->text, view), "%s: %s", view, why->text);
	CHECK(other, "%s of %s: %s", view, ls_topology_spec(t), why->text);
	drawing.view = other ? other + strlen("; try --view ") : NULL;
	CHECK(picture_make(&drawing, &picture) == LS_OK, "%s", why->text);
	again = picture.why;
	(void)again;
	picture_release(&picture);
}

/* Each view either draws, or is refused with another one. */
static void check_views(const ls_topology *t, const ls_plan *plan)
{
	struct ls_draw_info info = { .size = sizeof info };

	for (size_t i = 0; ls_draw_view_list(i, &info); i++) {
		for (int theme = LS_THEME_COLOR; theme <= LS_THEME_DARK; theme++) {
			const struct ls_drawing drawing = { .size = sizeof drawing,
				.topology = t,
				.plan = plan,
				.view = info.name,
				.theme = (enum ls_theme)theme };
			struct picture picture;
			const int status = picture_make(&drawing, &picture);

			CHECK(status == LS_OK || status == LS_ERR_UNSUPPORTED, "%s of %s: %d %s", info.name,
				ls_topology_spec(t), status, picture.why.text);
			if (status == LS_ERR_UNSUPPORTED)
				check_refusal(t, plan, info.name, &picture.why);
			else
				CHECK(is_well_formed(&picture), "%s of %s", info.name, ls_topology_spec(t));
			picture_release(&picture);
		}
	}
}

static void check_grid(void)
{
	static const char *const specs[] = { "linear:1", "ring:2", "ring:8", "mesh:3x4", "torus:4x4",
		"hypercube:3", "star:4", "tree:8", "complete:5", "debruijn:3", "pancake:4", "bubblesort:3",
		"ring:3*star:3", "mct:2,2", "hypercube:7", "star:5" };

	for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
		ls_topology *t = network(specs[i]);

		check_views(t, NULL);
		for (int operation = 0; operation < LS_OPERATIONS; operation++) {
			for (int mode = LS_HOP; mode <= LS_ROUTED; mode++) {
				ls_plan *plan = plan_of(t, (enum ls_operation)operation, (enum ls_mode)mode);

				if (plan)
					check_views(t, plan);
				ls_plan_destroy(plan);
			}
		}
		ls_topology_destroy(t);
	}
}

/* ---- Contents of the views */

static bool has_repeats(void)
{
	for (size_t i = 0; i < expected.n; i++)
		for (size_t k = 0; k < i; k++)
			if (expected.row[i].src == expected.row[k].src
				&& expected.row[i].dst == expected.row[k].dst)
				return true;
	return false;
}

static void check_contents(const ls_topology *t, const ls_plan *plan, int64_t unit)
{
	const int64_t nodes = ls_topology_nodes(t);
	const char *text = ls_topology_spec(t);
	struct picture picture = draw_view(t, plan, "timeline");

	expect_plan(plan);
	check_messages(&picture, text);
	picture_release(&picture);

	picture = draw_view(t, plan, "table");
	check_table(&picture, nodes, text);
	picture_release(&picture);

	expect_plan(plan);
	picture = draw_view(t, plan, "matrix");
	if (nodes <= 32)
		check_messages(&picture, text);
	else
		check_pixels(&picture, has_repeats() ? 100 : 1, text);
	picture_release(&picture);

	if (ls_topology_links(t) <= 128) {
		picture = draw_view(t, plan, "load");
		check_loads(&picture, plan, text);
		picture_release(&picture);
	}
	if (unit > 0) {
		picture = draw_view(t, plan, "exemplar");
		check_exemplar(&picture, t, unit, text);
		picture_release(&picture);
	}
}

static void check_plans(void)
{
	static const struct {
		const char *spec;
		enum ls_operation operation;
		enum ls_mode mode;
		int64_t unit; /* nodes of it; 0: none */
	} cases[] = {
		{ "ring:8", LS_ALLGATHER, LS_HOP, 0 },
		{ "ring:16", LS_ALLTOALL, LS_ROUTED, 0 },
		{ "linear:9", LS_BROADCAST, LS_ROUTED, 0 },
		{ "mesh:4x4", LS_BROADCAST, LS_HOP, 4 },
		{ "torus:3x5", LS_ALLTOALL, LS_ROUTED, 5 },
		{ "hypercube:4", LS_ALLREDUCE, LS_HOP, 8 },
		{ "hypercube:6", LS_ALLGATHER, LS_HOP, 16 },
		{ "star:4", LS_ALLREDUCE, LS_HOP, 6 },
		{ "pancake:4", LS_BROADCAST, LS_HOP, 6 },
		{ "mesh:6x7", LS_ALLREDUCE, LS_HOP, 7 },
		{ "ring:3*star:3", LS_BROADCAST, LS_HOP, 6 },
		{ "tree:8", LS_ALLTOALL, LS_ROUTED, 0 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		ls_topology *t = network(cases[i].spec);
		ls_plan *plan = plan_of(t, cases[i].operation, cases[i].mode);

		CHECK(plan, "no plan on %s", cases[i].spec);
		if (plan)
			check_contents(t, plan, cases[i].unit);
		ls_plan_destroy(plan);
		ls_topology_destroy(t);
	}
}

/* ---- Numbers of links */

/* Each number in the picture is that of its link, and those of a small network are all there. */
static void check_link_numbers(const char *spec, int64_t numbers)
{
	ls_topology *t = network(spec);
	struct picture picture = draw_view(t, NULL, "network");

	for (struct tag tag = { 0 }; next_tag(&picture, &tag);) {
		const int64_t number = number_of(&tag, "data-link"), src = number_of(&tag, "data-src"),
					  dst = number_of(&tag, "data-dst");

		if (number < 0)
			continue;
		CHECK(number == ls_link_label(t, ls_link_to(t, src, dst)), "%s: %" PRId64 " to %" PRId64,
			spec, src, dst);
		numbers--;
	}
	CHECK(numbers == 0, "%s: %" PRId64 " numbers are missing", spec, numbers);
	picture_release(&picture);
	ls_topology_destroy(t);
}

/* ---- Limits */

static void check_default(const char *spec, int operation, const char *view)
{
	ls_topology *t = network(spec);
	ls_plan *plan = operation < 0 ? NULL : plan_of(t, (enum ls_operation)operation, LS_HOP);
	const struct ls_drawing drawing = { .size = sizeof drawing, .topology = t, .plan = plan };
	struct picture picture, same = draw_view(t, plan, view);

	CHECK(picture_make(&drawing, &picture) == LS_OK, "%s: %s", spec, picture.why.text);
	CHECK(picture.length == same.length && !strcmp(picture.text, same.text),
		"the default view of %s is not %s", spec, view);
	picture_release(&picture);
	picture_release(&same);
	ls_plan_destroy(plan);
	ls_topology_destroy(t);
}

static void check_limit(const char *spec, int operation, const char *view, const char *other)
{
	ls_topology *t = network(spec);
	ls_plan *plan = operation < 0 ? NULL : plan_of(t, (enum ls_operation)operation, LS_HOP);
	const struct ls_drawing drawing = {
		.size = sizeof drawing, .topology = t, .plan = plan, .view = view
	};
	struct picture picture;

	CHECK(picture_make(&drawing, &picture) == LS_ERR_UNSUPPORTED, "%s of %s", view, spec);
	CHECK(strstr(picture.why.text, other), "%s of %s: %s", view, spec, picture.why.text);
	picture_release(&picture);
	ls_plan_destroy(plan);
	ls_topology_destroy(t);
}

static void check_choices(void)
{
	check_default("hypercube:4", -1, "network");
	check_default("hypercube:12", -1, "exemplar");
	check_default("complete:400", -1, "matrix");
	check_default("hypercube:3", LS_BROADCAST, "all");
	check_default("hypercube:5", LS_ALLREDUCE, "panels");
	check_default("ring:33", LS_BROADCAST, "timeline");
	check_default("hypercube:8", LS_BROADCAST, "timeline");
	check_default("hypercube:9", LS_BROADCAST, "exemplar");
	check_default("star:6", LS_ALLREDUCE, "exemplar");
	check_default("debruijn:9", LS_BROADCAST, "matrix");
	check_limit("hypercube:9", LS_BROADCAST, "timeline", "--view exemplar");
	check_limit("ring:200", LS_BROADCAST, "timeline", "--view matrix");
	check_limit("hypercube:10", LS_BROADCAST, "table", "--view exemplar");
	check_limit("ring:8", -1, "load", "--view network");
	check_limit("ring:8", LS_BROADCAST, "exemplar", "--view all");
	check_limit("hypercube:20", -1, "matrix", "--view exemplar");
}

int main(void)
{
	check_plans();
	check_link_numbers("hypercube:3", 12);
	check_link_numbers("star:3", 6);
	check_link_numbers("ring:5", 10);
	check_choices();
	check_grid();
	return test_result();
}
