/*
 * Random node programs with few ports, few links, or in groups.  A simulator forecasts whether all
 * nodes end, all wait, or a rule is broken, and how many messages each node receives.
 *
 * test/world_programs.c runs such programs in several processes.
 */
/* nodes: threads fibers */
#include <inttypes.h>

#include "support/cells.h"
#include "support/guard.h"
#include "support/random_program.h"
#include "test.h"

enum { PER_MACHINE = 20 };

struct tally {
	int64_t outcome[3], in_groups, races;
};

static ls_topology *network(struct program_shape *shape, uint64_t *seed)
{
	static const char *const sparse[] = { "ring:4", "ring:7", "linear:5", "hypercube:3", "star:3",
		"mesh:3x3", "torus:2x4", "bintree:3" };
	char spec[32];
	ls_topology *t;

	snprintf(spec, sizeof spec, "complete:%d", 2 + (int)random_below(seed, PROGRAM_NODES - 1));
	shape->is_sparse = random_below(seed, 3) == 0;
	t = topology_of(shape->is_sparse ? sparse[random_below(seed, 8)] : spec);
	shape->p = (int)ls_topology_nodes(t);
	for (int u = 0; u < shape->p; u++)
		for (int64_t link = 0; link < ls_degree(t, u); link++)
			shape->link[u][ls_neighbor(t, u, link)] = true;
	return t;
}

static ls_topology *choose_shape(struct program_shape *shape, uint64_t *seed)
{
	ls_topology *t = network(shape, seed);

	shape->rounds = random_below(seed, 2) ? LS_FREE : LS_LOCKSTEP;
	shape->mailbox = 1 << random_below(seed, 3);
	shape->ports = 1 + (int)random_below(seed, random_below(seed, 2) ? 2 : shape->p);
	shape->groups = shape->is_sparse ? 1 : 1 + (int)random_below(seed, 3);
	if (shape->groups > shape->p)
		shape->groups = shape->p;
	shape->adds = random_below(seed, 2);
	return t;
}

static void play(ls_machine *machine, const struct random_program *g, struct tally *tally)
{
	static struct random_run run;
	struct ls_error error = { .size = sizeof error };
	struct forecast forecast;

	random_program_forecast(g, &forecast);
	random_run_begin(&run, g);
	(void)!ls_run(machine, random_program_play, &run);
	ls_last_error(machine, &error);
	random_run_check(&run, &forecast, &error, 0, g->shape.p);
	tally->outcome[forecast.outcome]++;
	tally->in_groups += g->shape.groups > 1;
	tally->races += forecast.is_race;
}

static void test_machine(int64_t number, struct tally *tally)
{
	static struct random_program g;
	uint64_t seed = (uint64_t)number;
	struct program_shape shape = { .p = 0 };
	ls_topology *t = choose_shape(&shape, &seed);
	const struct ls_machine_options options = { .size = sizeof options,
		.rounds = shape.rounds,
		.ports = shape.ports,
		.mailbox = shape.mailbox,
		.node_kind = node_kind() };
	ls_machine *machine = machine_on(t, &options);

	for (int i = 0; i < PER_MACHINE; i++) {
		guard("program %d of machine %" PRId64 ", %s", i, number, ls_topology_spec(t));
		random_program_make(&g, &shape, &seed);
		play(machine, &g, tally);
	}
	ls_machine_destroy(machine);
	ls_topology_destroy(t);
}

int main(int argc, char **argv)
{
	const int64_t machines = (is_long() ? 100000 : is_fast() ? 300 : 1000) / PER_MACHINE;
	struct tally tally = { 0 };

	if (argc > 1)
		test_machine(strtoll(argv[1], NULL, 10), &tally);
	for (int64_t number = 0; number < machines && argc == 1; number++)
		test_machine(number, &tally);
	printf("%" PRId64 " programs end, %" PRId64 " wait for ever, %" PRId64 " break a rule; %" PRId64
		   " in groups, %" PRId64 " races\n",
		tally.outcome[ALL_END], tally.outcome[ALL_WAIT], tally.outcome[RULE_BROKEN],
		tally.in_groups, tally.races);
	for (int i = 0; i < 3 && argc == 1; i++)
		CHECK(tally.outcome[i] > machines / 2, "outcome %d", i);
	return test_result();
}
