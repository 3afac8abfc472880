/*
 * Call after call on buffers that are written again as soon as a call has returned: nobody may
 * still read what was lent, and no message of one call may pass for one of the next.  Every
 * algorithm, in free rounds.
 */
/* timeout: 80 */
#include <inttypes.h>
#include <stdlib.h>

#include <lockstep/collective.h>

#include "collective/algorithm.h"
#include "support/cells.h"
#include "support/guard.h"
#include "test.h"

enum { CALLS = 24, LENT = 700, SHORT = 3 };       /* words */

struct row {
	const struct cell *cell;
	int mailbox;
};

/* What a node gives, for a node or all; the largest of some, and a sum, follow at sight. */
static int64_t given(int64_t rank, int64_t block, int call, size_t i)
{
	return rank + 100 * block + 10000 * call + 1000000 * (int64_t)i;
}

/* A result is made of what the nodes `from` .. `to` - 1 give as a block. */
struct origin { int64_t from, to, block; };

static struct origin origin(const struct ls_problem *p, int64_t rank, int64_t block)
{
	const int64_t back = (rank - p->shift + p->nodes) % p->nodes;

	switch (p->operation) {
	case LS_BROADCAST: return (struct origin){ p->root, p->root + 1, 0 };
	case LS_SHIFT: return (struct origin){ back, back + 1, 0 };
	case LS_SCAN: return (struct origin){ 0, rank + 1, 0 };
	case LS_EXSCAN: return (struct origin){ 0, rank, 0 };
	case LS_ALLGATHER:
	case LS_GATHER: return (struct origin){ block, block + 1, 0 };
	case LS_SCATTER: return (struct origin){ p->root, p->root + 1, rank };
	case LS_ALLTOALL: return (struct origin){ block, block + 1, rank };
	case LS_REDUCE_SCATTER: return (struct origin){ 0, p->nodes, rank };
	default: return (struct origin){ 0, p->nodes, 0 };
	}
}

static int64_t wanted(const struct cell *cell, int64_t rank, int64_t block, int call, size_t i)
{
	const struct origin o = origin(&cell->problem, rank, block);
	const int64_t n = o.to - o.from;

	if (cell->algorithm->claim == LS_IDEMPOTENT)
		return given(o.to - 1, o.block, call, i);
	return n * given(0, o.block, call, i) + o.from * n + n * (n - 1) / 2;
}

static bool is_one_of(enum ls_operation operation, uint32_t set)
{
	return LS_FOR(operation) & set;
}

/* Blocks of the operand and of the result at nodes that have them. */
static int64_t blocks_in(const struct ls_problem *p)
{
	return is_one_of(p->operation,
			   LS_FOR(LS_REDUCE_SCATTER) | LS_FOR(LS_SCATTER) | LS_FOR(LS_ALLTOALL))
		? p->nodes
		: 1;
}

static int64_t blocks_out(const struct ls_problem *p)
{
	return is_one_of(p->operation, LS_FOR(LS_ALLGATHER) | LS_FOR(LS_GATHER) | LS_FOR(LS_ALLTOALL))
		? p->nodes
		: 1;
}

static bool has_result(const struct ls_problem *p, int64_t rank)
{
	if (p->operation == LS_EXSCAN)
		return rank > 0;
	return p->operation != LS_BARRIER
		&& (rank == p->root || !is_one_of(p->operation, LS_FOR(LS_REDUCE) | LS_FOR(LS_GATHER)));
}

static void check_result(
	const struct cell *cell, int64_t rank, int call, size_t n, const int64_t *out)
{
	const int64_t blocks = blocks_out(&cell->problem);

	for (int64_t b = 0; b < blocks && has_result(&cell->problem, rank); b++) {
		size_t i = 0;

		while (i < n && out[(size_t)b * n + i] == wanted(cell, rank, b, call, i))
			i++;
		CHECK(i == n,
			"%s: node %" PRId64 ", call %d: element %zu of block %" PRId64 " is %" PRId64 ", not %" PRId64,
			guarded(), rank, call, i, b, out[(size_t)b * n + i], wanted(cell, rank, b, call, i));
	}
}

static int call_once(ls_node *me, const struct cell *cell, int call, int64_t *in, int64_t *out)
{
	const struct ls_problem *p = &cell->problem;
	const int64_t rank = ls_rank(me), blocks = blocks_in(p), results = blocks_out(p);
	const size_t n = p->operation == LS_BARRIER ? 0 : call % 4 == 3 ? SHORT : LENT;
	const bool at_root = is_one_of(p->operation, LS_FOR(LS_REDUCE) | LS_FOR(LS_GATHER));
	/* Only the root of some has a result; the others may say so. */
	const bool nothing = at_root && rank != p->root && call % 2;
	const bool in_place = p->in_place && !nothing;
	struct ls_call c = { .size = sizeof c,
		.operation = p->operation,
		.algorithm = cell->algorithm->name,
		.input = in,
		.output = nothing ? NULL : out,
		.count = n,
		.type = LS_INT64,
		.op = cell->algorithm->claim == LS_IDEMPOTENT ? LS_MAX : LS_SUM,
		.root = p->root,
		.shift = p->shift,
		.ports = p->ports };

	if (in_place && blocks > results)
		c.output = out = in + (size_t)rank * n;
	else if (in_place)
		c.input = in = out + (blocks < results ? (size_t)rank * n : 0);
	for (size_t i = 0; i < n * (size_t)results && !in_place; i++)
		out[i] = -1;
	for (size_t i = 0; i < n * (size_t)blocks; i++)
		in[i] = given(rank, (int64_t)(i / n), call, i % n);

	const int failed = ls_collective(me, &c);

	if (!failed)
		check_result(cell, rank, call, n, out);
	return failed;
}

static int program(ls_node *me, void *arg)
{
	const struct row *row = arg;
	const size_t words = LENT * (size_t)ls_size(me);
	int64_t *in = memory(words, sizeof *in), *out = memory(words, sizeof *out);
	int failed = LS_OK;

	for (int call = 1; call <= CALLS && !failed; call++)
		failed = call_once(me, row->cell, call, in, out);
	free(in);
	free(out);
	return failed;
}

static void test_cell(const struct cell *cell, void *cells)
{
	const struct row row = { cell, 1 + (int)(*(int64_t *)cells)++ % 4 };
	const struct ls_machine_options options = { .size = sizeof options,
		.rounds = LS_FREE,
		.mode = cell->problem.mode,
		.ports = cell->problem.ports,
		.mailbox = row.mailbox };
	ls_machine *machine = machine_on(cell->problem.topology, &options);

	guard("%s, mailbox %d", cell_name(cell).text, row.mailbox);
	must_run(machine, program, (void *)&row);
	ls_machine_destroy(machine);
}

int main(void)
{
	static const char *const specs[] = { "ring:5", "hypercube:3", "star:3", "complete:4",
		"mesh:2x3", "linear:4", "torus:3x3", "complete:6", "star:4" };
	const size_t n = is_thin() ? 4 : sizeof specs / sizeof *specs;
	int64_t cells = 0;

	for (size_t i = 0; i < n; i++) {
		ls_topology *t = topology_of(specs[i]);

		each_cell(t, 1, test_cell, &cells);
		ls_topology_destroy(t);
	}
	printf("%" PRId64 " cells\n", cells);
	return test_result();
}
