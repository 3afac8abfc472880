/*
 * The tool verifies floating-point results bit for bit against a replay of the plan.  Results of a
 * sweep pass, in place and not, for ordinary, huge and tiny operands, infinities and NaN.  A result
 * with one changed bit, or combined in another order, is found.  So are wrong results that only an
 * error bound verifies, unless they overflow.
 */
#include <float.h>
#include <math.h>
#include <string.h>

/* compile: -Idemo/lockstep */
#include "../demo/lockstep/data/matrix_read.c"

#include "../demo/lockstep/base/messages.c"
#include "../demo/lockstep/base/number.c"
#include "../demo/lockstep/base/text_file.c"
#include "../demo/lockstep/data/arithmetic.c"
#include "../demo/lockstep/data/element.c"
#include "../demo/lockstep/data/matrix.c"
#include "../demo/lockstep/data/operand_shape.c"
#include "../demo/lockstep/data/operands.c"
#include "../demo/lockstep/data/plan_replay.c"
#include "../demo/lockstep/data/plan_terms.c"
#include "../demo/lockstep/data/reference_result.c"
#include "../demo/lockstep/data/term_replay.c"
#include "test.h"

enum { COUNT = 19 };

static const char *const topologies[] = { "ring:1", "ring:2", "ring:7", "linear:5", "hypercube:3",
	"star:4", "mesh:3x4", "torus:3x3", "complete:6", "debruijn:3" };
static const enum ls_operation operations[] = { LS_REDUCE, LS_ALLREDUCE, LS_SCAN, LS_EXSCAN,
	LS_REDUCE_SCATTER };
static const char *const types[] = { "float", "double", "cfloat", "cdouble" };
static const char *const ops[] = { "sum", "prod" };

/* Magnitudes of operands: how many in 16 are infinite or NaN, and how many are huge or tiny. */
static const struct {
	uint64_t special, extreme;
} mixes[] = { { 0, 0 }, { 0, 4 }, { 1, 4 } };

#define LENGTH(table) (sizeof table / sizeof *table)

struct cell {
	char name[120];
	ls_plan *plan;
	struct ls_request request;
	struct matrix operands, results;
};

static double number(const struct element *element, uint64_t *seed, size_t mix)
{
	static const double special[] = { INFINITY, -INFINITY, NAN, -0.0 };
	const uint64_t bits = random_bits(*seed, 0), kind = bits % 16;
	const double fraction = ldexp((double)(int64_t)bits, -62);

	*seed = bits;
	if (kind < mixes[mix].special)
		return special[bits / 16 % 4];
	if (kind < mixes[mix].special + mixes[mix].extreme)
		return bits / 16 % 2 ? fraction * element->most / 4 : fraction * element->least * 4;
	return fraction;
}

static struct matrix make_operands(struct element element, int64_t rows, size_t columns, size_t mix)
{
	struct matrix matrix = matrix_make(element, rows, columns);
	uint64_t seed = 1;

	for (int64_t r = 0; r < rows; r++)
		for (size_t c = 0; c < columns; c++) {
			const double re = number(&element, &seed, mix), im = number(&element, &seed, mix);

			element_store(&element, matrix_at(&matrix, r, c),
				value_wrap(&element, (struct value){ .re = re, .im = im }));
		}
	return matrix;
}

static void make(void *context, int64_t rank, size_t first, size_t n, void *into)
{
	const struct cell *cell = context;

	memcpy(into, matrix_at(&cell->operands, rank, first), n * cell->operands.element.bytes);
}

static int take(void *context, int64_t rank, const void *result)
{
	const struct cell *cell = context;

	memcpy(matrix_at(&cell->results, rank, 0), result,
		cell->results.columns * cell->results.element.bytes);
	return 0;
}

static void run_sweep(struct cell *cell)
{
	struct ls_sweep_result result = { .size = sizeof result };
	const struct ls_sweep sweep = { .size = sizeof sweep,
		.plan = cell->plan,
		.count = COUNT,
		.type = cell->request.type,
		.op = cell->request.op,
		.make = make,
		.take = take,
		.context = cell,
		.workers = 1 };
	const int status = ls_sweep_run(&sweep, &result);

	CHECK(status == LS_OK, "%s: status %d, %s", cell->name, status, result.error.text);
}

