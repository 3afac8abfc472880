/*
 * Invalid calls are refused at the node that makes them, before any message.  If nodes disagree
 * about lengths, every node gets an error that names two of them.
 */
/* nodes: threads fibers */
/* processes: 1 3 */
/* link: @test/support/spread.flags */
#include <inttypes.h>
#include <string.h>

#include <lockstep.h>

#include "support/cells.h"
#include "support/guard.h"
#include "test.h"

enum { P = 4, M = 5, ROOM = 3 * P * M };

/* ---- Arguments.  Node 1 is the root; each row is a call of all nodes. */

static int64_t buffer[P][ROOM];
static const size_t equal[P] = { M, M, M, M }, vast[P] = { SIZE_MAX, 2, 0, 0 };
static const size_t large[P] = { SIZE_MAX / 2 / sizeof(int64_t), 1, 0, 0 };
static const size_t own_less[P] = { M, M - 1, M, M };

struct bad {
	const char *name;
	struct ls_call call; /* but for type and buffers */
	int in, out;         /* words into the buffer; -1: NULL */
	uint32_t refused;    /* bit r: at node r */
	const char *reason;  /* part of the error of a program that returns the status */
};

#define CALL(OPERATION, ...) \
	{ \
		.operation = OPERATION, __VA_ARGS__ \
	}
#define ALL  0xf
#define ROOT 0x2

static const struct bad table[] = {
	{ "no operation", CALL(LS_OPERATIONS, .shift = 0), 0, ROOM / 2, ALL,
		"ls_collective: operation is 12; expected 0 .. 11" },
	{ "a negative operation", CALL((enum ls_operation) - 1, .shift = 0), 0, ROOM / 2, ALL,
		"ls_collective: operation is -1;" },
	{ "no operand", CALL(LS_SCAN, .shift = 0), -1, 0, ALL, "ls_scan: the operand is NULL" },
	{ "no result", CALL(LS_SHIFT, .shift = 3), 0, -1, ALL, "ls_shift: the result is NULL" },
	{ "no operand of a scatter", CALL(LS_SCATTER, .shift = 0), -1, 0, ROOT,
		"ls_scatter: the operand is NULL" },
	{ "no result of a gather", CALL(LS_GATHER, .shift = 0), 0, -1, ROOT,
		"ls_gather: the result is NULL" },
	{ "a root too large", CALL(LS_GATHER, .root = P), 0, ROOM / 2, ALL,
		"ls_gather: root is 4; expected 0 .. 3" },
	{ "a negative root", CALL(LS_SCATTER, .root = -1), 0, ROOM / 2, ALL,
		"ls_scatter: root is -1; expected 0 .. 3" },
	{ "a count for p blocks", CALL(LS_ALLTOALL, .count = SIZE_MAX / 16 / P + 1), 0, 1, ALL,
		"ls_alltoall: the count is 288230376151711744; expected at most 288230376151711743" },
	{ "vectors that overlap", CALL(LS_ALLREDUCE, .shift = 0), 0, M - 1, ALL,
		"ls_allreduce: operand and result overlap" },
	{ "vectors that overlap from above", CALL(LS_EXSCAN, .shift = 0), M - 1, 0, ALL,
		"ls_exscan: operand and result overlap" },
	{ "a block at the front", CALL(LS_ALLGATHER, .shift = 0), 0, 0, ALL & ~1u,
		"ls_allgather: operand and result overlap" },
	{ "a block beyond its own", CALL(LS_ALLGATHER, .shift = 0), 2 * M + 1, 0, ALL,
		"ls_allgather: operand and result overlap" },
	{ "a result at the front", CALL(LS_REDUCE_SCATTER, .shift = 0), 0, 0, ALL & ~1u,
		"ls_reduce_scatter: operand and result overlap" },
	{ "a block at the root", CALL(LS_SCATTER, .shift = 0), 0, 0, ROOT,
		"ls_scatter: operand and result overlap" },
	{ "blocks that overlap", CALL(LS_ALLTOALL, .shift = 0), 0, P *M - 1, ALL,
		"ls_alltoall: operand and result overlap" },
	{ "counts of a vector", CALL(LS_SCAN, .counts = equal), 0, ROOM / 2, ALL,
		"ls_scan: counts were passed, but the operation has no blocks" },
	{ "counts of a barrier", CALL(LS_BARRIER, .counts = equal), 0, ROOM / 2, ALL,
		"ls_barrier: counts were passed, but the operation has no blocks; leave them NULL" },
	{ "two rows of an all-gather", CALL(LS_ALLGATHER, .counts = equal, .result_counts = equal), 0,
		ROOM / 2, ALL,
		"ls_allgatherv: result_counts were passed, but only an all-to-all has them" },
	{ "one row of an all-to-all", CALL(LS_ALLTOALL, .counts = equal), 0, ROOM / 2, ALL,
		"ls_alltoallv: result_counts is NULL" },
	{ "the other row alone", CALL(LS_ALLTOALL, .result_counts = equal), 0, ROOM / 2, ALL,
		"ls_alltoallv: the counts of the operand are NULL" },
	{ "counts that overflow", CALL(LS_ALLGATHER, .counts = vast), 0, ROOM / 2, ALL,
		"ls_allgatherv: the sum of the counts exceeds the address space" },
	{ "counts of half of the address space", CALL(LS_ALLGATHER, .counts = large), 0, ROOM / 2, ALL,
		"ls_allgatherv: the sum of the counts exceeds the address space" },
	{ "counts that overflow, two rows", CALL(LS_ALLTOALL, .counts = vast, .result_counts = vast), 0,
		ROOM / 2, ALL, "ls_alltoallv: the sum of the counts exceeds the address space" },
	{ "a node that disagrees with itself",
		CALL(LS_ALLTOALL, .counts = equal, .result_counts = own_less), 0, ROOM / 2, ROOT,
		"ls_alltoallv: the counts of this node for itself differ" },
};

