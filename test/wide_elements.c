/*
 * The cooperative engine with elements of 1 to 8 KiB, as wide as a strip or wider: no unit of work
 * may cut an element.
 *
 * Word g of the operand of node r is (r + 1)(g + 1).  So every result is (g + 1) times a factor
 * that the operation, the node and the block determine.
 */
/* nodes: threads fibers */
#include <inttypes.h>
#include <string.h>

#include <lockstep/collective.h>

#include "support/cells.h"
#include "support/guard.h"
#include "test.h"

enum { ROOT = 1, WORD = sizeof(uint64_t) };

static uint64_t sum_to(int64_t r)
{
	return (uint64_t)((r + 1) * (r + 2) / 2);
}

/* The factor in block b of the result of node r among p; 0: the node has no result. */
static uint64_t root_sum(int64_t r, int64_t b, int64_t p)
{
	(void)b;
	return r == ROOT ? sum_to(p - 1) : 0;
}

static uint64_t full_sum(int64_t r, int64_t b, int64_t p)
{
	(void)r, (void)b;
	return sum_to(p - 1);
}

static uint64_t prefix_sum(int64_t r, int64_t b, int64_t p)
{
	(void)b, (void)p;
	return sum_to(r);
}

static uint64_t sum_before(int64_t r, int64_t b, int64_t p)
{
	(void)b, (void)p;
	return r == 0 ? 0 : sum_to(r - 1);
}

static uint64_t from_root(int64_t r, int64_t b, int64_t p)
{
	(void)r, (void)b, (void)p;
	return ROOT + 1;
}

static uint64_t from_block(int64_t r, int64_t b, int64_t p)
{
	(void)r, (void)p;
	return (uint64_t)b + 1;
}

/* in, out: whether operand and result have a block for each node. */
static const struct operation {
	enum ls_operation operation;
	bool in, out;
	uint64_t (*factor)(int64_t r, int64_t b, int64_t p);
} operations[] = {
	{ LS_BROADCAST, false, false, from_root },
	{ LS_REDUCE, false, false, root_sum },
	{ LS_ALLREDUCE, false, false, full_sum },
	{ LS_SCAN, false, false, prefix_sum },
	{ LS_EXSCAN, false, false, sum_before },
	{ LS_REDUCE_SCATTER, true, false, full_sum },
	{ LS_ALLGATHER, false, true, from_block },
	{ LS_ALLTOALL, true, true, from_block },
};

static const char *const networks[] = { "ring:3", "linear:4", "hypercube:3", "star:3" };
static const size_t sizes[] = { 1024, 1032, 1536, 2040, 3000, 4096, 5000, 6144, 8192 };
static const size_t counts[] = { 1, 2, 3, 7, 30 };

struct call {
	const struct operation *operation;
	ls_type type;
	ls_op op;
	size_t count, words; /* elements and words of a block */
	uint64_t *input, *output;
	size_t in, out; /* words of the operand and of the result of a node */
};

/* Adds whole elements of *context bytes. */
static void add(void *dst, const void *a, const void *b, size_t n, void *context)
{
	const size_t words = n * *(const size_t *)context / WORD;
	const uint64_t *x = a, *y = b;
	uint64_t *z = dst;

	for (size_t i = 0; i < words; i++)
		z[i] = x[i] + y[i];
}

static int program(ls_node *me, void *context)
{
	const struct call *c = context;
	const size_t r = (size_t)ls_rank(me);

	return ls_collective(me,
		&(struct ls_call){ .size = sizeof(struct ls_call),
			.operation = c->operation->operation,
			.input = c->input + r * c->in,
			.output = c->output + r * c->out,
			.count = c->count,
			.type = c->type,
			.op = c->op,
			.root = ROOT });
}

/* The first word of the operand that block b of the result of node r is made of. */
static size_t first_word(const struct call *c, int64_t r)
{
	return c->operation->in ? (size_t)r * c->words : 0;
}

static size_t count_wrong(const struct call *c, int64_t r, int64_t p)
{
	const uint64_t *got = c->output + (size_t)r * c->out;
	size_t wrong = 0;

	for (size_t i = 0; i < c->out; i++) {
		const uint64_t factor = c->operation->factor(r, (int64_t)(i / c->words), p);

		wrong += got[i] != factor * (first_word(c, r) + i % c->words + 1);
	}
	return wrong;
}

static void test_call(ls_machine *machine, struct call *c, size_t size)
{
	const ls_topology *t = ls_machine_topology(machine);
	const int64_t p = ls_topology_nodes(t);

	c->words = c->count * size / WORD;
	c->in = c->words * (c->operation->in ? (size_t)p : 1);
	c->out = c->words * (c->operation->out ? (size_t)p : 1);
	c->input = memory((size_t)p, c->in * WORD);
	c->output = memory((size_t)p, c->out * WORD);
	memset(c->output, 0, (size_t)p * c->out * WORD);
	for (size_t i = 0; i < (size_t)p * c->in; i++)
		c->input[i] = (i / c->in + 1) * (i % c->in + 1);
	must_run(machine, program, c);
	for (int64_t r = 0; r < p; r++) {
		const size_t wrong = count_wrong(c, r, p);

		CHECK(wrong == 0,
			"%s on %s, %zu elements of %zu bytes: node %" PRId64 " has %zu wrong words",
			ls_operation_name(c->operation->operation), ls_topology_spec(t), c->count, size, r,
			wrong);
	}
	free(c->input);
	free(c->output);
}

static void test_size(ls_machine *machine, size_t size)
{
	const struct ls_op_options options = {
		.size = sizeof options, .name = "add", .combine = add, .context = &size, .commutative = true
	};
	ls_type type;
	ls_op op;

	if (ls_type_make(size, &type) != LS_OK || ls_op_make(&options, &op) != LS_OK)
		exit(1);
	for (size_t o = 0; o < sizeof operations / sizeof *operations; o++) {
		for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
			struct call call = { &operations[o], type, op, .count = counts[k] };

			test_call(machine, &call, size);
		}
	}
	ls_op_destroy(op);
	ls_type_destroy(type);
}

int main(void)
{
	const struct ls_machine_options options = {
		.size = sizeof options, .engine = LS_COOPERATIVE, .timeout = 60
	};

	for (size_t i = 0; i < sizeof networks / sizeof *networks; i++) {
		ls_topology *t = topology_of(networks[i]);
		ls_machine *machine = machine_on(t, &options);

		for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k += is_fast_repeat() ? 3 : 1)
			test_size(machine, sizes[k]);
		ls_machine_destroy(machine);
		ls_topology_destroy(t);
	}
	return test_result();
}
