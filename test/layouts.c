/*
 * Layouts of every network: all vertices are placed, none lies on another or on a link; and each
 * layout looks as its network's description says.
 */
/* variants: release checked asan chaos */
#include "layout_lines.h"

enum { CLEAR_MAX = 64, NEAR_MAX = 1200, ARROWS_MAX = 16 };

/* ---- Every layout of every network */

static void check_places(const struct drawing *d)
{
	const char *spec = ls_topology_spec(d->t), *name = d->layout->name;
	double nearest = INFINITY;

	for (int64_t u = 0; u < d->n; u++) {
		CHECK(isfinite(d->at[u].x) && isfinite(d->at[u].y), "%s %s: vertex %lld is not placed",
			spec, name, (long long)u);
		for (int64_t v = 0; v < u && d->n <= NEAR_MAX; v++)
			nearest = fmin(nearest, distance(d->at[u], d->at[v]));
	}
	CHECK(nearest >= 0.4 - 1e-9, "%s %s: two vertices are %.3f apart", spec, name, nearest);
}

/* A link has one arc, from either end. */
static void check_arcs(const struct drawing *d)
{
	for (int64_t u = 0; u < d->n; u++)
		for (int64_t l = 0; l < ls_degree(d->t, u); l++) {
			const int64_t v = ls_neighbor(d->t, u, l);
			const double there = bend(d, LSI_LINE_LINK, u, v), back = bend(d, LSI_LINE_LINK, v, u);

			CHECK(fabs(there + back) < 1e-9, "%s %s: two arcs for the link %lld-%lld",
				ls_topology_spec(d->t), d->layout->name, (long long)u, (long long)v);
			CHECK(isfinite(bend(d, LSI_LINE_MESSAGE, u, v)), "%s %s: no arrow from %lld to %lld",
				ls_topology_spec(d->t), d->layout->name, (long long)u, (long long)v);
		}
}

/* In routed mode any two nodes may have an arrow. */
static void check_arrows(const struct drawing *d)
{
	for (int64_t u = 0; u < d->n; u++)
		for (int64_t v = 0; v < d->n && d->n <= ARROWS_MAX; v++)
			CHECK(u == v || isfinite(bend(d, LSI_LINE_MESSAGE, u, v)), "%s %s: an arrow %lld-%lld",
				ls_topology_spec(d->t), d->layout->name, (long long)u, (long long)v);
}

/* The public call gives the same places, each time. */
static void check_public(const struct drawing *d)
{
	double *xy = calloc((size_t)d->n, 2 * sizeof *xy);

	CHECK(xy && ls_layout(d->t, d->layout->name, xy, NULL) == LS_OK, "%s", d->layout->name);
	CHECK(xy && memcmp(xy, d->at, (size_t)d->n * 2 * sizeof *xy) == 0, "%s %s changes",
		ls_topology_spec(d->t), d->layout->name);
	free(xy);
}

static void check_layouts(const ls_topology *t)
{
	const char *name;

	for (size_t i = 0; (name = ls_layout_list(t, i)); i++) {
		struct drawing d = draw(t, name);

		CHECK(strcmp(d.layout->name, name) == 0, "%s: %s", ls_topology_spec(t), name);
		check_places(&d);
		check_arcs(&d);
		check_arrows(&d);
		check_public(&d);
		free(d.at);
	}
	CHECK(ls_layout_list(t, 0) && !ls_layout_list(t, 100), "%s", ls_topology_spec(t));
}

static void check_default(const ls_topology *t)
{
	struct drawing d = draw(t, NULL);

	CHECK(strcmp(d.layout->name, ls_layout_list(t, 0)) == 0, "%s: %s", ls_topology_spec(t),
		d.layout->name);
	check_places(&d);
	if (d.n <= CLEAR_MAX)
		check_clear(&d);
	free(d.at);
}

