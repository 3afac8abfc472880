/*
 * First drawings of a small graph.
 */
#include "topology/sketch.h"

#include <math.h>

enum { STRESS_ROUNDS = 40, BARYCENTER_ROUNDS = 120 };

/* ---- Stress */

/*
 * Where its distances to all others want a vertex to be: the mean of the points at the right
 * distance from each of them, in its direction; nearer ones count more.
 */
static struct lsi_point wanted(const struct lsi_sketch *s, int u)
{
	const int *const hops = s->hops + u * s->n;
	double x = 0, y = 0, weights = 0;

	for (int v = 0; v < s->n; v++) {
		const double dx = s->at[u].x - s->at[v].x, dy = s->at[u].y - s->at[v].y;
		const double length = sqrt(dx * dx + dy * dy);

		if (v == u)
			continue;

		const double weight = 1.0 / (hops[v] * hops[v]), factor = hops[v] / fmax(length, 1e-6);

		x += weight * (s->at[v].x + factor * dx);
		y += weight * (s->at[v].y + factor * dy);
		weights += weight;
	}
	return (struct lsi_point){ x / weights, y / weights };
}

void lsi_sketch_stress(struct lsi_sketch *s)
{
	const double side = sqrt(s->n);

	for (int u = 0; u < s->n; u++)
		s->at[u] = (struct lsi_point){ side * lsi_sketch_random(s), side * lsi_sketch_random(s) };
	for (int i = 0; i < STRESS_ROUNDS && s->n > 1; i++)
		for (int u = 0; u < s->n; u++)
			s->at[u] = wanted(s, u);
}

/* ---- Barycenters */

/* The vertices before `to`, one after the other, up to `from`, which is linked to it. */
struct cycle {
	int from, to, length;
};

/* The shortest way from one end of a link to the other without this link; hops: scratch. */
static int search_around(struct lsi_sketch *s, const int end[2], int *before)
{
	int found = 0;

	for (int u = 0; u < s->n; u++)
		before[u] = -1;
	before[end[0]] = end[0];
	s->queue[found++] = end[0];
	for (int i = 0; i < found; i++)
		for (int l = s->first[s->queue[i]]; l < s->first[s->queue[i] + 1]; l++) {
			const int u = s->queue[i], v = s->neighbor[l];

			if (before[v] >= 0 || (u == end[0] && v == end[1]))
				continue;
			before[v] = u;
			s->queue[found++] = v;
		}
	if (before[end[1]] < 0)
		return 0;

	int length = 1;

	for (int u = end[1]; u != end[0]; u = before[u])
		length++;
	return length;
}

static struct cycle shortest_cycle(struct lsi_sketch *s, int *before)
{
	struct cycle best = { .length = 0 };

	for (int l = 0; l < s->links; l++) {
		const int length = search_around(s, s->end[l], before);

		if (length > 0 && (best.length == 0 || length < best.length))
			best = (struct cycle){ s->end[l][0], s->end[l][1], length };
	}
	if (best.length > 0)
		search_around(s, (const int[]){ best.from, best.to }, before);
	return best;
}

bool lsi_sketch_barycentric(struct lsi_sketch *s)
{
	int before[LSI_SKETCH_SMALL];
	bool fixed[LSI_SKETCH_SMALL] = { false };
	const struct cycle cycle = shortest_cycle(s, before);
	const double radius = 0.5 * sqrt(s->n) + 0.5;
	int u = cycle.to;

	if (cycle.length == 0)
		return false;
	for (int v = 0; v < s->n; v++)
		s->at[v] = (struct lsi_point){ 0, 0 };
	for (int i = 0; i < cycle.length; i++, u = before[u]) {
		const double angle = 2 * M_PI * i / cycle.length;

		s->at[u] = (struct lsi_point){ radius * sin(angle), -radius * cos(angle) };
		fixed[u] = true;
	}
	for (int i = 0; i < BARYCENTER_ROUNDS; i++)
		for (int v = 0; v < s->n; v++) {
			struct lsi_point sum = { 0, 0 };

			for (int l = s->first[v]; l < s->first[v + 1]; l++) {
				sum.x += s->at[s->neighbor[l]].x;
				sum.y += s->at[s->neighbor[l]].y;
			}
			if (!fixed[v])
				s->at[v] = (struct lsi_point){ sum.x / (s->first[v + 1] - s->first[v]),
					sum.y / (s->first[v + 1] - s->first[v]) };
		}
	for (int v = 0; v < s->n; v++) { /* some have the same barycenter */
		s->at[v].x += 0.1 * lsi_sketch_random(s);
		s->at[v].y += 0.1 * lsi_sketch_random(s);
	}
	return true;
}
