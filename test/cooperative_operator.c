/*
 * An operator misbehaves in a cooperative call, or the machine is stopped during the call.  All
 * nodes return the same status, no node returns while its buffers are in use, and the machine runs
 * again.
 */
/* alone: beside others its nodes wait for processors, up to ten times as long */
/* nodes: threads fibers */
#include <inttypes.h>
#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/cells.h"
#include "support/guard.h"
#include "support/fault_case.h"
#include "test.h"

static ls_machine *inner; /* of three nodes */

struct trap {
	const char *name;
	void (*spring)(struct fault_case *);
	int kind;
	bool limited;
};

static void sleep_long(struct fault_case *s)
{
	outlast_limit(s);
}
static void stop_all(struct fault_case *s)
{
	ls_machine_stop(s->machine, LS_ERR_PROGRAM);
	nap(5);
}
static void run_inside(struct fault_case *s)
{
	(void)s;
	must_run(inner, add_ranks_program, NULL);
}

static void end_thread(struct fault_case *s)
{
	s->gone = ls_rank(node_here());
	atomic_fetch_sub(&s->users, 1);
	pthread_exit(NULL);
}

static void meet_inside(struct fault_case *s)
{
	(void)s;
	CHECK(ls_barrier(node_here()) == LS_ERR_BUSY, "%s: a call in a call", guarded());
}

static void listen_inside(struct fault_case *s)
{
	ls_node *me = node_here();
	int64_t word;

	(void)s;
	CHECK(ls_receive(me, ls_neighbor(ls_node_topology(me), ls_rank(me), 0), &word, sizeof word)
			== LS_ERR_DEADLOCK,
		"%s: no node sends", guarded());
}

static void fork_inside(struct fault_case *s)
{
	const char *variant = getenv("LS_VARIANT");
	int result = -1;

	(void)s;
	if (variant && !strcmp(variant, "tsan")) /* which has no fork of a process with threads */
		return;

	const pid_t child = fork();

	if (child == 0)
		_exit(ls_barrier(node_here()) == LS_ERR_FORK ? 0 : 1);
	CHECK(child > 0 && waitpid(child, &result, 0) == child && result == 0, "%s: %d", guarded(),
		result);
}

static const struct trap traps[] = {
	{ "sleeps past the limit", sleep_long, LS_ERR_TIMEOUT, true },
	{ "stops the machine", stop_all, LS_ERR_PROGRAM, false },
	{ "runs another machine", run_inside, LS_OK, false },
	{ "ends its thread", end_thread, LS_ERR_LEFT, false },
	{ "calls a collective of its own machine", meet_inside, LS_ERR_BUSY, false },
	{ "waits for a message", listen_inside, LS_ERR_DEADLOCK, false },
	{ "forks", fork_inside, LS_OK, false },
};

/* All come back with one status: the call is executed, or fails; a later one fails at the latest.
 */
static void check_statuses(const struct fault_case *s, int status)
{
	const int *told = s->status[s->gone == 0];

	for (int64_t r = 0; r < s->p; r++) {
		if (r != s->gone)
			CHECK(!memcmp(s->status[r], told, sizeof s->status[r])
					&& (told[0] == status || told[1] == status),
				"%s: %s and %s at node %" PRId64 ", %s and %s at another", guarded(),
				ls_status_name(s->status[r][0]), ls_status_name(s->status[r][1]), r,
				ls_status_name(told[0]), ls_status_name(told[1]));
	}
}

