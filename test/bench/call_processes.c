/*
 * The time of a collective call of node programs in the processes of a world.
 *
 *   mpirun -n 2 build/release/test/bench/call_processes [TOPOLOGY [ELEMENTS [CALLS]]]
 *
 * One line per engine: the least and the median time per all-reduce of doubles, of eleven runs of
 * CALLS calls, by the clock of process 0.  Nodes are light.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <lockstep.h>

#include "base/futex.h"

enum { RUNS = 11, ELEMENTS_MOST = 1 << 20 };

struct trial {
	int calls;
	size_t elements;
	double us; /* per call, of rank 0 */
};

static int call(ls_node *me, void *arg)
{
	struct trial *trial = arg;
	double *in = calloc(2 * trial->elements + 2, sizeof *in), *out = in + trial->elements;
	uint64_t began = 0;
	int failed = in ? LS_OK : LS_ERR_MEMORY;

	for (int i = -2; i < trial->calls && !failed; i++) {
		if (i == 0)
			began = lsi_now_ns();
		failed = ls_allreduce(me, in, out, trial->elements, LS_DOUBLE, LS_SUM);
	}
	if (ls_rank(me) == 0)
		trial->us = (double)(lsi_now_ns() - began) / 1e3 / trial->calls;
	free(in);
	return failed;
}

static int compare_times(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void measure(
	ls_world *world, const ls_topology *t, enum ls_engine engine, struct trial *trial)
{
	const struct ls_machine_options options = { .size = sizeof options,
		.engine = engine,
		.rounds = LS_FREE,
		.node_kind = LS_NODE_FIBER,
		.world = world };
	double us[RUNS];
	ls_machine *machine;

	if (ls_machine_make(t, &options, &machine) != LS_OK)
		exit(1);
	for (int i = 0; i < RUNS; i++) {
		if (ls_run(machine, call, trial) != LS_OK)
			exit(1);
		us[i] = trial->us;
	}
	ls_machine_destroy(machine);
	qsort(us, RUNS, sizeof *us, compare_times);
	if (ls_world_process(world) == 0)
		printf("%-12s %9.1f us least, %9.1f median\n", ls_engine_name(engine), us[0], us[RUNS / 2]);
}

int main(int argc, char **argv)
{
	struct trial trial = { .calls = argc > 3 ? atoi(argv[3]) : 50,
		.elements = argc > 2 ? (size_t)atol(argv[2]) : 1 };
	struct ls_error why = { .size = sizeof why };
	ls_world *world;
	ls_topology *t;

	if (ls_world_open(&world, &why) != LS_OK
		|| ls_topology_make(argc > 1 ? argv[1] : "hypercube:10", &t, &why) != LS_OK) {
		fprintf(stderr, "%s\n", why.text);
		return 1;
	}
	if (trial.calls < 1 || trial.elements > ELEMENTS_MOST)
		return 2;
	measure(world, t, LS_COOPERATIVE, &trial);
	measure(world, t, LS_MAILBOXES, &trial);
	ls_topology_destroy(t);
	ls_world_close(world);
	return 0;
}
