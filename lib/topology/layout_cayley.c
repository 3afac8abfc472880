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
 * Five symbols are five blocks around the middle, each drawn as the first one, turned by a fifth.
 * Each further symbol k makes k copies of that, on a circle that is just wide enough.
 */
#include "topology/layout_cayley.h"

#include <math.h>
#include <string.h>

enum { CORNERS = 6, HEXAGONS = 4, BLOCK = HEXAGONS * CORNERS, BLOCKS = 5 };

#define RADIUS 0.74            /* of a hexagon */
#define ASIDE  (1.4 * M_SQRT2) /* its center from that of the block */

/* Angles are in degrees, 0 to the right, and grow clockwise. */
struct hexagon {
	int toward; /* the center, from that of the block */
	int turn;   /* the first corner, from the center */
	int walk;   /* 1: clockwise; -1 */
};

/* How the block of a network is drawn. */
struct block {
	struct hexagon hexagon[HEXAGONS];
	double right[HEXAGONS],
		down[HEXAGONS];   /* else: where each symbol stands, see place_octahedron */
	double around, scale; /* of five blocks: the center of a block from the middle; at last */
};

/*
 * Star:4 and pancake:4: of all ways in multiples of 15 degrees, that in which links are farthest
 * from third nodes (scripts/hexagon_search.c).  Five symbols: the smallest drawing that was found
 * in which links pass all third nodes at LSI_CLEARANCE (scripts/block_search.c).
 */
static const struct block star_4 = { .hexagon = { { 225, 255, 1 }, { 315, 45, 1 }, { 45, 195, 1 },
										 { 135, 345, 1 } } };
static const struct block star_5 = { .hexagon = { { 57, 347, -1 }, { 237, 341, 1 }, { 327, 291, 1 },
										 { 147, 193, -1 } },
	.around = 5.080,
	.scale = 1.214 };
static const struct block pancake_4 = { .hexagon = { { 225, 255, 1 }, { 315, 75, 1 }, { 45, 15, 1 },
											{ 135, 315, 1 } } };
static const struct block pancake_5 = { .hexagon = { { 205, 97, -1 }, { 25, 74, 1 },
											{ 295, 162, -1 }, { 115, 142, 1 } },
	.around = 4.776,
	.scale = 1.144 };
/* As seen from a direction in which no edge of the truncated octahedron hides another. */
static const struct block bubblesort_4 = { .right = { 0.180, 0.779, -0.180, -0.779 },
	.down = { 0.068, 0.318, -0.934, 0.549 } };
static const struct block bubblesort_5 = { .right = { -1.200, 0.256, 0.463, 0.568 },
	.down = { 0.056, -0.337, 1.325, -1.114 },
	.around = 8.752,
	.scale = 0.570 };

static struct lsi_point toward(double degrees, double length)
{
	return (
		struct lsi_point){ length * cos(M_PI / 180 * degrees), length * sin(M_PI / 180 * degrees) };
}

/* The nodes from `first` on that differ in the first three symbols: links 0 and 1 alternate. */
static void place_hexagon(const struct ls_topology *t, int64_t first, struct lsi_point center,
	const struct hexagon *h, struct lsi_point *place)
{
	int64_t at = first;

	for (int i = 0; i < CORNERS; i++) {
		const struct lsi_point corner = toward(h->turn + h->walk * 60 * i, RADIUS);

		place[at] = (struct lsi_point){ center.x + corner.x, center.y + corner.y };
		at = t->network->neighbor(t, at, i % 2);
	}
}

static void place_hexagons(
	const struct ls_topology *t, const struct block *block, struct lsi_point *place)
{
	for (int h = 0; h < HEXAGONS; h++) {
		const struct hexagon *const hexagon = &block->hexagon[h];

		place_hexagon(t, (int64_t)h * CORNERS, toward(hexagon->toward, ASIDE), hexagon, place);
	}
}

/* A permutation is a point in four dimensions: where each symbol stands. */
static void place_octahedron(
	const struct ls_topology *t, const struct block *block, struct lsi_point *place)
{
	for (int u = 0; u < BLOCK; u++) {
		const struct lsi_permutation p = lsi_permutation_of(u, HEXAGONS);

		place[u] = (struct lsi_point){ 0, 0 };
		for (int i = 1; i <= HEXAGONS; i++) {
			place[u].x += block->right[p.symbol[i] - 1] * i;
			place[u].y += block->down[p.symbol[i] - 1] * i;
		}
	}
	(void)t;
}

/* Of five symbols: the node of block 0 that adding `block` to all symbols leads to, 5 before 1. */
static int64_t in_first_block(int64_t node, int block)
{
	const struct lsi_permutation p = lsi_permutation_of(node, BLOCKS);
	struct lsi_permutation q = { .n = BLOCKS };

	for (int i = 1; i <= BLOCKS; i++)
		q.symbol[i] = (uint8_t)((p.symbol[i] - 1 + block) % BLOCKS + 1);
	return lsi_permutation_rank(&q);
}

/*
 * Around block 0, which is placed: adding to all symbols keeps the links, so the drawing of the
 * links also repeats five times.
 */
static void place_fifths(const struct block *drawn, struct lsi_point *place)
{
	struct lsi_point first[BLOCK];

	memcpy(first, place, sizeof first);
	for (int u = 0; u < BLOCKS * BLOCK; u++) {
		const struct lsi_point p = first[in_first_block(u, u / BLOCK)];
		const struct lsi_point turn = toward(360.0 / BLOCKS * (u / BLOCK), drawn->scale);
		const double y = p.y - drawn->around;

		place[u] = (struct lsi_point){ p.x * turn.x - y * turn.y, p.x * turn.y + y * turn.x };
	}
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

typedef void place_block(const struct ls_topology *, const struct block *, struct lsi_point *place);

static int place_symbols(const struct ls_topology *t, place_block *place_four,
	const struct block *four, const struct block *five, struct lsi_point *place)
{
	static const struct hexagon three = { .turn = 240, .walk = 1 };
	const int symbols = (int)t->number[0];

	for (int u = 0; u < 2 && u < t->nodes; u++)
		place[u] = (struct lsi_point){ u, 0 };
	if (symbols == 3)
		place_hexagon(t, 0, (struct lsi_point){ 0, 0 }, &three, place);
	if (symbols > 3)
		place_four(t, symbols == 4 ? four : five, place);
	if (symbols > 4)
		place_fifths(five, place);
	for (int k = 6; k <= symbols; k++)
		place_blocks(k, lsi_factorial(k - 1), place);
	return LS_OK;
}

int lsi_star_hexagons(const struct ls_topology *t, struct lsi_point *place)
{
	return place_symbols(t, place_hexagons, &star_4, &star_5, place);
}

int lsi_pancake_hexagons(const struct ls_topology *t, struct lsi_point *place)
{
	return place_symbols(t, place_hexagons, &pancake_4, &pancake_5, place);
}

int lsi_bubblesort_octahedra(const struct ls_topology *t, struct lsi_point *place)
{
	return place_symbols(t, place_octahedron, &bubblesort_4, &bubblesort_5, place);
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
