/*
 * Calls that are the same as the one before, or differ from it in one thing: what a node remembers
 * of calls must never serve another one.  Results are compared with what the operands say; counts
 * of messages and rounds, by nodes that go the fast path and by nodes that cannot, with each other.
 */
/* link: -Wl,--wrap=lsi_fast_path */
/* alone: beside others its nodes wait for processors, up to ten times as long */
/* nodes: threads fibers */
#include <inttypes.h>
#include <string.h>

#include <lockstep/collective.h>

#include "engine/mailboxes/execute_step.h"
#include "support/cells.h"
#include "support/guard.h"
#include "test.h"

/* ---- Is the fast path taken, and is it left? */

static atomic_llong taken, left;

bool __real_lsi_fast_path(struct lsi_execution *);
bool __wrap_lsi_fast_path(struct lsi_execution *);

bool __wrap_lsi_fast_path(struct lsi_execution *x)
{
	const bool whole = __real_lsi_fast_path(x);

	atomic_fetch_add(whole ? &taken : &left, 1);
	return whole;
}

/* ---- Calls */

enum { CALLS = 3000, THIN_CALLS = 600, LENGTHS = 4, LONGEST = 700 };

static const size_t length_of[LENGTHS] = { 0, 1, 9, LONGEST };

/* What a call is, but for its buffers. */
struct kind {
	enum ls_operation operation;
	size_t n;
	bool real, in_place, named, maximum;
	int64_t where; /* root or distance */
};

static const enum ls_operation operations[] = { LS_ALLREDUCE, LS_BROADCAST, LS_REDUCE, LS_SHIFT,
	LS_SCAN, LS_BARRIER };
enum { OPERATIONS = sizeof operations / sizeof *operations };

/* Another kind, that differs in one thing or in nothing. */
static struct kind varied(struct kind k, uint64_t *state, int64_t nodes)
{
	switch (random_below(state, 10)) {
	case 0:
		k.operation = operations[random_below(state, OPERATIONS)];
		break;
	case 1:
		k.n = length_of[random_below(state, LENGTHS)];
		break;
	case 2:
		k.real = !k.real;
		break;
	case 3:
		k.in_place = !k.in_place;
		break;
	case 4:
		k.named = !k.named;
		break;
	case 5:
		k.maximum = !k.maximum;
		break;
	case 6:
		k.where = random_below(state, nodes);
		break;
	default:
		break;
	}
	return k;
}

static int64_t given(int64_t rank, int turn, size_t i)
{
	return rank * 3 + turn % 1000 + (int64_t)(i % 50);
}

/* The result at a node, who folds the operands of the nodes from .. to - 1; from == to: none. */
static int64_t wanted(const struct kind *k, int64_t from, int64_t to, int turn, size_t i)
{
	int64_t all = given(from, turn, i);

	for (int64_t r = from + 1; r < to; r++) {
		const int64_t next = given(r, turn, i);

		all = !k->maximum ? all + next : next > all ? next : all;
	}
	return all;
}

static bool has_result(const struct kind *k, int64_t rank)
{
	return k->operation != LS_BARRIER && (k->operation != LS_REDUCE || rank == k->where);
}

static void check(const struct kind *k, const void *out, int64_t rank, int64_t nodes, int turn)
{
	const int64_t back = (rank - k->where + nodes) % nodes;
	const int64_t from = k->operation == LS_BROADCAST ? k->where
		: k->operation == LS_SHIFT                    ? back
													  : 0;
	const int64_t to = k->operation == LS_BROADCAST || k->operation == LS_SHIFT ? from + 1
		: k->operation == LS_SCAN                                               ? rank + 1
																				: nodes;
	size_t i = 0;

	for (; i < k->n && has_result(k, rank); i++) {
		const int64_t is = k->real ? (int64_t)((const double *)out)[i] : ((const int64_t *)out)[i];

		if (is != wanted(k, from, to, turn, i))
			break;
	}
	CHECK(i == k->n || !has_result(k, rank),
		"%s: node %" PRId64 ", call %d, %s of %zu %s%s%s: element %zu", guarded(), rank, turn,
		ls_operation_name(k->operation), k->n, k->real ? "double" : "int64",
		k->in_place ? ", in place" : "", k->named ? ", by name" : "", i);
}

/* Some algorithm for it, or the default's. */
static const char *name_of(const ls_node *me, const struct kind *k)
{
	const struct ls_request request = { .size = sizeof request,
		.topology = ls_node_topology(me),
		.operation = k->operation,
		.count = k->n,
		.root = k->where };

	return k->named ? serving(&request, 0, 1) : NULL;
}

