/*
 * Panels in rows: all have one scale and one box, so that the nodes stand at the same places.
 *
 *   +------------+ GAP +------------+
 *   | (a) before |     | (b) step 1 |    TITLE px above the union of the boxes
 *   |  o    o    |     |  o--->o    |
 *   |  o    o    |     |  o    o    |
 *   +------------+     +------------+
 *
 * Of wide panels fewer share the width of the page, so that their texts stay legible.
 *
 * Boxes are in px before a panel is scaled, and titles in px of the page: so the room for a title
 * is divided by the scale.
 */
#include <inttypes.h>
#include <math.h>

#include "draw/geometry.h"
#include "draw/panel.h"

enum {
	TITLE = 24,
	GAP = 24,                    /* between panels */
	WIDTH = 980 - 2 * LSI_MARGIN /* that they share */
};

/* Panels share the width of the page, if they stay legible. */
static double scale_of(const struct lsi_panel_rows *rows, struct lsi_box box, int columns)
{
	return fmin(rows->scale_most,
		fmax(rows->scale_least, ((double)WIDTH / columns - GAP) / (box.right - box.left)));
}

/* Three panels share the width, or fewer and larger ones while the page is not higher than wide. */
static int sharing(const struct lsi_panel_rows *rows, struct lsi_box box, int panels)
{
	int columns = rows->columns > 0 ? rows->columns : 3;

	while (rows->columns == 0 && columns > 1 && scale_of(rows, box, columns) < rows->scale_most) {
		const double scale = scale_of(rows, box, columns - 1);
		const int lines = (panels + columns - 2) / (columns - 1);

		if (lines * (scale * (box.bottom - box.top) + TITLE + GAP) > WIDTH)
			break;
		columns--;
	}
	return columns;
}

static void unite_boxes(struct lsi_scene *scene, const struct lsi_panel_rows *rows)
{
	const struct lsi_scene_part *first = &scene->part[rows->first];
	const bool is_cut = first->round < 0 && first[1].round > 1;
	const char *longest = is_cut ? "(a) before step 100"
		: rows->lettered         ? "(a) step 100"
								 : "step 100";
	struct lsi_box box = LSI_EMPTY_BOX;
	double scale, lacking;

	for (size_t i = rows->first; i < scene->parts; i++)
		box = lsi_box_union(box, scene->part[i].box);
	scale = scale_of(rows, box, sharing(rows, box, (int)(scene->parts - rows->first)));
	lacking = lsi_text_width(LSI_TEXT_PANEL, longest) / scale - (box.right - box.left);
	box.left -= fmax(0, lacking / 2);
	box.right += fmax(0, lacking / 2);
	box.top -= TITLE / scale;
	for (size_t i = rows->first; i < scene->parts; i++) {
		scene->part[i].box = box;
		scene->part[i].scale = scale;
	}
}

/* As many as fit the page, in rows of about equal length. */
static int columns_of(const struct lsi_scene *scene, const struct lsi_panel_rows *rows)
{
	const struct lsi_scene_part *part = &scene->part[rows->first];
	const double width = (part->box.right - part->box.left) * part->scale + GAP;
	const int panels = (int)(scene->parts - rows->first);
	const int most = (int)fmax(1, (WIDTH + GAP) / width), n = (panels + most - 1) / most;

	return (panels + n - 1) / n;
}

/* "step 4"; "before", or "before step 4" if other steps come before it. */
static const char *title_of(struct lsi_scene *scene, const struct lsi_scene_part *part)
{
	if (part->round >= 0)
		return lsi_scene_text(scene, "step %" PRId64, part->round);
	return part[1].round > 1 ? lsi_scene_text(scene, "before step %" PRId64, part[1].round)
							 : "before";
}

/* Above panel i of them; without a round it is the state before that of the next panel. */
static void put_title(struct lsi_scene *scene, const struct lsi_panel_rows *rows, int i)
{
	const struct lsi_scene_part *part = &scene->part[rows->first + (size_t)i];
	const struct lsi_point at = { part->x + part->scale * (part->box.left + part->box.right) / 2,
		part->y + part->scale * part->box.top + TITLE / 2.0 };
	const char *text = title_of(scene, part);

	if (rows->lettered && text)
		text = lsi_scene_text(scene, "(%c) %s", 'a' + i, text);
	lsi_scene_put_text(scene, LSI_TEXT_PANEL, LSI_ANCHOR_MIDDLE, at, text);
}

double lsi_panels_arrange(struct lsi_scene *scene, struct lsi_panel_rows rows, double top)
{
	const int panels = (int)(scene->parts - rows.first);
	double bottom;

	if (panels == 0)
		return top;
	unite_boxes(scene, &rows);
	if (rows.columns == 0)
		rows.columns = columns_of(scene, &rows);
	bottom = lsi_scene_arrange(scene, rows.first, rows.columns, top);
	lsi_scene_begin(scene, "panel-titles", -1);
	for (int i = 0; i < panels && !scene->no_memory; i++)
		put_title(scene, &rows, i);
	return bottom;
}
