/*
 * Operators that users make, in several processes: each process makes its own, in another order and
 * among others.  Calls with the same operators succeed; calls in which the processes use different
 * ones end with LS_ERR_MISMATCH in all of them, as in one process.
 */
/* nodes: threads fibers */
#include <inttypes.h>
#include <string.h>

#include "support/cells.h"
#include "support/guard.h"
#include "support/spread_machine.h"
#include "test.h"

enum { PROCESSES = 3, NODES = 6, OPERATORS = 70 }; /* OPERATORS: more than a handle remembers */

static void add_twice(void *dst, const void *a, const void *b, size_t n, void *factor)
{
	const double *x = a, *y = b;
	double *out = dst;

	for (size_t i = 0; i < n; i++)
		out[i] = x[i] + y[i] + *(const double *)factor;
}

/* What the processes have in common is the order in which they use operators, not the addresses. */
static double factor[OPERATORS];
static ls_op operator_of[PROCESSES][OPERATORS];

static ls_op make(const char *name, bool commutative, double *context)
{
	ls_op op;

	if (ls_op_make(&(struct ls_op_options){ .size = sizeof(struct ls_op_options),
					   .name = name,
					   .combine = add_twice,
					   .context = context,
					   .commutative = commutative },
			&op)
		!= LS_OK)
		exit(1);
	return op;
}

/* 0 and 1: two names.  2 and 3: no name.  4: as 0, but commutative.  The rest have one name. */
static ls_op make_operator(int i)
{
	static const char *const name[] = { "average", "middle", NULL, NULL, "average" };

	factor[i] = i;
	return make(i < 5 ? name[i] : "one of many", i == 4, &factor[i]);
}

static void make_operators(void)
{
	for (int p = 0; p < PROCESSES; p++) {
		for (int i = 0; i < OPERATORS; i++) {
			const int at = p % 2 ? OPERATORS - 1 - i : i;

			operator_of[p][at] = make_operator(at);
		}
	}
}

static void destroy_operators(void)
{
	for (int p = 0; p < PROCESSES; p++) {
		for (int i = 0; i < OPERATORS; i++)
			ls_op_destroy(operator_of[p][i]);
	}
}

/* The operators of successive calls, ended by -1; where they differ, process 1 uses of_1. */
struct uses {
	const char *name;
	int of[8], of_1[8];
	bool differ;
};

static int process_of(const ls_topology *t, int processes, int64_t rank)
{
	int process = 0;

	while (ls_first_rank(t, processes, process + 1) <= rank)
		process++;
	return process;
}

struct playing {
	const ls_topology *topology;
	int processes;
	const struct uses *uses; /* NULL: every operator, then some again */
};

static int reduce_by(ls_node *me, ls_op op, double expected)
{
	double in = (double)ls_rank(me), out = -1;
	const int failed = ls_allreduce(me, &in, &out, 1, LS_DOUBLE, op);

	CHECK(failed || out == expected, "%s: %g; expected %g", guarded(), out, expected);
	return failed;
}

static int play(ls_node *me, void *arg)
{
	const struct playing *playing = arg;
	const struct uses *uses = playing->uses;
	const int process = process_of(playing->topology, playing->processes, ls_rank(me));
	const double ranks = NODES * (NODES - 1) / 2;
	const int *of = uses && process == 1 && uses->differ ? uses->of_1 : uses ? uses->of : NULL;
	int failed = LS_OK;

	for (int i = 0; uses ? of[i] >= 0 : i < OPERATORS + 9; i++) {
		const int k = uses ? of[i] : i % OPERATORS;

		if (failed)
			break;
		failed = reduce_by(me, operator_of[process][k], ranks + (NODES - 1) * factor[k]);
		if (!failed && i % 7 == 0) /* a part of the machine has an order of its own */
			failed = reduce_by(me, LS_SUM, ranks);
	}
	return failed;
}

static const struct uses all_uses[] = {
	{ "new, or used again", { 5, 5, -1 }, { 5, 6, -1 }, true },
	{ "equal", { 0, 1, 0, 2, 3, 2, 0, -1 }, { 0 }, false },
	{ "two names", { 0, 0, -1 }, { 0, 1, -1 }, true },
	{ "no name, the third call", { 2, 3, 2, -1 }, { 2, 3, 3, -1 }, true },
	{ "commutative", { 0, -1 }, { 4, -1 }, true },
};

/* The same in all processes, also after a run that failed. */
static const struct uses afterward = { "afterward", { 7, 6, 5, 0, -1 }, { 0 }, false };

static void test_uses(int processes, enum ls_rounds rounds, enum ls_engine engine)
{
	const struct ls_machine_options options = {
		.size = sizeof options, .rounds = rounds, .engine = engine, .node_kind = node_kind()
	};
	ls_topology *t = topology_of("ring:6");
	struct spread s;

	spread_open(&s, processes, 1);
	if (spread_make(&s, t, &options) != LS_OK)
		exit(1);
	for (size_t i = 0; i < sizeof all_uses / sizeof *all_uses; i++) {
		struct playing playing = { t, processes, &all_uses[i] };

		guard(
			"%s, %d processes, rounds %d, engine %d", all_uses[i].name, processes, rounds, engine);
		CHECK(spread_run(&s, play, &playing) == (all_uses[i].differ ? LS_ERR_MISMATCH : LS_OK),
			"%s: %s '%s'", guarded(), ls_status_name(s.status[0]), s.error[0].text);
		playing.uses = &afterward;
		CHECK(
			spread_run(&s, play, &playing) == LS_OK, "after %s: '%s'", guarded(), s.error[0].text);
	}

	struct playing every = { t, processes, NULL };

	guard("many operators, %d processes, rounds %d, engine %d", processes, rounds, engine);
	CHECK(spread_run(&s, play, &every) == LS_OK, "%s: '%s'", guarded(), s.error[0].text);
	destroy_operators();
	make_operators(); /* at the same addresses, or others */
	CHECK(
		spread_run(&s, play, &every) == LS_OK, "%s, made again: '%s'", guarded(), s.error[0].text);
	spread_destroy(&s);
	ls_topology_destroy(t);
}

int main(void)
{
	make_operators();
	for (int processes = 2; processes <= (is_fast() ? 2 : PROCESSES); processes++) {
		for (int rounds = LS_LOCKSTEP; rounds <= LS_FREE; rounds++) {
			test_uses(processes, (enum ls_rounds)rounds, LS_MAILBOXES);
			test_uses(processes, (enum ls_rounds)rounds, LS_COOPERATIVE);
		}
	}
	destroy_operators();
	return test_result();
}