/* By the function of its own where no algorithm is named. */
static int make(ls_node *me, const struct kind *k, const void *in, void *out)
{
	const ls_type type = k->real ? LS_DOUBLE : LS_INT64;
	const ls_op op = k->maximum ? LS_MAX : LS_SUM;
	const char *name = name_of(me, k);
	const bool broadcast = k->operation == LS_BROADCAST, shift = k->operation == LS_SHIFT;
	const bool rooted = broadcast || k->operation == LS_REDUCE;
	const struct ls_call call = { .size = sizeof call,
		.operation = k->operation,
		.algorithm = name,
		.input = broadcast ? out : in,
		.output = out,
		.count = k->n,
		.type = type,
		.op = op,
		.root = rooted ? k->where : 0,
		.shift = shift ? k->where : 0 };

	if (name)
		return ls_collective(me, &call);
	switch (k->operation) {
	case LS_BROADCAST:
		return ls_broadcast(me, out, k->n, type, k->where);
	case LS_REDUCE:
		return ls_reduce(me, in, out, k->n, type, op, k->where);
	case LS_SHIFT:
		return ls_shift(me, in, out, k->n, type, k->where);
	case LS_SCAN:
		return ls_scan(me, in, out, k->n, type, op);
	case LS_BARRIER:
		return ls_barrier(me);
	default:
		return ls_allreduce(me, in, out, k->n, type, op);
	}
}

static void fill(const struct kind *k, void *in, int64_t rank, int turn)
{
	for (size_t i = 0; i < k->n; i++) {
		if (k->real)
			((double *)in)[i] = (double)given(rank, turn, i);
		else
			((int64_t *)in)[i] = given(rank, turn, i);
	}
}

static int program(ls_node *me, void *arg)
{
	uint64_t state = *(const uint64_t *)arg;
	struct kind kind = { .operation = LS_ALLREDUCE, .n = 1 };
	void *in = memory(LONGEST, sizeof(int64_t)), *out = memory(LONGEST, sizeof(int64_t));
	const int calls = is_thin() || is_fast() ? THIN_CALLS : CALLS;
	int failed = LS_OK;

	for (int turn = 0; turn < calls && !failed; turn++) {
		kind = varied(kind, &state, ls_size(me));

		const bool in_place = kind.in_place || kind.operation == LS_BROADCAST;

		memset(out, -1, LONGEST * sizeof(int64_t));
		fill(&kind, in_place ? out : in, ls_rank(me), turn);
		failed = make(me, &kind, in_place ? out : in, out);
		if (!failed)
			check(&kind, out, ls_rank(me), ls_size(me), turn);
	}
	free(in);
	free(out);
	return failed;
}

static struct ls_stats run(
	const ls_topology *t, enum ls_rounds rounds, enum ls_engine engine, uint64_t seed)
{
	const struct ls_machine_options options = {
		.size = sizeof options, .rounds = rounds, .engine = engine
	};
	struct ls_stats stats = { .size = sizeof stats };
	ls_machine *machine = machine_on(t, &options);

	guard("%s, %s, %s, seed %" PRIu64, ls_topology_spec(t), rounds == LS_FREE ? "free" : "lockstep",
		ls_engine_name(engine), seed);
	must_run(machine, program, &seed);
	ls_machine_stats(machine, &stats);
	ls_machine_destroy(machine);
	return stats;
}

/* Only free rounds have the fast path. */
static void test_calls(const char *spec, uint64_t seed)
{
	ls_topology *t = topology_of(spec);
	const struct ls_stats fast = run(t, LS_FREE, LS_MAILBOXES, seed);
	const struct ls_stats others[] = { run(t, LS_LOCKSTEP, LS_MAILBOXES, seed),
		run(t, LS_FREE, LS_AUTO, seed), run(t, LS_FREE, LS_COOPERATIVE, seed) };

	for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
		const struct ls_stats *other = &others[i];

		CHECK(fast.messages > 0 && fast.messages == other->messages && fast.words == other->words
				&& fast.bytes == other->bytes && fast.rounds == other->rounds,
			"%s: %" PRId64 " messages, %" PRId64 " words, %" PRId64 " bytes, %" PRId64
			" rounds; otherwise (%zu) %" PRId64 ", %" PRId64 ", %" PRId64 ", %" PRId64,
			spec, fast.messages, fast.words, fast.bytes, fast.rounds, i, other->messages,
			other->words, other->bytes, other->rounds);
	}
	ls_topology_destroy(t);
}

int main(void)
{
	static const char *const specs[] = { "complete:2", "complete:7", "ring:5", "star:3", "tree:4" };

	for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
		test_calls(specs[i], 7 + i);
	CHECK(atomic_load(&taken) > 1000 && atomic_load(&left) > 1000,
		"the fast path is taken %lld times, and left %lld times", atomic_load(&taken),
		atomic_load(&left));
	return test_result();
}
