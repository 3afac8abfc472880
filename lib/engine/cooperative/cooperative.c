#include "engine/cooperative/cooperative.h"

#include <inttypes.h>
#include <string.h>

#include "base/cores.h"
#include "engine/cooperative/far_call.h"
#include "machine/envelope.h"
#include "machine/group_work_sharing.h"
#include "machine/local_ranks.h"
#include "machine/verdict.h"
#include "machine/wait.h"

enum {
	CHUNKS_PER_CORE = 8,
	CHUNK_BYTES_MIN = 256 << 10, /* smaller ones cost more in cache misses than they gain */
	BYTES_PER_PAUSE = 512,       /* bytes that are moved in the time of one pause */
	CACHE_BYTES = 32 << 20,      /* the assumption where the kernel does not state the size */
	PREFETCHED_MEMBERS = 16
};

struct call_work {
	const struct lsi_flow *flow;
	struct lsi_flow_shape shape;
	struct lsi_operator combine;
};

/*
 * The state of the engine in a group.  Only the leader writes it; other nodes read `work` while it
 * is open.  Equal values are not written again, so their lines stay in the caches of all cores.
 */
struct cooperative_state {
	struct lsi_flow_cache flows;
	void **base;       /* addresses of all operands and results */
	bool is_collected; /* base holds those of the last call of all members */
	size_t cache;      /* bytes; the results of larger work bypass the caches */
	struct call_work work;
	int64_t chunk, start_spins; /* for this work; see struct lsi_work_sharing */
	struct lsi_far_call *far;   /* of the whole of a machine in several processes; else NULL */
};

static void destroy_cooperative_state(void *arg)
{
	struct cooperative_state *c = arg;

	lsi_flow_cache_release(&c->flows);
	lsi_far_call_destroy(c->far);
	lsi_free(c->base);
	lsi_free(c);
}

/* The state of a group, made on first use; NULL: no memory. */
static struct cooperative_state *cooperative_state_of(
	const struct ls_machine *machine, struct lsi_group *group)
{
	struct cooperative_state *c = group->cooperative_state;

	if (c)
		return c;
	c = lsi_alloc_cache_aligned(sizeof *c);
	if (!c)
		return NULL;
	c->base = lsi_alloc_cache_aligned((2 * (size_t)group->size + 1) * sizeof *c->base);
	if (group->far)
		c->far = lsi_far_call_make(machine->options.world, machine->topology);
	if (!c->base || (group->far && !c->far)) {
		destroy_cooperative_state(c);
		return NULL;
	}
	if (c->far) {
		c->far->base = c->base;
		c->flows.division = &c->far->division;
	}
	c->cache = lsi_cache_bytes();
	c->cache = c->cache ? c->cache : CACHE_BYTES;
	group->cooperative_state = c;
	group->destroy_cooperative_state = destroy_cooperative_state;
	return c;
}

/* ---- The leader */

/*
 * Whether a node has point-to-point messages in this round, or is in place where others are not:
 * then no flow is valid for all nodes.
 */
static bool needs_mailboxes(const struct lsi_calls *all, const struct lsi_cooperative_call *call)
{
	return all->are_busy || (!call->is_rooted && (call->in_place ? all->separate : all->in_place));
}

/* All members must make the leader's call. */
static int fail_mismatch(struct lsi_execution *x)
{
	struct ls_node *node = x->node;

	return lsi_machine_fail(node->self,
		(struct lsi_fault){ LS_ERR_MISMATCH, LS_NO_RANK, node->round, -1, x->envelope.operation },
		"node %" PRId64 " calls %s, but another node makes a different call", node->self->rank,
		lsi_call_describe(x->envelope.call).text);
}

static bool reserve_temporaries(struct lsi_node_state *me, size_t bytes)
{
	return lsi_alloc_reserve(&me->temporaries, &me->temporary_bytes, bytes);
}

static void store_if_changed(void **place, void *value)
{
	if (*place != value)
		*place = value;
}

/* Helpers read the line of is_collected: an equal value is not written again. */
static void set_collected(struct cooperative_state *c, bool is_collected)
{
	if (c->is_collected != is_collected)
		c->is_collected = is_collected;
}

/* Of fibers it is known in the next call whether buffers have moved. */
static void collect_operands(struct cooperative_state *c, const struct lsi_group *group)
{
	set_collected(c, group->worker_calls);
	for (int64_t i = 0; i < group->locals; i++) {
		const int64_t rank = lsi_local_rank(group, i);
		const struct lsi_member_call *o = &group->member_calls[rank];

		store_if_changed(&c->base[2 * rank], (void *)(uintptr_t)(o->input ? o->input : o->output));
		store_if_changed(&c->base[2 * rank + 1], o->output);
	}
}

/*
 * The plan of the call.  In a rooted operation the root may be in place where this node is not, or
 * the reverse; then it is call->other.
 */
static const struct ls_plan *plan_of(
	const struct lsi_group *group, const struct lsi_cooperative_call *call)
{
	return !call->is_rooted
			|| group->member_calls[call->plan->problem.root].in_place == call->in_place
		? call->plan
		: call->other;
}

