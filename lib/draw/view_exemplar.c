/*
 * The exemplar: one unit of the network drawn with its messages, the units that are linked to it as
 * boxes, and a table of the messages of all nodes by link and step.
 *
 *   panel     the unit; with up to 64 messages they are all in it
 *   boxes     the other units, with the links between
 *   panels    else: the steps with messages inside the unit, small
 *   table     links x steps
 */
#include <inttypes.h>
#include <math.h>

#include "base/alloc.h"
#include "draw/count_table.h"
#include "draw/geometry.h"
#include "draw/panel.h"
#include "draw/unit_boxes.h"
#include "draw/unit_links.h"
#include "draw/view.h"
#include "topology/subgraph.h"

enum {
	ARROWS = 64, /* most messages in one picture of the unit */
	PANELS = 12,
	WIDE_PANELS = 4, /* of a unit so wide that each has a row of its own */
	PAD = 12,        /* between the unit and its frame */
	SPACE = 28,
	PAGE = 980,
	UNIT = 760,      /* px of the unit that need no smaller scale */
	COLUMNS = 64,    /* most of the table */
	BLOCK_ROWS = 32, /* of the table, one below the other */
	TITLE = 22
};
static const double unit_scale_least = 0.5, panel_scale_least = 0.4, panel_scale_most = 0.6;

/* What the view draws. */
struct exemplar {
	struct lsi_scene *scene;
	const struct lsi_subject *s;
	struct ls_drawing drawing;
	struct lsi_subject part;
	struct lsi_placed placed;
	struct lsi_unit_links links;
	struct lsi_count_table table;
	int64_t first, nodes; /* of the unit */
	struct lsi_box frame; /* on the page */
};

/* Are these nodes all of one unit, if units have as many? */
static bool is_unit(const struct lsi_subject *s)
{
	return s->nodes < s->whole->nodes && s->rank[0] % s->nodes == 0
		&& s->rank[s->nodes - 1] == s->rank[0] + s->nodes - 1 && s->whole->nodes % s->nodes == 0
		&& lsi_subgraph_model(s->topology);
}

static bool fits(const struct lsi_subject *s)
{
	return s->whole ? is_unit(s) : lsi_topology_has_units(s->topology);
}

static const char *lack(const struct lsi_subject *s)
{
	return s->whole ? "draws one unit, and the focus is none" : NULL;
}

/* ---- Make */

static int count_messages(struct exemplar *e)
{
	const struct lsi_subject *s = e->s;
	const int degree = (int)ls_topology_degree(s->topology);

	if (s->rounds == 0)
		return LS_OK;
	if (!lsi_count_table_make(e->scene, s, degree, COLUMNS, &e->table))
		return LS_ERR_MEMORY;
	for (int l = 0; l < degree; l++) {
		e->table.row[l].link = ls_link_label(s->topology, l);
		e->table.row[l].text = lsi_scene_text(e->scene, "link %" PRId64, e->table.row[l].link);
	}
	e->table.title = "messages of all nodes over the links of each number, by step";
	for (size_t k = 0; k < s->rounds; k++) {
		for (size_t i = 0; i < s->round[k].n; i++) {
			const struct ls_record *m = &s->message[s->round[k].first + i];
			struct lsi_route route = lsi_route_begin(m->src, m->dst);

			while (lsi_route_hop(s->topology, &route)) {
				++*lsi_count_table_at(&e->table, (int)route.link, k);
				lsi_unit_links_add(&e->links, route.from, route.link, route.at);
			}
		}
	}
	return LS_OK;
}

/* The unit of the focus; or the one with the root, or else the first one. */
static int find_unit(struct exemplar *e, const struct lsi_subject *given, struct ls_error *why)
{
	ls_topology *unit = NULL;
	int failed = LS_OK;

	if (given->whole) {
		e->nodes = given->nodes;
		e->first = given->rank[0];
		return LS_OK;
	}
	failed = lsi_topology_unit(e->s->topology, &unit, why);
	if (!failed)
		e->nodes = ls_topology_nodes(unit);
	if (!failed && e->s->root != LS_NO_RANK)
		e->first = e->s->root - e->s->root % e->nodes;
	ls_topology_destroy(unit);
	return failed;
}

