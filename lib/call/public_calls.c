/*
 * The public calls: ls_collective, and one function per operation.
 *
 * A call without counts first compares its arguments with those of the last call of its operation.
 * Most programs repeat a call with the same buffers; they need no other cache.
 */
#include "call/call.h"

#include "base/sized.h"
#include "machine/refused_call.h"

/* Copy the caller's struct, which may have another size, and set its defaults. */
int ls_collective(ls_node *node, const struct ls_call *given)
{
	struct ls_call call;

	if (!lsi_handle_is_valid(node))
		return lsi_refuse_handle("ls_collective");
	if (!given)
		return lsi_refuse_call(node->self, LS_ERR_ARGUMENT, "ls_collective", "call is NULL");
	if (!lsi_sized_read(&call, sizeof call, given))
		return lsi_refuse_call(node->self, LS_ERR_ARGUMENT, "ls_collective",
			"call.size is %zu; expected sizeof(struct ls_call), and unknown fields to be 0",
			given->size);
	if ((unsigned)call.operation >= LS_OPERATIONS)
		return lsi_refuse_call(node->self, LS_ERR_ARGUMENT, "ls_collective",
			"operation is %d; expected 0 .. %d", (int)call.operation, LS_OPERATIONS - 1);
	if (call.operation == LS_BARRIER) {
		call.count = 0;
		call.type = LS_UINT8;
	}
	if (call.plan) {
		call.root = call.plan->problem.root;
		call.shift = call.plan->problem.shift;
	}
	call.type = call.type ? call.type : LS_DOUBLE;
	call.op = !lsi_operation_combines(call.operation) ? NULL : call.op ? call.op : LS_SUM;
	return call.counts || call.result_counts ? lsi_call_execute_counted(node, call)
											 : lsi_call_execute(node, &call);
}

/* A call without counts.  Only inline functions take it, by value: it stays in registers. */
struct plain_call {
	enum ls_operation operation;
	const void *input;
	void *output;
	size_t count;
	ls_type type;
	ls_op op;
	int64_t root, shift;
};

/*
 * The node's last call of the operation, if this one is the same; else NULL.  The fields that are
 * not compared here have their defaults in every call that last_call holds.
 */
static inline struct lsi_cached_call *last_call_if_same(
	const ls_node *node, const struct plain_call c)
{
	const struct lsi_call_cache *call_cache = node->call_cache;
	struct lsi_cached_call *last = call_cache ? call_cache->last_call[c.operation] : NULL;
	const struct ls_call *call = last ? &last->call : NULL;

	return call && call->input == c.input && call->output == c.output && call->count == c.count
			&& call->type == c.type && call->op == c.op && call->root == c.root
			&& call->shift == c.shift
		? last
		: NULL;
}

/* An initializer of struct ls_call would clear all of it first, which is slow: set each field. */
static inline int make(ls_node *node, const struct plain_call c)
{
	struct lsi_cached_call *cached;
	struct ls_call call;

	if (!lsi_handle_is_valid(node))
		return lsi_call_refuse_handle(c.operation, false);
	cached = last_call_if_same(node, c);
	if (cached)
		return lsi_call_execute_cached(node, cached);
	call.size = sizeof call;
	call.operation = c.operation;
	call.algorithm = NULL;
	call.input = c.input;
	call.output = c.output;
	call.count = c.count;
	call.type = c.type;
	call.op = c.op;
	call.root = c.root;
	call.shift = c.shift;
	call.ports = 0;
	call.counts = call.result_counts = NULL;
	call.plan = NULL;
	return lsi_call_execute(node, &call);
}

/* ---- Calls with one count */

int ls_barrier(ls_node *node)
{
	return make(node, (struct plain_call){ LS_BARRIER, NULL, NULL, 0, LS_UINT8, NULL, 0, 0 });
}

int ls_broadcast(ls_node *node, void *data, size_t n, ls_type type, int64_t root)
{
	return make(node, (struct plain_call){ LS_BROADCAST, data, data, n, type, NULL, root, 0 });
}

