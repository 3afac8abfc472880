/*
 * Embeddings: dilation, congestion and expansion equal those that this test counts along every
 * route; known maps have dilation 1; invalid maps are refused.  Plans of the guest are proved on
 * the host.
 */
#include <math.h>
#include <string.h>

#include <lockstep/check.h>

#include "support/cells.h"
#include "test.h"

/* Dilation -1: not 1, and as a walk says. */
static const struct {
	const char *guest, *host, *map;
	int64_t dilation;
} known[] = {
	{ "ring:8", "hypercube:3", "gray", 1 },
	{ "ring:2", "hypercube:1", "gray", 1 },
	{ "ring:6", "hypercube:3", "gray", 1 },
	{ "ring:10", "hypercube:4", "gray", 1 },
	{ "linear:5", "hypercube:3", "gray", 1 },
	{ "linear:7", "hypercube:5", "gray", 1 },
	{ "mesh:4x8", "hypercube:5", "gray", 1 },
	{ "mesh:3x5", "hypercube:5", "gray", 1 },
	{ "mesh:2x3x4", "hypercube:6", "gray", 1 },
	{ "torus:4x8", "hypercube:5", "gray", 1 },
	{ "torus:4x2x8", "hypercube:6", "gray", 1 },
	{ "torus:6x4", "hypercube:5", "gray", 1 },
	{ "hypercube:5", "torus:4x8", "gray", -1 },
	{ "hypercube:3", "ring:8", "gray", -1 },
	{ "hypercube:4", "torus:4x4", "gray", 1 },
	{ "hypercube:2", "mesh:2x2", "gray", 1 },
	{ "ring:24", "star:4", "hamiltonian", 1 },
	{ "linear:17", "star:4", "hamiltonian", 1 },
	{ "ring:120", "star:5", "hamiltonian", 1 },
	{ "ring:12", "mesh:4x3", "hamiltonian", 1 },
	{ "ring:36", "mesh:3x4x3", "hamiltonian", 1 },
	{ "ring:16", "hypercube:4", "hamiltonian", 1 },
	{ "linear:9", "mesh:3x3", "hamiltonian", 1 },
	{ "linear:20", "mesh:3x3x3", "hamiltonian", 1 },
	{ "hypercube:3", "ring:8", "identity", 4 },
	{ "hypercube:4", "linear:16", "identity", 8 },
	{ "ring:8", "linear:8", "identity", 7 },
	{ "mesh:2x2x2", "hypercube:3", "identity", 1 },
	{ "ring:5", "complete:9", "identity", 1 },
	{ "ring:8", "tree:8", "identity", 6 },
	{ "star:4", "graph:test/data/petersen*ring:3", "identity", -1 },
};

/* Route by route, counting messages by pairs of vertices. */
static void walk(const ls_embedding *e, int64_t *dilation, int64_t *congestion)
{
	const ls_topology *guest = ls_embedding_guest(e), *host = ls_embedding_host(e);
	const int64_t all = ls_topology_vertices(host);
	int64_t *crossing = calloc((size_t)(all * all), sizeof *crossing);

	if (!crossing)
		exit(1);
	*dilation = *congestion = 0;
	for (int64_t u = 0; u < ls_topology_nodes(guest); u++) {
		for (int64_t l = 0; l < ls_degree(guest, u); l++) {
			const int64_t to = ls_embedding_host_rank(e, ls_neighbor(guest, u, l));
			int64_t hops = 0;

			for (int64_t at = ls_embedding_host_rank(e, u), next; at != to; at = next, hops++) {
				next = ls_neighbor(host, at, ls_first_hop(host, at, to));

				const int64_t load = ++crossing[at * all + next];

				*congestion = load > *congestion ? load : *congestion;
			}
			*dilation = hops > *dilation ? hops : *dilation;
		}
	}
	free(crossing);
}

static void test_measures(const ls_embedding *e, const char *name)
{
	const int64_t p = ls_topology_nodes(ls_embedding_guest(e));
	const int64_t q = ls_topology_nodes(ls_embedding_host(e));
	int64_t dilation, congestion, used = 0;

	for (int64_t r = 0; r < p; r++) {
		const int64_t at = ls_embedding_host_rank(e, r);

		CHECK(at >= 0 && at < q && ls_embedding_guest_rank(e, at) == r, "%s: node %lld", name,
			(long long)r);
	}
	for (int64_t v = 0; v < q; v++)
		used += ls_embedding_guest_rank(e, v) != LS_NO_RANK;
	CHECK(used == p, "%s: %lld of %lld nodes", name, (long long)used, (long long)p);
	CHECK(ls_embedding_host_rank(e, p) == -1 && ls_embedding_guest_rank(e, q) == -1, "%s: outside",
		name);
	walk(e, &dilation, &congestion);
	CHECK(ls_embedding_dilation(e) == dilation, "%s: dilation %lld, not %lld", name,
		(long long)ls_embedding_dilation(e), (long long)dilation);
	CHECK(ls_embedding_congestion(e) == congestion, "%s: congestion %lld, not %lld", name,
		(long long)ls_embedding_congestion(e), (long long)congestion);
	CHECK(fabs(ls_embedding_expansion(e) * (double)p - (double)q) < 1e-9, "%s: expansion %g", name,
		ls_embedding_expansion(e));
}

