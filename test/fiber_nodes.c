/*
 * Light nodes: machines from one node more than cores to 100,000 nodes, the order of the nodes of a
 * worker, and the state of a node that its worker keeps while others run.  Results, traces and
 * counts are those of threads.
 */
/* alone: it takes much memory for a moment */
#include <errno.h>
#include <execinfo.h>
#include <fenv.h>
#include <inttypes.h>
#include <sched.h>
#include <string.h>

#include <lockstep/collective.h>

#include "support/cells.h"
#include "support/guard.h"
#include "test.h"

static ls_machine *fibers_on(const ls_topology *t, struct ls_machine_options options)
{
	options.size = sizeof options;
	options.node_kind = LS_NODE_FIBER;
	return machine_on(t, &options);
}

static ls_topology *network(const char *name, int64_t p)
{
	char spec[40];

	snprintf(spec, sizeof spec, "%s:%" PRId64, name, p);
	return topology_of(spec);
}

/* ---- Numbers of nodes */

/* A word around the ring, in lockstep rounds. */
static int pass_around(ls_node *me, void *unused)
{
	const int64_t p = ls_size(me), left = (ls_rank(me) + p - 1) % p;
	int failed = LS_OK;

	(void)unused;
	for (int64_t round = 1; round <= 2 && !failed; round++) {
		const int64_t word = ls_rank(me) * round;
		int64_t got = -1;

		failed = ls_send(me, (ls_rank(me) + 1) % p, &word, sizeof word);
		if (!failed)
			failed = ls_receive(me, left, &got, sizeof got);
		if (!failed)
			failed = ls_next_round(me);
		CHECK(failed || got == left * round, "%s: %" PRId64 " from %" PRId64, guarded(), got, left);
	}
	return failed;
}

static void test_size(const char *name, int64_t n, size_t stack, int (*program)(ls_node *, void *))
{
	ls_topology *t = network(name, n);
	ls_machine *machine = fibers_on(t, (struct ls_machine_options){ .stack = stack });
	const int64_t p = ls_topology_nodes(t);
	const double start = seconds();

	guard("%" PRId64 " fibers", p);
	CHECK(ls_machine_threads(machine) >= 1 && ls_machine_threads(machine) <= p, "%s: %" PRId64,
		guarded(), ls_machine_threads(machine));
	must_run(machine, program, NULL);
	must_run(machine, program, NULL);
	printf("%s on %" PRId64 " threads: two runs %.3f s\n", guarded(), ls_machine_threads(machine),
		seconds() - start);
	ls_machine_destroy(machine);
	ls_topology_destroy(t);
	CHECK(threads_end(ONE_THREAD), "%s: %d threads are left", guarded(), threads_alive());
}

static void test_sizes(void)
{
	ls_topology *one = network("complete", 1000);
	ls_machine *machine = fibers_on(one, (struct ls_machine_options){ 0 });
	const int64_t cores = ls_machine_threads(machine);

	ls_machine_destroy(machine);
	ls_topology_destroy(one);
	for (int64_t p = 1; p <= cores + 1; p++)
		test_size("complete", p, 0, add_ranks_program);
	test_size("complete", 2 * cores, 0, add_ranks_program);
	test_size("ring", 2 * cores + 3, 0, pass_around);
	test_size("star", is_thin() ? 6 : 7, 0, add_ranks_program);
	test_size("ring", is_thin() ? 2000 : 100000, is_thin() ? 0 : 16 << 10, pass_around);
}

/* Many machines, one after the other: nothing is left of them. */
static void test_many_machines(void)
{
	const int machines = is_thin() ? 100 : is_fast() ? 500 : 10000;
	ls_topology *t = network("complete", 5);

	for (int i = 0; i < machines; i++) {
		ls_machine *machine = fibers_on(t, (struct ls_machine_options){ 0 });

		guard("machine %d", i);
		must_run(machine, add_ranks_program, NULL);
		ls_machine_destroy(machine);
	}
	CHECK(threads_end(ONE_THREAD), "%s: %d threads are left", guarded(), threads_alive());
	ls_topology_destroy(t);
}

/* ---- The order of the nodes of one worker */

enum { P = 12, POINTS = 9, VISITS = P * POINTS };

struct order {
	int visits;
	int visit[VISITS]; /* 100 * point + rank, as the nodes come there; only one thread writes */
};

static void pass_point(struct order *order, ls_node *me, int point)
{
	if (order->visits < VISITS)
		order->visit[order->visits] = 100 * point + (int)ls_rank(me);
	order->visits++;
}

