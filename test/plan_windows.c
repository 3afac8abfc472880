/*
 * Very long plans, of which a node keeps a window: right results in calls of two lengths, with
 * short and zero-copy messages, and an error in a window.
 */
/* link: -Wl,--wrap=lsi_compiled_plan_move_window */
/* nodes: threads fibers */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "engine/mailboxes/compiled_plan.h"
#include "machine/pending_send.h"
#include "support/cells.h"
#include "support/guard.h"
#include "test.h"

enum { NODES = 44, LONG = 300, CALLS = 4, FAILING_NODE = 5 };

static atomic_llong windows; /* that were made */
static atomic_bool fails;    /* one node gets no memory for its second window */

int __real_lsi_compiled_plan_move_window(struct ls_node *, struct lsi_compiled_plan *, int64_t);
int __wrap_lsi_compiled_plan_move_window(struct ls_node *, struct lsi_compiled_plan *, int64_t);

int __wrap_lsi_compiled_plan_move_window(
	struct ls_node *node, struct lsi_compiled_plan *compiled, int64_t s)
{
	atomic_fetch_add(&windows, 1);
	CHECK(!lsi_pending_oldest(node->self, INT64_MAX),
		"%s: node %" PRId64 ", step %" PRId64 ": a receiver may still read a message", guarded(),
		node->rank, s);
	if (fails && node->rank == FAILING_NODE && s > 0)
		return LS_ERR_MEMORY;
	return __real_lsi_compiled_plan_move_window(node, compiled, s);
}

struct case_of_plan {
	enum ls_operation operation;
	const char *algorithm;
	int64_t blocks_in, blocks_out;
};

/* Element e of block b of the operand of node r, in call k.  Sums of such integers are exact. */
static double value(int64_t r, int64_t b, size_t e, int k)
{
	return (double)((r * NODES + b) * 7 + (int64_t)e % 11 + k);
}

static double expected(const struct case_of_plan *c, int64_t me, int64_t b, size_t e, int k)
{
	double sum = 0;

	if (c->operation == LS_ALLGATHER)
		return value(b, 0, e, k);
	if (c->operation == LS_ALLTOALL)
		return value(b, me, e, k);
	for (int64_t r = 0; r < NODES; r++)
		sum += value(r, 0, e, k);
	return sum;
}

static int call(ls_node *me, const struct case_of_plan *c, double *in, double *out, int k)
{
	const size_t n = k % 3 == 0 ? 1 : LONG;
	int failed;

	for (int64_t b = 0; b < c->blocks_in; b++)
		for (size_t e = 0; e < n; e++)
			in[(size_t)b * n + e] = value(ls_rank(me), b, e, k);
	failed = ls_collective(me,
		&(struct ls_call){ .size = sizeof(struct ls_call),
			.operation = c->operation,
			.algorithm = c->algorithm,
			.input = in,
			.output = out,
			.count = n });
	for (int64_t b = 0; b < c->blocks_out && !failed; b++)
		for (size_t e = 0; e < n; e++)
			CHECK(out[(size_t)b * n + e] == expected(c, ls_rank(me), b, e, k),
				"%s: node %" PRId64 ", call %d, block %" PRId64 ", element %zu", guarded(),
				ls_rank(me), k, b, e);
	return failed;
}

static int call_repeatedly(ls_node *me, void *case_of_plan)
{
	double *in = malloc(2 * NODES * LONG * sizeof *in);
	int failed = in ? LS_OK : LS_ERR_MEMORY;

	for (int k = 0; k < CALLS && !failed; k++)
		failed = call(me, case_of_plan, in, in + NODES * LONG, k);
	free(in);
	return failed;
}

/* A node without memory for a window stops the run; the next run is right. */
static void check_failure(ls_machine *machine, struct case_of_plan *c)
{
	struct ls_error e = { .size = sizeof e };

	fails = true;
	CHECK(ls_run(machine, call_repeatedly, c) == LS_ERR_MEMORY, "%s", guarded());
	fails = false;
	ls_last_error(machine, &e);
	CHECK(e.node == FAILING_NODE && !strncmp(e.text, "no memory for ", 14), "%s: %s", guarded(),
		e.text);
	must_run(machine, call_repeatedly, c);
}

static void check_case(const ls_topology *t, struct case_of_plan *c, enum ls_rounds rounds)
{
	const struct ls_machine_options options = {
		.size = sizeof options, .rounds = rounds, .node_kind = node_kind(), .engine = LS_MAILBOXES
	};
	ls_machine *machine = machine_on(t, &options);

	guard("%s, %s, %s rounds", ls_operation_name(c->operation), c->algorithm,
		rounds == LS_FREE ? "free" : "lockstep");
	machine->compiled_bytes_most = 0;
	windows = 0;
	must_run(machine, call_repeatedly, c);
	CHECK(windows >= NODES * (2 * CALLS - 1), "%s: %lld windows", guarded(), windows);
	if (c->operation == LS_ALLTOALL)
		check_failure(machine, c);
	ls_machine_destroy(machine);
}

int main(void)
{
	struct case_of_plan cases[] = {
		{ LS_ALLTOALL, "bidirectional", NODES, NODES }, /* messages of several pieces */
		{ LS_ALLREDUCE, "odd-even", 1, 1 },
		{ LS_ALLREDUCE, "ring", 1, 1 },
		{ LS_ALLGATHER, "ring", 1, NODES },
	};
	ls_topology *t = topology_of("ring:44");

	for (size_t i = 0; i < (is_thin() ? 1 : is_fast() ? 2 : sizeof cases / sizeof *cases); i++) {
		check_case(t, &cases[i], LS_LOCKSTEP);
		check_case(t, &cases[i], LS_FREE);
	}
	ls_topology_destroy(t);
	return test_result();
}
