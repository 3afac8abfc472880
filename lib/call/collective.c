/*
 * Collective calls: check the arguments, find the program, execute it.
 *
 * A node remembers its last few calls by their arguments, so that a call that was made before goes
 * straight to its program.
 */
#include <lockstep/collective.h>

#include <inttypes.h>
#include <string.h>

#include "call/call.h"
#include "collective/algorithm.h"
#include "cost/cost.h"
#include "engine/execute.h"
#include "machine/envelope.h"

enum { REMEMBERED = 16 };                 /* a power of two */

/* A compiled program of this handle; programs outlive the calls that are forgotten. */
struct held {
	struct held *next;
	struct ls_program program;
};

/* A call, and its execution with everything filled in but the buffers. */
struct remembered {
	struct ls_call call;                  /* buffers are not compared */
	bool in_place;
	struct ls_op_info op;                 /* what a user's operator was: another may have its address */
	struct ls_execution execution;
};

struct memo {
	struct held *held;
	char *scratch;
	size_t scratch_bytes;
	struct remembered *place[REMEMBERED];
};

static void forget(void *arg)
{
	struct memo *memo = arg;

	while (memo->held) {
		struct held *held = memo->held;

		memo->held = held->next;
		ls_arena_release(&held->program.arena);
		ls_free(held);
	}
	for (int i = 0; i < REMEMBERED; i++)
		ls_free(memo->place[i]);
	ls_free(memo->scratch);
	ls_free(memo);
}

static struct memo *memo_of(struct ls_node *node)
{
	if (!node->memo)
		node->memo = ls_alloc_zero(1, sizeof(struct memo));
	if (node->memo)
		node->forget = forget;
	return node->memo;
}

static bool is_same_operator(const struct ls_op_info *old, ls_op op)
{
	return !op || (old->combine == op->combine && old->context == op->context
		&& old->commutative == op->commutative && old->idempotent == op->idempotent);
}

static bool matches(const struct remembered *r, const struct ls_call *call, bool in_place)
{
	const struct ls_call *old = &r->call;

	return old->count == call->count && old->operation == call->operation
		&& old->type == call->type && old->op == call->op && old->root == call->root
		&& old->shift == call->shift && old->ports == call->ports && r->in_place == in_place
		&& is_same_operator(&r->op, call->op) && r->execution.combine.size == call->type->size
		&& (old->algorithm == call->algorithm
			|| (old->algorithm && call->algorithm
				&& strcmp(old->algorithm, call->algorithm) == 0));
}

static struct remembered **place_of(struct memo *memo, const struct ls_call *call)
{
	const uint64_t mixed = ((uint64_t)call->operation * 31 + call->count * 7
				       + (uint64_t)call->root * 3
				       + (uint64_t)(uintptr_t)call->op / 8)
		* 0x9e3779b97f4a7c15u;

	return &memo->place[mixed >> 32 & (REMEMBERED - 1)];
}

/* ---- The first call of its kind */

static size_t algorithm_number(const struct ls_algorithm *algorithm)
{
	size_t i = 0;

	while (ls_algorithms[i] != algorithm)
		i++;
	return i;
}

static struct held *program_of(
	struct ls_node *node, struct memo *memo, const struct ls_plan *plan, int *failed)
{
	struct held *held = memo->held;

	while (held && held->program.plan != plan)
		held = held->next;
	if (held)
		return held;
	held = ls_alloc(sizeof *held);
	*failed = held ? ls_program_compile(node, plan, &held->program) : LS_ERR_MEMORY;
	if (*failed) {
		ls_free(held);
		return NULL;
	}
	held->next = memo->held;
	memo->held = held;
	return held;
}

static bool reduces(enum ls_operation operation)
{
	return operation == LS_REDUCE || operation == LS_ALLREDUCE;
}

static struct ls_request request_of(const struct ls_node *node, const struct ls_call *call, bool in_place)
{
	const int ports = node->self->machine->options.ports;

	return (struct ls_request){ .size = sizeof(struct ls_request), .topology = node->group->topology,
		.operation = call->operation, .mode = node->group->mode, .algorithm = call->algorithm,
		.count = call->count, .type = call->type, .op = call->op, .root = call->root,
		.shift = call->shift, .in_place = in_place,
		.ports = call->ports ? call->ports : ports < LS_PORTS ? ports : LS_PORTS };
}

/* Choose, plan and compile, and fill what every such call has in common. */
static int learn(struct ls_node *node, struct memo *memo, const struct ls_call *call, bool in_place,
	struct remembered *out)
{
	const struct ls_request request = request_of(node, call, in_place);
	const bool combines = reduces(call->operation);
	const struct ls_algorithm *algorithm;
	struct ls_problem problem;
	const struct ls_plan *plan;
	int failed = ls_choose(&request, &algorithm, &problem, NULL);

	if (!failed)
		failed = ls_group_plan(node, algorithm, &problem, &plan);
	if (failed)
		return failed;

	struct held *held = program_of(node, memo, plan, &failed);

	if (!held)
		return failed;

	const struct ls_call_id id = { node->group->context, 0, call->count, call->operation,
		(unsigned)algorithm_number(algorithm), call->root, call->type->id,
		combines ? call->op->id : 0 };
	struct ls_execution *x = &out->execution;

	*out = (struct remembered){ .call = *call, .in_place = in_place };
	out->call.algorithm = call->algorithm ? algorithm->name : NULL;
	if (combines)
		out->op = *call->op;
	x->node = node;
	x->program = &held->program;
	x->combine = combines ? ls_kernel_for(call->op, call->type)
			      : (struct ls_combine){ .size = call->type->size };
	x->envelope = (struct ls_envelope){ .node = node, .operation = ls_operation_name(call->operation) };
	ls_call_pack(&id, x->envelope.call);
	return LS_OK;
}

