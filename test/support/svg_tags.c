#include "support/svg_tags.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

ls_topology *drawn_network(const char *spec)
{
	ls_topology *t = NULL;

	if (ls_topology_make(spec, &t, NULL) != LS_OK)
		exit(EXIT_FAILURE);
	return t;
}

ls_plan *drawn_plan(const ls_topology *t, enum ls_operation operation, enum ls_mode mode)
{
	const struct ls_request request = {
		.size = sizeof request, .operation = operation, .topology = t, .mode = mode
	};
	ls_plan *plan = NULL;

	return ls_plan_make(&request, &plan, NULL) == LS_OK ? plan : NULL;
}

static int append(void *context, const char *text)
{
	struct drawn_page *picture = context;
	const size_t length = strlen(text);

	if (picture->length + length >= picture->room) {
		picture->room = 2 * (picture->length + length) + 4096;
		picture->text = realloc(picture->text, picture->room);
		if (!picture->text)
			exit(EXIT_FAILURE);
	}
	memcpy(picture->text + picture->length, text, length + 1);
	picture->length += length;
	return 0;
}

int drawn_page_make(const struct ls_drawing *drawing, struct drawn_page *out)
{
	*out = (struct drawn_page){ .why.size = sizeof out->why };
	return ls_draw(drawing, "svg", append, out, &out->why);
}

void drawn_page_release(struct drawn_page *picture)
{
	free(picture->text);
}

bool next_tag(const struct drawn_page *picture, struct tag *tag)
{
	const char *from = tag->text ? tag->text + tag->length : picture->text;
	const char *begin = from ? strchr(from, '<') : NULL;

	if (!begin)
		return false;
	tag->text = begin + 1;
	tag->length = strcspn(tag->text, ">");
	return true;
}

const char *attribute_of(const struct tag *tag, const char *name)
{
	char key[40];
	const char *at;

	snprintf(key, sizeof key, " %s=\"", name);
	at = memmem(tag->text, tag->length, key, strlen(key));
	return at ? at + strlen(key) : NULL;
}

int64_t number_of(const struct tag *tag, const char *name)
{
	const char *value = attribute_of(tag, name);

	return value ? strtoll(value, NULL, 10) : -1;
}

bool has_class(const struct tag *tag, const char *name)
{
	const char *at = attribute_of(tag, "class");
	const size_t length = strlen(name);

	while (at && *at != '"') {
		const size_t word = strcspn(at, " \"");

		if (word == length && !memcmp(at, name, length))
			return true;
		at += word + (at[word] == ' ');
	}
	return false;
}

bool text_is(const struct tag *tag, const char *text)
{
	const char *at = tag->text + tag->length + 1;

	return strcspn(at, "<") == strlen(text) && !memcmp(at, text, strlen(text));
}

const char *path_of(const struct tag *tag)
{
	return attribute_of(tag, "d");
}

/* A number after a letter; NULL: there is none. */
static const char *read_coordinate(const char *at, char letter, double *out)
{
	char *end = NULL;

	if (!at || *at != letter)
		return NULL;
	*out = strtod(at + 1, &end);
	return end;
}

const char *next_rectangle(const char *path, struct rectangle *r)
{
	double dx, dy, width, height, back;

	path = read_coordinate(path, 'm', &dx);
	path = read_coordinate(path, ',', &dy);
	path = read_coordinate(path, 'h', &width);
	path = read_coordinate(path, 'v', &height);
	path = read_coordinate(path, 'h', &back);
	if (!path || *path != 'z' || back != -width)
		return NULL;
	r->left += dx;
	r->top += dy;
	r->right = r->left + width;
	r->bottom = r->top + height;
	return path + 1;
}

bool is_well_formed(const struct drawn_page *picture)
{
	enum { DEPTH = 20 };
	struct {
		const char *name;
		size_t length;
	} open[DEPTH];
	int depth = 0;

	for (struct tag tag = { 0 }; next_tag(picture, &tag);) {
		const bool ends = *tag.text == '/';
		const char *name = tag.text + ends;
		const size_t length = strcspn(name, " >/");

		if (ends
			&& (depth == 0 || open[depth - 1].length != length
				|| memcmp(open[depth - 1].name, name, length) != 0))
			return false;
		if (ends) {
			depth--;
		} else if (tag.text[tag.length - 1] != '/') {
			if (depth == DEPTH)
				return false;
			open[depth].name = name;
			open[depth++].length = length;
		}
	}
	return depth == 0;
}

struct drawn_page draw_view(const ls_topology *t, const ls_plan *plan, const char *view)
{
	const struct ls_drawing drawing = {
		.size = sizeof drawing, .topology = t, .plan = plan, .view = view, .mode = LS_ROUTED
	};
	struct drawn_page picture;
	const int status = drawn_page_make(&drawing, &picture);

	CHECK(status == LS_OK, "%s of %s: %s", view, ls_topology_spec(t), picture.why.text);
	CHECK(status != LS_OK || is_well_formed(&picture), "%s of %s", view, ls_topology_spec(t));
	return picture;
}
