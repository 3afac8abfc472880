/*
 * A scene: everything that a picture shows, with its place.  Views make it; formats print it.
 *
 *   scene        legend, size of the page
 *     part       a panel or a table, with an origin and a scale of its own
 *       element  a node, link, message, text, cell, rule or curve
 *
 * Lengths are pixels; x to the right, y down.  An angle is in radians, 0 to the right, and grows
 * clockwise on the page.
 */
#ifndef LSI_DRAW_SCENE_H
#define LSI_DRAW_SCENE_H

#include <lockstep/topology.h>

#include "base/arena.h"
#include "topology/layout.h"

enum lsi_shape {
	LSI_SHAPE_NODE,     /* a circle at `from` with its text */
	LSI_SHAPE_SWITCH,   /* a square at `from` */
	LSI_SHAPE_LINK,     /* a line from `from` over `via` to `to` */
	LSI_SHAPE_MESSAGE,  /* an arrow in the same way, or straight from corner to corner */
	LSI_SHAPE_EXCHANGE, /* an arrow with two heads: both directions of a link */
	LSI_SHAPE_TEXT,     /* a line of text at `from` */
	LSI_SHAPE_CELL,     /* a rectangle from corner `from` to corner `to`, with its text */
	LSI_SHAPE_RULE,     /* a thin line: an axis, a row of a timeline */
	LSI_SHAPE_CURVE,    /* a line through points */
	LSI_SHAPE_AREA,     /* many rectangles of one look: points 2 i and 2 i + 1 are corners */
	LSI_SHAPES
};

/* Which end of a text lies at its point: its middle, its left end, or its right end. */
enum lsi_anchor { LSI_ANCHOR_MIDDLE, LSI_ANCHOR_START, LSI_ANCHOR_END };

/* Sizes of a drawing. */
enum {
	LSI_UNIT = 100, /* px of one unit of a layout */
	LSI_RADIUS = 15,
	LSI_HEAD = 8, /* length of an arrowhead */
	LSI_MARGIN = 16
};

/* How a text looks; the renderers have a table of them. */
enum lsi_text_style {
	LSI_TEXT_RANK,     /* inside a node */
	LSI_TEXT_NAME,     /* beside a node: its label in the network */
	LSI_TEXT_CONTENTS, /* beside a node: what it holds */
	LSI_TEXT_NUMBER,   /* on an arrow: its step */
	LSI_TEXT_LOAD,     /* on an arrow or link: a load */
	LSI_TEXT_PANEL,    /* above a panel */
	LSI_TEXT_TITLE,
	LSI_TEXT_CAPTION,
	LSI_TEXT_AXIS, /* of a table, timeline or chart */
	LSI_TEXT_STYLES
};

struct lsi_text_look {
	const char *name;                  /* the class */
	double size;                       /* px */
	bool monospaced, bold, halo, soft; /* soft: in a paler ink */
};
extern const struct lsi_text_look lsi_text_looks[LSI_TEXT_STYLES];

struct lsi_box {
	double left, top, right, bottom; /* left > right: empty */
};

/*
 * Numbers that do not apply are -1.  A message has round, src and dst; no other element has all
 * three.
 */
struct lsi_element {
	enum lsi_shape shape;
	const char *variant; /* a further class, or NULL: "root" */
	bool dotted;         /* of an arrow: a dot at its tail */
	struct lsi_point from, to, via;
	bool curved;                    /* the line is a quadratic curve with the control point `via` */
	const struct lsi_point *points; /* of a curve or an area; of an arrow: its corners, or NULL */
	int n_points;
	bool filled; /* the curve is closed, and filled with its color */
	int dash;    /* of the curve: number of a dash pattern, from 0; -1: solid */

	const char *text; /* NULL: none */
	enum lsi_text_style style;
	enum lsi_anchor anchor;

	int color;    /* number of a color of the palette, from 0; -1: the color of the shape */
	double shade; /* of a ramp, 0 .. 1; below 0: none */
	double width; /* px of the line; 0: that of the shape */
	int64_t node, round, src, dst, words;
	int64_t words_back; /* of an exchange: from dst to src */
	int64_t link;       /* the number of a link, or of a row of a table */
	int64_t count;      /* what a cell counts */
	int64_t core;
	int64_t begin_ns, end_ns; /* what is drawn by time: from when to when */
	const char *tip;          /* a tooltip; NULL: none */
};

/* A point p of its elements lies at (x, y) + scale * p on the page. */
struct lsi_scene_part {
	const char *name; /* the class: "panel" */
	double x, y, scale;
	int64_t round; /* that it shows; -1: none */
	size_t first, elements;
	struct lsi_box box; /* of its elements, in its own coordinates */
};

struct lsi_scene {
	struct lsi_arena arena; /* texts and points */
	const char *legend;     /* what the marks mean, below the caption; NULL: nothing */
	double width, height;
	struct lsi_scene_part *part;
	struct lsi_element *element;
	size_t parts, elements, room_parts, room_elements;
	bool no_memory; /* some element is missing */
};

void lsi_scene_release(struct lsi_scene *);

/* ---- Build: after a lack of memory, nothing happens */

/* Begin a part at the origin with scale 1; later elements belong to it. */
struct lsi_scene_part *lsi_scene_begin(struct lsi_scene *, const char *name, int64_t round);

/* A element of the last part without any number, color or shade. */
struct lsi_element lsi_element_at(enum lsi_shape, struct lsi_point);
void lsi_scene_add(struct lsi_scene *, const struct lsi_element *);
/* A message or an exchange. */
bool lsi_element_is_arrow(const struct lsi_element *);

/* A copy of a text that lives as long as the scene; NULL: no memory. */
const char *lsi_scene_text(struct lsi_scene *, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* A line of text; NULL: nothing. */
void lsi_scene_put_text(
	struct lsi_scene *, enum lsi_text_style, enum lsi_anchor, struct lsi_point, const char *text);
/* The same for a text about a node. */
void lsi_scene_put_label(struct lsi_scene *, enum lsi_text_style, enum lsi_anchor, struct lsi_point,
	int64_t node, const char *text);
/* A thin line; variant NULL: none; width 0: that of the shape. */
void lsi_scene_put_rule(struct lsi_scene *, const char *variant, struct lsi_point from,
	struct lsi_point to, double width);

/* ---- Measure */

double lsi_text_width(enum lsi_text_style, const char *text);
/* The box of a line of text whose middle line is at `at.y`. */
struct lsi_box lsi_text_box(
	enum lsi_text_style, enum lsi_anchor, struct lsi_point at, const char *text);
/* Everything that the element covers. */
struct lsi_box lsi_element_box(const struct lsi_element *);

/* ---- Arrange */

/*
 * Place the parts from `first` on in rows of `columns`, all in cells of one size, below `top`.
 * Returns the lower end.
 */
double lsi_scene_arrange(struct lsi_scene *, size_t first, int columns, double top);
/* Move part i so that its box begins at (left, top); return its lower right corner. */
struct lsi_point lsi_scene_put_part(struct lsi_scene *, size_t i, double left, double top);
/*
 * Give all parts one origin, so that all begin at (left, top); return the lower end.  Parts move by
 * whole px, so that thin lines stay sharp.
 */
double lsi_scene_put_origin(struct lsi_scene *, double left, double top);
/* The size of the page: all parts and a margin. */
void lsi_scene_fit(struct lsi_scene *);

#endif
