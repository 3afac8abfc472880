/*
 * The k-th allocation of a scenario fails, and the k-th creation of a thread, for every k until
 * none fails.  Each failure gives an error, leaves no thread and no memory, and the machine runs
 * again.
 */
/* link: -Wl,--wrap=malloc,--wrap=calloc,--wrap=aligned_alloc */
/* link: -Wl,--wrap=free,--wrap=mmap,--wrap=munmap */
/* link: -Wl,--wrap=pthread_create */
/* alone: beside others its nodes wait for processors, up to ten times as long */
/* nodes: threads fibers */
#include <inttypes.h>
#include <pthread.h>
#include <string.h>

#include <lockstep.h>

#include "support/guard.h"
#include "support/inject.h"
#include "test.h"

/* ---- Node programs */

enum { NODES = 6, LONG = 3000 }; /* elements; too long for a slot */

static double operand[NODES][LONG], result[NODES][LONG];

static int sum(ls_node *me, int64_t rank, size_t n, double expected)
{
	size_t right = 0;
	int failed;

	for (size_t i = 0; i < n; i++)
		operand[rank][i] = (double)ls_rank(me);
	failed = ls_allreduce(me, operand[rank], result[rank], n, LS_DOUBLE, LS_SUM);
	for (size_t i = 0; !failed && i < n; i++)
		right += result[rank][i] == expected;
	CHECK(failed || right == n, "%s: node %" PRId64 ": %zu right", guarded(), rank, right);
	return failed;
}

/* The calls of a program, one after the other, until one fails. */
static int collectives(ls_node *me, void *arg)
{
	const int64_t p = ls_size(me), rank = ls_rank(me);
	const double all = (double)(p * (p - 1)) / 2;
	int failed = sum(me, rank, 1, all);

	(void)arg;
	if (!failed)
		failed = sum(me, rank, LONG, all);
	if (!failed)
		failed = ls_broadcast(me, result[rank], LONG, LS_DOUBLE, 1);
	if (!failed)
		failed = ls_reduce(me, operand[rank], result[rank], 1, LS_DOUBLE, LS_MAX, p - 1);
	return failed ? failed : ls_barrier(me);
}

/* The operations on blocks, and those that move or scan. */
static int blocks(ls_node *me, void *arg)
{
	enum { LENGTH = LONG / NODES };
	double *const mine = operand[ls_rank(me)], *const all = result[ls_rank(me)];
	int failed = ls_allgather(me, mine, all, LENGTH, LS_DOUBLE);

	(void)arg;
	if (!failed)
		failed = ls_reduce_scatter(me, all, mine, LENGTH, LS_DOUBLE, LS_SUM);
	if (!failed)
		failed = ls_scatter(me, all, mine, LENGTH, LS_DOUBLE, 2);
	if (!failed)
		failed = ls_gather(me, mine, all, LENGTH, LS_DOUBLE, 1);
	if (!failed)
		failed = ls_alltoall(me, mine, all, LENGTH, LS_DOUBLE);
	if (!failed)
		failed = ls_alltoall(me, all, all, 2, LS_DOUBLE);
	if (!failed)
		failed = ls_exscan(me, mine, all, LONG, LS_DOUBLE, LS_SUM);
	return failed ? failed : ls_shift(me, mine, mine, LENGTH, LS_DOUBLE, -2);
}

/* Blocks of unequal lengths: apart, and in place. */
static int unequal(ls_node *me, void *arg)
{
	static const size_t some[NODES] = { 3, 0, 100, 1, 2, 5 };
	const int64_t p = ls_size(me), rank = ls_rank(me);
	size_t counts[NODES];
	int failed = ls_allgatherv(me, operand[rank], result[rank], some, LS_DOUBLE);

	(void)arg;
	for (int64_t i = 0; i < p; i++)
		counts[i] = some[(rank + i) % p];
	if (!failed)
		failed = ls_alltoallv(me, operand[rank], counts, result[rank], counts, LS_DOUBLE);
	if (!failed)
		failed = ls_alltoallv(me, result[rank], counts, result[rank], counts, LS_DOUBLE);
	return failed ? failed : ls_scan(me, operand[rank], result[rank], LONG, LS_DOUBLE, LS_SUM);
}

static int message(ls_node *me, size_t bytes)
{
	const int64_t p = ls_size(me), rank = ls_rank(me);
	int failed = ls_send(me, (rank + 1) % p, operand[rank], bytes);

	if (!failed)
		failed = ls_receive(me, (rank + p - 1) % p, result[rank], bytes);
	return failed ? failed : ls_next_round(me);
}

static int messages(ls_node *me, void *arg)
{
	const int failed = message(me, sizeof **operand);

	(void)arg;
	return failed ? failed : message(me, sizeof *operand);
}

