/*
 * Grids: linear array, ring, mesh and torus, of any number of dimensions and any sides.
 *
 * A node has in each dimension a link up, to the next larger coordinate, and a link down.  An open
 * grid has none past its ends; a wrapped one joins its ends, where that makes a new link: a side of
 * 2 has only the link up, which is also the way back, a side of 1 has none.
 *
 *   distance    the sum over the dimensions of |a - b|; wrapped, of the shorter way round
 *   route       corrects the last dimension first, the shorter way, ties upward
 *   diameter    the sum of side - 1; wrapped, of floor(side / 2)
 */
#include "topology/layout.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/math.h"

static bool is_wrapped(const struct ls_topology *t)
{
	return t->network->grid == LSI_GRID_WRAPPED;
}

static bool has_up(const struct ls_topology *t, int64_t side, int64_t at)
{
	return is_wrapped(t) ? side > 1 : at + 1 < side;
}

static bool has_down(const struct ls_topology *t, int64_t side, int64_t at)
{
	return is_wrapped(t) ? side > 2 : at > 0;
}

static int links_along(const struct ls_topology *t, int64_t side, int64_t at)
{
	return has_up(t, side, at) + has_down(t, side, at);
}

/* Links of the whole grid that run along a dimension with this side. */
static int64_t wires_along(const struct ls_topology *t, int64_t side)
{
	return is_wrapped(t) && side > 2 ? t->nodes : t->nodes / side * (side - 1);
}

static int init(struct ls_topology *t, struct ls_error *why)
{
	t->nodes = 1;
	for (int d = 0; d < t->numbers; d++)
		t->nodes = lsi_mul_sat(t->nodes, t->number[d]);
	if (t->nodes > LS_NODES_MAX)
		return lsi_error_set(why, LS_ERR_SPEC,
			"topology '%s' has more than 2^62 nodes; "
			"give smaller sides",
			lsi_quote_make(t->spec, strlen(t->spec)).text);
	for (int d = 0; d < t->numbers; d++) {
		t->links = lsi_add_sat(t->links, wires_along(t, t->number[d]));
		t->degree += t->number[d] > 2 ? 2 : t->number[d] - 1;
	}
	return LS_OK;
}

static int64_t degree(const struct ls_topology *t, int64_t rank)
{
	int64_t links = 0;

	for (int d = t->numbers - 1; d >= 0; rank /= t->number[d--])
		links += links_along(t, t->number[d], rank % t->number[d]);
	return links;
}

/* One link of a node, and where it lies. */
struct link_position {
	int64_t side, stride; /* of its dimension */
	int64_t at, next;     /* coordinates of the node and of its neighbor */
	int64_t base;         /* links of later dimensions: the same at both */
	bool up;
};

static struct link_position find_link(const struct ls_topology *t, int64_t rank, int64_t link)
{
	struct link_position w = { .stride = 1 };
	int d = t->numbers - 1;

	for (;; w.stride *= w.side, rank /= w.side, d--) { /* ends, as link < degree(rank) */
		w.side = t->number[d];
		w.at = rank % w.side;
		if (link - w.base < links_along(t, w.side, w.at))
			break;
		w.base += links_along(t, w.side, w.at);
	}
	w.up = link == w.base && has_up(t, w.side, w.at);
	w.next = lsi_wrap(w.up ? w.at + 1 : w.at - 1, w.side);
	return w;
}

static int64_t neighbor(const struct ls_topology *t, int64_t rank, int64_t link)
{
	const struct link_position w = find_link(t, rank, link);

	return rank + (w.next - w.at) * w.stride;
}

static int64_t reverse(const struct ls_topology *t, int64_t rank, int64_t link)
{
	const struct link_position w = find_link(t, rank, link);
	const bool back_is_down = w.up && has_down(t, w.side, w.next);

	return w.base + (back_is_down && has_up(t, w.side, w.next));
}

static int64_t distance(const struct ls_topology *t, int64_t from, int64_t to)
{
	int64_t hops = 0;

	for (int d = t->numbers - 1; d >= 0; d--) {
		const int64_t side = t->number[d];
		const int64_t across = from % side - to % side;
		const int64_t way = across < 0 ? -across : across;

		hops += is_wrapped(t) && side - way < way ? side - way : way;
		from /= side;
		to /= side;
	}
	return hops;
}

