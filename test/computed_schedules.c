/*
 * Schedules that are computed and kept with a topology: on trees they take the fewest rounds that
 * exist, by a recursion of this test; on known networks the rounds that are known.  All threads
 * get the same object, and two topologies of one spec get equal ones.  Lower bounds of gossip
 * agree with all schedules of small networks.
 */
#include <pthread.h>
#include <string.h>

#include "every_schedule.h"
#include "test.h"

#include "collective/matching/block_matchings.h"
#include "collective/matching/gossip_search.h"
#include "collective/matching/matching_tree.h"
#include "collective/round_bound.h"

static ls_topology *topology_of(const char *spec)
{
	ls_topology *t = NULL;

	CHECK(ls_topology_make(spec, &t, NULL) == LS_OK, "%s", spec);
	return t;
}

static struct lsi_problem problem_of(
	const ls_topology *t, enum ls_operation operation, int64_t root)
{
	return (struct lsi_problem){ .topology = t,
		.nodes = ls_topology_nodes(t),
		.operation = operation,
		.mode = LS_HOP,
		.root = root,
		.segments = 1,
		.ports = 1 };
}

static int64_t bound_of(const ls_topology *t, enum ls_operation operation, int64_t root)
{
	const struct lsi_problem problem = problem_of(t, operation, root);

	return lsi_round_lower_bound(&problem);
}

/* ---- Every schedule of small networks */

/* The bound is at most the fewest rounds of any schedule, and equal on trees and odd rings. */
static void check_every_schedule(const char *spec, bool exact)
{
	ls_topology *t = topology_of(spec);
	const int64_t bound = bound_of(t, LS_ALLGATHER, 0);

	for (int64_t v = 0; v < ls_topology_nodes(t); v++)
		wanted.of[v] = (1u << ls_topology_nodes(t)) - 1;
	CHECK(!can_finish(t, bound - 1), "%s: %lld rounds suffice", spec, (long long)bound - 1);
	CHECK(!exact || can_finish(t, bound), "%s: %lld rounds do not suffice", spec, (long long)bound);
	ls_topology_destroy(t);
}

/* ---- Trees */

/* The rounds of a broadcast from u in the part of a tree behind the link from `from`. */
static int64_t rounds_from(const ls_topology *t, int64_t u, int64_t from)
{
	int64_t below[64], count = 0, most = 0;

	for (int64_t l = 0; l < ls_degree(t, u); l++) {
		const int64_t v = ls_neighbor(t, u, l);
		int64_t rounds, i;

		if (v == from)
			continue;
		rounds = rounds_from(t, v, u);
		for (i = count++; i > 0 && below[i - 1] < rounds; i--)
			below[i] = below[i - 1];
		below[i] = rounds;
	}
	for (int64_t i = 0; i < count; i++)
		most = below[i] + i + 1 > most ? below[i] + i + 1 : most;
	return most;
}

static void check_tree_network(const char *spec)
{
	ls_topology *t = topology_of(spec);
	int64_t least = INT64_MAX;

	for (int64_t root = 0; root < ls_topology_nodes(t); root++) {
		const int64_t rounds = rounds_from(t, root, LS_NO_RANK);

		CHECK(
			lsi_matching_tree_of(t, root)->rounds == rounds, "%s root %lld", spec, (long long)root);
		CHECK(bound_of(t, LS_BROADCAST, root) == rounds, "%s root %lld: bound %lld", spec,
			(long long)root, (long long)bound_of(t, LS_BROADCAST, root));
		least = rounds < least ? rounds : least;
	}
	CHECK(bound_of(t, LS_ALLGATHER, 0) == 2 * least - 1, "%s: bound %lld", spec,
		(long long)bound_of(t, LS_ALLGATHER, 0));
	CHECK(lsi_gossip_delivery(t)->rounds == 2 * least - 1, "%s: %lld rounds, not %lld", spec,
		(long long)lsi_gossip_delivery(t)->rounds, (long long)(2 * least - 1));
	ls_topology_destroy(t);
}

/* ---- Known rounds */

