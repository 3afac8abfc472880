/*
 * Pictures of the library in memory, and their elements.
 */
#ifndef LOCKSTEP_TEST_SVG_TAGS_H
#define LOCKSTEP_TEST_SVG_TAGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <lockstep/draw.h>

#include "support/collected_text.h"
#include "support/xml.h"

/* SVG as text, and its elements. */
struct drawn_page {
	struct text svg;
	struct xml xml;
	struct ls_error why;
};

/* The network; the test ends if there is none.  NULL: no plan. */
ls_topology *drawn_network(const char *spec);
ls_plan *drawn_plan(const ls_topology *, enum ls_operation, enum ls_mode);

/*
 * Draw as SVG; LS_OK or the error, with why.  What is drawn must be well-formed.  Release in both
 * cases.
 */
int drawn_page_make(const struct ls_drawing *, struct drawn_page *out);
void drawn_page_release(struct drawn_page *);
/* Draw in a format; LS_OK or the error, which must have a text of one line.  Free out->at. */
int drawn_text(const struct ls_drawing *, const char *format, struct text *out);
/* One view of a plan, or of a network, which must be drawn. */
struct drawn_page draw_view(const ls_topology *, const ls_plan *or_null, const char *view);

/* An element, in document order; zero: before the first one. */
struct tag {
	const struct xml_element *element;
};
bool next_tag(const struct drawn_page *, struct tag *);

/* The value of an attribute: NULL, -1: none. */
const char *attribute_of(const struct tag *, const char *name);
int64_t number_of(const struct tag *, const char *name);
bool has_class(const struct tag *, const char *name);
/* Is it the text of the element, up to its first child? */
bool text_is(const struct tag *, const char *text);

/* The rectangles of a path of relative commands: m dx,dy h w v h h -w z. */
struct rectangle {
	double left, top, right, bottom;
};
const char *path_of(const struct tag *);
/* The rest of the path; NULL: there was no rectangle.  r is the one before. */
const char *next_rectangle(const char *path, struct rectangle *r);

#endif
