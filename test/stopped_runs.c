/*
 * A machine is stopped from outside at any moment, also while it creates its threads: the run
 * returns LS_ERR_STOPPED, and the machine runs again.
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
		ls_machine_stop(machine, 0);
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

		CHECK(status == LS_ERR_STOPPED, "%s: %s", guarded(), ls_status_name(status));
	}
	atomic_store(&stopping, 0);
	pthread_join(stopper, NULL);
	must_run(machine, add_ranks_program, NULL);
	ls_machine_destroy(machine);
	ls_topology_destroy(t);
}
int main(void)
{
	test_stopping(false);
	test_stopping(true);
	return test_result();
}