/* The rank in the whole machine is recorded. */
static int record_order(ls_node *me, void *arg)
{
	struct order *order = arg;
	ls_node *row = NULL;
	int64_t sum, one = 1;
	int failed = LS_OK;

	pass_point(order, me, 0);
	failed = pass_around(me, NULL);
	pass_point(order, me, 1);
	if (!failed)
		failed = ls_split(me, ls_rank(me) % 3, -ls_rank(me), &row);
	pass_point(order, me, 2);
	if (!failed)
		failed = ls_barrier(row);
	pass_point(order, me, 3);
	if (!failed)
		failed = ls_allreduce(row, &one, &sum, 1, LS_INT64, LS_SUM);
	pass_point(order, me, 4);
	if (!failed && ls_rank(me) % 2 == 0)
		failed = ls_send(me, (ls_rank(me) + 1) % P, &one, sizeof one);
	pass_point(order, me, 5);
	if (!failed && ls_rank(me) % 2 == 1)
		failed = ls_receive(me, (ls_rank(me) + P - 1) % P, &one, sizeof one);
	pass_point(order, me, 6);
	if (!failed)
		failed = ls_next_round(me);
	pass_point(order, me, 7);
	if (!failed)
		failed = add_ranks(me);
	pass_point(order, me, 8);
	return failed;
}

static void test_order_of(enum ls_rounds rounds, enum ls_engine engine)
{
	ls_topology *t = network("ring", P);
	ls_machine *machine = fibers_on(
		t, (struct ls_machine_options){ .rounds = rounds, .mode = LS_ROUTED, .engine = engine });
	struct order first = { 0 };

	guard("order, rounds %d, engine %s", (int)rounds, ls_engine_name(engine));
	CHECK(ls_machine_threads(machine) == 1, "%s: %" PRId64 " threads", guarded(),
		ls_machine_threads(machine));
	for (int run = 0; run < 5; run++) {
		struct order order = { 0 };

		if (run == 2) { /* as the second one: a call may be remembered from the run before */
			ls_machine_destroy(machine);
			machine = fibers_on(t,
				(struct ls_machine_options){
					.rounds = rounds, .mode = LS_ROUTED, .engine = engine });
			must_run(machine, record_order, &(struct order){ 0 });
		}
		must_run(machine, record_order, &order);
		CHECK(order.visits == VISITS, "%s: %d visits", guarded(), order.visits);
		if (run == 1)
			first = order;
		CHECK(
			run < 2 || !memcmp(&first, &order, sizeof first), "%s: run %d differs", guarded(), run);
	}
	ls_machine_destroy(machine);
	ls_topology_destroy(t);
}

static void test_order(void)
{
	cpu_set_t all, one;

	CHECK(sched_getaffinity(0, sizeof all, &all) == 0, "the affinity");
	CPU_ZERO(&one);
	for (size_t c = 0; c < CPU_SETSIZE && CPU_COUNT(&one) == 0; c++) {
		if (CPU_ISSET(c, &all))
			CPU_SET(c, &one);
	}
	CHECK(sched_setaffinity(0, sizeof one, &one) == 0, "one core");
	for (int rounds = LS_LOCKSTEP; rounds <= LS_FREE; rounds++) {
		test_order_of((enum ls_rounds)rounds, LS_MAILBOXES);
		test_order_of((enum ls_rounds)rounds, LS_COOPERATIVE);
	}
	CHECK(sched_setaffinity(0, sizeof all, &all) == 0, "all cores");
}

/* ---- State of a node that its worker keeps */

static const int directions[] = { FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO };

/* errno and the rounding mode are those of the node, also after a call in which others ran. */
static int keep_state(ls_node *me, void *unused)
{
	const int rank = (int)ls_rank(me), direction = directions[rank % 4];
	volatile double one = 1, three = 3;
	int failed = LS_OK;
	double third;

	(void)unused;
	CHECK(errno == 0 && fegetround() == FE_TONEAREST,
		"%s: node %d begins with errno %d, rounding %d", guarded(), rank, errno, fegetround());
	fesetround(direction);
	third = one / three;
	for (int i = 0; i < 20 && !failed; i++) {
		errno = 1000 * i + rank;
		failed = i % 2 ? ls_barrier(me) : pass_around(me, NULL);
		CHECK(errno == 1000 * i + rank, "%s: errno of node %d is %d", guarded(), rank, errno);
		CHECK(fegetround() == direction && one / three == third, "%s: rounding of node %d",
			guarded(), rank);
	}
	return failed;
}

/* A backtrace of a fiber ends at its first function. */
static int trace_back(ls_node *me, void *unused)
{
	enum { MOST = 60 };
	void *frames[MOST];
	int failed = ls_barrier(me);
	const int n = backtrace(frames, MOST);

	(void)unused;
	CHECK(n >= 1 && n < MOST, "%s: %d frames at node %" PRId64, guarded(), n, ls_rank(me));
	return failed;
}

