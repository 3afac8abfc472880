/*
 * A collective call: check the arguments, find the cached call, execute it.
 *
 *   lsi_call_execute          any call: find it in the cache, or insert it
 *   lsi_call_execute_cached   the same call as the last one: no search, no checks of arguments
 *   execute_call              set the buffers; wait for all nodes, or execute the node's own steps
 *
 * A call that fails leaves no send pending: the program may free its buffers.
 */
#include "call/call.h"

#include <inttypes.h>
#include <string.h>

#include "machine/call_mismatch.h"
#include "machine/envelope.h"
#include "machine/pending_send.h"

/* ---- Buffers */

/* The bytes of both buffers at this node, by the operation's form of input and output. */
static struct lsi_call_extent extent_of(const struct ls_node *node, const struct ls_call *call)
{
	const struct ls_operation_info *role = &lsi_operations[call->operation];
	const bool input_each = role->input == LS_BLOCKS, output_each = role->output == LS_BLOCKS;
	const size_t size = call->type->size, n = call->count * size;
	const int64_t p = node->group->size, rank = node->rank;
	const bool root = rank == call->root, one_each = input_each != output_each;
	const bool reads = root || !role->from_root, writes = root || !role->at_root;

	if (call->result_counts)
		return (struct lsi_call_extent){ size * lsi_add_counts(call->counts, p),
			size * lsi_add_counts(call->result_counts, p), 0, 0 };

	const size_t all = call->counts ? n : n * (size_t)p;
	const size_t own = call->counts ? size * call->counts[rank] : n;
	const size_t before =
		call->counts ? size * lsi_add_counts(call->counts, rank) : n * (size_t)rank;

	return (struct lsi_call_extent){ reads ? input_each ? all : own : 0,
		writes ? output_each ? all : own : 0, one_each && input_each ? before : 0,
		one_each && output_each ? before : 0 };
}

enum overlap { SEPARATE, IN_PLACE, INVALID };

/* Where the buffers of a call are.  INVALID: one is missing, or they overlap in part. */
static inline enum overlap overlap_of(
	const struct lsi_call_extent *extent, const struct ls_call *call)
{
	const uintptr_t input = (uintptr_t)call->input, output = (uintptr_t)call->output;

	if ((extent->input && !input) || (extent->output && !output))
		return INVALID;
	if (output && input + extent->input_own == output + extent->output_own)
		return IN_PLACE;
	if (extent->input && extent->output
		&& (output - input < extent->input || input - output < extent->output))
		return INVALID;
	return SEPARATE;
}

/* ---- The cache of calls */

/* A user's operator at the same address may be another one. */
static bool is_same_operator(const struct ls_op_info *old, ls_op op)
{
	return !op || !old->combine || old->id == op->id;
}

/*
 * Compare two calls, except their roots, their buffers and the contents of counts, which are bound
 * later.
 */
static inline bool matches(const struct lsi_cached_call *cached, const struct ls_call *call)
{
	const struct ls_call *old = &cached->call;

	return old->count == call->count && old->operation == call->operation && old->type == call->type
		&& old->op == call->op && old->shift == call->shift && old->ports == call->ports
		&& old->plan == call->plan && !old->counts == !call->counts
		&& is_same_operator(&cached->op, call->op)
		&& cached->execution.combine.size == call->type->size
		&& (old->algorithm == call->algorithm
			|| (old->algorithm && call->algorithm && strcmp(old->algorithm, call->algorithm) == 0));
}

/* The entry of a call.  Calls that differ only in root or distance have adjacent entries. */
static inline struct lsi_cached_call **cache_entry(
	struct lsi_call_cache *call_cache, const struct ls_call *call)
{
	return &call_cache->entry[lsi_call_hash(call) & (LSI_CALL_CACHE_SIZE - 1)];
}

/* ---- Execution */

/* out[i]: the sum of the counts before i. */
static void set_offsets(const size_t *counts, int64_t n, size_t *out)
{
	size_t at = 0;

	for (int64_t i = 0; i < n; at += counts[i++])
		out[i] = at;
}

/* Bind to a copy of the counts, with n = SIZE_MAX, which no other call has.  False: no memory. */
static LSI_COLD bool bind_counts(
	struct lsi_compiled_plan_entry *compiled_entry, const struct ls_call *call, size_t size)
{
	struct lsi_compiled_plan *compiled = &compiled_entry->compiled_plan;
	const int64_t p = compiled->plan->problem.nodes;
	const size_t bytes = (size_t)p * sizeof(size_t);
	const int halves = call->result_counts ? 2 : 1;
	const size_t *const given[] = { call->counts, call->result_counts };
	bool same = compiled->measure.counts && compiled->size == size;