static int make_part(struct exemplar *e)
{
	int64_t *node = lsi_alloc((size_t)e->nodes * sizeof *node);
	int failed = LS_ERR_MEMORY;

	for (int64_t i = 0; node && i < e->nodes; i++)
		node[i] = e->first + i;
	if (node)
		failed = lsi_subject_make_part(
			e->s, &e->drawing, &(struct lsi_part_nodes){ .node = node, .n = e->nodes }, &e->part);
	lsi_free(node);
	return failed;
}

static int make(struct exemplar *e, const struct lsi_subject *given, struct ls_error *why)
{
	int failed = find_unit(e, given, why);

	if (failed)
		return failed;
	e->links = (struct lsi_unit_links){
		.topology = e->s->topology, .unit = e->first / e->nodes, .nodes = e->nodes
	};
	e->drawing = *e->s->drawing;
	failed = make_part(e);
	if (!failed)
		failed = lsi_unit_links_find(&e->links);
	if (!failed)
		failed = count_messages(e);
	if (!failed)
		failed = lsi_place_vertices(&e->part, &e->placed, why);
	return failed;
}

static void release(struct exemplar *e)
{
	lsi_free(e->placed.place);
	lsi_unit_links_release(&e->links);
	lsi_subject_release(&e->part);
}

/* ---- The unit */

static bool fits_one_picture(const struct exemplar *e)
{
	return e->part.messages <= ARROWS && !e->part.repeats;
}

static struct lsi_panel panel_of(const struct exemplar *e, size_t first, size_t end)
{
	return (struct lsi_panel){
		.subject = &e->part, .placed = e->placed, .first = first, .end = end, .contents = -1
	};
}

static const char *spec_of(const struct exemplar *e)
{
	return ls_topology_spec(lsi_subgraph_model(e->part.topology));
}

/* Number, kind, label and nodes of the unit, above its frame. */
static const char *unit_title(const struct exemplar *e)
{
	char name[LSI_UNIT_NAME];

	lsi_unit_name(e->s->topology, e->links.unit, e->nodes, name);
	return lsi_scene_text(e->scene,
		"unit %" PRId64 " of %" PRId64 ": %s%s%s, nodes %" PRId64 " to %" PRId64, e->links.unit,
		e->s->nodes / e->nodes, spec_of(e), *name ? ", " : "", name, e->first,
		e->first + e->nodes - 1);
}

/* A long unit, as a row of a mesh, is drawn smaller. */
static void shrink(struct lsi_scene_part *part)
{
	part->scale = fmax(unit_scale_least, fmin(1, UNIT / (part->box.right - part->box.left)));
}

static void draw_unit(struct exemplar *e)
{
	struct lsi_panel panel = panel_of(e, 0, fits_one_picture(e) ? e->part.rounds : 0);
	struct lsi_element frame = lsi_element_at(LSI_SHAPE_CELL, (struct lsi_point){ 0, 0 });
	struct lsi_point corner;

	panel.numbers = true;
	panel.link_labels = panel.end == 0;
	panel.contents = e->part.contents ? (int)e->part.rounds : -1;
	lsi_panel_draw(e->scene, &panel, "drawing");
	if (e->scene->no_memory)
		return;
	shrink(&e->scene->part[0]);
	corner = lsi_scene_put_part(e->scene, 0, LSI_MARGIN + PAD, LSI_MARGIN + TITLE + PAD);
	frame.from = (struct lsi_point){ LSI_MARGIN, LSI_MARGIN + TITLE };
	frame.to = (struct lsi_point){ corner.x + PAD, corner.y + PAD };
	frame.variant = "frame";
	e->frame = lsi_element_box(&frame);
	lsi_scene_begin(e->scene, "unit", -1);
	lsi_scene_add(e->scene, &frame);
	lsi_scene_put_text(e->scene, LSI_TEXT_PANEL, LSI_ANCHOR_START,
		(struct lsi_point){ LSI_MARGIN, LSI_MARGIN + TITLE / 3.0 }, unit_title(e));
}

