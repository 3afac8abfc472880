/*
 * A drawing of a large graph, in about n log n steps for bounded degrees: the two directions in
 * which the distances to landmarks differ most, then springs along links and repulsion of near
 * vertices.
 */
#include "topology/sketch.h"

#include <math.h>
#include <string.h>

#include "base/math.h"

enum {
	POWER_ROUNDS = 60,
	FORCE_ROUNDS = 60,
	REACH = 2,   /* of repulsion, and the side of a square */
	MET_MAX = 80 /* vertices that repel one, so that dense drawings take no longer */
};

/* Each as far as possible from those before it; returns their number. */
static int search_landmarks(struct lsi_sketch *s)
{
	int landmarks = 0, next = 0;

	while (landmarks < LSI_LANDMARKS && landmarks < s->n) {
		int *const hops = s->hops + (size_t)landmarks * (size_t)s->n;

		lsi_sketch_search(s, next, hops);
		landmarks++;
		for (int u = next = 0, most = -1; u < s->n; u++) {
			int nearest = hops[u];

			for (int k = 0; k + 1 < landmarks; k++)
				if (s->hops[(size_t)k * (size_t)s->n + (size_t)u] < nearest)
					nearest = s->hops[(size_t)k * (size_t)s->n + (size_t)u];
			if (nearest > most) {
				most = nearest;
				next = u;
			}
		}
	}
	return landmarks;
}

/* The distances to landmarks are columns; their products, each column shifted to mean 0. */
struct products {
	int n;
	double mean[LSI_LANDMARKS], of[LSI_LANDMARKS][LSI_LANDMARKS];
};

static void multiply_columns(const struct lsi_sketch *s, struct products *p)
{
	const size_t n = (size_t)s->n;

	for (int i = 0; i < p->n; i++) {
		p->mean[i] = 0;
		for (size_t u = 0; u < n; u++)
			p->mean[i] += s->hops[(size_t)i * n + u] / (double)n;
	}
	for (int i = 0; i < p->n; i++)
		for (int j = 0; j <= i; j++) {
			double sum = 0;

			for (size_t u = 0; u < n; u++)
				sum += (s->hops[(size_t)i * n + u] - p->mean[i])
					* (s->hops[(size_t)j * n + u] - p->mean[j]);
			p->of[i][j] = p->of[j][i] = sum;
		}
}

/* Make `v` orthogonal to `first`, unless NULL, and of length 1. */
static void normalize(int n, double *v, const double *first)
{
	double along = 0, length = 0;

	for (int i = 0; first && i < n; i++)
		along += v[i] * first[i];
	for (int i = 0; i < n; i++) {
		v[i] -= first ? along * first[i] : 0;
		length += v[i] * v[i];
	}
	for (int i = 0; i < n; i++)
		v[i] = length > 0 ? v[i] / sqrt(length) : i == 0;
}

/* The eigenvector of the greatest eigenvalue, or of the next one after `first`. */
static void find_direction(
	struct lsi_sketch *s, const struct products *p, double *v, const double *first)
{
	for (int i = 0; i < p->n; i++)
		v[i] = lsi_sketch_random(s) - 0.5;
	normalize(p->n, v, first);
	for (int round = 0; round < POWER_ROUNDS; round++) {
		double next[LSI_LANDMARKS] = { 0 };

		for (int i = 0; i < p->n; i++)
			for (int j = 0; j < p->n; j++)
				next[i] += p->of[i][j] * v[j];
		normalize(p->n, next, first);
		memcpy(v, next, sizeof next);
	}
}

static double along(
	const struct lsi_sketch *s, const struct products *p, const double *direction, int u)
{
	double sum = 0;

	for (int i = 0; i < p->n; i++)
		sum += direction[i] * (s->hops[(size_t)i * (size_t)s->n + (size_t)u] - p->mean[i]);
	return sum;
}

static double distance(const struct lsi_sketch *s, int u, int v)
{
	const double dx = s->at[u].x - s->at[v].x, dy = s->at[u].y - s->at[v].y;

	return sqrt(dx * dx + dy * dy);
}

/*
 * Scaled so that links are 1 long on average and there is room for all vertices, and shaken, so
 * that those with the same distances to all landmarks are not at one point.
 */