static void test_known(void)
{
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		ls_topology *guest = topology_of(known[i].guest), *host = topology_of(known[i].host);
		struct ls_error why = { .size = sizeof why };
		ls_embedding *e = NULL;
		char name[100];

		snprintf(name, sizeof name, "%s on %s by %s", known[i].guest, known[i].host, known[i].map);
		CHECK(ls_embedding_make(guest, host, known[i].map, &e, &why) == LS_OK, "%s: %s", name,
			why.text);
		if (!e)
			exit(1);
		test_measures(e, name);
		if (known[i].dilation >= 0)
			CHECK(ls_embedding_dilation(e) == known[i].dilation, "%s: dilation %lld", name,
				(long long)ls_embedding_dilation(e));
		else
			CHECK(ls_embedding_dilation(e) > 1, "%s: dilation 1", name);
		ls_embedding_destroy(e);
		ls_topology_destroy(guest);
		ls_topology_destroy(host);
	}
}

/* ---- Any placement */

static uint64_t state = 1;

static int64_t below(int64_t n)
{
	state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (int64_t)(state >> 33) % n;
}

static void shuffle(int64_t *place, int64_t n)
{
	for (int64_t i = 0; i < n; i++)
		place[i] = i;
	for (int64_t i = n - 1; i > 0; i--) {
		const int64_t j = below(i + 1), old = place[i];

		place[i] = place[j];
		place[j] = old;
	}
}

static void test_random(void)
{
	static const char *const guests[] = { "ring:8", "hypercube:3", "mesh:2x4", "star:3", "linear:1",
		"debruijn:3", "bintree:3" };
	static const char *const hosts[] = { "ring:8", "mesh:3x3", "hypercube:4", "star:4", "tree:8" };

	for (size_t i = 0; i < 20 * 7 * 5; i++) {
		ls_topology *guest = topology_of(guests[i % 7]), *host = topology_of(hosts[i / 7 % 5]);
		int64_t place[24];
		ls_embedding *e = NULL;

		shuffle(place, ls_topology_nodes(host));
		CHECK(ls_embedding_from_map(guest, host, place, &e, NULL) == LS_OK, "%zu", i);
		for (int64_t r = 0; r < ls_topology_nodes(guest); r++)
			CHECK(ls_embedding_host_rank(e, r) == place[r], "%zu: node %lld", i, (long long)r);
		test_measures(e, ls_topology_spec(host));
		ls_embedding_destroy(e);
		ls_topology_destroy(guest);
		ls_topology_destroy(host);
	}
}

/* ---- Refusals */

static const struct {
	const char *guest, *host, *map;
	int status;
	const char *says;
} refused[] = {
	{ "ring:8", "hypercube:3", "grey", LS_ERR_SPEC, "no map 'grey'; did you mean 'gray'?" },
	{ "ring:9", "ring:8", "identity", LS_ERR_UNSUPPORTED,
		"ring:9 has 9 nodes, ring:8 only 8; expected a guest no larger" },
	{ "tree:8", "ring:8", "identity", LS_ERR_UNSUPPORTED, "tree:8 has switches" },
	{ "ring:7", "hypercube:3", "gray", LS_ERR_UNSUPPORTED,
		"gray: ring:7 wraps around an odd side, 7; try an even side" },
	{ "mesh:3x5", "hypercube:4", "gray", LS_ERR_UNSUPPORTED,
		"gray: mesh:3x5 needs 5 dimensions, hypercube:4 has 4; try hypercube:5" },
	{ "hypercube:3", "mesh:3x3", "gray", LS_ERR_UNSUPPORTED,
		"gray: hypercube:3 does not fit mesh:3x3; try a grid of 8 nodes" },
	{ "hypercube:3", "ring:16", "gray", LS_ERR_UNSUPPORTED,
		"gray: hypercube:3 does not fit ring:16" },
	{ "ring:24", "star:4", "gray", LS_ERR_UNSUPPORTED,
		"gray: cannot map ring:24 to star:4; expected" },
	{ "mesh:4x6", "star:4", "hamiltonian", LS_ERR_UNSUPPORTED, "try ring:24 or linear:24" },
	{ "ring:20", "star:4", "hamiltonian", LS_ERR_UNSUPPORTED,
		"does not visit all nodes of star:4; try ring:24" },
	{ "ring:9", "mesh:3x3", "hamiltonian", LS_ERR_UNSUPPORTED, "no ring of mesh:3x3 is known" },
	{ "ring:4", "mesh:4", "hamiltonian", LS_ERR_UNSUPPORTED,
		"no ring of mesh:4 is known; expected a star, hypercube, complete network or ring, a torus "
		"with an even side, or a mesh with an even side and another side above 1, of at least 3 "
		"nodes" },
	{ "ring:8", "tree:8", "hamiltonian", LS_ERR_UNSUPPORTED, "no ring of tree:8 is known" },
};

