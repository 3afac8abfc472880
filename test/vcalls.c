/*
 * Every public call gives the defined result: blocks of equal and of unequal lengths, in place and
 * apart, with an operator that does not commute, on every kind of network.
 */
/* alone: beside others its nodes wait for processors, up to ten times as long */
/* nodes: threads fibers */
#include <inttypes.h>
#include <string.h>

#include <lockstep.h>

#include "support/guard.h"
#include "vcalls_table.h"
#include "test.h"

/* ---- A node */

static size_t blocks_of(const struct call_case *s, enum shape shape, int64_t rank)
{
	if (shape == NONE || ((shape == ROOT_ONE || shape == ROOT_EACH) && rank != s->root))
		return 0;
	return shape == EACH || shape == ROOT_EACH ? (size_t)s->p : 1;
}

static size_t sum(const size_t *counts, size_t n)
{
	size_t total = 0;

	for (size_t i = 0; i < n; i++)
		total += counts[i];
	return total;
}

enum { SPARE = 2 }; /* elements before and after, which no call may change */
static const struct map mark = { 0xeeee, 0xdddd };

static struct map *make(size_t n)
{
	struct map *buffer = memory(n + 2 * SPARE, sizeof *buffer);

	for (size_t i = 0; i < n + 2 * SPARE; i++)
		buffer[i] = mark;
	return buffer + SPARE;
}

/* Lengths of all blocks, also of a buffer that only others have. */
static void count(const struct call_case *s, int64_t rank, struct buffers *b)
{
	const bool each = s->row->operation == LS_ALLTOALL;

	b->in_counts = memory((size_t)s->p, sizeof *b->in_counts);
	b->out_counts = memory((size_t)s->p, sizeof *b->out_counts);
	b->n = s->row->operation == LS_BARRIER ? 0 : length_of(s, rank, rank);
	for (int64_t r = 0; r < s->p; r++) {
		b->in_counts[r] = length_of(s, each ? rank : r, r);
		b->out_counts[r] = length_of(s, r, each ? rank : r);
	}
	b->in_blocks = blocks_of(s, s->row->in, rank);
	b->out_blocks = blocks_of(s, s->row->out, rank);
}

static size_t size_of(const struct buffers *b, size_t blocks, const size_t *counts)
{
	return blocks == 0 ? 0 : blocks == 1 ? b->n : sum(counts, blocks);
}

/* Memory of a node; in place the smaller of both lies in the larger. */
static void lay_out(const struct call_case *s, int64_t rank, struct buffers *b)
{
	const size_t in = size_of(b, b->in_blocks, b->in_counts);
	const size_t out = size_of(b, b->out_blocks, b->out_counts);

	b->in = b->in_blocks ? make(in) : NULL;
	b->out = b->out_blocks ? make(out) : NULL;
	if (!s->in_place || !b->in || !b->out)
		return;
	free(b->in - SPARE);
	free(b->out - SPARE);
	b->in = b->out = make(in > out ? in : out);
	if (b->in_blocks > b->out_blocks)
		b->out += sum(b->in_counts, (size_t)rank);
	if (b->in_blocks < b->out_blocks)
		b->in += sum(b->out_counts, (size_t)rank);
}

static void fill(int64_t rank, const struct buffers *b)
{
	struct map *at = b->in;

	for (size_t block = 0; block < b->in_blocks; block++) {
		const size_t n = b->in_blocks == 1 ? b->n : b->in_counts[block];

		for (size_t i = 0; i < n; i++)
			*at++ = given(rank, (int64_t)block, i);
	}
}

static bool same(struct map f, struct map g)
{
	return f.a == g.a && f.b == g.b;
}

static void check_marks(const struct map *buffer, size_t n, int64_t rank)
{
	for (int i = 1; buffer && i <= SPARE; i++)
		CHECK(same(buffer[-i], mark) && same(buffer[n + (size_t)i - 1], mark),
			"%s: node %" PRId64 ": something is written beside a buffer", guarded(), rank);
}

static void check_result(const struct call_case *s, int64_t rank, const struct buffers *b)
{
	const bool none = s->row->operation == LS_EXSCAN && rank == 0;
	const struct map *at = b->out;

	for (size_t block = 0; block < b->out_blocks; block++) {
		const size_t n = b->out_blocks == 1 ? b->n : b->out_counts[block];

		for (size_t i = 0; i < n; i++, at++) {
			const struct map want = !none ? wanted(s, rank, (int64_t)block, i)
				: s->in_place             ? given(0, 0, i)
										  : mark;

			CHECK(same(*at, want), "%s: node %" PRId64 ", block %zu, element %zu is wrong",
				guarded(), rank, block, i);
		}
	}
}

