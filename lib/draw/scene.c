/*
 * Building a scene, measuring its elements, and arranging its parts.
 *
 * The elements of all parts are one array, and each part is a range of it.  Elements are only
 * added to the last part, so ranges do not overlap; each addition enlarges the box of the part.
 *
 * Widths of texts are estimates: 0.6 of the font size for each character, 0.66 in bold.  So no font
 * is read, and a picture does not depend on those of the system.
 *
 * lsi_scene_arrange places parts in cells of one size, here in rows of two columns:
 *
 *          +-------+ GAP +-------+   `top`
 *          |  . 0  |     |  . 1  |
 *          +-------+     +-------+   The cell is the union of the boxes of all parts, and '.' is
 *          +-------+ GAP             the origin of a part: at the same place in each cell.  So a
 *          |  . 2  |                 node of the network is at the same place in all panels.
 *          +-------+
 */
#include "draw/scene.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "base/alloc.h"
#include "draw/character.h"
#include "draw/geometry.h"

enum { FIRST_ROOM = 64, GAP = 24 /* px between parts */ };

const struct lsi_text_look lsi_text_looks[LSI_TEXT_STYLES] = {
	[LSI_TEXT_RANK] = { "rank", 13, false, false, false, false },
	[LSI_TEXT_NAME] = { "name", 11, true, false, true, true },
	[LSI_TEXT_CONTENTS] = { "contents", 11, true, false, true, false },
	[LSI_TEXT_NUMBER] = { "number", 13, false, true, true, false },
	[LSI_TEXT_LOAD] = { "load-number", 11, false, true, true, false },
	[LSI_TEXT_PANEL] = { "panel-title", 13, false, false, false, false },
	[LSI_TEXT_TITLE] = { "title", 14, false, true, false, false },
	[LSI_TEXT_CAPTION] = { "caption", 12, false, false, false, true },
	[LSI_TEXT_AXIS] = { "axis", 11, false, false, false, true },
};

void lsi_scene_release(struct lsi_scene *scene)
{
	lsi_arena_release(&scene->arena);
	lsi_free(scene->part);
	lsi_free(scene->element);
}

/* Room for one more of n elements; NULL: no memory, and the old ones stay. */
static void *grow(struct lsi_scene *scene, void *old, size_t n, size_t *room, size_t bytes)
{
	if (n < *room)
		return old;

	const size_t more = *room ? 2 * *room : FIRST_ROOM;
	void *larger = lsi_alloc_grow(old, n * bytes, more * bytes);

	scene->no_memory |= !larger;
	if (larger)
		*room = more;
	return larger;
}

/* Without memory, the caller may still set the fields of `none`, which is in no scene. */
struct lsi_scene_part *lsi_scene_begin(struct lsi_scene *scene, const char *name, int64_t round)
{
	static struct lsi_scene_part none;
	struct lsi_scene_part *part =
		grow(scene, scene->part, scene->parts, &scene->room_parts, sizeof *part);

	if (!part)
		return &none;
	scene->part = part;
	part += scene->parts++;
	*part = (struct lsi_scene_part){
		.name = name, .scale = 1, .round = round, .first = scene->elements, .box = LSI_EMPTY_BOX
	};
	return part;
}

struct lsi_element lsi_element_at(enum lsi_shape shape, struct lsi_point at)
{
	return (struct lsi_element){ .shape = shape,
		.from = at,
		.to = at,
		.dash = -1,
		.color = -1,
		.shade = -1,
		.node = -1,
		.round = -1,
		.src = -1,
		.dst = -1,
		.words = -1,
		.words_back = -1,
		.link = -1,
		.count = -1,
		.core = -1,
		.begin_ns = -1,
		.end_ns = -1 };
}

bool lsi_element_is_arrow(const struct lsi_element *element)
{
	return element->shape == LSI_SHAPE_MESSAGE || element->shape == LSI_SHAPE_EXCHANGE;
}

void lsi_scene_add(struct lsi_scene *scene, const struct lsi_element *element)
{
	struct lsi_element *elements;

	if (scene->parts == 0) /* there was no memory for it */
		return;
	elements = grow(scene, scene->element, scene->elements, &scene->room_elements, sizeof *element);
	if (!elements)
		return;

	struct lsi_scene_part *part = &scene->part[scene->parts - 1];

	scene->element = elements;
	elements[scene->elements++] = *element;
	part->elements++;
	part->box = lsi_box_union(part->box, lsi_element_box(element));
}

const char *lsi_scene_text(struct lsi_scene *scene, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);

	const char *text = lsi_arena_print_list(&scene->arena, format, arguments);

	va_end(arguments);
	scene->no_memory |= !text;
	return text;
}

void lsi_scene_put_label(struct lsi_scene *scene, enum lsi_text_style style, enum lsi_anchor anchor,
	struct lsi_point at, int64_t node, const char *text)
{
	struct lsi_element element = lsi_element_at(LSI_SHAPE_TEXT, at);

	if (!text)
		return;
	element.text = text;
	element.style = style;
	element.anchor = anchor;
	element.node = node;
	lsi_scene_add(scene, &element);
}

void lsi_scene_put_text(struct lsi_scene *scene, enum lsi_text_style style, enum lsi_anchor anchor,
	struct lsi_point at, const char *text)
{
	lsi_scene_put_label(scene, style, anchor, at, -1, text);
}

void lsi_scene_put_rule(struct lsi_scene *scene, const char *variant, struct lsi_point from,
	struct lsi_point to, double width)
{
	struct lsi_element rule = lsi_element_at(LSI_SHAPE_RULE, from);

