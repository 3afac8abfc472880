/*
 * The first call of its kind fills the caches: choose an algorithm, make its plan, compile the
 * program.
 *
 *   request . choice . plan . program . cached call
 *             plan_cache.c    here
 *
 * Every node does this for itself, and all nodes come to the same plan: the request holds nothing
 * that may differ between them.  Only the choice and the plan are shared by the group.
 */
#include "call/call.h"

#include <string.h>

#include "collective/algorithm.h"
#include "cost/cost_internal.h"
#include "machine/envelope.h"
#include "plan/plan_from_messages.h"

/* With the handle. */
static void destroy(void *arg)
{
	struct lsi_call_cache *call_cache = arg;

	while (call_cache->programs) {
		struct lsi_program_entry *program_entry = call_cache->programs;

		call_cache->programs = program_entry->next;
		if (program_entry->compiled)
			lsi_arena_release(&program_entry->program.arena);
		lsi_free(program_entry->lengths);
		lsi_free(program_entry);
	}
	for (int i = 0; i < LSI_CALL_CACHE_SIZE; i++)
		lsi_free(call_cache->entry[i]);
	lsi_free(call_cache->scratch);
	lsi_free(call_cache);
}

/* The handle destroys it: see destroy_call_cache. */
struct lsi_call_cache *lsi_call_cache_of(struct ls_node *node)
{
	if (!node->call_cache)
		node->call_cache = lsi_alloc_zero(1, sizeof(struct lsi_call_cache));
	if (node->call_cache)
		node->destroy_call_cache = destroy;
	return node->call_cache;
}

/* Its index in the table of algorithms: envelopes carry it. */
static size_t algorithm_number(const struct lsi_algorithm *algorithm)
{
	size_t i = 0;

	while (lsi_algorithms[i] && lsi_algorithms[i] != algorithm)
		i++;
	return i;
}

/* NULL: no memory. */
static struct lsi_program_entry *program_entry_of(
	struct lsi_call_cache *call_cache, const struct ls_plan *plan)
{
	struct lsi_program_entry *program_entry = call_cache->programs;

	while (program_entry && program_entry->plan != plan)
		program_entry = program_entry->next;
	if (program_entry)
		return program_entry;
	program_entry = lsi_alloc_zero(1, sizeof *program_entry);
	if (!program_entry)
		return NULL;
	program_entry->plan = plan;
	program_entry->next = call_cache->programs;
	call_cache->programs = program_entry;
	return program_entry;
}

/* Once per handle and plan; a plan that is only executed cooperatively is never compiled. */
int lsi_program_entry_compile(struct ls_node *node, struct lsi_program_entry *program_entry)
{
	const int failed = program_entry->compiled
		? LS_OK
		: lsi_program_compile(node, program_entry->plan, &program_entry->program);

	program_entry->compiled = !failed;
	return failed;
}

/*
 * The request of the choice, equal at all nodes.  Whether the call is in place may differ between
 * them: at the root of a rooted operation, and for a block of no elements.
 */
static struct ls_request request_of(
	const struct ls_node *node, const struct ls_call *call, bool in_place)
{
	const size_t p = (size_t)node->group->size;
	const int ports = node->self->machine->options.ports;

	return (struct ls_request){ .size = sizeof(struct ls_request),
		.topology = node->group->topology,
		.operation = call->operation,
		.mode = node->group->embedded ? LS_HOP : node->group->mode,
		.algorithm = call->algorithm,
		.count = call->counts ? (call->count + p - 1) / p : call->count,
		.type = call->type,
		.op = call->op,
		.root = call->root,
		.shift = call->shift,
		.in_place = in_place || lsi_operation_is_rooted(call->operation)
			|| (call->counts && !call->result_counts),
		.ports = call->ports   ? call->ports
			: ports < LS_PORTS ? ports
							   : LS_PORTS };
}

/*
 * Does every block go straight to its node, in a message of its own, from one buffer into the
 * other? Then the plan has as many messages and words as blocks.
 */
static bool is_direct(const struct ls_plan *plan, struct ls_counts counts)
{
	const int64_t p = plan->problem.nodes;
	int64_t slots = 0;

	for (int k = 0; k < LS_SCRATCH_BUFFERS; k++)
		slots += plan->frame.scratch[k].slots;
	return slots == 0 && counts.messages == p * (p - 1) && counts.words == p * (p - 1);
}

