/*
 * All-to-alls and shifts along searched paths take the rounds that are known to be least, by a
 * linear program, by the loads of a tree, or by a search of all schedules of small networks.  The
 * bounds are not above these.
 */
#include <string.h>

#include "collective/matching/flow_rounds.h"
#include "collective/matching/timed_paths.h"
#include "collective/port_bound.h"
#include "collective/round_bound.h"
#include "collective/shift_bound.h"
#include "every_schedule.h"
#include "support/cells.h"
#include "support/guard.h"
#include "test.h"

/* ---- All-to-alls */

/*
 * All-to-alls of one block per message.  `least`: the value of the linear program of flows by
 * source with the least load of the busiest port, rounded up, as GLPK computes it.
 */
static const struct {
	const char *spec;
	int64_t least, rounds;
} exchanges[] = {
	{ "mesh:3x3", 18, 18 },
	{ "mesh:3x4", 28, 28 },
	{ "graph:test/data/graphs/petersen.txt", 15, 15 },
	{ "graph:test/data/graphs/heawood.txt", 27, 27 },
	{ "graph:test/data/graphs/wheel8.txt", 12, 12 },
	{ "graph:test/data/graphs/k45.txt", 13, 13 },
	{ "bintree:3", 24, 24 },
	{ "bintree:4", 128, 128 },
	{ "debruijn:3", 13, 13 },
	{ "debruijn:4", 35, 35 },
	{ "star:4", 62, 63 },
};

/* Larger ones, of which only these rounds are known. */
static const struct {
	const char *spec;
	int64_t rounds;
} large_exchanges[] = {
	{ "debruijn:6", 240 },
	{ "mct:2,3", 236 },
	{ "graph:test/data/graphs/rr3-64.txt", 361 },
};

/* On a tree a block passes the ports on its only path: the greatest load of any port. */
static int64_t tree_load(const ls_topology *t)
{
	const int64_t p = ls_topology_nodes(t);
	int64_t load[2][64] = { { 0 } }, most = 0;

	for (int64_t pair = 0; pair < p * p; pair++)
		for (int64_t u = pair / p, v; u != pair % p; u = v) {
			v = ls_neighbor(t, u, ls_first_hop(t, u, pair % p));
			load[0][u]++;
			load[1][v]++;
		}
	for (int64_t i = 0; i < 2 * p; i++)
		most = load[i / p][i % p] > most ? load[i / p][i % p] : most;
	return most;
}

static void check_exchanges(void)
{
	static const char *const trees[] = { "linear:2", "linear:9", "bintree:5",
		"graph:test/data/graphs/startree8.txt", "graph:test/data/claw" };

	for (size_t i = 0; i < sizeof exchanges / sizeof *exchanges; i++) {
		ls_topology *t = topology_of(exchanges[i].spec);

		CHECK(lsi_alltoall_port_bound(t) == exchanges[i].least, "%s: bound %lld", exchanges[i].spec,
			(long long)lsi_alltoall_port_bound(t));
		CHECK(lsi_flow_packets(t)->rounds == exchanges[i].rounds, "%s: %lld rounds",
			exchanges[i].spec, (long long)lsi_flow_packets(t)->rounds);
		ls_topology_destroy(t);
	}
	for (size_t i = 0; i < sizeof trees / sizeof *trees; i++) {
		ls_topology *t = topology_of(trees[i]);
		const int64_t load = tree_load(t), bound = lsi_alltoall_port_bound(t);

		CHECK(lsi_flow_packets(t)->rounds == load, "%s: %lld rounds", trees[i],
			(long long)lsi_flow_packets(t)->rounds);
		CHECK(bound <= load && bound >= load - load / 100, "%s: bound %lld, not %lld", trees[i],
			(long long)bound, (long long)load);
		ls_topology_destroy(t);
	}
	for (size_t i = 0; !is_fast() && i < sizeof large_exchanges / sizeof *large_exchanges; i++) {
		ls_topology *t = topology_of(large_exchanges[i].spec);
		const int64_t rounds = lsi_flow_packets(t)->rounds;

		CHECK(rounds <= large_exchanges[i].rounds && rounds >= lsi_alltoall_port_bound(t),
			"%s: %lld rounds", large_exchanges[i].spec, (long long)rounds);
		ls_topology_destroy(t);
	}
}

