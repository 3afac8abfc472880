#include "engine/cooperative/cooperative.h"

#include <inttypes.h>

#include "base/cores.h"
#include "engine/cooperative/flow.h"
#include "machine/envelope.h"
#include "machine/group_assembly.h"
#include "machine/trace_records.h"
#include "machine/wait.h"

enum {
	GRAINS_PER_CORE = 8,
	GRAIN_BYTES_MIN = 256 << 10, /* bytes; data that another core takes must come back */
	BYTES_PER_PAUSE = 512,       /* bytes moved in the time of one pause */
	SHARED_BYTES_MIN = 8 << 10,  /* bytes of work that are worth a second core */
	CACHE_UNKNOWN = 32 << 20     /* bytes, where the kernel does not state it */
};

/* The flow of a plan; NULL: the plan has none. */
struct flow_entry {
	struct flow_entry *next;
	const struct ls_plan *plan;
	struct lsi_flow *flow;
};

struct work {
	const struct lsi_flow *flow;
	struct lsi_flow_shape shape;
	struct lsi_operator combine;
};

/*
 * The state of the engine in a group. The leader of an assembly alone writes it; other nodes read
 * `work` while it is open. Equal values are not written again, so their lines stay in all caches.
 */
struct cooperation {
	struct flow_entry *entries; /* most recently used first */
	void **base;                /* addresses of all operands and results */
	size_t cache;               /* bytes; larger work streams past the caches */
	struct work work;
	int64_t grain, start_spins; /* for this work; see assembly.h */
};

static void forget(void *arg)
{
	struct cooperation *c = arg;

	while (c->entries) {
		struct flow_entry *entry = c->entries;

		c->entries = entry->next;
		lsi_flow_destroy(entry->flow);
		lsi_free(entry);
	}
	lsi_free(c->base);
	lsi_free(c);
}

/* The state of a group, made on first use; NULL: no memory. */
static struct cooperation *cooperation_of(struct lsi_group *group)
{
	struct cooperation *c = group->cooperation;

	if (c)
		return c;
	c = lsi_alloc_zero(1, sizeof *c);
	if (!c)
		return NULL;
	c->base = lsi_alloc(2 * (size_t)group->size * sizeof *c->base);
	if (!c->base) {
		lsi_free(c);
		return NULL;
	}
	c->cache = lsi_cache_bytes();
	c->cache = c->cache ? c->cache : CACHE_UNKNOWN;
	group->cooperation = c;
	group->destroy_cooperation = forget;
	return c;
}

/* Find the entry of a plan, or make it, and move it to the front; NULL: no memory. */
static struct flow_entry *flow_entry_of(struct cooperation *c, const struct ls_plan *plan)
{
	struct flow_entry **at = &c->entries, *entry;

	while (*at && (*at)->plan != plan)
		at = &(*at)->next;
	entry = *at;
	if (entry && entry == c->entries)
		return entry;
	if (entry) {
		*at = entry->next;
	} else {
		entry = lsi_alloc(sizeof *entry);
		if (!entry)
			return NULL;
		*entry = (struct flow_entry){ .plan = plan };
		if (lsi_flow_make(plan, &entry->flow) == LS_ERR_MEMORY) {
			lsi_free(entry);
			return NULL;
		}
	}
	entry->next = c->entries;
	c->entries = entry;
	return entry;
}

/* ---- The leader */

/*
 * Whether some node has messages of its own in this round, or other buffers in place: then no flow
 * is valid for all nodes.
 */
static bool must_run_by_nodes(
	const struct lsi_group *group, const struct lsi_cooperative_call *call)
{
	bool apart = false;

	for (int64_t i = 0; i < group->size; i++)
		apart |= group->member_calls[i].busy
			|| (!call->is_rooted && group->member_calls[i].in_place != call->in_place);
	return apart;
}

/* All members must make the leader's call. */
static int compare(struct lsi_execution *x)
{
	struct ls_node *node = x->node;
	const struct lsi_group *group = node->group;
	const uint64_t *call = x->envelope.call;
	uint64_t differ = 0;

	for (int64_t i = 0; i < group->size; i++) {
		const uint64_t *theirs = group->member_calls[i].call;

		differ |= (theirs[0] ^ call[0]) | (theirs[1] ^ call[1]) | (theirs[2] ^ call[2]);
	}
	return !differ ? LS_OK
				   : lsi_machine_fail(node->self,
					   (struct lsi_fault){
						   LS_ERR_MISMATCH, LS_NO_RANK, node->round, -1, x->envelope.operation },
					   "node %" PRId64 " is in %s, and others are not", node->self->rank,
					   lsi_call_describe(call).text);
}

