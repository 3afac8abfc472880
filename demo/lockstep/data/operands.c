#include "data/operands.h"

#include "base/messages.h"
#include "data/operand_shape.h"

#include <string.h>

/* splitmix64 (Steele, Lea, Flood 2014): the index-th number of the seed's sequence. */
static uint64_t random_bits(uint64_t seed, uint64_t index)
{
	uint64_t z = seed + (index + 1) * UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

struct operands operands_of(
	const struct query *query, const struct ls_request *request, const struct matrix *rows)
{
	const enum ls_operation operation = request->operation;
	const int64_t nodes = ls_topology_nodes(request->topology);
	const size_t count = request->count;

	return (struct operands){
		.element = element_of(query->type, takes_pairs(operation, request->op)),
		.nodes = nodes,
		.count = count,
		.columns = blocks_given(operation, nodes) * count,
		.by_destination = operation == LS_ALLTOALL || operation == LS_SCATTER,
		.random = query->given.seed,
		.seed = query->seed,
		.rows = rows,
	};
}

/*
 * r + 1 + e.  For scatter and all-to-all: r + 1 + (index in the block) + (number of the block).
 */
static int64_t plain(const struct operands *operands, int64_t rank, size_t column)
{
	const size_t m = operands->count;

	if (operands->by_destination)
		return rank + 1 + (int64_t)(column % m + column / m);
	return rank + 1 + (int64_t)column;
}

static struct value random_at(const struct operands *operands, int64_t rank, size_t column)
{
	const uint64_t index = 2 * ((uint64_t)rank * operands->columns + column);

	return value_random(&operands->element, random_bits(operands->seed, index),
		random_bits(operands->seed, index + 1));
}

struct value operand_at(const struct operands *operands, int64_t rank, size_t column)
{
	const struct element *element = &operands->element;

	if (operands->rows)
		return element_load(element, matrix_at(operands->rows, rank, column));

	struct value value = operands->random ? random_at(operands, rank, column)
										  : value_of(element, plain(operands, rank, column));

	value.index = rank;
	return value;
}

void operands_put(const struct operands *operands, int64_t rank, size_t first, size_t n, void *into)
{
	const struct element *element = &operands->element;
	char *at = into;

	if (operands->rows) {
		memcpy(into, matrix_at(operands->rows, rank, first), n * element->bytes);
		return;
	}
	if (!operands->random && element_is_int64(element)) {
		for (size_t i = 0; i < n; i++)
			((int64_t *)into)[i] = plain(operands, rank, first + i);
		return;
	}
	for (size_t i = 0; i < n; i++)
		element_store(element, at + i * element->bytes, operand_at(operands, rank, first + i));
}

/* 1 / epsilon and all smaller integers are exact; no operand exceeds p + columns. */
bool sums_are_exact(const struct operands *operands, ls_op op)
{
	const double p = (double)operands->nodes;

	return op == LS_SUM && depends_on_order(&operands->element, op) && !operands->random
		&& p * (p + (double)operands->columns) * operands->element.epsilon <= 1;
}

void operands_make(const struct query *query, const struct ls_request *request, struct matrix *out)
{
	const struct operands operands = operands_of(query, request, NULL);

	*out = matrix_make(operands.element, operands.nodes, operands.columns);
	for (int64_t row = 0; row < out->rows; row++)
		operands_put(&operands, row, 0, out->columns, matrix_at(out, row, 0));
}

int operands_read(
	struct query *query, enum ls_operation operation, int64_t nodes, struct matrix *out)
{
	const bool any_type = !query->given.type, any_count = !query->given.count;
	const size_t blocks = blocks_given(operation, nodes);
	ls_type type = any_type ? NULL : query->type;
	size_t columns;
	int failed;

	if (__builtin_mul_overflow(any_count ? 0 : query->count, blocks, &columns))
		columns = SIZE_MAX;
	failed =
		matrix_read(query->input, &type, takes_pairs(operation, query->op), nodes, &columns, out);
	query->type = type;
	query->count = columns / blocks;
	if (!failed && columns % blocks != 0) {
		matrix_destroy(out);
		failed = print_error(EXIT_USAGE,
			"%s has %zu elements per row; expected a multiple of %zu, one block per node",
			query->input, columns, blocks);
	}
	return failed;
}

size_t operands_bytes(const struct ls_request *request)
{
	const int64_t nodes = ls_topology_nodes(request->topology);
	const size_t given = blocks_given(request->operation, nodes);
	const size_t got = blocks_got(request->operation, nodes);
	const size_t held = blocks_held(request, nodes);
	const size_t expected = is_shared(request->operation) ? 0 : got;
	size_t blocks, bytes;

	if (__builtin_mul_overflow(
			given + held + expected + (given > got ? given : got), request->count, &blocks)
		|| __builtin_mul_overflow(blocks, ls_type_size(request->type), &bytes))
		return SIZE_MAX;
	return bytes;
}