/* Two topologies of one spec get equal schedules. */
static void check_equal(void)
{
	ls_topology *t = topology_of("mesh:4x5"), *again = topology_of("mesh:4x5");
	const struct lsi_packets *a = lsi_flow_packets(t), *b = lsi_flow_packets(again);

	CHECK(a != b && a == lsi_flow_packets(t) && a->hops == b->hops
			&& !memcmp(a->hop, b->hop, (size_t)a->hops * sizeof *a->hop),
		"two searches differ");
	ls_topology_destroy(t);
	ls_topology_destroy(again);
}

/* ---- Shifts */

static struct lsi_problem shift_problem(const ls_topology *t, int64_t shift)
{
	return (struct lsi_problem){ .topology = t,
		.nodes = ls_topology_nodes(t),
		.operation = LS_SHIFT,
		.mode = LS_HOP,
		.shift = shift,
		.segments = 1,
		.ports = 1 };
}

/* Shifts with combined messages take the fewest rounds of any schedule; the bounds are lower. */
static void check_every_shift(const char *spec)
{
	ls_topology *t = topology_of(spec);
	const int64_t p = ls_topology_nodes(t);

	for (int64_t shift = 1; shift < p; shift++) {
		const struct lsi_problem problem = shift_problem(t, shift);
		const int64_t rounds = lsi_timed_packets(&problem, true)->rounds;
		const int64_t single = lsi_timed_packets(&problem, false)->rounds;

		for (int64_t v = 0; v < p; v++)
			wanted.of[v] = 1u << (v + p - shift) % p;
		CHECK(can_finish(t, rounds) && !can_finish(t, rounds - 1), "%s shift %lld: %lld rounds",
			spec, (long long)shift, (long long)rounds);
		CHECK(!can_finish(t, lsi_shift_bound(&problem) - 1), "%s shift %lld: bound %lld", spec,
			(long long)shift, (long long)lsi_shift_bound(&problem));
		CHECK(lsi_block_round_bound(&problem) <= single && rounds <= single,
			"%s shift %lld: %lld rounds with one block per message", spec, (long long)shift,
			(long long)single);
	}
	ls_topology_destroy(t);
}

/* Shifts by 1: with combined messages, and with one block per message. */
static const struct {
	const char *spec;
	int64_t together, single;
} shifts[] = {
	{ "star:5", 5, 5 },
	{ "pancake:5", 4, 4 },
	{ "debruijn:7", 7, 7 },
	{ "bintree:4", 6, 8 },
	{ "bintree:6", 10, 15 },
	{ "graph:test/data/graphs/k45.txt", 2, 2 },
	{ "graph:test/data/graphs/hoffman-singleton.txt", 3, 3 },
	{ "graph:test/data/graphs/startree8.txt", 7, 7 },
};

static void check_shifts(void)
{
	for (size_t i = 0; i < sizeof shifts / sizeof *shifts; i++) {
		ls_topology *t = topology_of(shifts[i].spec);
		const struct lsi_problem problem = shift_problem(t, 1);
		const int64_t together = lsi_timed_packets(&problem, true)->rounds;
		const int64_t single = lsi_timed_packets(&problem, false)->rounds;

		CHECK(together == shifts[i].together && together >= lsi_shift_bound(&problem),
			"%s: %lld rounds", shifts[i].spec, (long long)together);
		CHECK(single <= shifts[i].single && single >= lsi_block_round_bound(&problem),
			"%s: %lld rounds with one block per message", shifts[i].spec, (long long)single);
		ls_topology_destroy(t);
	}
}

int main(void)
{
	static const char *const small[] = { "linear:4", "linear:5", "bintree:2", "ring:5", "ring:6",
		"mesh:2x3", "complete:4", "star:3", "graph:test/data/claw", "debruijn:2",
		"graph:test/data/graphs/k33.txt" };

	check_exchanges();
	check_equal();
	for (size_t i = 0; i < sizeof small / sizeof *small; i++)
		check_every_shift(small[i]);
	check_shifts();
	return test_result();
}
