/*
 * Layouts: where a drawing has each vertex of a network, and which of its lines are arcs.
 *
 * A layout is a pure function in the table of its network.  Every network also has the layouts
 * `circle` and, unless it is large, `forces`; a network without layouts of its own is drawn as a
 * circle.  So a new network works without one.
 *
 * In default layouts of up to 64 vertices, and of star:5, pancake:5, bubblesort:5, hypercube:7 and
 * hypercube:8, no link passes within LSI_CLEARANCE of a third vertex.
 */
#ifndef LSI_TOPOLOGY_LAYOUT_H
#define LSI_TOPOLOGY_LAYOUT_H

#include "topology/topology_internal.h"

#define LSI_NODE_RADIUS 0.15
#define LSI_CLEARANCE   (LSI_NODE_RADIUS + 0.02)
#define LSI_NEAREST     0.4 /* no two vertices are nearer */

/* A point of a drawing: x to the right, y down.  Neighbors are about 1 apart. */
struct lsi_point {
	double x, y;
};

enum lsi_line { LSI_LINE_LINK, LSI_LINE_MESSAGE };

struct lsi_layout {
	const char *name;                         /* "hexagons" */
	bool (*fits)(const struct ls_topology *); /* NULL: every network of the kind */
	/* Of every vertex, switches too; LS_OK or LS_ERR_MEMORY. */
	int (*place)(const struct ls_topology *, struct lsi_point *place);
	/*
	 * Optional: the height of the arc of a link, or of an arrow for a message, in the same unit.
	 * Positive: it bulges to the left of one who goes from `from` to `to`; 0: straight.  A link has
	 * the same arc from either end.  NULL: links are straight, arrows bulge left by
	 * lsi_arc_height(1).
	 */
	double (*bend)(const struct ls_topology *, enum lsi_line, int64_t from, int64_t to);
	/* Is a routed message over several links drawn along them?  NULL: no. */
	bool (*shows_routes)(const struct ls_topology *);
};

/* The field `layouts` of a network. */
#define LSI_LAYOUTS(...) \
	(const struct lsi_layout[]) \
	{ \
		__VA_ARGS__, \
		{ \
			.name = NULL \
		} \
	}

/* ---- Choosing */

/* The index-th layout that fits the network, 0: the default; NULL: there are fewer. */
const struct lsi_layout *lsi_layout_at(const struct ls_topology *, size_t index);
/*
 * Place the vertices as a user asks for it: by the name of a layout, or by a file of positions,
 * which is then the layout `file`.  *layout is set for lsi_layout_bend.
 */
int lsi_layout_make(const struct ls_topology *, const char *name_or_file_or_null,
	struct lsi_point *place, const struct lsi_layout **layout, struct ls_error *why);
/*
 * Read positions: lines `rank x y`, y down; or those of graphviz' plain format, y up.  They are
 * scaled: links are 1 long on average, or longer so that vertices are LSI_NEAREST apart.
 */
int lsi_layout_read(
	const struct ls_topology *, const char *file, struct lsi_point *place, struct ls_error *why);

/* ---- Lines */

/* The height of an arrow: 13 pixels over one hop, 27 more for each further hop. */
double lsi_arc_height(int64_t hops);
/* What the layout's `bend` gives, or would give if it had one. */
double lsi_layout_bend(
	const struct lsi_layout *, const struct ls_topology *, enum lsi_line, int64_t from, int64_t to);
/* The control point of the quadratic curve from a to b whose middle lies `height` off the line. */
struct lsi_point lsi_arc_control(struct lsi_point a, struct lsi_point b, double height);

/*
 * The least distance of a link to a third vertex, among the vertices 0 .. count-1; it may stop at
 * the first link that is nearer than `enough`.
 */
double lsi_layout_clearance(const struct ls_topology *, const struct lsi_layout *,
	const struct lsi_point *place, int64_t count, double enough);

/* The least distance of two vertices; INFINITY for one.  LS_OK or LS_ERR_MEMORY. */
int lsi_layout_nearest(const struct lsi_point *place, int64_t count, double *nearest);

/* ---- Layouts for more than one kind of network */

int lsi_place_circle(const struct ls_topology *, struct lsi_point *place);
double lsi_bend_circle(const struct ls_topology *, enum lsi_line, int64_t from, int64_t to);
/* n points from 12 o'clock clockwise, 1 apart. */
void lsi_circle_points(int64_t n, struct lsi_point *place);

/* Grids and products: copies of the last sides or of the last factor, at the places of the rest. */
int lsi_place_copies(const struct ls_topology *, struct lsi_point *place);
double lsi_bend_copies(const struct ls_topology *, enum lsi_line, int64_t from, int64_t to);
#define LSI_LAYOUT_COPIES(layout_name) \
	{ \
		.name = layout_name, .place = lsi_place_copies, .bend = lsi_bend_copies \
	}

/* "two-rows", a circle with arrows outside of it, "row". */
extern const struct lsi_layout lsi_ring_layouts[];
void lsi_two_rows_points(int64_t nodes, struct lsi_point *place);

/* Any graph: few crossings; see layout_forces.c. */
int lsi_place_forces(const struct ls_topology *, struct lsi_point *place);
bool lsi_fits_forces(const struct ls_topology *);
#define LSI_LAYOUT_FORCES \
	{ \
		.name = "forces", .fits = lsi_fits_forces, .place = lsi_place_forces \
	}

#endif
