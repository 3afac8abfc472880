/*
 * How a run ends: by a stop with any reason, with messages that were never received, by a node that
 * ends early, by a thread that is cancelled or ends in an operator.  Also: attaching to a run that
 * is ending, and the signals that nodes block.
 */
/* nodes: threads fibers */
/* link: @test/support/spread.flags */
/* processes: 1 3 */
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>

#include <lockstep/collective.h>

#include "support/cells.h"
#include "support/guard.h"
#include "support/spread_machine.h"
#include "test.h"

enum { P = 8, LONG = 3000 }; /* LONG elements: sent by zero copy */

static int meet(ls_node *me, void *arg)
{
	(void)arg;
	return ls_barrier(me);
}

/* ---- Stopping */

struct stopped {
	ls_machine *machine;
	int why;
};

static int stop_and_wait(ls_node *me, void *arg)
{
	const struct stopped *s = arg;

	if (ls_rank(me) == 0)
		ls_machine_stop(s->machine, s->why);
	return ls_barrier(me);
}

static void test_reasons(void)
{
	ls_topology *t = topology_of("complete:4");
	struct stopped s = { .machine = machine_on(t, NULL) };

	for (s.why = LS_ERR_CONGESTION; s.why <= 1; s.why++) {
		struct ls_error e = { .size = sizeof e };
		const int status = ls_run(s.machine, stop_and_wait, &s);

		guard("stopped: %d", s.why);
		CHECK(status == (s.why < 0 ? s.why : LS_ERR_STOPPED)
				&& ls_last_error(s.machine, &e) == status && e.node == -1,
			"%s: %s", guarded(), e.text);
	}
	ls_machine_destroy(s.machine);
	ls_topology_destroy(t);
}

/* ---- Messages left in mailboxes */

static int send_and_end(ls_node *me, void *together)
{
	const int64_t word = 1, p = ls_size(me);
	const int failed = ls_send(me, (ls_rank(me) + p - 1) % p, &word, sizeof word);

	pthread_barrier_wait(together);
	return failed;
}

static void test_untaken(void)
{
	ls_topology *t = topology_of("ring:8");
	ls_machine *machine = machine_on(t, NULL);
	pthread_barrier_t together;
	struct ls_error e = { .size = sizeof e };

	guard("messages that are never received");
	pthread_barrier_init(&together, NULL, P);
	CHECK(ls_run(machine, send_and_end, &together) == LS_ERR_UNTAKEN
			&& ls_last_error(machine, &e) == LS_ERR_UNTAKEN && e.node == 0 && e.peer == P - 1
			&& e.round == 1,
		"%s", e.text);
	must_run(machine, meet, NULL);
	pthread_barrier_destroy(&together);
	ls_machine_destroy(machine);
	ls_topology_destroy(t);
}

/* ---- Threads */

static atomic_int attached, may_detach;

static void *attach_and_detach(void *machine)
{
	static atomic_int ranks;
	const int rank = atomic_fetch_add(&ranks, 1) % 2;
	ls_node *me = attached_to(machine, rank, 0);

	atomic_store(&attached, 1);
	while (rank == 1 && !atomic_load(&may_detach))
		nap(1);
	CHECK(ls_detach(me) == LS_OK, "%s", guarded());
	return NULL;
}

static void *attach_alone(void *machine)
{
	ls_node *me;

	CHECK(ls_attach(machine, 1, 0, &me) == LS_ERR_TIMEOUT, "%s", guarded());
	return NULL;
}

/* ls_blocked_on reports the nodes that attached and waited, and no node that did not attach. */
static void test_missing(void)
{
	const struct ls_machine_options options = { .size = sizeof options, .timeout = 1 };
	ls_topology *t = topology_of("complete:3");
	ls_machine *machine = machine_on(t, &options);
	struct ls_wait_state w = { .size = sizeof w };

	guard("waits for others to attach");
	pthread_join(start_thread(attach_alone, machine), NULL);
	CHECK(ls_blocked_on(machine, 1, &w) && w.reason == LS_WAITS_FOR_ATTACH && w.peer == LS_NO_RANK,
		"%d", (int)w.reason);
	CHECK(!ls_blocked_on(machine, 0, &w) && !ls_blocked_on(machine, 2, &w),
		"a node that was not there");
	must_run(machine, meet, NULL);
	ls_machine_destroy(machine);
	ls_topology_destroy(t);
}

