/*
 * Edge cases of machines: arguments, an operator at the address of an earlier one, alignment, time
 * limits, and traces without memory.
 */
/* link: -Wl,--wrap=lsi_alloc_grow */
/* nodes: threads fibers */
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <lockstep/collective.h>

#include "op/op_internal.h"
#include "support/cells.h"
#include "support/guard.h"
#include "test.h"

enum { LONG = 3000 }; /* LONG elements: sent by zero copy */

static int meet(ls_node *me, void *arg)
{
	(void)arg;
	return ls_barrier(me);
}

/* ---- Arguments */

static int give_nothing(ls_node *me, void *arg)
{
	double x = 1;

	(void)arg;
	CHECK(ls_send(me, 1 - ls_rank(me), NULL, 1) == LS_ERR_ARGUMENT
			&& ls_receive(me, 1 - ls_rank(me), NULL, 1) == LS_ERR_ARGUMENT,
		"a message without data");
	CHECK(ls_collective(me, NULL) == LS_ERR_ARGUMENT
			&& ls_collective(me, &(struct ls_call){ 0 }) == LS_ERR_ARGUMENT,
		"a call without a call");
	CHECK(ls_allreduce(me, NULL, &x, 1, LS_DOUBLE, LS_SUM) == LS_ERR_ARGUMENT
			&& ls_allreduce(me, &x, &x, 1, NULL, LS_SUM) == LS_ERR_ARGUMENT
			&& ls_allreduce(me, &x, &x, 1, LS_DOUBLE, NULL) == LS_ERR_ARGUMENT
			&& ls_allreduce(me, &x, &x, SIZE_MAX / 8, LS_DOUBLE, LS_SUM) == LS_ERR_ARGUMENT,
		"a call without data");
	CHECK(ls_broadcast(me, &x, 1, LS_DOUBLE, 2) == LS_ERR_ARGUMENT
			&& ls_broadcast(me, &x, 1, LS_DOUBLE, -1) == LS_ERR_ARGUMENT,
		"roots that are none");
	if (ls_rank(me) == 0)
		return ls_send(me, 1, NULL, 0);
	return ls_receive(me, 0, NULL, 0);
}

static void test_arguments(void)
{
	ls_topology *t = topology_of("complete:2");
	ls_machine *machine = machine_on(t, NULL), *none;

	guard("arguments");
	CHECK(ls_machine_make(NULL, NULL, &none) == LS_ERR_ARGUMENT && !none, "no topology");
	CHECK(ls_machine_make(t, &(struct ls_machine_options){ 0 }, &none) == LS_ERR_ARGUMENT && !none,
		"no size");
	must_run(machine, give_nothing, NULL);
	ls_machine_destroy(machine);
	ls_machine_destroy(NULL);
	ls_topology_destroy(t);
}

static void test_link_in_child(void)
{
	ls_topology *t = topology_of("complete:2");
	ls_machine *machine = machine_on(t, NULL);
	const pid_t child = fork();
	int result = -1;

	guard("links in a child of fork");
	if (child == 0)
		_exit(ls_link_set(machine, 0, 1, false) == LS_ERR_FORK ? 0 : 1);
	CHECK(child > 0 && waitpid(child, &result, 0) == child && result == 0, "%d", result);
	ls_machine_destroy(machine);
	ls_topology_destroy(t);
}

/*
 * Operators of the user
 * ------------------------------------------------------------------------------------
 */

static void add(void *dst, const void *a, const void *b, size_t n, void *context)
{
	(void)context;
	for (size_t i = 0; i < n; i++)
		((int64_t *)dst)[i] = ((const int64_t *)a)[i] + ((const int64_t *)b)[i];
}

static void multiply(void *dst, const void *a, const void *b, size_t n, void *context)
{
	(void)context;
	for (size_t i = 0; i < n; i++)
		((int64_t *)dst)[i] = ((const int64_t *)a)[i] * ((const int64_t *)b)[i];
}

static int combine_ranks(ls_node *me, void *op)
{
	const int64_t mine = ls_rank(me) + 2;
	int64_t result = 0;
	const int failed = ls_allreduce(me, &mine, &result, 1, LS_INT64, op);

	CHECK(failed || result == (((const struct ls_op_info *)op)->combine == add ? 14 : 120),
		"%s: %" PRId64, guarded(), result);
	return failed;
}

