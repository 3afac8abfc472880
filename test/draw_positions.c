/*
 * The vertices of a picture lie at the positions of the caller, 100 px for 1, also those of a part
 * of the network; links between them are straight.  A part has a layout of its own network by name,
 * else that of the whole.  An empty caption leaves no text of it.
 */
/* variants: release checked asan */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <lockstep.h>

#include "support/cells.h"
#include "support/guard.h"
#include "support/svg_picture.h"
#include "support/svg_tags.h"
#include "test.h"

enum { UNIT = 100, VERTICES = 16, NODES = 24 };

/* No three of these lie on a line. */
static void scatter(double *xy, int64_t vertices)
{
	for (int64_t v = 0; v < vertices; v++) {
		xy[2 * v] = (double)v + 0.125;
		xy[2 * v + 1] = (double)(v * v % 17);
	}
}

static bool is_caption(const struct seen_text *text, const char *word)
{
	return strstr(text->text, word) != NULL;
}

/* The positions of nodes, relative to the first that is drawn. */
static void test_nodes(const struct picture *p, const double *xy, int64_t nodes)
{
	const struct seen_node *first = p->node;

	CHECK((int64_t)p->nodes == nodes, "%s: %zu nodes", guarded(), p->nodes);
	for (size_t i = 0; i < p->nodes; i++) {
		const struct seen_node *node = &p->node[i];
		const double x = UNIT * (xy[2 * node->node] - xy[2 * first->node]);
		const double y = UNIT * (xy[2 * node->node + 1] - xy[2 * first->node + 1]);

		CHECK(fabs(node->at.x - first->at.x - x) < 0.2 && fabs(node->at.y - first->at.y - y) < 0.2,
			"%s: node %" PRId64 " at %g, %g", guarded(), node->node, node->at.x, node->at.y);
	}
}

static void test_picture(const struct ls_drawing *drawing, const double *xy, int64_t nodes)
{
	struct picture picture;
	struct text svg;

	guard("%s %s, focus %s", ls_topology_spec(drawing->topology), drawing->view,
		drawing->focus ? drawing->focus : "none");
	if (drawn_text(drawing, "svg", &svg) != LS_OK) {
		CHECK(false, "%s: no picture", guarded());
		return;
	}
	if (picture_read(svg.at, &picture)) {
		test_nodes(&picture, xy, nodes);
		for (size_t i = 0; i < picture.links; i++)
			CHECK(drawing->focus || picture.link[i].points == 2, "%s: a bent link", guarded());
		for (size_t i = 0; i < picture.texts; i++)
			CHECK(
				!is_caption(&picture.text[i], "round"), "%s: %s", guarded(), picture.text[i].text);
	} else {
		CHECK(false, "%s: %s", guarded(), picture.why);
	}
	picture_release(&picture);
	free(svg.at);
}

/* ---- Positions of the caller */

static void test_given(void)
{
	static const struct {
		const char *spec, *focus;
		int64_t nodes; /* that are drawn */
	} cases[] = { { "ring:4", NULL, 4 }, { "hypercube:3", NULL, 8 }, { "star:3", NULL, 6 },
		{ "mesh:3x4", "0-3", 4 }, { "hypercube:4", "0xx1", 4 } };

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		ls_topology *t = topology_of(cases[i].spec);
		double xy[2 * VERTICES];
		const struct ls_request request = {
			.size = sizeof request, .topology = t, .operation = LS_ALLGATHER
		};
		ls_plan *plan = plan_for(&request);
		struct ls_drawing drawing = { .size = sizeof drawing,
			.topology = t,
			.view = "network",
			.focus = cases[i].focus,
			.positions = xy,
			.caption = "" };

		scatter(xy, ls_topology_vertices(t));
		test_picture(&drawing, xy, cases[i].nodes);
		drawing.plan = plan;
		drawing.title = "";
		test_picture(&drawing, xy, cases[i].nodes);
		ls_plan_destroy(plan);
		ls_topology_destroy(t);
	}
}

/* ---- Layouts of parts by name */

static void test_named(void)
{
	static const struct {
		const char *whole, *focus, *layout, *placed_as;
		int64_t nodes;
	} cases[] = { { "hypercube:4", "0xxx", "cubes", "hypercube:3", 8 },
		{ "hypercube:4", "0xxx", "circle", "hypercube:3", 8 },
		{ "star:4", "xxx4", "ring", "star:4", 6 }, { "star:4", "0-3", "ring", "star:4", 4 } };

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		ls_topology *t = topology_of(cases[i].whole), *of = topology_of(cases[i].placed_as);
		double xy[2 * NODES];
		const struct ls_drawing drawing = { .size = sizeof drawing,
			.topology = t,
			.view = "network",
			.focus = cases[i].focus,
			.layout = cases[i].layout,
			.caption = "" };

		CHECK(ls_layout(of, cases[i].layout, xy, NULL) == LS_OK, "%s", cases[i].layout);
		test_picture(&drawing, xy, cases[i].nodes);
		ls_topology_destroy(of);
		ls_topology_destroy(t);
	}
}

int main(void)
{
	test_given();
	test_named();
	return test_result();
}
