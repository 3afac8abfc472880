/*
 * What an SVG picture shows, read from its text with code of its own: messages, links, nodes and
 * texts with their places on the page.
 */
#ifndef LOCKSTEP_TEST_SVG_PICTURE_H
#define LOCKSTEP_TEST_SVG_PICTURE_H

#include <lockstep/trace.h>

#include "support/xml.h"

struct spot {
	double x, y;
};
struct frame {
	double left, top, right, bottom;
};

enum { OUTLINE = 28 }; /* points of a line; a curve is cut into pieces */

/* Of a link; a part is an element with a transform, -1: the page. */
struct seen_link {
	int part;
	int64_t src, dst;
	struct spot point[OUTLINE];
	int points;
	double scale;
};
/* The shaft of an arrow, or its heads, of HEAD points each. */
enum { HEAD = 4 };
struct seen_arrow {
	struct seen_link line;
	struct frame frame;
	bool is_head;
};
struct seen_node {
	int part;
	int64_t node;
	struct spot at;
	double radius; /* of a switch: half its side */
};
struct seen_text {
	struct frame frame;
	const char *text;
	bool is_inside;             /* its node */
	const char *color, *behind; /* "#111111": of the text, and of the page or node behind it */
};

struct picture {
	struct xml xml;
	struct frame page;
	struct ls_record *message;
	struct seen_link *link;
	struct seen_arrow *arrow;
	struct seen_node *node;
	struct seen_text *text;
	size_t messages, links, arrows, nodes, texts;
	void *colors;       /* of the texts */
	struct frame drawn; /* everything */
	char why[200];
};

/*
 * Read a picture.  False: it is not well-formed, or has an element that breaks a rule of pictures;
 * picture->why tells which.  Release in both cases.
 *
 * An exchange counts as two messages.  A character of a text is 0.6 em wide, a bold one 0.66 em.
 */
bool picture_read(const char *svg, struct picture *);
void picture_release(struct picture *);

/* Sort by round, src, dst, then words. */
void sort_messages(struct ls_record *, size_t n);

#endif