static const struct {
	const char *spec;
	int64_t broadcast, gossip;
} known[] = {
	{ "graph:test/data/graphs/petersen.txt", 4, 4 },
	{ "graph:test/data/graphs/heawood.txt", 4, 4 },
	{ "graph:test/data/graphs/wheel8.txt", 3, 4 },
	{ "graph:test/data/graphs/hoffman-singleton.txt", 6, 9 },
	{ "debruijn:7", 9, 16 },
	{ "hypercube:4", 4, 5 },
};

static void check_known(void)
{
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		ls_topology *t = topology_of(known[i].spec);

		CHECK(lsi_matching_tree_of(t, 0)->rounds <= known[i].broadcast, "%s: broadcast in %lld",
			known[i].spec, (long long)lsi_matching_tree_of(t, 0)->rounds);
		CHECK(lsi_gossip_delivery(t)->rounds <= known[i].gossip, "%s: gossip in %lld",
			known[i].spec, (long long)lsi_gossip_delivery(t)->rounds);
		ls_topology_destroy(t);
	}
}

/* All-gathers of one block per message: the fewest rounds that the sets of nodes allow. */
static const struct {
	const char *spec;
	int64_t rounds;
} least[] = {
	{ "graph:test/data/graphs/petersen.txt", 9 },
	{ "graph:test/data/graphs/heawood.txt", 13 },
	{ "graph:test/data/graphs/k45.txt", 10 },
	{ "graph:test/data/graphs/startree8.txt", 49 },
	{ "graph:test/data/graphs/hoffman-singleton.txt", 49 },
	{ "mesh:3x3", 10 },
	{ "mesh:5x5", 26 },
	{ "ring:17", 16 },
};

static void check_blocks(void)
{
	for (size_t i = 0; i < sizeof least / sizeof *least; i++) {
		ls_topology *t = topology_of(least[i].spec);

		const struct lsi_problem problem = problem_of(t, LS_ALLGATHER, 0);
		const struct lsi_delivery *delivery = lsi_block_delivery(&problem);

		CHECK(delivery->rounds == least[i].rounds, "%s: %lld rounds", least[i].spec,
			(long long)delivery->rounds);
		ls_topology_destroy(t);
	}
}

/* ---- One object */

enum { THREADS = 4 };

static void *ask(void *topology)
{
	return (void *)(uintptr_t)lsi_gossip_delivery(topology);
}

static void check_threads(void)
{
	ls_topology *t = topology_of("mesh:4x5"), *again = topology_of("mesh:4x5");
	pthread_t thread[THREADS];
	void *found;

	for (int i = 0; i < THREADS; i++)
		CHECK(pthread_create(&thread[i], NULL, ask, t) == 0, "thread %d", i);
	for (int i = 0; i < THREADS; i++) {
		CHECK(pthread_join(thread[i], &found) == 0, "thread %d", i);
		CHECK(found == ask(t), "thread %d", i);
	}

	const struct lsi_delivery *a = lsi_gossip_delivery(t), *b = lsi_gossip_delivery(again);

	CHECK(a != b && a->rounds == b->rounds && a->messages == b->messages && a->words == b->words,
		"two searches differ");
	for (int64_t m = 0; m < a->messages; m++)
		CHECK(a->message[m].round == b->message[m].round && a->message[m].from == b->message[m].from
				&& a->message[m].to == b->message[m].to
				&& a->message[m].first == b->message[m].first,
			"message %lld of two searches differs", (long long)m);
	CHECK(!memcmp(a->block, b->block, (size_t)a->words * sizeof *a->block), "two searches differ");
	ls_topology_destroy(t);
	ls_topology_destroy(again);
}

int main(void)
{
	static const char *const trees[] = { "linear:2", "linear:9", "bintree:2", "bintree:3",
		"bintree:5", "star:2", "graph:test/data/graphs/startree8.txt", "graph:test/data/claw" };
	static const char *const exact[] = { "linear:3", "linear:4", "linear:5", "bintree:2",
		"graph:test/data/claw", "ring:3", "ring:4", "ring:5" };

	for (size_t i = 0; i < sizeof trees / sizeof *trees; i++)
		check_tree_network(trees[i]);
	for (size_t i = 0; i < sizeof exact / sizeof *exact; i++)
		check_every_schedule(exact[i], true);
	check_every_schedule("mesh:2x3", false);
	check_every_schedule("complete:4", false);
	check_known();
	check_blocks();
	check_threads();
	return test_result();
}
