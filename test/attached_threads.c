/*
 * Threads of the program as nodes: they attach, detach, fail and are refused.  Also: several
 * machines at the same time and one inside another, fork, thread-local storage, and a stop from
 * outside.
 */
/* link: @test/support/spread.flags */
/* processes: 1 3 */
#include <inttypes.h>
#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <urcu-qsbr.h>

#include <lockstep/collective.h>

#include "support/cells.h"
#include "support/guard.h"
#include "support/spread_machine.h"
#include "test.h"

enum { P = 4, TIMES = 40 };

/* Larger than what a default stack leaves beside the frames below. */
enum { TLS = 200 << 10, FRAME = 128 << 10 };
static _Thread_local volatile char storage[TLS];

/* ---- Threads of the test: each calls `body` with its own number */

struct mine {
	ls_machine *machine;
	int64_t rank;
	int want; /* status of attach or detach, whichever fails first */
	unsigned flags;
	pthread_t thread;
};

static void on_threads(struct mine *mine, int n, void *(*body)(void *))
{
	for (int i = 0; i < n; i++)
		mine[i].thread = start_thread(body, &mine[i]);
	for (int i = 0; i < n; i++)
		pthread_join(mine[i].thread, NULL);
}

static void *attach_again(void *arg)
{
	const struct mine *m = arg;

	if (m->flags & LS_ATTACH_RCU_READER)
		rcu_register_thread();
	for (int i = 0; i < TIMES; i++) {
		ls_node *me = attached_to(m->machine, m->rank, m->flags);

		CHECK(add_ranks(me) == LS_OK && ls_detach(me) == LS_OK, "%s: run %d of node %" PRId64,
			guarded(), i, m->rank);
		if (m->flags & LS_ATTACH_RCU_READER)
			rcu_quiescent_state();
	}
	if (m->flags & LS_ATTACH_RCU_READER)
		rcu_unregister_thread();
	return NULL;
}

static void test_again(const ls_topology *t, unsigned flags)
{
	ls_machine *machine = machine_on(t, NULL);
	struct mine mine[P];

	guard("attached again and again, flags %u", flags);
	for (int i = 0; i < P; i++)
		mine[i] = (struct mine){ .machine = machine, .rank = i, .flags = i % 2 ? flags : 0 };
	on_threads(mine, P, attach_again);
	must_run(machine, add_ranks_program, NULL);
	ls_machine_destroy(machine);
}

/* ---- Refusals */

static void *attach_wanting(void *arg)
{
	const struct mine *m = arg;
	ls_node *me;
	int status = ls_attach(m->machine, m->rank, 0, &me);

	CHECK((status == LS_OK) == (me != NULL), "%s: handle", guarded());
	if (status == LS_OK)
		status = ls_detach(me);
	CHECK(status == m->want, "%s: %s, not %s", guarded(), ls_status_name(status),
		ls_status_name(m->want));
	return NULL;
}

static void *stop_soon(void *machine)
{
	nap(20);
	stop_everywhere(machine, 0);
	return NULL;
}

/* One node of two attaches alone; it returns when the machine is stopped, or at the time limit. */
static void test_alone(const struct ls_machine_options *options, int want)
{
	ls_topology *t = topology_of("complete:2");
	ls_machine *machine = machine_on(t, options);
	struct mine mine = { .machine = machine, .rank = 1, .want = want };
	pthread_t stopper;

	guard("attached alone: %s", ls_status_name(want));
	if (want == LS_ERR_STOPPED)
		stopper = start_thread(stop_soon, machine);
	on_threads(&mine, 1, attach_wanting);
	if (want == LS_ERR_STOPPED)
		pthread_join(stopper, NULL);
	CHECK(ls_last_error(machine, &(struct ls_error){ .size = sizeof(struct ls_error) }) == want,
		"%s", guarded());
	must_run(machine, add_ranks_program, NULL);
	ls_machine_destroy(machine);
	ls_topology_destroy(t);
}

static int busy_program(ls_node *me, void *machine)
{
	ls_node *other;

	CHECK(ls_run(machine, add_ranks_program, NULL) == LS_ERR_BUSY, "run inside of its own run");
	CHECK(ls_attach(machine, ls_rank(me), 0, &other) == LS_ERR_BUSY, "attached to a run");
	return add_ranks(me);
}

