/*
 * Every network that multiplies its ranks is a Cayley graph: the ranks are a group, every link is a
 * generator, the same at all of them, and distances do not change when both ends are multiplied.
 */
/* variants: release checked asan chaos */
#include "topology/topology_internal.h"

#include "support/guard.h"
#include "topology_specs.h"

enum { SAMPLES = 300 };

static int64_t groups;

static int64_t times(const ls_topology *t, int64_t by, int64_t x)
{
	return t->network->product(t, by, x);
}

static void check_element(const ls_topology *t, int64_t r)
{
	const int64_t inverse = t->network->inverse(t, r);
	const int64_t links = ls_degree(t, r), most = links < 20 ? links : 20;

	CHECK(times(t, 0, r) == r && times(t, r, 0) == r, "%s: 0 and %lld", ls_topology_spec(t),
		(long long)r);
	CHECK(times(t, r, inverse) == 0 && times(t, inverse, r) == 0, "%s: %lld is no inverse of %lld",
		ls_topology_spec(t), (long long)inverse, (long long)r);
	CHECK(links == ls_topology_degree(t), "%s: degree %lld", ls_topology_spec(t), (long long)links);
	for (int64_t l = 0; l < most; l++)
		CHECK(ls_neighbor(t, r, l) == times(t, r, ls_neighbor(t, 0, l))
				&& ls_reverse(t, r, l) == ls_reverse(t, 0, l),
			"%s: %lld link %lld", ls_topology_spec(t), (long long)r, (long long)l);
}

static void check_triple(const ls_topology *t, int64_t a, int64_t b, int64_t c)
{
	const int64_t ab = times(t, a, b), bc = times(t, b, c);

	CHECK(ab >= 0 && ab < ls_topology_nodes(t), "%s: %lld times %lld is %lld", ls_topology_spec(t),
		(long long)a, (long long)b, (long long)ab);
	CHECK(times(t, ab, c) == times(t, a, bc), "%s: %lld %lld %lld in either order",
		ls_topology_spec(t), (long long)a, (long long)b, (long long)c);
}

static void check_group(const ls_topology *t)
{
	const int64_t p = ls_topology_nodes(t);
	uint64_t random = 1;

	if (!lsi_topology_is_group(t))
		return;
	groups++;
	for (int i = 0; i < SAMPLES; i++) {
		const int64_t a = random_below(&random, p), b = random_below(&random, p);
		const int64_t c = random_below(&random, p);

		check_element(t, p <= SAMPLES ? i % p : a);
		check_triple(t, a, b, c);
	}
}

/* A route and its translate take the same links. */
static void check_routes(const ls_topology *t)
{
	const int64_t p = ls_topology_nodes(t);
	uint64_t random = 1;

	if (!lsi_topology_is_group(t) || p > 5040)
		return;
	for (int i = 0; i < SAMPLES; i++) {
		const int64_t a = random_below(&random, p), b = random_below(&random, p);
		const int64_t by = random_below(&random, p);
		const int64_t u = times(t, by, a), v = times(t, by, b);

		CHECK(ls_distance(t, u, v) == ls_distance(t, a, b)
				&& ls_first_hop(t, u, v) == ls_first_hop(t, a, b),
			"%s: %lld to %lld, times %lld", ls_topology_spec(t), (long long)a, (long long)b,
			(long long)by);
	}
}

static void check_kinds(void)
{
	static const struct {
		const char *spec;
		bool group;
	} known[] = {
		{ "linear:4", false },
		{ "ring:4", true },
		{ "mesh:2x2", false },
		{ "torus:3x4", true },
		{ "hypercube:3", true },
		{ "complete:5", true },
		{ "star:4", true },
		{ "pancake:4", true },
		{ "bubblesort:4", true },
		{ "tree:4", false },
		{ "bintree:3", false },
		{ "debruijn:3", false },
		{ "star:3*ring:4*hypercube:1", true },
		{ "ring:3*linear:3", false },
		{ "mct:2,2", false },
		{ "graph:test/data/petersen", false },
	};

	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		ls_topology *t = topology(known[i].spec);

		CHECK(lsi_topology_is_group(t) == known[i].group, "%s", known[i].spec);
		ls_topology_destroy(t);
	}
}

int main(void)
{
	static const char *const huge[] = {
		"ring:4611686018427387904",
		"ring:4611686018427387903",
		"star:20",
		"bubblesort:20",
		"complete:4611686018427387904",
		"torus:2147483648x2147483648",
		"hypercube:62",
		"pancake:19",
		"torus:3x4x5x6x7x8x9x10x11x12x13x14x2",
		"bubblesort:12*hypercube:20*torus:2x3",
	};

	visit_small(check_group);
	visit_small(check_routes);
	visit_large(check_group);
	visit_large(check_routes);
	for (size_t i = 0; i < sizeof huge / sizeof *huge; i++)
		visit_spec(huge[i], check_group);
	CHECK(groups > 200, "%lld groups", (long long)groups);
	check_kinds();
	return test_result();
}
