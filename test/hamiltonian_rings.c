/* Hamiltonian rings: every node once, each a neighbor of the one before. */
#include <stdlib.h>

#include <lockstep/topology.h>

#include "test.h"

static void test_ring(const char *spec)
{
	ls_topology *t;

	if (ls_topology_make(spec, &t, NULL) != LS_OK)
		exit(1);

	const int64_t nodes = ls_topology_nodes(t);
	int64_t *ring = malloc((size_t)nodes * sizeof *ring);
	bool *seen = calloc((size_t)nodes, sizeof *seen);

	if (!ring || !seen)
		exit(1);
	CHECK(ls_topology_hamiltonian(t, ring) == LS_OK, "%s", spec);
	for (int64_t i = 0; i < nodes; i++) {
		const int64_t u = ring[i], next = ring[(i + 1) % nodes];

		CHECK(u >= 0 && u < nodes && !seen[u], "%s: position %lld", spec, (long long)i);
		CHECK(ls_distance(t, u, next) == 1, "%s: position %lld", spec, (long long)i);
		seen[u] = true;
	}
	ls_topology_destroy(t);
	free(seen);
	free(ring);
}

/* Every grid of up to three sides, one of them even. */
static void test_grids(void)
{
	enum { MOST = 5 };
	char spec[32];

	for (int i = 0; i < MOST * MOST * MOST; i++) {
		const int a = 1 + i / MOST / MOST, b = 1 + i / MOST % MOST, c = 1 + i % MOST;
		const bool line = (a == 1) + (b == 1) + (c == 1) >= 2;

		if (a * b * c < 3 || a * b * c % 2)
			continue;
		snprintf(spec, sizeof spec, "%s:%dx%dx%d", line ? "torus" : "mesh", a, b, c);
		test_ring(spec);
		snprintf(spec, sizeof spec, "torus:%dx%dx%d", c, a, b);
		test_ring(spec);
	}
}

static void test_refusals(void)
{
	static const char *const none[] = { "star:1", "star:2", "ring:2", "linear:4", "mesh:3x3",
		"mesh:1x8", "hypercube:1", "pancake:3" };
	int64_t ring[9];
	ls_topology *t;

	for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
		if (ls_topology_make(none[i], &t, NULL) != LS_OK)
			exit(1);
		CHECK(ls_topology_hamiltonian(t, ring) == LS_ERR_UNSUPPORTED, "%s", none[i]);
		CHECK(ls_topology_hamiltonian(t, NULL) == LS_ERR_ARGUMENT, "%s", none[i]);
		ls_topology_destroy(t);
	}
	CHECK(ls_topology_hamiltonian(NULL, ring) == LS_ERR_ARGUMENT, "no network");
}

int main(void)
{
	static const char *const specs[] = { "star:3", "star:4", "star:5", "star:6", "star:7", "star:8",
		"star:9", "hypercube:2", "hypercube:7", "complete:3", "complete:8", "ring:3", "ring:9",
		"torus:1x7" };

	for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
		test_ring(specs[i]);
	test_grids();
	test_refusals();
	return test_result();
}
