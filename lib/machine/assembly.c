/*
 * Assemblies of a group: its barriers and what its members show, and how they wait and help.
 */
#include "machine/machine_internal.h"

#include "base/futex.h"

/* ---- What a group owns */

enum { NODES_PER_SHARD = 2 }; /* fewer members than that many a core count centrally */

static struct lsi_shard *shards_of(
	const struct ls_machine *machine, struct lsi_group *group, size_t k)
{
	return group->shards ? group->shards + k * machine->cores : NULL;
}

bool lsi_group_alloc(const struct ls_machine *machine, struct lsi_group *group)
{
	const size_t cores = machine->cores;
	const bool many = cores > 1 && group->size >= (int64_t)cores * NODES_PER_SHARD;

	group->operands = lsi_alloc_cache_aligned((size_t)group->size * sizeof *group->operands);
	group->assembly.claims = lsi_alloc_cache_aligned(cores * sizeof *group->assembly.claims);
	group->assembly.cores = machine->cores;
	group->shards = many ? lsi_alloc_cache_aligned(2 * cores * sizeof *group->shards) : NULL;
	return group->operands && group->assembly.claims && (!many || group->shards);
}

void lsi_group_free(struct lsi_group *group)
{
	lsi_free(group->operands);
	lsi_free(group->assembly.claims);
	lsi_free(group->shards);
}

void lsi_group_reset(const struct ls_machine *machine, struct lsi_group *group)
{
	struct lsi_assembly *a = &group->assembly;

	lsi_barrier_reset(&group->barrier, shards_of(machine, group, 0), machine->cores, 0);
	lsi_barrier_reset(&a->barrier, shards_of(machine, group, 1), machine->cores, 0);
	lsi_barrier_reset(&group->meeting, NULL, 0, 0);
	for (int64_t i = 0; i < group->size; i++) {
		const uint32_t core = machine->node_state[lsi_member(group, i)].core;

		lsi_barrier_add(&group->barrier, core);
		lsi_barrier_add(&a->barrier, core);
		lsi_barrier_add(&group->meeting, core);
	}
	a->verdict = LS_OK;
	a->units = a->grain = a->start_spins = 0;
	lsi_store(&a->barrier.open, 0u, relaxed);   /* before any member knows it */
	lsi_store(&a->barrier.shared, 0u, relaxed); /* as above */
	for (uint32_t i = 0; i < machine->cores; i++) {
		lsi_store(&a->claims[i].taken, 0u, relaxed); /* as above */
		a->claims[i].grains = 0;                     /* who abandons looks at them */
	}
	lsi_store(&a->aborted, 0u, relaxed);     /* as above */
	lsi_store(&group->missing, 0u, relaxed); /* as above */
}

/* ---- Meet */

bool lsi_assembly_arrive(
	struct ls_node *node, const struct lsi_shown_buffers *operands, uint32_t *epoch)
{
	struct lsi_barrier *barrier = &node->group->assembly.barrier;

	node->group->operands[node->rank] = *operands;
	*epoch = lsi_barrier_epoch(barrier);
	return lsi_barrier_arrive(barrier, node->self->core);
}

static void let_go(struct ls_node *node)
{
	struct ls_machine *machine = node->self->machine;

	lsi_barrier_open(&node->group->assembly.barrier, machine->asymmetric);
	lsi_wake_group(machine, node->group);
}

void lsi_assembly_release(struct ls_node *node, int verdict)
{
	lsi_assembly_set_result(&node->group->assembly, verdict);
	lsi_assembly_close(&node->group->assembly);
	let_go(node);
}

void lsi_assembly_finish_units(struct ls_node *node)
{
	struct lsi_node_state *me = node->self;
	const int64_t units = me->units;

	me->units = 0;
	me->current_assembly = NULL;
	if (units > 0 && lsi_assembly_units_done(&node->group->assembly, units))
		let_go(node);
}

/*
 * Nobody else may be there to take what is left.  Then it waits as any node does: its buffers may
 * be its thread's, and a member that has arrived does not leave before the barrier opens.
 */
void lsi_assembly_abort(struct lsi_node_state *me)
{
	struct lsi_assembly *a = me->current_assembly;
	struct ls_node *node = &me->whole;
	int64_t first, last;

	if (!a)
		return;
	while (&node->group->assembly != a)
		node = node->next;

	const uint32_t epoch = lsi_barrier_epoch(&a->barrier); /* still: its units are not done */

	lsi_store(&a->aborted, 1u, relaxed); /* DONE publishes it */
	while (lsi_assembly_take(a, me->core, &first, &last))
		me->units += last - first;
	lsi_assembly_finish_units(node);
	while (lsi_barrier_epoch(&a->barrier) == epoch)
		lsi_yield();
}

/* ---- Wait */

struct turn {
	struct lsi_assembly *assembly;
	uint32_t epoch;
	bool helps; /* has not found yet that all units are taken */
};

static bool is_over(const struct turn *turn)
{
	return lsi_barrier_epoch(&turn->assembly->barrier) != turn->epoch;
}

static bool has_work(const struct turn *turn)
{
	return turn->helps && lsi_assembly_is_shared(turn->assembly, turn->epoch);
}

static bool has_turned(struct lsi_node_state *me, void *what)
{
	(void)me;
	return is_over(what) || has_work(what);
}

int lsi_assembly_wait(struct ls_node *node, uint32_t epoch, const char *operation,
	void (*help)(struct ls_node *), int *verdict)
{
	struct lsi_assembly *a = &node->group->assembly;
	struct ls_machine *machine = node->self->machine;
	struct turn turn = { a, epoch, true };
	const struct ls_wait_state reason = { sizeof reason, LS_WAITS_FOR_ROUND, LS_NO_RANK,
		node->round, operation };
	int stopped = LS_OK;

	lsi_barrier_spin(node, &a->barrier, has_turned, &turn);
	while (!is_over(&turn)) {
		const int status = lsi_wait_until(node->self, reason, has_turned, &turn);

		stopped = stopped ? stopped : status;
		if (stopped && lsi_load(&machine->stopped, seq_cst) /* STOP */
			&& !lsi_assembly_is_open(a, epoch) && !is_over(&turn))
			return stopped;
		if (has_work(&turn)) {
			help(node);
			turn.helps = false;
		} else if (stopped) {
			lsi_yield();
		}
	}
	node->self->waits = false;
	*verdict = lsi_load(&a->aborted, relaxed) ? LS_ERR_LEFT : a->verdict; /* ROUND publishes */
	return LS_OK;
}