/* The remembered call, learnt if it is new; NULL: *failed says why. */
static struct remembered *recall(struct ls_node *node, struct memo *memo, const struct ls_call *call,
	int *failed)
{
	const bool in_place = call->input == call->output && call->output;
	struct remembered **place = place_of(memo, call), *known = *place;

	if (known && matches(known, call, in_place))
		return known;
	if (!known)
		known = ls_alloc(sizeof *known);
	*place = NULL;                        /* until it is complete */
	*failed = known ? learn(node, memo, call, in_place, known) : LS_ERR_MEMORY;
	if (*failed) {
		ls_free(known);
		return NULL;
	}
	return *place = known;
}

static bool scratch_fits(struct memo *memo, size_t bytes)
{
	if (bytes <= memo->scratch_bytes)
		return true;

	char *wider = ls_alloc_lines(bytes);

	if (!wider)
		return false;
	ls_free(memo->scratch);
	memo->scratch = wider;
	memo->scratch_bytes = bytes;
	return true;
}

/* ---- Every call */

static int no_memory(struct ls_node *node, const char *operation)
{
	return ls_halt(node->self,
		(struct ls_fault){ LS_ERR_MEMORY, -1, node->round, -1, operation },
		"no memory for %s at node %" PRId64, operation, node->self->rank);
}

static bool lockstep(const struct ls_node *node)
{
	return node->self->machine->options.rounds == LS_LOCKSTEP;
}

static int execute(struct memo *memo, struct ls_execution *x, const struct ls_call *call)
{
	struct ls_node *node = x->node;
	struct ls_program *program = x->program;

	if (program->measure.n != call->count || program->size != x->combine.size)
		ls_program_bind(program, &(struct ls_measure){ .n = call->count }, x->combine.size);
	if (!scratch_fits(memo, program->scratch_bytes))
		return no_memory(node, x->envelope.operation);
	x->envelope.call[0] = (uint64_t)++node->sequence << 32 | node->group->context;
	ls_call_begin(node, x->envelope.call);
	x->base[LS_INPUT] = (uintptr_t)(call->input ? call->input : call->output);
	x->base[LS_OUTPUT] = (uintptr_t)call->output;
	for (int k = 0; k < LS_SCRATCHES && program->scratch_bytes; k++)
		x->base[LS_SCRATCH + k] = (uintptr_t)memo->scratch + program->scratch_at[k];

	int failed = program->steps && lockstep(node) ? ls_enter(node, x->envelope.call, x->envelope.operation) : LS_OK;

	if (!failed)
		failed = ls_execute(x);
	if (!failed)
		ls_call_end(node);
	return failed;
}

/* The call with its defaults filled in. */
static struct ls_call with_defaults(const struct ls_call *given)
{
	struct ls_call call = { 0 };

	memcpy(&call, given, given->size < sizeof call ? given->size : sizeof call);
	if (call.operation == LS_BARRIER) {
		call.count = 0;
		call.type = LS_UINT8;
	}
	call.type = call.type ? call.type : LS_DOUBLE;
	call.op = !reduces(call.operation) ? NULL : call.op ? call.op : LS_SUM;
	return call;
}

static bool valid(const struct ls_node *node, const struct ls_call *call)
{
	if ((unsigned)call->operation >= LS_OPERATIONS || call->root < 0
		|| call->root >= node->group->size || call->count > SIZE_MAX / 2 / call->type->size
		|| (reduces(call->operation) && !call->op))
		return false;
	if (call->count == 0)
		return true;

	const bool reads = call->operation != LS_BROADCAST || node->rank == call->root;
	const bool writes = call->operation != LS_REDUCE || node->rank == call->root;

	return (call->input || !reads) && (call->output || !writes);
}

static int attempt(struct ls_node *node, const struct ls_call *call)
{
	int failed = ls_pulse(node->self);

	if (failed)
		return failed;
	if (!call->type || !valid(node, call))
		return LS_ERR_ARGUMENT;

	struct memo *memo = memo_of(node);
	struct remembered *known = memo ? recall(node, memo, call, &failed) : NULL;

	if (known)
		return execute(memo, &known->execution, call);
	return memo && failed != LS_ERR_MEMORY ? failed
					       : no_memory(node, ls_operation_name(call->operation));
}

static int collective(struct ls_node *node, const struct ls_call *call)
{
	const int failed = attempt(node, call);

	if (failed)
		ls_revoke(node->self);
	return failed;
}

int ls_collective(ls_node *node, const struct ls_call *given)
{
	if (!given || given->size == 0)
		return LS_ERR_ARGUMENT;

	const struct ls_call call = with_defaults(given);

	return collective(node, &call);
}

int ls_broadcast(ls_node *node, void *data, size_t n, ls_type type, int64_t root)
{
	return collective(node,
		&(struct ls_call){ .operation = LS_BROADCAST,
			.input = data,
			.output = data,
			.count = n,
			.type = type,
			.root = root });
}

int ls_reduce(ls_node *node, const void *mine, void *result, size_t n, ls_type type, ls_op op,
	int64_t root)
{
	return collective(node,
		&(struct ls_call){ .operation = LS_REDUCE,
			.input = mine,
			.output = result,
			.count = n,
			.type = type,
			.op = op,
			.root = root });
}

int ls_allreduce(ls_node *node, const void *mine, void *result, size_t n, ls_type type, ls_op op)
{
	return collective(node,
		&(struct ls_call){ .operation = LS_ALLREDUCE,
			.input = mine,
			.output = result,
			.count = n,
			.type = type,
			.op = op });
}

int ls_barrier(ls_node *node)
{
	return collective(node, &(struct ls_call){ .operation = LS_BARRIER, .type = LS_UINT8 });
}
