#include "collective/distance_sum.h"

#include "base/math.h"

static int64_t on_torus(const struct ls_topology *t)
{
	int64_t sum = 0;

	for (int d = 0; d < ls_topology_dims(t); d++) {
		const int64_t s = ls_topology_side(t, d);

		sum = lsi_add_sat(sum, lsi_mul_sat(t->nodes / s, lsi_mul_sat(s / 2, (s + 1) / 2)));
	}
	return sum;
}

static int64_t on_star(const struct ls_topology *t)
{
	const int64_t n = t->number[0], N = t->nodes;
	int64_t sum = 2 * N / n;

	for (int64_t k = 1; k <= n; k++)
		sum = lsi_add_sat(sum, N / k);
	return n < 4 ? sum - (4 - n) * N : lsi_add_sat(sum, lsi_mul_sat(n - 4, N));
}

static int64_t on_product(const struct ls_topology *t)
{
	int64_t sum = 0;

	for (int i = 0; i < lsi_topology_factors(t); i++) {
		const struct ls_topology *f = lsi_topology_factor(t, i);

		sum = lsi_add_sat(sum, lsi_mul_sat(t->nodes / f->nodes, lsi_distance_sum(f)));
	}
	return sum;
}

static int64_t node_by_node(const struct ls_topology *t)
{
	int64_t sum = 0;

	for (int64_t u = 0; u < t->nodes; u++)
		sum += ls_distance(t, 0, u);
	return sum;
}

int64_t lsi_distance_sum(const struct ls_topology *t)
{
	if (ls_topology_dims(t) > 0)
		return on_torus(t);
	if (lsi_topology_is(t, &lsi_network_hypercube))
		return lsi_mul_sat(t->nodes, t->degree) / 2;
	if (lsi_topology_is(t, &lsi_network_star))
		return on_star(t);
	if (lsi_topology_is(t, &lsi_network_bubblesort))
		return lsi_mul_sat(t->nodes, t->number[0] * (t->number[0] - 1)) / 4;
	if (lsi_topology_factors(t) > 0)
		return on_product(t);
	return node_by_node(t);
}