/* The first rank whose result the operation defines. */
static int64_t checked_rank(const struct cell *cell)
{
	return cell->request.operation == LS_EXSCAN ? cell->operands.rows - 1 : cell->request.root;
}

/* Each wrong element is found, at its place. */
static void check_damage(
	struct cell *cell, const struct reference *reference, const struct matrix *replayed)
{
	const int64_t rank = checked_rank(cell);
	unsigned char *byte = matrix_at(&cell->results, rank, COUNT / 2);
	struct comparison found;
	struct value old;

	old = element_load(&cell->results.element, byte);
	*byte ^= 1;
	if (!isnan(old.re)) {
		found = reference_compare(reference, replayed, &cell->results, 0);
		CHECK(found.wrong == 1 && found.node == rank && found.element == COUNT / 2,
			"%s: %lld wrong, first at node %lld", cell->name, (long long)found.wrong,
			(long long)found.node);
	}
	*byte ^= 1;
}

/* Results in the order of ranks are wrong where they differ from the order of the plan. */
static int64_t check_order(
	struct cell *cell, const struct reference *reference, const struct matrix *replayed)
{
	const int64_t rank = checked_rank(cell);
	const unsigned char *sequential = row_of_node(&reference->expected, rank);
	const struct element *element = &cell->results.element;
	unsigned char *row = matrix_at(&cell->results, rank, 0);
	int64_t differ = 0;
	struct comparison found;

	for (size_t i = 0; i < COUNT; i++)
		differ += !value_equal(element, element_load(element, row + i * element->bytes),
			element_load(element, sequential + i * element->bytes));
	memcpy(row, sequential, COUNT * element->bytes);
	found = reference_compare(reference, replayed, &cell->results, 0);
	CHECK(found.wrong == differ, "%s: %lld elements in rank order are wrong, expected %lld",
		cell->name, (long long)found.wrong, (long long)differ);
	return differ;
}

/* Returns the number of elements whose order of operands shows. */
static int64_t check_cell(struct cell *cell, size_t mix)
{
	const struct ls_request *request = &cell->request;
	const int64_t p = ls_plan_nodes(cell->plan);
	const struct element element = element_of(request->type, false);
	int64_t differ;

	cell->operands =
		make_operands(element, p, blocks_given(request->operation, p) * request->count, mix);
	cell->results = matrix_make(element, p, blocks_got(request->operation, p) * request->count);

	const struct operands operands = { .element = element,
		.nodes = p,
		.count = COUNT,
		.columns = cell->operands.columns,
		.rows = &cell->operands };
	struct reference reference = reference_make(request, &cell->operands);
	struct matrix replayed = plan_replay(cell->plan, request->op, &operands, SIZE_MAX);

	CHECK(replayed.memory, "%s is replayed", cell->name);
	run_sweep(cell);
	if (request->operation == LS_EXSCAN) /* node 0 has no result; in place, its operand stays */
		memset(matrix_at(&cell->results, 0, 0), 0, COUNT * element.bytes);

	const struct comparison found = reference_compare(&reference, &replayed, &cell->results, 0);

	CHECK(found.wrong == 0, "%s: %lld elements are wrong, the first is element %zu of node %lld",
		cell->name, (long long)found.wrong, found.element, (long long)found.node);
	check_damage(cell, &reference, &replayed);
	differ = check_order(cell, &reference, &replayed);
	matrix_destroy(&replayed);
	reference_destroy(&reference);
	matrix_destroy(&cell->operands);
	matrix_destroy(&cell->results);
	return differ;
}

static int64_t check_plan(const struct ls_request *request, size_t mix)
{
	struct cell cell = { .request = *request };
	int64_t differ;

	snprintf(cell.name, sizeof cell.name, "%s -t %s -d %s -o %s, mix %zu%s",
		ls_operation_name(request->operation), ls_topology_spec(request->topology),
		ls_type_name(request->type), ls_op_name(request->op), mix,
		request->in_place ? ", in place" : "");
	if (ls_plan_make(request, &cell.plan, NULL) == LS_ERR_UNSUPPORTED && request->in_place)
		return 0;
	CHECK(cell.plan, "%s has a plan", cell.name);
	differ = check_cell(&cell, mix);
	ls_plan_destroy(cell.plan);
	return differ;
}