/* An operator that is made where another one was is not that one. */
static void test_operators(void)
{
	ls_topology *t = topology_of("complete:4");
	ls_machine *machine = machine_on(t, NULL);

	guard("operators that follow one another");
	for (int i = 0; i < 4; i++) {
		const struct ls_op_options options = {
			.size = sizeof options, .combine = i % 2 ? multiply : add, .commutative = i < 2
		};
		ls_op op;

		CHECK(ls_op_make(&options, &op) == LS_OK, "no memory");
		must_run(machine, combine_ranks, (void *)(uintptr_t)op);
		ls_op_destroy(op);
	}
	ls_machine_destroy(machine);
	ls_topology_destroy(t);
}

static bool is_aligned(const void *p)
{
	return (uintptr_t)p % _Alignof(max_align_t) == 0;
}

static void check_alignment(void *dst, const void *a, const void *b, size_t n, void *context)
{
	(void)n;
	(void)context;
	CHECK(is_aligned(dst) && is_aligned(a) && is_aligned(b), "%s: %p := %p (+) %p", guarded(), dst,
		a, b);
}

struct aligned {
	ls_op op;
	ls_type type;
	size_t n;
};

static int combine_aligned(ls_node *me, void *arg)
{
	const struct aligned *c = arg;
	max_align_t *in = memory(c->n, sizeof *in), *out = memory(c->n, sizeof *out);
	const int failed = ls_allreduce(me, in, out, c->n, c->type, c->op);

	free(in);
	free(out);
	return failed;
}

/* Operands are aligned as the user's are, also in a mailbox and in scratch. */
static void test_alignment(const char *spec, enum ls_rounds rounds)
{
	const struct ls_op_options options = {
		.size = sizeof options, .combine = check_alignment, .commutative = true
	};
	const struct ls_machine_options free = { .size = sizeof free, .rounds = rounds };
	ls_topology *t = topology_of(spec);
	ls_machine *machine = machine_on(t, &free);
	struct aligned c;

	guard("alignment on %s", spec);
	CHECK(
		ls_op_make(&options, &c.op) == LS_OK && ls_type_make(sizeof(max_align_t), &c.type) == LS_OK,
		"no memory");
	for (c.n = 1; c.n < LONG; c.n = 3 * c.n + 1)
		must_run(machine, combine_aligned, &c);
	ls_op_destroy(c.op);
	ls_type_destroy(c.type);
	ls_machine_destroy(machine);
	ls_topology_destroy(t);
}

/*
 * Time limits
 * ------------------------------------------------------------------------------------------------
 */

static void test_limits(void)
{
	static const double limits[] = { 60, 1e10, 1.8446744073e10, 1e300, HUGE_VAL };
	ls_topology *t = topology_of("complete:4");
	const struct ls_machine_options wrong[] = { { .size = sizeof *wrong, .timeout = -1 },
		{ .size = sizeof *wrong, .timeout = NAN } };

	for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
		const struct ls_machine_options options = { .size = sizeof options, .timeout = limits[i] };
		ls_machine *machine = machine_on(t, &options);

		guard("a limit of %g s", limits[i]);
		must_run(machine, meet, NULL);
		ls_machine_destroy(machine);
	}
	for (size_t i = 0; i < 2; i++) {
		ls_machine *none;

		CHECK(ls_machine_make(t, &wrong[i], &none) == LS_ERR_ARGUMENT, "a limit of %g s",
			wrong[i].timeout);
	}
	ls_topology_destroy(t);
}

/* ---- Traces */

static int refused; /* that many further calls of lsi_alloc_grow fail */

void *__real_lsi_alloc_grow(void *, size_t, size_t);
void *__wrap_lsi_alloc_grow(void *, size_t, size_t);

void *__wrap_lsi_alloc_grow(void *old, size_t used, size_t bytes)
{
	return refused > 0 && refused-- ? NULL : __real_lsi_alloc_grow(old, used, bytes);
}

static void count(void *records, const struct ls_record *record)
{
	(void)record;
	++*(int *)records;
}