static int groups(ls_node *me, void *arg)
{
	const int64_t rank = ls_rank(me);
	ls_node *row, *pair;
	int failed = ls_split_axis(me, 1, &row);

	(void)arg;
	if (!failed)
		failed = sum(row, rank, 2, 3);
	if (!failed)
		failed = ls_split(row, ls_rank(row) / 2, 0, &pair);
	if (!failed)
		failed = sum(pair, rank, LONG, ls_size(pair) == 2 ? 1 : 0);
	if (!failed)
		ls_leave(pair);
	return failed ? failed : sum(me, rank, 1, 15);
}

/* ---- Scenarios: LS_OK, or the first error */

struct scenario {
	const char *name, *spec;
	struct ls_machine_options options;
	int (*program)(ls_node *, void *);
	int (*play)(const struct scenario *);
	bool link_down;
};

static atomic_llong traced;

static void trace(void *context, const struct ls_record *record)
{
	(void)context;
	(void)record;
	atomic_fetch_add(&traced, 1);
}

/* A run that succeeds has traced every message. */
static int run(ls_machine *machine, const struct scenario *scenario)
{
	struct ls_stats stats = { .size = sizeof stats };
	int failed;

	atomic_store(&traced, 0);
	failed = ls_run(machine, scenario->program, NULL);
	ls_machine_stats(machine, &stats);
	CHECK(failed || !scenario->options.trace || atomic_load(&traced) == stats.messages,
		"%s: %lld of %" PRId64 " messages traced", guarded(), atomic_load(&traced), stats.messages);
	return failed;
}

static void judge(ls_machine *machine, int failed)
{
	struct ls_error error = { .size = sizeof error };
	bool said;

	ls_last_error(machine, &error);
	said = failed == LS_ERR_THREADS
		? strstr(error.text, "could not be created") != NULL
		: strstr(error.text, "memory") || strstr(error.text, "no address space");
	CHECK(error.kind == failed && said, "%s: kind %d: %s", guarded(), error.kind, error.text);
}

static int play_run(const struct scenario *scenario, ls_machine *machine)
{
	int failed = scenario->link_down ? ls_link_set(machine, 0, 1, false) : LS_OK, again;

	if (!failed && (failed = run(machine, scenario)))
		judge(machine, failed);
	disarm();
	again = run(machine, scenario);
	CHECK(again == LS_OK, "%s: run again: %s", guarded(), ls_status_name(again));
	if (scenario->link_down)
		CHECK(ls_link_set(machine, 0, 1, true) == LS_OK, "%s", guarded());
	return failed;
}

static int64_t threads_of_run; /* that ls_run creates */

static int play_machine(
	const struct scenario *scenario, int (*play)(const struct scenario *, ls_machine *))
{
	struct ls_machine_options options = scenario->options;
	struct ls_error why = { .size = sizeof why };
	ls_topology *topology;
	ls_machine *machine;
	int failed = ls_topology_make(scenario->spec, &topology, &why);

	if (failed) {
		CHECK(why.kind == failed && why.text[0], "%s: %s", guarded(), why.text);
		return failed;
	}
	options.node_kind = node_kind();
	failed = ls_machine_make(topology, &options, &machine);
	if (!failed) {
		threads_of_run = ls_machine_threads(machine);
		failed = play(scenario, machine);
		ls_machine_destroy(machine);
	}
	ls_topology_destroy(topology);
	return failed;
}

static int run_machine(const struct scenario *scenario)
{
	return play_machine(scenario, play_run);
}

struct guest {
	ls_machine *machine;
	const struct scenario *scenario;
	int64_t rank;
	int failed;
};

static void *visit(void *arg)
{
	struct guest *guest = arg;
	ls_node *me;
	int ended;

	guest->failed = ls_attach(guest->machine, guest->rank, 0, &me);
	if (guest->failed)
		return NULL;
	guest->failed = guest->scenario->program(me, NULL);
	ended = ls_detach(me);
	/* The last one to detach hands out the trace, which may lack memory. */
	CHECK(ended == guest->failed || (!guest->failed && ended == LS_ERR_MEMORY), "%s: %d, not %d",
		guarded(), ended, guest->failed);
	guest->failed = ended;
	return NULL;
}

static int play_visit(const struct scenario *scenario, ls_machine *machine)
{
	struct guest guest[NODES];
	pthread_t thread[NODES];
	int failed = LS_OK;

	for (int64_t i = 0; i < NODES; i++) {
		guest[i] = (struct guest){ machine, scenario, i, LS_OK };
		CHECK(__real_pthread_create(&thread[i], NULL, visit, &guest[i]) == 0, "a thread");
	}
	for (int i = 0; i < NODES; i++) {
		pthread_join(thread[i], NULL);
		failed = guest[i].failed ? guest[i].failed : failed;
	}
	if (failed)
		judge(machine, failed);
	disarm();
	CHECK(run(machine, scenario) == LS_OK, "%s: run again", guarded());
	return failed;
}

