#include "operands.h"

#include "place.h"
#include "shape.h"

/* splitmix64 (Steele, Lea, Flood 2014): the place-th number of the seed's sequence. */
static uint64_t random_bits(uint64_t seed, uint64_t place)
{
	uint64_t z = seed + (place + 1) * UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

/* r + 1 + e, and in what goes to one node each the node: element e of its block. */
static int64_t plain(const struct job *job, int64_t row, size_t column)
{
	const enum ls_operation operation = job->request.operation;
	const size_t m = job->request.count;

	if (operation == LS_ALLTOALL || operation == LS_SCATTER)
		return row + 1 + (int64_t)(column % m + column / m);
	return row + 1 + (int64_t)column;
}

void operands_make(const struct options *options, const struct job *job, struct matrix *out)
{
	const bool random = options_given(options, "seed");
	const int64_t nodes = ls_topology_nodes(place_group(job));
	const enum ls_operation operation = job->request.operation;

	*out = matrix_make(element_of(options->type, takes_pairs(operation, job->request.op)), nodes,
		blocks_given(operation, nodes) * job->request.count);
	for (int64_t row = 0; row < out->rows; row++)
		for (size_t column = 0; column < out->columns; column++) {
			const uint64_t place = 2 * ((uint64_t)row * out->columns + column);
			struct value value = value_of(&out->element, plain(job, row, column));

			if (random)
				value = value_random(&out->element, random_bits(options->seed, place),
					random_bits(options->seed, place + 1));
			value.index = row;
			element_store(&out->element, matrix_at(out, row, column), value);
		}
}

int operands_read(
	struct options *options, enum ls_operation operation, int64_t nodes, struct matrix *out)
{
	const bool any_type = !options_given(options, "type"),
			   any_count = !options_given(options, "message-size");
	const size_t blocks = blocks_given(operation, nodes);
	ls_type type = any_type ? NULL : options->type;
	size_t columns;
	int failed;

	if (__builtin_mul_overflow(any_count ? 0 : options->count, blocks, &columns))
		columns = SIZE_MAX;
	failed = matrix_read(
		options->input, &type, takes_pairs(operation, options->op), nodes, &columns, out);
	options->type = type;
	options->count = columns / blocks;
	if (!failed && columns % blocks != 0) {
		matrix_destroy(out);
		failed = complain(EXIT_USAGE,
			"%s has %zu elements in a row; would be right: a multiple of %zu, a block a node",
			options->input, columns, blocks);
	}
	return failed;
}

size_t operands_bytes(const struct job *job)
{
	const int64_t nodes = ls_topology_nodes(place_group(job));
	const size_t given = blocks_given(job->request.operation, nodes);
	const size_t got = blocks_got(job->request.operation, nodes);
	const size_t expected = is_shared(job->request.operation) ? 0 : got;
	size_t blocks, bytes;

	if (__builtin_mul_overflow(given + got + expected + (given > got ? given : got),
			job->request.count, &blocks) ||
		__builtin_mul_overflow(blocks, ls_type_size(job->request.type), &bytes))
		return SIZE_MAX;
	return bytes;
}