int ls_reduce(
	ls_node *node, const void *mine, void *result, size_t n, ls_type type, ls_op op, int64_t root)
{
	return make(node, (struct plain_call){ LS_REDUCE, mine, result, n, type, op, root, 0 });
}

int ls_allreduce(ls_node *node, const void *mine, void *result, size_t n, ls_type type, ls_op op)
{
	return make(node, (struct plain_call){ LS_ALLREDUCE, mine, result, n, type, op, 0, 0 });
}

int ls_scan(ls_node *node, const void *mine, void *result, size_t n, ls_type type, ls_op op)
{
	return make(node, (struct plain_call){ LS_SCAN, mine, result, n, type, op, 0, 0 });
}

int ls_exscan(ls_node *node, const void *mine, void *result, size_t n, ls_type type, ls_op op)
{
	return make(node, (struct plain_call){ LS_EXSCAN, mine, result, n, type, op, 0, 0 });
}

int ls_shift(ls_node *node, const void *mine, void *result, size_t n, ls_type type, int64_t q)
{
	return make(node, (struct plain_call){ LS_SHIFT, mine, result, n, type, NULL, 0, q });
}

int ls_allgather(ls_node *node, const void *mine, void *result, size_t n, ls_type type)
{
	return make(node, (struct plain_call){ LS_ALLGATHER, mine, result, n, type, NULL, 0, 0 });
}

int ls_gather(ls_node *node, const void *mine, void *result, size_t n, ls_type type, int64_t root)
{
	return make(node, (struct plain_call){ LS_GATHER, mine, result, n, type, NULL, root, 0 });
}

int ls_scatter(ls_node *node, const void *mine, void *result, size_t n, ls_type type, int64_t root)
{
	return make(node, (struct plain_call){ LS_SCATTER, mine, result, n, type, NULL, root, 0 });
}

int ls_reduce_scatter(
	ls_node *node, const void *mine, void *result, size_t n, ls_type type, ls_op op)
{
	return make(node, (struct plain_call){ LS_REDUCE_SCATTER, mine, result, n, type, op, 0, 0 });
}

int ls_alltoall(ls_node *node, const void *mine, void *result, size_t n, ls_type type)
{
	return make(node, (struct plain_call){ LS_ALLTOALL, mine, result, n, type, NULL, 0, 0 });
}

/* ---- Calls with counts */

/* A call of one operand and one result, whose blocks have the lengths of counts. */
#define CALL(OPERATION, ...) \
	(struct ls_call) \
	{ \
		.operation = OPERATION, .input = mine, .output = result, .type = type, __VA_ARGS__ \
	}

int ls_allgatherv(
	ls_node *node, const void *mine, void *result, const size_t counts[], ls_type type)
{
	return lsi_call_execute_counted(node, CALL(LS_ALLGATHER, .counts = counts));
}

int ls_gatherv(ls_node *node, const void *mine, void *result, const size_t counts[], ls_type type,
	int64_t root)
{
	return lsi_call_execute_counted(node, CALL(LS_GATHER, .counts = counts, .root = root));
}

int ls_scatterv(ls_node *node, const void *mine, void *result, const size_t counts[], ls_type type,
	int64_t root)
{
	return lsi_call_execute_counted(node, CALL(LS_SCATTER, .counts = counts, .root = root));
}

int ls_reduce_scatterv(
	ls_node *node, const void *mine, void *result, const size_t counts[], ls_type type, ls_op op)
{
	return lsi_call_execute_counted(node, CALL(LS_REDUCE_SCATTER, .counts = counts, .op = op));
}

int ls_alltoallv(ls_node *node, const void *mine, const size_t mine_counts[], void *result,
	const size_t result_counts[], ls_type type)
{
	return lsi_call_execute_counted(
		node, CALL(LS_ALLTOALL, .counts = mine_counts, .result_counts = result_counts));
}