static int attach_machine(const struct scenario *scenario)
{
	return play_machine(scenario, play_visit);
}

#define OPTIONS(...) \
	{ \
		.size = sizeof(struct ls_machine_options), __VA_ARGS__ \
	}

static const struct scenario scenarios[] = {
	{ "lockstep", "mesh:2x3", OPTIONS(.rounds = LS_LOCKSTEP), collectives, run_machine, false },
	{ "free", "ring:6", OPTIONS(.rounds = LS_FREE), collectives, run_machine, false },
	{ "threads", "ring:6", OPTIONS(.engine = LS_MAILBOXES), collectives, run_machine, false },
	{ "threads, free", "mesh:2x3", OPTIONS(.engine = LS_MAILBOXES, .rounds = LS_FREE), collectives,
		run_machine, false },
	{ "star", "star:3", OPTIONS(.ports = 2), collectives, run_machine, false },
	{ "blocks", "mesh:2x3", OPTIONS(.rounds = LS_LOCKSTEP), blocks, run_machine, false },
	{ "blocks, threads", "complete:6", OPTIONS(.engine = LS_MAILBOXES), blocks, run_machine,
		false },
	{ "blocks, free", "star:3", OPTIONS(.rounds = LS_FREE), blocks, run_machine, false },
	{ "lengths", "ring:6", OPTIONS(.rounds = LS_LOCKSTEP), unequal, run_machine, false },
	{ "lengths, direct", "complete:6", OPTIONS(.rounds = LS_FREE), unequal, run_machine, false },
	{ "messages", "ring:6", OPTIONS(.mailbox = 1), messages, run_machine, false },
	{ "messages, free", "ring:6", OPTIONS(.rounds = LS_FREE), messages, run_machine, false },
	{ "groups", "mesh:2x3", OPTIONS(.rounds = LS_LOCKSTEP), groups, run_machine, false },
	{ "groups, free", "mesh:2x3", OPTIONS(.rounds = LS_FREE), groups, run_machine, false },
	{ "trace", "mesh:2x3", OPTIONS(.trace = trace), collectives, run_machine, false },
	{ "times", "mesh:2x3", OPTIONS(.trace = trace, .trace_times = true), collectives, run_machine,
		false },
	{ "times of messages, free", "ring:6",
		OPTIONS(.trace = trace, .trace_times = true, .rounds = LS_FREE), messages, run_machine,
		false },
	{ "times, attached", "ring:6", OPTIONS(.trace = trace, .trace_times = true), messages,
		attach_machine, false },
	{ "a link is down", "ring:6", OPTIONS(.mode = LS_ROUTED), collectives, run_machine, true },
	/* A call that waits for all nodes is compiled only when it finds the link down. */
	{ "a link is down, free", "ring:6",
		OPTIONS(.mode = LS_ROUTED, .rounds = LS_FREE, .engine = LS_COOPERATIVE), collectives,
		run_machine, true },
	{ "attached", "complete:6", OPTIONS(.ports = 1), collectives, attach_machine, false },
};

/*
 * A node that has no memory to help the others with a call leaves the work to them: nothing fails.
 * A worker of fibers that has none for an alternate signal stack does without.  Every other
 * allocation is needed.
 */
static bool may_survive(const struct scenario *scenario)
{
	return scenario->options.engine != LS_MAILBOXES || node_kind() == LS_NODE_FIBER;
}

static int play(const void *scenario)
{
	const struct scenario *its = scenario;

	return its->play(its);
}

int main(void)
{
	const size_t n = sizeof scenarios / sizeof *scenarios;

	setvbuf(stdout, NULL, _IOLBF, 0); /* what was done is seen if it hangs */
	guard("%s", scenarios->name);
	CHECK(play(scenarios) == LS_OK, "%s", guarded());
	CHECK(threads_end(ONE_THREAD), "%d threads are left", threads_alive());
	for (size_t i = 0; i < n; i++) {
		if (node_kind() == LS_NODE_FIBER && scenarios[i].play == attach_machine)
			continue;

		const struct faulty faulty = { scenarios[i].name, play, &scenarios[i],
			may_survive(&scenarios[i]) ? 25 : 0 };

		fail_memory(&faulty);
		if (scenarios[i].play == run_machine)
			CHECK(fail_each(&faulty, &thread_calls, LS_ERR_THREADS) == threads_of_run, "%s",
				scenarios[i].name);
	}
	return test_result();
}
