/*
 * Nodes call different collective operations, and every node gets an error.  On small machines one
 * node alters one field of one of its calls.  With LS_LONG every node alters each of its calls, one
 * per run; otherwise one of them, a different one at the next node, and with LS_FAST only some
 * nodes do.  The error names this node.  It is LS_ERR_MISMATCH, or LS_ERR_LEFT or LS_ERR_UNTAKEN
 * after an additional or missing call, or one in another group.
 */
/* alone: beside others its nodes wait for processors, up to ten times as long */
/* nodes: threads fibers */
/* processes: 1 3 */
/* link: @test/support/spread.flags */
#include <inttypes.h>
#include <string.h>

#include <lockstep/collective.h>

#include "support/cells.h"
#include "support/guard.h"
#include "support/spread_machine.h"
#include "test.h"

enum {
	CALLS = 3,
	FAST_EVERY = 11,
	REPEAT_EVERY = 37,
	SHORT = 6,
	LONG = 3000
}; /* words: in a slot, zero-copy */

struct trial {
	const struct base *base;
	const struct altered *altered;
	int64_t p, node, call; /* node -1: all call the same */
	size_t count;
	const struct way *way;
	ls_machine *machine;
};

/*
 * Lockstep rounds compare calls before anything is sent, and so does the cooperative engine, which
 * needs one process.
 */
struct way {
	enum ls_rounds rounds;
	enum ls_engine engine;
	const char *name;
	bool compares;
};
static const struct way ways[] = { { LS_LOCKSTEP, LS_AUTO, "lockstep rounds", true },
	{ LS_LOCKSTEP, LS_MAILBOXES, "lockstep rounds, mailboxes", true },
	{ LS_FREE, LS_MAILBOXES, "free rounds, mailboxes", false },
	{ LS_FREE, LS_COOPERATIVE, "free rounds, cooperative", true },
	{ LS_FREE, LS_AUTO, "free rounds, auto", false } };

/* The calls of all nodes; and the difference at one node: a field, the number of calls, a group. */
struct base {
	const char *name;
	enum ls_operation operation;
	const char *algorithm;
};
struct altered {
	const char *name;
	void (*alter)(struct ls_call *, const struct trial *);
	int extra;                             /* calls more than the others make there: -1, 1 */
	bool group;                            /* the call is made in a group that all nodes are in */
	bool (*changes)(const struct trial *); /* NULL: always */
};

static void other_type(struct ls_call *c, const struct trial *s)
{
	(void)s;
	c->type = LS_UINT64;
}
static void other_op(struct ls_call *c, const struct trial *s)
{
	(void)s;
	c->op = LS_MAX;
}
static void one_more(struct ls_call *c, const struct trial *s)
{
	(void)s;
	c->count++;
}
static void one_less(struct ls_call *c, const struct trial *s)
{
	(void)s;
	c->count--;
}
static void other_root(struct ls_call *c, const struct trial *s)
{
	c->root = (c->root + 1) % s->p;
}

static void other_distance(struct ls_call *c, const struct trial *s)
{
	c->shift = (c->shift + 1) % s->p;
}

static void other_operation(struct ls_call *c, const struct trial *s)
{
	(void)s;
	c->operation = c->operation == LS_BROADCAST ? LS_ALLREDUCE : LS_BROADCAST;
}

static void a_barrier(struct ls_call *c, const struct trial *s)
{
	(void)s;
	c->operation = LS_BARRIER;
}
static void other_algorithm(struct ls_call *c, const struct trial *s)
{
	(void)s;
	c->algorithm = "spanning-tree";
}
static void nothing(struct ls_call *c, const struct trial *s)
{
	(void)c;
	(void)s;
}

static bool combines(const struct trial *s)
{
	return s->base->operation != LS_BROADCAST && s->base->operation < LS_ALLTOALL;
}

static bool shifts(const struct trial *s)
{
	return s->base->operation == LS_SHIFT;
}

/* Does the operation have the algorithm of other_algorithm()? */
static bool is_general(const struct trial *s)
{
	return s->base->operation <= LS_ALLREDUCE;
}

static bool is_rooted(const struct trial *s)
{
	return s->base->operation == LS_BROADCAST || s->base->operation == LS_REDUCE;
}

static const struct base bases[] = {
	{ "allreduce", LS_ALLREDUCE, NULL },
	{ "reduce", LS_REDUCE, NULL },
	{ "broadcast", LS_BROADCAST, NULL },
	{ "reduce-scatter", LS_REDUCE_SCATTER, NULL },
	{ "shift", LS_SHIFT, NULL },
};

