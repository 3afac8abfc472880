/*
 * Long messages on any graph: bounds of the words equal a search over all sets of nodes; the
 * default costs at most 1.5 times a bound of the cost; all-gathers on random cubic graphs meet
 * their bound or nearly so.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include <lockstep/check.h>
#include <lockstep/cost.h>

#include "base/alloc.h"
#include "collective/matching/block_matchings.h"
#include "collective/words_bound.h"
#include "support/cells.h"
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
	{ "bintree:4", 28, 34 },
	{ "bintree:6", 124, 136 },
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

/* The other end of the only edge of each end; p * 3 ends are paired at random. */
static void pair_ends(int64_t ends[], int64_t count, uint64_t *state)
{
	for (int64_t i = 0; i < count; i++)
		ends[i] = i / 3;
	for (int64_t i = count - 1; i > 0; i--) {
		const int64_t j = random_below(state, i + 1), end = ends[i];

		ends[i] = ends[j];
		ends[j] = end;
	}
}

/* Whether no edge joins a node to itself, and no two edges the same nodes. */
static bool is_simple(const int64_t ends[], int64_t count)
{
	for (int64_t i = 0; i < count; i += 2) {
		if (ends[i] == ends[i + 1])
			return false;
		for (int64_t j = 0; j < i; j += 2)
			if ((ends[i] == ends[j] && ends[i + 1] == ends[j + 1])
				|| (ends[i] == ends[j + 1] && ends[i + 1] == ends[j]))
				return false;
	}
	return true;
}

/* A connected random cubic graph of p nodes. */
static ls_topology *cubic(int64_t p, uint64_t seed)
{
	char spec[] = "graph:/tmp/lockstep-cubic-XXXXXX", *path = spec + strlen("graph:");
	const int file = mkstemp(path);
	int64_t ends[256];
	ls_topology *t = NULL;

	while (!t && file >= 0) {
		FILE *text;

		do
			pair_ends(ends, 3 * p, &seed);
		while (!is_simple(ends, 3 * p));
		text = fopen(path, "w");
		for (int64_t i = 0; text && i < 3 * p; i += 2)
			fprintf(text, "%" PRId64 " %" PRId64 "\n", ends[i], ends[i + 1]);
		if (!text || fclose(text) || ls_topology_make(spec, &t, NULL) == LS_ERR_MEMORY)
			break;
	}
	if (file >= 0)
		close(file);
	remove(path);
	if (!t)
		exit(1);
	return t;
}