/* Sizes that are at the limits of a layout, and products of unlike networks. */
static void check_more_defaults(void)
{
	static const char *const specs[] = { "complete:64", "ring:12", "ring:13", "ring:64", "torus:64",
		"torus:2x32", "torus:3x21", "torus:21x3", "torus:8x8", "torus:4x4x4", "torus:3x3x3",
		"torus:2x2x16", "torus:2x2x2x2x2x2", "mesh:4x4x4", "mesh:8x8", "mesh:16x2x2", "mesh:2x2x16",
		"hypercube:5", "hypercube:6", "debruijn:6", "bintree:6", "tree:32", "mct:2,3",
		"complete:8*complete:8", "complete:4*torus:4x4", "star:4*linear:2", "linear:2*star:4",
		"hypercube:3*hypercube:3", "graph:test/data/petersen*ring:5",
		"ring:5*graph:test/data/petersen" };

	for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
		visit_spec(specs[i], check_default);
}

/* Larger networks whose placements were searched for this. */
static void check_searched(const ls_topology *t)
{
	struct drawing d = draw(t, NULL);

	check_places(&d);
	check_clear(&d);
	free(d.at);
}

/* ---- What single layouts look like */

static void expect_at(const struct drawing *d, int64_t u, double x, double y)
{
	CHECK(fabs(d->at[u].x - x) < 1e-9 && fabs(d->at[u].y - y) < 1e-9,
		"%s %s: vertex %lld is at %g,%g", ls_topology_spec(d->t), d->layout->name, (long long)u,
		d->at[u].x, d->at[u].y);
}

/* Which side an arrow bulges to, and how high. */
static void expect_arrow(
	const struct drawing *d, int64_t from, int64_t to, double right, double down)
{
	const double height = bend(d, LSI_LINE_MESSAGE, from, to);
	const struct lsi_point top = arc_point(d->at[from], d->at[to], height, 0.5);
	const double x = top.x - (d->at[from].x + d->at[to].x) / 2;
	const double y = top.y - (d->at[from].y + d->at[to].y) / 2;

	CHECK(fabs(x - right) < 1e-9 && fabs(y - down) < 1e-9,
		"%s %s: the arrow %lld-%lld bulges by %g,%g", ls_topology_spec(d->t), d->layout->name,
		(long long)from, (long long)to, x, y);
}

static void look_at_row(const ls_topology *t)
{
	struct drawing d = draw(t, NULL);

	expect_at(&d, 5, 5, 0);
	expect_arrow(&d, 0, 1, 0, -0.13);
	expect_arrow(&d, 1, 0, 0, 0.13);
	expect_arrow(&d, 2, 5, 0, -0.67);
	free(d.at);
}

static void look_at_two_rows(const ls_topology *t)
{
	struct drawing d = draw(t, NULL);

	expect_at(&d, 0, 0, 1);
	expect_at(&d, 3, 3, 1);
	expect_at(&d, 4, 3, 0);
	expect_at(&d, 7, 0, 0);
	expect_arrow(&d, 0, 1, 0, 0.13);
	expect_arrow(&d, 1, 0, 0, 0.13);
	expect_arrow(&d, 4, 6, 0, -0.4);
	expect_arrow(&d, 3, 4, 0.13, 0);
	expect_arrow(&d, 7, 0, -0.13, 0);
	expect_arrow(&d, 0, 4, 0, 0);
	free(d.at);
}

/* From 12 o'clock clockwise. */
static void look_at_circle(const ls_topology *t)
{
	struct drawing d = draw(t, NULL);

	CHECK(fabs(d.at[0].x) < 1e-9 && d.at[0].y < -2 && d.at[4].x > 2, "ring:16");
	expect_arrow(&d, 0, 8, 0, 0);
	for (int64_t u = 0; u < 16; u++) {
		const int64_t v = (u + 1) % 16;
		const struct lsi_point top =
			arc_point(d.at[u], d.at[v], bend(&d, LSI_LINE_MESSAGE, u, v), 0.5);

		CHECK(fabs(distance(d.at[u], d.at[v]) - 1) < 1e-9, "ring:16, link %lld", (long long)u);
		CHECK(hypot(top.x, top.y) > hypot(d.at[u].x, d.at[u].y), "an arrow inside");
	}
	free(d.at);
}

