/*
 * The network with its messages: all steps in one picture, a panel for each step, or one step.
 */
#include <inttypes.h>
#include <math.h>

#include "base/alloc.h"
#include "draw/geometry.h"
#include "draw/panel.h"
#include "draw/view.h"

enum {
	NETWORK_NODES = 256,
	ALL_ARROWS = 64,
	ALL_ARROWS_DEFAULT = 24,
	PANELS = 16,
	PANEL_NODES = 64,
	STEP_ARROWS = 5000,
	PANEL_TITLE = 24, /* px */
	GAP = 24,         /* between panels */
	PAGE = 980        /* the width that panels share */
};
static const double SCALE_LEAST = 0.5; /* of panels; the most is 0.85 */

static bool fits_network(const struct lsi_subject *s)
{
	return lsi_subject_inner(s) <= NETWORK_NODES;
}

static bool is_default_network(const struct lsi_subject *s)
{
	return !s->drawing->plan && !s->drawing->records;
}

static bool fits_all(const struct lsi_subject *s)
{
	return fits_network(s) && s->messages <= ALL_ARROWS && !s->repeats;
}

static bool is_default_all(const struct lsi_subject *s)
{
	return s->messages <= ALL_ARROWS_DEFAULT && lsi_subject_inner(s) <= PANEL_NODES
		&& s->drawing->values == LS_VALUES_NONE;
}

static bool fits_panels(const struct lsi_subject *s)
{
	return lsi_subject_inner(s) <= PANEL_NODES && s->rounds >= 1 && s->rounds <= PANELS;
}

static bool is_default_panels(const struct lsi_subject *s)
{
	(void)s;
	return true;
}

static bool fits_step(const struct lsi_subject *s)
{
	return s->rounds >= 1 && s->most <= STEP_ARROWS && lsi_subject_inner(s) <= STEP_ARROWS;
}

/* One panel with the rounds first .. end - 1. */
static int draw_one(struct lsi_scene *scene, struct lsi_panel panel, struct ls_error *why)
{
	const int failed = lsi_place_vertices(panel.subject, &panel.placed, why);

	if (failed)
		return failed;
	lsi_panel_draw(scene, &panel, "drawing");
	lsi_scene_end_page(scene, panel.subject, lsi_scene_arrange(scene, 0, 1, LSI_MARGIN));
	lsi_free(panel.placed.place);
	return LS_OK;
}

static int draw_network(struct lsi_scene *scene, const struct lsi_subject *s, struct ls_error *why)
{
	return draw_one(
		scene, (struct lsi_panel){ .subject = s, .link_labels = true, .contents = -1 }, why);
}

static int draw_all(struct lsi_scene *scene, const struct lsi_subject *s, struct ls_error *why)
{
	const int contents = s->contents ? (int)s->rounds : -1;

	return draw_one(scene,
		(struct lsi_panel){ .subject = s, .end = s->rounds, .numbers = true, .contents = contents },
		why);
}

/* ---- Panels */

/* "(a) step 1" above panel i; step -1 is the state before the first step. */
static void put_panel_title(struct lsi_scene *scene, const struct lsi_subject *s, int i, int64_t k)
{
	const struct lsi_scene_part *part = &scene->part[i];
	const struct lsi_point at = { part->x + part->scale * (part->box.left + part->box.right) / 2,
		part->y + part->scale * part->box.top + PANEL_TITLE / 2.0 };
	const char *text = k < 0
		? lsi_scene_text(scene, "(%c) before", 'a' + i)
		: lsi_scene_text(scene, "(%c) step %" PRId64, 'a' + i, s->round[k].number);

	lsi_scene_put_text(scene, LSI_TEXT_PANEL, LSI_ANCHOR_MIDDLE, at, text);
}