/* Take the plan of one all-to-all if it is direct and has fewer rounds than the best so far. */
static int try_direct(struct ls_node *node, const struct ls_request *request,
	const struct lsi_algorithm **algorithm, const struct ls_plan **best)
{
	struct lsi_problem problem;
	const struct ls_plan *plan;
	struct ls_counts counts;
	int failed = lsi_group_choose(node, request, algorithm, &problem);

	if (failed)
		return failed == LS_ERR_MEMORY ? failed : LS_OK;
	failed = lsi_group_plan(node, *algorithm, &problem, &plan);
	if (failed)
		return failed;
	counts = ls_plan_predict(plan, 1);
	if (counts.rounds < 0)
		return LS_ERR_MEMORY;
	if (is_direct(plan, counts) && (!*best || counts.rounds < ls_plan_rounds(*best)))
		*best = plan;
	return LS_OK;
}

/* The shortest direct plan; *plan NULL: none, for instance where some nodes are no neighbors. */
static int plan_direct(struct ls_node *node, struct ls_request request,
	const struct lsi_algorithm **algorithm, const struct ls_plan **plan)
{
	const char *const requested = request.algorithm;
	struct lsi_problem problem;
	const bool all_linked =
		request.mode == LS_ROUTED || ls_topology_diameter(request.topology) <= 1;
	int failed = lsi_group_choose(node, &request, algorithm, &problem);

	*plan = NULL;
	for (size_t i = 0; all_linked && lsi_algorithms[i] && !failed; i++) {
		const struct lsi_algorithm *a = lsi_algorithms[i];

		if (!(a->operations & LSI_FOR(LS_ALLTOALL))
			|| (requested ? strcmp(a->name, requested) != 0 : a->teaching))
			continue;
		request.algorithm = a->name;
		failed = try_direct(node, &request, algorithm, plan);
	}
	return failed;
}

/* The choice of the cost model, or the named algorithm. */
static int plan_chosen(struct ls_node *node, struct ls_request request, bool in_place,
	const struct lsi_algorithm **algorithm, const struct ls_plan **plan)
{
	struct lsi_problem problem;
	const int failed = lsi_group_choose(node, &request, algorithm, &problem);

	if (failed)
		return failed;
	problem.in_place = in_place;
	return lsi_group_plan(node, *algorithm, &problem, plan);
}

/* Set all fields that do not depend on the buffers. */
static void fill(
	struct ls_node *node, struct lsi_program_entry *program_entry, struct lsi_cached_call *out)
{
	const struct ls_call *call = &out->call;
	const struct lsi_problem *problem = &program_entry->plan->problem;
	const bool combines = lsi_operation_combines(call->operation);
	const struct ls_machine *machine = node->self->machine;
	const unsigned counted = call->counts && !call->result_counts ? LSI_CALL_COUNTED : 0;
	const struct lsi_call_id id = { node->group->context, 0, call->count, call->operation | counted,
		(unsigned)algorithm_number(program_entry->plan->algorithm),
		call->operation == LS_SHIFT ? problem->shift : call->root, call->type->id,
		combines ? call->op->id : 0 };
	struct lsi_execution *x = &out->execution;

	if (combines)
		out->op = *call->op;
	out->program_entry = program_entry;
	x->node = node;
	x->program = &program_entry->program;
	x->combine = combines ? lsi_kernel_for(call->op, call->type)
						  : (struct lsi_operator){ .size = call->type->size };
	x->envelope =
		(struct lsi_envelope){ .node = node, .operation = ls_operation_name(call->operation) };
	lsi_call_pack(&id, x->envelope.call);
	if (ls_plan_steps(program_entry->plan) == 0 || problem->nodes == 1)
		return;
	if (!call->counts) {
		const size_t bytes = call->count * call->type->size;

		out->cooperative = lsi_engine_choose(machine, problem->nodes, call->operation, bytes, NULL)
			== LS_COOPERATIVE;
		out->follows_root =
			lsi_engine_follows_root(machine, problem->nodes, call->operation, bytes);
	}
	out->assembles = out->cooperative || machine->options.rounds == LS_LOCKSTEP;
	out->cooperative |= out->follows_root;
	if (out->cooperative)
		out->send_counts = lsi_send_counts_of(
			program_entry->plan, node->rank, &(struct lsi_measure){ .n = call->count });
}

