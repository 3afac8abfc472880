/*
 * Calls in which some nodes are in place; in a rooted call the root alone may be.  A node that
 * executes a call for all nodes must read the operands where each node has them.  Every engine,
 * round mode, size and root; the results are known in advance.
 */
/* nodes: threads fibers */
/* processes: 1 3 */
/* link: @test/support/spread.flags */
#include <lockstep.h>

#include <inttypes.h>

#include "support/guard.h"
#include "test.h"

enum { NODES = 8, LENGTH = 3000, TURNS = 3 };

static double operand_of[NODES][LENGTH], result_of[NODES][LENGTH];

struct way {
	enum ls_engine engine;
	enum ls_rounds rounds;
};

static int reduce(ls_node *me, int64_t root)
{
	const int64_t r = ls_rank(me), p = ls_size(me);
	double *const x = operand_of[ls_rank(me)];
	int failed;

	for (int i = 0; i < LENGTH; i++)
		x[i] = (double)(r + i);
	failed = ls_reduce(me, x, r == root ? x : NULL, LENGTH, LS_DOUBLE, LS_SUM, root);
	for (int i = 0; i < LENGTH && !failed; i++) {
		const double wanted = r == root ? (double)(p * (p - 1) / 2 + p * i) : (double)(r + i);

		CHECK(x[i] == wanted, "reduce, root %" PRId64 ", node %" PRId64 ", element %d", root, r, i);
	}
	return failed;
}

static int gather(ls_node *me, int64_t root)
{
	const int64_t r = ls_rank(me), p = ls_size(me);
	double all[NODES] = { 0 }, own = 7 * (double)r;
	int failed;

	all[r] = own;
	failed = ls_gather(me, r == root ? &all[r] : &own, all, 1, LS_DOUBLE, root);
	for (int64_t i = 0; i < p && r == root && !failed; i++)
		CHECK(all[i] == 7 * (double)i, "gather, root %" PRId64 ", block %" PRId64, root, i);
	return failed;
}

static int scatter(ls_node *me, int64_t root)
{
	const int64_t r = ls_rank(me);
	double all[NODES], own = -1;
	int failed;

	for (int i = 0; i < NODES; i++)
		all[i] = 3 * i;
	failed = ls_scatter(me, all, r == root ? &all[r] : &own, 1, LS_DOUBLE, root);
	if (!failed)
		CHECK((r == root ? all[r] : own) == 3 * (double)r,
			"scatter, root %" PRId64 ", node %" PRId64, root, r);
	return failed;
}

/* The root has its data where others have nothing. */
static int broadcast(ls_node *me, int64_t root, bool in_place)
{
	double *const from = operand_of[ls_rank(me)], *const to = result_of[ls_rank(me)];
	const bool is_root = ls_rank(me) == root;
	double *out = is_root && in_place ? from : to;
	int failed;

	for (int i = 0; i < LENGTH; i++) {
		from[i] = (double)(root + i);
		to[i] = -1;
	}
	failed = ls_collective(me,
		&(struct ls_call){ .size = sizeof(struct ls_call),
			.operation = LS_BROADCAST,
			.input = is_root ? from : NULL,
			.output = out,
			.count = LENGTH,
			.root = root });
	for (int i = 0; i < LENGTH && !failed; i++)
		CHECK(out[i] == (double)(root + i), "broadcast, root %" PRId64 ", node %" PRId64, root,
			ls_rank(me));
	return failed;
}

/* Not as calls should be, but each node knows where its own lie: every other one is in place. */
static int shift(ls_node *me)
{
	const int64_t r = ls_rank(me), p = ls_size(me);
	double *const from = operand_of[ls_rank(me)], *const to = result_of[ls_rank(me)];
	double *out = r % 2 ? from : to;
	int failed;

	for (int i = 0; i < LENGTH; i++)
		from[i] = (double)(100 * r + i);
	failed = ls_shift(me, from, out, LENGTH, LS_DOUBLE, 1);
	for (int i = 0; i < LENGTH && !failed; i++)
		CHECK(out[i] == (double)(100 * ((r + p - 1) % p) + i), "shift, node %" PRId64, r);
	return failed;
}

static int program(ls_node *me, void *arg)
{
	int failed = shift(me);

	(void)arg;
	for (int64_t root = 0; root < ls_size(me); root++) {
		for (int turn = 0; turn < TURNS && !failed; turn++) {
			failed = reduce(me, root);
			failed = failed ? failed : gather(me, root);
			failed = failed ? failed : scatter(me, root);
			failed = failed ? failed : broadcast(me, root, turn % 2);
		}
	}
	return failed;
}

int main(void)
{
	static const struct way ways[] = { { LS_MAILBOXES, LS_FREE }, { LS_MAILBOXES, LS_LOCKSTEP },
		{ LS_COOPERATIVE, LS_FREE }, { LS_COOPERATIVE, LS_LOCKSTEP }, { LS_AUTO, LS_FREE } };

	for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
		for (int p = 2; p <= NODES; p += 3) {
			const struct ls_machine_options options = { .size = sizeof options,
				.engine = ways[w].engine,
				.rounds = ways[w].rounds,
				.node_kind = node_kind() };
			char spec[32];
			ls_topology *topology;
			ls_machine *machine;

			snprintf(spec, sizeof spec, "complete:%d", p);
			CHECK(!ls_topology_make(spec, &topology, NULL), "topology");
			CHECK(!ls_machine_make(topology, &options, &machine), "machine");
			CHECK(!ls_run(machine, program, NULL), "way %zu, %d nodes", w, p);
			ls_machine_destroy(machine);
			ls_topology_destroy(topology);
		}
	}
	return test_result();
}
