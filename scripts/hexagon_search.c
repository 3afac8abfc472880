/*
 * Finds the tables of lib/topology/layout_cayley.c: how to turn the four hexagons of star:4 and
 * pancake:4, so that the links between them are as far as possible from third nodes.
 *
 *   cc -O2 -std=gnu11 -Ilib -o build/hexagons \
 *       scripts/hexagon_search.c lib/topology/permutation.c -lm
 *   build/hexagons star
 *   build/hexagons pancake
 *
 * Nodes with the same last symbol form a hexagon, in which links 2 and 3 alternate.  Each of the
 * four is turned by a multiple of 15 degrees and perhaps reflected.  The search tries all 48^4
 * ways.  For the best way so far, and others as good, it prints the multiple for each hexagon, and
 * whether the walk goes clockwise (1).  The clearance, the crossings and the length of the links
 * between hexagons follow.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "topology/permutation.h"

enum { NODES = 24, HEXAGONS = 4, CORNERS = 6, WAYS = 48, ACROSS = 12, LINKS = 36 };

#define RADIUS 0.74 /* of a hexagon */
#define ASIDE  1.4  /* its center, right or left, above or below the middle */
struct point {
	double x, y;
};

static int corner[NODES]; /* of its hexagon, 0 .. 5 in the order of the walk */
static struct point spot[HEXAGONS][WAYS][CORNERS];
static int across[ACROSS][2];                                /* links between hexagons */
static double clearance[ACROSS][WAYS][WAYS][HEXAGONS][WAYS]; /* of a link from a hexagon's nodes */
static double length[ACROSS][WAYS][WAYS];

/* Link 2 swaps the first two symbols; link k of the pancake graph flips the first k. */
static int neighbor(int u, int k, bool flip)
{
	struct lsi_permutation p = lsi_permutation_of(u, HEXAGONS);

	if (!flip)
		return (int)lsi_star_neighbor(u, k);
	for (int i = 1; i <= k; i++)
		p.symbol[i] = lsi_permutation_of(u, HEXAGONS).symbol[k + 1 - i];
	return (int)lsi_permutation_rank(&p);
}

static void make_network(bool flip)
{
	int links = 0;

	for (int h = 0; h < HEXAGONS; h++)
		for (int i = 0, u = h * CORNERS; i < CORNERS; u = neighbor(u, 2 + i++ % 2, flip))
			corner[u] = i;
	for (int u = 0; u < NODES; u++)
		if (neighbor(u, 4, flip) > u) {
			across[links][0] = u;
			across[links++][1] = neighbor(u, 4, flip);
		}
}

/* Hexagons from the upper left one clockwise. */
static void make_spots(void)
{
	static const struct point center[HEXAGONS] = { { -1, -1 }, { 1, -1 }, { 1, 1 }, { -1, 1 } };

	for (int h = 0; h < HEXAGONS; h++)
		for (int way = 0; way < WAYS; way++)
			for (int i = 0; i < CORNERS; i++) {
				const double angle = M_PI / 12 * (way % 24) + (way < 24 ? 1 : -1) * M_PI / 3 * i;

				spot[h][way][i] = (struct point){ ASIDE * center[h].x + RADIUS * cos(angle),
					ASIDE * center[h].y + RADIUS * sin(angle) };
			}
}

static double distance(struct point p, struct point a, struct point b)
{
	const double dx = b.x - a.x, dy = b.y - a.y;
	const double at = ((p.x - a.x) * dx + (p.y - a.y) * dy) / (dx * dx + dy * dy);
	const double t = fmin(1, fmax(0, at));

	return hypot(a.x + t * dx - p.x, a.y + t * dy - p.y);
}

static void measure_links(void)
{
	for (int l = 0; l < ACROSS; l++)
		for (int i = 0; i < WAYS; i++)
			for (int j = 0; j < WAYS; j++) {
				const int u = across[l][0], v = across[l][1];
				const struct point a = spot[u / CORNERS][i][corner[u]];
				const struct point b = spot[v / CORNERS][j][corner[v]];

				length[l][i][j] = hypot(a.x - b.x, a.y - b.y);
				for (int h = 0; h < HEXAGONS; h++)
					for (int way = 0; way < WAYS; way++) {
						double least = INFINITY;

						for (int c = 0; c < CORNERS; c++)
							if (!(h == u / CORNERS && c == corner[u])
								&& !(h == v / CORNERS && c == corner[v]))
								least = fmin(least, distance(spot[h][way][c], a, b));
						clearance[l][i][j][h][way] = least;
					}
			}
}

static double least_clearance(const int way[HEXAGONS], double enough)
{
	double least = INFINITY;

	for (int l = 0; l < ACROSS && least >= enough; l++)
		for (int h = 0; h < HEXAGONS; h++)
			least = fmin(least,
				clearance[l][way[across[l][0] / CORNERS]][way[across[l][1] / CORNERS]][h][way[h]]);
	return least;
}

static double total_length(const int way[HEXAGONS])
{
	double sum = 0;

	for (int l = 0; l < ACROSS; l++)
		sum += length[l][way[across[l][0] / CORNERS]][way[across[l][1] / CORNERS]];
	return sum;
}

static double side(struct point a, struct point b, struct point p)
{
	return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
}

static bool cross(const struct point a[2], const struct point b[2])
{
	return side(a[0], a[1], b[0]) * side(a[0], a[1], b[1]) < -1e-9
		&& side(b[0], b[1], a[0]) * side(b[0], b[1], a[1]) < -1e-9;
}

static int crossings(const int way[HEXAGONS])
{
	struct point link[LINKS][2];
	int links = 0, count = 0;

	for (int l = 0; l < ACROSS; l++, links++)
		for (int end = 0; end < 2; end++) {
			const int u = across[l][end];

			link[links][end] = spot[u / CORNERS][way[u / CORNERS]][corner[u]];
		}
	for (int h = 0; h < HEXAGONS; h++)
		for (int i = 0; i < CORNERS; i++, links++) {
			link[links][0] = spot[h][way[h]][i];
			link[links][1] = spot[h][way[h]][(i + 1) % CORNERS];
		}
	for (int i = 0; i < links; i++)
		for (int j = 0; j < i; j++)
			count += cross(link[i], link[j]);
	return count;
}

/* Clearer; or as clear, with fewer crossings; or as few, and shorter. */
static bool is_better(const double found[3], const double best[3])
{
	for (int i = 0; i < 3; i++)
		if (fabs(found[i] - best[i]) > 1e-6)
			return found[i] < best[i];
	return false;
}

int main(int argc, char **argv)
{
	double best[3] = { 0 };
	int way[HEXAGONS];

	if (argc != 2)
		return EXIT_FAILURE;
	make_network(strcmp(argv[1], "pancake") == 0);
	make_spots();
	measure_links();
	for (int n = 0; n < WAYS * WAYS * WAYS * WAYS; n++) {
		double found[3];

		for (int h = 0, rest = n; h < HEXAGONS; h++, rest /= WAYS)
			way[h] = rest % WAYS;
		found[0] = -least_clearance(way, -best[0] - 1e-6);
		if (-found[0] < -best[0] - 1e-6)
			continue;
		found[1] = crossings(way);
		found[2] = total_length(way);
		if (is_better(best, found))
			continue;
		memcpy(best, found, sizeof best);
		for (int h = 0; h < HEXAGONS; h++)
			printf("{ %d, %d } ", way[h] % 24, way[h] < 24 ? 1 : -1);
		printf("clearance %.3f, %.0f crossings, length %.2f\n", -found[0], found[1], found[2]);
	}
	return EXIT_SUCCESS;
}
