/*
 * Long messages on any graph: bounds of the words equal a search over all sets of nodes, and
 * all-gathers on random cubic graphs meet their bound or nearly so.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include <lockstep/check.h>
#include <lockstep/cost.h>

#include "base/alloc.h"
#include "collective/matching/block_matchings.h"
#include "collective/cut_nodes.h"
#include "collective/words_bound.h"
#include "support/cells.h"
#include "support/graphs.h"
#include "support/guard.h"
#include "test.h"

/* ---- Bounds of the words */

/* The largest |V| / |N(V)| of all sets without the source, at least 1. */
static struct lsi_ratio expansion_by_sets(const ls_topology *t, int64_t source)
{
	const int64_t p = ls_topology_nodes(t);
	struct lsi_ratio best = { 1, 1 };

	for (uint32_t set = 1; set < 1u << p; set++) {
		uint32_t neighbors = 0;

		if (source >= 0 && set >> source & 1)
			continue;
		for (int64_t v = 0; v < p; v++)
			for (int64_t l = 0; set >> v & 1 && l < ls_degree(t, v); l++)
				neighbors |= 1u << ls_neighbor(t, v, l);

		const struct lsi_ratio r = { __builtin_popcount(set), __builtin_popcount(neighbors) };

		if (r.numerator * best.denominator > best.numerator * r.denominator)
			best = r;
	}
	return best;
}

static void check_expansion(const char *spec)
{
	ls_topology *t = topology_of(spec);

	for (int64_t source = -1; source < ls_topology_nodes(t); source++) {
		const struct lsi_ratio found = lsi_expansion(t, source),
							   best = expansion_by_sets(t, source);

		CHECK(found.numerator * best.denominator == best.numerator * found.denominator,
			"%s without %" PRId64 ": %" PRId64 "/%" PRId64 ", not %" PRId64 "/%" PRId64, spec,
			source, found.numerator, found.denominator, best.numerator, best.denominator);
	}
	ls_topology_destroy(t);
}

/* ---- Cut nodes */

/* Add the nodes that a path from u leads to, without node `cut`. */
static unsigned reach(const ls_topology *t, int64_t u, int64_t cut, unsigned reached)
{
	reached |= 1u << u;
	for (int64_t l = 0; l < ls_degree(t, u); l++) {
		const int64_t v = ls_neighbor(t, u, l);

		if (v != cut && !(reached >> v & 1))
			reached = reach(t, v, cut, reached);
	}
	return reached;
}

static void check_parts(const char *spec)
{
	ls_topology *t = topology_of(spec);
	int64_t most = 0;

	for (int64_t cut = 0; cut < ls_topology_nodes(t); cut++) {
		unsigned reached = 1u << cut;
		int64_t parts = 0;

		for (int64_t u = 0; u < ls_topology_nodes(t); u++)
			if (!(reached >> u & 1)) {
				reached = reach(t, u, cut, reached);
				parts++;
			}
		most = most < parts ? parts : most;
		CHECK(lsi_parts_without(t, cut) == parts,
			"%s without %" PRId64 ": %" PRId64 " parts, not %" PRId64, spec, cut,
			lsi_parts_without(t, cut), parts);
	}
	CHECK(lsi_most_parts(t) == most, "%s: at most %" PRId64 " parts", spec, lsi_most_parts(t));
	ls_topology_destroy(t);
}

/* ---- All-gathers */

static struct lsi_problem allgather_on(const ls_topology *t)
{
	return (struct lsi_problem){ .topology = t,
		.nodes = ls_topology_nodes(t),
		.operation = LS_ALLGATHER,
		.mode = LS_HOP,
		.segments = 1,
		.ports = 1 };
}

/* All-gathers whose bounds are known, and the most rounds that one block per message may take. */
static const struct {
	const char *spec;
	int64_t bound, rounds;
} known[] = {
	{ "graph:test/data/graphs/petersen.txt", 9, 9 },
	{ "graph:test/data/graphs/heawood.txt", 13, 13 },
	{ "graph:test/data/graphs/dodecahedron.txt", 19, 19 },
	{ "graph:test/data/graphs/rr3-32.txt", 31, 31 },
	{ "graph:test/data/graphs/rr3-64.txt", 63, 63 },
	{ "graph:test/data/graphs/rr5-40.txt", 39, 39 },
	{ "graph:test/data/graphs/hoffman-singleton.txt", 49, 49 },
	{ "graph:test/data/graphs/wheel8.txt", 7, 7 },
	{ "graph:test/data/graphs/k45.txt", 10, 10 },
	{ "graph:test/data/graphs/startree8.txt", 49, 49 },
	{ "star:4", 23, 23 },
	{ "star:5", 119, 119 },
	{ "torus:5x5", 24, 24 },
	{ "ring:17", 16, 16 },
	{ "debruijn:4", 15, 15 },
	{ "debruijn:6", 63, 63 },
	{ "mesh:3x3", 10, 10 },
	{ "mesh:5x5", 26, 26 },
	{ "mct:2,3", 70, 70 },
	{ "bintree:4", 31, 34 },
	{ "bintree:6", 127, 136 },
};

