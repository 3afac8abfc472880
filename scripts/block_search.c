/*
 * Finds the tables of lib/topology/layout_cayley.c for five symbols: how to draw one block of 24
 * nodes, so that five of them, each turned by a fifth, make a small drawing in which no link passes
 * a third node.
 *
 *   cc -O2 -std=gnu11 -Ilib -o build/block_search \
 *       scripts/block_search.c lib/topology/permutation.c -lm
 *   build/block_search star 300
 *   build/block_search pancake 300
 *   build/block_search bubblesort 300
 *
 * To add 1 to every symbol, 5 becoming 1, leads from each block to the one before it and keeps all
 * links.  So if each block is drawn like block 0, turned, the whole drawing has this symmetry, and
 * only the links of block 0 must be measured.  The drawing is enlarged or reduced until its
 * clearance is just enough.
 *
 * Simulated annealing tries how the four hexagons of a block stand and are turned, in degrees; or
 * the direction from which a truncated octahedron is seen; and how far blocks are from the middle.
 * The arguments are the network and the number of runs.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "placement_search.h"
#include "topology/permutation.h"

enum { SYMBOLS = 5, NODES = 120, BLOCK = 24, HEXAGONS = 4, CORNERS = 6 };

#define RADIUS 0.74 /* of a hexagon */
#define ASIDE  1.98 /* its center from that of the block */

/* What is searched. */
struct drawing {
	double around;                          /* center of a block from the middle */
	double toward;                          /* degrees: the center of hexagon 0 from the block's */
	int corner[HEXAGONS];                   /* quarters of a turn that hexagon h is further */
	double turn[HEXAGONS];                  /* degrees: its first node */
	int walk[HEXAGONS];                     /* 1: clockwise */
	double right[HEXAGONS], down[HEXAGONS]; /* of each symbol */
};

enum network { STAR, PANCAKE, BUBBLESORT };
static enum network network;
static int corner_of[HEXAGONS][CORNERS]; /* nodes of S_4 */
static int like[NODES];                  /* the node of S_4 that is drawn alike */
static int across[NODES][SYMBOLS - 1];   /* neighbors */
static struct point place[NODES];

/* ---- Networks */

static int neighbor(int u, int symbols, int k)
{
	const struct lsi_permutation p = lsi_permutation_of(u, symbols);
	struct lsi_permutation q = p;

	for (int i = 1; i <= k && network == PANCAKE; i++)
		q.symbol[i] = p.symbol[k + 1 - i];
	if (network != PANCAKE) {
		const int other = network == STAR ? 1 : k - 1;

		q.symbol[other] = p.symbol[k];
		q.symbol[k] = p.symbol[other];
	}
	return (int)lsi_permutation_rank(&q);
}

/* Add to all symbols what makes the last one 5. */
static int turned_back(int u)
{
	const struct lsi_permutation p = lsi_permutation_of(u, SYMBOLS);
	struct lsi_permutation q = { .n = SYMBOLS - 1 };

	for (int i = 1; i < SYMBOLS; i++)
		q.symbol[i] = (uint8_t)((p.symbol[i] + 2 * SYMBOLS - 1 - p.symbol[SYMBOLS]) % SYMBOLS + 1);
	return (int)lsi_permutation_rank(&q);
}

static void make_network(void)
{
	for (int h = 0; h < HEXAGONS; h++)
		for (int i = 0, u = h * CORNERS; i < CORNERS; u = neighbor(u, 4, 2 + i++ % 2))
			corner_of[h][i] = u;
	for (int u = 0; u < NODES; u++) {
		like[u] = turned_back(u);
		for (int k = 2; k <= SYMBOLS; k++)
			across[u][k - 2] = neighbor(u, SYMBOLS, k);
	}
}

/* ---- Drawing */

static struct point toward(double degrees, double length)
{
	return (struct point){ length * cos(M_PI / 180 * degrees), length * sin(M_PI / 180 * degrees) };
}

