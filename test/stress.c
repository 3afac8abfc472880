/*
 * Random programs on random machines: collective calls, messages, groups, with random delays at
 * every node.
 *
 * A program is a sequence of steps that all nodes derive from one number, at first LS_SEED.  The
 * message of a failure gives that number.
 */
/* alone: beside others its nodes wait for processors, up to ten times as long */
/* nodes: threads fibers */
#include <inttypes.h>
#include <sched.h>
#include <string.h>

#include <lockstep/collective.h>

#include "support/cells.h"
#include "support/guard.h"
#include "support/operand.h"
#include "test.h"

enum { STEPS = 12, MOST = 3000, SAMPLES = 6 };

struct script {
	uint64_t seed;
	enum ls_mode mode;
};

/* A node, its own delays, and the numbers that all nodes have in common. */
struct actor {
	ls_node *me;
	const struct script *script;
	uint64_t common, own;
	int64_t *in, *out;
};

static struct element element[ELEMENTS];

static void dawdle(struct actor *a)
{
	const int64_t what = random_below(&a->own, 24);

	if (what == 0)
		nap(1e-6 * (double)random_below(&a->own, 200000));
	else if (what < 4)
		sched_yield();
	for (volatile int64_t i = what < 8 ? random_below(&a->own, 2000) : 0; i > 0; i--)
		;
}

static size_t some_count(struct actor *a)
{
	static const int64_t most[] = { 3, 20, 200, MOST };

	return (size_t)random_below(&a->common, most[random_below(&a->common, 4)] + 1);
}

static int64_t word(uint64_t step, int64_t rank, size_t i)
{
	uint64_t state = step * 31 + (uint64_t)rank * 1000003 + i;

	return (int64_t)(random_next(&state) >> 8);
}

/* ---- Collective calls */

static int64_t total(uint64_t step, int64_t p, size_t i)
{
	uint64_t sum = 0;

	for (int64_t r = 0; r < p; r++)
		sum += (uint64_t)word(step, r, i);
	return (int64_t)sum;
}

static int reduce_or_broadcast(struct actor *a, ls_node *group)
{
	const int64_t p = ls_size(group), u = ls_rank(group), root = random_below(&a->common, p);
	const enum ls_operation operation = (enum ls_operation)random_below(&a->common, 3);
	const uint64_t step = random_next(&a->common);
	const size_t n = some_count(a);
	const struct ls_call call = { .size = sizeof call,
		.operation = operation,
		.count = n,
		.root = root,
		.input = a->in,
		.output = operation == LS_BROADCAST ? a->in : a->out,
		.type = LS_INT64,
		.op = LS_SUM };
	int failed;

	for (size_t i = 0; i < n; i++)
		a->in[i] = operation == LS_BROADCAST && u != root ? -1 : word(step, u, i);
	dawdle(a);
	failed = ls_collective(group, &call);
	for (int k = 0; k < SAMPLES && n > 0 && !failed; k++) {
		const size_t i = (size_t)random_below(&a->own, (int64_t)n);

		if (operation == LS_BROADCAST)
			CHECK(a->in[i] == word(step, root, i), "%s: broadcast at %" PRId64, guarded(), u);
		else if (operation == LS_ALLREDUCE || u == root)
			CHECK(a->out[i] == total(step, p, i), "%s: sum at %" PRId64, guarded(), u);
	}
	return failed;
}

/* Any element, few of them: each node knows what all give. */
static int reduce_anything(struct actor *a, ls_node *group)
{
	enum { FEW = 3, BYTES = 32 };
	const struct element *e = &element[random_below(&a->common, ELEMENTS)];
	const int64_t p = ls_size(group);
	const uint64_t seed = random_next(&a->common);
	char(*given)[FEW * BYTES] = memory((size_t)p, sizeof *given), want[FEW * BYTES],
					   got[FEW * BYTES];
	void **operands = memory((size_t)p, sizeof *operands);
	double slack[FEW];
	int failed;

	for (int64_t r = 0; r < p; r++) {
		operands[r] = given[r];
		operand_fill(e, given[r], FEW, r, seed);
	}
	dawdle(a);
	failed = ls_allreduce(group, given[ls_rank(group)], got, FEW, e->type, e->op);
	if (!failed) {
		operand_reduce(e, operands, p, FEW, want, slack);
		CHECK(operand_wrong(e, got, want, slack, FEW) == FEW, "%s: %s", guarded(), e->name);
	}
	free(operands);
	free(given);
	return failed;
}

static int several_calls(struct actor *a, ls_node *group)
{
	int failed = LS_OK;

	for (int64_t i = random_below(&a->common, 6); i >= 0 && !failed; i--) {
		switch (random_below(&a->common, 4)) {
		case 0:
			failed = ls_barrier(group);
			break;
		case 1:
			failed = reduce_anything(a, group);
			break;
		default:
			failed = reduce_or_broadcast(a, group);
		}
	}
	return failed;
}

