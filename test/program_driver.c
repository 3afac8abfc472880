/*
 * Node programs over real processes: test/mpi_programs.sh runs this program by mpirun.  Alone, it
 * has one process.
 *
 *   program_driver          random programs, groups, collective calls; exit 0
 *   program_driver ERROR    a run that fails; process 0 prints the text of the error; exit 5
 */
#include <inttypes.h>
#include <string.h>

#include <lockstep/world.h>

#include "group_splits.h"
#include "support/random_program.h"
#include "test.h"

enum { PROGRAMS = 40 };

static ls_world *world;

/* An error without pointers, to compare those of all processes. */
struct plain_error {
	int64_t kind, node, peer, round, link;
	char text[sizeof(((struct ls_error *)NULL)->text)];
};

static void check_equal_error(const struct ls_error *error)
{
	const int n = ls_world_processes(world);
	struct plain_error mine = { .kind = error->kind,
		.node = error->node,
		.peer = error->peer,
		.round = error->round,
		.link = error->link };
	struct plain_error *all = memory((size_t)n, sizeof *all);

	strcpy(mine.text, error->text);
	CHECK(ls_world_gather(world, &mine, all, sizeof mine, NULL) == LS_OK, "%s: gather", guarded());
	for (int i = 1; i < n && ls_world_process(world) == 0; i++)
		CHECK(memcmp(&all[i], &mine, sizeof mine) == 0, "%s: process %d has '%s', process 0 '%s'",
			guarded(), i, all[i].text, mine.text);
	free(all);
}

static struct ls_error run_on(ls_machine *machine, int (*program)(ls_node *, void *), void *arg)
{
	struct ls_error error = { .size = sizeof error };
	const int status = ls_run(machine, program, arg);

	CHECK(ls_last_error(machine, &error) == status, "%s: %s", guarded(), ls_status_name(status));
	check_equal_error(&error);
	return error;
}

/* ---- Random programs */

static void test_random(enum ls_rounds rounds, enum ls_node_kind kind)
{
	static struct random_run run;
	static struct random_program g;
	const struct ls_machine_options options = { .size = sizeof options,
		.rounds = rounds,
		.ports = PROGRAM_NODES,
		.mailbox = 2,
		.node_kind = kind,
		.world = world };
	const struct program_shape shape = { .rounds = rounds,
		.p = PROGRAM_NODES,
		.mailbox = options.mailbox,
		.ports = PROGRAM_NODES,
		.groups = 1 };
	ls_topology *t = topology_of("complete:9");
	ls_machine *machine = machine_on(t, &options);
	const int n = ls_world_processes(world), i = ls_world_process(world);
	uint64_t seed = 5;

	for (int program = 0; program < PROGRAMS; program++) {
		struct forecast forecast;
		struct ls_error error;

		guard("program %d of %s, %s rounds, process %d of %d", program, ls_node_kind_name(kind),
			rounds == LS_FREE ? "free" : "lockstep", i, n);
		random_program_make(&g, &shape, &seed);
		random_program_forecast(&g, &forecast);
		random_run_begin(&run, &g);
		error = run_on(machine, random_program_play, &run);
		random_run_check(
			&run, &forecast, &error, ls_first_rank(t, n, i), ls_first_rank(t, n, i + 1));
	}
	ls_machine_destroy(machine);
	ls_topology_destroy(t);
}

/* ---- Groups and collective calls */

static void test_groups(enum ls_rounds rounds, enum ls_node_kind kind)
{
	static int (*const programs[])(ls_node *, void *) = { add_ranks_program, split_program,
		uneven_program, nested_program, leave_program, shift_program };
	const struct ls_machine_options options = {
		.size = sizeof options, .rounds = rounds, .node_kind = kind, .world = world
	};
	ls_topology *t = topology_of("hypercube:3");
	ls_machine *machine = machine_on(t, &options);

	for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
		struct ls_error error;

		guard("group program %zu, %s, %s rounds", i, ls_node_kind_name(kind),
			rounds == LS_FREE ? "free" : "lockstep");
		error = run_on(machine, programs[i], NULL);
		CHECK(error.kind == LS_OK, "%s: %s", guarded(), error.text);
	}
	ls_machine_destroy(machine);
	ls_topology_destroy(t);
}

/* ---- Errors */

static int wait_for_next(ls_node *me, void *unused)
{
	int64_t word;

	(void)unused;
	return ls_receive(me, (ls_rank(me) + 1) % ls_size(me), &word, sizeof word);
}

static int fail_at_last(ls_node *me, void *unused)
{
	(void)unused;
	return ls_rank(me) == ls_size(me) - 1 ? 7 : ls_barrier(me);
}

static int call_other(ls_node *me, void *unused)
{
	int64_t word = 0, sum;

	(void)unused;
	return ls_allreduce(me, &word, &sum, 1, LS_INT64, ls_rank(me) == 6 ? LS_MAX : LS_SUM);
}

static int leave_untaken(ls_node *me, void *unused)
{
	const int failed = ls_rank(me) == 3 ? ls_send(me, 4, &(int){ 0 }, sizeof(int)) : LS_OK;

	(void)unused;
	return failed ? failed : ls_next_round(me);
}

static const struct {
	const char *name;
	int (*program)(ls_node *, void *);
	int kind;
} errors[] = { { "deadlock", wait_for_next, LS_ERR_DEADLOCK },
	{ "program", fail_at_last, LS_ERR_PROGRAM }, { "mismatch", call_other, LS_ERR_MISMATCH },
	{ "untaken", leave_untaken, LS_ERR_UNTAKEN } };

static void test_error(const char *name)
{
	const struct ls_machine_options options = { .size = sizeof options, .world = world };
	ls_topology *t = topology_of("complete:8");
	ls_machine *machine = machine_on(t, &options);

	for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
		struct ls_error error;

		guard("%s", errors[i].name);
		if (strcmp(name, errors[i].name))
			continue;
		error = run_on(machine, errors[i].program, NULL);
		CHECK(error.kind == errors[i].kind, "%s: %s", guarded(), error.text);
		if (ls_world_process(world) == 0)
			puts(error.text);
	}
	ls_machine_destroy(machine);
	ls_topology_destroy(t);
}

int main(int argc, char **argv)
{
	struct ls_error why = { .size = sizeof why };

	if (ls_world_open(&world, &why) != LS_OK) {
		fprintf(stderr, "program_driver: %s\n", why.text);
		return EXIT_FAILURE;
	}
	rounds_now = LS_LOCKSTEP;
	for (int k = 0; k < 4 && argc < 2; k++) {
		test_random((enum ls_rounds)(k % 2), (enum ls_node_kind)(k / 2));
		test_groups((enum ls_rounds)(k % 2), (enum ls_node_kind)(k / 2));
	}
	if (argc > 1)
		test_error(argv[1]);
	ls_world_close(world);
	if (argc < 2)
		return test_result();
	return atomic_load(&test_failures) ? EXIT_FAILURE : 5;
}