static int make_call(ls_node *me, const struct bad *bad)
{
	const int64_t rank = ls_rank(me);
	struct ls_call call = bad->call;

	call.size = sizeof call;
	call.root = call.root ? call.root : 1;
	call.count = call.count ? call.count : M;
	call.type = LS_INT64;
	call.input = bad->in < 0 ? NULL : &buffer[rank][bad->in];
	call.output = bad->out < 0 ? NULL : &buffer[rank][bad->out];
	return ls_collective(me, &call);
}

static bool is_refused(const ls_node *me, const struct bad *bad)
{
	return bad->refused >> ls_rank(me) & 1;
}

/* Only the nodes that are refused call. */
static int refused(ls_node *me, void *arg)
{
	const struct bad *bad = arg;

	if (is_refused(me, bad))
		CHECK(make_call(me, bad) == LS_ERR_ARGUMENT, "%s: accepted at %" PRId64, bad->name,
			ls_rank(me));
	return ls_round(me) != 1;
}

static int returned(ls_node *me, void *arg)
{
	return is_refused(me, arg) ? make_call(me, arg) : LS_OK;
}

/* The error gives the reason, and is gone with the next run. */
static void test_reason(ls_machine *machine, const struct bad *bad)
{
	struct ls_error error = { .size = sizeof error };
	char want[200];

	CHECK(ls_run(machine, returned, (void *)bad) == LS_ERR_PROGRAM, "%s", guarded());
	ls_last_error(machine, &error);
	snprintf(want, sizeof want, "node %" PRId64 ": ", error.node);
	CHECK(bad->refused >> error.node & 1 && strncmp(error.text, want, strlen(want)) == 0
			&& strstr(error.text, bad->reason),
		"%s: %s", guarded(), error.text);
}

/* ---- Other calls */

static int sends_null(ls_node *me, void *unused)
{
	(void)unused;
	return ls_send(me, 0, NULL, 8);
}

static int splits_beyond(ls_node *me, void *unused)
{
	ls_node *sub;

	(void)unused;
	return ls_split_axis(me, 1, &sub);
}

static int splits_a_ring(ls_node *me, void *unused)
{
	ls_node *sub;

	(void)unused;
	return ls_split_substar(me, 2, &sub);
}

