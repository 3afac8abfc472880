/*
 * Types and operators of users that are destroyed, and others that may get their addresses: what a
 * node or group remembers of calls must never serve another type or operator.
 */
/* nodes: threads fibers */
/* processes: 1 3 */
/* link: @test/support/spread.flags */
#include <inttypes.h>
#include <string.h>

#include <lockstep/collective.h>

#include "op/op_internal.h"
#include "support/cells.h"
#include "support/guard.h"
#include "test.h"

enum { NODES = 7, USERS = 3 };

/* ---- Operators that come and go, and may lie where another lay */

static void add(void *dst, const void *a, const void *b, size_t n, void *context)
{
	(void)context;
	for (size_t i = 0; i < n; i++)
		((int64_t *)dst)[i] = ((const int64_t *)a)[i] + ((const int64_t *)b)[i];
}

static void greater(void *dst, const void *a, const void *b, size_t n, void *context)
{
	const int64_t *x = a, *y = b;

	(void)context;
	for (size_t i = 0; i < n; i++)
		((int64_t *)dst)[i] = x[i] > y[i] ? x[i] : y[i];
}

/* What only one run has. */
struct use {
	ls_op op;
	ls_type type;
	int64_t *in, *out;
};

static int use(ls_node *me, void *arg)
{
	const struct use *use = arg;
	int64_t *in = use->in + ls_rank(me), *out = use->out + ls_rank(me);
	int failed = LS_OK;

	*in = ls_rank(me) + 1;
	for (int i = 0; i < 3 && !failed; i++)
		failed = ls_allreduce(me, in, out, 1, LS_INT64, use->op);
	return failed;
}

static void test_operators(void)
{
	const struct ls_machine_options options = {
		.size = sizeof options, .rounds = LS_FREE, .engine = LS_MAILBOXES
	};
	int64_t in[NODES], out[NODES];
	ls_topology *t = topology_of("complete:7");
	ls_machine *machine = machine_on(t, &options);

	guard("operators that come and go");
	for (int i = 0; i < 2 * USERS; i++) {
		const struct ls_op_options user = {
			.size = sizeof user, .combine = i % 2 ? greater : add, .commutative = true
		};
		struct use a = { .in = in, .out = out };

		CHECK(ls_op_make(&user, &a.op) == LS_OK, "made");
		must_run(machine, use, &a);
		ls_op_destroy(a.op);
		for (int r = 0; r < NODES; r++)
			CHECK(out[r] == (i % 2 ? NODES : NODES * (NODES + 1) / 2),
				"operator %d: node %d has %" PRId64, i, r, out[r]);
	}
	ls_machine_destroy(machine);
	ls_topology_destroy(t);
}

/* One element of the given number of bytes, from the first node. */
static int send_words(ls_node *me, void *arg)
{
	const struct use *use = arg;
	int64_t *at = use->out + USERS * ls_rank(me);
	int failed = LS_OK;

	for (int64_t k = 0; k < USERS; k++)
		at[k] = ls_rank(me) == 0 ? k + 1 : 0;
	for (int i = 0; i < 3 && !failed; i++)
		failed = ls_broadcast(me, at, 1, use->type, 0);
	return failed;
}

static void test_types(void)
{
	const struct ls_machine_options options = {
		.size = sizeof options, .rounds = LS_FREE, .engine = LS_MAILBOXES
	};
	int64_t out[NODES][USERS];
	ls_topology *t = topology_of("complete:7");
	ls_machine *machine = machine_on(t, &options);

	guard("types that come and go");
	for (int64_t words = 1; words <= USERS; words++) {
		struct use a = { .out = out[0] };

		CHECK(ls_type_make((size_t)words * sizeof **out, &a.type) == LS_OK, "made");
		must_run(machine, send_words, &a);
		ls_type_destroy(a.type);
		for (int r = 1; r < NODES; r++)
			for (int64_t k = 0; k < USERS; k++)
				CHECK(out[r][k] == (k < words ? k + 1 : 0),
					"%" PRId64 " words: word %" PRId64 " of node %d is %" PRId64, words, k, r,
					out[r][k]);
	}
	ls_machine_destroy(machine);
	ls_topology_destroy(t);
}

/* ---- Another type or operator at the same address: the choice of the algorithm */

/* A type and an operator at fixed addresses: what free and malloc may do with a user's. */
static struct ls_type_info type_at;
static struct ls_op_info op_at;

/* Each has another default algorithm than the one before it. */
static const struct {
	size_t bytes;
	bool commutative;
} variants[] = { { 8, true }, { 256, true }, { 256, false } };

enum { MANY = 64, LONGEST_ELEMENT = 256 };

static void set_variant(size_t v)
{
	const struct ls_op_options options = {
		.size = sizeof options, .combine = add, .commutative = variants[v].commutative
	};
	ls_type type = NULL;
	ls_op op = NULL;

	CHECK(ls_type_make(variants[v].bytes, &type) == LS_OK && ls_op_make(&options, &op) == LS_OK,
		"made");
	type_at = *type;
	op_at = *op;
	ls_type_destroy(type);
	ls_op_destroy(op);
}

static int combine_elements(ls_node *me, void *arg)
{
	char *in = calloc(2 * MANY, LONGEST_ELEMENT);
	const int failed = ls_allreduce(me, in, in + MANY * LONGEST_ELEMENT, MANY, &type_at, &op_at);

	(void)arg;
	free(in);
	return failed;
}

static struct ls_stats stats_of(ls_machine *machine)
{
	struct ls_stats stats = { .size = sizeof stats };

	must_run(machine, combine_elements, NULL);
	ls_machine_stats(machine, &stats);
	return stats;
}

/* A machine that has executed the variants before chooses as a new one does. */
static void test_choices(void)
{
	const struct ls_machine_options options = {
		.size = sizeof options, .mode = LS_ROUTED, .rounds = LS_FREE, .engine = LS_MAILBOXES
	};
	ls_topology *t = topology_of("complete:7");
	ls_machine *machine = machine_on(t, &options);
	int64_t before = 0;

	guard("another type or operator at the same address");
	for (size_t v = 0; v < sizeof variants / sizeof *variants; v++) {
		ls_machine *fresh = machine_on(t, &options);

		set_variant(v);

		const struct ls_stats is = stats_of(machine), chosen = stats_of(fresh);

		CHECK(is.rounds == chosen.rounds && is.messages == chosen.messages
				&& chosen.messages != before,
			"variant %zu: %" PRId64 " rounds and %" PRId64 " messages, not %" PRId64 " and %" PRId64
			"; before %" PRId64,
			v, is.rounds, is.messages, chosen.rounds, chosen.messages, before);
		before = chosen.messages;
		ls_machine_destroy(fresh);
	}
	ls_machine_destroy(machine);
	ls_topology_destroy(t);
}

int main(void)
{
	test_operators();
	test_types();
	test_choices();
	return test_result();
}
