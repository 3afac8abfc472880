/*
 * One machine in several processes: mpirun -n 4 ./spread.  Eight nodes on a ring add their numbers,
 * then pass a token around the ring that does the same.  Without mpirun one process has all nodes.
 */
#include <lockstep.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* A variable of the program: each process has one.  Node 0 is in process 0. */
static int64_t collected;

static int program(ls_node *me, void *unused)
{
	const int64_t rank = ls_rank(me), p = ls_size(me), mine = rank + 1;
	int64_t sum = 0, token = 0;
	int failed = ls_allreduce(me, &mine, &sum, 1, LS_INT64, LS_SUM);

	(void)unused;
	for (int64_t at = 0; at < p && !failed;
		 at++) { /* each round takes the token one link further */
		token += rank == at ? mine : 0;
		if (rank == at)
			failed = ls_send(me, (at + 1) % p, &token, sizeof token);
		if (!failed && rank == (at + 1) % p)
			failed = ls_receive(me, at, &token, sizeof token);
		if (!failed)
			failed = ls_next_round(me);
	}
	if (rank == 0)
		collected = token;
	return failed || sum != p * (p + 1) / 2 || (rank == 0 && token != sum);
}

/* All processes return the same. */
static int run(ls_world *world, const ls_topology *ring)
{
	const struct ls_machine_options options = { .size = sizeof options, .world = world };
	struct ls_error error = { .size = sizeof error };
	struct ls_stats stats = { .size = sizeof stats };
	ls_machine *machine = NULL;
	int failed = ls_machine_make(ring, &options, &machine);

	if (failed)
		return failed;
	failed = ls_run(machine, program, NULL);
	ls_last_error(machine, &error);
	ls_machine_stats(machine, &stats);
	ls_machine_destroy(machine);
	if (failed && ls_world_process(world) == 0)
		fprintf(stderr, "spread: %s\n", error.text);
	if (!failed && ls_world_process(world) == 0)
		printf("the token has collected %" PRId64 ", the sum; %" PRId64 " messages\n", collected,
			stats.messages);
	return failed;
}

int main(void)
{
	struct ls_error why = { .size = sizeof why };
	ls_topology *ring = NULL;
	ls_world *world = NULL;
	int failed = ls_world_open(&world, &why);

	if (failed) {
		fprintf(stderr, "spread: %s\n", why.text);
		return EXIT_FAILURE;
	}
	failed = ls_topology_make("ring:8", &ring, NULL);
	if (!failed) {
		const int n = ls_world_processes(world), i = ls_world_process(world);

		printf("process %d of %d: nodes %" PRId64 " to %" PRId64 "\n", i, n,
			ls_first_rank(ring, n, i), ls_first_rank(ring, n, i + 1) - 1);
		failed = run(world, ring);
	}
	ls_topology_destroy(ring);
	ls_world_close(world);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