static int uses_what_it_left(ls_node *me, void *unused)
{
	int64_t in = 1, out;
	ls_node *sub;
	int status = ls_split(me, 0, 0, &sub);

	(void)unused;
	if (status)
		return status;
	ls_leave(sub);
	/* An earlier refusal that the program handles is not the reason. */
	status = ls_send(me, 0, NULL, 8);
	return status == LS_ERR_ARGUMENT ? ls_allreduce(sub, &in, &out, 1, LS_INT64, LS_SUM) : 9;
}

static int splits_nothing(ls_node *me, void *unused)
{
	ls_node *sub;

	(void)me, (void)unused;
	return ls_split(NULL, 0, 0, &sub);
}

static int gathers_without_counts(ls_node *me, void *unused)
{
	int64_t in = 1, out[P];

	(void)unused;
	return ls_allgatherv(me, &in, out, NULL, LS_INT64);
}

static int mistypes(ls_node *me, void *unused)
{
	int64_t in = 1, out;

	(void)unused;
	return ls_collective(me,
		&(struct ls_call){ .size = sizeof(struct ls_call),
			.operation = LS_ALLREDUCE,
			.algorithm = "oddeven",
			.input = &in,
			.output = &out,
			.count = 1,
			.type = LS_INT64 });
}

/* The program returns another status than that of its refused call. */
static int returns_its_own(ls_node *me, void *unused)
{
	(void)unused;
	return ls_send(me, 0, NULL, 8) == LS_ERR_ARGUMENT ? 7 : 0;
}

static int returns_a_status(ls_node *me, void *unused)
{
	(void)me, (void)unused;
	return LS_ERR_SPEC;
}

static void test_other_reasons(void)
{
	static const struct {
		int (*program)(ls_node *, void *);
		const char *reason;
	} row[] = {
		{ sends_null, ": ls_send: data is NULL" },
		{ splits_beyond, ": ls_split_axis: axis is 1; expected 0 .. 0" },
		{ splits_a_ring, ": ls_split_substar: ring:4 is no star graph" },
		{ mistypes, ": ls_allreduce: no algorithm 'oddeven'" },
		{ uses_what_it_left, ": ls_allreduce: the handle is NULL, of another node, or of a group" },
		{ splits_nothing, ": ls_split: the handle is NULL," },
		{ gathers_without_counts, ": ls_allgatherv: counts is NULL" },
		{ returns_its_own, " returned 7 in round 1" },
		{ returns_a_status, " returned -2 (spec) in round 1" },
	};
	ls_topology *t = topology_of("ring:4");
	ls_machine *machine = machine_on(t, NULL);

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct ls_error error = { .size = sizeof error };

		guard("%s", row[i].reason);
		CHECK(ls_run(machine, row[i].program, NULL) == LS_ERR_PROGRAM, "%s", guarded());
		ls_last_error(machine, &error);
		CHECK(strstr(error.text, row[i].reason), "%s: %s", guarded(), error.text);
	}
	ls_machine_destroy(machine);
	ls_topology_destroy(t);
}

static void test_arguments(void)
{
	ls_topology *t = topology_of("ring:4");
	ls_machine *machine = machine_on(t, NULL);

	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		guard("%s", table[i].name);
		must_run(machine, refused, (void *)&table[i]);
		test_reason(machine, &table[i]);
	}
	ls_machine_destroy(machine);
	ls_topology_destroy(t);
}

/* ---- Lengths that nodes do not agree about */

struct dispute {
	enum ls_operation operation;
	size_t row; /* which node's row is another; its elements a and b */
	int64_t a, b;
	bool result; /* of an all-to-all: what it expects, not what it gives */
};

/* One element moves from a block to another: the sum is the same. */
static int disputed(ls_node *me, void *arg)
{
	const struct dispute *d = arg;
	const int64_t rank = ls_rank(me);
	const bool exchange = d->operation == LS_ALLTOALL;
	size_t given[P], got[P];
	struct ls_call call = { .size = sizeof call,
		.operation = d->operation,
		.counts = given,
		.input = &buffer[rank][0],
		.output = &buffer[rank][ROOM / 2],
		.type = LS_INT64,
		.result_counts = exchange ? got : NULL };

	for (int i = 0; i < P; i++)
		given[i] = got[i] = M;
	if (rank == (int64_t)d->row) {
		(d->result ? got : given)[d->a]++;
		(d->result ? got : given)[d->b]--;
	}
	return ls_collective(me, &call);
}

