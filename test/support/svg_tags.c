#include "support/svg_tags.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/guard.h"
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

int drawn_page_make(const struct ls_drawing *drawing, struct drawn_page *out)
{
	int failed;

	*out = (struct drawn_page){ .why.size = sizeof out->why };
	failed = ls_draw(drawing, "svg", text_append, &out->svg, &out->why);
	CHECK(failed || xml_read(out->svg.at, &out->xml), "%s of %s: %s",
		drawing->view ? drawing->view : "the default", ls_topology_spec(drawing->topology),
		out->xml.why);
	return failed;
}

int drawn_text(const struct ls_drawing *drawing, const char *format, struct text *out)
{
	struct ls_error why = { .size = sizeof why };

	*out = (struct text){ 0 };

	const int status = ls_draw(drawing, format, text_append, out, &why);

	CHECK(status == LS_OK || (why.kind == status && why.text[0] && !strchr(why.text, '\n')),
		"%s: %s: '%s'", guarded(), ls_status_name(status), why.text);
	CHECK(status == LS_OK || !out->at, "%s: text of a refused picture", guarded());
	return status;
}

void drawn_page_release(struct drawn_page *picture)
{
	xml_release(&picture->xml);
	free(picture->svg.at);
}

bool next_tag(const struct drawn_page *picture, struct tag *tag)
{
	tag->element = tag->element ? tag->element + 1 : picture->xml.element;
	return tag->element < picture->xml.element + picture->xml.elements;
}

const char *attribute_of(const struct tag *tag, const char *name)
{
	return xml_value(tag->element, name);
}

int64_t number_of(const struct tag *tag, const char *name)
{
	return xml_number(tag->element, name);
}

bool has_class(const struct tag *tag, const char *name)
{
	return xml_has_class(tag->element, name);
}

bool text_is(const struct tag *tag, const char *text)
{
	return strcmp(tag->element->text, text) == 0;
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

struct drawn_page draw_view(const ls_topology *t, const ls_plan *plan, const char *view)
{
	const struct ls_drawing drawing = {
		.size = sizeof drawing, .topology = t, .plan = plan, .view = view, .mode = LS_ROUTED
	};
	struct drawn_page picture;
	const int status = drawn_page_make(&drawing, &picture);

	CHECK(status == LS_OK, "%s of %s: %s", view, ls_topology_spec(t), picture.why.text);
	return picture;
}
