/*
 * Operations whose root changes with each call: the choice of the engine, and right results where
 * there are more roots than the cache of calls has entries.
 */
/* nodes: threads fibers */
#include <inttypes.h>
#include <stdlib.h>

#include "call/call.h"
#include "support/cells.h"
#include "support/guard.h"
#include "test.h"

/*
 * A broadcast to more nodes than cores runs ahead by mailboxes while its root stays the same.  Few
 * light nodes use mailboxes with another root, too.
 */
static void test_roots(void)
{
	static const struct {
		enum ls_node_kind kind;
		const char *network;
		int64_t nodes;
		bool depends;
	} rows[] = {
		{ LS_NODE_FIBER, "complete:24", 24, false },
		{ LS_NODE_FIBER, "complete:25", 25, true },
		{ LS_NODE_THREAD, "complete:24", 24, true },
		{ LS_NODE_THREAD, "complete:25", 25, true },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct ls_machine_options options = {
			.size = sizeof options, .rounds = LS_FREE, .node_kind = rows[i].kind
		};
		ls_topology *t = topology_of(rows[i].network);
		ls_machine *machine = machine_on(t, &options);
		const bool many = rows[i].nodes > (int64_t)machine->cores;

		guard("%" PRId64 " nodes as %s", rows[i].nodes, ls_node_kind_name(rows[i].kind));
		CHECK(lsi_engine_depends_on_root(machine, rows[i].nodes, LS_BROADCAST, 8)
				== (many && rows[i].depends),
			"%s", guarded());
		CHECK(!lsi_engine_depends_on_root(machine, rows[i].nodes, LS_REDUCE, 8), "%s", guarded());
		ls_machine_destroy(machine);
		ls_topology_destroy(t);
	}
}

/* Roots r and r + ENTRIES share an entry. */
enum { ENTRIES = LSI_CALL_CACHE_SIZE, SHARED = 4, NODES = ENTRIES + SHARED, TURNS = 8, COUNT = 2 };

/* Element e of block b of an operand of node r, in call k. */
static int64_t value(int64_t r, int64_t b, int64_t e, int64_t k)
{
	return ((r * NODES + b) * COUNT + e) * 1000 + k;
}

struct rooted_buffers {
	int64_t in[NODES * COUNT], out[NODES * COUNT];
};

/* Broadcast with and without a copy, and two counts in turns. */
static int broadcast(ls_node *me, struct rooted_buffers *b, int64_t root, int64_t k)
{
	const size_t n = (size_t)(1 + k / (2 * SHARED) % COUNT);
	const int64_t rank = ls_rank(me);
	int failed;

	for (size_t e = 0; e < n; e++)
		b->out[e] = rank == root ? value(root, 0, (int64_t)e, k) : -1;
	failed = ls_broadcast(me, b->out, n, LS_INT64, root);
	for (size_t e = 0; e < n && !failed; e++)
		CHECK(b->out[e] == value(root, 0, (int64_t)e, k), "%s: node %" PRId64, guarded(), rank);
	return failed;
}

/* At the root in place in two turns of four. */
static int reduce(ls_node *me, struct rooted_buffers *b, int64_t root, int64_t k)
{
	const int64_t rank = ls_rank(me);
	const bool in_place = (k / (4 * SHARED) + root) % 2 && rank == root;
	const int64_t *sum = in_place ? b->in : b->out;
	int failed;

	b->in[0] = rank * k;
	failed = ls_reduce(me, b->in, rank == root ? (int64_t *)sum : NULL, 1, LS_INT64, LS_SUM, root);
	if (!failed && rank == root)
		CHECK(*sum == k * NODES * (NODES - 1) / 2, "%s: %" PRId64, guarded(), *sum);
	return failed;
}

static int scatter_and_gather(ls_node *me, struct rooted_buffers *b, int64_t root, int64_t k)
{
	const int64_t rank = ls_rank(me);
	int64_t block[1] = { -1 };
	int failed;

	for (int64_t r = 0; r < NODES; r++)
		b->in[r] = value(root, r, 0, k);
	failed = ls_scatter(me, rank == root ? b->in : NULL, block, 1, LS_INT64, root);
	CHECK(failed || block[0] == value(root, rank, 0, k), "%s: node %" PRId64, guarded(), rank);
	if (!failed)
		failed = ls_gather(me, block, rank == root ? b->out : NULL, 1, LS_INT64, root);
	for (int64_t r = 0; r < NODES && rank == root && !failed; r++)
		CHECK(b->out[r] == value(root, r, 0, k), "%s: block %" PRId64, guarded(), r);
	return failed;
}

/* A refused call with the other root of the entry leaves the cached call as it was. */
static void refuse(ls_node *me, int64_t root)
{
	CHECK(ls_broadcast(me, NULL, 1, LS_INT64, root) == LS_ERR_ARGUMENT, "%s", guarded());
}

static int use_all_roots(ls_node *me, void *unused)
{
	struct rooted_buffers *b = malloc(sizeof *b);
	int failed = b ? LS_OK : LS_ERR_MEMORY;

	(void)unused;
	for (int64_t k = 0; k < TURNS * 2 * SHARED && !failed; k++) {
		const int64_t root = k % SHARED + k / SHARED % 2 * ENTRIES;

		failed = broadcast(me, b, root, k);
		if (!failed)
			failed = reduce(me, b, root, k);
		if (!failed)
			failed = scatter_and_gather(me, b, NODES - 1 - root, k);
		if (!failed)
			refuse(me, (root + ENTRIES) % (2 * ENTRIES));
	}
	free(b);
	return failed;
}

static void test_more_roots_than_entries(void)
{
	static const enum ls_engine engines[] = { LS_AUTO, LS_MAILBOXES, LS_COOPERATIVE };
	ls_topology *t = topology_of("complete:68");

	for (size_t i = 0; i < sizeof engines / sizeof *engines; i++) {
		const struct ls_machine_options options = { .size = sizeof options,
			.rounds = LS_FREE,
			.node_kind = node_kind(),
			.engine = engines[i] };
		ls_machine *machine = machine_on(t, &options);

		guard("%s", ls_engine_name(engines[i]));
		must_run(machine, use_all_roots, NULL);
		ls_machine_destroy(machine);
	}
	ls_topology_destroy(t);
}

int main(void)
{
	if (node_kind() == LS_NODE_THREAD) /* it makes machines of both kinds */
		test_roots();
	test_more_roots_than_entries();
	return test_result();
}