static void test_state(void)
{
	ls_topology *t = network("ring", 11);
	ls_machine *machine =
		fibers_on(t, (struct ls_machine_options){ .mode = LS_ROUTED, .stack = 256 << 10 });
	void *frame;

	backtrace(&frame, 1); /* the first call loads a library */
	guard("errno and rounding of fibers");
	must_run(machine, keep_state, NULL);
	guard("backtraces of fibers");
	must_run(machine, trace_back, NULL);
	ls_machine_destroy(machine);
	ls_topology_destroy(t);
}

/* ---- The same as with threads */

enum { SAME_NODES = 9, LENGTH = 500, RECORDS = 20000 };

struct observed {
	double result[SAME_NODES][LENGTH];
	struct ls_record record[RECORDS];
	int records;
	struct ls_stats stats;
};

static void observe_record(void *context, const struct ls_record *record)
{
	struct observed *o = context;

	if (o->records < RECORDS)
		o->record[o->records] = *record;
	o->records++;
}

/* With rounds of groups, records have no order of their own. */
static int compare_records(const void *left, const void *right)
{
	const struct ls_record *a = left, *b = right;

	if (a->round != b->round)
		return a->round < b->round ? -1 : 1;
	if (a->src != b->src)
		return a->src < b->src ? -1 : 1;
	if (a->dst != b->dst)
		return a->dst < b->dst ? -1 : 1;
	return a->words < b->words ? -1 : a->words > b->words;
}

static int compute_result(ls_node *me, void *arg)
{
	struct observed *o = arg;
	const int64_t rank = ls_rank(me);
	double in[LENGTH], *out = o->result[rank];
	ls_node *half;
	int failed;

	for (int i = 0; i < LENGTH; i++)
		in[i] = 1.0 / (double)(1 + rank * LENGTH + i);
	failed = ls_allreduce(me, in, out, LENGTH, LS_DOUBLE, LS_SUM);
	if (!failed)
		failed = ls_scan(me, out, in, LENGTH, LS_DOUBLE, LS_SUM);
	if (!failed)
		failed = ls_split(me, rank % 2, 0, &half);
	if (!failed)
		failed = ls_allreduce(half, in, out, LENGTH, LS_DOUBLE, LS_SUM);
	return failed ? failed : pass_around(me, NULL);
}

static void observe(const ls_topology *t, struct ls_machine_options options, struct observed *o)
{
	ls_machine *machine;

	memset(o, 0, sizeof *o);
	o->stats.size = sizeof o->stats;
	options.size = sizeof options;
	options.trace = observe_record;
	options.trace_context = o;
	options.stack = 256 << 10;
	CHECK(ls_machine_make(t, &options, &machine) == LS_OK, "%s", guarded());
	must_run(machine, compute_result, o);
	ls_machine_stats(machine, &o->stats);
	CHECK(o->records > 0 && o->records <= RECORDS, "%s: %d records", guarded(), o->records);
	qsort(o->record, (size_t)o->records, sizeof *o->record, compare_records);
	ls_machine_destroy(machine);
}

static void test_same(enum ls_rounds rounds, enum ls_engine engine, enum ls_mode mode)
{
	struct ls_machine_options options = { .rounds = rounds, .engine = engine, .mode = mode };
	struct observed *kind = memory(2, sizeof *kind);
	ls_topology *t = network("ring", SAME_NODES);

	guard("the same with both kinds: rounds %d, engine %s, mode %d", (int)rounds,
		ls_engine_name(engine), (int)mode);
	for (int k = LS_NODE_THREAD; k <= LS_NODE_FIBER; k++) {
		options.node_kind = (enum ls_node_kind)k;
		observe(t, options, &kind[k]);
	}
	CHECK(memcmp(kind[0].result, kind[1].result, sizeof kind->result) == 0, "%s: bits", guarded());
	CHECK(kind[0].records == kind[1].records, "%s: %d and %d records", guarded(), kind[0].records,
		kind[1].records);
	CHECK(memcmp(&kind[0].stats, &kind[1].stats, sizeof kind->stats) == 0, "%s: counts", guarded());
	CHECK(
		memcmp(kind[0].record, kind[1].record, sizeof kind->record) == 0, "%s: records", guarded());
	free(kind);
	ls_topology_destroy(t);
}

int main(void)
{
	test_sizes();
	test_many_machines();
	test_order();
	test_state();
	for (int rounds = LS_LOCKSTEP; rounds <= LS_FREE; rounds++) {
		for (int mode = LS_HOP; mode <= LS_ROUTED; mode++) {
			test_same((enum ls_rounds)rounds, LS_MAILBOXES, (enum ls_mode)mode);
			test_same((enum ls_rounds)rounds, LS_COOPERATIVE, (enum ls_mode)mode);
		}
	}
	return test_result();
}
