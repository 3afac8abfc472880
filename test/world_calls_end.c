/*
 * Calls of all nodes of a machine in several processes that end otherwise: calls that differ, nodes
 * that end early, stops and time limits at any moment, early verdicts, operators that make calls,
 * failing transports.  All processes end with the same error, and none hangs.
 */
/* nodes: threads fibers */
/* link: -Wl,--wrap=lsi_far_call_execute */
#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>

#include "engine/cooperative/far_call.h"
#include "support/guard.h"
#include "support/world_run.h"
#include "test.h"

static _Atomic int64_t executed; /* parts of processes */

__typeof__(lsi_far_call_execute) __real_lsi_far_call_execute, __wrap_lsi_far_call_execute;
int __wrap_lsi_far_call_execute(
	void *call, bool in_place, const struct lsi_stop *stop, LSI_ATOMIC(uint32_t) * computes)
{
	atomic_fetch_add(&executed, 1);
	return __real_lsi_far_call_execute(call, in_place, stop, computes);
}

/* ---- Errors */

/* How the calls of one node differ from those of the others. */
enum difference { OPERATION, COUNT, ROOT, TYPE, OPERATOR, ENDS, LEAVES_EARLY, DIFFERENCES };
struct mistake {
	enum difference kind;
	int64_t node;
};

static int make_mistake(ls_node *me, const struct mistake *m)
{
	const bool differs = ls_rank(me) == m->node;
	double in[8] = { 1 }, out[8];

	switch (differs ? m->kind : DIFFERENCES) {
	case OPERATION:
		return ls_scan(me, in, out, 2, LS_DOUBLE, LS_SUM);
	case COUNT:
		return ls_allreduce(me, in, out, 3, LS_DOUBLE, LS_SUM);
	case ROOT:
		return ls_broadcast(me, in, 2, LS_DOUBLE, 1);
	case TYPE:
		return ls_allreduce(me, in, out, 2, LS_INT64, LS_SUM);
	case OPERATOR:
		return ls_allreduce(me, in, out, 2, LS_DOUBLE, LS_MAX);
	case ENDS:
		return LS_OK;
	case LEAVES_EARLY:
		return ls_receive(me, (m->node + 1) % ls_size(me), in, 8);
	default:
		return m->kind == ROOT ? ls_broadcast(me, in, 2, LS_DOUBLE, 0)
							   : ls_allreduce(me, in, out, 2, LS_DOUBLE, LS_SUM);
	}
}

static int call_wrongly(ls_node *me, void *arg)
{
	double in[8] = { 1 }, out[8];
	int failed = LS_OK;

	for (int k = 0; k < 3 && !failed; k++)
		failed = ls_allreduce(me, in, out, 2, LS_DOUBLE, LS_SUM);
	return failed ? failed : make_mistake(me, arg);
}

static void test_mistake(enum difference kind, int64_t node, enum ls_rounds rounds)
{
	const int64_t calls = 3;
	struct mistake mistake = { kind, node };
	struct world_run run = cooperative_run("hypercube:3", rounds, call_wrongly, &mistake);
	struct world_outcome expected, outcome;

	guard("mistake %d at node %" PRId64 ", rounds %d", kind, node, rounds);
	expected = world_run(&run);
	CHECK(expected.status < 0, "%s: %d", guarded(), expected.status);
	for (run.processes = 2; run.processes <= 4; run.processes += is_fast() ? 2 : 1) {
		for (run.seed = 1; run.seed <= (is_long() ? 3 : 1); run.seed++) {
			guard("mistake %d at node %" PRId64 ", rounds %d, %d processes, seed %d", kind, node,
				rounds, run.processes, (int)run.seed);
			atomic_store(&executed, 0);
			outcome = world_run(&run);
			CHECK(outcome.status == expected.status, "%s: %s; expected %s", guarded(),
				outcome.error.text, expected.error.text);
			CHECK(kind > OPERATOR || strcmp(outcome.error.text, expected.error.text) == 0,
				"%s: %s; expected %s", guarded(), outcome.error.text, expected.error.text);
			CHECK(executed == calls * run.processes, "%s: data of a wrong call moved", guarded());
		}
	}
}

