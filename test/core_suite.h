/*
 * The core suite of test/thread_schedules.c: small runs of everything that waits and wakes.  Each
 * case draws its network, nodes, rounds and engine from a seed.
 */
#ifndef LOCKSTEP_TEST_CORE_SUITE_H
#define LOCKSTEP_TEST_CORE_SUITE_H

#include <inttypes.h>
#include <string.h>

#include <lockstep/collective.h>

#include "support/cells.h"
#include "support/guard.h"
#include "support/random_program.h"
#include "core_suite_ends.h"
#include "test.h"

/* ---- Collective calls */

enum { SUITE_CALLS = 3, SUITE_WORDS = 700 };
struct suite_calls {
	enum ls_operation operation[SUITE_CALLS];
	const char *algorithm[SUITE_CALLS];
	size_t count[SUITE_CALLS];
	int64_t root;
};

/* Every word of the operand of node u is u + 1. */
static int64_t expected_word(enum ls_operation operation, int64_t p, int64_t root, size_t block)
{
	return operation == LS_ALLREDUCE ? p * (p + 1) / 2
		: operation == LS_BROADCAST  ? root + 1
									 : (int64_t)block + 1;
}

static int play_call(ls_node *me, const struct suite_calls *s, int call)
{
	const int64_t p = ls_size(me);
	const size_t n = s->count[call], blocks = s->operation[call] == LS_ALLGATHER ? (size_t)p : 1;
	int64_t *in = memory(n, sizeof *in), *out = memory(n * blocks, sizeof *out);
	const struct ls_call all = { .size = sizeof all,
		.operation = s->operation[call],
		.algorithm = s->algorithm[call],
		.input = in,
		.output = out,
		.count = n,
		.type = LS_INT64,
		.root = s->root };
	int failed;

	for (size_t i = 0; i < n; i++)
		in[i] = ls_rank(me) + 1;
	failed = ls_collective(me, &all);
	for (size_t i = 0; i < n * blocks && !failed; i++)
		CHECK(out[i] == expected_word(s->operation[call], p, s->root, i / n),
			"%s: node %" PRId64 ": word %zu of call %d is %" PRId64, guarded(), ls_rank(me), i,
			call, out[i]);
	free(in);
	free(out);
	return failed;
}

static int calls_program(ls_node *me, void *arg)
{
	int failed = LS_OK;

	for (int call = 0; call < SUITE_CALLS && !failed; call++)
		failed = play_call(me, arg, call);
	return failed;
}

static void draw_calls(struct suite_calls *s, const ls_topology *t, uint64_t *seed)
{
	static const int operations[] = { LS_ALLREDUCE, LS_BROADCAST, LS_ALLGATHER };
	static const size_t counts[] = { 1, 5, SUITE_WORDS };

	s->root = random_below(seed, ls_topology_nodes(t));
	for (int i = 0; i < SUITE_CALLS; i++) {
		s->operation[i] = (enum ls_operation)operations[random_below(seed, 3)];
		s->count[i] = counts[random_below(seed, 3)];

		const struct ls_request request = { .size = sizeof request,
			.topology = t,
			.operation = s->operation[i],
			.mode = LS_ROUTED,
			.count = s->count[i],
			.type = LS_INT64,
			.root = s->root };

		s->algorithm[i] =
			random_below(seed, 2) ? serving(&request, (int)random_below(seed, 10), 10) : NULL;
	}
}

static void play_calls(uint64_t *seed)
{
	ls_topology *t = suite_network(seed);
	const struct ls_machine_options options = suite_options(seed);
	ls_machine *machine = machine_on(t, &options);
	struct suite_calls calls;

	draw_calls(&calls, t, seed);
	for (int run = 0; run < 2; run++)
		must_run(machine, calls_program, &calls);
	ls_machine_destroy(machine);
	ls_topology_destroy(t);
}

/* ---- Messages: random programs, whose end a simulator forecasts */

static void play_messages(uint64_t *seed)
{
	static struct random_program program;
	static struct random_run run;
	struct ls_machine_options options = suite_options(seed);
	struct ls_error error = { .size = sizeof error };
	struct forecast forecast;
	char spec[32];

	options.ports = 2 + (int)random_below(seed, PROGRAM_NODES - 4);
	snprintf(spec, sizeof spec, "complete:%d", options.ports);

	ls_topology *t = topology_of(spec);
	ls_machine *machine = machine_on(t, &options);

	for (int i = 0; i < 2; i++) {
		const struct program_shape shape = { .rounds = options.rounds,
			.p = options.ports,
			.mailbox = options.mailbox,
			.ports = options.ports,
			.groups = 1 };

		random_program_make(&program, &shape, seed);
		random_program_forecast(&program, &forecast);
		random_run_begin(&run, &program);
		(void)!ls_run(machine, random_program_play, &run);
		ls_last_error(machine, &error);
		random_run_check(&run, &forecast, &error, 0, shape.p);
	}
	ls_machine_destroy(machine);
	ls_topology_destroy(t);
}

