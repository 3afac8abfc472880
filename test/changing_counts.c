/*
 * More different calls than a group keeps choices of: right results, and the nodes share the choice
 * of an algorithm, as long as fewer threads than nodes make calls.
 */
/* nodes: threads fibers */
/* link: -Wl,--wrap=lsi_choose */
#include "collective/algorithm.h"
#include "cost/cost_internal.h"
#include "support/cells.h"
#include "support/guard.h"
#include "test.h"

#include <lockstep/collective.h>

#include <inttypes.h>

enum { NODES = 64, COUNTS = 100, TURNS = 2, CALLS = 2 * COUNTS * TURNS };

static atomic_llong choices;

int __real_lsi_choose(const struct ls_request *, const struct lsi_algorithm **,
	struct lsi_problem *, struct ls_error *);
int __wrap_lsi_choose(const struct ls_request *, const struct lsi_algorithm **,
	struct lsi_problem *, struct ls_error *);

int __wrap_lsi_choose(const struct ls_request *request, const struct lsi_algorithm **algorithm,
	struct lsi_problem *problem, struct ls_error *why)
{
	atomic_fetch_add(&choices, 1);
	return __real_lsi_choose(request, algorithm, problem, why);
}

/* A sum and a scan of `count` words. */
static int call(ls_node *me, size_t count)
{
	const int64_t rank = ls_rank(me);
	int64_t in[COUNTS], sum[COUNTS] = { 0 }, before[COUNTS] = { 0 };
	int failed;

	for (size_t i = 0; i < count; i++)
		in[i] = rank + (int64_t)i;
	failed = ls_allreduce(me, in, sum, count, LS_INT64, LS_SUM);
	if (!failed)
		failed = ls_scan(me, in, before, count, LS_INT64, LS_SUM);
	for (size_t i = 0; i < count && !failed; i++) {
		const int64_t k = (int64_t)i;

		CHECK(sum[i] == NODES * (NODES - 1) / 2 + NODES * k
				&& before[i] == rank * (rank + 1) / 2 + (rank + 1) * k,
			"%s: node %" PRId64 ", word %zu of %zu", guarded(), rank, i, count);
	}
	return failed;
}

static int play(ls_node *me, void *unused)
{
	int failed = LS_OK;

	(void)unused;
	for (size_t k = 0; k < COUNTS * TURNS && !failed; k++)
		failed = call(me, 1 + k % COUNTS);
	return failed;
}

static void test_counts(enum ls_mode mode)
{
	ls_topology *t = topology_of("hypercube:6");
	const struct ls_machine_options options = {
		.size = sizeof options, .rounds = LS_FREE, .node_kind = node_kind(), .mode = mode
	};
	ls_machine *machine = machine_on(t, &options);
	const int64_t threads = ls_machine_threads(machine);

	guard("%s", mode == LS_HOP ? "hop" : "routed");
	atomic_store(&choices, 0);
	must_run(machine, play, NULL);
	if (threads < NODES / 4)
		CHECK(choices <= CALLS * threads, "%s: %lld choices for %d calls, with %" PRId64 " threads",
			guarded(), choices, CALLS, threads);
	ls_machine_destroy(machine);
	ls_topology_destroy(t);
}

int main(void)
{
	test_counts(LS_HOP);
	test_counts(LS_ROUTED);
	return test_result();
}