/* ---- Stops */

struct stop {
	ls_machine *machine;
	int process, at;
	_Atomic int64_t calls;
	bool limit;
};

static int call_for_ever(ls_node *me, void *arg)
{
	struct stop *stop = arg;
	double in[4] = { 1 }, out[4];
	int failed = LS_OK;

	for (int k = 0; !failed; k++) {
		if (atomic_fetch_add(&stop->calls, 1) == stop->at && !stop->limit)
			ls_machine_stop(stop->machine, LS_ERR_STOPPED);
		failed = ls_allreduce(me, in, out, 4, LS_DOUBLE, LS_SUM);
	}
	return failed;
}

static void note_machine(int process, ls_machine *machine, void *arg)
{
	struct stop *stop = arg;

	if (process == stop->process)
		stop->machine = machine;
}

static void test_stops(enum ls_rounds rounds)
{
	for (int at = 0; at < (is_fast() ? 4 : is_long() ? 60 : 10); at++) {
		struct stop stop = { .process = at % 3, .at = at * 3 + at % 7 };
		struct world_run run = cooperative_run("hypercube:3", rounds, call_for_ever, &stop);

		run.processes = 3;
		run.seed = (uint64_t)at + 1;
		run.before = note_machine;
		guard("stop %d, rounds %d", at, rounds);
		CHECK(world_run(&run).status == LS_ERR_STOPPED, "%s", guarded());
	}
}

static void test_limit(enum ls_rounds rounds)
{
	for (int k = 0; k < (is_fast() ? 1 : is_long() ? 12 : 3); k++) {
		struct stop stop = { .limit = true };
		struct world_run run = cooperative_run("hypercube:3", rounds, call_for_ever, &stop);

		run.processes = 2 + k % 3;
		run.seed = (uint64_t)k + 1;
		run.options.timeout = 0.02 + 0.001 * k;
		guard("time limit %d, rounds %d", k, rounds);
		CHECK(world_run(&run).status == LS_ERR_TIMEOUT, "%s", guarded());
	}
}

/* ---- A node fails while others run: an early verdict */

static int fail_beside(ls_node *me, void *arg)
{
	const int64_t rank = ls_rank(me);
	double in[4] = { 1 }, out[4];
	int failed = LS_OK;

	(void)arg;
	for (int k = 0; k < 3 && !failed; k++)
		failed = ls_allreduce(me, in, out, 4, LS_DOUBLE, LS_SUM);
	if (rank == 1)
		return ls_send(me, 99, in, 8);
	if (rank == 6)
		nap(1500); /* longer than a verdict waits for it */
	return failed ? failed : ls_allreduce(me, in, out, 4, LS_DOUBLE, LS_SUM);
}

static void test_early_verdict(enum ls_rounds rounds)
{
	struct world_run run = cooperative_run("hypercube:3", rounds, fail_beside, NULL);
	struct world_outcome expected, outcome;

	expected = world_run(&run);
	for (run.processes = 2; run.processes <= (is_long() ? 4 : 2); run.processes++) {
		guard("early verdict, %d processes, rounds %d", run.processes, rounds);
		outcome = world_run(&run);
		CHECK(outcome.status == expected.status, "%s: %s; expected %s", guarded(),
			outcome.error.text, expected.error.text);
	}
}

/* ---- Operators */

struct within {
	ls_node *node;
	_Atomic int *accepted;
};

static void call_inside(void *dst, const void *a, const void *b, size_t n, void *context)
{
	struct within *within = context;
	double in = 1, out;

	(void)a;
	(void)b;
	memset(dst, 0, n * sizeof(double));
	if (ls_allreduce(within->node, &in, &out, 1, LS_DOUBLE, LS_SUM) == LS_OK)
		atomic_fetch_add(within->accepted, 1);
}

