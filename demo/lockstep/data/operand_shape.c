#include "data/operand_shape.h"

size_t blocks_given(enum ls_operation operation, int64_t nodes)
{
	return ls_operation_describe(operation)->input == LS_BLOCKS ? (size_t)nodes : 1;
}

size_t blocks_got(enum ls_operation operation, int64_t nodes)
{
	return ls_operation_describe(operation)->output == LS_BLOCKS ? (size_t)nodes : 1;
}

size_t blocks_held(const struct ls_request *request, int64_t nodes)
{
	const size_t given = blocks_given(request->operation, nodes);
	const size_t got = blocks_got(request->operation, nodes);

	return request->in_place && given > got ? given : got;
}

size_t elements_before(size_t n, int64_t blocks, int64_t block)
{
	const size_t b = (size_t)block, B = (size_t)blocks;

	return n / B * b + (b < n % B ? b : n % B);
}

bool has_operand(enum ls_operation operation, int64_t root, int64_t rank)
{
	return !ls_operation_describe(operation)->from_root || rank == root;
}

bool has_result(enum ls_operation operation, int64_t root, int64_t rank)
{
	return !ls_operation_describe(operation)->at_root || rank == root;
}

bool has_elements(enum ls_operation operation)
{
	return operation != LS_BARRIER;
}

bool has_root(enum ls_operation operation)
{
	const struct ls_operation_info *info = ls_operation_describe(operation);

	return info->from_root || info->at_root;
}

bool has_distance(enum ls_operation operation)
{
	return operation == LS_SHIFT;
}

bool combines(enum ls_operation operation)
{
	return ls_operation_describe(operation)->combines;
}

bool keeps_operands(enum ls_operation operation)
{
	return operation == LS_BROADCAST || operation == LS_SCATTER || operation == LS_GATHER
		|| operation == LS_ALLGATHER;
}

bool is_shared(enum ls_operation operation)
{
	return operation != LS_SCAN && operation != LS_EXSCAN && operation != LS_ALLTOALL
		&& ls_operation_describe(operation)->output != LS_BLOCK;
}

bool takes_pairs(enum ls_operation operation, ls_op op)
{
	return combines(operation) && (op == LS_MINLOC || op == LS_MAXLOC);
}