static int send_many(ls_node *me, void *arg)
{
	int64_t word = 1;
	int failed = LS_OK;

	for (int i = 0; i < *(const int *)arg && !failed; i++) {
		failed = ls_rank(me) ? ls_receive(me, 0, &word, sizeof word)
							 : ls_send(me, 1, &word, sizeof word);
		if (!failed)
			failed = ls_next_round(me);
	}
	return failed;
}

/* A run whose trace has no room fails; else it is complete. */
static void test_trace(int messages, enum ls_rounds rounds)
{
	ls_topology *t = topology_of("complete:2");
	int records = 0;
	const struct ls_machine_options options = {
		.size = sizeof options, .rounds = rounds, .trace = count, .trace_context = &records
	};
	ls_machine *machine = machine_on(t, &options);

	guard("a trace of %d messages", messages);
	refused = 1;
	CHECK(ls_run(machine, send_many, &messages) == LS_ERR_MEMORY, "%s", guarded());
	records = refused = 0;
	must_run(machine, send_many, &messages);
	CHECK(records == messages, "%s: %d", guarded(), records);
	ls_machine_destroy(machine);
	ls_topology_destroy(t);
}

/* ---- Stacks that no address space holds */

static void test_stacks(void)
{
	static const size_t sizes[] = { SIZE_MAX, SIZE_MAX - 4096, SIZE_MAX / 2, SIZE_MAX / 4,
		(size_t)1 << (sizeof(size_t) * 6) };
	ls_topology *t = topology_of("complete:4");

	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		const struct ls_machine_options options = {
			.size = sizeof options, .stack = sizes[i], .node_kind = node_kind()
		};
		struct ls_error e = { .size = sizeof e };
		ls_machine *machine = machine_on(t, &options);

		guard("stacks of %zu bytes", sizes[i]);
		for (int run = 0; run < 2; run++)
			CHECK(ls_run(machine, meet, NULL) == LS_ERR_MEMORY
					&& ls_last_error(machine, &e) == LS_ERR_MEMORY
					&& strstr(e.text, "address space"),
				"%s: %s", guarded(), e.text);
		ls_machine_destroy(machine);
	}
	ls_topology_destroy(t);
}

/* ---- The engine of a call */

/* The most bytes, of an operand or of a block, with which senders run ahead. */
static size_t most_ahead(const ls_machine *machine, enum ls_operation operation)
{
	const char *why;
	size_t bytes = 0;

	while (ls_engine_for(machine, operation, bytes + 1, &why) == LS_MAILBOXES
		&& strstr(why, "run ahead"))
		bytes++;
	return bytes;
}

/* The blocks of all nodes must fit into one slot. */
static void test_engine(void)
{
	enum { P = 1024 }; /* more than cores */
	ls_topology *t = topology_of("ring:1024");
	const struct ls_machine_options options = { .size = sizeof options, .rounds = LS_FREE };
	ls_machine *machine = machine_on(t, &options);
	const size_t alone = most_ahead(machine, LS_BROADCAST), of_all = most_ahead(machine, LS_GATHER);
	const char *why = "";

	CHECK(alone > 0 && of_all == alone / P, "%zu bytes of one node, %zu of each", alone, of_all);
	CHECK(ls_engine_for(NULL, LS_BROADCAST, 1, &why) == LS_AUTO && strcmp(why, "no machine") == 0
			&& ls_engine_for(NULL, LS_BROADCAST, 1, NULL) == LS_AUTO,
		"no machine");
	CHECK(!ls_engine_name((enum ls_engine) - 1) && !ls_engine_name((enum ls_engine)(LS_SWEEP + 1)),
		"the name of no engine");
	ls_machine_destroy(machine);
	ls_topology_destroy(t);
}

int main(void)
{
	const char *variant = getenv("LS_VARIANT");

	if (!variant || strcmp(variant, "tsan"))
		test_link_in_child();
	test_arguments();
	test_operators();
	for (int rounds = LS_LOCKSTEP; rounds <= LS_FREE; rounds++) {
		test_alignment("complete:4", (enum ls_rounds)rounds);
		test_alignment("star:3", (enum ls_rounds)rounds);
		test_alignment("ring:5", (enum ls_rounds)rounds);
		test_trace(1, (enum ls_rounds)rounds);
		test_trace(100, (enum ls_rounds)rounds);
		test_trace(3000, (enum ls_rounds)rounds);
	}
	test_limits();
	test_stacks();
	test_engine();
	return test_result();
}
