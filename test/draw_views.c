/*
 * The views show what the plan and the network say: messages, loads and links are read from the SVG
 * and compared with those that this test counts.
 */
/* variants: release checked asan */
#include <inttypes.h>
#include <string.h>

#include <lockstep.h>

#include "support/drawn_messages.h"
#include "support/svg_tags.h"
#include "test.h"

/* A cell of a table of counts: in its row and column. */
static int64_t cell_at(const struct drawn_page *picture, int64_t link, int64_t round)
{
	for (struct tag tag = { 0 }; next_tag(picture, &tag);) {
		if (has_class(&tag, "cell") && number_of(&tag, "data-link") == link
			&& number_of(&tag, "data-round") == round)
			return number_of(&tag, "data-count");
	}
	return 0;
}

/* The row of a link in a table; -1: none. */
static int64_t row_of(const struct drawn_page *picture, int64_t src, int64_t dst)
{
	for (struct tag tag = { 0 }; next_tag(picture, &tag);) {
		if (has_class(&tag, "axis") && number_of(&tag, "data-src") == src
			&& number_of(&tag, "data-dst") == dst)
			return number_of(&tag, "data-link");
	}
	return -1;
}

struct loads {
	const struct drawn_page *picture;
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
static void check_loads(const struct drawn_page *picture, const ls_plan *plan, const char *text)
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
			back                   ? "<>"
				: row->src == node ? ">"
								   : "<",
			row->src == node ? row->dst : row->src);
	}
}

static void check_table(const struct drawn_page *picture, int64_t nodes, const char *text)
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
	const struct drawn_page *picture, const ls_topology *t, int64_t nodes, const char *text)
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

/* With what the nodes hold: each node of the unit has a text. */
static void check_held(const ls_topology *t, const ls_plan *plan, int64_t nodes, const char *text)
{
	const struct ls_drawing drawing = { .size = sizeof drawing,
		.topology = t,
		.plan = plan,
		.view = "exemplar",
		.values = LS_VALUES_BOTH,
		.mode = LS_ROUTED };
	struct drawn_page picture;
	int64_t held = 0;

	CHECK(drawn_page_make(&drawing, &picture) == LS_OK, "%s: %s", text, picture.why.text);
	for (struct tag tag = { 0 }; next_tag(&picture, &tag);)
		held += has_class(&tag, "contents") && number_of(&tag, "data-node") >= 0;
	CHECK(held >= nodes, "%s: %" PRId64 " texts of %" PRId64 " nodes", text, held, nodes);
	drawn_page_release(&picture);
}

/* ---- Cases */

static void check_contents(const ls_topology *t, const ls_plan *plan, int64_t unit)
{
	const char *text = ls_topology_spec(t);
	struct drawn_page picture = draw_view(t, plan, "table");

	expect_plan(plan);
	check_table(&picture, ls_topology_nodes(t), text);
	drawn_page_release(&picture);
	if (ls_topology_links(t) <= 128) {
		picture = draw_view(t, plan, "load");
		check_loads(&picture, plan, text);
		drawn_page_release(&picture);
	}
	if (unit > 0) {
		picture = draw_view(t, plan, "exemplar");
		check_exemplar(&picture, t, unit, text);
		drawn_page_release(&picture);
		check_held(t, plan, unit, text);
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
		ls_topology *t = drawn_network(cases[i].spec);
		ls_plan *plan = drawn_plan(t, cases[i].operation, cases[i].mode);

		CHECK(plan, "no plan on %s", cases[i].spec);
		if (plan)
			check_contents(t, plan, cases[i].unit);
		ls_plan_destroy(plan);
		ls_topology_destroy(t);
	}
}

/* ---- One step */

/* Of a plan of three rounds the view draws the first: what the nodes hold before and after it. */
static void check_step(void)
{
	ls_topology *t = drawn_network("hypercube:3");
	ls_plan *plan = drawn_plan(t, LS_ALLREDUCE, LS_HOP);
	const struct ls_drawing drawing = { .size = sizeof drawing,
		.topology = t,
		.plan = plan,
		.view = "step",
		.values = LS_VALUES_BLOCKS };
	struct drawn_page picture;
	int nodes = 0;

	CHECK(drawn_page_make(&drawing, &picture) == LS_OK, "%s", picture.why.text);
	for (struct tag tag = { 0 }; next_tag(&picture, &tag);)
		nodes += has_class(&tag, "node") && number_of(&tag, "data-node") >= 0;
	CHECK(nodes == 2 * 8, "%d nodes", nodes);
	drawn_page_release(&picture);
	ls_plan_destroy(plan);
	ls_topology_destroy(t);
}

/* ---- Numbers of links */

/* Each number in the picture is that of its link, and those of a small network are all there. */
static void check_link_numbers(const char *spec, int64_t numbers)
{
	ls_topology *t = drawn_network(spec);
	struct drawn_page picture = draw_view(t, NULL, "network");

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
	drawn_page_release(&picture);
	ls_topology_destroy(t);
}

int main(void)
{
	check_plans();
	check_step();
	check_link_numbers("hypercube:3", 12);
	check_link_numbers("star:3", 6);
	check_link_numbers("ring:5", 10);
	return test_result();
}
