/*
 * A lower bound holds for every algorithm: for each operation, network of up to 24 nodes, mode,
 * root or shift, and number of ports, no algorithm takes fewer rounds than another one states, or
 * less volume than the bound of the words.  For each operation some plan meets the bound of the
 * words, so a higher one would be found.
 */
/* variants: release checked asan chaos */
#include <inttypes.h>

#include "collective/algorithm.h"
#include "collective/words_bound.h"
#include "support/cells.h"
#include "support/guard.h"
#include "test.h"

enum { NODES = 24, PORTS = 2, WORDS = 120 };

/* An algorithm and its number of rounds, or its lower bound. */
struct figure {
	const struct lsi_algorithm *algorithm;
	int64_t rounds;
};

/* Counts that an algorithm states before it computes its schedule are not above those after it. */
static void check_least(const struct lsi_algorithm *a, const struct lsi_problem *problem)
{
	static const size_t lengths[] = { 1, 100, 10007 };

	for (size_t i = 0; a->predict_least && i < sizeof lengths / sizeof *lengths; i++) {
		const struct ls_counts counts = a->predict(problem, lengths[i]);
		const struct ls_counts least = a->predict_least(problem, lengths[i]);

		CHECK(least.rounds <= counts.rounds && least.volume <= counts.volume,
			"%s: %" PRId64 " rounds, at least %" PRId64 "; volume %" PRId64 ", at least %" PRId64,
			cell_name(&(struct cell){ a, *problem }).text, counts.rounds, least.rounds,
			counts.volume, least.volume);
	}
}

/* Problems with a bound of the words, and those where a plan meets it. */
static int64_t bounded[LS_OPERATIONS], met[LS_OPERATIONS];

/* Returns the volume of the algorithm for messages of WORDS words. */
static int64_t check_words(
	const struct lsi_algorithm *a, const struct lsi_problem *problem, int64_t bound)
{
	const int64_t volume = a->predict(problem, WORDS).volume;

	CHECK(bound <= volume, "%s: volume %" PRId64 ", bound %" PRId64,
		cell_name(&(struct cell){ a, *problem }).text, volume, bound);
	return volume;
}

/* Fewest rounds and highest lower bound of all algorithms that serve the problem. */
struct extremes {
	struct figure fewest, bound;
};

static struct extremes extremes_of(const struct lsi_problem *problem)
{
	struct extremes e = { { NULL, INT64_MAX }, { NULL, -1 } };
	const int64_t words = lsi_words_bound(problem, WORDS);
	int64_t volume = INT64_MAX;

	for (int i = 0; lsi_algorithms[i]; i++) {
		const struct lsi_algorithm *a = lsi_algorithms[i];

		if (!(a->operations & LSI_FOR(problem->operation)) || !a->supports(problem))
			continue;

		const int64_t rounds = a->predict(problem, 1).rounds;
		const int64_t bound = a->lower_bound ? a->lower_bound(problem) : -1;

		CHECK(rounds >= 0, "%s: no memory", a->name);
		check_least(a, problem);
		volume = lsi_min(volume, check_words(a, problem, words));
		if (rounds < e.fewest.rounds)
			e.fewest = (struct figure){ a, rounds };
		if (bound > e.bound.rounds)
			e.bound = (struct figure){ a, bound };
	}
	bounded[problem->operation] += words > 0;
	met[problem->operation] += words > 0 && words == volume;
	return e;
}

static void test_problem(const struct lsi_problem *problem)
{
	const struct extremes e = extremes_of(problem);

	if (e.bound.rounds < 0)
		return;

	const struct cell_name name = cell_name(&(struct cell){ e.fewest.algorithm, *problem });

	CHECK(e.bound.rounds <= e.fewest.rounds,
		"%s takes %" PRId64 " rounds, but %s states a bound of %" PRId64, name.text,
		e.fewest.rounds, e.bound.algorithm->name, e.bound.rounds);
}

/* All roots or shifts; in fast runs those at both ends and in the middle. */
static bool is_tested(int64_t root, int64_t nodes)
{
	return !is_fast() || root <= 1 || root == nodes / 2 || root == nodes - 1;
}

static void test_operation(const ls_topology *t, enum ls_operation operation)
{
	const int64_t nodes = ls_topology_nodes(t);
	const bool shifts = operation == LS_SHIFT;
	const int64_t roots = shifts || lsi_operation_is_rooted(operation) ? nodes : 1;

	for (int64_t root = 0; root < roots; root++) {
		if (!is_tested(root, nodes))
			continue;
		for (int ports = 1; ports <= PORTS; ports++) {
			for (int mode = LS_HOP; mode <= LS_ROUTED; mode++)
				test_problem(&(struct lsi_problem){ .topology = t,
					.nodes = nodes,
					.segments = 1,
					.operation = operation,
					.root = shifts ? 0 : root,
					.shift = shifts ? root : 0,
					.mode = (enum ls_mode)mode,
					.ports = ports });
		}
	}
}

static void test_network(const char *spec, void *unused)
{
	ls_topology *t = topology_of(spec);
	const int64_t nodes = ls_topology_nodes(t);

	(void)unused;
	for (int o = 0; nodes > 1 && nodes <= NODES && o < LS_OPERATIONS; o++)
		test_operation(t, (enum ls_operation)o);
	ls_topology_destroy(t);
}

int main(void)
{
	each_network(NODES, NODES, test_network, NULL);
	test_network("graph:test/data/graphs/startree8.txt", NULL);
	for (int o = 0; o < LS_OPERATIONS; o++)
		CHECK(met[o] > 0 || bounded[o] == 0, "%s: no plan meets the bound of the words",
			ls_operation_name((enum ls_operation)o));
	return test_result();
}