static int call_in_operator(ls_node *me, void *arg)
{
	struct within within = { .node = me, .accepted = arg };
	ls_op op;
	double in = 1, out;
	int status;

	if (ls_op_make(&(struct ls_op_options){ .size = sizeof(struct ls_op_options),
					   .name = "inside",
					   .combine = call_inside,
					   .context = &within },
			&op)
		!= LS_OK)
		exit(1);
	status = ls_allreduce(me, &in, &out, 1, LS_DOUBLE, op);
	ls_op_destroy(op);
	return status;
}

static void test_operator(enum ls_rounds rounds)
{
	_Atomic int accepted = 0;
	struct world_run run = cooperative_run("hypercube:3", rounds, call_in_operator, &accepted);

	run.processes = 2;
	guard("call in an operator, rounds %d", rounds);
	world_run(&run);
	CHECK(accepted == 0, "%s: %d calls were accepted", guarded(), accepted);
}

/* ---- The transport */

struct host {
	struct network *network;
	int process; /* -1: none */
	int64_t rank, at;
};

/* The host of a process goes down while its nodes make calls. */
static int call_often(ls_node *me, void *arg)
{
	const struct host *host = arg;
	double in[4] = { 1 }, out[4];
	int failed = LS_OK;

	for (int k = 0; k < 20 && !failed; k++) {
		if (k == host->at && ls_rank(me) == host->rank && host->process >= 0)
			network_kill(host->network, host->process);
		failed = ls_allreduce(me, in, out, 4, LS_DOUBLE, LS_SUM);
	}
	return failed;
}

static void test_transport(enum ls_rounds rounds)
{
	struct host host = { .process = -1 };
	struct world_run run = cooperative_run("hypercube:3", rounds, call_often, &host);

	run.processes = 3;
	for (int k = 1; k < (is_fast() ? 4 : is_long() ? 60 : 8); k++) {
		host.network = network_make(3, (uint64_t)k);
		guard("call %d of the transport fails, rounds %d", k * 11, rounds);
		network_fail(host.network, k % 3, k * 11, false);
		CHECK(world_run_in(host.network, &run).status != LS_OK || network_failed(host.network) < 0,
			"%s", guarded());
		network_destroy(host.network);
	}
}

/* The others do not learn of it: they give up after the time limit. */
static void test_dying_host(enum ls_rounds rounds)
{
	for (int k = 0; k < (is_fast() ? 1 : is_long() ? 8 : 2); k++) {
		struct host host = { network_make(3, (uint64_t)k + 1), k % 3, k % 8, 3 + k };
		struct world_run run = cooperative_run("hypercube:3", rounds, call_often, &host);

		run.processes = 3;
		run.options.timeout = 0.05;
		guard("the host of process %d goes down, rounds %d", k % 3, rounds);
		CHECK(world_run_in(host.network, &run).status != LS_OK, "%s", guarded());
		network_destroy(host.network);
	}
}

int main(void)
{
	/* Of tests that wait for seconds, few networks take one mode for each kind of nodes. */
	const enum ls_rounds slow_rounds = node_kind() == LS_NODE_FIBER ? LS_FREE : LS_LOCKSTEP;

	for (int r = LS_LOCKSTEP; r <= LS_FREE; r++) {
		const enum ls_rounds rounds = (enum ls_rounds)r;

		for (int kind = 0; kind < DIFFERENCES; kind++) {
			for (int64_t node = 0; node < 8; node += 3)
				test_mistake((enum difference)kind, node, rounds);
		}
		test_stops(rounds);
		test_limit(rounds);
		test_operator(rounds);
		test_transport(rounds);
		if (is_fast() && rounds != slow_rounds)
			continue;
		test_early_verdict(rounds);
		test_dying_host(rounds);
	}
	return test_result();
}