static const struct altered alterations[] = {
	{ "type", other_type, 0, false, NULL },
	{ "operator", other_op, 0, false, combines },
	{ "count + 1", one_more, 0, false, NULL },
	{ "count - 1", one_less, 0, false, NULL },
	{ "root", other_root, 0, false, is_rooted },
	{ "distance", other_distance, 0, false, shifts },
	{ "operation", other_operation, 0, false, NULL },
	{ "barrier", a_barrier, 0, false, NULL },
	{ "algorithm", other_algorithm, 0, false, is_general },
	{ "one call more", nothing, 1, false, NULL },
	{ "one call less", nothing, -1, false, NULL },
	{ "group", nothing, 0, true, NULL },
};

/* ---- The node program */

static int call_once(ls_node *me, const struct trial *s, bool altered, int64_t *in, int64_t *out)
{
	struct ls_call call = { .size = sizeof call,
		.operation = s->base->operation,
		.algorithm = s->base->algorithm,
		.input = in,
		.output = out,
		.count = s->count,
		.type = LS_INT64,
		.op = LS_SUM,
		.shift = 1 };

	if (altered)
		s->altered->alter(&call, s);
	if (call.operation == LS_BROADCAST)
		call.output = in;
	return ls_collective(me, &call);
}

static void check_untouched(const struct trial *s, const int64_t *out, int64_t mark)
{
	for (size_t i = 0; i < s->count + 1; i++)
		CHECK(out[i] == mark, "%s: a result is written", guarded());
}

static bool compares(const struct way *way)
{
	return way->compares && (way->rounds == LS_LOCKSTEP || process_count() == 1);
}

static int call_all(ls_node *me, ls_node *all, const struct trial *s, int64_t *in, int64_t *out)
{
	int failed = LS_OK;

	for (int64_t call = 1; call <= CALLS && !failed; call++) {
		const bool altered = ls_rank(me) == s->node && call == s->call;
		const int times = altered ? 1 + s->altered->extra : 1;

		for (size_t i = 0; i < s->count + 1; i++) {
			in[i] = ls_rank(me) + 1;
			out[i] = -call;
		}
		for (int i = 0; i < times && !failed; i++)
			failed = call_once(altered && s->altered->group ? all : me, s, altered, in, out);
		if (failed && compares(s->way) && !s->altered->extra)
			check_untouched(s, out, -call);
		if (!failed && s->node < 0 && s->base->operation == LS_ALLREDUCE)
			CHECK(out[s->count - 1] == s->p * (s->p + 1) / 2, "%s: a wrong sum", guarded());
	}
	return failed;
}

static int program(ls_node *me, void *arg)
{
	const struct trial *s = arg;
	const size_t words = (s->count + 1) * (size_t)s->p;
	int64_t *in = memory(words, sizeof *in), *out = memory(words, sizeof *out);
	ls_node *all;
	int failed = ls_split(me, 0, 0, &all);

	if (!failed)
		failed = call_all(me, all, s, in, out);
	free(in);
	free(out);
	return failed;
}

/* ---- Runs */

/*
 * An additional or missing call, or one in another group, looks like the same call until a node
 * waits for a node whose program has ended (LS_ERR_LEFT), or a message is not received
 * (LS_ERR_UNTAKEN).
 */
static bool is_right(const struct trial *s, const struct ls_error *e)
{
	const bool late = s->altered->extra || s->altered->group;

	return (e->kind == LS_ERR_MISMATCH
			   || (late && (e->kind == LS_ERR_LEFT || e->kind == LS_ERR_UNTAKEN)))
		&& (e->node == s->node || e->peer == s->node) && e->text[0];
}

static void play(struct trial *s)
{
	struct trial again = *s;
	struct ls_error e = { .size = sizeof e };

	if (s->altered->changes && !s->altered->changes(s))
		return;
	guard("%s, %s at node %" PRId64 " of %s in call %" PRId64 ", count %zu, %s", s->base->name,
		s->altered->name, s->node, ls_topology_spec(ls_machine_topology(s->machine)), s->call,
		s->count, s->way->name);

	const int status = ls_run(s->machine, program, s);

	ls_last_error(s->machine, &e);
	CHECK(status == e.kind && is_right(s, &e), "%s: %s at %" PRId64 ", peer %" PRId64 ": %s",
		guarded(), ls_status_name(status), e.node, e.peer, e.text);
	CHECK(e.operation, "%s: no operation: %s", guarded(), e.text);
	again.node = -1;
	must_run(s->machine, program, &again);
}

