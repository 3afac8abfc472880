/*
 * Hypercube of D dimensions: bit i of a rank is coordinate i, link i flips bit i.
 *
 *   distance    differing bits (Hamming)
 *   route       lowest differing bit first (E-cube)
 *   diameter    D
 */
#include "topology/bits.h"
#include "topology/layout.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/math.h"

static int init(struct ls_topology *t, struct ls_error *why)
{
	(void)why;
	t->degree = t->number[0];
	t->nodes = (int64_t)1 << t->degree;
	t->links = lsi_mul_sat(t->nodes / 2, t->degree);
	return LS_OK;
}

static int64_t degree(const struct ls_topology *t, int64_t rank)
{
	(void)rank;
	return t->degree;
}

static int64_t neighbor(const struct ls_topology *t, int64_t rank, int64_t link)
{
	(void)t;
	return rank ^ (int64_t)1 << link;
}

static void neighbors(
	const struct ls_topology *t, int64_t first, int64_t count, int64_t link, int64_t *neighbor_of)
{
	for (int64_t i = 0; i < count; i++)
		neighbor_of[i] = neighbor(t, first + i, link);
}

static int64_t reverse(const struct ls_topology *t, int64_t rank, int64_t link)
{
	(void)t, (void)rank;
	return link;
}

static int64_t distance(const struct ls_topology *t, int64_t from, int64_t to)
{
	(void)t;
	return __builtin_popcountll((unsigned long long)(from ^ to));
}

static int64_t first_hop(const struct ls_topology *t, int64_t from, int64_t to)
{
	(void)t;
	return __builtin_ctzll((unsigned long long)(from ^ to));
}

static int64_t link_to(const struct ls_topology *t, int64_t from, int64_t to)
{
	const int64_t across = from ^ to;

	return across && !(across & (across - 1)) ? first_hop(t, from, to) : -1;
}

static int64_t diameter(const struct ls_topology *t)
{
	return t->degree;
}

static int64_t product(const struct ls_topology *t, int64_t by, int64_t x)
{
	(void)t;
	return by ^ x;
}

static int64_t inverse(const struct ls_topology *t, int64_t rank)
{
	(void)t;
	return rank;
}

/*
 * How far a set bit moves a node: right, up, back, to the second cube; then 2 x 1 and 2 x 2 of
 * these, where other moves keep the links clear of third nodes.  Seven and eight dimensions are
 * slanted grids of 4 x 4 and 8 x 4 cubes (scripts/cube_search.c).  Nine to twelve are 1 x 2 to
 * 4 x 4 drawings of eight, slanted so that few links graze a third node.
 */
enum { CUBE_DIMS_MAX = 12 };
static const struct lsi_point small[] = { { 1.3, 0 }, { 0, -1.3 }, { 0.75, -0.6 }, { 2.47, 1.24 } };
static const struct lsi_point six[] = { { 1.2, 0 }, { 0, -1.2 }, { 0.6, -0.59 }, { 2.99, 1.56 },
	{ 4.9, -0.96 }, { 0.97, 4.82 } };
static const struct lsi_point seven[] = { { 1.412, 0 }, { 0, -1.394 }, { 0.766, -0.601 },
	{ 2.720, 0.683 }, { -0.699, 2.864 }, { 5.574, 0.685 }, { -0.700, 5.661 } };
static const struct lsi_point many[CUBE_DIMS_MAX] = { { 2.019, 0 }, { 0, -2.769 },
	{ 0.693, -1.332 }, { 3.292, 0.969 }, { -1.387, 5.424 }, { 7.117, 0.950 }, { -1.410, 11.128 },
	{ 14.290, 1.216 }, { -3.242, 25.585 }, { 35.154, 2.991 }, { -7.190, 56.683 },
	{ 80.413, 6.851 } };

static bool is_drawn_as_cubes(const struct ls_topology *t)
{
	return t->degree <= CUBE_DIMS_MAX;
}

/* More cubes leave no room beside their links. */
static bool is_one_cube(const struct ls_topology *t)
{
	return t->degree <= 3;
}

static int place_cubes(const struct ls_topology *t, struct lsi_point *place)
{
	const struct lsi_point *const moves = t->degree <= 4 ? small
		: t->degree <= 6                                 ? six
		: t->degree == 7                                 ? seven
														 : many;

	for (int64_t u = 0; u < t->nodes; u++) {
		place[u] = (struct lsi_point){ 0, 0 };
		for (int64_t bit = 0; bit < t->degree; bit++)
			if (u >> bit & 1)
				place[u] =
					(struct lsi_point){ place[u].x + moves[bit].x, place[u].y + moves[bit].y };
	}
	return LS_OK;
}

/* The lowest dimensions, four if there are more. */
static bool unit(const struct ls_topology *t, char *spec, size_t size)
{
	const int64_t dimensions = t->degree > 4 ? 4 : t->degree - 1;

	snprintf(spec, size, "hypercube:%" PRId64, dimensions);
	return dimensions > 0;
}

/* The halves on both sides of the highest dimension. */
static int64_t part(const struct ls_topology *t, int64_t nodes)
{
	(void)t;
	return nodes / 2;
}

const struct lsi_network lsi_network_hypercube = {
	.name = "hypercube",
	.form = "D",
	.text = "hypercube of D dimensions, 2^D nodes",
	.examples = LSI_EXAMPLES(
		"hypercube:3", "hypercube:0", "hypercube:1", "hypercube:2", "hypercube:4", "hypercube:9"),
	.least = 0,
	.most = 62,
	.init = init,
	.degree = degree,
	.neighbor = neighbor,
	.neighbors = neighbors,
	.reverse = reverse,
	.distance = distance,
	.first_hop = first_hop,
	.link_to = link_to,
	.diameter = diameter,
	.product = product,
	.inverse = inverse,
	.unit = unit,
	.part = part,
	.label = lsi_bits_label,
	.rank_of = lsi_bits_rank_of,
	.layouts = LSI_LAYOUTS({ .name = "cubes",
		.fits = is_drawn_as_cubes,
		.place = place_cubes,
		.shows_routes = is_one_cube }),
};
