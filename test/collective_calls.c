/*
 * Consecutive calls on buffers that are overwritten as soon as a call has returned.  By then no
 * node may still read a zero-copy message, and no message of one call may be received in the
 * next.  Every algorithm runs in free rounds by the engine mailboxes, and every third one also
 * cooperatively.
 */
/* alone: beside others its nodes wait for processors, up to ten times as long */
/* nodes: threads fibers */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <lockstep/collective.h>

#include "collective/algorithm.h"
#include "support/cells.h"
#include "support/guard.h"
#include "test.h"

enum { CALLS = 24, NODES = 24, LONG = 700, SHORT = 3 }; /* words: zero-copy, in a slot */

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
struct origin {
	int64_t from, to, block;
};

static struct origin origin(const struct lsi_problem *p, int64_t rank, int64_t block)
{
	const int64_t back = (rank - p->shift + p->nodes) % p->nodes;

	switch (p->operation) {
	case LS_BROADCAST:
		return (struct origin){ p->root, p->root + 1, 0 };
	case LS_SHIFT:
		return (struct origin){ back, back + 1, 0 };
	case LS_SCAN:
		return (struct origin){ 0, rank + 1, 0 };
	case LS_EXSCAN:
		return (struct origin){ 0, rank, 0 };
	case LS_ALLGATHER:
	case LS_GATHER:
		return (struct origin){ block, block + 1, 0 };
	case LS_SCATTER:
		return (struct origin){ p->root, p->root + 1, rank };
	case LS_ALLTOALL:
		return (struct origin){ block, block + 1, rank };
	case LS_REDUCE_SCATTER:
		return (struct origin){ 0, p->nodes, rank };
	default:
		return (struct origin){ 0, p->nodes, 0 };
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
	return LSI_FOR(operation) & set;
}

/* Blocks of the operand and of the result at nodes that have them. */
static int64_t blocks_in(const struct lsi_problem *p)
{
	return is_one_of(p->operation,
			   LSI_FOR(LS_REDUCE_SCATTER) | LSI_FOR(LS_SCATTER) | LSI_FOR(LS_ALLTOALL))
		? p->nodes
		: 1;
}

static int64_t blocks_out(const struct lsi_problem *p)
{
	return is_one_of(
			   p->operation, LSI_FOR(LS_ALLGATHER) | LSI_FOR(LS_GATHER) | LSI_FOR(LS_ALLTOALL))
		? p->nodes
		: 1;
}

static bool has_result(const struct lsi_problem *p, int64_t rank)
{
	if (p->operation == LS_EXSCAN)
		return rank > 0;
	return p->operation != LS_BARRIER
		&& (rank == p->root || !is_one_of(p->operation, LSI_FOR(LS_REDUCE) | LSI_FOR(LS_GATHER)));
}

/* Blocks of unequal lengths? */
static bool is_counted(const struct lsi_problem *p, int call)
{
	return call % 4 == 2 && blocks_in(p) + blocks_out(p) > 2;
}

/* Words of the p blocks that a node gives, or gets; of a buffer of one block, those of node r. */
static void lengths(const struct lsi_problem *p, int call, int64_t rank, bool given, size_t *out)
{
	for (int64_t r = 0; r < p->nodes; r++) {
		const int64_t from = given ? rank : r, to = given ? r : rank;
		const int64_t some = p->operation == LS_ALLTOALL ? 31 * from + 17 * to : 97 * r;

		out[r] = p->operation == LS_BARRIER ? 0
			: is_counted(p, call)           ? (size_t)some % 101
			: call % 4 == 3                 ? SHORT
											: LONG;
	}
}

static size_t sum(const size_t *n, int64_t blocks)
{
	size_t total = 0;

	for (int64_t b = 0; b < blocks; b++)
		total += n[b];
	return total;
}

/* The lengths of the blocks of a buffer. */
static const size_t *of(const size_t *n, int64_t blocks, int64_t rank)
{
	return blocks == 1 ? n + rank : n;
}

static void check_result(
	const struct cell *cell, int64_t rank, int call, const size_t *n, const int64_t *out)
{
	const int64_t blocks = blocks_out(&cell->problem);

	n = of(n, blocks, rank);
	for (int64_t b = 0; b < blocks && has_result(&cell->problem, rank); out += n[b++]) {
		size_t i = 0;

		while (i < n[b] && out[i] == wanted(cell, rank, b, call, i))
			i++;
		CHECK(i == n[b],
			"%s: node %" PRId64 ", call %d: element %zu of block %" PRId64 " is %" PRId64
			", not %" PRId64,
			guarded(), rank, call, i, b, out[i], wanted(cell, rank, b, call, i));
	}
}

static void fill(const struct lsi_problem *p, int64_t rank, int call, const size_t *n, int64_t *in)
{
	n = of(n, blocks_in(p), rank);
	for (int64_t b = 0; b < blocks_in(p); b++) {
		for (size_t i = 0; i < n[b]; i++)
			*in++ = given(rank, b, call, i);
	}
}

static int call_once(ls_node *me, const struct cell *cell, int call, int64_t *in, int64_t *out)
{
	const struct lsi_problem *p = &cell->problem;
	const int64_t rank = ls_rank(me), blocks = blocks_in(p), results = blocks_out(p);
	const bool at_root = is_one_of(p->operation, LSI_FOR(LS_REDUCE) | LSI_FOR(LS_GATHER));
	/* Only the root of some has a result; the others may say so. */
	const bool nothing = at_root && rank != p->root && call % 2;
	const bool in_place = p->in_place && !nothing;
	size_t gives[NODES], gets[NODES];

	lengths(p, call, rank, true, gives);
	lengths(p, call, rank, false, gets);
	memset(out, -1, sum(of(gets, results, rank), results) * sizeof *out);
	if (in_place && blocks > results)
		out = in + sum(gives, rank);
	else if (in_place)
		in = out + (blocks < results ? sum(gets, rank) : 0);
	fill(p, rank, call, gives, in);

	const struct ls_call c = { .size = sizeof c,
		.operation = p->operation,
		.algorithm = cell->algorithm->name,
		.input = in,
		.output = nothing ? NULL : out,
		.count = gives[rank],
		.type = LS_INT64,
		.op = cell->algorithm->claim == LS_IDEMPOTENT ? LS_MAX : LS_SUM,
		.root = p->root,
		.shift = p->shift,
		.ports = p->ports,
		.counts = is_counted(p, call) ? gives : NULL,
		.result_counts = is_counted(p, call) && p->operation == LS_ALLTOALL ? gets : NULL };
	const int failed = ls_collective(me, &c);

	if (!failed)
		check_result(cell, rank, call, gets, out);
	return failed;
}

static int program(ls_node *me, void *arg)
{
	const struct row *row = arg;
	const size_t words = LONG * (size_t)ls_size(me);
	int64_t *in = memory(words, sizeof *in), *out = memory(words, sizeof *out);
	int failed = LS_OK;

	for (int call = 1; call <= CALLS && !failed; call++)
		failed = call_once(me, row->cell, call, in, out);
	free(in);
	free(out);
	return failed;
}

static void test_engine(const struct cell *cell, int64_t number, enum ls_engine engine)
{
	const struct row row = { cell, 1 + (int)(number / 5) % 4 };
	const struct ls_machine_options options = { .size = sizeof options,
		.rounds = LS_FREE,
		.engine = engine,
		.mode = cell->problem.mode,
		.ports = cell->problem.ports,
		.mailbox = row.mailbox };
	ls_machine *machine = machine_on(cell->problem.topology, &options);

	guard("%s, mailbox %d, engine %s", cell_name(cell).text, row.mailbox, ls_engine_name(engine));
	must_run(machine, program, (void *)&row);
	ls_machine_destroy(machine);
}

static void test_cell(const struct cell *cell, void *cells)
{
	const int64_t number = (*(int64_t *)cells)++;

	if (is_thin() ? number % 5 : !is_long() && (number + number / 7) % 2)
		return;
	test_engine(cell, number, LS_MAILBOXES);
	if (number % 3 == 0)
		test_engine(cell, number, LS_COOPERATIVE);
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