static void check_known(void)
{
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		ls_topology *t = topology_of(known[i].spec);
		const struct lsi_problem problem = allgather_on(t);
		const int64_t rounds = lsi_block_delivery(&problem)->rounds;

		CHECK(lsi_words_bound(&problem, 1) == known[i].bound, "%s: bound %" PRId64, known[i].spec,
			lsi_words_bound(&problem, 1));
		CHECK(rounds <= known[i].rounds && rounds >= known[i].bound, "%s: %" PRId64 " rounds",
			known[i].spec, rounds);
		ls_topology_destroy(t);
	}
}

static bool is_same(const struct lsi_delivery *a, const struct lsi_delivery *b)
{
	bool same = a->rounds == b->rounds && a->messages == b->messages && a->words == b->words
		&& memcmp(a->block, b->block, (size_t)a->words * sizeof *a->block) == 0;

	for (int64_t m = 0; same && m < a->messages; m++)
		same = a->message[m].round == b->message[m].round
			&& a->message[m].from == b->message[m].from && a->message[m].to == b->message[m].to
			&& a->message[m].first == b->message[m].first;
	return same;
}

/* Every topology of one spec has the same schedules. */
static void check_repeats(void)
{
	enum { RUNS = 100, BLOCKS = 8 };
	const char *const spec = "graph:test/data/graphs/rr3-16.txt";
	ls_topology *t = topology_of(spec);
	const struct lsi_problem problem = allgather_on(t);
	const struct lsi_delivery *gather = lsi_block_delivery(&problem);
	struct lsi_delivery *broadcast = lsi_block_broadcast(t, 3, BLOCKS);

	for (int run = 0; run < RUNS; run++) {
		ls_topology *again = topology_of(spec);
		const struct lsi_problem other = allgather_on(again);
		struct lsi_delivery *second = lsi_block_broadcast(again, 3, BLOCKS);

		CHECK(is_same(gather, lsi_block_delivery(&other)), "run %d: another all-gather", run);
		CHECK(is_same(broadcast, second), "run %d: another broadcast", run);
		lsi_free(second);
		ls_topology_destroy(again);
	}
	lsi_free(broadcast);
	ls_topology_destroy(t);
}

/* ---- Random cubic graphs */

static void check_cubic(void)
{
	enum { SEEDS = 100 };
	const int step = is_fast() || is_thin() ? 10 : 1;
	int met = 0, tried = 0;

	for (int seed = 1; seed <= SEEDS; seed += step, tried++) {
		ls_topology *t = cubic_graph(16 + 2 * (seed % 25), (uint64_t)seed);
		const struct lsi_problem problem = allgather_on(t);
		const int64_t bound = lsi_words_bound(&problem, 1);
		const int64_t rounds = lsi_block_delivery(&problem)->rounds;

		met += rounds == bound;
		CHECK(rounds >= bound && rounds <= bound + 2, "seed %d: %" PRId64 " rounds, bound %" PRId64,
			seed, rounds, bound);
		ls_topology_destroy(t);
	}
	CHECK(10 * met >= 9 * tried, "%d of %d all-gathers meet the bound", met, tried);
}

int main(void)
{
	static const char *const small[] = { "linear:2", "linear:5", "ring:5", "mesh:3x3", "bintree:3",
		"graph:test/data/graphs/k45.txt", "graph:test/data/graphs/startree8.txt",
		"graph:test/data/graphs/wheel8.txt", "graph:test/data/claw", "debruijn:3" };

	for (size_t i = 0; i < sizeof small / sizeof *small; i++) {
		check_expansion(small[i]);
		check_parts(small[i]);
	}
	check_known();
	check_repeats();
	check_cubic();
	return test_result();
}