static void check_operand(int64_t rank, const struct buffers *b)
{
	const struct map *at = b->in;

	for (size_t block = 0; block < b->in_blocks; block++) {
		const size_t n = b->in_blocks == 1 ? b->n : b->in_counts[block];

		for (size_t i = 0; i < n; i++)
			CHECK(same(*at++, given(rank, (int64_t)block, i)),
				"%s: node %" PRId64 ": its operand is overwritten", guarded(), rank);
	}
	check_marks(b->in, (size_t)(at - b->in), rank);
}

enum { TIMES = 2 };

static int program(ls_node *me, void *arg)
{
	const struct call_case *s = arg;
	const int64_t rank = ls_rank(me);
	struct buffers b;
	int failed = LS_OK;

	count(s, rank, &b);
	for (int time = 0; time < TIMES && !failed; time++) {
		lay_out(s, rank, &b);

		const bool one = s->in_place && b.in && b.out;
		struct map *const first = one && b.in < b.out ? b.in : b.out;

		fill(rank, &b);
		failed = s->row->call(me, s, &b);
		CHECK(!failed, "%s: node %" PRId64 ": %s", guarded(), rank, ls_status_name(failed));
		if (!failed)
			check_result(s, rank, &b);
		if (!failed && !one)
			check_operand(rank, &b);
		if (!one)
			check_marks(b.out, size_of(&b, b.out_blocks, b.out_counts), rank);
		if (b.in && !one)
			free(b.in - SPARE);
		if (first)
			free(first - SPARE);
	}
	free(b.in_counts);
	free(b.out_counts);
	return failed;
}

/* ---- Runs */

static void play(ls_machine *machine, struct call_case s)
{
	const ls_topology *t = ls_machine_topology(machine);

	s.p = ls_topology_nodes(t);
	s.root %= s.p;
	guard("%s on %s, root %" PRId64 ", q %" PRId64 ", lengths %d%s", s.row->name,
		ls_topology_spec(t), s.root, s.q, s.lengths, s.in_place ? ", in place" : "");
	must_run(machine, program, &s);
}

static void test_machine(ls_machine *machine)
{
	static const int64_t distance[] = { 1, 0, -1, 3, -7, 1000000007, 2 };

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		for (int k = is_fast() ? (int)i % 3 : 0; k < 2 * LENGTHS; k += is_fast() ? 3 : 1)
			play(machine,
				(struct call_case){ .row = &rows[i],
					.root = k / 2,
					.q = distance[k / 2],
					.lengths = k / 2,
					.in_place = k % 2 });
	}
}

static void test_network(const char *spec, enum ls_mode mode)
{
	struct ls_error why = { .size = sizeof why };
	ls_topology *t = NULL;

	CHECK(ls_topology_make(spec, &t, &why) == LS_OK, "%s", why.text);
	for (int rounds = LS_LOCKSTEP; t && rounds <= LS_FREE; rounds++) {
		const struct ls_machine_options options = {
			.size = sizeof options, .mode = mode, .rounds = (enum ls_rounds)rounds
		};
		ls_machine *machine = machine_on(t, &options);

		test_machine(machine);
		ls_machine_destroy(machine);
	}
	ls_topology_destroy(t);
}

int main(void)
{
	static const struct {
		const char *spec;
		enum ls_mode mode;
	} networks[] = { { "ring:1", LS_HOP }, { "ring:2", LS_HOP }, { "ring:5", LS_HOP },
		{ "linear:4", LS_HOP }, { "complete:5", LS_HOP }, { "hypercube:3", LS_HOP },
		{ "star:3", LS_HOP }, { "mesh:2x3", LS_HOP }, { "torus:3x3", LS_HOP },
		{ "tree:8", LS_ROUTED }, { "debruijn:3", LS_HOP }, { "bintree:3", LS_HOP },
		{ "pancake:3", LS_HOP }, { "star:3*ring:2", LS_HOP }, { "ring:6", LS_ROUTED },
		{ "hypercube:2", LS_ROUTED }, { "mesh:2x3", LS_ROUTED } };
	const struct ls_op_options options = {
		.size = sizeof options, .name = "then", .combine = combine
	};

	CHECK(ls_type_make(sizeof(struct map), &map_type) == LS_OK, "a type");
	CHECK(ls_op_make(&options, &map_then) == LS_OK, "an operator");
	for (size_t i = 0; i < sizeof networks / sizeof *networks; i++)
		test_network(networks[i].spec, networks[i].mode);
	ls_op_destroy(map_then);
	ls_type_destroy(map_type);
	return test_result();
}
