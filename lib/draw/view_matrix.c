/*
 * The view `matrix`: the marks, in a frame with ranks at two sides and the meaning of the colors.
 *
 *             to
 *   from  0    64
 *       0 +----+----+   [] step 1     The key names some of the steps, or all levels.  Cells with
 *         |    | .  |   [] step 2     numbers need none.
 *      64 +----+----+
 *         | .  |    |   Above 32 nodes, only some ranks are shown, mostly eight: if possible,
 *         +----+----+   they divide the side into equal parts.
 */
#include <inttypes.h>
#include <math.h>

#include "draw/message_matrix.h"
#include "draw/view.h"

enum {
	LINKS = 1 << 22, /* most links of a network without messages */
	GAP = 8,         /* px between the frame and the ranks */
	LINE = 18,       /* between the lines of the key */
	SWATCH = 12,
	KEYS = 9, /* of many steps, some are shown */
	TICKS = 8
};

static bool fits(const struct lsi_subject *s)
{
	return s->rounds > 0 || ls_topology_links(s->topology) <= LINKS;
}

static bool is_default(const struct lsi_subject *s)
{
	(void)s;
	return true;
}

/* ---- Frame */

static void put_line(struct lsi_scene *scene, struct lsi_point from, struct lsi_point to)
{
	lsi_scene_put_rule(scene, "grid", from, to, 0);
}

static void put_rank(
	const struct lsi_matrix *m, enum lsi_anchor anchor, struct lsi_point at, int64_t rank)
{
	lsi_scene_put_label(m->scene, LSI_TEXT_AXIS, anchor, at, rank,
		rank < 0 ? "others" : lsi_scene_text(m->scene, "%" PRId64, rank));
}

/* The distance of the ranks at the sides: each, or the nodes in about eight equal parts. */
static int64_t tick_of(const struct lsi_matrix *m)
{
	static const int parts[] = { TICKS, 7, 6, 9, 10, 5, 4, 3 };
	const int64_t nodes = m->subject->nodes;

	if (lsi_matrix_is_numbered(m))
		return 1;
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		if (nodes % parts[i] == 0)
			return nodes / parts[i];
	}
	return nodes / TICKS;
}

/* The last row and column. */
static void put_others(const struct lsi_matrix *m)
{
	const double side = (double)m->side * m->px, at = side - m->px, middle = side - m->px / 2;

	put_line(m->scene, (struct lsi_point){ at, 0 }, (struct lsi_point){ at, side });
	put_line(m->scene, (struct lsi_point){ 0, at }, (struct lsi_point){ side, at });
	put_rank(m, LSI_ANCHOR_START, (struct lsi_point){ side + GAP, middle }, LS_NO_RANK);
	put_rank(m, LSI_ANCHOR_MIDDLE, (struct lsi_point){ middle, side + LINE / 2.0 }, LS_NO_RANK);
}

static void put_frame(const struct lsi_matrix *m)
{
	const double side = (double)m->side * m->px, node = m->px / (double)m->block;
	struct lsi_element frame = lsi_element_at(LSI_SHAPE_CELL, (struct lsi_point){ 0, 0 });
	const int64_t tick = tick_of(m);

	frame.to = (struct lsi_point){ side, side };
	frame.variant = "frame";
	frame.count = m->subject->nodes;
	for (int64_t v = 0; v < m->subject->nodes; v += tick) {
		const double at = (double)v * node, middle = at + fmin(m->px, tick > 1 ? 0 : m->px) / 2;

		if (v > 0) {
			put_line(m->scene, (struct lsi_point){ at, 0 }, (struct lsi_point){ at, side });
			put_line(m->scene, (struct lsi_point){ 0, at }, (struct lsi_point){ side, at });
		}
		put_rank(m, LSI_ANCHOR_MIDDLE, (struct lsi_point){ middle, -GAP - 2 },
			lsi_subject_rank(m->subject, v));
		put_rank(
			m, LSI_ANCHOR_END, (struct lsi_point){ -GAP, middle }, lsi_subject_rank(m->subject, v));
	}
	if (lsi_matrix_has_others(m->subject))
		put_others(m);
	lsi_scene_add(m->scene, &frame);
}

/* "to" above the columns, "from" above the rows. */
static void put_directions(const struct lsi_matrix *m)
{
	const double side = (double)m->side * m->px;

	lsi_scene_put_text(m->scene, LSI_TEXT_PANEL, LSI_ANCHOR_MIDDLE,
		(struct lsi_point){ side / 2, -GAP - LINE - 2 }, "to");
	lsi_scene_put_text(m->scene, LSI_TEXT_PANEL, LSI_ANCHOR_END,
		(struct lsi_point){ -GAP, -GAP - LINE - 2 }, "from");
}

