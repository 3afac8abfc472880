/* The Hamiltonian ring of the star graph: every node once, each a neighbor of the one before. */
#include <stdlib.h>

#include <lockstep/topology.h>

#include "test.h"

static void test_star(int n, int64_t nodes)
{
	char spec[16];
	ls_topology *t;
	int64_t *ring = malloc((size_t)nodes * sizeof *ring);
	bool *seen = calloc((size_t)nodes, sizeof *seen);

	snprintf(spec, sizeof spec, "star:%d", n);
	if (!ring || !seen || ls_topology_make(spec, &t, NULL) != LS_OK)
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

static void test_refusals(void)
{
	static const char *const none[] = { "star:1", "star:2", "ring:6", "pancake:3" };
	int64_t ring[6];
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
	for (int n = 3, nodes = 6; n <= 9; nodes *= ++n)
		test_star(n, nodes);
	test_refusals();
	return test_result();
}
