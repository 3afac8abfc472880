/*
 * A million nodes: each looks whether its rank is a prime, an all-reduce tells all how many are.
 *
 * Odd primes that are 1 mod 4 are counted apart from those that are 3 mod 4, which nearly always
 * are more (Chebyshev's bias).  No node is a thread: the machine is swept, operands are made where
 * they are first read, and every node's result is looked at and let go.
 */
#include "demo.h"

#include <inttypes.h>
#include <stdatomic.h>

enum { KINDS = 2 }; /* 1 mod 4, 3 mod 4 */

struct count {
	int64_t right[KINDS];
	_Atomic int64_t nodes; /* that have told it */
};

static int is_odd_prime(int64_t n)
{
	if (n < 3 || n % 2 == 0)
		return 0;
	for (int64_t d = 3; d * d <= n; d += 2)
		if (n % d == 0)
			return 0;
	return 1;
}

static void make(void *context, int64_t rank, size_t first, size_t n, void *into)
{
	(void)context;
	for (size_t i = 0; i < n; i++)
		((int64_t *)into)[i] = rank % 4 == 1 + 2 * (int64_t)(first + i) && is_odd_prime(rank);
}

static int take(void *context, int64_t rank, const void *result)
{
	struct count *count = context;
	const int64_t *got = result;

	(void)rank;
	if (got[0] != count->right[0] || got[1] != count->right[1])
		return 1;
	atomic_fetch_add_explicit(&count->nodes, 1, memory_order_relaxed); /* counter only */
	return 0;
}

/* The sequential computation, another one: the sieve of Eratosthenes. */
static void sieve(int64_t below, int64_t right[KINDS])
{
	bool *is_composite = calloc((size_t)below + 1, sizeof *is_composite);

	require(is_composite, "no memory for a sieve of %" PRId64 " numbers", below);
	for (int64_t n = 3; n < below; n += 2) {
		if (is_composite[n])
			continue;
		right[n % 4 == 3]++;
		for (int64_t k = n * n; k < below; k += 2 * n)
			is_composite[k] = true;
	}
	free(is_composite);
}

static void count_on(const char *spec)
{
	struct ls_error why = { .size = sizeof why };
	struct ls_request request = { .size = sizeof request,
		.operation = LS_ALLREDUCE,
		.count = KINDS,
		.type = LS_INT64,
		.op = LS_SUM };
	struct ls_sweep_result swept = { .size = sizeof swept };
	struct count count = { .nodes = 0 };
	ls_topology *topology = NULL;
	ls_plan *plan = NULL;

	require(!ls_topology_make(spec, &topology, &why), "%s", why.text);
	request.topology = topology;
	require(!ls_plan_make(&request, &plan, &why), "%s", why.text);
	sieve(ls_topology_nodes(topology), count.right);

	const struct ls_sweep sweep = { .size = sizeof sweep,
		.plan = plan,
		.count = KINDS,
		.type = LS_INT64,
		.op = LS_SUM,
		.make = make,
		.take = take,
		.context = &count };
	const int failed = ls_sweep_run(&sweep, &swept);

	require(!failed, "%s: %s", ls_status_name(failed), swept.error.text);
	require(count.nodes == ls_topology_nodes(topology), "%s: some nodes have no result", spec);
	printf("%-13s %8" PRId64 " nodes %4" PRId64 " rounds %10" PRId64 " messages   "
		   "odd primes 1 mod 4: %" PRId64 ", 3 mod 4: %" PRId64 "   ok\n",
		spec, ls_topology_nodes(topology), swept.stats.rounds, swept.stats.messages, count.right[0],
		count.right[1]);
	ls_plan_destroy(plan);
	ls_topology_destroy(topology);
}

int main(int argc, char **argv)
{
	static const char *const spec[] = { "star:9", "torus:100x100", "hypercube:20", NULL };

	(void)argc;
	on_networks(argv, spec, count_on);
	return EXIT_SUCCESS;
}
