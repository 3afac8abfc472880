/*
 * The rows of operands and results of a sweep: at any address, with any stride, with elements of
 * any size, and with a user-defined operator that does not commute and has a context.  Also: rows
 * that are missing where the plan needs them are refused.
 */
/* variants: release checked asan chaos */
#include <stdlib.h>
#include <string.h>

#include <lockstep/sweep.h>

#include "collective/algorithm.h"
#include "plan/plan_internal.h"
#include "support/cells.h"
#include "support/guard.h"
#include "test.h"

/* A map x -> a x + h, many times, and a byte: 1001 in all. */
enum { MAPS = 125 };
struct map {
	uint32_t h, a;
};
struct wide {
	struct map map[MAPS];
	unsigned char more;
} __attribute__((packed));

static int64_t misled; /* calls of the operator without its context */

static struct wide operand_of(int64_t rank, int64_t i)
{
	struct wide x = { .more = (unsigned char)(rank + i) };

	for (uint32_t k = 0; k < MAPS; k++)
		x.map[k] = (struct map){ (uint32_t)(rank * 7919 + i * 31 + k), 2 * (uint32_t)rank + k + 1 };
	return x;
}

static struct wide composed(const struct wide *x, const struct wide *y)
{
	struct wide z = { .more = (unsigned char)(x->more + y->more) };

	for (int k = 0; k < MAPS; k++)
		z.map[k] =
			(struct map){ x->map[k].h * y->map[k].a + y->map[k].h, x->map[k].a * y->map[k].a };
	return z;
}

static void compose(void *dst, const void *a, const void *b, size_t n, void *context)
{
	struct wide *to = dst;
	const struct wide *x = a, *y = b;

	if (context != &misled)
		__atomic_add_fetch(&misled, 1, __ATOMIC_RELAXED);
	for (size_t i = 0; i < n; i++)
		to[i] = composed(&x[i], &y[i]);
}

/* Rows that begin `off` bytes from where memory is aligned, and lie `gap` bytes apart. */
struct rows {
	char *memory, *at;
	size_t row, stride, rows;
};

static struct rows rows_of(int64_t nodes, size_t row, size_t off, size_t gap)
{
	struct rows r = { .row = row, .stride = row + gap, .rows = (size_t)nodes };

	r.memory = memory(1, off + r.rows * r.stride);
	r.at = r.memory + off;
	return r;
}

static struct wide *row(const struct rows *r, int64_t rank)
{
	return (struct wide *)(void *)(r->at + (r->rows == 1 ? 0 : (size_t)rank * r->stride));
}

/* Of the vector operations: of all nodes, or of all up to this one. */
static void check_results(
	const struct rows *out, enum ls_operation operation, int64_t nodes, int64_t root, int64_t m)
{
	int64_t wrong = 0;

	for (int64_t i = 0; i < m; i++) {
		struct wide want = operand_of(0, i);

		for (int64_t r = 0; r < nodes; r++) {
			const struct wide x = operand_of(r, i);

			want = r > 0 ? composed(&want, &x) : x;
			if (operation == LS_SCAN)
				wrong += memcmp(&row(out, r)[i], &want, sizeof want) != 0;
		}
		for (int64_t r = 0; r < nodes && operation != LS_SCAN; r++)
			wrong += (operation == LS_ALLREDUCE || r == root)
				&& memcmp(&row(out, r)[i], &want, sizeof want) != 0;
	}
	CHECK(wrong == 0, "%s: %lld elements are wrong", guarded(), (long long)wrong);
}

struct lies {
	size_t off, gap;
	int workers;
};

static void check(const ls_plan *plan, ls_type type, ls_op op, int64_t m, const struct lies *lies)
{
	const struct lsi_problem *p = &plan->problem;
	const size_t bytes = (size_t)m * sizeof(struct wide);
	struct rows in = rows_of(p->nodes, bytes, lies->off, lies->gap),
				out = rows_of(
					p->operation == LS_REDUCE ? 1 : p->nodes, bytes, lies->off + 2, lies->gap);
	const bool apart = !p->in_place || p->operation == LS_REDUCE;
	const struct ls_sweep sweep = { .size = sizeof sweep,
		.plan = plan,
		.count = (size_t)m,
		.type = type,
		.op = op,
		.input = apart ? in.at : NULL,
		.output = out.at,
		.input_stride = in.stride,
		.output_stride = out.stride,
		.workers = lies->workers };
	struct ls_sweep_result got = { .size = sizeof got };

	for (int64_t r = 0; r < p->nodes; r++) {
		const bool here = p->in_place && (p->operation != LS_REDUCE || r == p->root);

		for (int64_t i = 0; i < m; i++)
			row(here ? &out : &in, r)[i] = operand_of(r, i);
	}
	CHECK(ls_sweep_run(&sweep, &got) == LS_OK && got.proved, "%s: %s", guarded(), got.error.text);
	check_results(&out, p->operation, p->nodes, p->root, m);
	free(in.memory);
	free(out.memory);
}