static int64_t first_hop(const struct ls_topology *t, int64_t from, int64_t to)
{
	int64_t base = 0;

	for (int d = t->numbers - 1;; d--) { /* ends, as from != to */
		const int64_t side = t->number[d];
		const int64_t a = from % side, b = to % side;
		const int64_t forward = lsi_wrap(b - a, side);
		const bool up = is_wrapped(t) ? forward <= side - forward : a < b;

		if (a != b)
			return base + (!up && has_up(t, side, a));
		base += links_along(t, side, a);
		from /= side;
		to /= side;
	}
}

/* Of two coordinates: whether a link up leads from a to b. */
static bool leads_up(const struct ls_topology *t, int64_t side, int64_t a, int64_t b)
{
	return has_up(t, side, a) && b == (a + 1 < side ? a + 1 : 0);
}

static int64_t link_to(const struct ls_topology *t, int64_t from, int64_t to)
{
	int64_t base = 0;

	for (int d = t->numbers - 1; from != to; d--) {
		const int64_t side = t->number[d];
		const int64_t a = from % side, b = to % side;

		from /= side;
		to /= side;
		if (a == b)
			base += links_along(t, side, a);
		else if (from != to)
			return -1;
		else if (leads_up(t, side, a, b))
			return base;
		else
			return leads_up(t, side, b, a) ? base + has_up(t, side, a) : -1;
	}
	return -1;
}

static int64_t diameter(const struct ls_topology *t)
{
	int64_t hops = 0;

	for (int d = 0; d < t->numbers; d++)
		hops += is_wrapped(t) ? t->number[d] / 2 : t->number[d] - 1;
	return hops;
}

static int64_t eccentricity(const struct ls_topology *t, int64_t rank)
{
	int64_t hops = 0;

	for (int d = t->numbers - 1; d >= 0; rank /= t->number[d--]) {
		const int64_t down = rank % t->number[d], up = t->number[d] - 1 - down;

		hops += down > up ? down : up;
	}
	return hops;
}

/* The sum in every dimension, wrapped. */
static int64_t product(const struct ls_topology *t, int64_t by, int64_t x)
{
	int64_t rank = 0, stride = 1;

	for (int d = t->numbers - 1; d >= 0; d--) {
		const int64_t side = t->number[d];

		rank += (by % side + x % side) % side * stride;
		by /= side;
		x /= side;
		stride *= side;
	}
	return rank;
}

static int64_t inverse(const struct ls_topology *t, int64_t rank)
{
	int64_t back = 0, stride = 1;

	for (int d = t->numbers - 1; d >= 0; d--) {
		const int64_t side = t->number[d];

		back += lsi_wrap(-(rank % side), side) * stride;
		rank /= side;
		stride *= side;
	}
	return back;
}

/* "(1,3)" */
static void label(const struct ls_topology *t, int64_t rank, char text[LSI_LABEL_MAX])
{
	size_t length = 0;

	for (int d = 0; d < t->numbers; d++)
		length += (size_t)snprintf(text + length, LSI_LABEL_MAX - length, "%c%lld", d ? ',' : '(',
			(long long)ls_topology_coordinate(t, rank, d));
	snprintf(text + length, LSI_LABEL_MAX - length, ")");
}

static int64_t rank_of(const struct ls_topology *t, const char *text)
{
	int64_t rank = 0, coordinate;

	for (int d = 0; d < t->numbers; d++) {
		text = *text ? lsi_read_number(text + 1, &coordinate) : NULL;
		if (!text)
			return LS_NO_RANK;
		rank = lsi_add_sat(lsi_mul_sat(rank, t->number[d]), coordinate);
	}
	return rank;
}

static int64_t side_length(const struct ls_topology *t, int dim)
{
	return t->number[dim];
}

