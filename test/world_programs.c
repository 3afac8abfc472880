/*
 * Random node programs in several processes.  A simulator forecasts whether all nodes end, all
 * wait, or a rule is broken, and how many messages each node receives.  Runs in one process and in
 * several must agree with it, and with each other in every field and the text of the error.
 *
 * Other tests run over processes as they are: those that state `processes:`.
 */
/* nodes: threads fibers */
#include <inttypes.h>
#include <string.h>

#include "support/cells.h"
#include "support/guard.h"
#include "support/random_program.h"
#include "support/spread_machine.h"
#include "test.h"

enum { PROGRAMS = 10000, MACHINES = 24, MOST_PROCESSES = 4 };

struct counts {
	long long outcome[3], races;
};

static ls_topology *complete(int p)
{
	char spec[32];

	snprintf(spec, sizeof spec, "complete:%d", p);
	return topology_of(spec);
}

/* One program in one process and in several. */
static void play(
	const struct random_program *g, ls_machine *alone, struct spread *s, struct counts *counts)
{
	static struct random_run run;
	struct ls_error error = { .size = sizeof error };
	struct forecast forecast;

	random_program_forecast(g, &forecast);
	counts->outcome[forecast.outcome]++;
	random_run_begin(&run, g);
	(void)!ls_run(alone, random_program_play, &run);
	ls_last_error(alone, &error);
	random_run_check(&run, &forecast, &error, 0, g->shape.p);
	random_run_begin(&run, g);
	spread_run(s, random_program_play, &run);
	random_run_check(&run, &forecast, &s->error[0], 0, g->shape.p);
	counts->races += forecast.is_race;
	CHECK(forecast.is_race || errors_are_equal(&error, &s->error[0]),
		"%s: '%s', but in one process '%s'", guarded(), s->error[0].text, error.text);
	if (!forecast.is_race && !errors_are_equal(&error, &s->error[0]))
		random_program_print(g);
}

static void test_machine(int number, int programs, struct counts *counts)
{
	uint64_t seed = (uint64_t)number;
	const int p = 2 + (int)random_below(&seed, PROGRAM_NODES - 1);
	const int processes = 2 + number % (MOST_PROCESSES - 1);
	const struct ls_machine_options options = { .size = sizeof options,
		.rounds = number / 3 % 2 ? LS_FREE : LS_LOCKSTEP,
		.ports = p,
		.mailbox = 1 << number % 3,
		.node_kind = node_kind() };
	const struct program_shape shape = {
		.rounds = options.rounds, .p = p, .mailbox = options.mailbox, .ports = p, .groups = 1
	};
	ls_topology *t = complete(p);
	ls_machine *alone = machine_on(t, &options);
	struct random_program *g = memory(1, sizeof *g);
	struct spread s;

	guard("machine %d", number);
	spread_open(&s, processes, seed);
	if (spread_make(&s, t, &options) != LS_OK)
		exit(1);
	for (int i = 0; i < programs; i++) {
		guard("program %d on %d nodes of %d processes, machine %d", i, p, processes, number);
		random_program_make(g, &shape, &seed);
		play(g, alone, &s, counts);
	}
	spread_destroy(&s);
	ls_machine_destroy(alone);
	ls_topology_destroy(t);
	free(g);
}

int main(void)
{
	const int machines = is_fast() ? MACHINES / 2 : MACHINES;
	const int programs = PROGRAMS / MACHINES
			/ (is_fast()        ? 40
					: is_thin() ? 10
					: is_long() ? 1
								: 8)
		+ 1;
	struct counts counts = { 0 };

	for (int number = 0; number < machines; number++)
		test_machine(number, programs, &counts);
	printf("%lld programs end, %lld wait for ever, %lld break a rule; %lld races\n",
		counts.outcome[ALL_END], counts.outcome[ALL_WAIT], counts.outcome[RULE_BROKEN],
		counts.races);
	for (int i = 0; i < 3; i++)
		CHECK(counts.outcome[i] > machines, "outcome %d: %lld programs", i, counts.outcome[i]);
	return test_result();
}
