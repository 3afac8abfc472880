/*
 * A time limit ends every run, whatever its nodes do: also if a node computes for ever, or if no
 * node ever waits.  The thread that computes stays; until it returns, the machine is busy.  The
 * trace records of such a thread do not reach the next run, and the error of its run stays.
 */
/* nodes: threads fibers */
/* link: @test/support/spread.flags */
/* processes: 1 3 */
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include <lockstep/collective.h>

#include "support/cells.h"
#include "support/guard.h"
#include "support/spread_machine.h"
#include "test.h"

enum { P = 4 };
static const double limit = 0.2;

static ls_machine *limited_machine(const ls_topology *t, bool traced)
{
	const struct ls_machine_options options = {
		.size = sizeof options, .timeout = limit, .trace = traced ? ignore_record : NULL
	};

	return machine_on(t, &options);
}

/* ---- A node computes for ever */

struct endless {
	int64_t rank;
	atomic_int begun, end, ended;
	int status[P];
};

static int compute(ls_node *me, void *arg)
{
	struct endless *s = arg;
	int64_t word = 0;

	if (ls_rank(me) == s->rank) {
		atomic_store(&s->begun, 1);
		while (!atomic_load(&s->end))
			nap(1);
		s->status[s->rank] = ls_send(me, (s->rank + 1) % P, &word, sizeof word);
		atomic_store(&s->ended, 1);
		return 0;
	}
	s->status[ls_rank(me)] = ls_barrier(me);
	return s->status[ls_rank(me)];
}

/* Threads of the last run have returned, and the machine runs again. */
static void add_ranks_until_free(ls_machine *machine)
{
	int status;

	while (process_count() > 1 && ls_machine_busy(machine)) /* of each process its own error */
		nap(1);
	while ((status = ls_run(machine, add_ranks_program, NULL)) == LS_ERR_BUSY)
		nap(1);
	CHECK(status == LS_OK || status == LS_ERR_TIMEOUT, "%s: %s", guarded(),
		ls_status_name(status)); /* on a busy computer, past the limit */
}

/* On a busy computer the limit may come before a node has begun: then try again. */
enum { TRIES = 50 };

static void run_until_begun(ls_machine *machine, struct endless *s)
{
	for (int i = 0; i < TRIES && !atomic_load(&s->begun); i++) {
		if (i > 0) {
			atomic_store(&s->end, 1);
			while (ls_machine_busy(machine))
				nap(1);
			*s = (struct endless){ .rank = s->rank };
		}
		CHECK(ls_run(machine, compute, s) == LS_ERR_TIMEOUT, "%s", guarded());
	}
	CHECK(atomic_load(&s->begun), "%s: never began", guarded());
}

static void test_endless(const ls_topology *t, bool traced)
{
	ls_machine *machine = limited_machine(t, traced);
	const int no_attach = node_kind() == LS_NODE_FIBER ? LS_ERR_UNSUPPORTED : LS_ERR_BUSY;
	struct ls_error e = { .size = sizeof e };
	ls_node *me;

	for (int64_t rank = 0; rank < P; rank += is_fast() ? P - 1 : 1) {
		struct endless s = { .rank = rank };

		guard("node %" PRId64 " computes for ever%s", rank, traced ? ", traced" : "");
		run_until_begun(machine, &s);
		for (int r = 0; r < P; r++)
			CHECK(r == rank || s.status[r] == LS_ERR_TIMEOUT || !s.status[r], "%s: node %d: %s",
				guarded(), r, ls_status_name(s.status[r]));
		CHECK(ls_last_error(machine, &e) == LS_ERR_TIMEOUT && e.node == rank
				&& strstr(e.text, "is still running"),
			"%s: %s", guarded(), e.text);
		CHECK(ls_run(machine, add_ranks_program, NULL) == LS_ERR_BUSY, "%s", guarded());
		CHECK(ls_attach(machine, 0, 0, &me) == no_attach && !me, "%s", guarded());
		ls_machine_destroy(machine); /* does nothing: the machine is busy */
		atomic_store(&s.end, 1);
		while (!atomic_load(&s.ended))
			nap(1);
		CHECK(
			s.status[rank] == LS_ERR_TIMEOUT, "%s: %s", guarded(), ls_status_name(s.status[rank]));
		add_ranks_until_free(machine);
	}
	ls_machine_destroy(machine);
	CHECK(threads_end(ONE_THREAD), "%s: %d threads are left", guarded(), threads_alive());
}

