/*
 * Four symbols are a block of 24 nodes, drawn as four hexagons or as a truncated octahedron.
 *
 *        __          __
 *       /0 \        /1 \       Hexagon h has the ranks 6h .. 6h + 5, which share the last symbol.
 *       \__/        \__/       Its corners are in the order in which links 0 and 1, by turns, lead
 *                              from one to the next.  Links between hexagons are long, so each
 *        __          __        hexagon is turned for these to pass third nodes at a distance.
 *       /3 \        /2 \
 *       \__/        \__/
 *
 * Each further symbol k makes k copies of the block, on a circle that is just wide enough.
 */
#include "topology/layout_cayley.h"

#include <math.h>

enum { CORNERS = 6, HEXAGONS = 4, BLOCK = HEXAGONS * CORNERS };

#define RADIUS 0.74 /* of a hexagon */
#define ASIDE  1.4  /* the center of one of four, right or left, above or below the middle */

/*
 * How far the four hexagons of star:4 and pancake:4 are turned, in units of 15 degrees: of all
 * ways, that in which links are farthest from third nodes (scripts/hexagon_search.c).
 */
static const int star_turns[HEXAGONS] = { 17, 3, 13, 23 };
static const int pancake_turns[HEXAGONS] = { 17, 5, 1, 21 };

/* The nodes from `first` on that differ in the first three symbols: links 0 and 1 alternate. */
static void place_hexagon(const struct ls_topology *t, int64_t first, struct lsi_point center,
	int turn, struct lsi_point *place)
{
	int64_t at = first;

	for (int i = 0; i < CORNERS; i++) {
		const double angle = M_PI / 12 * turn + M_PI / 3 * i;

		place[at] =
			(struct lsi_point){ center.x + RADIUS * cos(angle), center.y + RADIUS * sin(angle) };
		at = t->network->neighbor(t, at, i % 2);
	}
}

/* From the upper left one clockwise. */
static void place_hexagons(
	const struct ls_topology *t, const int turn[HEXAGONS], struct lsi_point *place)
{
	static const struct lsi_point center[HEXAGONS] = { { -ASIDE, -ASIDE }, { ASIDE, -ASIDE },
		{ ASIDE, ASIDE }, { -ASIDE, ASIDE } };

	for (int h = 0; h < HEXAGONS; h++)
		place_hexagon(t, (int64_t)h * CORNERS, center[h], turn[h], place);
}

/*
 * Where each symbol stands, in four dimensions, as seen from a direction in which no edge of the
 * truncated octahedron hides another.
 */
static void place_octahedron(const struct ls_topology *t, struct lsi_point *place)
{
	static const double right[] = { 0.180, 0.779, -0.180, -0.779 };
	static const double down[] = { 0.068, 0.318, -0.934, 0.549 };

	for (int u = 0; u < BLOCK; u++) {
		const struct lsi_permutation p = lsi_permutation_of(u, HEXAGONS);

		place[u] = (struct lsi_point){ 0, 0 };
		for (int i = 1; i <= HEXAGONS; i++) {
			place[u].x += right[p.symbol[i] - 1] * i;
			place[u].y += down[p.symbol[i] - 1] * i;
		}
	}
	(void)t;
}

/* The greatest distance of a node from the origin. */
static double radius(const struct lsi_point *place, int64_t nodes)
{
	double most = 0;

	for (int64_t u = 0; u < nodes; u++)
		most = fmax(most, hypot(place[u].x, place[u].y));
	return most;
}

/* `blocks` of as many nodes, placed around the origin: copies on a circle, the first on top. */
static void place_blocks(int blocks, int64_t nodes, struct lsi_point *place)
{
	const double around = (radius(place, nodes) + 0.4) / sin(M_PI / blocks);

	for (int b = blocks - 1; b >= 0; b--) {
		const double angle = 2 * M_PI * b / blocks;

		for (int64_t u = 0; u < nodes; u++)
			place[b * nodes + u] = (struct lsi_point){ place[u].x + around * sin(angle),
				place[u].y - around * cos(angle) };
	}
}

static int place_symbols(const struct ls_topology *t,
	void (*place_four)(const struct ls_topology *, struct lsi_point *place),
	struct lsi_point *place)
{
	const int symbols = (int)t->number[0];

	for (int u = 0; u < 2 && u < t->nodes; u++)
		place[u] = (struct lsi_point){ u, 0 };
	if (symbols == 3)
		place_hexagon(t, 0, (struct lsi_point){ 0, 0 }, 16, place);
	if (symbols > 3)
		place_four(t, place);
	for (int k = 5; k <= symbols; k++)
		place_blocks(k, lsi_factorial(k - 1), place);
	return LS_OK;
}

static void place_star(const struct ls_topology *t, struct lsi_point *place)
{
	place_hexagons(t, star_turns, place);
}

static void place_pancake(const struct ls_topology *t, struct lsi_point *place)
{
	place_hexagons(t, pancake_turns, place);
}

int lsi_star_hexagons(const struct ls_topology *t, struct lsi_point *place)
{
	return place_symbols(t, place_star, place);
}

int lsi_pancake_hexagons(const struct ls_topology *t, struct lsi_point *place)
{
	return place_symbols(t, place_pancake, place);
}

int lsi_bubblesort_octahedra(const struct ls_topology *t, struct lsi_point *place)
{
	return place_symbols(t, place_octahedron, place);
}

/* ---- The ring of star:4 */

bool lsi_star_has_ring(const struct ls_topology *t)
{
	return t->nodes == BLOCK;
}

/* The Nauru graph; the chord of each node leads as many steps on as LCF [5,-9,7,-7,9,-5]^4 says. */
int lsi_star_ring(const struct ls_topology *t, struct lsi_point *place)
{
	static const int ring[BLOCK] = { 0, 1, 3, 2, 4, 5, 11, 6, 7, 9, 8, 10, 16, 17, 12, 13, 15, 14,
		20, 22, 23, 18, 19, 21 };
	struct lsi_point circle[BLOCK];

	lsi_circle_points(t->nodes, circle);
	for (int i = 0; i < BLOCK; i++)
		place[ring[i]] = circle[i];
	return LS_OK;
}
