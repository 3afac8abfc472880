#include "engine/cooperative.h"

#include <inttypes.h>

#include "base/cores.h"
#include "engine/flow.h"
#include "machine/envelope.h"

enum {
	GRAINS_PER_SEAT = 8,
	GRAIN_LEAST = 256 << 10,          /* bytes: what another core takes has to come back, */
	BYTES_A_PAUSE = 512,              /* about so much in the time of a pause             */
	SHARED_LEAST = 8 << 10,           /* bytes of work that a second core is called to help with */
	CACHE_UNKNOWN = 32 << 20          /* bytes, where the kernel does not say */
};

/* The flow of a plan; NULL: it has none. */
struct known {
	struct known *next;
	const struct ls_plan *plan;
	struct ls_flow *flow;
};

struct work {
	const struct ls_flow *flow;
	struct ls_flow_shape shape;
	struct ls_combine combine;
};

/*
 * Of a group.  The leader of an assembly alone writes it; helpers read the work while it is open.  What
 * is as it was is not written again: its lines stay in the caches of all.
 */
struct cooperation {
	struct known *known;              /* most recently used first */
	void **base;                      /* of the operands and results of all nodes */
	size_t cache;                     /* work on more goes past the caches        */
	struct work work;
	int64_t grain, patience;          /* as in assembly.h, for this work          */
};

static void forget(void *arg)
{
	struct cooperation *c = arg;

	while (c->known) {
		struct known *known = c->known;

		c->known = known->next;
		ls_flow_destroy(known->flow);
		ls_free(known);
	}
	ls_free(c->base);
	ls_free(c);
}

/* NULL: no memory. */
static struct cooperation *cooperation_of(struct ls_group *group)
{
	struct cooperation *c = group->cooperation;

	if (c)
		return c;
	c = ls_alloc_zero(1, sizeof *c);
	if (!c)
		return NULL;
	c->base = ls_alloc(2 * (size_t)group->size * sizeof *c->base);
	if (!c->base) {
		ls_free(c);
		return NULL;
	}
	c->cache = ls_cache_bytes();
	c->cache = c->cache ? c->cache : CACHE_UNKNOWN;
	group->cooperation = c;
	group->forget_cooperation = forget;
	return c;
}

/* The entry of a plan, moved to the front; made when there is none.  NULL: no memory. */
static struct known *known_of(struct cooperation *c, const struct ls_plan *plan)
{
	struct known **at = &c->known, *known;

	while (*at && (*at)->plan != plan)
		at = &(*at)->next;
	known = *at;
	if (known && known == c->known)
		return known;
	if (known) {
		*at = known->next;
	} else {
		known = ls_alloc(sizeof *known);
		if (!known)
			return NULL;
		*known = (struct known){ .plan = plan };
		if (ls_flow_make(plan, &known->flow) == LS_ERR_MEMORY) {
			ls_free(known);
			return NULL;
		}
	}
	known->next = c->known;
	c->known = known;
	return known;
}

/* ---- Lead */

/* Would one flow not do for all?  The port rule is for the nodes to keep, and so are their buffers. */
static bool any_apart(const struct ls_group *group, const struct ls_assembled *call)
{
	bool apart = false;

	for (int64_t i = 0; i < group->size; i++)
		apart |= group->operands[i].busy
			|| (!call->is_rooted && group->operands[i].in_place != call->in_place);
	return apart;
}

/* All members must be in the leader's call. */
static int compare(struct ls_execution *x)
{
	struct ls_node *node = x->node;
	const struct ls_group *group = node->group;
	const uint64_t *call = x->envelope.call;
	uint64_t differ = 0;

	for (int64_t i = 0; i < group->size; i++) {
		const uint64_t *theirs = group->operands[i].call;

		differ |= (theirs[0] ^ call[0]) | (theirs[1] ^ call[1]) | (theirs[2] ^ call[2]);
	}
	return !differ ? LS_OK
				   : ls_halt(node->self,
					     (struct ls_fault){ LS_ERR_MISMATCH, LS_NOBODY, node->round, -1,
						     x->envelope.operation },
					     "node %" PRId64 " is in %s, and others are not", node->self->rank,
					     ls_call_tell(call).text);
}

static bool has_temporaries(struct ls_processor *me, size_t bytes)
{
	return ls_alloc_fits(&me->temporaries, &me->temporary_bytes, bytes);
}

static void set(void **place, void *value)
{
	if (*place != value)
		*place = value;
}

