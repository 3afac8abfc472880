/*
 * Layouts of grids and Cartesian products, by axes: the sides of a grid, and factors that are not
 * grids.  The last two sides, or three without links around, are a lattice; otherwise the last
 * factor has its own layout.  This block is copied to the places of the axis before it, these
 * copies to the places of the next one, and so on.
 *
 * The places of an axis are turned and stretched so that the copies lie apart in a small drawing,
 * and no link between copies passes a third node.
 */
#include "topology/lattice.h"

#include <math.h>

#include "base/alloc.h"
#include "base/math.h"

enum {
	AXES_MAX = 62,          /* of at least 2 nodes each */
	PAIRS_MOST = 1 << 22,   /* of copies that are compared, for all ways to turn them */
	CHECKED_MOST = 1 << 24, /* distances of a link to a node, for all ways; few stop early */
	TURNS = 36,
	STRETCHES = 5,
	SLANTS = 5,
	SIZES = 3,
	WAYS = TURNS * STRETCHES * SLANTS * SIZES
};

#define GAP          0.9 /* between copies */
#define ENLARGED_MAX 3.0 /* how many times a drawing may be enlarged for links to be clear */

struct axis {
	const struct ls_topology *factor; /* NULL: a row, or a cycle */
	int64_t size;
	bool around;
};

struct axes {
	int count;
	int base;      /* the first axis of the block that is copied */
	int64_t block; /* nodes of it */
	struct axis axis[AXES_MAX];
};

/* ---- Axes */

static void add_axes(struct axes *axes, const struct ls_topology *t)
{
	const int dims = ls_topology_dims(t);

	for (int i = 0; i < lsi_topology_factors(t); i++)
		add_axes(axes, lsi_topology_factor(t, i));
	for (int d = 0; d < dims; d++)
		if (t->number[d] > 1)
			axes->axis[axes->count++] = (struct axis){ .size = t->number[d],
				.around = t->network->grid == LSI_GRID_WRAPPED && t->number[d] > 2 };
	if (dims == 0 && lsi_topology_factors(t) == 0 && t->nodes > 1)
		axes->axis[axes->count++] = (struct axis){ .factor = t, .size = t->nodes };
}

/* How many of the last axes are one block. */
static int axes_of_block(const struct axes *axes)
{
	int sides = 0, open = 0;

	while (sides < axes->count && sides < 3 && !axes->axis[axes->count - 1 - sides].factor) {
		open += !axes->axis[axes->count - 1 - sides].around;
		sides++;
	}
	if (sides == 0)
		return axes->count > 0;
	return sides == 3 && open < 3 ? 2 : sides;
}

static struct axes find_axes(const struct ls_topology *t)
{
	struct axes axes = { .count = 0, .block = 1 };

	add_axes(&axes, t);
	axes.base = axes.count - axes_of_block(&axes);
	for (int i = axes.base; i < axes.count; i++)
		axes.block *= axes.axis[i].size;
	return axes;
}

/* The last axes as a lattice. */
static struct lsi_lattice lattice_of(const struct axes *axes)
{
	const struct axis one = { .size = 1 };
	const struct axis *const end = axes->axis + axes->count;
	const int sides = axes->count - axes->base;
	const struct axis columns = sides > 0 ? end[-1] : one, rows = sides > 1 ? end[-2] : one;

	return (struct lsi_lattice){ .slices = sides > 2 ? end[-3].size : 1,
		.rows = rows.size,
		.columns = columns.size,
		.around_rows = columns.around,
		.around_columns = rows.around };
}

/* The factor that is the block; NULL: a lattice is. */
static const struct ls_topology *block_factor(const struct axes *axes)
{
	return axes->count > 0 ? axes->axis[axes->count - 1].factor : NULL;
}

/* ---- Lines */

static double bend_block(const struct axes *axes, enum lsi_line line, int64_t from, int64_t to)
{
	const struct ls_topology *const factor = block_factor(axes);
	const struct lsi_lattice lattice = lattice_of(axes);

	if (factor)
		return lsi_layout_bend(lsi_layout_at(factor, 0), factor, line, from, to);
	return lsi_lattice_bend(&lattice, line, from, to);
}

/* A link between copies is straight.  An arrow along one axis bends as there. */
static double bend_axis(const struct axis *axis, enum lsi_line line, int64_t from, int64_t to)
{
	if (line == LSI_LINE_LINK)
		return 0;
	if (axis->factor)
		return lsi_layout_bend(lsi_layout_at(axis->factor, 0), axis->factor, line, from, to);
	return axis->around ? lsi_arc_height(1) : lsi_arc_height(from < to ? to - from : from - to);
}