static void test_refused(void)
{
	for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
		ls_topology *guest = topology_of(refused[i].guest), *host = topology_of(refused[i].host);
		struct ls_error why = { .size = sizeof why };
		ls_embedding *e = NULL;

		CHECK(ls_embedding_make(guest, host, refused[i].map, &e, &why) == refused[i].status && !e,
			"%zu: %s", i, why.text);
		CHECK(strstr(why.text, refused[i].says), "%zu: %s", i, why.text);
		ls_topology_destroy(guest);
		ls_topology_destroy(host);
	}
}

static void test_places(void)
{
	static const int64_t twice[] = { 0, 2, 1, 2 }, outside[] = { 0, 1, 4, 2 };
	ls_topology *guest = topology_of("ring:4");
	struct ls_error why = { .size = sizeof why };
	ls_embedding *e = NULL;

	CHECK(ls_embedding_from_map(guest, guest, twice, &e, &why) == LS_ERR_ARGUMENT
			&& strstr(why.text, "puts nodes 1 and 3 on node 2; expected different"),
		"%s", why.text);
	CHECK(ls_embedding_from_map(guest, guest, outside, &e, &why) == LS_ERR_ARGUMENT
			&& strstr(why.text, "puts node 2 on node 4; expected 0 to 3"),
		"%s", why.text);
	CHECK(ls_embedding_from_map(guest, guest, NULL, &e, &why) == LS_ERR_ARGUMENT && !e, "NULL");
	CHECK(ls_embedding_make(guest, NULL, "gray", &e, &why) == LS_ERR_ARGUMENT && !e, "NULL");
	ls_topology_destroy(guest);
}

/* ---- Plans of the guest, on the host */

static struct ls_certificate proved(
	const ls_embedding *e, const char *algorithm, enum ls_mode mode, bool strict)
{
	const struct ls_request request = { .size = sizeof request,
		.topology = ls_embedding_guest(e),
		.operation = LS_ALLGATHER,
		.algorithm = algorithm };
	const struct ls_check_options options = {
		.size = sizeof options, .strict = strict, .embedding = e, .mode = mode
	};
	struct ls_certificate found = { .size = sizeof found };
	ls_plan *plan;

	CHECK(ls_plan_make(&request, &plan, NULL) == LS_OK, "%s", algorithm);
	CHECK(ls_check(plan, 3, &options, &found) == (found.broken_law < 0 ? LS_OK : LS_ERR_LAW), "%s",
		found.text);
	ls_plan_destroy(plan);
	return found;
}

/* Figure 4.12: the hypercube's all-gather on a ring; one link carries all four messages. */
static void test_contention(void)
{
	ls_topology *cube = topology_of("hypercube:3"), *ring = topology_of("ring:8");
	ls_embedding *e;
	struct ls_certificate found;

	if (ls_embedding_make(cube, ring, "identity", &e, NULL) != LS_OK)
		exit(1);
	found = proved(e, "doubling", LS_ROUTED, false);
	CHECK(found.broken_law == -1 && found.link_load == 4, "load %lld: %s",
		(long long)found.link_load, found.text);
	found = proved(e, "doubling", LS_ROUTED, true);
	CHECK(found.broken_law == LS_LAW_LINK && found.round == 2 && found.node == 1 && found.peer == 2,
		"%s", found.text);
	found = proved(e, "doubling", LS_HOP, false);
	CHECK(found.broken_law == LS_LAW_LINK && found.round == 2, "%s", found.text);
	ls_embedding_destroy(e);
	if (ls_embedding_make(ring, cube, "gray", &e, NULL) != LS_OK)
		exit(1);
	found = proved(e, "ring", LS_HOP, true);
	CHECK(found.broken_law == -1 && found.link_load == 1, "%s", found.text);
	found = proved(e, "ring", LS_ROUTED, true);
	CHECK(found.broken_law == -1 && found.link_load == 1, "%s", found.text);
	ls_embedding_destroy(e);
	ls_topology_destroy(cube);
	ls_topology_destroy(ring);
}

static void test_list(void)
{
	struct ls_embedding_info info = { .size = sizeof info };
	size_t maps = 0;

	while (ls_embedding_list(maps, &info))
		maps++;
	CHECK(maps == 3 && strcmp(info.name, "hamiltonian") == 0, "%zu maps", maps);
}

int main(void)
{
	test_known();
	test_random();
	test_refused();
	test_places();
	test_contention();
	test_list();
	return test_result();
}
