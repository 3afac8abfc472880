/*
 * The network with its messages: all steps in one picture, a panel for each step, or one step.
 */
#include "base/alloc.h"
#include "draw/panel.h"
#include "draw/view.h"

enum {
	NETWORK_NODES = 256,
	ALL_ARROWS = 64,
	ALL_ARROWS_DEFAULT = 24, /* also the most of a part, whose stubs are short */
	PANELS = 16,
	PANEL_NODES = 64,
	STEP_ARROWS = 5000,
	STEP_LINKS = 4 * STEP_ARROWS
};
static const double SCALE_LEAST = 0.5, SCALE_MOST = 0.85; /* of panels */

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
	return fits_network(s) && s->messages <= (s->whole ? ALL_ARROWS_DEFAULT : ALL_ARROWS)
		&& !s->repeats;
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
	return s->rounds >= 1 && s->most <= STEP_ARROWS && lsi_subject_inner(s) <= STEP_ARROWS
		&& ls_topology_links(s->topology) <= STEP_LINKS;
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
	lsi_scene_end_page(scene, s,
		lsi_panels_arrange(scene,
			(struct lsi_panel_rows){ .columns = s->drawing->columns,
				.lettered = true,
				.scale_least = SCALE_LEAST,
				.scale_most = SCALE_MOST },
			LSI_MARGIN));
	lsi_free(panel.placed.place);
	return LS_OK;
}

/* With what nodes hold, also the state before it. */
static int draw_step(struct lsi_scene *scene, const struct lsi_subject *s, struct ls_error *why)
{
	return s->contents
		? draw_panels(scene, s, why)
		: draw_one(scene, (struct lsi_panel){ .subject = s, .end = 1, .contents = -1 }, why);
}

const struct lsi_draw_view lsi_draw_view_network = { .name = "network",
	.text = "nodes, links and the numbers of the links",
	.limit = "256 nodes",
	.fits = fits_network,
	.is_default = is_default_network,
	.draw = draw_network,
	.takes = LSI_TAKES_LAYOUT | LSI_TAKES_LABELS };
const struct lsi_draw_view lsi_draw_view_all = { .name = "all",
	.text = "all steps in one picture, with their numbers",
	.limit = "64 messages (24 with a focus), none twice over a link",
	.fits = fits_all,
	.is_default = is_default_all,
	.draw = draw_all,
	.takes = LSI_TAKES_VALUES | LSI_TAKES_LAYOUT | LSI_TAKES_LABELS };
const struct lsi_draw_view lsi_draw_view_panels = { .name = "panels",
	.text = "a small picture for each step",
	.limit = "16 panels, 64 nodes",
	.fits = fits_panels,
	.lack = lsi_lacks_steps,
	.is_default = is_default_panels,
	.draw = draw_panels,
	.takes = LSI_TAKES_VALUES | LSI_TAKES_COLUMNS | LSI_TAKES_LAYOUT | LSI_TAKES_LABELS };
const struct lsi_draw_view lsi_draw_view_step = { .name = "step",
	.text = "one step, and what nodes hold before and after it",
	.limit = "5,000 messages, 5,000 nodes, 20,000 links",
	.fits = fits_step,
	.lack = lsi_lacks_steps,
	.draw = draw_step,
	.draws_one_step = true,
	.takes = LSI_TAKES_VALUES | LSI_TAKES_LAYOUT | LSI_TAKES_LABELS };