/* The work of one flow differs in its sizes and its operator, whose padding may have any value. */
static bool is_same_work(const struct call_work *a, const struct call_work *b)
{
	const struct lsi_operator *f = &a->combine, *g = &b->combine;

	return memcmp(a, b, offsetof(struct call_work, combine)) == 0 && f->kernel == g->kernel
		&& f->context == g->context && f->size == g->size && f->built_in == g->built_in;
}

static void set_work(struct cooperative_state *c, const struct call_work *work, int64_t cores)
{
	const int64_t units = work->shape.units, bytes = (int64_t)work->shape.bytes;
	const int64_t unit_bytes = units > 0 ? bytes / units + 1 : 1;
	const int64_t least = (CHUNK_BYTES_MIN + unit_bytes - 1) / unit_bytes;
	const int64_t even = units / (CHUNKS_PER_CORE * cores) + 1;

	c->work = *work;
	c->chunk = least > even ? least : even;
	c->start_spins = bytes / cores / BYTES_PER_PAUSE;
}

/*
 * Prepare the parts of this process.  The root knows whether it is in place, and its process tells
 * the others; so both cases are prepared.  Returns as prepare_work.
 */
static int prepare_far_work(
	struct lsi_execution *x, struct cooperative_state *c, const struct lsi_cooperative_call *call)
{
	struct lsi_node_state *me = x->node->self;
	struct lsi_flow_parts *mine, *other;

	if (lsi_flow_cache_find_parts(&c->flows, call->plan, me, &mine))
		return LS_ERR_MEMORY;
	other = mine;
	if (call->is_rooted && lsi_flow_cache_find_parts(&c->flows, call->other, me, &other))
		return LS_ERR_MEMORY;
	if (!mine || !other)
		return LSI_USE_MAILBOXES;
	if (!c->is_collected)
		collect_operands(c, x->node->group);

	struct lsi_flow_parts *const parts[] = { call->in_place ? other : mine,
		call->in_place ? mine : other };

	return lsi_far_call_prepare(c->far, parts, call->measure->n, &x->combine) ? LS_OK
																			  : LS_ERR_MEMORY;
}

/* Prepare the work of the call.  LS_OK, LSI_USE_MAILBOXES or LS_ERR_MEMORY. */
static int prepare_work(struct lsi_execution *x, const struct lsi_cooperative_call *call)
{
	struct lsi_group *group = x->node->group;
	struct lsi_node_state *me = x->node->self;
	struct cooperative_state *c = cooperative_state_of(me->machine, group);
	struct lsi_flow *flow;

	if (c && c->far)
		return prepare_far_work(x, c, call);
	if (!c || lsi_flow_cache_find(&c->flows, plan_of(group, call), me, &flow))
		return LS_ERR_MEMORY;
	if (!flow)
		return LSI_USE_MAILBOXES;
	if (lsi_flow_bind(flow, call->measure, x->combine.size, (int)group->work_sharing.cores))
		return LS_ERR_MEMORY;

	const struct call_work work = { flow, lsi_flow_get_shape(flow), x->combine };

	if (!is_same_work(&c->work, &work))
		set_work(c, &work, (int64_t)group->work_sharing.cores);
	if (!c->is_collected)
		collect_operands(c, group);
	return reserve_temporaries(me, work.shape.temporaries) ? LS_OK : LS_ERR_MEMORY;
}

/* LS_OK: the work is prepared; LSI_USE_MAILBOXES, or an error. */
static int choose_path(struct lsi_execution *x, const struct lsi_cooperative_call *call)
{
	struct lsi_group *group = x->node->group;
	const struct ls_machine *machine = x->node->self->machine;

	if (lsi_load(&group->member_left, relaxed)) /* ARRIVE */
		return LSI_USE_MAILBOXES;

	const struct lsi_calls all = lsi_work_calls(group, x->envelope.call);
	struct cooperative_state *c = group->cooperative_state;

	if (c && all.moved)
		set_collected(c, false);
	if (all.differ)
		return fail_mismatch(x);
	if (!call->cooperative || needs_mailboxes(&all, call)
		|| lsi_load(&machine->links, acquire)) /* DIRECTORY: a list means that a link is down */
		return LSI_USE_MAILBOXES;
	return prepare_work(x, call);
}

static void execute_units(struct ls_node *node, int64_t first, int64_t last)
{
	const struct cooperative_state *c = node->group->cooperative_state;

	lsi_flow_execute(c->work.flow, &c->work.combine,
		(struct lsi_flow_memory){ c->base, node->self->temporaries }, first, last,
		c->work.shape.bytes > c->cache                           ? LSI_STREAMING
			: lsi_work_runs_backward(&node->group->work_sharing) ? LSI_BACKWARD
																 : LSI_FORWARD);
}

/*
 * Take and execute units of shared work until all are taken.  A helper without memory takes none:
 * the leader has reserved its own memory, and executes what no helper takes.
 */