static void scale(struct lsi_sketch *s)
{
	double sum = 0, most = 0, factor;

	for (int l = 0; l < s->links; l++)
		sum += distance(s, s->end[l][0], s->end[l][1]);
	for (int u = 0; u < s->n; u++)
		most = fmax(most, fmax(fabs(s->at[u].x), fabs(s->at[u].y)));
	factor = sum > 0 ? fmax(s->links / sum, 0.6 * sqrt(s->n) / most) : 0;
	for (int u = 0; u < s->n; u++)
		s->at[u] = (struct lsi_point){ factor * s->at[u].x + lsi_sketch_random(s),
			factor * s->at[u].y + lsi_sketch_random(s) };
}

/* ---- Forces */

/*
 * Vertices by the square that they are in: lists that begin at head[] and go on at next[], -1 at
 * the end.  Squares share lists, by a hash.
 */
struct squares {
	int lists; /* a power of 2 */
	int *head, *next;
};

static int *list_of(const struct squares *q, struct lsi_point p, int right, int down)
{
	const int64_t column = (int64_t)floor(p.x / REACH) + right;
	const int64_t row = (int64_t)floor(p.y / REACH) + down;

	return &q->head[lsi_mix((uint64_t)(column * 0x10001 + row)) & (uint64_t)(q->lists - 1)];
}

static void sort_into_squares(const struct lsi_sketch *s, struct squares *q)
{
	for (int i = 0; i < q->lists; i++)
		q->head[i] = -1;
	for (int u = 0; u < s->n; u++) {
		int *const list = list_of(q, s->at[u], 0, 0);

		q->next[u] = *list;
		*list = u;
	}
}

/* A force on u from v's side: positive pushes them apart. */
static void push(const struct lsi_sketch *s, int u, int v, double by, struct lsi_point *force)
{
	const double dx = s->at[u].x - s->at[v].x, dy = s->at[u].y - s->at[v].y;
	const double length = sqrt(dx * dx + dy * dy) + 1e-9;

	force->x += by * dx / length;
	force->y += by * dy / length;
}

static struct lsi_point force_on(const struct lsi_sketch *s, const struct squares *q, int u)
{
	struct lsi_point force = { 0, 0 };
	const double links = s->first[u + 1] - s->first[u];
	int met = 0;

	for (int l = s->first[u]; l < s->first[u + 1]; l++)
		push(s, u, s->neighbor[l], (1 - distance(s, u, s->neighbor[l])) / (1 + links), &force);
	for (int i = 0; i < 9; i++)
		for (int v = *list_of(q, s->at[u], i % 3 - 1, i / 3 - 1); v >= 0 && met < MET_MAX;
			 v = q->next[v], met++)
			if (v != u && distance(s, u, v) < REACH)
				push(s, u, v, 0.15 * (REACH / (distance(s, u, v) + 0.05) - 1), &force);
	return force;
}

/* Links pull, near vertices push; steps get shorter. */
static void apply_forces(struct lsi_sketch *s)
{
	struct squares q = { .lists = 1 };

	while (q.lists < 2 * s->n)
		q.lists *= 2;
	q.head = s->hops; /* no longer needed */
	q.next = s->hops + q.lists;
	for (int round = 0; round < FORCE_ROUNDS; round++) {
		const double most = 0.5 - 0.4 * round / FORCE_ROUNDS;

		sort_into_squares(s, &q);
		for (int u = 0; u < s->n; u++) {
			const struct lsi_point force = force_on(s, &q, u);
			const double length = sqrt(force.x * force.x + force.y * force.y);
			const double step = length > most ? most / length : 1;

			s->at[u].x += step * force.x;
			s->at[u].y += step * force.y;
		}
	}
}

void lsi_sketch_landmarks(struct lsi_sketch *s)
{
	struct products p = { .n = search_landmarks(s) };
	double right[LSI_LANDMARKS], down[LSI_LANDMARKS];

	multiply_columns(s, &p);
	find_direction(s, &p, right, NULL);
	find_direction(s, &p, down, right);
	for (int u = 0; u < s->n; u++)
		s->at[u] = (struct lsi_point){ along(s, &p, right, u), along(s, &p, down, u) };
	scale(s);
	apply_forces(s);
}