double lsi_bend_copies(const struct ls_topology *t, enum lsi_line line, int64_t from, int64_t to)
{
	const struct axes axes = find_axes(t);
	int64_t at = from / axes.block, to_at = to / axes.block;

	if (at == to_at)
		return bend_block(&axes, line, from % axes.block, to % axes.block);
	for (int i = axes.base - 1; i >= 0 && from % axes.block == to % axes.block; i--) {
		const struct axis *const axis = &axes.axis[i];

		if (at / axis->size == to_at / axis->size)
			return bend_axis(axis, line, at % axis->size, to_at % axis->size);
		if (at % axis->size != to_at % axis->size)
			break;
		at /= axis->size;
		to_at /= axis->size;
	}
	return line == LSI_LINE_LINK ? 0 : lsi_arc_height(1);
}

/* ---- Places of one axis */

static int place_axis(const struct axis *axis, struct lsi_point *place)
{
	if (axis->factor)
		return lsi_layout_at(axis->factor, 0)->place(axis->factor, place);
	if (axis->around)
		lsi_two_rows_points(axis->size, place); /* links have few directions */
	for (int64_t i = 0; !axis->around && i < axis->size; i++)
		place[i] = (struct lsi_point){ (double)i, 0 };
	return LS_OK;
}

static int place_block(const struct axes *axes, struct lsi_point *place)
{
	const struct lsi_lattice lattice = lattice_of(axes);

	if (block_factor(axes))
		return place_axis(&axes->axis[axes->count - 1], place);
	lsi_lattice_place(&lattice, place);
	return LS_OK;
}

/* ---- Copies */

struct box {
	double width, height;
};

/* Of the nodes 0 .. n-1, and of the arcs of the links between them. */
static struct box box_of(const struct ls_topology *t, const struct lsi_point *place, int64_t n)
{
	struct lsi_point low = place[0], high = low;

	for (int64_t u = 0; u < n; u++) {
		const int64_t links = t->network->degree(t, u);

		for (int64_t l = -1; l < links; l++) {
			const int64_t v = l < 0 ? u : t->network->neighbor(t, u, l);
			const double height = v < n && v != u ? lsi_bend_copies(t, LSI_LINE_LINK, u, v) : 0;
			const struct lsi_point p =
				height != 0 ? lsi_arc_control(place[u], place[v], height / 2) : place[u];

			low = (struct lsi_point){ fmin(low.x, p.x), fmin(low.y, p.y) };
			high = (struct lsi_point){ fmax(high.x, p.x), fmax(high.y, p.y) };
		}
	}
	return (struct box){ high.x - low.x, high.y - low.y };
}

/* A way to draw the places of an axis: a linear map. */
struct way {
	double xx, xy, yx, yy; /* x' = xx x + xy y */
	double cost;
};

struct copies {
	const struct ls_topology *t;
	int64_t copies, nodes; /* of the axis; of one copy */
	const struct lsi_point *axis;
	struct lsi_point *place;
	struct box box; /* of one copy */
	int ways;
	struct way way[WAYS];
};

static struct lsi_point apply(const struct way *w, struct lsi_point p)
{
	return (struct lsi_point){ w->xx * p.x + w->xy * p.y, w->yx * p.x + w->yy * p.y };
}

static int64_t pairs(const struct copies *c)
{
	return lsi_mul_sat(c->copies, c->copies - 1) / 2;
}

/*
 * How much larger the axis must be so that the boxes of two copies have a gap.  Of many copies, no
 * two are nearer than the vertices of any layout.
 */
static double needed_scale(const struct copies *c, const struct way *w)
{
	double scale = 0;

	if (pairs(c) > PAIRS_MOST)
		return (hypot(c->box.width, c->box.height) + GAP) / LSI_NEAREST;

	for (int64_t i = 0; i < c->copies; i++)
		for (int64_t j = 0; j < i; j++) {
			const struct lsi_point p = apply(w, c->axis[i]), q = apply(w, c->axis[j]);
			const double across = (c->box.width + GAP) / fmax(1e-9, fabs(p.x - q.x));
			const double upright = (c->box.height + GAP) / fmax(1e-9, fabs(p.y - q.y));

			scale = fmax(scale, fmin(across, upright));
		}
	return scale;
}

/* Of the whole drawing: its size and unevenness. */
static double cost_of(const struct copies *c, const struct way *w)
{
	struct lsi_point low = apply(w, c->axis[0]), high = low;
	double width, height;

	for (int64_t i = 1; i < c->copies; i++) {
		const struct lsi_point p = apply(w, c->axis[i]);

		low = (struct lsi_point){ fmin(low.x, p.x), fmin(low.y, p.y) };
		high = (struct lsi_point){ fmax(high.x, p.x), fmax(high.y, p.y) };
	}
	width = high.x - low.x + c->box.width;
	height = 1.3 * (high.y - low.y + c->box.height);
	return width + height + 0.5 * fabs(width - height);
}

/*
 * Way number i: turned by a multiple of 5 degrees, from the least on; slanted, so that levels stay
 * level; stretched; and large enough, or larger.  Unusual ways cost more.
 */
