/*
 * Collective calls of all nodes of a machine in several processes, executed together.
 *
 * Nodes make every call in every form; results, counts and rounds are those of one process.  The
 * test counts the calls that the communication threads execute, so that it notices if a call takes
 * the way through mailboxes.
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

enum { NODES_MOST = 32, COUNT_MOST = 300, FORMS = 64 };

static _Atomic int64_t executed; /* parts of processes */

__typeof__(lsi_far_call_execute) __real_lsi_far_call_execute, __wrap_lsi_far_call_execute;
int __wrap_lsi_far_call_execute(
	void *call, bool in_place, const struct lsi_stop *stop, LSI_ATOMIC(uint32_t) * computes)
{
	atomic_fetch_add(&executed, 1);
	return __real_lsi_far_call_execute(call, in_place, stop, computes);
}

/* ---- Every call */

static void average(void *dst, const void *a, const void *b, size_t n, void *context)
{
	const double *x = a, *y = b;
	double *out = dst;

	for (size_t i = 0; i < n; i++)
		out[i] = *(const double *)context * x[i] + y[i];
}

/* What all nodes of all processes have in common. */
struct calls {
	ls_op user;
	uint64_t of[NODES_MOST]; /* a sum of all results, by node */
	int64_t last[NODES_MOST];
};

static uint64_t mix(uint64_t sum, const void *data, size_t bytes)
{
	const unsigned char *byte = data;

	for (size_t i = 0; i < bytes; i++)
		sum = (sum ^ byte[i]) * 0x100000001b3u;
	return sum;
}

/* A call: `in_place` of this node. */
struct form {
	enum ls_operation operation;
	size_t n;
	int64_t root;
	bool in_place, user;
};

/* The operand of a node in place is where the result will be. */
static void *operand_in_place(const struct form *f, ls_node *me, double *out)
{
	return f->operation == LS_ALLGATHER || f->operation == LS_GATHER
		? out + (size_t)ls_rank(me) * f->n
		: out;
}

static int make_call(ls_node *me, struct calls *calls, const struct form *f, int turn)
{
	const size_t p = (size_t)ls_size(me), all = f->n * p;
	double in[COUNT_MOST], out[COUNT_MOST], *mine = in;
	struct ls_call call = { .size = sizeof call,
		.operation = f->operation,
		.count = f->n,
		.type = LS_DOUBLE,
		.op = f->user ? calls->user : LS_SUM,
		.root = f->root };
	int failed;

	CHECK(all <= COUNT_MOST, "%zu elements", all);
	for (size_t i = 0; i < COUNT_MOST; i++) {
		in[i] = 1.0 / (double)(ls_rank(me) * 7 + (int64_t)i + turn + 1);
		out[i] = -1;
	}
	if (f->in_place) {
		mine = operand_in_place(f, me, out);
		memcpy(mine, in, sizeof in - (size_t)(mine - out) * sizeof *in);
	}
	call.input = mine;
	call.output = out;
	call.shift = f->operation == LS_SHIFT ? 3 : 0;
	if (f->in_place && (f->operation == LS_REDUCE_SCATTER || f->operation == LS_SCATTER)) {
		call.output = out + (size_t)ls_rank(me) * f->n;
		call.input = out;
	}
	failed = ls_collective(me, &call);
	calls->of[ls_rank(me)] = mix(calls->of[ls_rank(me)], out, sizeof out);
	return failed;
}

static bool has_root(enum ls_operation o)
{
	return o == LS_BROADCAST || o == LS_REDUCE || o == LS_GATHER || o == LS_SCATTER;
}

/* Broadcasts have one buffer; in the other rooted calls only the root may be in place. */
static bool is_in_place(const struct form *f, ls_node *me, bool wanted)
{
	if (f->operation == LS_BROADCAST)
		return true;
	return wanted && (!has_root(f->operation) || ls_rank(me) == f->root);
}

static int call_everything(ls_node *me, void *arg)
{
	static const size_t counts[] = { 1, 5, 0 };
	int failed = LS_OK, turn = 0;

	for (int o = 0; o < LS_OPERATIONS && !failed; o++) {
		for (int k = 0; k < 8 && !failed; k++) {
			struct form f = { (enum ls_operation)o, o == LS_BARRIER ? 0 : counts[k % 3],
				has_root((enum ls_operation)o) ? (k * 5) % ls_size(me) : 0, false, k % 4 == 3 };

			f.in_place = is_in_place(&f, me, k % 2);
			failed = make_call(me, arg, &f, turn++);
		}
	}
	return failed;
}