static void test_network(const char *spec, const struct way *way, enum ls_mode mode, size_t count)
{
	ls_topology *t = topology_of(spec);
	const struct ls_machine_options options = {
		.size = sizeof options, .rounds = way->rounds, .engine = way->engine, .mode = mode
	};
	struct trial s = {
		.p = ls_topology_nodes(t), .count = count, .way = way, .machine = machine_on(t, &options)
	};
	const int every = is_fast_repeat() ? REPEAT_EVERY : is_fast() ? FAST_EVERY : CALLS;
	static int turn;

	for (size_t b = 0; b < sizeof bases / sizeof *bases; b++) {
		s.base = &bases[b];
		for (size_t a = 0; a < sizeof alterations / sizeof *alterations; a++) {
			s.altered = &alterations[a];
			for (s.node = 0; s.node < s.p; s.node++) {
				for (s.call = 1; s.call <= CALLS; s.call++)
					if (is_long() || turn++ % every == 0)
						play(&s);
				turn++;
			}
		}
	}
	ls_machine_destroy(s.machine);
	ls_topology_destroy(t);
}

/* ---- Many operators */

static void take_first(void *dst, const void *a, const void *b, size_t n, void *context)
{
	(void)b, (void)context;
	memcpy(dst, a, n * sizeof(int64_t));
}

static int add_or_take(ls_node *me, void *op)
{
	int64_t in = ls_rank(me), out;

	return ls_allreduce(me, &in, &out, 1, LS_INT64, ls_rank(me) == 0 ? LS_SUM : *(ls_op *)op);
}

/* However many operators a process has made, none passes for a built-in one. */
static void test_many_operators(void)
{
	const struct ls_op_options options = {
		.size = sizeof options, .name = "first", .combine = take_first, .commutative = true
	};
	const struct ls_machine_options machine_options = { .size = sizeof machine_options,
		.engine = LS_MAILBOXES,
		.node_kind = node_kind(),
		.rounds = LS_FREE };
	ls_topology *t = topology_of("linear:2");
	ls_machine *machine = machine_on(t, &machine_options);

	for (int made = 0; made < (1 << 16) + 64; made++) {
		ls_op op;

		CHECK(ls_op_make(&options, &op) == LS_OK, "operator %d", made);
		if (made < 64 || made > (1 << 16) - 64)
			CHECK(ls_run(machine, add_or_take, &op) == LS_ERR_MISMATCH,
				"operator %d is taken for the sum", made);
		ls_op_destroy(op);
	}
	ls_machine_destroy(machine);
	ls_topology_destroy(t);
}

/* Two nodes call differently, while the third computes for longer than the verdict waits. */
static int compute_meanwhile(ls_node *me, void *unused)
{
	int64_t in[2] = { 1, 2 }, out[2];
	ls_node *pair;
	int failed = ls_split(me, ls_rank(me) == 2, 0, &pair);

	(void)unused;
	if (failed)
		return failed;
	if (ls_rank(me) == 2) {
		nap(1500);
		return LS_OK;
	}
	return ls_allreduce(pair, in, out, 1 + (size_t)ls_rank(pair), LS_INT64, LS_SUM);
}

static void test_early_verdict(const struct way *way)
{
	const struct ls_machine_options options = { .size = sizeof options,
		.node_kind = node_kind(),
		.engine = way->engine,
		.rounds = way->rounds };
	ls_topology *t = topology_of("complete:3");
	ls_machine *machine = machine_on(t, &options);
	struct ls_error e = { .size = sizeof e };

	guard("%s, a node computes", way->name);
	CHECK(ls_run(machine, compute_meanwhile, NULL) == LS_ERR_MISMATCH, "%s", guarded());
	ls_last_error(machine, &e);
	CHECK(e.node + e.peer == 1 && strstr(e.text, "node 0") && strstr(e.text, "node 1"), "%s: %s",
		guarded(), e.text);
	ls_machine_destroy(machine);
	ls_topology_destroy(t);
}

int main(void)
{
	static const char *const specs[] = { "ring:2", "ring:5", "hypercube:3", "complete:4", "star:3",
		"mesh:2x3" };
	const size_t n = is_fast() ? 2 : is_thin() ? 3 : sizeof specs / sizeof *specs;

	for (size_t i = 0; i < n; i++) {
		for (const struct way *way = ways; way < ways + sizeof ways / sizeof *ways; way++) {
			if (i > 2 && way->rounds == LS_LOCKSTEP && way->engine == LS_MAILBOXES)
				continue;
			test_network(specs[i], way, i % 2 ? LS_ROUTED : LS_HOP, SHORT);
			if (i < 2)
				test_network(specs[i], way, LS_HOP, LONG);
		}
	}
	test_many_operators();
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
		test_early_verdict(&ways[i]);
	return test_result();
}
