/*
 * Operations as programs call them: by their own functions, if the call has only operands.
 */
#include "bench/measurement.h"

#define CALL(name, ...) \
	static int name(ls_node *me, const struct ls_call *c) \
	{ \
		return ls_##name(me, __VA_ARGS__); \
	}

CALL(reduce, c->input, c->output, c->count, c->type, c->op, c->root)
CALL(allreduce, c->input, c->output, c->count, c->type, c->op)
CALL(allgather, c->input, c->output, c->count, c->type)
CALL(reduce_scatter, c->input, c->output, c->count, c->type, c->op)
CALL(scan, c->input, c->output, c->count, c->type, c->op)
CALL(exscan, c->input, c->output, c->count, c->type, c->op)
CALL(scatter, c->input, c->output, c->count, c->type, c->root)
CALL(gather, c->input, c->output, c->count, c->type, c->root)
CALL(alltoall, c->input, c->output, c->count, c->type)
CALL(shift, c->input, c->output, c->count, c->type, c->shift)

/* ls_broadcast is always in place. */
static int broadcast(ls_node *me, const struct ls_call *c)
{
	return ls_broadcast(me, c->output, c->count, c->type, c->root);
}

static int barrier(ls_node *me, const struct ls_call *c)
{
	(void)c;
	return ls_barrier(me);
}

caller *plain_call(const struct ls_call *call)
{
	static caller *const plain[LS_OPERATIONS] = { [LS_BROADCAST] = broadcast,
		[LS_REDUCE] = reduce,
		[LS_ALLREDUCE] = allreduce,
		[LS_ALLGATHER] = allgather,
		[LS_REDUCE_SCATTER] = reduce_scatter,
		[LS_SCAN] = scan,
		[LS_EXSCAN] = exscan,
		[LS_SCATTER] = scatter,
		[LS_GATHER] = gather,
		[LS_ALLTOALL] = alltoall,
		[LS_SHIFT] = shift,
		[LS_BARRIER] = barrier };
	const bool apart = call->operation == LS_BROADCAST && call->input != call->output;

	return call->algorithm || call->plan || call->ports || apart ? ls_collective
																 : plain[call->operation];
}