/* Some nodes are in place and others not: these calls take mailboxes; then all are together. */
static int call_mixed(ls_node *me, void *arg)
{
	int failed = LS_OK;

	for (int k = 0; k < 9 && !failed; k++) {
		struct form f = { k % 2 ? LS_ALLREDUCE : LS_SCAN, 5, 0, false, false };

		f.in_place = k % 3 == 0 ? true : k % 3 == 1 ? ls_rank(me) % 2 : ls_rank(me) == 0;
		failed = make_call(me, arg, &f, k);
	}
	return failed;
}

/* Messages, splits and calls with counts between the calls of all nodes. */
static int call_between(ls_node *me, void *arg)
{
	struct calls *calls = arg;
	const int64_t p = ls_size(me), rank = ls_rank(me);
	const struct form f = { LS_ALLREDUCE, 5, 0, false, false };
	size_t counts[NODES_MOST];
	double in[COUNT_MOST] = { 0 }, out[COUNT_MOST] = { 0 };
	ls_node *sub;
	int failed = LS_OK;

	for (int64_t i = 0; i < p; i++)
		counts[i] = (size_t)(i % 4);
	for (int64_t i = 0; i < COUNT_MOST; i++)
		in[i] = (double)(rank + i);
	for (int k = 0; k < 3 && !failed; k++) {
		failed = make_call(me, calls, &f, k);
		if (!failed)
			failed = ls_send(me, (rank + 1) % p, in, 8);
		if (!failed)
			failed = ls_receive(me, (rank + p - 1) % p, out, 8);
		if (!failed)
			failed = ls_next_round(me);
		if (!failed)
			failed = ls_allgatherv(me, in, out, counts, LS_DOUBLE);
		if (!failed)
			failed = ls_split(me, rank % 2, rank, &sub);
		if (!failed)
			failed = ls_allreduce(sub, in, out, 5, LS_DOUBLE, LS_SUM);
		if (!failed)
			ls_leave(sub);
		calls->of[rank] = mix(calls->of[rank], out, sizeof out);
	}
	return failed;
}

static const struct {
	const char *name;
	int (*program)(ls_node *, void *);
	int64_t together; /* calls that are executed together, at least */
	const char *spec[4];
} programs[] = {
	{ "everything", call_everything, 60, { "hypercube:4", "ring:5", "star:4", "torus:3x3" } },
	{ "mixed", call_mixed, 3, { "hypercube:4", "ring:5" } },
	{ "between", call_between, 3, { "ring:5", "ring:8" } },
};

static void test_program(size_t k, const char *spec, enum ls_rounds rounds, ls_op user)
{
	struct calls one = { .user = user };
	struct world_run run = cooperative_run(spec, rounds, programs[k].program, &one);
	struct world_outcome expected, outcome;

	guard("%s on %s, rounds %d", programs[k].name, spec, rounds);
	expected = world_run(&run);
	CHECK(expected.status == LS_OK, "%s: %s", guarded(), expected.error.text);
	for (run.processes = 2; run.processes <= 4; run.processes += is_fast() ? 2 : 1) {
		for (run.seed = 1; run.seed <= (is_long() ? 3 : 1); run.seed++) {
			struct calls several = { .user = user };

			guard("%s on %s, rounds %d, %d processes, seed %d", programs[k].name, spec, rounds,
				run.processes, (int)run.seed);
			run.arg = &several;
			atomic_store(&executed, 0);
			outcome = world_run(&run);
			CHECK(outcome.status == LS_OK, "%s: %s", guarded(), outcome.error.text);
			CHECK(memcmp(several.of, one.of, sizeof one.of) == 0, "%s: other results", guarded());
			CHECK(memcmp(&outcome.stats, &expected.stats, sizeof outcome.stats) == 0,
				"%s: other counts", guarded());
			CHECK(executed >= programs[k].together * run.processes && executed % run.processes == 0,
				"%s: %" PRId64 " parts were executed", guarded(), (int64_t)executed);
		}
	}
}

int main(void)
{
	static double weight = 0.25;
	ls_op user;

	if (ls_op_make(&(struct ls_op_options){ .size = sizeof(struct ls_op_options),
					   .name = "average",
					   .combine = average,
					   .context = &weight },
			&user)
		!= LS_OK)
		exit(1);
	for (int rounds = LS_LOCKSTEP; rounds <= LS_FREE; rounds++) {
		for (size_t k = 0; k < sizeof programs / sizeof *programs; k++) {
			for (int i = 0; i < (is_fast() ? 2 : 4) && programs[k].spec[i]; i++)
				test_program(k, programs[k].spec[i], (enum ls_rounds)rounds, user);
		}
	}
	ls_op_destroy(user);
	return test_result();
}
