#include "operands.h"

/* splitmix64 (Steele, Lea, Flood 2014): the place-th number of the seed's sequence. */
static uint64_t random_bits(uint64_t seed, uint64_t place)
{
	uint64_t z = seed + (place + 1) * UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

void operands_make(const struct options *options, const struct job *job, struct matrix *out)
{
	const bool random = options_given(options, "seed");

	*out =
		matrix_make(element_of(options->type, takes_pairs(job->request.operation, job->request.op)),
			ls_topology_nodes(job->topology), job->request.count);
	for (int64_t row = 0; row < out->rows; row++)
		for (size_t column = 0; column < out->columns; column++) {
			const uint64_t place = 2 * ((uint64_t)row * out->columns + column);
			struct value value = value_of(&out->element, row + 1 + (int64_t)column);

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
	ls_type type = any_type ? NULL : options->type;
	size_t columns = any_count ? 0 : options->count;
	const int failed = matrix_read(
		options->input, &type, takes_pairs(operation, options->op), nodes, &columns, out);

	options->type = type;
	options->count = columns;
	return failed;
}