	if (!compiled_entry->lengths)
		compiled_entry->lengths = lsi_alloc(4 * bytes);
	if (!compiled_entry->lengths)
		return false;
	for (int half = 0; half < halves; half++) {
		size_t *counts = compiled_entry->lengths + half * p;

		if (same && memcmp(counts, given[half], bytes) == 0)
			continue;
		memcpy(counts, given[half], bytes);
		set_offsets(counts, p, compiled_entry->lengths + (2 + half) * p);
		same = false;
	}
	if (same)
		return true;
	compiled_entry->envelope_lengths =
		call->result_counts ? 0 : lsi_call_lengths(compiled_entry->lengths, p);
	lsi_compiled_plan_bind(compiled,
		&(struct lsi_measure){ SIZE_MAX, compiled_entry->lengths, compiled_entry->lengths + 2 * p },
		size);
	return true;
}

/* The node executes its own steps. */
static int execute_steps(
	struct lsi_call_cache *call_cache, struct lsi_cached_call *cached, const struct ls_call *call)
{
	struct lsi_execution *x = &cached->execution;
	struct lsi_compiled_plan *compiled = x->compiled;

	if (!call->counts && (compiled->measure.n != call->count || compiled->size != x->combine.size))
		lsi_compiled_plan_bind(
			compiled, &(struct lsi_measure){ .n = call->count }, x->combine.size);
	if (!lsi_alloc_reserve(
			&call_cache->scratch, &call_cache->scratch_bytes, compiled->scratch_bytes))
		return lsi_call_no_memory(x->node, x->envelope.operation);
	for (int k = 0; k < LS_SCRATCH_BUFFERS && compiled->scratch_bytes; k++)
		x->base[LS_SCRATCH + k] = (uintptr_t)call_cache->scratch + compiled->scratch_at[k];
	return lsi_execute(x);
}

/*
 * Wait for all nodes, and execute the call cooperatively if possible.  LSI_USE_MAILBOXES: each node
 * must execute its own steps.
 */
static int wait_and_execute(struct lsi_cached_call *cached, const struct ls_call *call)
{
	const struct lsi_measure measure = { .n = call->count };
	struct lsi_execution *x = &cached->execution;
	const int status = lsi_cooperative_execute(x,
		&(struct lsi_cooperative_call){ .plan = cached->plan,
			.in_place = cached->in_place && call->count > 0, /* irrelevant without elements */
			.is_rooted = lsi_operation_is_rooted(call->operation),
			.other = cached->other,
			.measure = &measure,
			.send_counts = cached->send_counts,
			.cooperative = cached->cooperative });

	if (status != LSI_USE_MAILBOXES)
		return status;

	const int failed = lsi_compiled_plan_entry_make(x->node, cached->compiled_entry);

	if (failed == LS_ERR_MEMORY)
		return lsi_call_no_memory(x->node, x->envelope.operation);
	return failed ? failed : LSI_USE_MAILBOXES;
}

/* No node runs ahead when the root changes: the new root needs the message of the last one. */
static bool root_changes(struct ls_node *node, int64_t root)
{
	const bool changes = root != node->last_root;

	node->last_root = root;
	return changes;
}

/* All calls end here.  Keep it short: it is the path of an 8-byte all-reduce. */
static inline int execute_call(
	struct lsi_call_cache *call_cache, struct lsi_cached_call *cached, const struct ls_call *call)
{
	struct lsi_execution *x = &cached->execution;
	struct ls_node *node = x->node;
	int status = LSI_USE_MAILBOXES;

	if (call->counts) {
		if (!bind_counts(cached->compiled_entry, call, x->combine.size))
			return lsi_call_no_memory(node, x->envelope.operation);
		x->envelope.call[1] = cached->compiled_entry->envelope_lengths;
	}
	x->envelope.call[0] = (uint64_t)++node->sequence << 32 | node->group->context;
	lsi_call_begin(node, x->envelope.call);
	x->base[LS_INPUT] = (uintptr_t)(call->input ? call->input : call->output);
	x->base[LS_OUTPUT] = (uintptr_t)call->output;
	if (cached->waits_for_all
		|| (cached->cooperative_if_root_changes && root_changes(node, call->root)))
		status = wait_and_execute(cached, call);
	if (status == LSI_USE_MAILBOXES)
		status = execute_steps(call_cache, cached, call);
	if (!status)
		lsi_call_end(node);
	return status;
}

/* Blocks of unequal lengths, in place: the input is copied first. */
static int call_with_copy(struct ls_node *node, const struct ls_call *call)
{
	const size_t bytes = extent_of(node, call).input;
	struct ls_call separate = *call;
	void *copy = lsi_alloc_cache_aligned(bytes + 1);

	if (!copy)
		return lsi_call_no_memory(node, ls_operation_name(call->operation));
	separate.input = memcpy(copy, call->input, bytes);

	const int failed = lsi_call_execute(node, &separate);

	lsi_free(copy);
	return failed;
}

