/*
 * A machine is stopped from outside at any moment, also while it creates its threads: the run
 * returns the status that the stop names, and the machine runs again.
 */
/* nodes: threads fibers */
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>

#include <lockstep/collective.h>

#include "support/cells.h"
#include "support/guard.h"
#include "test.h"

enum { RUNS = 400 };

static int endless_program(ls_node *me, void *arg)
{
	int failed;

	(void)arg;
	while (!(failed = add_ranks(me)))
		;
	return failed;
}

static atomic_int stopping;

static void *stop_always(void *machine)
{
	for (uint64_t state = 1; atomic_load(&stopping);) {
		nap(1e-6 * (double)random_below(&state, 400000));
		ls_machine_stop(machine, LS_ERR_LINK);
	}
	return NULL;
}

static void test_stopping(bool traced)
{
	ls_topology *t = topology_of("ring:12");
	const struct ls_machine_options options = { .size = sizeof options,
		.trace = traced ? ignore_record : NULL };
	ls_machine *machine = machine_on(t, &options);
	pthread_t stopper;

	atomic_store(&stopping, 1);
	stopper = start_thread(stop_always, machine);
	for (int i = 0; i < RUNS; i++) {
		guard("stopped at any moment: run %d%s", i, traced ? ", traced" : "");

		const int status = ls_run(machine, endless_program, NULL);

		CHECK(status == LS_ERR_LINK, "%s: %s", guarded(), ls_status_name(status));
	}
	atomic_store(&stopping, 0);
	pthread_join(stopper, NULL);
	must_run(machine, add_ranks_program, NULL);
	ls_machine_destroy(machine);
	ls_topology_destroy(t);
}
/* ---- A stop in a call that has other buffers than the last one */

enum { NODES = 12 };

static struct {
	ls_machine *machine;
	int buffers;                        /* in use */
	bool stops;                         /* the last node stops the machine instead of calling */
	long mine[2][NODES], sum[2][NODES]; /* by buffers and node */
} moved;

static int add_moved(ls_node *me, void *unused)
{
	const int64_t rank = ls_rank(me);
	const int buffers = rank < NODES - 1 ? moved.buffers : 0; /* the last node keeps its own */

	(void)unused;
	if (moved.stops && rank == NODES - 1) {
		nap(20); /* the others call meanwhile, unless the computer is busy */
		ls_machine_stop(moved.machine, 0);
		return LS_OK;
	}
	return ls_allreduce(
		me, &moved.mine[buffers][rank], &moved.sum[buffers][rank], 1, LS_INT64, LS_SUM);
}

/* The nodes that had called before the stop make the same call in the next run. */
static void test_moved_buffers(void)
{
	const struct ls_machine_options options = { .size = sizeof options, .engine = LS_COOPERATIVE };
	ls_topology *t = topology_of("ring:12");
	long expected = NODES - 1; /* the operand of the last node */

	moved.machine = machine_on(t, &options);
	for (int i = 0; i < 2 * NODES; i++)
		moved.mine[i / NODES][i % NODES] = i;
	guard("a stop in a call with other buffers");
	must_run(moved.machine, add_moved, NULL);
	moved.buffers = 1;
	moved.stops = true;
	CHECK(ls_run(moved.machine, add_moved, NULL) == LS_ERR_STOPPED, "%s", guarded());
	moved.stops = false;
	must_run(moved.machine, add_moved, NULL);
	for (int i = 0; i < NODES - 1; i++)
		expected += moved.mine[1][i];
	for (int i = 0; i < NODES - 1; i++)
		CHECK(moved.sum[1][i] == expected, "%s: node %d has the sum %ld", guarded(), i,
			moved.sum[1][i]);
	ls_machine_destroy(moved.machine);
	ls_topology_destroy(t);
}

int main(void)
{
	test_moved_buffers();
	test_stopping(false);
	test_stopping(true);
	return test_result();
}
