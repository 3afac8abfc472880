/*
 * Assemblies of a group: its barriers and what its members show, and how they wait and help.
 */
#include "machine/machine.h"

#include "base/wait.h"

/* ---- What a group owns */

enum { NODES_PER_SHARD = 2 };              /* fewer members than that many a core count centrally */

static struct ls_shard *shards_of(const struct ls_machine *machine, struct ls_group *group, size_t k)
{
	return group->shards ? group->shards + k * machine->seats : NULL;
}

bool ls_group_equip(const struct ls_machine *machine, struct ls_group *group)
{
	const size_t seats = machine->seats;
	const bool many = seats > 1 && group->size >= (int64_t)seats * NODES_PER_SHARD;

	group->operands = ls_alloc_lines((size_t)group->size * sizeof *group->operands);
	group->assembly.claims = ls_alloc_lines(seats * sizeof *group->assembly.claims);
	group->assembly.seats = machine->seats;
	group->shards = many ? ls_alloc_lines(2 * seats * sizeof *group->shards) : NULL;
	return group->operands && group->assembly.claims && (!many || group->shards);
}

void ls_group_strip(struct ls_group *group)
{
	ls_free(group->operands);
	ls_free(group->assembly.claims);
	ls_free(group->shards);
}

void ls_group_reset(const struct ls_machine *machine, struct ls_group *group)
{
	struct ls_assembly *a = &group->assembly;

	ls_barrier_reset(&group->barrier, shards_of(machine, group, 0), machine->seats, 0);
	ls_barrier_reset(&a->barrier, shards_of(machine, group, 1), machine->seats, 0);
	ls_barrier_reset(&group->meeting, NULL, 0, 0);
	for (int64_t i = 0; i < group->size; i++) {
		const uint32_t seat = machine->processor[ls_member(group, i)].seat;

		ls_barrier_add(&group->barrier, seat);
		ls_barrier_add(&a->barrier, seat);
		ls_barrier_add(&group->meeting, seat);
	}
	a->verdict = LS_OK;
	a->units = a->grain = a->patience = 0;
	ls_store(&a->barrier.open, 0u, relaxed);                    /* before any member knows it */
	ls_store(&a->barrier.shared, 0u, relaxed);                  /* as above */
	for (uint32_t i = 0; i < machine->seats; i++) {
		ls_store(&a->claims[i].taken, 0u, relaxed);             /* as above */
		a->claims[i].grains = 0;                                /* who abandons looks at them */
	}
	ls_store(&a->spoilt, 0u, relaxed);                          /* as above */
	ls_store(&group->missing, 0u, relaxed);                     /* as above */
}

/* ---- Meet */

bool ls_assemble(struct ls_node *node, const struct ls_operands *operands, uint32_t *epoch)
{
	struct ls_barrier *barrier = &node->group->assembly.barrier;

	node->group->operands[node->rank] = *operands;
	*epoch = ls_barrier_epoch(barrier);
	return ls_barrier_arrive(barrier, node->self->seat);
}

static void let_go(struct ls_node *node)
{
	struct ls_machine *machine = node->self->machine;

	ls_barrier_open(&node->group->assembly.barrier, machine->asymmetric);
	ls_rouse_group(machine, node->group);
}

void ls_assembly_dismiss(struct ls_node *node, int verdict)
{
	ls_assembly_judge(&node->group->assembly, verdict);
	ls_assembly_shut(&node->group->assembly);
	let_go(node);
}

void ls_assembly_settle(struct ls_node *node)
{
	struct ls_processor *me = node->self;
	const int64_t units = me->units;

	me->units = 0;
	me->works = NULL;
	if (units > 0 && ls_assembly_done(&node->group->assembly, units))
		let_go(node);
}

/*
 * Nobody else may be there to take what is left.  Then it waits as any node does: its buffers may
 * be its thread's, and a member that has arrived does not leave before the barrier opens.
 */
void ls_assembly_abandon(struct ls_processor *me)
{
	struct ls_assembly *a = me->works;
	struct ls_node *node = &me->whole;
	int64_t first, last;

	if (!a)
		return;
	while (&node->group->assembly != a)
		node = node->next;

	const uint32_t epoch = ls_barrier_epoch(&a->barrier);      /* still: its units are not done */

	ls_store(&a->spoilt, 1u, relaxed);                                 /* DONE publishes it */
	while (ls_assembly_take(a, me->seat, &first, &last))
		me->units += last - first;
	ls_assembly_settle(node);
	while (ls_barrier_epoch(&a->barrier) == epoch)
		ls_yield();
}

/* ---- Wait */

struct turn {
	struct ls_assembly *assembly;
	uint32_t epoch;
	bool helps;                            /* has not found yet that all units are taken */
};

static bool is_over(const struct turn *turn)
{
	return ls_barrier_epoch(&turn->assembly->barrier) != turn->epoch;
}

static bool has_work(const struct turn *turn)
{
	return turn->helps && ls_assembly_is_shared(turn->assembly, turn->epoch);
}

static bool has_turned(struct ls_processor *me, void *what)
{
	(void)me;
	return is_over(what) || has_work(what);
}

int ls_assembly_await(struct ls_node *node, uint32_t epoch, const char *operation,
	void (*help)(struct ls_node *), int *verdict)
{
	struct ls_assembly *a = &node->group->assembly;
	struct ls_machine *machine = node->self->machine;
	struct turn turn = { a, epoch, true };
	const struct ls_waiting reason = { sizeof reason, LS_AWAITS_ROUND, LS_NOBODY, node->round,
		operation };
	int stopped = LS_OK;

	ls_linger(node, &a->barrier, has_turned, &turn);
	while (!is_over(&turn)) {
		const int status = ls_await(node->self, reason, has_turned, &turn);

		stopped = stopped ? stopped : status;
		if (stopped && ls_load(&machine->stopped, seq_cst)             /* STOP */
			&& !ls_assembly_is_open(a, epoch) && !is_over(&turn))
			return stopped;
		if (has_work(&turn)) {
			help(node);
			turn.helps = false;
		} else if (stopped) {
			ls_yield();
		}
	}
	node->self->waits = false;
	*verdict = ls_load(&a->spoilt, relaxed) ? LS_ERR_LEFT : a->verdict;        /* ROUND publishes */
	return LS_OK;
}