static void take_units(struct ls_node *node)
{
	struct lsi_node_state *me = node->self;
	struct lsi_work_sharing *w = &node->group->work_sharing;
	const struct cooperative_state *c = node->group->cooperative_state;
	int64_t first, last;

	if (!reserve_temporaries(me, c->work.shape.temporaries))
		return;
	me->current_work = w;
	while (lsi_work_take_units(w, me->core, &first, &last)) {
		me->units += last - first;
		execute_units(node, first, last);
	}
	lsi_work_finish_units(node);
}

/* Open the work, and execute it or the leader's part of it.  LS_OK, or the reason of a stop. */
static int open_and_execute(struct ls_node *node, uint32_t epoch)
{
	struct lsi_node_state *me = node->self;
	struct lsi_work_sharing *w = &node->group->work_sharing;
	const struct cooperative_state *c = node->group->cooperative_state;
	const int64_t units = c->work.shape.units;

	lsi_work_open(w, epoch);
	if (lsi_load(&me->machine->state, seq_cst) < 0) { /* STOP */
		lsi_work_close(w);
		return lsi_machine_status(me);
	}
	lsi_work_set_units(w, units);
	lsi_work_set_result(w, LS_OK);
	if (units > 1 && w->cores > 1) {
		lsi_work_share(w, epoch, units, c->chunk, c->start_spins);
		lsi_wake_helpers(node, &w->barrier);
		take_units(node);
		return LS_OK;
	}
	me->current_work = w;
	me->units = units;
	execute_units(node, 0, units);
	lsi_work_finish_units(node);
	return LS_OK;
}

static bool has_units(const struct lsi_group *group)
{
	const struct cooperative_state *c = group->cooperative_state;

	return c->work.shape.units > 0;
}

/*
 * The buffers of the other cores arrive while the call is compared.  They are those of the last
 * call; if they have moved, only time is lost.
 */
static void prefetch_buffers(const struct lsi_group *group)
{
	const struct cooperative_state *c = group->cooperative_state;

	if (!c || c->work.shape.units != 1)
		return;
	for (int64_t i = 0; i < group->size && i < PREFETCHED_MEMBERS; i++) {
		lsi_prefetch(c->base[2 * i]);
		lsi_prefetch_write(c->base[2 * i + 1]);
	}
}

static int lead_far_call(
	struct lsi_execution *x, const struct lsi_cooperative_call *call, uint32_t epoch, bool is_ready)
{
	struct lsi_group *group = x->node->group;
	const struct cooperative_state *c = group->cooperative_state;

	return lsi_far_call_lead(x, call, epoch, is_ready ? c->far : NULL);
}

/* Decide the result of the call for all members, and execute it or release them. */
static int lead_call(
	struct lsi_execution *x, const struct lsi_cooperative_call *call, uint32_t epoch)
{
	struct ls_node *node = x->node;
	int path;

	prefetch_buffers(node->group);
	path = choose_path(x, call);

	if (path == LS_ERR_MEMORY)
		return lsi_machine_fail(node->self,
			(struct lsi_fault){ LS_ERR_MEMORY, -1, node->round, -1, x->envelope.operation },
			"no memory for %s at node %" PRId64, x->envelope.operation, node->self->rank);
	if (path < 0)
		return path;
	if (node->group->far)
		return lead_far_call(x, call, epoch, path == LS_OK);
	if (path == LS_OK && has_units(node->group))
		return open_and_execute(node, epoch);
	lsi_work_release_members(node, path);
	return path;
}

/* ---- The call */

int lsi_cooperative_execute(struct lsi_execution *x, const struct lsi_cooperative_call *call)
{
	struct ls_node *node = x->node;
	const struct lsi_node_state *me = node->self;
	const struct lsi_arriving_call mine = { x->envelope.call, (const void *)x->base[LS_INPUT],
		(void *)x->base[LS_OUTPUT], me->sends > 0 || me->receives > 0, call->in_place };
	int result = LS_OK, status;
	uint32_t epoch;

	if (me->current_work)
		return lsi_machine_fail(node->self,
			(struct lsi_fault){ LS_ERR_BUSY, LS_NO_RANK, node->round, -1, x->envelope.operation },
			"node %" PRId64
			" calls %s inside an operator; operators must not make collective calls",
			me->rank, x->envelope.operation);
	if (lsi_work_arrive(node, &mine, &epoch)) {
		result = lead_call(x, call, epoch);
		if (result != LS_OK)
			return result;
	}
	status = lsi_work_wait(node, epoch, x->envelope.operation, take_units, &result);
	if (status || result == LSI_USE_MAILBOXES)
		return status ? status : result;
	if (result == LS_ERR_MISMATCH)
		return fail_mismatch(x);
	if (result)
		return lsi_machine_fail(node->self,
			(struct lsi_fault){ result, lsi_work_aborted_by(&node->group->work_sharing),
				node->round, -1, x->envelope.operation },
			"the operator terminated a thread during %s (node %" PRId64 ", round %" PRId64
			"); operators must return",
			x->envelope.operation, me->rank, node->round);
	return lsi_sends_count(x, call);
}
