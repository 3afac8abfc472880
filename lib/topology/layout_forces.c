/*
 * A layout of any graph.
 *
 * Up to LSI_SKETCH_SMALL vertices: of several starts, those with the fewest crossings are
 * annealed.  The energy of a drawing counts crossings, and sums how far links are from length 1,
 * and how near vertices are to each other and to links.  More vertices are placed by their
 * distances to a few landmarks, and then spread by forces between near ones; if some stay too near
 * each other, all go on a circle.
 *
 *   sources   stress: Gansner, Koren, North, "Graph drawing by stress majorization", GD 2004
 *             barycenters: Tutte, "How to draw a graph", Proc. London Math. Soc. 13, 1963
 *             annealing: Davidson, Harel, "Drawing graphs nicely using simulated annealing",
 *             ACM Trans. Graphics 15(4), 1996
 *             landmarks: Brandes, Pich, "Eigensolver methods for progressive multidimensional
 *             scaling of large data", GD 2006
 */
#include "topology/sketch.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/math.h"

enum {
	VERTICES_MAX = 1 << 16,
	LINKS_MAX = 3, /* of a vertex, on average: denser graphs are clearer as a circle */
	STARTS = 12,
	KEPT = 3, /* starts that are annealed */
	ENLARGED_MOST = 3
};
static const double NEAREST_SMALL = 0.7;

/* Distances and crossings that are computed. */
#define ANNEALING 5e6
#define POLISHING 1e6

bool lsi_fits_forces(const struct ls_topology *t)
{
	return t->vertices <= VERTICES_MAX && t->links <= LINKS_MAX * t->vertices;
}

double lsi_sketch_random(struct lsi_sketch *s)
{
	s->random += 0x9e3779b97f4a7c15u;
	return (double)(lsi_mix(s->random) >> 11) / 9007199254740992.0;
}

int lsi_sketch_search(struct lsi_sketch *s, int source, int *hops)
{
	int found = 0;

	for (int u = 0; u < s->n; u++)
		hops[u] = -1;
	hops[source] = 0;
	s->queue[found++] = source;
	for (int i = 0; i < found; i++) {
		const int u = s->queue[i];

		for (int l = s->first[u]; l < s->first[u + 1]; l++) {
			const int v = s->neighbor[l];

			if (hops[v] >= 0)
				continue;
			hops[v] = hops[u] + 1;
			s->queue[found++] = v;
		}
	}
	return s->queue[found - 1];
}

/* ---- Making */

static bool is_small(const struct lsi_sketch *s)
{
	return s->n <= LSI_SKETCH_SMALL;
}

static void free_sketch(struct lsi_sketch *s)
{
	lsi_free(s->first);
	lsi_free(s->neighbor);
	lsi_free(s->end);
	lsi_free(s->hops);
	lsi_free(s->queue);
}

static int make_sketch(struct lsi_sketch *s, const struct ls_topology *t, struct lsi_point *place)
{
	size_t n = (size_t)t->vertices, ends = 0;

	for (int64_t u = 0; u < t->vertices; u++)
		ends += (size_t)t->network->degree(t, u);
	*s = (struct lsi_sketch){ .n = (int)n, .at = place };
	s->first = lsi_alloc((n + 1) * sizeof *s->first);
	s->neighbor = lsi_alloc(ends * sizeof *s->neighbor);
	s->end = lsi_alloc(ends / 2 * sizeof *s->end);
	s->hops = lsi_alloc((is_small(s) ? n : LSI_LANDMARKS) * n * sizeof *s->hops);
	s->queue = lsi_alloc(n * sizeof *s->queue);
	if (!s->first || !s->neighbor || !s->end || !s->hops || !s->queue)
		return LS_ERR_MEMORY;
	s->first[0] = 0;
	for (int u = 0; u < s->n; u++) {
		const int degree = (int)t->network->degree(t, u);
		int *const list = s->neighbor + s->first[u];

		for (int l = 0; l < degree; l++) {
			list[l] = (int)t->network->neighbor(t, u, l);
			if (list[l] > u)
				memcpy(s->end[s->links++], (int[]){ u, list[l] }, sizeof *s->end);
		}
		s->first[u + 1] = s->first[u] + degree;
	}
	return LS_OK;
}

/* ---- Small graphs */

/* The best drawings so far, the one with the fewest crossings first. */
struct kept {
	struct lsi_point *at; /* KEPT * n */
	int64_t crossings[KEPT];
	int count;
};