/* No thread can attach as a node that has ended while the others continue. */
static void test_late_attach(void)
{
	ls_topology *t = topology_of("complete:2");
	ls_machine *machine = machine_on(t, NULL);
	pthread_t thread[2];
	ls_node *me;
	int status;

	guard("attached to a run that ends");
	for (int i = 0; i < 2; i++)
		thread[i] = start_thread(attach_and_detach, machine);
	while (!atomic_load(&attached))
		nap(1);
	while ((status = ls_attach(machine, 0, 0, &me)) == LS_ERR_ARGUMENT)
		nap(1); /* node 0 has not ended */
	CHECK(status == LS_ERR_BUSY && !me, "%s: %s", guarded(), ls_status_name(status));
	atomic_store(&may_detach, 1);
	for (int i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	must_run(machine, meet, NULL);
	ls_machine_destroy(machine);
	ls_topology_destroy(t);
}

static int dawdle(ls_node *me, void *begun)
{
	atomic_store((atomic_int *)begun, 1);
	nap(20);
	return ls_barrier(me);
}

static atomic_int begun;

static void *run_and_end(void *machine)
{
	must_run(machine, dawdle, &begun);
	pthread_testcancel();
	return NULL;
}

/* A thread that is cancelled in ls_run ends when the run has ended. */
static void test_cancel(void)
{
	ls_topology *t = topology_of("complete:4");
	ls_machine *machine = machine_on(t, NULL);
	pthread_t thread;
	void *result;

	guard("cancelled in ls_run");
	thread = start_thread(run_and_end, machine);
	while (!atomic_load(&begun))
		nap(1);
	pthread_cancel(thread);
	CHECK(pthread_join(thread, &result) == 0 && result == PTHREAD_CANCELED, "%s", guarded());
	must_run(machine, meet, NULL);
	ls_machine_destroy(machine);
	ls_topology_destroy(t);
}

/* A thread that ends in an operator, with a message in its hands, has left. */
static void end_thread(void *dst, const void *a, const void *b, size_t n, void *rank)
{
	const int64_t here = ls_rank(node_here());

	if (here == *(const int64_t *)rank)
		pthread_exit(NULL);
	memcpy(dst, here % 2 ? a : b, n * sizeof(int64_t));
}

struct killer {
	ls_op op;
	int64_t rank;
};

static int add_and_end(ls_node *me, void *arg)
{
	static int64_t in[P][LONG], out[P][LONG];
	const struct killer *k = arg;
	const int64_t rank = ls_rank(me);

	return ls_allreduce(me, in[rank], out[rank], LONG, LS_INT64, k->op);
}

static void test_end_in_operator(const char *spec, enum ls_rounds rounds)
{
	struct killer k;
	const struct ls_op_options how = {
		.size = sizeof how, .combine = end_thread, .context = &k.rank, .commutative = true
	};
	const struct ls_machine_options options = {
		.size = sizeof options, .rounds = rounds, .engine = LS_MAILBOXES
	};
	ls_topology *t = topology_of(spec);
	ls_machine *machine = machine_on(t, &options);

	CHECK(ls_op_make(&how, &k.op) == LS_OK, "no memory");
	for (k.rank = 0; k.rank < ls_topology_nodes(t); k.rank++) {
		guard("node %" PRId64 " of %s ends in an operator, %s", k.rank, spec,
			rounds == LS_LOCKSTEP ? "lockstep" : "free");

		const int status = ls_run(machine, add_and_end, &k);

		CHECK(node_kind() == LS_NODE_FIBER
				? status == LS_ERR_PROGRAM
				: status == LS_ERR_LEFT || status == LS_ERR_UNTAKEN || status == LS_ERR_DEADLOCK,
			"%s: %s", guarded(), ls_status_name(status));
		must_run(machine, meet, NULL);
	}
	ls_op_destroy(k.op);
	ls_machine_destroy(machine);
	ls_topology_destroy(t);
}

static int check_signals(ls_node *me, void *arg)
{
	sigset_t set;

	(void)me;
	(void)arg;
	pthread_sigmask(SIG_BLOCK, NULL, &set);
	CHECK(sigismember(&set, SIGINT) && sigismember(&set, SIGTERM) && sigismember(&set, SIGALRM),
		"signals of others");
	CHECK(!sigismember(&set, SIGSEGV) && !sigismember(&set, SIGFPE), "signals of its own");
	return 0;
}

static void test_signals(void)
{
	ls_topology *t = topology_of("complete:2");
	ls_machine *machine = machine_on(t, NULL);

	guard("signals");
	must_run(machine, check_signals, NULL);
	ls_machine_destroy(machine);
	ls_topology_destroy(t);
}

int main(void)
{
	const bool spreads = process_count() > 1;

	spread_fills_processes = true;
	test_reasons();
	if (node_kind() == LS_NODE_THREAD) { /* their nodes attach, or wait for each other otherwise */
		test_untaken();
		test_missing();
		test_late_attach();
	}
	if (!spreads) /* the thread would be cancelled in spread_wrap.c */
		test_cancel();
	for (int rounds = LS_LOCKSTEP; rounds <= LS_FREE && may_exit_thread(node_kind()) && !spreads;
		 rounds++) {
		test_end_in_operator("complete:2", (enum ls_rounds)rounds);
		test_end_in_operator("ring:5", (enum ls_rounds)rounds);
		test_end_in_operator("star:3", (enum ls_rounds)rounds);
	}
	test_signals();
	return test_result();
}