/* ---- Key */

static void put_key(const struct lsi_matrix *m, int line, struct lsi_element area, const char *text)
{
	const double x = (double)m->side * m->px + 2 * GAP, y = (double)line * LINE;
	struct lsi_point *corner = lsi_arena_take(&m->scene->arena, 2, sizeof *corner);

	m->scene->no_memory |= !corner;
	if (!corner)
		return;
	corner[0] = (struct lsi_point){ x, y };
	corner[1] = (struct lsi_point){ x + SWATCH, y + SWATCH };
	area.points = corner;
	area.n_points = 2;
	lsi_scene_add(m->scene, &area);
	lsi_scene_put_text(m->scene, LSI_TEXT_AXIS, LSI_ANCHOR_START,
		(struct lsi_point){ x + SWATCH + GAP, y + SWATCH / 2.0 }, text);
}

/* The steps, the first and the last among them. */
static void put_step_keys(const struct lsi_matrix *m)
{
	const struct lsi_subject *s = m->subject;
	const size_t keys = s->rounds < KEYS ? s->rounds : KEYS;

	for (size_t i = 0; i < keys; i++) {
		const size_t k = keys > 1 ? i * (s->rounds - 1) / (keys - 1) : 0;
		struct lsi_element area = lsi_element_at(LSI_SHAPE_AREA, (struct lsi_point){ 0, 0 });

		lsi_matrix_paint(s, k, &area);
		put_key(m, (int)i, area, lsi_scene_text(m->scene, "step %" PRId64, s->round[k].number));
	}
}

static void put_level_keys(const struct lsi_matrix *m)
{
	const char *unit = m->subject->rounds ? "message" : "link";

	for (int level = 0; level < m->levels; level++) {
		struct lsi_element area = lsi_element_at(LSI_SHAPE_AREA, (struct lsi_point){ 0, 0 });
		const int64_t least = (int64_t)1 << level;

		lsi_matrix_paint_level(level, m->levels, &area);
		put_key(m, level, area,
			level == 0 ? lsi_scene_text(m->scene, "1 %s", unit)
					   : lsi_scene_text(
						   m->scene, "%" PRId64 " to %" PRId64 " %ss", least, 2 * least - 1, unit));
	}
}

static void put_keys(const struct lsi_matrix *m)
{
	if (lsi_matrix_is_numbered(m))
		return;
	if (m->counts)
		put_level_keys(m);
	else if (m->subject->rounds > 0)
		put_step_keys(m);
}

static const char *legend_of(const struct lsi_matrix *m)
{
	const bool links = m->subject->rounds == 0;

	if (m->counts && m->block == 1)
		return "Rows are sources, columns destinations; the darker a mark, the more messages of "
			   "all steps it has.";
	if (m->counts)
		return lsi_scene_text(m->scene,
			"Rows are sources, columns destinations; a pixel is %" PRId64 " x %" PRId64
			" nodes, and the darker, the more %s it has.",
			m->block, m->block, links ? "links" : "messages of all steps");
	if (lsi_matrix_is_numbered(m))
		return links ? "A cell is a link; its number is that at the node of the row."
					 : "A cell is a message from the node of its row to that of its column; its "
					   "number is the step.";
	return links
		? "Rows are sources, columns destinations; a mark is a link."
		: "Rows are sources, columns destinations; a mark is a message in the color of its "
		  "step.";
}

/* ---- View */

static int draw(struct lsi_scene *scene, const struct lsi_subject *s, struct ls_error *why)
{
	struct lsi_matrix matrix;
	const int failed = lsi_matrix_make(scene, s, &matrix);

	(void)why;
	if (!failed) {
		lsi_scene_begin(scene, "axes", -1);
		put_frame(&matrix);
		put_directions(&matrix);
		lsi_matrix_put_marks(&matrix);
		lsi_scene_begin(scene, "key", -1);
		put_keys(&matrix);
		scene->legend = legend_of(&matrix);
		lsi_scene_end_page(scene, s, lsi_scene_put_origin(scene, LSI_MARGIN, LSI_MARGIN));
	}
	lsi_matrix_release(&matrix);
	return failed;
}

const struct lsi_draw_view lsi_draw_view_matrix = { .name = "matrix",
	.text = "sources x destinations, a mark for each message, colored by step",
	.limit = "4,194,304 links",
	.fits = fits,
	.is_default = is_default,
	.draw = draw };
