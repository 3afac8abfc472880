/*
 * Node programs over processes give the bits, counts and rounds of one process: messages around a
 * ring, short and long; collective calls; both kinds of rounds; one to more processes than nodes.
 */
/* nodes: threads fibers */
#include <inttypes.h>
#include <string.h>

#include "support/guard.h"
#include "support/world_run.h"
#include "test.h"

enum { LONG = 40000, VALUES = 3000, NODES_MOST = 64 };

/* What the nodes of all processes compute: one array, because the processes are threads. */
struct results {
	double of[NODES_MOST][8];
};

/* Each node passes a number around: after p rounds it is its own again. */
static int pass_around(ls_node *me, void *arg)
{
	struct results *results = arg;
	const int64_t p = ls_size(me), rank = ls_rank(me);
	char sent[LONG], got[LONG];
	int failed = LS_OK;

	for (int64_t i = 0; i < p && !failed; i++) {
		const size_t bytes = i % 3 == 2 ? LONG : 8 + (size_t)i;

		memset(sent, (int)(rank + i), bytes);
		failed = ls_send(me, (rank + 1) % p, sent, bytes);
		if (!failed)
			failed = ls_receive(me, (rank + p - 1) % p, got, bytes);
		for (size_t k = 0; k < bytes && !failed; k++) {
			if (got[k] != (char)((rank + p - 1) % p + i)) {
				CHECK(false, "%s: byte %zu of round %" PRId64, guarded(), k, i);
				break;
			}
		}
		if (!failed)
			failed = ls_next_round(me);
	}
	results->of[rank][0] = got[0];
	return failed;
}

static int call_all(ls_node *me, void *arg)
{
	struct results *results = arg;
	const int64_t rank = ls_rank(me);
	double mine[VALUES], sum[VALUES], *out = results->of[rank];
	int failed = LS_OK;

	for (int i = 0; i < VALUES; i++)
		mine[i] = 1.0 / (double)(rank + 1 + i);
	for (int turn = 0; turn < 3 && !failed; turn++) {
		failed = ls_allreduce(me, mine, sum, 1, LS_DOUBLE, LS_SUM);
		out[0] += sum[0];
		if (!failed)
			failed = ls_allreduce(me, mine, sum, VALUES, LS_DOUBLE, LS_SUM);
		out[1] += sum[VALUES - 1];
		sum[0] = rank == 1 ? 77 + turn : 0;
		if (!failed)
			failed = ls_broadcast(me, sum, 1, LS_DOUBLE, 1);
		out[2] += sum[0];
		if (!failed)
			failed = ls_scan(me, mine, sum, 2, LS_DOUBLE, LS_SUM);
		out[3] += sum[1];
		if (!failed)
			failed = ls_barrier(me);
	}
	return failed;
}

static int split_and_call(ls_node *me, void *arg)
{
	struct results *results = arg;
	const int64_t rank = ls_rank(me), p = ls_size(me);
	double mine = (double)rank + 1, sum = 0;
	ls_node *sub;
	int failed = LS_OK;

	for (int turn = 0; turn < 3 && !failed; turn++) {
		failed = ls_split(me, rank % 2, p - rank, &sub);
		if (!failed)
			failed = ls_allreduce(sub, &mine, &sum, 1, LS_DOUBLE, LS_SUM);
		results->of[rank][turn] = sum + 1000.0 * (double)ls_rank(sub);
		if (!failed)
			ls_leave(sub);
		if (!failed)
			failed = ls_split(me, turn < 2 ? rank / 2 : -1, 0, &sub);
		if (!failed && sub)
			failed = ls_allreduce(sub, &mine, &sum, 1, LS_DOUBLE, LS_SUM);
		results->of[rank][4 + turn] = sum;
	}
	return failed;
}

/*
 * The lowest ranks of the new groups are in one process, whose nodes leave as soon as they have
 * their groups.  Another process may hear that they have left before it has the arrivals of all.
 */
static int split_and_leave(ls_node *me, void *arg)
{
	struct results *results = arg;
	const int64_t rank = ls_rank(me), p = ls_size(me);
	ls_node *sub;
	const int failed = ls_split(me, rank * 3 < p ? -1 : rank % 2, 0, &sub);

	if (!failed && sub)
		results->of[rank][0] = (double)ls_rank(sub);
	return failed;
}

static const struct {
	const char *name;
	int (*program)(ls_node *, void *);
	uint64_t seeds, fast_seeds; /* orders in which packets arrive */
} programs[] = { { "ring", pass_around, 2, 1 }, { "calls", call_all, 2, 1 },
	{ "splits", split_and_call, 2, 1 }, { "last splits", split_and_leave, 8, 3 } };

static void compare(
	const struct world_run *run, const struct results *one, const struct world_outcome *expected)
{
	struct results several;
	struct world_run again = *run;
	struct world_outcome outcome;

	memset(&several, 0, sizeof several);
	again.arg = &several;
	outcome = world_run(&again);
	CHECK(outcome.status == LS_OK, "%s: %s", guarded(), outcome.error.text);
	CHECK(memcmp(&several, one, sizeof several) == 0, "%s: other results than one process",
		guarded());
	CHECK(memcmp(&outcome.stats, &expected->stats, sizeof outcome.stats) == 0,
		"%s: other counts than one process", guarded());
}

static void test_program(size_t k, const char *spec, enum ls_rounds rounds)
{
	const int processes[] = { 2, 3, 4, 7 };
	const uint64_t seeds = is_fast() ? programs[k].fast_seeds : programs[k].seeds;
	struct results one;
	struct world_run run = { .processes = 1,
		.spec = spec,
		.options = { .rounds = rounds,
			.node_kind = node_kind(),
			.engine = LS_MAILBOXES,
			.stack = 512 << 10 },
		.program = programs[k].program,
		.arg = &one };
	struct world_outcome expected;

	memset(&one, 0, sizeof one);
	guard("%s on %s, rounds %d", programs[k].name, spec, rounds);
	expected = world_run(&run);
	CHECK(expected.status == LS_OK, "%s: %s", guarded(), expected.error.text);
	for (size_t i = 0; i < sizeof processes / sizeof *processes; i += is_fast() ? 2 : 1) {
		for (run.seed = 1; run.seed <= seeds; run.seed++) {
			run.processes = processes[i];
			guard("%s on %s, rounds %d, %d processes, seed %d", programs[k].name, spec, rounds,
				run.processes, (int)run.seed);
			compare(&run, &one, &expected);
		}
	}
}

int main(void)
{
	static const char *const specs[] = { "ring:5", "hypercube:4", "torus:3x3" };

	for (size_t k = 0; k < sizeof programs / sizeof *programs; k++) {
		for (int rounds = LS_LOCKSTEP; rounds <= LS_FREE; rounds++) {
			test_program(k, "ring:5", (enum ls_rounds)rounds);
			for (size_t i = 1; k > 0 && i < sizeof specs / sizeof *specs; i++)
				test_program(k, specs[i], (enum ls_rounds)rounds);
		}
	}
	return test_result();
}
