/*
 * A sweep in several processes believes what an algorithm states about its tree only where it holds
 * together.  Here two nodes in different processes, parent and child, both get a second message in
 * the round of theirs, from or to their own process: both ports are in use twice.  Nodes are asked
 * one by one instead, and every result is right.  Also: rounds of a tree without such messages.
 */
/* alone: beside others its processes wait for cores */
#include <inttypes.h>
#include <string.h>

#include "collective/algorithm.h"
#include "plan/plan_internal.h"
#include "support/cells.h"
#include "support/guard.h"
#include "support/world_sweep.h"
#include "test.h"

/* The algorithm at hand, and what it states wrongly: these nodes receive in this round. */
static const struct lsi_algorithm *base;
static struct lie {
	int64_t node[2], round;
} lie;

static struct lsi_receive_at receive_of(const struct ls_plan *plan, int64_t rank)
{
	return lsi_whole_machine_of(base)->tree->receives(plan, rank);
}

static struct lsi_receive_at lying_receives(const struct ls_plan *plan, int64_t rank)
{
	struct lsi_receive_at receive = receive_of(plan, rank);

	if (rank == lie.node[0] || rank == lie.node[1])
		receive.round = lie.round;
	return receive;
}

static int process_of(const ls_topology *t, int processes, int64_t rank)
{
	int i = 0;

	while (rank >= ls_first_rank(t, processes, i + 1))
		i++;
	return i;
}

/* A later child of the node in its own process; LS_NO_RANK: none. */
static int64_t later_child(const ls_plan *plan, const ls_topology *t, int processes, int64_t node)
{
	for (int64_t rank = 0; rank < ls_plan_nodes(plan); rank++) {
		const struct lsi_receive_at receive = receive_of(plan, rank);

		if (receive.from == node && receive.round > lie.round
			&& process_of(t, processes, rank) == process_of(t, processes, node))
			return rank;
	}
	return LS_NO_RANK;
}

static void make_zeros(void *context, int64_t rank, size_t first, size_t n, void *into)
{
	(void)context, (void)rank, (void)first;
	memset(into, 0, n * sizeof(int64_t));
}

static void check_sweep(const ls_plan *plan, int processes)
{
	static uint64_t seed;
	const struct ls_sweep sweep = { .size = sizeof sweep,
		.plan = plan,
		.count = 1,
		.type = LS_INT64,
		.make = make_zeros,
		.workers = 1 + (int)(++seed % 2) };
	const struct ls_sweep_result out = sweep_in_processes(processes, seed, &sweep, NULL);
	const struct ls_counts counts = ls_plan_predict(plan, 1);

	CHECK(out.error.kind == LS_OK && out.proved && out.stats.messages == counts.messages
			&& out.stats.rounds == counts.rounds,
		"%s: %" PRId64 " messages: %s", guarded(), out.stats.messages, out.error.text);
}

static int test_plan(const ls_plan *plan, const ls_plan *wrong, const ls_topology *t, int processes)
{
	int lies = 0;

	for (int64_t child = 0; child < ls_plan_nodes(plan); child++) {
		const struct lsi_receive_at receive = receive_of(plan, child);

		if (receive.round < 0
			|| process_of(t, processes, child) == process_of(t, processes, receive.from))
			continue;
		lie.round = receive.round;
		lie.node[0] = later_child(plan, t, processes, receive.from);
		lie.node[1] = later_child(plan, t, processes, child);
		if (lie.node[0] == LS_NO_RANK || lie.node[1] == LS_NO_RANK)
			continue;
		guard("%s %s, %d processes, nodes %" PRId64 " and %" PRId64, ls_topology_spec(t),
			base->name, processes, receive.from, child);
		check_sweep(wrong, processes);
		lies++;
	}
	return lies;
}

/* Without lies: no message crosses in the last rounds, and processes are more than nine. */
static void test_local_rounds(void)
{
	ls_topology *t = topology_of("hypercube:6");
	const struct ls_request request = { .size = sizeof request,
		.topology = t,
		.operation = LS_BROADCAST,
		.algorithm = "binomial",
		.type = LS_INT64,
		.count = 1 };
	ls_plan *plan = plan_for(&request);

	guard("rounds inside 16 processes");
	check_sweep(plan, 16);
	ls_plan_destroy(plan);
	ls_topology_destroy(t);
}

static void test_network(const char *spec, const char *algorithm)
{
	ls_topology *t = topology_of(spec);
	const struct ls_request request = { .size = sizeof request,
		.topology = t,
		.operation = LS_BROADCAST,
		.algorithm = algorithm,
		.type = LS_INT64,
		.root = 1,
		.count = 1 };
	ls_plan *plan = plan_for(&request), *wrong;
	struct lsi_whole_machine whole = *lsi_whole_machine_of(plan->algorithm);
	struct lsi_single_tree tree = *whole.tree;
	struct lsi_algorithm lying = *plan->algorithm;
	int lies = 0;

	base = plan->algorithm;
	tree.receives = lying_receives;
	whole.tree = &tree;
	lying.whole = &whole;
	if (lsi_plan_make_from(&lying, &plan->problem, &wrong) != LS_OK)
		exit(1);
	for (int processes = 2; processes <= 4; processes++)
		lies += test_plan(plan, wrong, t, processes);
	CHECK(lies > 0, "%s %s: no lie", spec, algorithm);
	ls_plan_destroy(wrong);
	ls_plan_destroy(plan);
	ls_topology_destroy(t);
}

int main(void)
{
	test_network("hypercube:4", "binomial");
	test_network("complete:13", "binomial");
	test_network("star:4", "matching");
	test_network("mesh:4x5", "spanning-tree");
	test_local_rounds();
	return test_result();
}