/* Groups have their own numbers in common, so that their programs differ. */
static int calls_in_groups(struct actor *a)
{
	const int64_t parts = 1 + random_below(&a->common, 4),
				  part = (ls_rank(a->me) + random_below(&a->common, 9)) % parts;
	const int64_t sign = random_below(&a->common, 2) ? 1 : -1;
	const uint64_t common = a->common;
	ls_node *sub;
	int failed = ls_split(a->me, part, sign * ls_rank(a->me), &sub);

	a->common += (uint64_t)part;
	if (!failed)
		failed = several_calls(a, sub);
	a->common = common;
	if (!failed && random_below(&a->own, 2))
		ls_leave(sub);
	return failed;
}

/* ---- Messages */

/* to[u]: the receiver of node u; u itself: none.  A permutation; in hop mode pairs of neighbors. */
static void permute(struct actor *a, int64_t *to, int64_t p)
{
	for (int64_t u = 0; u < p; u++)
		to[u] = u;
	for (int64_t u = 0; u < p; u++) {
		const ls_topology *t = ls_node_topology(a->me);
		const int64_t degree = ls_degree(t, u);
		const int64_t v = a->script->mode == LS_ROUTED ? u + random_below(&a->common, p - u)
			: degree ? ls_neighbor(t, u, random_below(&a->common, degree))
					 : u;
		const int64_t old = to[u];

		if (a->script->mode == LS_HOP && (to[u] != u || to[v] != v))
			continue;
		to[u] = to[v];
		to[v] = old;
	}
}

static int message(struct actor *a, const int64_t *to, size_t n, uint64_t step)
{
	const int64_t u = ls_rank(a->me);
	int64_t from = 0;
	int failed = LS_OK;

	while (to[from] != u)
		from++;
	for (size_t i = 0; i < n; i++)
		a->in[i] = word(step, u, i);
	dawdle(a);
	if (from != u)
		failed = ls_send(a->me, to[u], a->in, n * sizeof *a->in);
	dawdle(a);
	if (from != u && !failed)
		failed = ls_receive(a->me, from, a->out, n * sizeof *a->out);
	for (size_t i = 0; i < n && from != u && !failed; i++)
		CHECK(a->out[i] == word(step, from, i), "%s: word %zu from %" PRId64, guarded(), i, from);
	return failed ? failed : ls_next_round(a->me);
}

static int messages(struct actor *a)
{
	const int64_t p = ls_size(a->me);
	int64_t *to = memory((size_t)p, sizeof *to);
	int failed = LS_OK;

	for (int64_t i = random_below(&a->common, 4); i >= 0 && !failed; i--) {
		const size_t n = some_count(a);

		permute(a, to, p);
		failed = message(a, to, n, random_next(&a->common));
	}
	free(to);
	return failed;
}

/* ---- The node program */

static int program(ls_node *me, void *arg)
{
	const struct script *script = arg;
	struct actor a = { .me = me,
		.script = script,
		.common = script->seed,
		.in = memory(MOST, sizeof *a.in),
		.out = memory(MOST, sizeof *a.out) };
	int failed = LS_OK;

	a.own = script->seed ^ (uint64_t)ls_rank(me) << 32;
	for (int step = 0; step < STEPS && !failed; step++) {
		switch (random_below(&a.common, 4)) {
		case 0:
			failed = messages(&a);
			break;
		case 1:
			failed = calls_in_groups(&a);
			break;
		default:
			failed = several_calls(&a, me);
		}
	}
	free(a.in);
	free(a.out);
	return failed;
}

static void play(uint64_t seed)
{
	static const char *const specs[] = { "complete:1", "ring:2", "complete:3", "linear:5",
		"mesh:2x3", "hypercube:3", "torus:3x4", "ring:17", "star:4", "complete:30", "torus:4x3x4",
		"hypercube:6", "star:5", "ring:120", "mesh:9x11" };
	const int n = is_thin() ? 9 : sizeof specs / sizeof *specs;
	uint64_t state = seed;
	ls_topology *t = topology_of(specs[random_below(&state, n)]);
	const struct ls_machine_options options = { .size = sizeof options,
		.rounds = (enum ls_rounds)random_below(&state, 2),
		.mode = (enum ls_mode)random_below(&state, 2),
		.mailbox = 1 + (int)random_below(&state, 5),
		.bind = (enum ls_bind)random_below(&state, 2),
		.engine = (enum ls_engine)random_below(&state, 3) };
	struct script script = { random_next(&state), options.mode };
	ls_machine *machine = machine_on(t, &options);

	guard("LS_SEED=%" PRIu64 ": %s, %s, %s rounds, engine %s", seed, ls_topology_spec(t),
		options.mode == LS_HOP ? "hop" : "routed",
		options.rounds == LS_LOCKSTEP ? "lockstep" : "free", ls_engine_name(options.engine));
	must_run(machine, program, &script);
	must_run(machine, program, &script);
	ls_machine_destroy(machine);
	ls_topology_destroy(t);
}

int main(void)
{
	const char *given = getenv("LS_SEED");
	const uint64_t seed = given ? strtoull(given, NULL, 0) : 1;
	const uint64_t programs = is_long() ? 6000 : is_thin() ? 60 : is_fast() ? 6 : 200;

	elements_make(element);
	for (uint64_t i = 0; i < programs; i++)
		play(seed + i);
	elements_destroy(element);
	printf("%" PRIu64 " programs\n", programs);
	return test_result();
}
