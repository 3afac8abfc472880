/*
 * The first call of its kind fills the caches:
 *
 *   request --> choice --> plan --> compiled plan --> cached call
 *               '- plan_cache.c -'  '---------- here -----------'
 *               one per group       one per handle
 *
 * Every node does this for itself, and all nodes get the same choice: the request holds nothing
 * that may differ between them.  Their plans differ at most in `in_place` (plan_chosen).
 */
#include "call/call.h"

#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "collective/algorithm.h"
#include "cost/cost_internal.h"
#include "machine/envelope.h"
#include "plan/plan_from_messages.h"

/* The handle calls it at its end. */
static void destroy_call_cache(void *arg)
{
	struct lsi_call_cache *call_cache = arg;

	lsi_compiled_plans_release(&call_cache->compiled_plans);
	for (int i = 0; i < LSI_CALL_CACHE_SIZE; i++)
		lsi_free(call_cache->entry[i]);
	lsi_free(call_cache->roots);
	lsi_free(call_cache->operators);
	lsi_free(call_cache->scratch);
	lsi_free(call_cache);
}

/* The handle destroys it: see destroy_call_cache. */
struct lsi_call_cache *lsi_call_cache_of(struct ls_node *node)
{
	if (!node->call_cache)
		node->call_cache = lsi_alloc_cache_aligned(sizeof(struct lsi_call_cache));
	if (node->call_cache)
		node->destroy_call_cache = destroy_call_cache;
	return node->call_cache;
}

/* The index of an algorithm in the table of algorithms; envelopes carry it. */
static size_t algorithm_number(const struct lsi_algorithm *algorithm)
{
	size_t i = 0;

	while (lsi_algorithms[i] && lsi_algorithms[i] != algorithm)
		i++;
	return i;
}

/*
 * The request of the choice, equal at all nodes.  Whether the call is in place may differ between
 * them: at the root of a rooted operation, and for a block of no elements.  In these cases the
 * request always says in place.
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
	int failed = lsi_group_choose(node, request, algorithm, &problem, NULL);

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
	const struct lsi_algorithm **algorithm, const struct ls_plan **plan, struct ls_error *why)
{
	const char *const requested = request.algorithm;
	struct lsi_problem problem;
	const bool all_linked =
		request.mode == LS_ROUTED || ls_topology_diameter(request.topology) <= 1;
	int failed = lsi_group_choose(node, &request, algorithm, &problem, why);

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
	const struct lsi_algorithm **algorithm, const struct ls_plan **plan, struct ls_error *why)
{
	struct lsi_problem problem;
	const int failed = lsi_group_choose(node, &request, algorithm, &problem, why);

	if (failed)
		return failed;
	problem.in_place = in_place;
	return lsi_group_plan(node, *algorithm, &problem, plan);
}

/* Set all fields that do not depend on the buffers. */
static void set_fields(struct ls_node *node, struct lsi_compiled_plan_entry *compiled_entry,
	uint64_t op_number, struct lsi_cached_call *out)
{
	const struct ls_call *call = &out->call;
	const struct lsi_problem *problem = &compiled_entry->plan->problem;
	const bool combines = lsi_operation_combines(call->operation);
	const struct ls_machine *machine = node->self->machine;
	const unsigned counted = call->counts && !call->result_counts ? LSI_CALL_COUNTED : 0;
	const struct lsi_call_id id = { node->group->context, 0, call->count, call->operation | counted,
		(unsigned)algorithm_number(compiled_entry->plan->algorithm),
		call->operation == LS_SHIFT ? problem->shift : call->root, call->type->id, op_number };
	struct lsi_execution *x = &out->execution;

	if (combines)
		out->op = *call->op;
	out->compiled_entry = compiled_entry;
	out->plan = compiled_entry->plan;
	x->node = node;
	x->compiled = &compiled_entry->compiled_plan;
	x->combine = combines ? lsi_kernel_for(call->op, call->type)
						  : (struct lsi_operator){ .size = call->type->size };
	x->envelope =
		(struct lsi_envelope){ .node = node, .operation = ls_operation_name(call->operation) };
	lsi_call_pack(&id, x->envelope.call);
	if (ls_plan_steps(compiled_entry->plan) == 0 || problem->nodes == 1)
		return;
	/* A part of the machine that spans processes uses mailboxes. */
	if (!call->counts && (!node->group->far || node->group == &machine->whole)) {
		const size_t bytes = call->count * call->type->size;

		out->cooperative = lsi_engine_choose(machine, problem->nodes, call->operation, bytes, NULL)
			== LS_COOPERATIVE;
		out->cooperative_if_root_changes =
			lsi_engine_depends_on_root(machine, problem->nodes, call->operation, bytes);
	}
	out->waits_for_all = out->cooperative || machine->options.rounds == LS_LOCKSTEP;
	out->cooperative |= out->cooperative_if_root_changes;
	if (out->cooperative)
		out->send_counts = lsi_send_counts_of(
			compiled_entry->plan, node->rank, &(struct lsi_measure){ .n = call->count });
}

/* In hop mode, a plan is valid for one network only. */
static bool has_links_for(const struct lsi_group *group, const struct lsi_problem *problem)
{
	return (group->mode == LS_ROUTED && !group->embedded)
		|| strcmp(ls_topology_spec(problem->topology), ls_topology_spec(group->topology)) == 0;
}

/* Whether the node has an operand and a result, so that it matters whether they share memory. */
static bool has_both_buffers(const struct ls_node *node, const struct ls_call *call)
{
	return call->count > 0
		&& (node->rank == call->root || !lsi_operation_is_rooted(call->operation));
}

