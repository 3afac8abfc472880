/*
 * What goes wrong on a machine of light nodes: a node that computes while others of its worker
 * wait, a deadlock of thousands, a stop from outside, threads that attach, a machine in a machine.
 */
/* link: -Wl,--wrap=lsi_flow_make */
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include <lockstep/collective.h>

#include "engine/cooperative/flow.h"
#include "machine/machine_types.h"
#include "plan/plan_internal.h"
#include "support/cells.h"
#include "support/guard.h"
#include "test.h"

static ls_machine *fibers_on(const ls_topology *t, struct ls_machine_options options)
{
	options.size = sizeof options;
	options.node_kind = LS_NODE_FIBER;
	return machine_on(t, &options);
}

static int meet(ls_node *me, void *unused)
{
	(void)unused;
	return ls_barrier(me);
}

/* The status of a run and its error. */
struct verdict {
	int status;
	struct ls_error error;
};

static struct verdict run(ls_machine *machine, int (*program)(ls_node *, void *), void *arg)
{
	struct verdict v = { .error = { .size = sizeof v.error } };

	v.status = ls_run(machine, program, arg);
	ls_last_error(machine, &v.error);
	CHECK(v.status == v.error.kind, "%s: %d and %d", guarded(), v.status, v.error.kind);
	return v;
}

/* ---- Threads that attach */

static int attach_to(ls_node *me, void *machine)
{
	ls_node *there;
	const int status = ls_attach(machine, 0, 0, &there);

	CHECK(status == LS_ERR_UNSUPPORTED && !there, "%s: %s", guarded(), ls_status_name(status));
	return ls_rank(me) == 2 ? status : LS_OK;
}

static void test_attach(void)
{
	ls_topology *t = topology_of("complete:4"), *one = topology_of("complete:1");
	ls_machine *machine = fibers_on(t, (struct ls_machine_options){ 0 }), *other;
	struct ls_error e = { .size = sizeof e };
	struct verdict v;
	ls_node *me;

	guard("a thread attaches to a machine of fibers");
	CHECK(ls_attach(machine, 0, 0, &me) == LS_ERR_UNSUPPORTED && !me, "%s", guarded());
	CHECK(ls_last_error(machine, &e) == LS_ERR_UNSUPPORTED && strstr(e.text, "fibers"), "%s: %s",
		guarded(), e.text);
	must_run(machine, meet, NULL);

	guard("a light node attaches");
	CHECK(ls_machine_make(one, NULL, &other) == LS_OK, "%s", guarded());
	v = run(machine, attach_to, other);
	CHECK(v.status == LS_ERR_PROGRAM && v.error.node == 2 && strstr(v.error.text, "light node"),
		"%s: %s", guarded(), v.error.text);
	must_run(machine, meet, NULL);
	ls_machine_destroy(other);
	ls_machine_destroy(machine);
	ls_topology_destroy(one);
	ls_topology_destroy(t);
}

/* ---- Machines inside machines */

static int wait_for_neighbor(ls_node *me, void *unused)
{
	int64_t word;

	(void)unused;
	return ls_receive(me, ls_neighbor(ls_node_topology(me), ls_rank(me), 0), &word, sizeof word);
}

struct inner {
	const ls_topology *topology;
	enum ls_node_kind kind;
};

/* Each node runs a machine of its own, in which all is well and then all nodes wait. */
static int run_inside(ls_node *me, void *arg)
{
	const struct inner *inner = arg;
	const struct ls_machine_options options = { .size = sizeof options, .node_kind = inner->kind };
	ls_machine *machine;
	int failed = ls_barrier(me);

	CHECK(ls_machine_make(inner->topology, &options, &machine) == LS_OK, "%s", guarded());
	must_run(machine, add_ranks_program, NULL);
	CHECK(run(machine, wait_for_neighbor, NULL).status == LS_ERR_DEADLOCK, "%s", guarded());
	must_run(machine, add_ranks_program, NULL);
	ls_machine_destroy(machine);
	return failed ? failed : add_ranks(me);
}

static void test_inside(enum ls_node_kind kind)
{
	ls_topology *t = topology_of("complete:5"), *ring = topology_of("ring:6");
	ls_machine *machine = fibers_on(t, (struct ls_machine_options){ 0 });
	struct inner inner = { ring, kind };

	guard("light nodes run machines of %s", ls_node_kind_name(kind));
	for (int i = 0; i < 3; i++)
		must_run(machine, run_inside, &inner);
	ls_machine_destroy(machine);
	ls_topology_destroy(ring);
	ls_topology_destroy(t);
}