static void draw_hexagons(const struct drawing *d, struct point block[BLOCK])
{
	for (int h = 0; h < HEXAGONS; h++) {
		const struct point center = toward(d->toward + 90 * d->corner[h], ASIDE);

		for (int i = 0; i < CORNERS; i++) {
			const struct point p = toward(d->turn[h] + d->walk[h] * 60 * i, RADIUS);

			block[corner_of[h][i]] = (struct point){ center.x + p.x, center.y + p.y };
		}
	}
}

static void draw_octahedron(const struct drawing *d, struct point block[BLOCK])
{
	for (int u = 0; u < BLOCK; u++) {
		const struct lsi_permutation p = lsi_permutation_of(u, HEXAGONS);

		block[u] = (struct point){ 0, 0 };
		for (int i = 1; i <= HEXAGONS; i++) {
			block[u].x += d->right[p.symbol[i] - 1] * i;
			block[u].y += d->down[p.symbol[i] - 1] * i;
		}
	}
}

static void draw(const struct drawing *d)
{
	struct point block[BLOCK];

	if (network == BUBBLESORT)
		draw_octahedron(d, block);
	else
		draw_hexagons(d, block);
	for (int u = 0; u < NODES; u++) {
		const struct point turn = toward(72 * (u / BLOCK), 1);
		const struct point p = { block[like[u]].x, block[like[u]].y - d->around };

		place[u] = (struct point){ p.x * turn.x - p.y * turn.y, p.x * turn.y + p.y * turn.x };
	}
}

/* ---- Measure */

static double distance(struct point p, struct point a, struct point b)
{
	const double dx = b.x - a.x, dy = b.y - a.y;
	const double at = ((p.x - a.x) * dx + (p.y - a.y) * dy) / (dx * dx + dy * dy);
	const double t = fmin(1, fmax(0, at));

	return hypot(a.x + t * dx - p.x, a.y + t * dy - p.y);
}

/* The least distance of a link to a third node; it may stop at one that is less than `enough`. */
static double link_clearance(double enough)
{
	double least = INFINITY;

	for (int u = 0; u < BLOCK; u++)
		for (int k = 0; k < SYMBOLS - 1; k++) {
			const int v = across[u][k];
			const struct point a = place[u], b = place[v];
			const double left = fmin(a.x, b.x), right = fmax(a.x, b.x);
			const double top = fmin(a.y, b.y), bottom = fmax(a.y, b.y);

			for (int w = 0; w < NODES && least >= enough; w++)
				if (w != u && w != v && place[w].x > left - least && place[w].x < right + least
					&& place[w].y > top - least && place[w].y < bottom + least)
					least = fmin(least, distance(place[w], a, b));
		}
	return least;
}

static double node_clearance(void)
{
	double least = INFINITY;

	for (int u = 0; u < BLOCK; u++)
		for (int v = u + 1; v < NODES; v++)
			least = fmin(least, hypot(place[u].x - place[v].x, place[u].y - place[v].y));
	return least;
}

static double side(void)
{
	struct point low = place[0], high = place[0];

	for (int u = 1; u < NODES; u++) {
		low = (struct point){ fmin(low.x, place[u].x), fmin(low.y, place[u].y) };
		high = (struct point){ fmax(high.x, place[u].x), fmax(high.y, place[u].y) };
	}
	return fmax(high.x - low.x, high.y - low.y);
}

/* The greatest distance of a node of a block from the center of the block. */
static double block_radius(const struct drawing *d)
{
	double most = 0;

	for (int u = 0; u < BLOCK; u++)
		most = fmax(most, hypot(place[u].x, place[u].y + d->around));
	return most;
}

static double needed_scale(double enough)
{
	const double link = link_clearance(enough);

	return link < enough ? INFINITY : fmax(CLEAR / link, NEAREST / node_clearance());
}

/* The side of the drawing that is just clear; INFINITY if it is more than `most`. */
static double cost(const struct drawing *d, double most)
{
	double found;

	draw(d);
	if (d->around * sin(M_PI / SYMBOLS) < 0.94 * block_radius(d)) /* blocks would overlap */
		return INFINITY;
	found = side() * needed_scale(CLEAR * side() / most);
	return found <= most ? found : INFINITY;
}