/* The last sides. */
static bool unit(const struct ls_topology *t, char *spec, size_t size)
{
	static const char *const kind[2][2] = { { "mesh", "torus" }, { "linear", "ring" } };
	const int sides = lsi_unit_sides(t, t->numbers, side_length);
	size_t length = (size_t)snprintf(spec, size, "%s", kind[sides == 1][is_wrapped(t)]);

	for (int d = t->numbers - sides; d < t->numbers && length < size; d++)
		length += (size_t)snprintf(spec + length, size - length, "%c%" PRId64,
			d > t->numbers - sides ? 'x' : ':', t->number[d]);
	return sides > 0 && length < size;
}

/* The lines, planes .. of the last dimensions. */
static int64_t part(const struct ls_topology *t, int64_t nodes)
{
	int dim = 0;

	while (lsi_topology_stride(t, dim) >= nodes)
		dim++;
	return lsi_topology_stride(t, dim);
}

int ls_topology_dims(const ls_topology *t)
{
	return !t || t->network->grid == LSI_GRID_NONE ? 0 : t->numbers;
}

int64_t ls_topology_side(const ls_topology *t, int dim)
{
	return dim >= 0 && dim < ls_topology_dims(t) ? t->number[dim] : -1;
}

int64_t lsi_topology_stride(const ls_topology *t, int dim)
{
	int64_t stride = 1;

	for (int d = t->numbers - 1; d > dim; d--)
		stride *= t->number[d];
	return stride;
}

int64_t ls_topology_coordinate(const ls_topology *t, int64_t rank, int dim)
{
	if (dim < 0 || dim >= ls_topology_dims(t) || rank < 0 || rank >= t->nodes)
		return -1;
	return rank / lsi_topology_stride(t, dim) % t->number[dim];
}

#define GRID_FUNCTIONS \
	.least = 1, .most = LS_NODES_MAX, .init = init, .degree = degree, .neighbor = neighbor, \
	.reverse = reverse, .distance = distance, .first_hop = first_hop, .link_to = link_to, \
	.diameter = diameter, .unit = unit, .part = part

const struct lsi_network lsi_network_linear = {
	.name = "linear",
	.form = "P",
	.text = "linear array of P nodes",
	.examples =
		LSI_EXAMPLES("linear:8", "linear:1", "linear:2", "linear:3", "linear:33", "linear:400"),
	.grid = LSI_GRID_OPEN,
	GRID_FUNCTIONS,
	.eccentricity = eccentricity,
	.layouts = LSI_LAYOUTS(LSI_LAYOUT_COPIES("row")),
};

const struct lsi_network lsi_network_ring = {
	.name = "ring",
	.form = "P",
	.text = "ring of P nodes",
	.examples = LSI_EXAMPLES("ring:8", "ring:1", "ring:2", "ring:3", "ring:33", "ring:400"),
	.grid = LSI_GRID_WRAPPED,
	GRID_FUNCTIONS,
	.product = product,
	.inverse = inverse,
	.layouts = lsi_ring_layouts,
};

const struct lsi_network lsi_network_mesh = {
	.name = "mesh",
	.form = "RxC[xD..]",
	.text = "k-dimensional mesh",
	.examples = LSI_EXAMPLES("mesh:4x4", "mesh:1x1", "mesh:5", "mesh:2x3", "mesh:5x1x4",
		"mesh:2x2x2x2", "mesh:3x4x5", "mesh:13x17"),
	.grid = LSI_GRID_OPEN,
	GRID_FUNCTIONS,
	.eccentricity = eccentricity,
	.separator = 'x',
	.label = label,
	.rank_of = rank_of,
	.layouts = LSI_LAYOUTS(LSI_LAYOUT_COPIES("grid")),
};

const struct lsi_network lsi_network_torus = {
	.name = "torus",
	.form = "RxC[xD..]",
	.text = "k-dimensional mesh with wraparound",
	.examples = LSI_EXAMPLES("torus:4x4", "torus:1x1", "torus:5", "torus:2x2", "torus:3x5",
		"torus:5x1x4", "torus:2x3x4", "torus:13x16"),
	.grid = LSI_GRID_WRAPPED,
	GRID_FUNCTIONS,
	.product = product,
	.inverse = inverse,
	.separator = 'x',
	.label = label,
	.rank_of = rank_of,
	.layouts = LSI_LAYOUTS(LSI_LAYOUT_COPIES("grid")),
};
