/*
 * Finds the moves of lib/topology/hypercube.c: how far each set bit moves a node in the drawing of
 * a hypercube of 7 or 8 dimensions, so that no link passes a third node and the drawing is small.
 *
 *   cc -O2 -std=gnu11 -o build/cube_search scripts/cube_search.c -lm
 *   build/cube_search 7 40
 *   build/cube_search 8 40
 *
 * Since each bit moves all nodes alike, only differences of nodes count: sums of moves, each taken
 * -1, 0 or 1 times.  The link of bit k leads from 0 to move k, and no other difference may lie near
 * it.  A drawing is enlarged or reduced until its clearance is just enough.
 *
 * Simulated annealing begins with a slanted grid of cubes, 4 x 4 for 7 dimensions.  Bit 0 stays to
 * the right, and bit 1 up.  The arguments are the dimensions and the number of runs.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "placement_search.h"

enum { DIMS_MAX = 8 };

static struct point move[DIMS_MAX];
static int dims;

static const struct point grid[DIMS_MAX] = { { 1.2, 0 }, { 0, -1.2 }, { 0.6, -0.6 }, { 3, 0.5 },
	{ -0.5, 3 }, { 6.3, 0.7 }, { -0.7, 6.3 }, { 12.8, 1.4 } };

/* ---- Measure */

/* The least squares of distances so far: of two nodes, and of a link to a third node. */
struct clearance {
	double nodes, link;
};

/* The distance of a difference to the link of bit k, if it is less than the least one. */
static void see_link(struct point p, int k, struct clearance *least)
{
	const struct point m = move[k];
	const double square = m.x * m.x + m.y * m.y, along = p.x * m.x + p.y * m.y;
	const double across = p.x * m.y - p.y * m.x;

	if (along <= 0 || along >= square) /* an end is nearer: then so are two nodes */
		return;
	least->link = fmin(least->link, across * across / square);
}

/* No bit differs. */
static bool is_same(const int taken[DIMS_MAX])
{
	for (int k = 0; k < dims; k++)
		if (taken[k] != 0)
			return false;
	return true;
}

/*
 * All differences that have the moves `taken` so far and any of bit `i` on; taken[k] is -1, 0 or 1.
 * A node beside the link of bit k has taken[k] 0 or 1.  Stops when less than `enough` is left.
 */
static void see(struct point p, int taken[DIMS_MAX], int i, double enough, struct clearance *least)
{
	if (fmin(least->nodes, least->link) < enough)
		return;
	for (int t = -1; i < dims && t <= 1; t++) {
		taken[i] = t;
		see((struct point){ p.x + t * move[i].x, p.y + t * move[i].y }, taken, i + 1, enough,
			least);
	}
	if (i < dims || is_same(taken))
		return;
	least->nodes = fmin(least->nodes, p.x * p.x + p.y * p.y);
	for (int k = 0; k < dims; k++)
		if (taken[k] >= 0)
			see_link(p, k, least);
}

/* How much the drawing must be enlarged; INFINITY if that is more than `most`. */
static double needed_scale(double most)
{
	const double enough = fmin(CLEAR, NEAREST) / most;
	struct clearance least = { INFINITY, INFINITY };
	int taken[DIMS_MAX];
	double scale;

	see((struct point){ 0, 0 }, taken, 0, enough * enough, &least);
	scale = fmax(CLEAR / sqrt(least.link), NEAREST / sqrt(least.nodes));
	return scale <= most ? scale : INFINITY;
}

/* Size and unevenness of the drawing that is just clear; INFINITY if that is more than `most`. */
static double cost(double most)
{
	double width = 0, height = 0, size;

	for (int i = 0; i < dims; i++) {
		width += fabs(move[i].x);
		height += fabs(move[i].y);
	}
	size = width + height + 0.5 * fabs(width - height);
	return size * needed_scale(most / size);
}

/* ---- Search */

static void begin(void)
{
	for (int i = 0; i < DIMS_MAX; i++) {
		const double most = i < 3 ? 0 : 0.25 * hypot(grid[i].x, grid[i].y);

		move[i].x = grid[i].x + (2 * share() - 1) * most;
		move[i].y = grid[i].y + (2 * share() - 1) * most;
	}
}

/* Change one move; `heat` falls from 1 to 0. */
static void change(double heat)
{
	const int i = (int)(share() * dims);
	const double most = (0.002 + 0.15 * heat * heat) * hypot(move[i].x, move[i].y);

	move[i].x += i == 1 ? 0 : (2 * share() - 1) * most;
	move[i].y += i == 0 ? 0 : (2 * share() - 1) * most;
}

static void print(double cost_found)
{
	const double scale = needed_scale(INFINITY);
	double width = 0, height = 0;

	for (int i = 0; i < dims; i++) {
		width += scale * fabs(move[i].x);
		height += scale * fabs(move[i].y);
		printf("{ %.3f, %.3f }%s", scale * move[i].x, scale * move[i].y, i + 1 < dims ? ", " : "");
	}
	printf("  cost %.2f, %.1f x %.1f\n", cost_found, width, height);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	double best = INFINITY;

	if (argc != 3 || (dims = atoi(argv[1])) < 4 || dims > DIMS_MAX)
		return EXIT_FAILURE;
	for (int run = 0; run < atoi(argv[2]); run++) {
		double now;

		begin();
		now = cost(INFINITY);
		for (int i = 0; i < TRIES; i++) {
			const double heat = 1 - (double)i / TRIES, rise = 0.03 * heat + 0.0005;
			const double most = now * (1 - rise * log(1 - share()));
			struct point before[DIMS_MAX];
			double found;

			memcpy(before, move, sizeof before);
			change(heat);
			found = cost(most);
			if (found <= most)
				now = found;
			else
				memcpy(move, before, sizeof before);
			if (now < best - 0.01 && i == TRIES - 1) {
				best = now;
				print(best);
			}
		}
	}
	return EXIT_SUCCESS;
}
