/*
 * The time of a sweep that is called repeatedly, in one process or under mpirun: microseconds per
 * call, the lower quartile and the median of all calls.
 *
 *   sweep_calls [NETWORK [CALLS [ELEMENTS]]]      default: hypercube:10, 2000, 1
 */
#include <inttypes.h>
#include <stdlib.h>

#include <lockstep/sweep.h>
#include <lockstep/world.h>

#include "base/futex.h"
#include <lockstep/collective.h>

#include "support/cells.h"
#include "support/guard.h"
#include "test.h"

static void put_rank(void *context, int64_t rank, size_t first, size_t n, void *into)
{
	(void)context;
	for (size_t i = 0; i < n; i++)
		((int64_t *)into)[i] = rank + (int64_t)(first + i);
}

static int compare_times(const void *a, const void *b)
{
	const double one = *(const double *)a, other = *(const double *)b;

	return (one > other) - (one < other);
}

int main(int argc, char **argv)
{
	const int calls = argc > 2 ? atoi(argv[2]) : 2000;
	ls_topology *t = topology_of(argc > 1 ? argv[1] : "hypercube:10");
	const size_t count = argc > 3 ? (size_t)atoi(argv[3]) : 1;
	const struct ls_request request = { .size = sizeof request,
		.topology = t,
		.operation = LS_ALLREDUCE,
		.type = LS_INT64,
		.count = count };
	ls_plan *plan = plan_for(&request);
	double *us = calloc((size_t)calls + 1, sizeof *us);
	struct ls_error why = { .size = sizeof why };
	ls_world *world;

	if (!us || ls_world_open(&world, &why) != LS_OK) {
		fprintf(stderr, "%s\n", why.text);
		return 1;
	}

	const struct ls_sweep sweep = { .size = sizeof sweep,
		.plan = plan,
		.count = count,
		.type = LS_INT64,
		.make = put_rank,
		.world = world };
	struct ls_sweep_result out = { .size = sizeof out };

	for (int i = 0; i < calls; i++) {
		const uint64_t began = lsi_now_ns();

		CHECK(ls_sweep_run(&sweep, &out) == LS_OK && out.proved, "%s", out.error.text);
		us[i] = (double)(lsi_now_ns() - began) / 1e3;
	}
	qsort(us, (size_t)calls, sizeof *us, compare_times);
	if (ls_world_process(world) == 0)
		printf("%s, %zu elements, %d processes of %d workers: %.1f us per call, median %.1f\n",
			ls_topology_spec(t), count, ls_world_processes(world), out.workers, us[calls / 4],
			us[calls / 2]);
	free(us);
	ls_world_close(world);
	ls_plan_destroy(plan);
	ls_topology_destroy(t);
	return test_result();
}