static void keep(struct kept *k, const struct lsi_sketch *s)
{
	const size_t bytes = (size_t)s->n * sizeof *s->at;
	const int64_t crossings = lsi_sketch_crossings(s);
	int i = k->count;

	while (i > 0 && crossings < k->crossings[i - 1]) {
		if (i < KEPT) {
			memcpy(k->at + (size_t)i * (size_t)s->n, k->at + (size_t)(i - 1) * (size_t)s->n, bytes);
			k->crossings[i] = k->crossings[i - 1];
		}
		i--;
	}
	if (i == KEPT)
		return;
	memcpy(k->at + (size_t)i * (size_t)s->n, s->at, bytes);
	k->crossings[i] = crossings;
	k->count += k->count < KEPT;
}

static int place_small(struct lsi_sketch *s)
{
	const size_t bytes = (size_t)s->n * sizeof *s->at;
	struct kept starts = { .count = 0 }, ends = { .count = 0 };

	starts.at = lsi_alloc(2 * KEPT * bytes);
	if (!starts.at)
		return LS_ERR_MEMORY;
	ends.at = starts.at + KEPT * s->n;
	for (int u = 0; u < s->n; u++)
		lsi_sketch_search(s, u, s->hops + u * s->n);
	for (int i = 0; i < STARTS; i++) {
		lsi_sketch_stress(s);
		keep(&starts, s);
	}
	if (lsi_sketch_barycentric(s))
		keep(&starts, s);
	for (int i = 0; i < starts.count; i++) {
		memcpy(s->at, starts.at + i * s->n, bytes);
		lsi_sketch_anneal(s, ANNEALING / KEPT);
		keep(&ends, s);
	}
	memcpy(s->at, ends.at, bytes);
	lsi_sketch_polish(s, POLISHING);
	lsi_free(starts.at);
	return LS_OK;
}

/* ---- Ending */

/* Turn it so that it is as wide as possible, and node 0 is in the upper left half. */
static void turn_wide(struct lsi_point *at, int n)
{
	double xx = 0, xy = 0, yy = 0, x = 0, y = 0, twist, cos2, c, d;

	for (int u = 0; u < n; u++) {
		x += at[u].x / n;
		y += at[u].y / n;
	}
	for (int u = 0; u < n; u++) {
		at[u] = (struct lsi_point){ at[u].x - x, at[u].y - y };
		xx += at[u].x * at[u].x;
		xy += at[u].x * at[u].y;
		yy += at[u].y * at[u].y;
	}
	twist = hypot(xx - yy, 2 * xy);
	cos2 = twist > 0 ? (xx - yy) / twist : 1;
	c = sqrt((1 + cos2) / 2);
	d = copysign(sqrt((1 - cos2) / 2), xy);
	for (int u = 0; u < n; u++)
		at[u] = (struct lsi_point){ c * at[u].x + d * at[u].y, c * at[u].y - d * at[u].x };
	c = at[0].x + at[0].y > 0 ? -1 : 1;
	for (int u = 0; u < n; u++)
		at[u] = (struct lsi_point){ c * at[u].x, c * at[u].y };
}

static void enlarge(struct lsi_point *place, int64_t count, double factor)
{
	for (int64_t u = 0; u < count; u++)
		place[u] = (struct lsi_point){ factor * place[u].x, factor * place[u].y };
}

/* Enlarge a small drawing if that keeps vertices and links apart. */
static void spread_small(const struct ls_topology *t, struct lsi_point *place, double nearest)
{
	static const struct lsi_layout straight = { .name = "forces" };
	const double clearance = lsi_layout_clearance(t, &straight, place, t->vertices, 0);
	double factor = fmax(1, NEAREST_SMALL / nearest);

	if (clearance > LSI_CLEARANCE / 8)
		factor = fmax(factor, (LSI_CLEARANCE + 0.01) / clearance);
	enlarge(place, t->vertices, factor);
}

/* Forces cannot part the many neighbors of one vertex: then a circle is clearer. */
static int spread_large(const struct ls_topology *t, struct lsi_point *place, double nearest)
{
	if (nearest < LSI_NEAREST / ENLARGED_MOST)
		return lsi_place_circle(t, place);
	enlarge(place, t->vertices, fmax(1, LSI_NEAREST / nearest));
	return LS_OK;
}

int lsi_place_forces(const struct ls_topology *t, struct lsi_point *place)
{
	struct lsi_sketch s;
	double nearest;
	int status = make_sketch(&s, t, place);

	if (status == LS_OK && is_small(&s))
		status = place_small(&s);
	else if (status == LS_OK)
		lsi_sketch_landmarks(&s);
	if (status == LS_OK)
		turn_wide(place, s.n);
	if (status == LS_OK)
		status = lsi_layout_nearest(place, t->vertices, &nearest);
	if (status == LS_OK && is_small(&s))
		spread_small(t, place, nearest);
	else if (status == LS_OK)
		status = spread_large(t, place, nearest);
	free_sketch(&s);
	return status;
}