static void show_operands(struct cooperation *c, const struct ls_group *group)
{
	for (int64_t i = 0; i < group->size; i++) {
		const struct ls_operands *o = &group->operands[i];

		set(&c->base[2 * i], (void *)(uintptr_t)(o->input ? o->input : o->output));
		set(&c->base[2 * i + 1], o->output);
	}
}

/* The plan for where the operands lie: at all nodes, or at the root, which alone has both. */
static const struct ls_plan *plan_of(const struct ls_group *group, const struct ls_assembled *call)
{
	return !call->is_rooted
			|| group->operands[call->plan->problem.root].in_place == call->in_place
		? call->plan
		: call->other;
}

static void set_work(struct cooperation *c, const struct work *work, int64_t seats)
{
	const int64_t units = work->shape.units, bytes = (int64_t)work->shape.bytes;
	const int64_t unit = units > 0 ? bytes / units + 1 : 1;
	const int64_t least = (GRAIN_LEAST + unit - 1) / unit;
	const int64_t share = units / (GRAINS_PER_SEAT * seats) + 1;

	c->work = *work;
	c->grain = least > share ? least : share;
	c->patience = bytes / seats / BYTES_A_PAUSE;
}

/* Make the work of the call ready; LS_OK, LS_BY_THREADS or LS_ERR_MEMORY. */
static int prepare(struct ls_execution *x, const struct ls_assembled *call)
{
	struct ls_group *group = x->node->group;
	struct cooperation *c = cooperation_of(group);
	const struct ls_plan *plan = plan_of(group, call);
	const struct known *known = c && plan ? known_of(c, plan) : NULL;

	if (c && !plan)
		return LS_BY_THREADS;
	if (!known)
		return LS_ERR_MEMORY;
	if (!known->flow)
		return LS_BY_THREADS;
	if (ls_flow_bind(known->flow, call->measure, x->combine.size, (int)group->assembly.seats))
		return LS_ERR_MEMORY;

	const struct work work = { known->flow, ls_flow_shape(known->flow), x->combine };

	if (memcmp(&c->work, &work, sizeof work) != 0)
		set_work(c, &work, (int64_t)group->assembly.seats);
	show_operands(c, group);
	return has_temporaries(x->node->self, work.shape.temporaries) ? LS_OK : LS_ERR_MEMORY;
}

static int judge(struct ls_execution *x, const struct ls_assembled *call)
{
	struct ls_group *group = x->node->group;
	const struct ls_machine *machine = x->node->self->machine;

	if (ls_load(&group->missing, relaxed))                             /* ARRIVE */
		return LS_BY_THREADS;

	const int failed = compare(x);

	if (failed)
		return failed;
	if (!call->cooperative || any_apart(group, call)
		|| ls_load(&machine->links, acquire))              /* DIRECTORY: only whether any is down */
		return LS_BY_THREADS;
	return prepare(x, call);
}

static void execute(struct ls_node *node, int64_t first, int64_t last)
{
	const struct cooperation *c = node->group->cooperation;

	ls_flow_execute(c->work.flow, &c->work.combine, c->base, node->self->temporaries, first, last,
		c->work.shape.bytes > c->cache ? LS_STREAMING
			: ls_assembly_turns(&node->group->assembly) ? LS_BACKWARD : LS_FORWARD);
}

/* Take part in shared work. */
static void help(struct ls_node *node)
{
	struct ls_processor *me = node->self;
	struct ls_assembly *a = &node->group->assembly;
	const struct cooperation *c = node->group->cooperation;
	int64_t first, last;

	if (!has_temporaries(me, c->work.shape.temporaries))
		return;
	me->works = a;
	while (ls_assembly_take(a, me->seat, &first, &last)) {
		me->units += last - first;
		execute(node, first, last);
	}
	ls_assembly_settle(node);
}

/* The leader opens the work, and does its share; LS_OK, or why the machine stopped. */
static int work(struct ls_node *node, uint32_t epoch)
{
	struct ls_processor *me = node->self;
	struct ls_assembly *a = &node->group->assembly;
	const struct cooperation *c = node->group->cooperation;
	const int64_t units = c->work.shape.units;

	ls_assembly_open(a, epoch);
	if (ls_load(&me->machine->stopped, seq_cst)) {                     /* STOP */
		ls_assembly_shut(a);
		return ls_pulse(me);
	}
	ls_assembly_begin(a, units);
	ls_assembly_judge(a, LS_OK);
	if (units > 1 && a->seats > 1 && c->work.shape.bytes >= SHARED_LEAST) {
		ls_assembly_share(a, epoch, units, c->grain, c->patience);
		help(node);
		return LS_OK;
	}
	me->works = a;
	me->units = units;
	execute(node, 0, units);
	ls_assembly_settle(node);
	return LS_OK;
}