static bool has_temporaries(struct lsi_node_state *me, size_t bytes)
{
	return lsi_alloc_reserve(&me->temporaries, &me->temporary_bytes, bytes);
}

static void assign(void **place, void *value)
{
	if (*place != value)
		*place = value;
}

static void collect_operands(struct cooperation *c, const struct lsi_group *group)
{
	for (int64_t i = 0; i < group->size; i++) {
		const struct lsi_member_call *o = &group->member_calls[i];

		assign(&c->base[2 * i], (void *)(uintptr_t)(o->input ? o->input : o->output));
		assign(&c->base[2 * i + 1], o->output);
	}
}

/*
 * The plan that matches the place of the operands: at all nodes, or at the root of a rooted
 * operation.
 */
static const struct ls_plan *plan_of(
	const struct lsi_group *group, const struct lsi_cooperative_call *call)
{
	return !call->is_rooted
			|| group->member_calls[call->plan->problem.root].in_place == call->in_place
		? call->plan
		: call->other;
}

static void set_work(struct cooperation *c, const struct work *work, int64_t cores)
{
	const int64_t units = work->shape.units, bytes = (int64_t)work->shape.bytes;
	const int64_t unit = units > 0 ? bytes / units + 1 : 1;
	const int64_t least = (GRAIN_BYTES_MIN + unit - 1) / unit;
	const int64_t share = units / (GRAINS_PER_CORE * cores) + 1;

	c->work = *work;
	c->grain = least > share ? least : share;
	c->start_spins = bytes / cores / BYTES_PER_PAUSE;
}

/* Prepare the work of the call; LS_OK, LSI_BY_NODES or LS_ERR_MEMORY. */
static int prepare(struct lsi_execution *x, const struct lsi_cooperative_call *call)
{
	struct lsi_group *group = x->node->group;
	struct cooperation *c = cooperation_of(group);
	const struct ls_plan *plan = plan_of(group, call);
	const struct flow_entry *entry = c && plan ? flow_entry_of(c, plan) : NULL;

	if (c && !plan)
		return LSI_BY_NODES;
	if (!entry)
		return LS_ERR_MEMORY;
	if (!entry->flow)
		return LSI_BY_NODES;
	if (lsi_flow_bind(entry->flow, call->measure, x->combine.size, (int)group->assembly.cores))
		return LS_ERR_MEMORY;

	const struct work work = { entry->flow, lsi_flow_get_shape(entry->flow), x->combine };

	if (memcmp(&c->work, &work, sizeof work) != 0)
		set_work(c, &work, (int64_t)group->assembly.cores);
	collect_operands(c, group);
	return has_temporaries(x->node->self, work.shape.temporaries) ? LS_OK : LS_ERR_MEMORY;
}

static int choose_path(struct lsi_execution *x, const struct lsi_cooperative_call *call)
{
	struct lsi_group *group = x->node->group;
	const struct ls_machine *machine = x->node->self->machine;

	if (lsi_load(&group->member_left, relaxed)) /* ARRIVE */
		return LSI_BY_NODES;

	const int failed = compare(x);

	if (failed)
		return failed;
	if (!call->cooperative || must_run_by_nodes(group, call)
		|| lsi_load(&machine->links, acquire)) /* DIRECTORY: a list means that a link is down */
		return LSI_BY_NODES;
	return prepare(x, call);
}

static void execute(struct ls_node *node, int64_t first, int64_t last)
{
	const struct cooperation *c = node->group->cooperation;

	lsi_flow_execute(c->work.flow, &c->work.combine,
		(struct lsi_flow_memory){ c->base, node->self->temporaries }, first, last,
		c->work.shape.bytes > c->cache                           ? LSI_STREAMING
			: lsi_assembly_runs_backward(&node->group->assembly) ? LSI_BACKWARD
																 : LSI_FORWARD);
}

/* Execute units of shared work until none is left. */
static void take_part(struct ls_node *node)
{
	struct lsi_node_state *me = node->self;
	struct lsi_assembly *a = &node->group->assembly;
	const struct cooperation *c = node->group->cooperation;
	int64_t first, last;

	if (!has_temporaries(me, c->work.shape.temporaries))
		return;
	me->current_assembly = a;
	while (lsi_assembly_take(a, me->core, &first, &last)) {
		me->units += last - first;
		execute(node, first, last);
	}
	lsi_assembly_finish_units(node);
}