	rule.to = to;
	rule.variant = variant;
	rule.width = width;
	lsi_scene_add(scene, &rule);
}

/* ---- Measure */

double lsi_text_width(enum lsi_text_style style, const char *text)
{
	const struct lsi_text_look *look = &lsi_text_looks[style];

	return (look->bold ? 0.66 : 0.6) * look->size * (double)lsi_count_characters(text);
}

struct lsi_box lsi_text_box(
	enum lsi_text_style style, enum lsi_anchor anchor, struct lsi_point at, const char *text)
{
	const double width = lsi_text_width(style, text), height = lsi_text_looks[style].size;
	const double left = at.x
		- (anchor == LSI_ANCHOR_MIDDLE     ? width / 2
				: anchor == LSI_ANCHOR_END ? width
										   : 0);

	return (struct lsi_box){ left, at.y - 0.55 * height, left + width, at.y + 0.55 * height };
}

/*
 * The box of 17 points of a curve: the box of its three control points would be larger, since the
 * curve reaches only half the way to `via`.  An arrow is as wide as its head.
 */
static struct lsi_box line_box(const struct lsi_element *element)
{
	struct lsi_box box = LSI_EMPTY_BOX;
	const int steps = element->curved ? 16 : 1;
	const double half = lsi_element_is_arrow(element) ? LSI_HEAD / 2.0 : 1;

	for (int i = 0; i <= steps; i++)
		box = lsi_box_union(box,
			lsi_box_around(
				lsi_element_point(element, (double)i / steps), fmax(half, element->width / 2)));
	for (int i = 0; i < element->n_points; i++)
		box = lsi_box_union(box, lsi_box_around(element->points[i], half));
	return box;
}

static struct lsi_box points_box(const struct lsi_element *element)
{
	const double radius = element->shape == LSI_SHAPE_AREA ? element->width / 2 : 2;
	struct lsi_box box = LSI_EMPTY_BOX;

	for (int i = 0; i < element->n_points; i++)
		box = lsi_box_union(box, lsi_box_around(element->points[i], radius));
	return box;
}

struct lsi_box lsi_element_box(const struct lsi_element *element)
{
	switch (element->shape) {
	case LSI_SHAPE_NODE:
		return lsi_box_around(element->from, LSI_RADIUS + 2);
	case LSI_SHAPE_SWITCH:
		return lsi_box_around(element->from, LSI_RADIUS / 2.0 + 1);
	case LSI_SHAPE_TEXT:
		return lsi_text_box(element->style, element->anchor, element->from, element->text);
	case LSI_SHAPE_CELL:
		return (struct lsi_box){ element->from.x, element->from.y, element->to.x, element->to.y };
	case LSI_SHAPE_CURVE:
	case LSI_SHAPE_AREA:
		return points_box(element);
	default:
		return line_box(element);
	}
}

/* ---- Arrange */

/* The box of a part on the page, were its origin that of the page. */
static struct lsi_box scaled_box(const struct lsi_scene_part *part)
{
	return (struct lsi_box){ part->box.left * part->scale, part->box.top * part->scale,
		part->box.right * part->scale, part->box.bottom * part->scale };
}

double lsi_scene_arrange(struct lsi_scene *scene, size_t first, int columns, double top)
{
	struct lsi_box cell = LSI_EMPTY_BOX;
	size_t rows;

	for (size_t i = first; i < scene->parts; i++)
		cell = lsi_box_union(cell, scaled_box(&scene->part[i]));
	if (first == scene->parts)
		return top;
	rows = (scene->parts - first + (size_t)columns - 1) / (size_t)columns;
	for (size_t i = first; i < scene->parts; i++) {
		const size_t k = i - first;

		scene->part[i].x =
			LSI_MARGIN - cell.left + (double)(k % (size_t)columns) * (cell.right - cell.left + GAP);
		scene->part[i].y =
			top - cell.top + (double)(k / (size_t)columns) * (cell.bottom - cell.top + GAP);
	}
	return top + (double)rows * (cell.bottom - cell.top + GAP) - GAP;
}

struct lsi_point lsi_scene_put_part(struct lsi_scene *scene, size_t i, double left, double top)
{
	struct lsi_scene_part *part = scene->part + i;
	struct lsi_box box;

	if (i >= scene->parts || part->elements == 0)
		return (struct lsi_point){ left, top };
	box = scaled_box(part);
	part->x = left - box.left;
	part->y = top - box.top;
	return (struct lsi_point){ part->x + box.right, part->y + box.bottom };
}

double lsi_scene_put_origin(struct lsi_scene *scene, double left, double top)
{
	struct lsi_box box = LSI_EMPTY_BOX;

	for (size_t i = 0; i < scene->parts; i++)
		box = lsi_box_union(box, scaled_box(&scene->part[i]));
	for (size_t i = 0; i < scene->parts; i++) {
		scene->part[i].x = ceil(left - box.left);
		scene->part[i].y = ceil(top - box.top);
	}
	return ceil(top - box.top) + box.bottom;
}

void lsi_scene_fit(struct lsi_scene *scene)
{
	double right = 0, bottom = 0;

	for (size_t i = 0; i < scene->parts; i++) {
		const struct lsi_scene_part *part = &scene->part[i];

		if (part->elements == 0)
			continue;
		right = fmax(right, part->x + part->scale * part->box.right);
		bottom = fmax(bottom, part->y + part->scale * part->box.bottom);
	}
	scene->width = ceil(right + LSI_MARGIN);
	scene->height = ceil(bottom + LSI_MARGIN);
}