/* ---- Search */

static void swap_corners(struct drawing *d, int h, int other)
{
	const int corner = d->corner[h];

	d->corner[h] = d->corner[other];
	d->corner[other] = corner;
}

static struct drawing begin(void)
{
	static const double right[] = { 0.180, 0.779, -0.180, -0.779 };
	static const double down[] = { 0.068, 0.318, -0.934, 0.549 };
	struct drawing d = { .around = 5.2 + share(), .toward = floor(360 * share()) };
	const struct point turn = toward(d.toward, 1);

	for (int h = 0; h < HEXAGONS; h++) {
		d.corner[h] = h;
		swap_corners(&d, h, (int)(share() * (h + 1)));
		d.walk[h] = share() < 0.5 ? 1 : -1;
		d.turn[h] = floor(360 * share());
	}
	for (int h = 0; h < HEXAGONS; h++) {
		const struct point p = { right[d.corner[h]], down[d.corner[h]] };

		d.right[h] = p.x * turn.x - p.y * turn.y;
		d.down[h] = p.x * turn.y + p.y * turn.x;
	}
	return d;
}

/* Change one number; `heat` falls from 1 to 0. */
static struct drawing change(struct drawing d, double heat)
{
	const double degrees = round((2 * share() - 1) * (1.5 + 35 * heat));
	const double length = (2 * share() - 1) * (0.01 + 0.15 * heat);
	const int h = (int)(share() * HEXAGONS), kind = (int)(share() * 8);

	if (kind == 0)
		d.around += length;
	else if (network == BUBBLESORT && kind < 4)
		d.right[h] += length / 2;
	else if (network == BUBBLESORT)
		d.down[h] += length / 2;
	else if (kind == 1)
		d.toward += degrees;
	else if (kind == 2 && share() < 0.4)
		d.walk[h] = -d.walk[h];
	else if (kind == 2 && share() < 0.4)
		swap_corners(&d, h, (int)(share() * HEXAGONS));
	else if (kind == 2)
		d.turn[h] = floor(360 * share());
	else
		d.turn[h] += degrees;
	return d;
}

/* A run: the last drawing, and its cost. */
static double anneal(struct drawing *out)
{
	struct drawing now = begin();
	double now_cost = cost(&now, INFINITY);

	for (int i = 0; i < TRIES; i++) {
		const double heat = 1 - (double)i / TRIES;
		const double most = now_cost * (1 - (0.08 * heat + 0.002) * log(1 - share()));
		const struct drawing next = change(now, heat);
		const double found = cost(&next, most);

		if (found > most)
			continue;
		now = next;
		now_cost = found;
	}
	*out = now;
	return now_cost;
}

static int whole(double degrees)
{
	return (int)fmod(fmod(degrees, 360) + 360, 360);
}

static void print(const struct drawing *d, double found)
{
	draw(d);
	printf("side %.2f, scale %.3f, around %.3f\n", found, needed_scale(0), d->around);
	for (int h = 0; h < HEXAGONS && network != BUBBLESORT; h++)
		printf("  { %d, %d, %d }", whole(d->toward + 90 * d->corner[h]), whole(d->turn[h]),
			d->walk[h]);
	for (int h = 0; h < HEXAGONS && network == BUBBLESORT; h++)
		printf("  { %.3f, %.3f }", d->right[h], d->down[h]);
	printf("\n");
	fflush(stdout);
}

int main(int argc, char **argv)
{
	static const char *const names[] = { "star", "pancake", "bubblesort" };
	double best = INFINITY;

	while (argc == 3 && network <= BUBBLESORT && strcmp(argv[1], names[network]) != 0)
		network++;
	if (argc != 3 || network > BUBBLESORT)
		return EXIT_FAILURE;
	make_network();
	for (int run = 0; run < atoi(argv[2]); run++) {
		struct drawing d;
		const double found = anneal(&d);

		if (found < best - 0.005)
			print(&d, best = found);
	}
	return EXIT_SUCCESS;
}