static void test_dispute(ls_machine *machine, const struct dispute *d)
{
	const struct dispute settled = { d->operation, P, 0, 0, false };
	struct ls_error e = { .size = sizeof e };
	const int64_t row = (int64_t)d->row;
	int status;

	guard("%s on %s: node %zu about %" PRId64 " and %" PRId64, ls_operation_name(d->operation),
		ls_topology_spec(ls_machine_topology(machine)), d->row, d->a, d->b);
	status = ls_run(machine, disputed, (void *)d);
	ls_last_error(machine, &e);
	CHECK(status == LS_ERR_MISMATCH && e.kind == status && e.node >= 0 && e.peer >= 0 && e.text[0],
		"%s: %s: %s", guarded(), ls_status_name(status), e.text);
	if (d->operation == LS_ALLTOALL)
		CHECK((e.node == row || e.peer == row)
				&& (e.node == d->a || e.peer == d->a || e.node == d->b || e.peer == d->b),
			"%s: %s", guarded(), e.text);
	must_run(machine, disputed, (void *)&settled);
}

static void test_disputes(const char *spec, enum ls_mode mode, enum ls_rounds rounds)
{
	static const struct dispute disputes[] = { { LS_ALLGATHER, 2, 2, 3, false },
		{ LS_ALLGATHER, 0, 1, 3, false }, { LS_SCATTER, 0, 1, 2, false },
		{ LS_GATHER, 0, 3, 1, false }, { LS_REDUCE_SCATTER, 1, 2, 0, false },
		{ LS_ALLTOALL, 0, 2, 3, false }, { LS_ALLTOALL, 3, 1, 0, true } };
	const struct ls_machine_options options = {
		.size = sizeof options, .mode = mode, .rounds = rounds
	};
	ls_topology *t = topology_of(spec);
	ls_machine *machine = machine_on(t, &options);

	for (size_t i = 0; i < sizeof disputes / sizeof *disputes; i++)
		test_dispute(machine, &disputes[i]);
	ls_machine_destroy(machine);
	ls_topology_destroy(t);
}

/* A node that is in no group has no handle. */
static void test_no_handle(void)
{
	double x = 1, y = 0;
	ls_node *sub;

	CHECK(ls_allreduce(NULL, &x, &y, 1, LS_DOUBLE, LS_SUM) == LS_ERR_ARGUMENT, "all-reduce");
	CHECK(ls_allgatherv(NULL, &x, &y, equal, LS_DOUBLE) == LS_ERR_ARGUMENT, "all-gather");
	CHECK(ls_barrier(NULL) == LS_ERR_ARGUMENT, "barrier");
	CHECK(ls_split(NULL, 0, 0, &sub) == LS_ERR_ARGUMENT, "split");
	CHECK(ls_split_axis(NULL, 0, &sub) == LS_ERR_ARGUMENT, "axis");
	CHECK(ls_split_subcube(NULL, 1, &sub) == LS_ERR_ARGUMENT, "subcube");
	CHECK(ls_split_substar(NULL, 2, &sub) == LS_ERR_ARGUMENT, "sub-star");
	CHECK(ls_send(NULL, 0, &x, sizeof x) == LS_ERR_ARGUMENT, "send");
	CHECK(ls_receive(NULL, 0, &x, sizeof x) == LS_ERR_ARGUMENT, "receive");
	CHECK(ls_next_round(NULL) == LS_ERR_ARGUMENT, "next round");
}

int main(void)
{
	test_arguments();
	test_other_reasons();
	for (int rounds = LS_LOCKSTEP; rounds <= LS_FREE; rounds++) {
		test_disputes("complete:4", LS_HOP, (enum ls_rounds)rounds);
		test_disputes("ring:4", LS_HOP, (enum ls_rounds)rounds);
		test_disputes("linear:4", LS_ROUTED, (enum ls_rounds)rounds);
		test_disputes("hypercube:2", LS_HOP, (enum ls_rounds)rounds);
	}
	test_no_handle();
	return test_result();
}