/* Open the work and execute the share of the leader; LS_OK, or the reason of a stop. */
static int work(struct ls_node *node, uint32_t epoch)
{
	struct lsi_node_state *me = node->self;
	struct lsi_assembly *a = &node->group->assembly;
	const struct cooperation *c = node->group->cooperation;
	const int64_t units = c->work.shape.units;

	lsi_assembly_open(a, epoch);
	if (lsi_load(&me->machine->stopped, seq_cst)) { /* STOP */
		lsi_assembly_close(a);
		return lsi_machine_status(me);
	}
	lsi_assembly_set_units(a, units);
	lsi_assembly_set_result(a, LS_OK);
	if (units > 1 && a->cores > 1 && c->work.shape.bytes >= SHARED_BYTES_MIN) {
		lsi_assembly_share(a, epoch, units, c->grain, c->start_spins);
		take_part(node);
		return LS_OK;
	}
	me->current_assembly = a;
	me->units = units;
	execute(node, 0, units);
	lsi_assembly_finish_units(node);
	return LS_OK;
}

static bool has_units(const struct lsi_group *group)
{
	const struct cooperation *c = group->cooperation;

	return c->work.shape.units > 0;
}

static int lead(struct lsi_execution *x, const struct lsi_cooperative_call *call, uint32_t epoch)
{
	struct ls_node *node = x->node;
	const int verdict = choose_path(x, call);

	if (verdict == LS_ERR_MEMORY)
		return lsi_machine_fail(node->self,
			(struct lsi_fault){ LS_ERR_MEMORY, -1, node->round, -1, x->envelope.operation },
			"no memory for %s at node %" PRId64, x->envelope.operation, node->self->rank);
	if (verdict < 0)
		return verdict;
	if (verdict == LS_OK && has_units(node->group))
		return work(node, epoch);
	lsi_assembly_release(node, verdict);
	return verdict;
}

/* ---- Counts and trace */

/* Trace the messages of the plan, as this node sends them. */
static int trace(struct lsi_execution *x, const struct lsi_cooperative_call *call)
{
	struct ls_node *node = x->node;
	const struct ls_plan *plan = call->plan;
	int64_t round = node->round;
	struct ls_step step;
	int failed = LS_OK;

	for (int64_t s = 0; s < ls_plan_steps(plan) && !failed; s++) {
		ls_plan_step(plan, node->rank, s, &step);
		for (int q = 0; q < step.ports && !failed; q++) {
			if (step.to[q] == LS_NO_RANK)
				continue;

			const size_t words = lsi_slice_words(plan, node->rank, &step.send[q], call->measure);

			failed = lsi_trace_put(node->self,
				&(struct ls_record){ round, node->self->rank, lsi_member(node->group, step.to[q]),
					words, words * x->combine.size });
		}
		round += !ls_plan_is_local(plan, s);
	}
	return failed;
}

static int count_sends(struct lsi_execution *x, const struct lsi_cooperative_call *call)
{
	struct ls_node *node = x->node;
	struct lsi_counters *count = &node->self->count;
	const struct lsi_send_counts *counts = &call->send_counts;
	const int failed = node->self->machine->records ? trace(x, call) : LS_OK;

	count->rounds += counts->rounds;
	count->messages += counts->messages;
	count->words += counts->words;
	count->bytes += counts->words * (int64_t)x->combine.size;
	count->load |= count->load == 0 && counts->messages > 0;
	node->round += counts->rounds;
	return failed;
}

int lsi_cooperative_execute(struct lsi_execution *x, const struct lsi_cooperative_call *call)
{
	struct ls_node *node = x->node;
	const struct lsi_node_state *me = node->self;
	const uint64_t *id = x->envelope.call;
	const struct lsi_member_call operands = { { id[0], id[1], id[2] },
		(const void *)x->base[LS_INPUT], (void *)x->base[LS_OUTPUT],
		me->sends > 0 || me->receives > 0, call->in_place };
	int verdict = LS_OK, status;
	uint32_t epoch;

	if (me->current_assembly)
		return lsi_machine_fail(node->self,
			(struct lsi_fault){ LS_ERR_BUSY, LS_NO_RANK, node->round, -1, x->envelope.operation },
			"node %" PRId64 " calls %s in an operator of another call; an operator calls none",
			me->rank, x->envelope.operation);
	if (lsi_assembly_arrive(node, &operands, &epoch)) {
		verdict = lead(x, call, epoch);
		if (verdict != LS_OK)
			return verdict;
	}
	status = lsi_assembly_wait(node, epoch, x->envelope.operation, take_part, &verdict);
	if (status || verdict == LSI_BY_NODES)
		return status ? status : verdict;
	if (verdict)
		return lsi_machine_fail(node->self,
			(struct lsi_fault){ verdict, LS_NO_RANK, node->round, -1, x->envelope.operation },
			"node %" PRId64 " is in %s in round %" PRId64
			", and the operator ended the thread that executed it",
			me->rank, x->envelope.operation, node->round);
	return count_sends(x, call);
}
