/*
 * The units that are linked to the unit in the frame, those with the least link numbers on top:
 *
 *   frame            boxes
 *   +----------+     +-----------------------------+
 *   |          |-----| unit 1: ***0                |    The more links, the wider is the line.
 *   |   unit   |     | 6 x link 5, 12 messages     |
 *   |          |     +-----------------------------+
 *   |          |     +-----------------------------+
 *   |          |-----| unit 4: ***1                |
 *   +----------+     ..
 *                    3 further units ..                 what has no box
 *
 * Up to 14 boxes are one column.  More are columns of 12 without lines, which would cross boxes.
 */
#include "draw/unit_boxes.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
	MOST = 48,   /* boxes */
	LINED = 14,  /* most boxes with lines to the unit */
	COLUMN = 12, /* boxes of a column, if there are more */
	HEIGHT = 38, /* px of a box */
	PAD = 10,
	SPACE = 8, /* between boxes */
	GAP = 56,  /* between the frame and the boxes */
	LINE = 15,
	NAME = 24 /* longest label of a unit that is shown */
};

struct boxes {
	struct lsi_scene *scene;
	const struct lsi_unit_links *links;
	struct lsi_box frame;
	int n, rows;
	double width; /* of a box */
};

/* A unit: the links first .. end - 1. */
struct linked_unit {
	size_t first, end;
	const char *name, *text;
};

/* ---- Texts */

/* "unit 12: ****567" */
static const char *name_of(const struct boxes *b, int64_t unit)
{
	char name[LSI_UNIT_NAME];

	lsi_unit_name(b->links->topology, unit, b->links->nodes, name);
	if (strlen(name) > NAME)
		name[0] = '\0';
	return lsi_scene_text(b->scene, "unit %" PRId64 "%s%s", unit, *name ? ": " : "", name);
}

/* "6 x link 5, 12 messages" */
static const char *text_of(const struct boxes *b, size_t first, size_t end)
{
	char text[240] = "";
	int64_t messages = 0;
	size_t used = 0;

	for (size_t i = first; i < end; i++) {
		const struct lsi_unit_link *link = &b->links->link[i];

		messages += link->messages;
		if (used < sizeof text)
			used += (size_t)snprintf(text + used, sizeof text - used,
				"%s%" PRId64 " x link %" PRId64, used ? ", " : "", link->links, link->number);
	}
	if (messages > 0 && used < sizeof text)
		snprintf(text + used, sizeof text - used, ", %" PRId64 " message%s", messages,
			messages == 1 ? "" : "s");
	return lsi_scene_text(b->scene, "%s", text);
}

/* The unit whose links begin at `first`. */
static struct linked_unit unit_at(const struct boxes *b, size_t first)
{
	struct linked_unit unit = { .first = first, .end = first };

	while (unit.end < b->links->n && b->links->link[unit.end].unit == b->links->link[first].unit)
		unit.end++;
	unit.name = name_of(b, b->links->link[first].unit);
	unit.text = text_of(b, first, unit.end);
	return unit;
}

/* ---- Boxes */

static double top_of(const struct boxes *b)
{
	const double height = b->rows * (HEIGHT + SPACE) - SPACE;

	return fmax(b->frame.top, (b->frame.top + b->frame.bottom - height) / 2);
}

static struct lsi_point corner_of(const struct boxes *b, int i)
{
	return (struct lsi_point){ b->frame.right + GAP + i / b->rows * (b->width + SPACE),
		top_of(b) + i % b->rows * (HEIGHT + SPACE) };
}

/* The more links, the wider. */
static void put_line(const struct boxes *b, int i, int64_t links)
{
	const struct lsi_point corner = corner_of(b, i);
	const double height = b->frame.bottom - b->frame.top;

	lsi_scene_put_rule(b->scene, NULL,
		(struct lsi_point){ b->frame.right, b->frame.top + (i + 0.5) * height / b->n },
		(struct lsi_point){ corner.x, corner.y + HEIGHT / 2.0 }, 1 + log2((double)links));
}

static void put_box(const struct boxes *b, int i, const struct linked_unit *unit)
{
	struct lsi_element box = lsi_element_at(LSI_SHAPE_CELL, corner_of(b, i));
	const double x = box.from.x + PAD, y = box.from.y + HEIGHT / 2.0;

	box.to = (struct lsi_point){ box.from.x + b->width, box.from.y + HEIGHT };
	box.variant = "unit";
	box.node = b->links->link[unit->first].unit * b->links->nodes;
	box.count = 0;
	for (size_t k = unit->first; k < unit->end; k++)
		box.count += b->links->link[k].links;
	if (b->n <= LINED)
		put_line(b, i, box.count);
	lsi_scene_add(b->scene, &box);
	lsi_scene_put_text(b->scene, LSI_TEXT_NAME, LSI_ANCHOR_START,
		(struct lsi_point){ x, y - LINE / 2.0 }, unit->name);
	lsi_scene_put_text(b->scene, LSI_TEXT_AXIS, LSI_ANCHOR_START,
		(struct lsi_point){ x, y + LINE / 2.0 }, unit->text);
}

static void measure(struct boxes *b)
{
	size_t at = 0;

	b->n = b->links->units < MOST ? (int)b->links->units : MOST;
	b->rows = b->n <= LINED ? b->n : COLUMN;
	for (int i = 0; i < b->n; i++) {
		const struct linked_unit unit = unit_at(b, at);

		at = unit.end;
		if (unit.name && unit.text)
			b->width = fmax(b->width,
				2 * PAD
					+ fmax(lsi_text_width(LSI_TEXT_NAME, unit.name),
						lsi_text_width(LSI_TEXT_AXIS, unit.text)));
	}
}

/* What has no box. */
static void put_rest(const struct boxes *b, int64_t others)
{
	const int64_t hidden = b->links->units - b->n, apart = others - b->links->units;
	struct lsi_point at = corner_of(b, 0);

	at.y = top_of(b) + b->rows * (HEIGHT + SPACE) + LINE / 2.0;
	if (hidden > 0) {
		lsi_scene_put_text(b->scene, LSI_TEXT_AXIS, LSI_ANCHOR_START, at,
			lsi_scene_text(b->scene, "%" PRId64 " further units are linked to this one", hidden));
		at.y += LINE;
	}
	if (apart > 0)
		lsi_scene_put_text(b->scene, LSI_TEXT_AXIS, LSI_ANCHOR_START, at,
			lsi_scene_text(b->scene, "%" PRId64 " further unit%s not linked to it", apart,
				apart == 1 ? " is" : "s are"));
}

double lsi_unit_boxes_draw(
	struct lsi_scene *scene, const struct lsi_unit_links *links, struct lsi_box frame)
{
	struct boxes b = { .scene = scene, .links = links, .frame = frame };
	struct lsi_scene_part *part = lsi_scene_begin(scene, "units", -1);
	size_t at = 0;

	measure(&b);
	for (int i = 0; i < b.n && !scene->no_memory; i++) {
		const struct linked_unit unit = unit_at(&b, at);

		at = unit.end;
		put_box(&b, i, &unit);
	}
	if (b.n > 0)
		put_rest(&b, ls_topology_nodes(links->topology) / links->nodes - 1);
	return part->elements > 0 ? part->box.bottom : frame.bottom;
}