static struct way way_of(const struct copies *c, int i)
{
	static const double stretches[STRETCHES] = { 1, 1.25, 0.8, 1.6, 0.625 };
	static const double slants[SLANTS] = { 0, 0.25, -0.25, 0.5, -0.5 };
	static const double sizes[SIZES] = { 1, 1.25, 1.6 };
	const int turns = i / (STRETCHES * SLANTS * SIZES);
	const int steps = (turns + 1) / 2 * (turns % 2 ? 1 : -1);
	const double angle = M_PI / TURNS * steps, slant = slants[i / STRETCHES % SLANTS];
	const double stretch = stretches[i % STRETCHES];
	struct way w = { .yx = sin(angle) / stretch, .yy = cos(angle) / stretch };
	double scale;

	w.xx = (cos(angle) + slant * sin(angle)) * stretch;
	w.xy = (slant * cos(angle) - sin(angle)) * stretch;
	scale = needed_scale(c, &w) * sizes[i / (STRETCHES * SLANTS) % SIZES];
	w = (struct way){ scale * w.xx, scale * w.xy, scale * w.yx, scale * w.yy, 0 };
	w.cost = cost_of(c, &w) * (1 + 0.6 * fabs(sin(angle)) + 0.2 * fabs(slant))
		* (stretch == 1 ? 1 : 1.15);
	return w;
}

static void list_ways(struct copies *c)
{
	for (int i = 0; i < WAYS && (i == 0 || i * pairs(c) < PAIRS_MOST); i++)
		c->way[c->ways++] = way_of(c, i);
}

/* The first copy stays where it is. */
static void copy(const struct copies *c, const struct way *w)
{
	const struct lsi_point origin = apply(w, c->axis[0]);

	for (int64_t i = 1; i < c->copies; i++) {
		const struct lsi_point at = apply(w, c->axis[i]);

		for (int64_t v = 0; v < c->nodes; v++)
			c->place[i * c->nodes + v] = (struct lsi_point){
				c->place[v].x + at.x - origin.x,
				c->place[v].y + at.y - origin.y,
			};
	}
}

static struct way *cheapest(struct copies *c)
{
	struct way *best = &c->way[0];

	for (int i = 1; i < c->ways; i++)
		if (c->way[i].cost < best->cost)
			best = &c->way[i];
	return best;
}

/* How many times a drawing must be enlarged so that no link passes through a third node. */
static double needed_size(double clearance)
{
	const double size = fmax(1, (LSI_CLEARANCE + 0.01) / clearance);

	return size <= ENLARGED_MAX ? size : INFINITY;
}

/*
 * Copy in the way that needs the least space for clear links.  Ways are tried from the smallest
 * drawing on, while one can be better; the smallest one is taken if none is clear.
 */
static void copy_clearly(struct copies *c)
{
	static const struct lsi_layout layout = LSI_LAYOUT_COPIES("copies");
	const int64_t all = c->copies * c->nodes;
	struct way best = *cheapest(c);
	int64_t tries = lsi_min(c->ways, CHECKED_MOST / lsi_mul_sat(all, c->t->links));
	double least = INFINITY, enlarge = 1;

	for (; tries > 0 && cheapest(c)->cost < least; tries--) {
		struct way *const way = cheapest(c);
		const double enough = fmax(1 / ENLARGED_MAX, way->cost / least) * LSI_CLEARANCE;
		double size;

		copy(c, way);
		size = needed_size(lsi_layout_clearance(c->t, &layout, c->place, all, enough));
		if (way->cost * size < least) {
			best = *way;
			enlarge = size;
			least = way->cost * size;
		}
		way->cost = INFINITY;
	}
	copy(c, &best);
	for (int64_t v = 0; v < all; v++)
		c->place[v] = (struct lsi_point){ enlarge * c->place[v].x, enlarge * c->place[v].y };
}

static int place_copies(
	const struct ls_topology *t, const struct axis *axis, int64_t nodes, struct lsi_point *place)
{
	struct lsi_point *const at = lsi_alloc((size_t)axis->size * sizeof *at);
	struct copies *const c = lsi_alloc(sizeof *c);
	int status = at && c ? place_axis(axis, at) : LS_ERR_MEMORY;

	if (status == LS_OK) {
		*c = (struct copies){ .t = t, .copies = axis->size, .nodes = nodes, .axis = at };
		c->place = place;
		c->box = box_of(t, place, nodes);
		list_ways(c);
		copy_clearly(c);
	}
	lsi_free(c);
	lsi_free(at);
	return status;
}

int lsi_place_copies(const struct ls_topology *t, struct lsi_point *place)
{
	const struct axes axes = find_axes(t);
	int64_t nodes = axes.block;
	int status = place_block(&axes, place);

	for (int i = axes.base - 1; i >= 0 && status == LS_OK; i--) {
		status = place_copies(t, &axes.axis[i], nodes, place);
		nodes *= axes.axis[i].size;
	}
	return status;
}
