#include "support/svg_picture.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/guard.h"
#include "support/style_sheet.h"
#include "support/svg_path.h"

struct reading {
	struct picture *picture;
	const char *sheet;
	struct style_value *color; /* two by text; they last as long as the picture */
};

static bool refuse(struct picture *p, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
static bool refuse(struct picture *p, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(p->why, sizeof p->why, format, arguments);
	va_end(arguments);
	return false;
}

/* ---- Numbers */

static double number_of(const struct xml_element *element, const char *key)
{
	const char *value = xml_value(element, key);

	return value ? strtod(value, NULL) : 0;
}

/* The transforms of an element and those around it: translate, then perhaps scale. */
static struct place place_of(const struct xml *xml, int index)
{
	struct place place = { 0, 0, 1, -1 };

	for (int i = index; i >= 0; i = xml->element[i].parent) {
		const char *transform = xml_value(&xml->element[i], "transform");
		double x = 0, y = 0, scale = 1;

		if (!transform)
			continue;
		if (sscanf(transform, "translate(%lf,%lf) scale(%lf)", &x, &y, &scale) < 2)
			place.scale = NAN; /* nothing is then inside the page */
		place = (struct place){ x + scale * place.x, y + scale * place.y, scale * place.scale,
			place.part < 0 ? i : place.part };
	}
	return place;
}

static void cover(struct picture *p, struct frame frame)
{
	p->drawn = (struct frame){ fmin(p->drawn.left, frame.left), fmin(p->drawn.top, frame.top),
		fmax(p->drawn.right, frame.right), fmax(p->drawn.bottom, frame.bottom) };
	if (!(frame.left >= frame.right || frame.left < frame.right)) /* not a number */
		p->drawn.left = -INFINITY;
}

static void cover_spot(struct picture *p, struct spot at, double half)
{
	cover(p, (struct frame){ at.x - half, at.y - half, at.x + half, at.y + half });
}

/* ---- Lines */

/* The rectangles of an area: m dx,dy h w v h h -w z, from where the last one began. */
static bool see_area(struct picture *p, const struct xml_element *element, const struct place *at)
{
	const char *d = xml_value(element, "d");
	double x = 0, y = 0, dx, dy, width, height;
	int length = 0;

	for (; *d; d += length) {
		length = 0;
		if (sscanf(d, "m%lf,%lfh%lfv%lfh%*fz%n", &dx, &dy, &width, &height, &length) != 4
			|| length == 0)
			return refuse(p, "an area '%.60s'", d);
		x += dx;
		y += dy;
		cover_spot(p, on_page(at, x, y), 0.5);
		cover_spot(p, on_page(at, x + width, y + height), 0.5);
	}
	return true;
}

static void see_arrow(struct picture *p, const struct seen_link *line, bool is_head)
{
	struct frame frame = { INFINITY, INFINITY, -INFINITY, -INFINITY };

	for (int i = 0; i < line->points; i++)
		frame =
			(struct frame){ fmin(frame.left, line->point[i].x), fmin(frame.top, line->point[i].y),
				fmax(frame.right, line->point[i].x), fmax(frame.bottom, line->point[i].y) };
	p->arrow[p->arrows++] = (struct seen_arrow){ *line, frame, is_head };
}

static bool see_path(struct reading *r, const struct xml_element *element, const struct place *at)
{
	struct picture *p = r->picture;
	struct seen_link link = { .part = at->part,
		.src = xml_number(element, "data-src"),
		.dst = xml_number(element, "data-dst"),
		.scale = at->scale };

	if (xml_has_class(element, "area"))
		return see_area(p, element, at);
	link.points =
		read_path(xml_value(element, "d") ? xml_value(element, "d") : "?", at, link.point);
	if (link.points < 2)
		return refuse(p, "a path '%.60s'", xml_value(element, "d"));
	for (int i = 0; i < link.points; i++)
		cover_spot(p, link.point[i], 0.5);
	if (xml_has_class(element, "link"))
		p->link[p->links++] = link;
	if (xml_has_class(element, "shaft") || xml_has_class(element, "head"))
		see_arrow(p, &link, xml_has_class(element, "head"));
	return true;
}

static void see_points(struct picture *p, const struct xml_element *element, const struct place *at)
{
	const char *points = xml_value(element, "points");
	double x, y;

	while (points && read_pair(&points, &x, &y))
		cover_spot(p, on_page(at, x, y), 0.5);
}

/* ---- Messages */

static bool see_message(struct picture *p, const struct xml_element *element)
{
	const struct ls_record there = { .round = xml_number(element, "data-round"),
		.src = xml_number(element, "data-src"),
		.dst = xml_number(element, "data-dst"),
		.words = (size_t)xml_number(element, "data-words") };
	const struct ls_record back = { .round = there.round,
		.src = there.dst,
		.dst = there.src,
		.words = (size_t)xml_number(element, "data-words-back") };
	const bool is_exchange = xml_has_class(element, "exchange");

	if (there.round < 0 || there.src < 0 || there.dst < 0)
		return true;
	if (!xml_value(element, "data-words") || is_exchange != !!xml_value(element, "data-words-back")
		|| is_exchange == xml_has_class(element, "message")
		|| (is_exchange && there.src >= there.dst))
		return refuse(p, "message %lld -> %lld of round %lld: classes or words",
			(long long)there.src, (long long)there.dst, (long long)there.round);
	p->message[p->messages++] = there;
	if (is_exchange)
		p->message[p->messages++] = back;
	return true;
}

static int compare_messages(const void *one, const void *other)
{
	const struct ls_record *a = one, *b = other;
	const int64_t difference[] = { a->round - b->round, a->src - b->src, a->dst - b->dst,
		(int64_t)a->words - (int64_t)b->words };

	for (int i = 0; i < 4; i++) {
		if (difference[i] != 0)
			return difference[i] < 0 ? -1 : 1;
	}
	return 0;
}

void sort_messages(struct ls_record *message, size_t n)
{
	if (n > 0)
		qsort(message, n, sizeof *message, compare_messages);
}

/* ---- Texts */

static bool is_in_node(const struct picture *p, const struct xml_element *element)
{
	return element->parent >= 0 && xml_has_class(&p->xml.element[element->parent], "node");
}

/* A cell of a table of numbers is drawn just before its text, and has a color of its own. */
static bool find_cell_colors(
	const struct reading *r, const struct xml_element *element, struct style_value color[2])
{
	const struct xml_element *cell = &r->picture->xml.element[element->parent];
	const char *style = xml_value(cell + 1, "style");
	const bool is_dark = xml_has_class(cell, "on-dark");

	if (!is_dark && !xml_has_class(cell, "on-light"))
		return false;
	color[0] = style_value(r->sheet, is_dark ? ".on-dark text" : ".on-light text", "fill");
	snprintf(color[1].text, sizeof color[1].text, "%s", style ? style + strlen("fill:") : "");
	return true;
}

/* Of a text, and of what is behind it. */
static void find_colors(
	const struct reading *r, const struct xml_element *element, struct style_value color[2])
{
	const struct xml_element *parent =
		element->parent < 0 ? NULL : &r->picture->xml.element[element->parent];
	const char *behind = is_in_node(r->picture, element) ? ".node circle"
		: parent && xml_has_class(parent, "wait")        ? ".cell.wait rect"
														 : ".background";

	if (find_cell_colors(r, element, color))
		return;
	color[0] = style_of_classes(r->sheet, xml_value(element, "class"), "fill");
	color[1] = style_value(r->sheet, behind, "fill");
}

static bool see_text(struct reading *r, const struct xml_element *element, const struct place *at)
{
	struct picture *p = r->picture;
	const struct style_value font = style_of_classes(r->sheet, xml_value(element, "class"), "font");
	const bool is_bold = strncmp(font.text, "bold ", 5) == 0;
	const double size = strtod(font.text + (is_bold ? 5 : 0), NULL) * at->scale;
	const struct spot middle = on_page(at, number_of(element, "x"), number_of(element, "y"));
	struct seen_text *text = &p->text[p->texts];
	size_t characters = 0;

	for (const char *c = element->text; *c; c++)
		characters += (*c & 0xc0) != 0x80;
	if (!(size > 0) || characters == 0 || strcmp(xml_value(element, "dy"), ".36em") != 0)
		return refuse(p, "a text '%.40s' without a font, or empty", element->text);

	const double width = (is_bold ? 0.66 : 0.6) * size * (double)characters;
	const double left = middle.x
		- (xml_has_class(element, "mid")        ? width / 2
				: xml_has_class(element, "end") ? width
												: 0);
	struct style_value *color = &r->color[2 * p->texts++];

	find_colors(r, element, color);
	*text = (struct seen_text){ { left, middle.y - size / 2, left + width, middle.y + size / 2 },
		element->text, is_in_node(p, element), color[0].text, color[1].text };
	cover(p, text->frame);
	return true;
}

/* ---- Elements */

static void see_circle(struct picture *p, const struct xml_element *element, const struct place *at)
{
	const struct spot middle = on_page(at, number_of(element, "cx"), number_of(element, "cy"));

	cover_spot(p, middle, number_of(element, "r") * at->scale);
	if (is_in_node(p, element))
		p->node[p->nodes++] =
			(struct seen_node){ at->part, xml_number(&p->xml.element[element->parent], "data-node"),
				middle, number_of(element, "r") * at->scale };
}

static void see_rect(struct picture *p, const struct xml_element *element, const struct place *at)
{
	const double x = number_of(element, "x"), y = number_of(element, "y"),
				 width = number_of(element, "width"), height = number_of(element, "height");

	if (xml_has_class(element, "background"))
		return;
	cover_spot(p, on_page(at, x, y), 0.5);
	cover_spot(p, on_page(at, x + width, y + height), 0.5);
	if (is_in_node(p, element))
		p->node[p->nodes++] =
			(struct seen_node){ at->part, xml_number(&p->xml.element[element->parent], "data-node"),
				on_page(at, x + width / 2, y + height / 2), width / 2 * at->scale };
}

static bool see_element(struct reading *r, int index)
{
	static const char *const silent[] = { "svg", "g", "title", "desc", "metadata", "style" };
	struct picture *p = r->picture;
	const struct xml_element *element = &p->xml.element[index];
	const struct place place = place_of(&p->xml, index);

	if (!see_message(p, element))
		return false;
	if (!strcmp(element->name, "path"))
		return see_path(r, element, &place);
	if (!strcmp(element->name, "text"))
		return see_text(r, element, &place);
	if (!strcmp(element->name, "circle"))
		see_circle(p, element, &place);
	else if (!strcmp(element->name, "rect"))
		see_rect(p, element, &place);
	else if (!strcmp(element->name, "polyline") || !strcmp(element->name, "polygon"))
		see_points(p, element, &place);
	else {
		for (size_t i = 0; i < sizeof silent / sizeof *silent; i++) {
			if (!strcmp(element->name, silent[i]))
				return true;
		}
		return refuse(p, "an element '%s'", element->name);
	}
	return true;
}

static const char *text_of_first(const struct xml *xml, const char *name)
{
	for (int i = 0; i < xml->elements; i++) {
		if (!strcmp(xml->element[i].name, name))
			return xml->element[i].text;
	}
	return "";
}

bool picture_read(const char *svg, struct picture *p)
{
	struct reading r = { .picture = p };
	bool right;

	*p = (struct picture){ .drawn = { INFINITY, INFINITY, -INFINITY, -INFINITY } };
	if (!xml_read(svg, &p->xml))
		return refuse(p, "%s", p->xml.why);

	const size_t n = (size_t)p->xml.elements + 1;
	const char *box = xml_value(&p->xml.element[0], "viewBox");

	p->message = memory(2 * n, sizeof *p->message);
	p->link = memory(n, sizeof *p->link);
	p->arrow = memory(n, sizeof *p->arrow);
	p->node = memory(n, sizeof *p->node);
	p->text = memory(n, sizeof *p->text);
	p->colors = r.color = memory(2 * n, sizeof *r.color);
	r.sheet = text_of_first(&p->xml, "style");
	right = box && sscanf(box, "0 0 %lf %lf", &p->page.right, &p->page.bottom) == 2;
	if (!right)
		refuse(p, "no page");
	for (int i = 0; i < p->xml.elements && right; i++)
		right = see_element(&r, i);
	sort_messages(p->message, p->messages);
	return right;
}

void picture_release(struct picture *p)
{
	xml_release(&p->xml);
	free(p->message);
	free(p->link);
	free(p->arrow);
	free(p->node);
	free(p->text);
	free(p->colors);
}
