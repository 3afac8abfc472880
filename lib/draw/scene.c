#include "draw/scene.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "draw/geometry.h"

enum { FIRST_ROOM = 64, GAP = 24 /* px between groups */ };

const struct lsi_text_look lsi_text_looks[LSI_TEXT_STYLES] = {
	[LSI_TEXT_RANK] = { "rank", 13, false, false, false },
	[LSI_TEXT_NAME] = { "name", 11, true, false, true },
	[LSI_TEXT_CONTENTS] = { "contents", 11, true, false, true },
	[LSI_TEXT_NUMBER] = { "number", 13, false, true, true },
	[LSI_TEXT_LOAD] = { "load-number", 11, false, true, true },
	[LSI_TEXT_PANEL] = { "panel-title", 13, false, false, false },
	[LSI_TEXT_TITLE] = { "title", 14, false, true, false },
	[LSI_TEXT_CAPTION] = { "caption", 12, false, false, false },
	[LSI_TEXT_AXIS] = { "axis", 11, false, false, false },
};

void lsi_scene_release(struct lsi_scene *scene)
{
	lsi_arena_release(&scene->arena);
	lsi_free(scene->group);
	lsi_free(scene->mark);
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

struct lsi_group *lsi_scene_group(struct lsi_scene *scene, const char *name, int64_t round)
{
	static struct lsi_group none;
	struct lsi_group *group =
		grow(scene, scene->group, scene->groups, &scene->room_groups, sizeof *group);

	if (!group)
		return &none;
	scene->group = group;
	group += scene->groups++;
	*group = (struct lsi_group){
		.name = name, .scale = 1, .round = round, .first = scene->marks, .box = LSI_EMPTY_BOX
	};
	return group;
}

struct lsi_mark lsi_mark_at(enum lsi_shape shape, struct lsi_point at)
{
	return (struct lsi_mark){ .shape = shape,
		.from = at,
		.to = at,
		.color = -1,
		.shade = -1,
		.node = -1,
		.round = -1,
		.src = -1,
		.dst = -1,
		.words = -1,
		.words_back = -1 };
}

void lsi_scene_add(struct lsi_scene *scene, const struct lsi_mark *mark)
{
	struct lsi_mark *marks =
		grow(scene, scene->mark, scene->marks, &scene->room_marks, sizeof *mark);

	if (!marks || scene->groups == 0)
		return;

	struct lsi_group *group = &scene->group[scene->groups - 1];

	scene->mark = marks;
	marks[scene->marks++] = *mark;
	group->marks++;
	group->box = lsi_box_union(group->box, lsi_mark_box(mark));
}

const char *lsi_scene_text(struct lsi_scene *scene, const char *format, ...)
{
	va_list arguments, again;

	va_start(arguments, format);
	va_copy(again, arguments);

	const int length = vsnprintf(NULL, 0, format, arguments);
	char *text = length < 0 ? NULL : lsi_arena_take(&scene->arena, (size_t)length + 1, 1);

	va_end(arguments);
	if (text)
		vsnprintf(text, (size_t)length + 1, format, again);
	va_end(again);
	scene->no_memory |= !text;
	return text;
}

void lsi_scene_put_text(struct lsi_scene *scene, enum lsi_text_style style, enum lsi_anchor anchor,
	struct lsi_point at, const char *text)
{
	struct lsi_mark mark = lsi_mark_at(LSI_SHAPE_TEXT, at);

	if (!text)
		return;
	mark.text = text;
	mark.style = style;
	mark.anchor = anchor;
	lsi_scene_add(scene, &mark);
}

/* ---- Measure */

/* Characters of UTF-8. */
static size_t count_characters(const char *text)
{
	size_t n = 0;

	for (; *text; text++)
		n += (*text & 0xc0) != 0x80;
	return n;
}

double lsi_text_width(enum lsi_text_style style, const char *text)
{
	const struct lsi_text_look *look = &lsi_text_looks[style];

	return (look->bold ? 0.66 : 0.6) * look->size * (double)count_characters(text);
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

/* The curve reaches half the way to its control point. */
static struct lsi_box line_box(const struct lsi_mark *mark)
{
	struct lsi_box box = LSI_EMPTY_BOX;
	const int steps = mark->curved ? 16 : 1;
	const double half =
		mark->shape == LSI_SHAPE_MESSAGE || mark->shape == LSI_SHAPE_EXCHANGE ? LSI_HEAD / 2.0 : 1;

	for (int i = 0; i <= steps; i++)
		box = lsi_box_union(box,
			lsi_box_around(lsi_mark_point(mark, (double)i / steps), fmax(half, mark->width / 2)));
	return box;
}

static struct lsi_box points_box(const struct lsi_mark *mark)
{
	struct lsi_box box = LSI_EMPTY_BOX;

	for (int i = 0; i < mark->n_points; i++)
		box = lsi_box_union(box, lsi_box_around(mark->points[i], 2));
	return box;
}

struct lsi_box lsi_mark_box(const struct lsi_mark *mark)
{
	switch (mark->shape) {
	case LSI_SHAPE_NODE:
		return lsi_box_around(mark->from, LSI_RADIUS + 2);
	case LSI_SHAPE_SWITCH:
		return lsi_box_around(mark->from, LSI_RADIUS / 2.0 + 1);
	case LSI_SHAPE_TEXT:
		return lsi_text_box(mark->style, mark->anchor, mark->from, mark->text);
	case LSI_SHAPE_CELL:
		return (struct lsi_box){ mark->from.x, mark->from.y, mark->to.x, mark->to.y };
	case LSI_SHAPE_CURVE:
		return points_box(mark);
	default:
		return line_box(mark);
	}
}

/* ---- Arrange */

double lsi_scene_arrange(struct lsi_scene *scene, size_t first, int columns, double top)
{
	struct lsi_box cell = LSI_EMPTY_BOX;
	size_t rows;

	for (size_t i = first; i < scene->groups; i++) {
		const struct lsi_group *group = &scene->group[i];
		const struct lsi_box scaled = { group->box.left * group->scale,
			group->box.top * group->scale, group->box.right * group->scale,
			group->box.bottom * group->scale };

		cell = lsi_box_union(cell, scaled);
	}
	if (first == scene->groups)
		return top;
	rows = (scene->groups - first + (size_t)columns - 1) / (size_t)columns;
	for (size_t i = first; i < scene->groups; i++) {
		const size_t k = i - first;

		scene->group[i].x =
			LSI_MARGIN - cell.left + (double)(k % (size_t)columns) * (cell.right - cell.left + GAP);
		scene->group[i].y =
			top - cell.top + (double)(k / (size_t)columns) * (cell.bottom - cell.top + GAP);
	}
	return top + (double)rows * (cell.bottom - cell.top + GAP) - GAP;
}

void lsi_scene_fit(struct lsi_scene *scene)
{
	double right = 0, bottom = 0;

	for (size_t i = 0; i < scene->groups; i++) {
		const struct lsi_group *group = &scene->group[i];

		if (group->marks == 0)
			continue;
		right = fmax(right, group->x + group->scale * group->box.right);
		bottom = fmax(bottom, group->y + group->scale * group->box.bottom);
	}
	scene->width = ceil(right + LSI_MARGIN);
	scene->height = ceil(bottom + LSI_MARGIN);
}