/* ---- A node that computes */

struct stall {
	atomic_int calls, rank;
	int64_t busy;  /* the node that computes */
	double naps;   /* for so long, in ms */
	bool runs;     /* it runs another machine meanwhile */
	bool prepares; /* a call of all nodes prepares their work meanwhile */
	const char *name, *spec;
	int expected;
};

static void note_stall(void *context, int64_t rank)
{
	struct stall *s = context;

	atomic_fetch_add(&s->calls, 1);
	atomic_store(&s->rank, (int)rank);
}

static int nap_long(ls_node *me, void *ms)
{
	(void)me;
	nap(*(double *)ms);
	return 0;
}

/* The flow of a scan takes long, as those of long plans do. */
static const double *scan_naps;
int __real_lsi_flow_make(const struct ls_plan *, struct lsi_flow **);
int __wrap_lsi_flow_make(const struct ls_plan *, struct lsi_flow **);

int __wrap_lsi_flow_make(const struct ls_plan *plan, struct lsi_flow **out)
{
	if (plan->problem.operation == LS_SCAN)
		nap(*scan_naps);
	return __real_lsi_flow_make(plan, out);
}

static int prepare_long(ls_node *me, struct stall *s)
{
	const int64_t one = 1;
	int64_t sum;
	int failed;

	if (ls_rank(me) == 0)
		scan_naps = &s->naps;
	failed = ls_barrier(me);
	if (!failed)
		failed = ls_scan(me, &one, &sum, 1, LS_INT64, LS_SUM);
	CHECK(failed || sum == ls_rank(me) + 1, "%s: %" PRId64, s->name, sum);
	CHECK(!lsi_load(&me->self->prepares_call, relaxed), "%s: node %" PRId64 " still prepares",
		s->name, ls_rank(me));
	return failed;
}

static int compute_long(ls_node *me, void *arg)
{
	struct stall *s = arg;

	if (s->prepares)
		return prepare_long(me, s);

	if (ls_rank(me) == s->busy && s->runs) {
		ls_topology *one = topology_of("complete:1");
		ls_machine *machine;

		CHECK(ls_machine_make(one, NULL, &machine) == LS_OK, "%s", guarded());
		CHECK(ls_run(machine, nap_long, &s->naps) == LS_OK, "%s", guarded());
		ls_machine_destroy(machine);
		ls_topology_destroy(one);
	} else if (ls_rank(me) == s->busy) {
		nap(s->naps);
	}
	return ls_barrier(me);
}

static void *play_stall(void *arg)
{
	struct stall *s = arg;
	ls_topology *t = topology_of(s->spec);
	ls_machine *machine = fibers_on(t,
		(struct ls_machine_options){ .stalled = note_stall,
			.stalled_context = s,
			.engine = s->prepares ? LS_COOPERATIVE : LS_AUTO });

	CHECK(ls_run(machine, compute_long, s) == LS_OK, "%s", s->name);
	CHECK(atomic_load(&s->calls) == s->expected, "%s: %d calls, not %d", s->name,
		atomic_load(&s->calls), s->expected);
	CHECK(!s->expected || atomic_load(&s->rank) == s->busy, "%s: node %d", s->name,
		atomic_load(&s->rank));
	ls_machine_destroy(machine);
	ls_topology_destroy(t);
	return NULL;
}

/* All at once, because each takes its time. */
static void test_stalls(void)
{
	static struct stall stalls[] = {
		{ .name = "computes", .spec = "complete:40", .busy = 3, .naps = 1700, .expected = 1 },
		{ .name = "computes last", .spec = "complete:40", .busy = 39, .naps = 1700, .expected = 1 },
		{ .name = "computes for 0.2 s", .spec = "complete:40", .busy = 3, .naps = 200 },
		{ .name = "has no others", .spec = "complete:1", .busy = 0, .naps = 1700 },
		{ .name = "runs another machine",
			.spec = "complete:40",
			.busy = 3,
			.naps = 1700,
			.runs = true },
		{ .name = "prepares a call", .spec = "complete:40", .naps = 1700, .prepares = true },
	};
	enum { STALLS = sizeof stalls / sizeof *stalls };
	pthread_t thread[STALLS];

	guard("nodes that compute");
	for (int i = 0; i < STALLS; i++)
		thread[i] = start_thread(play_stall, &stalls[i]);
	for (int i = 0; i < STALLS; i++)
		pthread_join(thread[i], NULL);
}