static void *refused_while_attached(void *arg)
{
	const struct mine *m = arg;
	ls_node *me = attached_to(m->machine, m->rank, 0), *other;

	CHECK(ls_attach(m->machine, m->rank, 0, &other) == LS_ERR_ARGUMENT && !other, "a taken rank");
	if (process_count() == 1) /* else see world_attach.c */
		CHECK(ls_run(m->machine, add_ranks_program, NULL) == LS_ERR_BUSY, "run while attached");
	CHECK(add_ranks(me) == LS_OK && ls_detach(me) == LS_OK, "%s", guarded());
	return NULL;
}

static void test_refusals(const ls_topology *t)
{
	ls_machine *machine = machine_on(t, NULL);
	struct mine mine[P];
	ls_node *me;

	guard("refusals");
	CHECK(ls_attach(machine, -1, 0, &me) == LS_ERR_ARGUMENT
			&& ls_attach(machine, P, 0, &me) == LS_ERR_ARGUMENT
			&& ls_attach(NULL, 0, 0, &me) == LS_ERR_ARGUMENT,
		"ranks that are none");
	CHECK(ls_run(NULL, add_ranks_program, NULL) == LS_ERR_ARGUMENT
			&& ls_run(machine, NULL, NULL) == LS_ERR_ARGUMENT,
		"nothing");
	if (process_count() == 1)
		must_run(machine, busy_program, machine);
	for (int i = 0; i < P; i++)
		mine[i] = (struct mine){ .machine = machine, .rank = i };
	on_threads(mine, P, refused_while_attached);
	ls_machine_destroy(machine);
}

/* ---- Errors of attached nodes */

static void *leave_or_add(void *arg)
{
	const struct mine *m = arg;
	ls_node *me = attached_to(m->machine, m->rank, 0);

	if (m->rank == 0)
		CHECK(ls_detach(me) == LS_ERR_LEFT, "%s: the one that leaves", guarded());
	else
		CHECK(add_ranks(me) == LS_ERR_LEFT && ls_detach(me) == LS_ERR_LEFT, "%s: node %" PRId64,
			guarded(), m->rank);
	return NULL;
}

static void test_leaving(const ls_topology *t, enum ls_rounds rounds, bool again)
{
	const struct ls_machine_options options = { .size = sizeof options, .rounds = rounds };
	ls_machine *machine = machine_on(t, &options);
	struct ls_error e = { .size = sizeof e };
	struct mine mine[P];

	guard("an attached node leaves");
	for (int i = 0; i < P; i++)
		mine[i] = (struct mine){ .machine = machine, .rank = i };
	on_threads(mine, P, leave_or_add);
	CHECK(ls_last_error(machine, &e) == LS_ERR_LEFT && e.peer == 0, "%s: %s", guarded(), e.text);
	if (again)
		on_threads(mine, P, attach_again);
	ls_machine_destroy(machine);
}

/* ---- Machines beside and inside each other */

static void *run_again(void *arg)
{
	const struct mine *m = arg;

	for (int i = 0; i < TIMES; i++)
		must_run(m->machine, add_ranks_program, NULL);
	return NULL;
}

static void test_beside(const ls_topology *t)
{
	struct mine mine[P];

	guard("machines beside each other");
	for (int i = 0; i < P; i++)
		mine[i] = (struct mine){ .machine = machine_on(t, NULL) };
	on_threads(mine, P, run_again);
	for (int i = 0; i < P; i++)
		ls_machine_destroy(mine[i].machine);
}

/* Every node runs a machine of its own, and is a node of a third one at the same time. */
static int inside_program(ls_node *me, void *shared)
{
	ls_machine *own = machine_on(ls_node_topology(me), NULL);
	ls_node *there;
	int failed = ls_attach(shared, ls_size(me) - 1 - ls_rank(me), 0, &there);

	for (int i = 0; i < 3 && !failed; i++) {
		must_run(own, add_ranks_program, NULL);
		failed = add_ranks(there);
		if (!failed)
			failed = add_ranks(me);
	}
	if (!failed)
		failed = ls_detach(there);
	ls_machine_destroy(own);
	return failed;
}