/* All operations, types, operators and magnitudes, in place and not. */
static int64_t check_topology(const ls_topology *topology)
{
	const size_t cells = LENGTH(operations) * LENGTH(types) * LENGTH(ops) * LENGTH(mixes) * 2;
	int64_t differ = 0;

	for (size_t i = 0; i < cells; i++) {
		const size_t mix = i / 2 % LENGTH(mixes), rest = i / 2 / LENGTH(mixes);
		const struct ls_request request = { .size = sizeof request,
			.topology = topology,
			.operation = operations[rest / LENGTH(ops) / LENGTH(types)],
			.count = COUNT,
			.type = ls_type_find(types[rest / LENGTH(ops) % LENGTH(types)]),
			.op = ls_op_find(ops[rest % LENGTH(ops)]),
			.in_place = i % 2 };

		differ += check_plan(&request, mix);
	}
	return differ;
}

/* Sums that no replay verifies: operands of three nodes, a result, and whether it is right. */
static void check_bounds(void)
{
	static const struct {
		double operand[3], result;
		bool is_right;
	} sums[] = {
		{ { 1, 2, 3 }, 6, true },
		{ { 1, 2, 3 }, 6.5, false },
		{ { 1, NAN, 3 }, -NAN, true },
		{ { 1, NAN, 3 }, 4, false },
		{ { 1, NAN, INFINITY }, INFINITY, false },
		{ { -0.0, -0.0, -0.0 }, -0.0, true },
		{ { -0.0, -0.0, -0.0 }, 0, false },
		{ { 0, -0.0, 0 }, -0.0, false },
		{ { DBL_MAX, DBL_MAX, -DBL_MAX }, INFINITY, true },
	};
	const struct ls_request request = { .size = sizeof request,
		.operation = LS_ALLREDUCE,
		.count = LENGTH(sums),
		.type = LS_DOUBLE,
		.op = LS_SUM };
	const struct element element = element_of(LS_DOUBLE, false);
	const struct matrix none = { .memory = NULL };
	struct matrix operands = matrix_make(element, 3, LENGTH(sums));
	struct matrix results = matrix_make(element, 3, LENGTH(sums));

	for (size_t i = 0; i < LENGTH(sums); i++)
		for (int64_t r = 0; r < 3; r++) {
			memcpy(matrix_at(&operands, r, i), &sums[i].operand[r], sizeof(double));
			memcpy(matrix_at(&results, r, i), &sums[i].result, sizeof(double));
		}

	struct reference reference = reference_make(&request, &operands);

	for (size_t i = 0; i < LENGTH(sums); i++) {
		const struct result_part part = { .n = 1,
			.got = matrix_at(&results, 0, i),
			.sequential = matrix_at(&reference.expected, 0, i),
			.slack = reference.slack + i };
		struct comparison found = { .node = -1 };

		compare_elements(&element, &part, &found);
		CHECK((found.wrong == 0) == sums[i].is_right, "sum %zu: %g is %s", i, sums[i].result,
			found.wrong ? "wrong" : "right");
	}
	CHECK(reference_compare(&reference, &none, &results, 0).wrong == 3 * 5, "five sums are wrong");
	reference_destroy(&reference);
	matrix_destroy(&operands);
	matrix_destroy(&results);
}

int main(void)
{
	int64_t differ = 0;

	check_bounds();

	for (size_t t = 0; t < LENGTH(topologies); t++) {
		ls_topology *topology;

		CHECK(ls_topology_make(topologies[t], &topology, NULL) == LS_OK, "%s", topologies[t]);
		differ += check_topology(topology);
		ls_topology_destroy(topology);
	}
	CHECK(differ > 1000, "the order shows in only %lld elements", (long long)differ);
	return test_result();
}