struct late {
	atomic_int returned;
	double verdict; /* when the last node learned it */
};

/* Node 0 computes until the last one has the verdict; the last but one fails. */
static int compute_while_failing(ls_node *me, void *arg)
{
	struct late *late = arg;
	const int64_t rank = ls_rank(me), p = ls_size(me);
	int failed;

	while (rank == 0 && !atomic_load(&late->returned))
		nap(1);
	if (rank == p - 2)
		return 7;
	failed = ls_barrier(me);
	if (rank == p - 1) {
		late->verdict = seconds();
		atomic_store(&late->returned, 1);
	}
	return failed;
}

static void test_late_verdict(void)
{
	ls_topology *t = topology_of("complete:64");
	ls_machine *machine = fibers_on(t, (struct ls_machine_options){ 0 });
	struct late late = { 0 };
	const double start = seconds();

	guard("a node computes while another one fails");
	if (ls_machine_threads(machine) > 1) {
		const struct verdict v = run(machine, compute_while_failing, &late);

		CHECK(v.status == LS_ERR_PROGRAM && v.error.node == 62, "%s: %s", guarded(), v.error.text);
		CHECK(late.verdict - start > 0.9 && late.verdict - start < 10, "%s: after %g s", guarded(),
			late.verdict - start);
		printf("verdict after %.2f s\n", late.verdict - start);
	}
	ls_machine_destroy(machine);
	ls_topology_destroy(t);
}

/* ---- A stop from a thread that is no worker */

struct stopped {
	ls_machine *machine;
	atomic_int begun, stopped;
	bool computes; /* node 0 computes until after the stop */
};

static void *stop_from_outside(void *arg)
{
	struct stopped *s = arg;

	while (!atomic_load(&s->begun))
		nap(1);
	nap(5);
	ls_machine_stop(s->machine, LS_ERR_CONGESTION);
	atomic_store(&s->stopped, 1);
	return NULL;
}

static int go_on(ls_node *me, void *arg)
{
	struct stopped *s = arg;
	int failed;

	atomic_store(&s->begun, 1);
	while (s->computes && ls_rank(me) == 0 && !atomic_load(&s->stopped))
		;
	while (!(failed = ls_barrier(me)))
		;
	return failed;
}

static void test_stop(bool computes)
{
	ls_topology *t = topology_of("complete:50");
	struct stopped s = { .computes = computes };
	pthread_t thread;

	guard("stopped by a thread that is no worker%s", computes ? ", a node computes" : "");
	s.machine = fibers_on(t, (struct ls_machine_options){ 0 });
	thread = start_thread(stop_from_outside, &s);
	CHECK(run(s.machine, go_on, &s).status == LS_ERR_CONGESTION, "%s", guarded());
	pthread_join(thread, NULL);
	must_run(s.machine, add_ranks_program, NULL);
	ls_machine_destroy(s.machine);
	ls_topology_destroy(t);
}

/* ---- Deadlock */

static void test_deadlock(void)
{
	ls_topology *t = topology_of(is_thin() ? "star:5" : "star:7");
	ls_machine *machine = fibers_on(t, (struct ls_machine_options){ 0 });
	const int64_t p = ls_topology_nodes(t);
	struct verdict v;
	double start;

	guard("a deadlock of %" PRId64 " nodes", p);
	must_run(machine, add_ranks_program, NULL);
	start = seconds();
	v = run(machine, wait_for_neighbor, NULL);
	printf("%s: run of %.1f ms\n", guarded(), (seconds() - start) * 1e3);
	CHECK(v.status == LS_ERR_DEADLOCK && v.error.peer >= 0 && v.error.round == 1, "%s: %s",
		guarded(), v.error.text);
	for (int64_t r = 0; r < p; r++) {
		struct ls_wait_state w = { .size = sizeof w };

		CHECK(ls_blocked_on(machine, r, &w) && w.reason == LS_WAITS_FOR_MESSAGE
				&& w.peer == ls_neighbor(t, r, 0),
			"%s: node %" PRId64, guarded(), r);
	}
	must_run(machine, add_ranks_program, NULL);
	ls_machine_destroy(machine);
	ls_topology_destroy(t);
}

int main(void)
{
	test_attach();
	test_inside(LS_NODE_THREAD);
	test_inside(LS_NODE_FIBER);
	test_stop(false);
	test_stop(true);
	test_deadlock();
	test_stalls();
	test_late_verdict();
	return test_result();
}