static void test_rows(const char *spec, ls_type type, ls_op op)
{
	static const enum ls_operation operations[] = { LS_ALLREDUCE, LS_SCAN, LS_REDUCE };
	static const struct lies lies[] = { { 0, 0, 1 }, { 1, 0, 2 }, { 3, 5, 7 }, { 0, 1001, 2 } };
	ls_topology *t = topology_of(spec);

	for (int i = 0; i < 3 * 2 * 4; i++) {
		struct ls_request request = { .size = sizeof request,
			.topology = t,
			.operation = operations[i % 3],
			.type = type,
			.op = op,
			.in_place = i / 3 % 2,
			.root = ls_topology_nodes(t) / 2 };

		for (size_t a = 0; lsi_algorithms[a]; a++) {
			const int64_t m = 1 + i % 5 / 2 * 3;
			ls_plan *plan;

			request.algorithm = lsi_algorithms[a]->name;
			request.count = (size_t)m;
			if (ls_algorithm_supports(a, &request) != LS_OK
				|| ls_plan_make(&request, &plan, NULL) != LS_OK)
				continue;
			guard("%s %s %s%s, m %d, way %d", spec, ls_operation_name(request.operation),
				request.algorithm, request.in_place ? " in place" : "", (int)m, i / 6);
			if (ls_plan_claim(plan) == LS_ORDERED)
				check(plan, type, op, m, &lies[i / 6]);
			ls_plan_destroy(plan);
		}
	}
	ls_topology_destroy(t);
}

/* ---- Rows that are not there */

static void check_refused(enum ls_operation operation, bool in_place, bool input, int output)
{
	int64_t a[6 * 8] = { 0 }, b[6 * 8] = { 0 };
	ls_topology *t = topology_of("ring:6");
	const struct ls_request request = { .size = sizeof request,
		.topology = t,
		.operation = operation,
		.type = LS_INT64,
		.count = 1,
		.in_place = in_place };
	struct ls_sweep_result got = { .size = sizeof got };
	struct ls_sweep sweep = { .size = sizeof sweep,
		.count = 1,
		.type = LS_INT64,
		.input = input ? a : NULL,
		.output = output == 2 ? b
			: output == 1     ? a
							  : NULL };
	ls_plan *plan;

	plan = plan_for(&request);
	sweep.plan = plan;
	guard("%s%s, input %d, output %d", ls_operation_name(operation), in_place ? " in place" : "",
		input, output);
	CHECK(ls_sweep_run(&sweep, &got) == LS_ERR_ARGUMENT && got.error.text[0], "%s: %s", guarded(),
		ls_status_name(got.error.kind));
	ls_plan_destroy(plan);
	ls_topology_destroy(t);
}

static void test_refused(void)
{
	check_refused(LS_ALLREDUCE, false, true, 1); /* one for both, not in place */
	check_refused(LS_ALLTOALL, false, true, 1);
	check_refused(LS_REDUCE, true, true, 0); /* in place: where is the root's? */
	check_refused(LS_GATHER, true, true, 0);
	check_refused(LS_ALLREDUCE, true, true, 2);  /* in place: two different */
	check_refused(LS_ALLREDUCE, true, false, 0); /* nothing */
	check_refused(LS_REDUCE, true, false, 2);
	check_refused(LS_SCATTER, true, false, 2);
}

/* Counts so large that sums of bytes pass 2^64 by anything: they are uncountable, and refused. */
static void test_too_many(void)
{
	ls_topology *t = topology_of("hypercube:3");
	const struct ls_request request = { .size = sizeof request,
		.topology = t,
		.operation = LS_ALLREDUCE,
		.algorithm = "doubling",
		.type = LS_INT8,
		.count = 1 };
	struct ls_sweep sweep = { .size = sizeof sweep, .type = LS_INT8 };
	ls_plan *plan;

	plan = plan_for(&request);
	sweep.plan = plan;
	for (size_t blocks = 1; blocks <= 64; blocks++) {
		for (size_t less = 0; less <= 64; less++) {
			sweep.count = SIZE_MAX / blocks - less;
			guard("%zu elements", sweep.count);
			CHECK(ls_sweep_memory(&sweep) >= sweep.count, "%s: %zu bytes", guarded(),
				ls_sweep_memory(&sweep));
		}
	}
	ls_plan_destroy(plan);
	ls_topology_destroy(t);
}

int main(void)
{
	static const char *const specs[] = { "ring:1", "linear:2", "star:4", "hypercube:3", "mesh:3x2",
		"complete:7", "bintree:3" };
	const struct ls_op_options options = {
		.size = sizeof options, .combine = compose, .context = &misled
	};
	ls_type type;
	ls_op op;

	if (ls_type_make(sizeof(struct wide), &type) != LS_OK || ls_op_make(&options, &op) != LS_OK)
		exit(1);
	for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
		test_rows(specs[i], type, op);
	CHECK(misled == 0, "the operator was called %lld times without its context", (long long)misled);
	ls_op_destroy(op);
	ls_type_destroy(type);
	test_refused();
	test_too_many();
	return test_result();
}