static void test_inside(const ls_topology *t)
{
	ls_machine *outer = machine_on(t, NULL), *shared = machine_on(t, NULL);

	guard("machines inside each other");
	must_run(outer, inside_program, shared);
	ls_machine_destroy(shared);
	ls_machine_destroy(outer);
}

/* ---- Fork */

/* Over processes, ls_run of the test starts threads, which ThreadSanitizer forbids after a fork. */
static int in_child(ls_node *me, ls_machine *machine)
{
	int64_t word = 0;
	ls_node *other;

	return ls_send(me, 1 - ls_rank(me), &word, sizeof word) == LS_ERR_FORK
			&& ls_receive(me, 1 - ls_rank(me), &word, sizeof word) == LS_ERR_FORK
			&& ls_next_round(me) == LS_ERR_FORK && ls_barrier(me) == LS_ERR_FORK
			&& ls_allreduce(me, &word, &word, 1, LS_INT64, LS_SUM) == LS_ERR_FORK
			&& ls_split(me, 0, 0, &other) == LS_ERR_FORK
			&& (process_count() > 1 || ls_run(machine, add_ranks_program, NULL) == LS_ERR_FORK)
			&& ls_attach(machine, 0, 0, &other) == LS_ERR_FORK && ls_detach(me) == LS_ERR_FORK
		? 0
		: 1;
}

static int fork_program(ls_node *me, void *machine)
{
	int failed = add_ranks(me), result = -1;

	if (!failed && ls_rank(me) == 0) {
		const pid_t child = fork();

		if (child == 0)
			_exit(in_child(me, machine));
		CHECK(child > 0 && waitpid(child, &result, 0) == child && result == 0, "%s: %d", guarded(),
			result);
	}
	return failed ? failed : add_ranks(me);
}

static void test_fork(void)
{
	ls_topology *t = topology_of("complete:2");
	ls_machine *machine = machine_on(t, NULL);

	guard("fork");
	must_run(machine, fork_program, machine);
	ls_machine_destroy(machine);
	ls_topology_destroy(t);
}

/* ---- Stacks */

static int deep_program(ls_node *me, void *arg)
{
	volatile char frame[FRAME];

	(void)arg;
	for (size_t i = 0; i < TLS; i += 1024)
		storage[i] = (char)ls_rank(me);
	for (size_t i = 0; i < FRAME; i += 1024)
		frame[i] = (char)(ls_rank(me) + 1);

	const int failed = add_ranks(me);

	CHECK(storage[TLS - 1024] == (char)ls_rank(me) && frame[0] == (char)(ls_rank(me) + 1),
		"%s: overwritten", guarded());
	return failed;
}

static void test_storage(const ls_topology *t, size_t stack)
{
	const struct ls_machine_options options = { .size = sizeof options, .stack = stack };
	ls_machine *machine = machine_on(t, &options);

	guard("%d bytes of thread-local storage beside a stack of %zu", TLS, stack);
	must_run(machine, stack && stack < FRAME ? add_ranks_program : deep_program, NULL);
	ls_machine_destroy(machine);
}

int main(void)
{
	const char *variant = getenv("LS_VARIANT");
	const struct ls_machine_options hurried = { .size = sizeof hurried, .timeout = 1 };
	ls_topology *t = topology_of("complete:4");

	spread_fills_processes = true;
	test_again(t, 0);
	test_again(t, LS_ATTACH_RCU_READER);
	test_alone(NULL, LS_ERR_STOPPED);
	test_alone(&hurried, LS_ERR_TIMEOUT);
	test_refusals(t);
	for (int rounds = LS_LOCKSTEP; rounds <= LS_FREE; rounds++) {
		test_leaving(t, (enum ls_rounds)rounds, true);
		test_leaving(t, (enum ls_rounds)rounds, false);
	}
	test_beside(t);
	test_inside(t);
	if (!variant || strcmp(variant, "tsan")) /* which has no fork of a process with threads */
		test_fork();
	test_storage(t, 0);
	test_storage(t, 16 << 10);
	test_storage(t, 8 << 20);
	ls_topology_destroy(t);
	return test_result();
}