/* In hop mode a plan is for one network. */
static bool has_links_for(const struct lsi_group *group, const struct lsi_problem *problem)
{
	return (group->mode == LS_ROUTED && !group->embedded)
		|| strcmp(ls_topology_spec(problem->topology), ls_topology_spec(group->topology)) == 0;
}

/* Can a plan of the caller execute the call?  LS_OK or the error. */
static int check_plan(const struct ls_node *node, const struct ls_call *call, bool in_place)
{
	const struct lsi_problem *problem = &call->plan->problem;
	const enum ls_claim claim = call->plan->algorithm->claim;

	if (problem->nodes != node->group->size || problem->operation != call->operation
		|| (problem->mode != node->group->mode && !node->group->embedded)
		|| problem->in_place != in_place || !has_links_for(node->group, problem)
		|| problem->ports > node->self->machine->options.ports || call->result_counts
		|| lsi_message_index_of(call->plan))
		return LS_ERR_ARGUMENT;
	if (!lsi_operation_combines(call->operation))
		return LS_OK;
	return (ls_op_commutative(call->op) || claim == LS_ORDERED)
			&& (ls_op_idempotent(call->op) || claim != LS_IDEMPOTENT)
		? LS_OK
		: LS_ERR_UNSUPPORTED;
}

/* *plan NULL: no plan takes blocks of unequal lengths. */
static int plan_for(struct ls_node *node, const struct ls_call *call, bool in_place,
	const struct lsi_algorithm **algorithm, const struct ls_plan **plan)
{
	const struct ls_request request = request_of(node, call, in_place);

	if (call->plan) {
		*plan = call->plan;
		*algorithm = call->plan->algorithm;
		return check_plan(node, call, in_place);
	}
	return call->result_counts ? plan_direct(node, request, algorithm, plan)
							   : plan_chosen(node, request, in_place, algorithm, plan);
}

/* Only the root knows whether it is in place, but any node may execute the call for all. */
static int plan_other(
	struct ls_node *node, const struct ls_plan *plan, const struct ls_plan **other)
{
	struct lsi_problem problem = plan->problem;

	if (!lsi_operation_is_rooted(problem.operation))
		return LS_OK;
	problem.in_place = !problem.in_place;
	return lsi_group_plan(node, plan->algorithm, &problem, other);
}

/* Fill a cached call; its buffers are set when it is executed. */
static int prepare(struct ls_node *node, struct lsi_call_cache *call_cache,
	const struct ls_call *call, bool in_place, struct lsi_cached_call *out)
{
	const struct lsi_algorithm *algorithm;
	const struct ls_plan *plan;
	struct lsi_program_entry *program_entry;
	int failed = plan_for(node, call, in_place, &algorithm, &plan);

	if (failed)
		return failed;
	*out = (struct lsi_cached_call){ .call = *call, .in_place = in_place, .padded = !plan };
	out->execution.combine.size = call->type->size;
	if (call->algorithm)
		out->call.algorithm = algorithm->name;
	if (!plan)
		return LS_OK;
	program_entry = program_entry_of(call_cache, plan);
	if (!program_entry)
		return LS_ERR_MEMORY;
	fill(node, program_entry, out);
	failed =
		out->assembles && out->cooperative ? LS_OK : lsi_program_entry_compile(node, program_entry);
	if (failed || !out->cooperative || call->plan)
		return failed;
	return plan_other(node, plan, &out->other);
}

/* An entry is reused in place: last_call must not find the old call in it. */
struct lsi_cached_call *lsi_call_cache_insert(struct ls_node *node, struct lsi_cached_call **entry,
	const struct ls_call *call, bool in_place, int *failed)
{
	struct lsi_call_cache *call_cache = node->call_cache;
	struct lsi_cached_call *cached = *entry ? *entry : lsi_alloc(sizeof *cached);

	*entry = NULL; /* until it is complete */
	for (int o = 0; o < LS_OPERATIONS; o++)
		if (call_cache->last_call[o] == cached)
			call_cache->last_call[o] = NULL;
	*failed = cached ? prepare(node, call_cache, call, in_place, cached) : LS_ERR_MEMORY;
	if (*failed) {
		lsi_free(cached);
		return NULL;
	}
	return *entry = cached;
}