static void test_trap(struct fault_case *s, const struct trap *trap, int64_t use)
{
	struct ls_error e = { .size = sizeof e };
	int status;

	guard("operator %s in use %" PRId64 " on %s, %s rounds", trap->name, use,
		ls_topology_spec(ls_machine_topology(s->machine)),
		s->rounds == LS_LOCKSTEP ? "lockstep" : "free");
	s->gone = -1;
	s->use = use;
	s->spring = trap->spring;
	memset(s->status, 0, sizeof s->status);
	atomic_store(&s->uses, 0);
	status = run_to_end(s, call_all);
	ls_last_error(s->machine, &e);
	CHECK(status == trap->kind && e.kind == status && !e.text[0] == !status, "%s: %s: %s",
		guarded(), ls_status_name(status), e.text);
	check_statuses(s, status);
	CHECK(!atomic_load(&s->poisoned), "%s: a buffer was read after its call", guarded());
	run_again(s);
}

/* ---- A stop from outside, at any time */

static void *stopper(void *arg)
{
	struct fault_case *s = arg;
	static uint64_t state = 1;

	while (atomic_load(&s->uses) == 0) /* a machine that does not run cannot be stopped */
		nap(1);
	nap(1e-6 * (double)random_below(&state, 3000000));
	ls_machine_stop(s->machine, LS_ERR_PROGRAM);
	return NULL;
}

static int call_forever(ls_node *me, void *arg)
{
	struct fault_case *s = arg;
	int failed = LS_OK, calls = 0;

	for (; !failed; calls += !failed)
		failed = call_once(me, s, calls);
	s->status[ls_rank(me)][0] = calls;
	return failed;
}

static void test_stops(struct fault_case *s)
{
	guard("stops from outside on %s", ls_topology_spec(ls_machine_topology(s->machine)));
	s->use = -1;
	for (int i = 0; i < (is_thin() || is_fast() ? 5 : 30); i++) {
		atomic_store(&s->uses, 0);

		const pthread_t thread = start_thread(stopper, s);
		const int status = ls_run(s->machine, call_forever, s);

		pthread_join(thread, NULL);
		CHECK(status == LS_ERR_PROGRAM, "%s: %s", guarded(), ls_status_name(status));
		for (int64_t r = 1; r < s->p; r++)
			CHECK(s->status[r][0] == s->status[0][0], "%s: %d calls at node %" PRId64 ", %d at 0",
				guarded(), s->status[r][0], r, s->status[0][0]);
		CHECK(!atomic_load(&s->poisoned), "%s: a buffer was read after its call", guarded());
	}
	run_again(s);
}

/* Uses of the operator in the calls of a run in which nothing goes wrong. */
static int count_uses(struct fault_case *s)
{
	atomic_store(&s->uses, 0);
	guard("%s", ls_topology_spec(ls_machine_topology(s->machine)));
	run_again(s);
	return atomic_load(&s->uses) / CALLS;
}

static void test_traps(struct fault_case *s, const struct trap *trap, int uses)
{
	fault_case_machine(s, trap->limited, LS_COOPERATIVE);
	for (int use = 0; use < uses - 1; use += s->limited ? uses : 1 + uses / 3)
		test_trap(s, trap, use);
	test_trap(s, trap, uses - 1);
	ls_machine_destroy(s->machine);
}

static void test_network(const char *spec, enum ls_rounds rounds, size_t words)
{
	struct fault_case s;
	int uses;

	fault_case_make(&s, spec, rounds, words);
	fault_case_machine(&s, false, LS_COOPERATIVE);
	test_stops(&s);
	uses = count_uses(&s);
	CHECK(uses > 0, "%s: the operator is not used", guarded());
	ls_machine_destroy(s.machine);
	for (size_t i = 0; i < sizeof traps / sizeof *traps; i++) {
		if (traps[i].spring != end_thread || may_exit_thread(node_kind()))
			test_traps(&s, &traps[i], uses);
	}
	fault_case_destroy(&s);
}

int main(void)
{
	const struct ls_machine_options options = { .size = sizeof options, .engine = LS_COOPERATIVE };
	ls_topology *three = topology_of("complete:3");

	inner = machine_on(three, &options);
	fault_case_networks(test_network);
	ls_machine_destroy(inner);
	ls_topology_destroy(three);
	return test_result();
}