/* Insert a call that is not in the cache.  NULL: it has ended with *status. */
static struct lsi_cached_call *insert_call(
	struct ls_node *node, const struct ls_call *call, int *status)
{
	*status = lsi_call_check(node, call);
	if (*status)
		return NULL;

	const struct lsi_call_extent extent = extent_of(node, call);
	const enum overlap overlap = overlap_of(&extent, call);
	struct lsi_call_cache *call_cache = lsi_call_cache_of(node);
	struct lsi_cached_call *cached = NULL;

	if (overlap == INVALID) {
		*status = lsi_call_refuse_buffers(node, &extent, call);
		return NULL;
	}
	if (overlap == IN_PLACE && call->result_counts) {
		*status = call_with_copy(node, call);
		return NULL;
	}
	*status = LS_ERR_MEMORY;
	if (call_cache) {
		struct lsi_cached_call **entry = cache_entry(call_cache, call);

		cached = lsi_call_cache_insert(
			node, entry, call, overlap == IN_PLACE, *entry && matches(*entry, call), status);
	}
	if (cached)
		cached->extent = extent;
	else if (*status == LS_ERR_MEMORY)
		lsi_call_no_memory(node, ls_operation_name(call->operation));
	return cached;
}

static inline bool overlaps_as(
	const struct lsi_call_extent *extent, const struct ls_call *call, bool in_place)
{
	return overlap_of(extent, call) == (in_place ? IN_PLACE : SEPARATE);
}

/* The cached call is of another root: change it, if the call with this root is known, too. */
static LSI_COLD struct lsi_cached_call *find_root(
	struct ls_node *node, struct lsi_cached_call *cached, const struct ls_call *call)
{
	const struct lsi_call_root *kept = lsi_call_root_of(node->call_cache, cached, call);
	const struct lsi_call_extent extent = extent_of(node, call);

	if (!kept || !overlaps_as(&extent, call, kept->tag & 1))
		return NULL;
	lsi_call_set_root(cached, kept);
	cached->extent = extent;
	cached->call.input = call->input;
	cached->call.output = call->output;
	return cached;
}

/* The cached call that matches; NULL: none. */
static inline struct lsi_cached_call *find_call(struct ls_node *node, const struct ls_call *call)
{
	struct lsi_call_cache *call_cache = node->call_cache;
	struct lsi_cached_call *cached = call_cache ? *cache_entry(call_cache, call) : NULL;

	if (!cached || !matches(cached, call))
		return NULL;
	if (cached->call.root != call->root)
		return find_root(node, cached, call);
	if (call->counts)
		cached->extent = extent_of(node, call);
	else if (cached->call.input == call->input && cached->call.output == call->output)
		return cached;
	if (!overlaps_as(&cached->extent, call, cached->in_place))
		return NULL;
	cached->call.input = call->input;
	cached->call.output = call->output;
	return cached;
}

/*
 * Whether pointers alone identify the call: it has no algorithm, ports, counts or plan, and no type
 * or operator of a user, whose address another one may have later.
 */
static bool identified_by_pointers(const struct lsi_cached_call *cached)
{
	const struct ls_call *call = &cached->call;

	return !cached->padded && !call->algorithm && call->ports == 0 && !call->counts && !call->plan
		&& call->type->kind != LSI_KIND_USER && !cached->op.combine;
}

static inline __attribute__((always_inline)) int find_and_execute(
	struct ls_node *node, const struct ls_call *call)
{
	int status = lsi_machine_status(node->self);
	struct lsi_cached_call *cached;

	if (status)
		return status;
	cached = find_call(node, call);
	if (!cached)
		cached = insert_call(node, call, &status);
	if (!cached)
		return status;
	if (identified_by_pointers(cached))
		((struct lsi_call_cache *)node->call_cache)->last_call[call->operation] = cached;
	return cached->padded ? lsi_call_execute_padded(node, call)
						  : execute_call(node->call_cache, cached, call);
}

/* Any failure cancels pending sends: see the head of this file. */
int lsi_call_execute(struct ls_node *node, const struct ls_call *call)
{
	const int failed = find_and_execute(node, call);

	if (failed)
		lsi_pending_cancel(node->self);
	return failed;
}

/* The fast path: the caller has compared all arguments. */
int lsi_call_execute_cached(struct ls_node *node, struct lsi_cached_call *cached)
{
	int status = lsi_machine_status(node->self);

	if (!status)
		status = execute_call(node->call_cache, cached, &cached->call);
	if (status)
		lsi_pending_cancel(node->self);
	return status;
}

/*
 * The search for the cached call compares the count: the sum of the counts, which is equal at all
 * nodes.  With result_counts the sums may differ, and the count is 0.
 */
int lsi_call_execute_counted(struct ls_node *node, struct ls_call call)
{
	const int failed = lsi_handle_is_valid(node) ? lsi_call_check_counts(node, &call)
												 : lsi_call_refuse_handle(call.operation, true);

	return failed ? failed : lsi_call_execute(node, &call);
}
