/*
 * Bounds of the cost: on small networks no plan costs less, as a search over all plans shows; some
 * bounds of rounds and words are known; the default costs at most 1.5 times the bound for long
 * messages on any graph.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <lockstep/check.h>
#include <lockstep/cost.h>

#include "support/cells.h"
#include "support/graphs.h"
#include "support/guard.h"
#include "test.h"

/* ---- All plans */

static int met; /* bounds that are the least cost */

enum { MOST_BITS = 16, MOST_COST = 64 };

/*
 * The plans of a broadcast of `blocks` words from node 0, or of an all-gather of one word each.  A
 * state is the set of words of all nodes; to have more never hurts, so a message is as long as it
 * may be.
 */
struct search {
	const ls_topology *topology;
	int nodes, blocks;
	int t_s;                   /* 1 per word */
	int least[1 << MOST_BITS]; /* cost of each state */
};

static unsigned words_of(const struct search *s, unsigned state, int node)
{
	return state >> (node * s->blocks) & ((1u << s->blocks) - 1);
}

/* The nodes from v on receive up to `longest` words each; the senders in `busy` have sent. */
static void receive(
	struct search *s, unsigned before, unsigned after, int v, unsigned busy, int longest)
{
	const int cost = s->least[before] + s->t_s + longest;

	if (v == s->nodes) {
		s->least[after] = s->least[after] < cost ? s->least[after] : cost;
		return;
	}
	receive(s, before, after, v + 1, busy, longest);
	for (int64_t l = 0; l < ls_degree(s->topology, v); l++) {
		const int u = (int)ls_neighbor(s->topology, v, l);
		const unsigned fresh = words_of(s, before, u) & ~words_of(s, before, v);
		const int count = __builtin_popcount(fresh);

		for (unsigned set = fresh; !(busy >> u & 1) && set; set = (set - 1) & fresh)
			if (__builtin_popcount(set) == (count < longest ? count : longest))
				receive(s, before, after | set << (v * s->blocks), v + 1, busy | 1u << u, longest);
	}
}

static int least_cost(struct search *s, unsigned begin)
{
	const unsigned states = 1u << (s->nodes * s->blocks);

	for (unsigned state = 0; state < states; state++)
		s->least[state] = state == begin ? 0 : MOST_COST;
	for (int cost = 0; cost < s->least[states - 1]; cost++)
		for (unsigned state = 0; state < states; state++)
			for (int longest = 1; s->least[state] == cost && longest <= s->blocks; longest++)
				receive(s, state, state, 0, 0, longest);
	return s->least[states - 1];
}

static void check_least(const ls_topology *t, enum ls_operation operation, int words, int t_s)
{
	static struct search s;
	const struct ls_request request = {
		.size = sizeof request, .topology = t, .operation = operation, .count = (size_t)words
	};
	const bool gathers = operation == LS_ALLGATHER;
	unsigned begin = gathers ? 0 : (1u << words) - 1;
	double bound;
	int least;

	s.topology = t;
	s.nodes = (int)ls_topology_nodes(t);
	s.blocks = gathers ? s.nodes : words;
	s.t_s = t_s;
	for (int v = 0; gathers && v < s.nodes; v++)
		begin |= 1u << (v * s.blocks + v);
	least = least_cost(&s, begin);
	bound = ls_cost_bound(&request, (struct ls_cost_model){ .t_s = t_s, .t_w = 1. / 8 });
	met += fabs(bound - least) < 1e-9;
	CHECK(bound <= least + 1e-9 && least < MOST_COST,
		"%s of %d words on %s at t_s = %d: bound %g, least cost %d", ls_operation_name(operation),
		words, ls_topology_spec(t), t_s, bound, least);
}

static void check_broadcasts(const ls_topology *t, int most_words)
{
	for (int words = 1; words <= most_words; words++)
		for (int t_s = 0; t_s <= 4; t_s += 2)
			check_least(t, LS_BROADCAST, words, t_s);
}

/* Every connected graph of four nodes. */
static void check_graphs(void)
{
	enum { NODES = 4, PAIRS = NODES * (NODES - 1) / 2 };

	for (unsigned edges = 1; edges < 1u << PAIRS; edges++) {
		int64_t ends[2 * PAIRS], count = 0;
		ls_topology *t;

		for (int u = 0, pair = 0; u < NODES; u++)
			for (int v = u + 1; v < NODES; v++, pair++)
				if (edges >> pair & 1) {
					ends[count++] = u;
					ends[count++] = v;
				}
		t = graph_of(ends, count / 2);
		if (t && ls_topology_nodes(t) == NODES)
			check_broadcasts(t, 2);
		ls_topology_destroy(t);
	}
}

static void check_small(void)
{
	static const char *const gathers[] = { "linear:3", "ring:3", "linear:4", "bintree:2", "ring:4",
		"graph:test/data/claw" };
	static const char *const broadcasts[] = { "linear:3", "ring:3", "linear:4", "ring:4",
		"complete:4", "graph:test/data/claw" };

	for (size_t i = 0; i < sizeof gathers / sizeof *gathers; i++) {
		ls_topology *t = topology_of(gathers[i]);

		check_least(t, LS_ALLGATHER, 1, 0);
		check_least(t, LS_ALLGATHER, 1, 2);
		ls_topology_destroy(t);
	}
	for (size_t i = 0; i < sizeof broadcasts / sizeof *broadcasts; i++) {
		ls_topology *t = topology_of(broadcasts[i]);

		check_broadcasts(t, 12 / (int)ls_topology_nodes(t));
		ls_topology_destroy(t);
	}
	CHECK(met >= 20, "only %d bounds are met", met);
}