/* As many as fit the page, in rows of about equal length. */
static int columns_of(const struct lsi_scene *scene, const struct lsi_subject *s, int panels)
{
	double width = 1;
	int most, rows;

	if (s->drawing->columns > 0)
		return s->drawing->columns;
	for (size_t i = 0; i < scene->parts; i++)
		width = fmax(width,
			(scene->part[i].box.right - scene->part[i].box.left) * scene->part[i].scale + GAP);
	most = (int)fmax(1, (PAGE - 2 * LSI_MARGIN + GAP) / width);
	rows = (panels + most - 1) / most;
	return (panels + rows - 1) / rows;
}

/* Three panels share the page, if they stay legible. */
static double scale_of(struct lsi_box box)
{
	const double third = (PAGE - 2 * LSI_MARGIN) / 3.0 - GAP;

	return fmin(0.85, fmax(SCALE_LEAST, third / (box.right - box.left)));
}

/*
 * All panels have one box, with room for the title, so that the nodes stand at the same places:
 *
 *   +------------+  +------------+
 *   | (a) step 1 |  | (b) step 2 |    PANEL_TITLE px above the union of the boxes
 *   |  o--->o    |  |  o    o    |
 *   |  o    o    |  |  '--->o    |
 *   +------------+  +------------+
 *
 * The box is in px before the panel is scaled, and the title in px of the page: so the room for the
 * title is divided by the scale.
 */
static void unite_boxes(struct lsi_scene *scene)
{
	struct lsi_box box = LSI_EMPTY_BOX;
	double scale, lacking;

	for (size_t i = 0; i < scene->parts; i++)
		box = lsi_box_union(box, scene->part[i].box);
	scale = scale_of(box);
	lacking = lsi_text_width(LSI_TEXT_PANEL, "(a) step 100") / scale - (box.right - box.left);
	box.left -= fmax(0, lacking / 2);
	box.right += fmax(0, lacking / 2);
	box.top -= PANEL_TITLE / scale;
	for (size_t i = 0; i < scene->parts; i++) {
		scene->part[i].box = box;
		scene->part[i].scale = scale;
	}
}

static int draw_panels(struct lsi_scene *scene, const struct lsi_subject *s, struct ls_error *why)
{
	const int before = s->contents ? 1 : 0, panels = (int)s->rounds + before;
	struct lsi_panel panel = { .subject = s };
	const int failed = lsi_place_vertices(s, &panel.placed, why);

	if (failed)
		return failed;
	for (int i = 0; i < panels; i++) {
		const int k = i - before;

		panel.first = k < 0 ? 0 : (size_t)k;
		panel.end = (size_t)(k + 1);
		panel.contents = s->contents ? k + 1 : -1;
		lsi_panel_draw(scene, &panel, "panel");
	}
	unite_boxes(scene);

	const double bottom = lsi_scene_arrange(scene, 0, columns_of(scene, s, panels), LSI_MARGIN);

	lsi_scene_begin(scene, "panel-titles", -1);
	for (int i = 0; i < panels && !scene->no_memory; i++)
		put_panel_title(scene, s, i, i - before);
	lsi_scene_end_page(scene, s, bottom);
	lsi_free(panel.placed.place);
	return LS_OK;
}

static int draw_step(struct lsi_scene *scene, const struct lsi_subject *s, struct ls_error *why)
{
	return draw_one(
		scene, (struct lsi_panel){ .subject = s, .end = 1, .contents = s->contents ? 1 : -1 }, why);
}

const struct lsi_draw_view lsi_draw_view_network = { "network",
	"nodes, links and the numbers of the links", "256 nodes", fits_network, is_default_network,
	draw_network };
const struct lsi_draw_view lsi_draw_view_all = { "all",
	"all steps in one picture, with their numbers", "64 messages, none twice over a link", fits_all,
	is_default_all, draw_all };
const struct lsi_draw_view lsi_draw_view_panels = { "panels", "a small picture for each step",
	"16 panels, 64 nodes", fits_panels, is_default_panels, draw_panels };
const struct lsi_draw_view lsi_draw_view_step = { "step", "one step, and what each node then has",
	"5,000 messages", fits_step, NULL, draw_step };