static bool has_units(const struct ls_group *group)
{
	const struct cooperation *c = group->cooperation;

	return c->work.shape.units > 0;
}

static int lead(struct ls_execution *x, const struct ls_assembled *call, uint32_t epoch)
{
	struct ls_node *node = x->node;
	const int verdict = judge(x, call);

	if (verdict == LS_ERR_MEMORY)
		return ls_halt(node->self,
			(struct ls_fault){ LS_ERR_MEMORY, -1, node->round, -1, x->envelope.operation },
			"no memory for %s at node %" PRId64, x->envelope.operation, node->self->rank);
	if (verdict < 0)
		return verdict;
	if (verdict == LS_OK && has_units(node->group))
		return work(node, epoch);
	ls_assembly_dismiss(node, verdict);
	return verdict;
}

/* ---- What a node counts and traces */

struct ls_tally ls_tally_of(
	const struct ls_plan *plan, int64_t rank, const struct ls_measure *measure)
{
	struct ls_tally tally = { .rounds = ls_plan_rounds(plan) };
	struct ls_step step;

	for (int64_t s = 0; s < ls_plan_steps(plan); s++) {
		ls_plan_step(plan, rank, s, &step);
		for (int q = 0; q < step.ports; q++) {
			if (step.to[q] == LS_NOBODY)
				continue;
			tally.messages++;
			tally.words += (int64_t)ls_slice_words(plan, rank, &step.send[q], measure);
		}
	}
	return tally;
}

/* The messages of the plan, as the node would send them. */
static int trace(struct ls_execution *x, const struct ls_assembled *call)
{
	struct ls_node *node = x->node;
	const struct ls_plan *plan = call->plan;
	int64_t round = node->round;
	struct ls_step step;
	int failed = LS_OK;

	for (int64_t s = 0; s < ls_plan_steps(plan) && !failed; s++) {
		ls_plan_step(plan, node->rank, s, &step);
		for (int q = 0; q < step.ports && !failed; q++) {
			if (step.to[q] == LS_NOBODY)
				continue;

			const size_t words = ls_slice_words(plan, node->rank, &step.send[q], call->measure);

			failed = ls_trace_put(node->self,
				&(struct ls_record){ round, node->self->rank, ls_member(node->group, step.to[q]),
					words, words * x->combine.size });
		}
		round += !ls_plan_is_local(plan, s);
	}
	return failed;
}

static int account(struct ls_execution *x, const struct ls_assembled *call)
{
	struct ls_node *node = x->node;
	struct ls_counters *count = &node->self->count;
	const struct ls_tally *tally = &call->tally;
	const int failed = node->self->machine->records ? trace(x, call) : LS_OK;

	count->rounds += tally->rounds;
	count->messages += tally->messages;
	count->words += tally->words;
	count->bytes += tally->words * (int64_t)x->combine.size;
	count->load |= count->load == 0 && tally->messages > 0;
	node->round += tally->rounds;
	return failed;
}

int ls_cooperate(struct ls_execution *x, const struct ls_assembled *call)
{
	struct ls_node *node = x->node;
	const struct ls_processor *me = node->self;
	const uint64_t *id = x->envelope.call;
	const struct ls_operands operands = { { id[0], id[1], id[2] },
		(const void *)x->base[LS_INPUT], (void *)x->base[LS_OUTPUT],
		me->sends > 0 || me->receives > 0, call->in_place };
	int verdict = LS_OK, status;
	uint32_t epoch;

	if (me->works)
		return ls_halt(node->self,
			(struct ls_fault){ LS_ERR_BUSY, LS_NOBODY, node->round, -1, x->envelope.operation },
			"node %" PRId64 " calls %s in an operator of another call; an operator calls none",
			me->rank, x->envelope.operation);
	if (ls_assemble(node, &operands, &epoch)) {
		verdict = lead(x, call, epoch);
		if (verdict != LS_OK)
			return verdict;
	}
	status = ls_assembly_await(node, epoch, x->envelope.operation, help, &verdict);
	if (status || verdict == LS_BY_THREADS)
		return status ? status : verdict;
	if (verdict)
		return ls_halt(node->self,
			(struct ls_fault){ verdict, LS_NOBODY, node->round, -1, x->envelope.operation },
			"node %" PRId64 " is in %s in round %" PRId64
			", and the operator ended the thread that executed it",
			me->rank, x->envelope.operation, node->round);
	return account(x, call);
}