/* ---- Groups: the machine splits, and each group splits again */

static int groups_program(ls_node *me, void *arg)
{
	const int64_t parts = *(const int64_t *)arg;
	ls_node *outer = NULL, *inner = NULL;
	int failed = ls_split(me, ls_rank(me) % parts, ls_rank(me), &outer);

	if (!failed)
		failed = add_ranks(outer);
	if (!failed)
		failed = ls_split(outer, ls_rank(outer) % 2, -ls_rank(outer), &inner);
	if (!failed)
		failed = add_ranks(inner);
	if (!failed && ls_rank(me) % 2)
		ls_leave(inner);
	return failed ? failed : add_ranks(me);
}

static void play_groups(uint64_t *seed)
{
	ls_topology *t = suite_network(seed);
	const struct ls_machine_options options = suite_options(seed);
	ls_machine *machine = machine_on(t, &options);
	int64_t parts = 1 + random_below(seed, 3);

	must_run(machine, groups_program, &parts);
	ls_machine_destroy(machine);
	ls_topology_destroy(t);
}

/* ---- Attached threads */

struct suite_thread {
	ls_machine *machine;
	int64_t rank;
};

static void *attach_thread(void *arg)
{
	const struct suite_thread *s = arg;

	for (int run = 0; run < 2; run++) {
		ls_node *me = attached_to(s->machine, s->rank, 0);

		CHECK(add_ranks(me) == LS_OK, "%s: attached node %" PRId64, guarded(), s->rank);
		CHECK(ls_detach(me) == LS_OK, "%s: detached node %" PRId64, guarded(), s->rank);
	}
	return NULL;
}

static void play_attached(uint64_t *seed)
{
	struct ls_machine_options options = suite_options(seed);
	struct suite_thread s[PROGRAM_NODES];
	pthread_t thread[PROGRAM_NODES];
	ls_topology *t = topology_of(suite_networks[random_below(seed, 4)]);
	const int64_t p = ls_topology_nodes(t);

	options.node_kind = LS_NODE_THREAD;

	ls_machine *machine = machine_on(t, &options);

	for (int64_t u = 0; u < p; u++) {
		s[u] = (struct suite_thread){ machine, u };
		thread[u] = start_thread(attach_thread, &s[u]);
	}
	for (int64_t u = 0; u < p; u++)
		pthread_join(thread[u], NULL);
	must_run(machine, add_ranks_program, NULL);
	ls_machine_destroy(machine);
	ls_topology_destroy(t);
}

/* ---- A link goes down and comes up */

static void *change_link(void *arg)
{
	ls_machine *machine = arg;

	for (int i = 0; i < 4; i++) {
		CHECK(ls_link_set(machine, 0, 1, i % 2) == LS_OK, "%s: change %d", guarded(), i);
		nap(0.01);
	}
	return NULL;
}

static void play_links(uint64_t *seed)
{
	const struct ls_machine_options options = suite_options(seed);
	ls_topology *t = topology_of(random_below(seed, 2) ? "ring:4" : "hypercube:3");
	ls_machine *machine = machine_on(t, &options);
	struct suite_calls calls;

	draw_calls(&calls, t, seed);

	const pthread_t thread = start_thread(change_link, machine);

	must_run(machine, calls_program, &calls);
	pthread_join(thread, NULL);
	ls_machine_destroy(machine);
	ls_topology_destroy(t);
}

/* ---- The living go on without a node that failed */

static int shrink_program(ls_node *me, void *arg)
{
	ls_node *group = me;
	int failed = ls_barrier(me);

	if (ls_rank(me) == *(const int64_t *)arg)
		return 7;
	for (int tries = 0; tries < 3; tries++) {
		failed = add_ranks(group);
		if (!failed || ls_shrink(group, &group, NULL))
			break;
	}
	CHECK(failed == LS_OK && ls_size(group) == ls_size(me) - 1, "%s: node %" PRId64 ": %s",
		guarded(), ls_rank(me), ls_status_name(failed));
	return failed;
}

static void play_shrink(uint64_t *seed)
{
	struct ls_machine_options options = suite_options(seed);
	ls_topology *t = topology_of(suite_networks[1 + random_below(seed, 5)]);
	int64_t node = random_below(seed, ls_topology_nodes(t));

	options.recover = true;

	ls_machine *machine = machine_on(t, &options);

	(void)!ls_run(machine, shrink_program, &node);
	ls_machine_destroy(machine);
	ls_topology_destroy(t);
}

/* ---- All */

static const struct suite_case {
	const char *name;
	void (*play)(uint64_t *seed);
} suite_cases[] = { { "calls", play_calls }, { "messages", play_messages },
	{ "groups", play_groups }, { "ends", play_ends }, { "attached threads", play_attached },
	{ "links", play_links }, { "shrink", play_shrink } };
enum { SUITE_CASES = sizeof suite_cases / sizeof *suite_cases };

#endif