/* Why a plan of the caller cannot execute the call; NULL: it can. */
static const char *misfit_of(const struct ls_node *node, const struct ls_call *call, bool in_place)
{
	const struct lsi_problem *problem = &call->plan->problem;
	const struct lsi_group *group = node->group;
	const struct {
		bool found;
		const char *text;
	} misfits[] = {
		{ problem->operation != call->operation, "the plan is of another operation" },
		{ problem->nodes != group->size, "the plan has another number of nodes" },
		{ problem->mode != group->mode && !group->embedded, "the plan is for the other mode" },
		{ has_both_buffers(node, call) && problem->in_place != in_place,
			"one of call and plan is in place, and the other is not" },
		{ !has_links_for(group, problem), "the plan is for another network" },
		{ problem->ports > node->self->machine->options.ports,
			"the plan uses more ports than the machine has" },
		{ call->result_counts, "a plan cannot execute a call with result_counts" },
		{ lsi_message_index_of(call->plan), "the plan has messages without contents" },
	};

	for (size_t i = 0; i < sizeof misfits / sizeof *misfits; i++)
		if (misfits[i].found)
			return misfits[i].text;
	return NULL;
}

/* Can a plan of the caller execute the call?  LS_OK or the error. */
static int check_plan(
	const struct ls_node *node, const struct ls_call *call, bool in_place, struct ls_error *why)
{
	const char *misfit = misfit_of(node, call, in_place);
	const int failed = misfit ? lsi_error_set(why, LS_ERR_ARGUMENT, "%s", misfit)
							  : lsi_op_check(call->operation, call->op, call->type, why);

	return failed ? failed : ls_plan_supports_op(call->plan, call->op, why);
}

/* Find the plan of a call.  *plan is NULL where no plan takes blocks of unequal lengths. */
static int plan_for(struct ls_node *node, const struct ls_call *call, bool in_place,
	const struct lsi_algorithm **algorithm, const struct ls_plan **plan)
{
	const struct ls_request request = request_of(node, call, in_place);
	struct ls_error why = { .size = sizeof why };
	int failed;

	if (call->plan) {
		*plan = call->plan;
		*algorithm = call->plan->algorithm;
		failed = check_plan(node, call, in_place, &why);
	} else {
		failed = call->result_counts ? plan_direct(node, request, algorithm, plan, &why)
									 : plan_chosen(node, request, in_place, algorithm, plan, &why);
	}
	return failed && why.text[0] ? lsi_call_refuse(node, call, failed, "%s", why.text) : failed;
}

/*
 * Rooted operations: the same plan for the other case of in place.  Only the root knows its case,
 * but any node may execute the call for all.
 */
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
static int prepare_call(struct ls_node *node, struct lsi_call_cache *call_cache,
	const struct ls_call *call, bool in_place, struct lsi_cached_call *out)
{
	const struct lsi_algorithm *algorithm;
	const struct ls_plan *plan;
	struct lsi_compiled_plan_entry *compiled_entry;
	uint64_t op_number;
	int failed = plan_for(node, call, in_place, &algorithm, &plan);

	if (failed)
		return failed;
	*out = (struct lsi_cached_call){ .call = *call, .in_place = in_place, .padded = !plan };
	out->execution.combine.size = call->type->size;
	if (call->algorithm)
		out->call.algorithm = algorithm->name;
	if (!plan)
		return LS_OK;
	compiled_entry = lsi_compiled_plans_of(&call_cache->compiled_plans, plan);
	if (!compiled_entry || lsi_call_number_operator(node, call, &op_number) != LS_OK)
		return LS_ERR_MEMORY;
	set_fields(node, compiled_entry, op_number, out);
	failed = out->waits_for_all && out->cooperative
		? LS_OK
		: lsi_compiled_plan_entry_make(node, compiled_entry);
	if (failed || !out->cooperative)
		return failed;
	if (call->plan) { /* it fits the root, and the other nodes have only one of the buffers */
		out->other = plan;
		return LS_OK;
	}
	return plan_other(node, plan, &out->other);
}

/* A node without memory stops the machine: the other nodes would wait for it. */
int lsi_call_no_memory(struct ls_node *node, const char *operation)
{
	return lsi_machine_fail(node->self,
		(struct lsi_fault){ LS_ERR_MEMORY, -1, node->round, -1, operation },
		"no memory for %s at node %" PRId64, operation, node->self->rank);
}

/* An entry is reused in place: last_call must not find the old call in it. */
struct lsi_cached_call *lsi_call_cache_insert(struct ls_node *node, struct lsi_cached_call **entry,
	const struct ls_call *call, bool in_place, bool is_same, int *failed)
{
	struct lsi_call_cache *call_cache = node->call_cache;
	struct lsi_cached_call *cached = *entry ? *entry : lsi_alloc_lines(sizeof *cached);
	const bool changes_root = is_same && cached->call.root != call->root;
	const uint32_t number = is_same ? cached->number : 0;

	*entry = NULL; /* until it is complete */
	for (int o = 0; o < LS_OPERATIONS; o++)
		if (call_cache->last_call[o] == cached)
			call_cache->last_call[o] = NULL;
	*failed = cached ? prepare_call(node, call_cache, call, in_place, cached) : LS_ERR_MEMORY;
	if (*failed) {
		lsi_free(cached);
		return NULL;
	}
	cached->number = number;
	if (changes_root)
		lsi_call_keep_root(node, cached);
	return *entry = cached;
}