/* ---- Bounds by hand */

static void check_known(void)
{
	enum { UNKNOWN = -1, WORDS = 7 };
	static const struct {
		const char *spec;
		enum ls_operation operation;
		enum ls_mode mode;
		int64_t shift;
		int64_t rounds; /* with one block per message: the sum of a node's distances, for example */
		int64_t words;
	} rows[] = {
		{ "complete:4", LS_ALLTOALL, LS_HOP, 0, 3, UNKNOWN },
		{ "ring:4", LS_ALLTOALL, LS_HOP, 0, 1 + 1 + 2, UNKNOWN },
		{ "hypercube:3", LS_ALLTOALL, LS_HOP, 0, 3 * 1 + 3 * 2 + 3, UNKNOWN },
		{ "linear:1", LS_ALLTOALL, LS_HOP, 0, 0, 0 },
		{ "ring:4", LS_ALLTOALL, LS_ROUTED, 0, UNKNOWN, UNKNOWN },
		{ "tree:4", LS_SHIFT, LS_HOP, 1, UNKNOWN, UNKNOWN },
		{ "tree:4", LS_ALLTOALL, LS_HOP, 0, UNKNOWN, UNKNOWN },
		{ "ring:5", LS_SHIFT, LS_HOP, 2, 2, UNKNOWN },
		{ "linear:2", LS_BROADCAST, LS_HOP, 0, UNKNOWN, WORDS },
		{ "linear:2", LS_ALLREDUCE, LS_HOP, 0, UNKNOWN, WORDS },
		{ "complete:4", LS_ALLGATHER, LS_HOP, 0, UNKNOWN, 3 * WORDS },
		{ "complete:4", LS_SCATTER, LS_HOP, 0, UNKNOWN, 3 * WORDS },
		{ "complete:4", LS_GATHER, LS_ROUTED, 0, UNKNOWN, 3 * WORDS },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		ls_topology *t = topology_of(rows[i].spec);
		const struct ls_request request = { .size = sizeof request,
			.topology = t,
			.operation = rows[i].operation,
			.mode = rows[i].mode,
			.shift = rows[i].shift,
			.count = WORDS };

		CHECK(
			ls_block_bound(&request) == rows[i].rounds && ls_words_bound(&request) == rows[i].words,
			"row %zu: %" PRId64 " rounds, %" PRId64 " words", i, ls_block_bound(&request),
			ls_words_bound(&request));
		if (ls_topology_nodes(t) == 1)
			CHECK(ls_cost_bound(&request, (struct ls_cost_model){ .t_s = 1, .t_w = 1 }) == 0,
				"row %zu: one node has a cost", i);
		ls_topology_destroy(t);
	}
}

/* ---- Cost */

static double worst = 0;

static void check_cost(const ls_topology *t, enum ls_operation operation, size_t count)
{
	const struct ls_request request = {
		.size = sizeof request, .topology = t, .operation = operation, .count = count
	};
	ls_plan *plan = plan_for(&request);
	const double cost = ls_plan_cost(plan, count, 8, ls_cost_model_default);
	const double bound = ls_cost_bound(&request, ls_cost_model_default), ratio = cost / bound;

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
	const double ratio = cost / ls_cost_bound(&request, ls_cost_model_default);
	const double across = (double)ls_topology_diameter(t) * 2;

	CHECK(ratio >= 1 && ratio <= fmax(across, 8), "%s on %s by %s: %g times the bound",
		ls_operation_name(operation), ls_topology_spec(t), ls_plan_algorithm(plan), ratio);
	ls_plan_destroy(plan);
}

static void check_network(ls_topology *t)
{
	static const enum ls_operation operations[] = { LS_BROADCAST, LS_REDUCE, LS_ALLGATHER,
		LS_REDUCE_SCATTER, LS_ALLREDUCE };

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
		"star:4", "bintree:4", "ring:9", "complete:12", "complete:64", "pancake:4", "mct:2,2" };
	enum { CUBIC = 4 };
	const size_t some = is_fast() || is_thin() ? 5 : sizeof graphs / sizeof *graphs;

	for (size_t i = 0; i < some; i++) {
		char spec[80];

		snprintf(spec, sizeof spec, "graph:test/data/graphs/%s.txt", graphs[i]);
		check_network(topology_of(spec));
	}
	for (int seed = 1; seed <= CUBIC; seed++)
		check_network(cubic_graph(16 + 2 * (seed * 7 % 25), (uint64_t)seed));
	for (size_t i = 0; i < sizeof families / sizeof *families && !is_thin(); i++)
		check_network(topology_of(families[i]));
	printf("the default costs at most %.3f times the bound\n", worst);
}

int main(void)
{
	check_graphs();
	check_small();
	check_known();
	check_costs();
	return test_result();
}