/* ---- An operator computes for ever: other nodes cannot return, because it uses their buffers */

enum { LONG = 1 << 16, STUCK_MOST = 8 };
static atomic_int stuck_rank, release;

static void stick(void *dst, const void *a, const void *b, size_t n, void *context)
{
	int none = -1;

	(void)context;
	(void)b;
	if (atomic_compare_exchange_strong(&stuck_rank, &none, (int)ls_rank(node_here())))
		while (!atomic_load(&release))
			nap(1);
	memcpy(dst, a, n * sizeof(int64_t));
}

struct stuck {
	ls_op op;
	size_t n;
};

static int add_stuck(ls_node *me, void *arg)
{
	static int64_t in[STUCK_MOST][LONG], out[STUCK_MOST][LONG];
	const struct stuck *s = arg;
	const int64_t rank = ls_rank(me);

	return ls_allreduce(me, in[rank], out[rank], s->n, LS_INT64, s->op);
}

static struct stuck stuck_operator(size_t n)
{
	const struct ls_op_options how = { .size = sizeof how, .combine = stick, .commutative = true };
	struct stuck s = { .n = n };

	CHECK(ls_op_make(&how, &s.op) == LS_OK, "no memory");
	atomic_store(&stuck_rank, -1);
	atomic_store(&release, 0);
	return s;
}

static void release_operator(ls_machine *machine)
{
	atomic_store(&release, 1);
	while (ls_machine_busy(machine))
		nap(1);
}

/* Until a node is in the operator: see TRIES. */
static void run_until_stuck(ls_machine *machine, struct stuck *s)
{
	for (int i = 0; i < TRIES && atomic_load(&stuck_rank) < 0; i++) {
		while (ls_machine_busy(machine))
			nap(1);
		CHECK(ls_run(machine, add_stuck, s) == LS_ERR_TIMEOUT, "%s", guarded());
	}
	CHECK(atomic_load(&stuck_rank) >= 0, "%s: never in the operator", guarded());
}

static void test_operator(const ls_topology *t, enum ls_engine engine)
{
	const struct ls_machine_options options = {
		.size = sizeof options, .timeout = limit, .engine = engine
	};
	struct stuck s = stuck_operator(LONG);
	ls_machine *machine = machine_on(t, &options);
	struct ls_error e = { .size = sizeof e };

	guard("an operator computes for ever, engine %s", ls_engine_name(engine));
	run_until_stuck(machine, &s);
	CHECK(ls_last_error(machine, &e) == LS_ERR_TIMEOUT && e.node == atomic_load(&stuck_rank),
		"%s: node %d computes: %s", guarded(), atomic_load(&stuck_rank), e.text);
	CHECK(ls_machine_busy(machine), "%s: not busy", guarded());
	release_operator(machine);
	add_ranks_until_free(machine);
	ls_op_destroy(s.op);
	ls_machine_destroy(machine);
}

static int do_nothing(ls_node *me, void *unused)
{
	(void)me;
	(void)unused;
	return 0;
}

static void count(void *records, const struct ls_record *record)
{
	(void)record;
	++*(int *)records;
}

/* The thread puts records after the end of its run. */
static void test_late_records(enum ls_rounds rounds)
{
	int records, status;
	const struct ls_machine_options options = {
		.size = sizeof options,
		.rounds = rounds,
		.timeout = limit,
		.trace = count,
		.trace_context = &records,
		.engine = LS_MAILBOXES,
	};
	struct stuck s = stuck_operator(1);
	ls_topology *t = topology_of("hypercube:3");
	ls_machine *machine = machine_on(t, &options);

	guard("records of a thread that stays, rounds %d", (int)rounds);
	run_until_stuck(machine, &s);
	release_operator(machine);
	records = 0;
	status = ls_run(machine, do_nothing, NULL);
	CHECK(status == LS_OK || status == LS_ERR_TIMEOUT, "%s: %s", guarded(),
		ls_status_name(status)); /* on a busy computer, past the limit */
	CHECK(records == 0, "%s: %d", guarded(), records);
	ls_op_destroy(s.op);
	ls_machine_destroy(machine);
	ls_topology_destroy(t);
}