static void check_cubic(void)
{
	enum { SEEDS = 100 };
	const int step = is_fast() || is_thin() ? 10 : 1;
	int met = 0, tried = 0;

	for (int seed = 1; seed <= SEEDS; seed += step, tried++) {
		ls_topology *t = cubic(16 + 2 * (seed % 25), (uint64_t)seed);
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

/* ---- Cost */

/*
 * The average over the other nodes of the first round in which a block of the root may arrive, less
 * 1: after t rounds at most 2^t nodes are informed, and none farther away than t links.
 */
static double average_delay(const ls_topology *t, int64_t root)
{
	const int64_t p = ls_topology_nodes(t);
	int64_t informed = 1, sum = 0;

	for (int64_t round = 1; informed < p; round++) {
		int64_t near = 0, most = 2 * informed;

		for (int64_t v = 0; v < p; v++)
			near += ls_distance(t, root, v) <= round;
		most = most < near ? most : near;
		sum += (most - informed) * (round - 1);
		informed = most;
	}
	return (double)sum / (double)(p - 1);
}

/*
 * The least cost of a broadcast of m words in r rounds with messages of up to l(1), .., l(r) words,
 * at t_s per round and 1 per word.  Let d be the average delay.  A word that the root sends first
 * in round f reaches the other nodes in rounds f + d on average, or later.  Charge 1 - f / r for
 * its first send, and j / (r (p - 1)) for each arrival in round j: together at least 1 + d / r.  In
 * round j at most l(j) words are sent first, and (p - 1) l(j) arrive, so the charges are at most
 * l(1) + .. + l(r).  So the volume is at least m (1 + d / r).  Time reversal gives a reduction.
 */
static double broadcast_bound(double words, double delay, int64_t least_rounds, double t_s)
{
	double least = INFINITY;

	for (int64_t r = least_rounds; r < 4096; r++)
		least = fmin(least, (double)r * t_s + words * (1 + delay / (double)r));
	return least;
}

/* In bytes: t_w is 1 per byte. */
static double cost_bound(const ls_plan *plan, const struct ls_request *request)
{
	const double t_s = ls_cost_model_default.t_s, bytes = 8;
	const int64_t rounds = ls_plan_lower_bound(plan);
	const double naive =
		(double)rounds * t_s + (double)ls_plan_words_bound(plan, request->count) * bytes;

	if (request->operation != LS_BROADCAST && request->operation != LS_REDUCE)
		return naive;
	return fmax(naive,
		broadcast_bound((double)request->count * bytes,
			average_delay(request->topology, request->root), rounds, t_s));
}

static double worst = 0;

static void check_cost(const ls_topology *t, enum ls_operation operation, size_t count)
{
	const struct ls_request request = {
		.size = sizeof request, .topology = t, .operation = operation, .count = count
	};
	ls_plan *plan = plan_for(&request);
	const double cost = ls_plan_cost(plan, count, 8, ls_cost_model_default);
	const double bound = cost_bound(plan, &request), ratio = cost / bound;

	worst = fmax(worst, ratio);
	if (getenv("LS_SHOW"))
		printf("%.3f %s %s %zu %s\n", ratio, ls_topology_spec(t), ls_operation_name(operation),
			count, ls_plan_algorithm(plan));
	CHECK(ratio >= 1 && ratio <= 1.5, "%s of %zu elements on %s by %s: %g times the bound",
		ls_operation_name(operation), count, ls_topology_spec(t), ls_plan_algorithm(plan), ratio);
	ls_plan_destroy(plan);
}

/* Ranks of neighbors need not be near, so a scan may have to cross the graph p times. */
static void check_scan(const ls_topology *t, enum ls_operation operation)
{
	const struct ls_request request = {
		.size = sizeof request, .topology = t, .operation = operation, .count = 1 << 17
	};
	ls_plan *plan = plan_for(&request);
	const double cost = ls_plan_cost(plan, request.count, 8, ls_cost_model_default);
	const double ratio = cost / cost_bound(plan, &request);
	const double across = (double)ls_topology_diameter(t) * 2;

	CHECK(ratio >= 1 && ratio <= fmax(across, 8), "%s on %s by %s: %g times the bound",
		ls_operation_name(operation), ls_topology_spec(t), ls_plan_algorithm(plan), ratio);
	ls_plan_destroy(plan);
}

static void check_network(const char *spec)
{
	static const enum ls_operation operations[] = { LS_BROADCAST, LS_REDUCE, LS_ALLGATHER,
		LS_REDUCE_SCATTER, LS_ALLREDUCE };
	ls_topology *t = topology_of(spec);

	for (size_t k = 0; k < sizeof operations / sizeof *operations; k++) {
		check_cost(t, operations[k], 1 << 13);
		check_cost(t, operations[k], 1 << 17);
	}
	check_scan(t, LS_SCAN);
	check_scan(t, LS_EXSCAN);
	ls_topology_destroy(t);
}

/* 64 KiB and 1 MiB of doubles on each graph, and some families; in fast runs on some. */
static void check_costs(void)
{
	static const char *const graphs[] = { "petersen", "startree8", "rr3-16", "k45", "wheel8",
		"clebsch", "desargues", "dodecahedron", "f26a", "heawood", "hoffman-singleton", "k33",
		"mcgee", "moebius-kantor", "nauru", "pappus", "prism5", "rr3-12", "rr3-32", "rr3-64",
		"rr4-20", "rr5-40", "tutte-coxeter" };
	static const char *const families[] = { "mesh:4x4", "torus:5x5", "hypercube:5", "debruijn:5",
		"star:4", "bintree:4", "ring:9", "complete:12", "pancake:4", "mct:2,2" };
	const size_t some = is_fast() || is_thin() ? 5 : sizeof graphs / sizeof *graphs;

	for (size_t i = 0; i < some; i++) {
		char spec[80];

		snprintf(spec, sizeof spec, "graph:test/data/graphs/%s.txt", graphs[i]);
		check_network(spec);
	}
	for (size_t i = 0; i < sizeof families / sizeof *families && !is_thin(); i++)
		check_network(families[i]);
	printf("the default costs at most %.3f times the bound\n", worst);
}

int main(void)
{
	static const char *const small[] = { "linear:2", "linear:5", "ring:5", "mesh:3x3", "bintree:3",
		"graph:test/data/graphs/k45.txt", "graph:test/data/graphs/startree8.txt",
		"graph:test/data/graphs/wheel8.txt", "graph:test/data/claw", "debruijn:3" };

	for (size_t i = 0; i < sizeof small / sizeof *small; i++)
		check_expansion(small[i]);
	check_known();
	check_repeats();
	check_cubic();
	check_costs();
	return test_result();
}
