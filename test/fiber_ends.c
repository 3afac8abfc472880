/*
 * Light nodes that end their thread or overflow their stack: the error names them.
 * ThreadSanitizer aborts if a fiber calls pthread_exit, and has a handler of SIGSEGV of its own.
 */
/* variants: release checked chaos asan */
/* link: -Wl,--wrap=malloc,--wrap=calloc,--wrap=aligned_alloc */
/* link: -Wl,--wrap=free,--wrap=mmap,--wrap=munmap */
/* link: -Wl,--wrap=pthread_create */
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <lockstep/collective.h>

#include "support/cells.h"
#include "support/guard.h"
#include "support/inject.h"
#include "test.h"

static ls_machine *fibers_on(const ls_topology *t)
{
	const struct ls_machine_options options = { .size = sizeof options,
		.node_kind = LS_NODE_FIBER };

	return machine_on(t, &options);
}

/* ---- Nodes that end their thread */

struct exits {
	int64_t first, last; /* these nodes do */
	int calls;           /* before they do */
};

static int exit_thread(ls_node *me, void *arg)
{
	const struct exits *e = arg;
	int failed = LS_OK;

	for (int i = 0; i < e->calls && !failed; i++)
		failed = add_ranks(me);
	if (ls_rank(me) >= e->first && ls_rank(me) <= e->last)
		pthread_exit(NULL);
	return failed ? failed : add_ranks(me);
}

static void test_exit(const char *spec, struct exits e)
{
	const long long before = atomic_load(&held);
	ls_topology *t = topology_of(spec);
	ls_machine *machine = fibers_on(t);
	char text[40];

	guard("nodes %" PRId64 " to %" PRId64 " of %s end their thread after %d calls", e.first, e.last,
		spec, e.calls);
	snprintf(text, sizeof text, "node %" PRId64 " called pthread_exit", e.first);
	for (int i = 0; i < 2; i++) {
		struct ls_error error = { .size = sizeof error };

		CHECK(ls_run(machine, exit_thread, &e) == LS_ERR_PROGRAM
				&& ls_last_error(machine, &error) == LS_ERR_PROGRAM && error.node == e.first
				&& error.link == -1 && strstr(error.text, text),
			"%s: %s", guarded(), error.text);
		must_run(machine, add_ranks_program, NULL);
	}
	ls_machine_destroy(machine);
	ls_topology_destroy(t);
	CHECK(threads_end(ONE_THREAD), "%s: %d threads are left", guarded(), threads_alive());
	CHECK(atomic_load(&held) == before, "%s: %lld pieces of memory leaked", guarded(),
		atomic_load(&held) - before);
}

static void test_exits(void)
{
	for (int calls = 0; calls < 3; calls += 2) {
		test_exit("complete:1", (struct exits){ 0, 0, calls });
		test_exit("complete:7", (struct exits){ 0, 0, calls });
		test_exit("complete:7", (struct exits){ 4, 4, calls });
		test_exit("complete:7", (struct exits){ 6, 6, calls });
		test_exit("complete:40", (struct exits){ 10, 30, calls });
		test_exit("complete:200", (struct exits){ 0, 199, calls });
	}
}

/* ---- Stacks that overflow */

static ls_machine *overflowing; /* for the handler */
static int64_t expected;

/* Exits with 0 if the node is the one that overflows its stack. */
static void name_node(int number, siginfo_t *info, void *context)
{
	(void)number;
	(void)context;
	_exit(ls_stack_overflow(overflowing, info->si_addr) == expected ? 0 : 1);
}

static volatile int depth_most = 1 << 20;

static int recurse(int depth)
{
	volatile char frame[1000];

	frame[0] = (char)depth;
	return depth < depth_most ? recurse(depth + 1) + frame[0] : 0;
}

static int overflow(ls_node *me, void *unused)
{
	int failed = ls_barrier(me);
	const bool is_guard = ls_stack_overflow(overflowing, &failed) != LS_NO_RANK;

	(void)unused;
	if (is_guard) /* a variable of the stack is not */
		_exit(4);
	if (ls_rank(me) == expected)
		failed = recurse(0);
	return failed ? failed : ls_barrier(me);
}

/* In a child: the handler ends it. */
static void overflow_in_child(const ls_topology *t)
{
	struct sigaction action = { .sa_sigaction = name_node, .sa_flags = SA_SIGINFO | SA_ONSTACK };

	alarm(60);
	overflowing = fibers_on(t);
	sigaction(SIGSEGV, &action, NULL);
	_exit(ls_run(overflowing, overflow, NULL) == LS_OK ? 2 : 3);
}

static void test_overflow(void)
{
	ls_topology *t = topology_of("complete:9");

	for (expected = 0; expected < 9; expected += 4) {
		const pid_t child = fork();
		int status = -1;

		guard("node %" PRId64 " overflows its stack", expected);
		if (child == 0)
			overflow_in_child(t);
		CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0, "%s: %d", guarded(),
			status);
	}
	ls_topology_destroy(t);
}

/* ---- Stacks of several machines: their guards must leave the process room for other mappings */

static int return_ok(ls_node *me, void *unused)
{
	(void)me;
	(void)unused;
	return LS_OK;
}

static void test_machines(void)
{
	enum { MACHINES = 4 };
	ls_topology *t = topology_of("ring:12000");
	ls_machine *machine[MACHINES];

	for (int i = 0; i < MACHINES; i++) {
		machine[i] = fibers_on(t);
		guard("machine %d of 12,000 light nodes", i);
		must_run(machine[i], return_ok, NULL);
	}
	for (int i = 0; i < MACHINES; i++)
		ls_machine_destroy(machine[i]);
	ls_topology_destroy(t);
}

int main(void)
{
	if (!is_thin())
		test_machines();
	if (!is_thin()) /* a child of fork would run threads; a sanitizer has its own handler */
		test_overflow();
	test_exits();
	return test_result();
}