/* One hop right or above, more hops left or below, but outward at the border. */
static void look_at_mesh(const ls_topology *t)
{
	struct drawing d = draw(t, NULL);

	expect_at(&d, 7, 3, 1);
	expect_at(&d, 12, 0, 3);
	expect_arrow(&d, 5, 6, 0, -0.13);
	expect_arrow(&d, 6, 5, 0, -0.13);
	expect_arrow(&d, 4, 6, 0, 0.4);
	expect_arrow(&d, 5, 9, 0.13, 0);
	expect_arrow(&d, 13, 5, -0.4, 0);
	expect_arrow(&d, 0, 2, 0, -0.4);
	expect_arrow(&d, 12, 14, 0, 0.4);
	expect_arrow(&d, 3, 11, 0.4, 0);
	expect_arrow(&d, 0, 8, -0.4, 0);
	free(d.at);
}

/* Arcs around go outside: above in upper rows, below in lower ones, and so on. */
static void look_at_torus(const ls_topology *t)
{
	struct drawing d = draw(t, NULL);

	for (int64_t i = 0; i < 4; i++) {
		const double row = bend(&d, LSI_LINE_LINK, 4 * i, 4 * i + 3);
		const double column = bend(&d, LSI_LINE_LINK, i, i + 12);

		CHECK(i < 2 ? row > 0.3 : row < -0.3, "row %lld of a torus", (long long)i);
		CHECK(i < 2 ? column < -0.3 : column > 0.3, "column %lld of a torus", (long long)i);
		CHECK(bend(&d, LSI_LINE_LINK, 4 * i, 4 * i + 1) == 0, "a bent link");
	}
	free(d.at);
}

/* Bit 0 to the right, bit 1 up, bit 2 back; every bit moves all nodes alike. */
static void look_at_cubes(const ls_topology *t)
{
	struct drawing d = draw(t, NULL);

	CHECK(d.at[1].y == d.at[0].y && d.at[1].x > d.at[0].x, "bit 0");
	CHECK(d.n < 4 || (d.at[2].x == d.at[0].x && d.at[2].y < d.at[0].y), "bit 1");
	for (int64_t u = 0; u < d.n; u++)
		for (int64_t bit = 1; bit < d.n; bit *= 2)
			CHECK(fabs(fabs(d.at[u ^ bit].x - d.at[u].x) - fabs(d.at[bit].x - d.at[0].x)) < 1e-9
					&& fabs(fabs(d.at[u ^ bit].y - d.at[u].y) - fabs(d.at[bit].y - d.at[0].y))
						< 1e-9,
				"node %lld, bit %lld", (long long)u, (long long)bit);
	free(d.at);
}

/* Leaves 1 apart in order, parents above the middle of their children. */
static void look_at_tree(const ls_topology *t)
{
	struct drawing d = draw(t, NULL);
	const int64_t first = ls_topology_nodes(t) == d.n ? d.n / 2 : 0;

	for (int64_t i = 0; i <= d.n / 2; i++)
		CHECK(fabs(d.at[first + i].x - d.at[first].x - (double)i) < 1e-9
				&& d.at[first + i].y == d.at[first].y,
			"%s: leaf %lld", ls_topology_spec(t), (long long)i);
	for (int64_t u = 0; u < d.n; u++)
		if (ls_degree(t, u) > 1) {
			const int64_t links = ls_degree(t, u);
			const int64_t left = ls_neighbor(t, u, links - 2), right = ls_neighbor(t, u, links - 1);

			CHECK(d.at[u].y < d.at[left].y && d.at[left].x < d.at[right].x
					&& fabs(2 * d.at[u].x - d.at[left].x - d.at[right].x) < 1e-9,
				"%s: vertex %lld", ls_topology_spec(t), (long long)u);
		}
	free(d.at);
}

/* Links 2 and 3 are the sides of four regular hexagons. */
static void look_at_hexagons(const ls_topology *t)
{
	struct drawing d = draw(t, "hexagons");

	for (int64_t u = 0; u < d.n; u++) {
		const int64_t v = ls_neighbor(t, u, 0), w = ls_neighbor(t, u, 1);

		CHECK(fabs(distance(d.at[u], d.at[v]) - 0.74) < 1e-9, "%lld", (long long)u);
		CHECK(fabs(distance(d.at[u], d.at[w]) - 0.74) < 1e-9, "%lld", (long long)u);
		CHECK(fabs(distance(d.at[v], d.at[w]) - 0.74 * sqrt(3)) < 1e-9, "%lld", (long long)u);
	}
	free(d.at);
}

