/*
 * The calls of programs.
 */
#include "call/call.h"

#include <string.h>

int ls_collective(ls_node *node, const struct ls_call *given)
{
	struct ls_call call = { 0 };

	if (!given || given->size == 0)
		return LS_ERR_ARGUMENT;
	memcpy(&call, given, given->size < sizeof call ? given->size : sizeof call);
	if ((unsigned)call.operation >= LS_OPERATIONS)
		return LS_ERR_ARGUMENT;
	if (call.operation == LS_BARRIER) {
		call.count = 0;
		call.type = LS_UINT8;
	}
	if (call.plan) {
		call.root = call.plan->problem.root;
		call.shift = call.plan->problem.shift;
	}
	call.type = call.type ? call.type : LS_DOUBLE;
	call.op = !ls_operation_combines(call.operation) ? NULL : call.op ? call.op : LS_SUM;
	return call.counts || call.result_counts ? ls_call_counted(node, call)
											 : ls_call_make(node, &call);
}

int ls_barrier(ls_node *node)
{
	return ls_call_make(node, &(struct ls_call){ .operation = LS_BARRIER, .type = LS_UINT8 });
}

int ls_broadcast(ls_node *node, void *data, size_t n, ls_type type, int64_t root)
{
	return ls_call_make(node,
		&(struct ls_call){ .operation = LS_BROADCAST,
			.input = data,
			.output = data,
			.count = n,
			.type = type,
			.root = root });
}

/* A call of one operand and one result, of n elements each or each block. */
#define CALL(OPERATION, ...) \
	(struct ls_call) \
	{ \
		.operation = OPERATION, .input = mine, .output = result, .type = type, __VA_ARGS__ \
	}

int ls_reduce(ls_node *node, const void *mine, void *result, size_t n, ls_type type, ls_op op,
	int64_t root)
{
	return ls_call_make(node, &CALL(LS_REDUCE, .count = n, .op = op, .root = root));
}

int ls_allreduce(ls_node *node, const void *mine, void *result, size_t n, ls_type type, ls_op op)
{
	return ls_call_make(node, &CALL(LS_ALLREDUCE, .count = n, .op = op));
}

int ls_scan(ls_node *node, const void *mine, void *result, size_t n, ls_type type, ls_op op)
{
	return ls_call_make(node, &CALL(LS_SCAN, .count = n, .op = op));
}

int ls_exscan(ls_node *node, const void *mine, void *result, size_t n, ls_type type, ls_op op)
{
	return ls_call_make(node, &CALL(LS_EXSCAN, .count = n, .op = op));
}

int ls_shift(ls_node *node, const void *mine, void *result, size_t n, ls_type type, int64_t q)
{
	return ls_call_make(node, &CALL(LS_SHIFT, .count = n, .shift = q));
}

int ls_allgather(ls_node *node, const void *mine, void *result, size_t n, ls_type type)
{
	return ls_call_make(node, &CALL(LS_ALLGATHER, .count = n));
}

int ls_gather(ls_node *node, const void *mine, void *result, size_t n, ls_type type, int64_t root)
{
	return ls_call_make(node, &CALL(LS_GATHER, .count = n, .root = root));
}

int ls_scatter(ls_node *node, const void *mine, void *result, size_t n, ls_type type, int64_t root)
{
	return ls_call_make(node, &CALL(LS_SCATTER, .count = n, .root = root));
}

int ls_reduce_scatter(
	ls_node *node, const void *mine, void *result, size_t n, ls_type type, ls_op op)
{
	return ls_call_make(node, &CALL(LS_REDUCE_SCATTER, .count = n, .op = op));
}

int ls_alltoall(ls_node *node, const void *mine, void *result, size_t n, ls_type type)
{
	return ls_call_make(node, &CALL(LS_ALLTOALL, .count = n));
}

int ls_allgatherv(
	ls_node *node, const void *mine, void *result, const size_t counts[], ls_type type)
{
	return ls_call_counted(node, CALL(LS_ALLGATHER, .counts = counts));
}

int ls_gatherv(ls_node *node, const void *mine, void *result, const size_t counts[], ls_type type,
	int64_t root)
{
	return ls_call_counted(node, CALL(LS_GATHER, .counts = counts, .root = root));
}

int ls_scatterv(ls_node *node, const void *mine, void *result, const size_t counts[], ls_type type,
	int64_t root)
{
	return ls_call_counted(node, CALL(LS_SCATTER, .counts = counts, .root = root));
}

int ls_reduce_scatterv(ls_node *node, const void *mine, void *result, const size_t counts[],
	ls_type type, ls_op op)
{
	return ls_call_counted(node, CALL(LS_REDUCE_SCATTER, .counts = counts, .op = op));
}

int ls_alltoallv(ls_node *node, const void *mine, const size_t mine_counts[], void *result,
	const size_t result_counts[], ls_type type)
{
	return ls_call_counted(
		node, CALL(LS_ALLTOALL, .counts = mine_counts, .result_counts = result_counts));
}