/* ---- Small panels */

/* The most panels. */
static int panels_of(const struct exemplar *e)
{
	const struct lsi_box box = e->scene->part[0].box;

	return panel_scale_least * (box.right - box.left) > PAGE / 2.0 ? WIDE_PANELS : PANELS;
}

/* The rounds with messages inside the unit, the first ones.  Returns their number. */
static int draw_steps(struct exemplar *e)
{
	const int most = panels_of(e);
	int panels = 0;

	e->drawing.labels = e->drawing.labels == LS_LABELS_NONE ? LS_LABELS_NONE : LS_LABELS_RANK;
	for (size_t k = 0; k < e->part.rounds && panels < most; k++) {
		const struct lsi_panel panel = panel_of(e, k, k + 1);

		if (e->part.round[k].n == 0)
			continue;
		lsi_panel_draw(e->scene, &panel, "panel");
		panels++;
	}
	return panels;
}

static double put_steps(struct exemplar *e, double top)
{
	const size_t first = e->scene->parts;
	const int panels = fits_one_picture(e) ? 0 : draw_steps(e);

	if (panels == 0 || e->scene->no_memory)
		return top;
	return lsi_panels_arrange(e->scene,
		(struct lsi_panel_rows){ .first = first,
			.columns = e->s->drawing->columns,
			.scale_least = panel_scale_least,
			.scale_most = panel_scale_most },
		top + SPACE);
}

/* ---- View */

static double put_table(struct exemplar *e, double top)
{
	if (e->s->messages == 0)
		return top;
	lsi_scene_begin(e->scene, "counts", -1);
	lsi_count_table_split(&e->table, BLOCK_ROWS, PAGE);
	lsi_count_table_draw(&e->table);
	return lsi_scene_put_part(e->scene, e->scene->parts - 1, LSI_MARGIN, top + SPACE).y;
}

/* The steps with messages inside the unit. */
static int count_steps(const struct exemplar *e)
{
	int steps = 0;

	for (size_t k = 0; k < e->part.rounds; k++)
		steps += e->part.round[k].n > 0;
	return steps;
}

static const char *legend_of(const struct exemplar *e)
{
	const int steps = fits_one_picture(e) ? 0 : count_steps(e);
	const char *shown = "";

	if (steps > panels_of(e))
		shown = lsi_scene_text(
			e->scene, "  Of %d steps with messages inside it, %d are drawn.", steps, panels_of(e));
	else if (steps > 0 && (size_t)steps < e->part.rounds)
		shown = "  Steps without messages inside it are left out.";

	return lsi_scene_text(e->scene,
		"The network is %" PRId64 " copies of %s, its units; one is drawn, and boxes have the "
		"numbers of links to it%s.%s",
		e->s->nodes / e->nodes, spec_of(e),
		e->s->messages ? " and of messages over them in all steps" : "", shown ? shown : "");
}

static int draw(struct lsi_scene *scene, const struct lsi_subject *s, struct ls_error *why)
{
	struct exemplar e = { .scene = scene, .s = s->whole ? s->whole : s };
	const int failed = make(&e, s, why);

	if (!failed) {
		draw_unit(&e);

		double bottom = fmax(e.frame.bottom, lsi_unit_boxes_draw(scene, &e.links, e.frame));

		bottom = put_steps(&e, bottom);
		bottom = put_table(&e, bottom);
		scene->legend = legend_of(&e);
		lsi_scene_end_page(scene, s, bottom);
	}
	release(&e);
	return failed;
}

static bool is_default(const struct lsi_subject *s)
{
	(void)s;
	return true;
}

const struct lsi_draw_view lsi_draw_view_exemplar = { .name = "exemplar",
	.text = "one unit of the network, the units linked to it, messages by link and step",
	.limit = "units of grids, products, hypercubes and networks of permutations",
	.fits = fits,
	.lack = lack,
	.is_default = is_default,
	.draw = draw,
	.takes = LSI_TAKES_VALUES | LSI_TAKES_COLUMNS | LSI_TAKES_LAYOUT | LSI_TAKES_LABELS };
