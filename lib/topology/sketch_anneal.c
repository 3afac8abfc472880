/*
 * Annealing of a drawing of a small graph.
 */
#include "topology/sketch.h"

#include <math.h>

/* Energies, in units of a link that is 1 too long. */
#define CROSSING    8.0
#define REPULSION   0.12 /* of two vertices 1 apart */
#define NEAR_FIRST  4.0  /* of a vertex on a link, falling to 0 at NEAR_REACH: at first, at last */
#define NEAR_LAST   16.0
#define NEAR_REACH  0.4
#define TEMPERATURE 3.0 /* at first: the most that a move may raise the energy */
#define JUMPS       0.3 /* at first: the share of moves to another vertex */

/* fmin and fmax are calls: they treat NaN. */
static inline double smaller(double a, double b)
{
	return a < b ? a : b;
}

static inline double larger(double a, double b)
{
	return a > b ? a : b;
}

/* ---- Crossings */

static double turn(struct lsi_point a, struct lsi_point b, struct lsi_point p)
{
	return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
}

static inline bool cross(const struct lsi_point *at, const int *a, const int *b)
{
	const struct lsi_point p = at[a[0]], q = at[a[1]], r = at[b[0]], s = at[b[1]];

	if (smaller(p.x, q.x) > larger(r.x, s.x) || smaller(r.x, s.x) > larger(p.x, q.x)
		|| smaller(p.y, q.y) > larger(r.y, s.y) || smaller(r.y, s.y) > larger(p.y, q.y))
		return false;
	if (a[0] == b[0] || a[0] == b[1] || a[1] == b[0] || a[1] == b[1])
		return false;
	return (turn(p, q, r) > 0) != (turn(p, q, s) > 0) && (turn(r, s, p) > 0) != (turn(r, s, q) > 0);
}

int64_t lsi_sketch_crossings(const struct lsi_sketch *s)
{
	int64_t count = 0;

	for (int i = 0; i < s->links; i++)
		for (int j = 0; j < i; j++)
			count += cross(s->at, s->end[i], s->end[j]);
	return count;
}

/* ---- Energy */

static double square(double x)
{
	return x * x;
}

/* Of a vertex near a link: 1 on the link, 0 from NEAR_REACH on. */
static inline double near_link(struct lsi_point p, struct lsi_point a, struct lsi_point b)
{
	const double dx = b.x - a.x, dy = b.y - a.y, length = dx * dx + dy * dy;
	double along, far;

	if (p.x < smaller(a.x, b.x) - NEAR_REACH || p.x > larger(a.x, b.x) + NEAR_REACH
		|| p.y < smaller(a.y, b.y) - NEAR_REACH || p.y > larger(a.y, b.y) + NEAR_REACH)
		return 0;
	along = length > 0 ? ((p.x - a.x) * dx + (p.y - a.y) * dy) / length : 0;
	along = smaller(1, larger(0, along));
	far = sqrt(square(a.x + along * dx - p.x) + square(a.y + along * dy - p.y));
	return far < NEAR_REACH ? square(1 - far / NEAR_REACH) : 0;
}

/* All terms in which a vertex takes part; near: the weight of vertices near links. */
static double energy_of(const struct lsi_sketch *s, int u, double near)
{
	const struct lsi_point p = s->at[u];
	double sum = 0, nearness = 0;

	for (int v = 0; v < s->n; v++)
		if (v != u)
			sum += REPULSION / (square(p.x - s->at[v].x) + square(p.y - s->at[v].y) + 1e-3);
	for (int l = 0; l < s->links; l++)
		if (s->end[l][0] != u && s->end[l][1] != u)
			nearness += near_link(p, s->at[s->end[l][0]], s->at[s->end[l][1]]);
	for (int l = s->first[u]; l < s->first[u + 1]; l++) {
		const int v = s->neighbor[l], link[2] = { u, v };

		sum += square(sqrt(square(p.x - s->at[v].x) + square(p.y - s->at[v].y)) - 1);
		for (int w = 0; w < s->n; w++)
			if (w != u && w != v)
				nearness += near_link(s->at[w], p, s->at[v]);
		for (int other = 0; other < s->links; other++)
			sum += cross(s->at, link, s->end[other]) ? CROSSING : 0;
	}
	return sum + near * nearness;
}

/* ---- Annealing */

/* Operations of energy_of, on average. */
static double cost(const struct lsi_sketch *s)
{
	return s->n + s->links + 2.0 * s->links / s->n * (s->n + s->links);
}

/* Beside the vertex, or beside another one; `reach` falls from 1 to 0. */
static struct lsi_point propose(struct lsi_sketch *s, int u, double reach)
{
	const double far = 0.05 + 2 * reach;
	const double x = far * (2 * lsi_sketch_random(s) - 1), y = far * (2 * lsi_sketch_random(s) - 1);
	const bool jumps = lsi_sketch_random(s) < JUMPS * reach;
	const struct lsi_point p = s->at[jumps ? (int)(lsi_sketch_random(s) * s->n) : u];

	return (struct lsi_point){ p.x + x, p.y + y };
}

void lsi_sketch_anneal(struct lsi_sketch *s, double operations)
{
	const int64_t moves = (int64_t)(operations / (2 * cost(s)));

	for (int64_t i = 0; i < moves && s->n > 1; i++) {
		const double left = 1 - (double)i / (double)moves;
		const double near = left * NEAR_FIRST + (1 - left) * NEAR_LAST;
		const int u = (int)(lsi_sketch_random(s) * s->n);
		const struct lsi_point old = s->at[u], new = propose(s, u, left * left);
		const double before = energy_of(s, u, near);

		s->at[u] = new;
		if (energy_of(s, u, near) > before + TEMPERATURE * square(left) * lsi_sketch_random(s))
			s->at[u] = old;
	}
}

/*
 * Each vertex in turn goes to the best of 8 places around it, if that is better; steps get shorter.
 */
void lsi_sketch_polish(struct lsi_sketch *s, double operations)
{
	static const struct lsi_point around[] = { { 1, 0 }, { 0.7, 0.7 }, { 0, 1 }, { -0.7, 0.7 },
		{ -1, 0 }, { -0.7, -0.7 }, { 0, -1 }, { 0.7, -0.7 } };
	const int rounds = (int)(operations / (9 * s->n * cost(s)));

	for (int i = 0; i < rounds * s->n; i++) {
		const int u = i % s->n;
		const double step = 0.3 * (1 - 0.95 * (i / s->n) / rounds);
		const struct lsi_point old = s->at[u];
		struct lsi_point best = old;
		double least = energy_of(s, u, NEAR_LAST);

		for (int k = 0; k < 8; k++) {
			s->at[u].x = old.x + step * around[k].x;
			s->at[u].y = old.y + step * around[k].y;

			const double energy = energy_of(s, u, NEAR_LAST);

			if (energy < least) {
				least = energy;
				best = s->at[u];
			}
		}
		s->at[u] = best;
	}
}
