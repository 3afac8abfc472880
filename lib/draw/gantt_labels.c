/*
 * The words of the view gantt: ranks, names and cores on the left, shares of the time on the right,
 * and the key.
 */
#include <inttypes.h>
#include <math.h>

#include "draw/gantt.h"

enum {
	LABEL_GAP = 10, /* px between labels and the axis */
	LEGIBLE = 13,   /* px between lines of text */
	SWATCH = 18,    /* px */
	KEY = 20        /* px of the line of the key */
};

static void put_label(const struct lsi_gantt *g, const struct lsi_gantt_row *row,
	enum lsi_text_style style, enum lsi_anchor anchor, double x, const char *text)
{
	struct lsi_element label =
		lsi_element_at(LSI_SHAPE_TEXT, (struct lsi_point){ x, row->top + row->height / 2 });

	label.text = text;
	label.style = style;
	label.anchor = anchor;
	label.node = row->node;
	label.core = row->core;
	if (text)
		lsi_scene_add(g->scene, &label);
}

/* The percentage of the time in which the nodes of a row do not wait. */
static double percentage(const struct lsi_gantt *g, const struct lsi_gantt_row *row)
{
	const double span = (double)(g->s->end_ns - g->s->begin_ns);
	double waited = 0, nodes = 0;

	for (int64_t v = 0; v < g->s->nodes; v++) {
		if (row->node == v || (row->node < 0 && lsi_gantt_core(g, v) == row->core)) {
			waited += lsi_waits_sum(&g->waits, v);
			nodes++;
		}
	}
	return span > 0 ? 100 * (1 - waited / span / nodes) : 100;
}

static void put_names(const struct lsi_gantt *g, const struct lsi_gantt_row *row)
{
	const char *last = lsi_scene_text(g->scene, "%" PRId64, g->s->nodes - 1);
	const double beside = -2 * LABEL_GAP - (last ? lsi_text_width(LSI_TEXT_RANK, last) : 0);
	char name[LSI_NAME];

	if (row->node < 0) {
		put_label(g, row, LSI_TEXT_PANEL, LSI_ANCHOR_END, -LABEL_GAP,
			lsi_scene_text(g->scene, "core %d", row->core));
		return;
	}
	put_label(g, row, LSI_TEXT_RANK, LSI_ANCHOR_END, -LABEL_GAP,
		lsi_scene_text(g->scene, "%" PRId64, row->node));
	if (lsi_subject_name(g->s, row->node, name))
		put_label(
			g, row, LSI_TEXT_NAME, LSI_ANCHOR_END, beside, lsi_scene_text(g->scene, "%s", name));
}

/* Of the rows that leave room for a line of text below the one before. */
void lsi_gantt_put_labels(const struct lsi_gantt *g)
{
	double free = -INFINITY;

	if (g->s->drawing->labels == LS_LABELS_NONE)
		return;
	for (size_t i = 0; i < g->rows; i++) {
		const struct lsi_gantt_row *row = &g->row[i];

		if (row->top + row->height / 2 < free)
			continue;
		free = row->top + row->height / 2 + LEGIBLE;
		put_names(g, row);
		put_label(g, row, row->node < 0 ? LSI_TEXT_PANEL : LSI_TEXT_AXIS, LSI_ANCHOR_START,
			g->axis.width + LABEL_GAP, lsi_scene_text(g->scene, "%.0f %%", percentage(g, row)));
	}
	lsi_scene_put_text(g->scene, LSI_TEXT_AXIS, LSI_ANCHOR_START,
		(struct lsi_point){ g->axis.width + LABEL_GAP, -LEGIBLE }, "not waiting");
}

/* ---- Key */

/* A swatch and its text; returns where the next one begins. */
static double put_key(const struct lsi_gantt *g, struct lsi_element swatch, const char *text)
{
	const double middle = (swatch.from.y + swatch.to.y) / 2;

	swatch.to.x = swatch.from.x + SWATCH;
	lsi_scene_add(g->scene, &swatch);
	lsi_scene_put_text(g->scene, LSI_TEXT_AXIS, LSI_ANCHOR_START,
		(struct lsi_point){ swatch.to.x + 6, middle }, text);
	return swatch.to.x + 6 + lsi_text_width(LSI_TEXT_AXIS, text) + 2 * LABEL_GAP;
}

static struct lsi_element swatch_at(double x, double y, double height, const char *variant)
{
	struct lsi_element swatch =
		lsi_element_at(LSI_SHAPE_CELL, (struct lsi_point){ x, y - height / 2 });

	swatch.to.y = y + height / 2;
	swatch.variant = variant;
	return swatch;
}

void lsi_gantt_put_keys(const struct lsi_gantt *g, double top)
{
	const double y = top + KEY / 2.0;
	struct lsi_element way;
	double x = 0;

	x = put_key(g, swatch_at(x, y, 12, "wait"), "waits for a message of the node with this number");
	x = put_key(g, swatch_at(x, y, 12, "band odd"), "odd step");
	x = put_key(g, swatch_at(x, y, 12, "band"), "even step");
	way = swatch_at(x, y, 5, "way");
	way.color = 0;
	put_key(g, way, "message on its way to the node");
}