/* ---- No node waits */

static int sleep_long(ls_node *me, void *unused)
{
	(void)me;
	(void)unused;
	nap(limit * 1500);
	return 0;
}

static void test_asleep(const ls_topology *t)
{
	ls_machine *machine = limited_machine(t, false);

	guard("all nodes sleep beyond the limit");
	CHECK(ls_run(machine, sleep_long, NULL) == LS_ERR_TIMEOUT, "%s", guarded());
	add_ranks_until_free(machine);
	ls_machine_destroy(machine);
}

/* ---- Attached nodes */

struct attached {
	ls_machine *machine;
	int64_t rank;
	atomic_int *end;
	int status;
	bool attached;
};

/* Relaxed: `end` does not order the end of the run and the queries of the error. */
static void *attach_and_compute(void *arg)
{
	struct attached *a = arg;
	ls_node *me;

	a->status = ls_attach(a->machine, a->rank, 0, &me);
	a->attached = a->status == LS_OK;
	while (a->attached && a->rank == 1 && !atomic_load_explicit(a->end, memory_order_relaxed))
		nap(1);
	if (a->attached)
		a->status = ls_detach(me);
	return NULL;
}

/* The error that ls_detach has returned stays, while the other node detaches, and later. */
static void check_error_stays(ls_machine *machine, atomic_int *end)
{
	struct ls_error first = { .size = sizeof first }, e = { .size = sizeof e };

	CHECK(ls_last_error(machine, &first) == LS_ERR_TIMEOUT && first.node == 1
			&& strstr(first.text, "has not called ls_detach"),
		"%s: %s", guarded(), first.text);
	if (process_count() == 1) /* else the other processes have a new error */
		CHECK(ls_run(machine, add_ranks_program, NULL) == LS_ERR_BUSY, "%s", guarded());
	atomic_store_explicit(end, 1, memory_order_relaxed);
	for (int i = 0; i < 20 || ls_machine_busy(machine); i++) {
		CHECK(ls_last_error(machine, &e) == LS_ERR_TIMEOUT && e.node == first.node
				&& strcmp(e.text, first.text) == 0,
			"%s: %s", guarded(), e.text);
		nap(1);
	}
}

/* False: on a busy computer, the limit came before both had attached. */
static bool compute_attached(ls_machine *machine)
{
	atomic_int end = 0;
	struct attached a[2];
	pthread_t thread[2];

	for (int r = 0; r < 2; r++) {
		a[r] = (struct attached){ machine, r, &end, LS_OK, false };
		thread[r] = start_thread(attach_and_compute, &a[r]);
	}
	pthread_join(thread[0], NULL);
	CHECK(a[0].status == LS_ERR_TIMEOUT, "%s: %s", guarded(), ls_status_name(a[0].status));
	if (a[0].attached)
		check_error_stays(machine, &end);
	atomic_store(&end, 1);
	pthread_join(thread[1], NULL);
	CHECK(a[1].status == LS_ERR_TIMEOUT, "%s: %s", guarded(), ls_status_name(a[1].status));
	add_ranks_until_free(machine);
	return a[0].attached;
}

static void test_attached(void)
{
	ls_topology *t = topology_of("complete:2");
	ls_machine *machine = limited_machine(t, false);
	bool attached = false;

	guard("an attached node computes for ever");
	for (int i = 0; i < TRIES && !attached; i++)
		attached = compute_attached(machine);
	CHECK(attached, "%s: never attached", guarded());
	ls_machine_destroy(machine);
	ls_topology_destroy(t);
}

/* Over processes, world_program_ends.c has those of nodes that compute. */
static void test_runs(void)
{
	ls_topology *t = topology_of("complete:4");

	if (process_count() == 1) {
		test_endless(t, false);
		test_endless(t, true);
		test_operator(t, LS_MAILBOXES);
		test_operator(t, LS_COOPERATIVE);
		test_late_records(LS_LOCKSTEP);
		test_late_records(LS_FREE);
	}
	test_asleep(t);
	ls_topology_destroy(t);
}

int main(void)
{
	spread_fills_processes = true;
	test_runs();
	if (node_kind() == LS_NODE_THREAD)
		test_attached();
	return test_result();
}