/* Five symbols: to add 1 to all of them, 1 after 5, turns the drawing by a fifth. */
static void look_at_fifths(const ls_topology *t)
{
	struct drawing d = draw(t, NULL);
	const double angle = -2 * M_PI / 5;

	for (int64_t u = 0; u < d.n; u++) {
		struct lsi_permutation p = lsi_permutation_of(u, 5);

		for (int i = 1; i <= 5; i++)
			p.symbol[i] = (uint8_t)(p.symbol[i] % 5 + 1);

		const int64_t v = lsi_permutation_rank(&p);
		const struct lsi_point turned = { d.at[u].x * cos(angle) - d.at[u].y * sin(angle),
			d.at[u].x * sin(angle) + d.at[u].y * cos(angle) };

		CHECK(distance(d.at[v], turned) < 1e-9, "%s: node %lld", ls_topology_spec(t), (long long)u);
	}
	free(d.at);
}

/* The Nauru graph: a ring whose chords lead as far as [5, -9, 7, -7, 9, -5]^4 says. */
static void look_at_star_ring(const ls_topology *t)
{
	static const int lcf[] = { 5, -9, 7, -7, 9, -5 };
	struct drawing d = draw(t, "ring");
	int64_t ring[24] = { 0 };

	for (int64_t u = 0; u < 24; u++) {
		const double turn = atan2(d.at[u].x, -d.at[u].y) / (2 * M_PI) * 24;

		ring[((int)lround(turn) + 24) % 24] = u;
	}
	CHECK(ring[0] == 0, "node 0 is not at 12 o'clock");
	for (int i = 0; i < 24; i++) {
		CHECK(ls_distance(t, ring[i], ring[(i + 1) % 24]) == 1, "no ring at %d", i);
		CHECK(ls_distance(t, ring[i], ring[(i + lcf[i % 6] + 24) % 24]) == 1, "no chord at %d", i);
	}
	free(d.at);
}

/* A polyhedron as seen from one side: edges that swap the same symbols are parallel. */
static void look_at_octahedron(const ls_topology *t)
{
	struct drawing d = draw(t, NULL);
	struct lsi_point edge[5][5] = { { { 0, 0 } } };

	for (int64_t u = 0; u < 24; u++)
		for (int k = 2; k <= 4; k++) {
			const struct lsi_permutation p = lsi_permutation_of(u, 4);
			const int64_t v = ls_neighbor(t, u, k - 2);
			const struct lsi_point by = { d.at[v].x - d.at[u].x, d.at[v].y - d.at[u].y };
			struct lsi_point *const known = &edge[p.symbol[k - 1]][p.symbol[k]];

			if (known->x == 0 && known->y == 0)
				*known = by;
			CHECK(distance(by, *known) < 1e-9, "the edge %lld-%lld", (long long)u, (long long)v);
		}
	free(d.at);
}

int main(void)
{
	static const char *const searched[] = { "star:5", "pancake:5", "bubblesort:5", "hypercube:7",
		"hypercube:8" };

	visit_examples(check_layouts);
	visit_small(check_default);
	check_more_defaults();
	for (size_t i = 0; i < sizeof searched / sizeof *searched; i++)
		visit_spec(searched[i], check_searched);
	for (size_t i = 0; i < 3; i++)
		visit_spec(searched[i], look_at_fifths);
	visit_spec("linear:8", look_at_row);
	visit_spec("ring:8", look_at_two_rows);
	visit_spec("ring:16", look_at_circle);
	visit_spec("mesh:4x4", look_at_mesh);
	visit_spec("torus:4x4", look_at_torus);
	visit_sizes("hypercube", 1, 12, look_at_cubes);
	visit_sizes("bintree", 1, 6, look_at_tree);
	visit_spec("tree:16", look_at_tree);
	visit_spec("star:4", look_at_hexagons);
	visit_spec("pancake:4", look_at_hexagons);
	visit_spec("star:4", look_at_star_ring);
	visit_spec("bubblesort:4", look_at_octahedron);
	return test_result();
}
