/*
 * Groups.  The whole machine is a group, too: it is part of struct ls_machine, and its memory is
 * allocated and freed with the machine.  All other groups are made by splits; they end with their
 * last handle or with the run.
 */
#include "machine/group.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "machine/carrier.h"
#include "machine/group_work_sharing.h"
#include "machine/local_ranks.h"
#include "machine/pending_send.h"
#include "machine/port.h"
#include "machine/processes/far_nodes.h"
#include "machine/shared_threads.h"
#include "machine/wait.h"

/* ---- Barriers and member calls */

enum {
	NODES_PER_SHARD = 2, /* threads: with fewer members per core, arrivals are counted centrally */
	SHARDED_BARRIERS = 3,
	HANDLES_LEFT = 64 /* handles that a node leaves before the memory of one is used again */
};

/* The shards of barrier (k = 0), work_sharing (1) or split_barrier (2).  NULL: no shards. */
static struct lsi_shard *shards_of(
	const struct ls_machine *machine, struct lsi_group *group, size_t k)
{
	return group->shards ? group->shards + k * machine->cores : NULL;
}

bool lsi_group_alloc(const struct ls_machine *machine, struct lsi_group *group)
{
	const size_t cores = machine->cores;
	const bool fibers = machine->carrier->shares_threads;
	const bool sharded = fibers || (cores > 1 && group->locals >= (int64_t)cores * NODES_PER_SHARD);

	group->member_calls =
		lsi_alloc_cache_aligned((size_t)group->size * sizeof *group->member_calls);
	group->work_sharing.ranges =
		lsi_alloc_cache_aligned(cores * sizeof *group->work_sharing.ranges);
	group->work_sharing.cores = machine->cores;
	lsi_arena_source_init(&group->plan_memory);
	group->shards =
		sharded ? lsi_alloc_cache_aligned(SHARDED_BARRIERS * cores * sizeof *group->shards) : NULL;
	if (fibers)
		group->worker_calls = lsi_alloc_cache_aligned(cores * sizeof *group->worker_calls);
	return group->member_calls && group->work_sharing.ranges && (!sharded || group->shards)
		&& (!fibers || group->worker_calls);
}

void lsi_group_free(struct lsi_group *group)
{
	lsi_free(group->member_calls);
	lsi_free(group->work_sharing.ranges);
	lsi_free(group->shards);
	lsi_free(group->worker_calls);
	lsi_arena_source_fini(&group->plan_memory);
}

void lsi_group_reset(const struct ls_machine *machine, struct lsi_group *group)
{
	struct lsi_work_sharing *w = &group->work_sharing;
	const uint32_t cores = machine->cores;
	const bool fibers = machine->carrier->shares_threads;

	lsi_barrier_reset(&group->barrier, shards_of(machine, group, 0), cores, fibers, 0);
	lsi_barrier_reset(&w->barrier, shards_of(machine, group, 1), cores, fibers, 0);
	lsi_barrier_reset(
		&group->split_barrier, fibers ? shards_of(machine, group, 2) : NULL, cores, fibers, 0);
	for (int64_t i = 0; i < group->locals; i++) {
		const uint32_t core = lsi_local_member(machine, group, i)->core;

		lsi_barrier_add(&group->barrier, core);
		lsi_barrier_add(&w->barrier, core);
		lsi_barrier_add(&group->split_barrier, core);
	}
	w->result = LS_OK;
	w->units = w->chunk = w->start_spins = 0;
	lsi_store(&w->barrier.open_work, 0u, relaxed);   /* before any member has the group */
	lsi_store(&w->barrier.shared_work, 0u, relaxed); /* as above */
	for (uint32_t i = 0; i < machine->cores; i++) {
		lsi_store(&w->ranges[i].taken, 0u, relaxed); /* as above */
		w->ranges[i].chunks = 0;                     /* lsi_work_abort reads them */
	}
	group->is_new = true;
	lsi_store(&w->aborted, 0u, relaxed);         /* as above */
	lsi_store(&group->member_left, 0u, relaxed); /* as above */
}

/* ---- Make and destroy */

/* A member of a part, in the order of the new group. */
struct entry {
	int64_t key, rank;
};

static int compare_key_and_rank(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return (x->rank > y->rank) - (x->rank < y->rank);
}

/* The local ones of the members, which are in the order of the group.  False: no memory. */
static bool find_local_members(struct ls_machine *machine, struct lsi_group *group)
{
	for (int64_t r = 0; r < group->size; r++)
		group->locals += lsi_rank_is_local(machine, group->member[r]);
	if (group->locals == group->size)
		return true;
	group->local = lsi_alloc((size_t)group->locals * sizeof *group->local);
	for (int64_t r = 0, i = 0; group->local && r < group->size; r++) {
		if (lsi_rank_is_local(machine, group->member[r]))
			group->local[i++] = r;
	}
	return group->local && lsi_far_group_make(machine, group);
}

/* Free a group whose last handle is gone, or whose run has ended. */
static void group_destroy(struct lsi_group *group)
{
	if (group->destroy_cooperative_state)
		group->destroy_cooperative_state(group->cooperative_state);
	if (group->destroy_plan_cache)
		group->destroy_plan_cache(group);
	ls_topology_destroy(group->owned);
	lsi_free(group->member);
	lsi_free(group->local);
	lsi_far_group_destroy(group->far);
	lsi_free(group->offers);
	lsi_group_free(group);
	lsi_free(group);
}

/* The *n ranks of `group` that offered this part, sorted by key.  NULL: no memory. */
static struct entry *collect_members(const struct lsi_group *group, int64_t part, int64_t *n)
{
	struct entry *entry = lsi_alloc((size_t)group->size * sizeof *entry);

	*n = 0;
	for (int64_t r = 0; entry && r < group->size; r++) {
		if (group->offers[r].part == part)
			entry[(*n)++] = (struct entry){ group->offers[r].key, r };
	}
	if (entry)
		qsort(entry, (size_t)*n, sizeof *entry, compare_key_and_rank);
	return entry;
}

/* Set the topology of a group of n nodes.  False: no memory. */
static bool set_topology(struct lsi_group *group, int64_t n, struct lsi_group_network network)
{
	char complete[32];

	snprintf(complete, sizeof complete, "complete:%" PRId64, n);
	if (!network.guest
		&& ls_topology_make(network.spec ? network.spec : complete, &group->owned, NULL) != LS_OK)
		return false;
	group->topology = network.guest ? network.guest : group->owned;
	group->embedded = network.guest != NULL;
	return true;
}

/* Messages keep the mode of `from`; without a network they are routed. */
struct lsi_group *lsi_group_make(struct ls_machine *machine, const struct lsi_group *from,
	int64_t part, struct lsi_group_network network)
{
	struct lsi_group *group = lsi_alloc_cache_aligned(sizeof *group);
	int64_t n;
	struct entry *entry = group ? collect_members(from, part, &n) : NULL;

	if (!entry) {
		lsi_free(group);
		return NULL;
	}
	group->size = n;
	group->mode = network.spec || network.guest ? from->mode : LS_ROUTED;
	group->member = lsi_alloc((size_t)n * sizeof *group->member);
	group->offers = lsi_alloc_zero((size_t)n, sizeof *group->offers);
	for (int64_t i = 0; group->member && i < n; i++)
		group->member[i] = lsi_member(from, entry[i].rank);
	if (!group->member || !group->offers || !find_local_members(machine, group)
		|| !lsi_group_alloc(machine, group) || !set_topology(group, n, network)) {
		lsi_free(entry);
		group_destroy(group);
		return NULL;
	}
	lsi_group_reset(machine, group);
	/* The communication thread has a handle, too.  Published by the split barrier. */
	lsi_store(&group->handles, group->locals + lsi_group_spans(group), relaxed);
	lsi_free(entry);
	pthread_mutex_lock(&machine->build_lock);
	group->next = machine->groups;
	machine->groups = group;
	pthread_mutex_unlock(&machine->build_lock);
	return group;
}

/* The rank of a node in a group; LS_NO_RANK: it is no member. */
static int64_t group_rank(const struct lsi_group *group, int64_t machine_rank)
{
	if (!group->member)
		return machine_rank;
	for (int64_t i = 0; i < group->size; i++) {
		if (group->member[i] == machine_rank)
			return i;
	}
	return LS_NO_RANK;
}

/* ---- Handles */

/* The group of handles that were left. */
static struct lsi_group no_group;

/* Take the memory of the handle that was left first, if there are enough of them. */
static struct ls_node *take_handle_memory(struct lsi_node_state *me)
{
	struct ls_node *node = me->left;

	if (me->reserved) {
		node = me->reserved;
		me->reserved = NULL;
		return node;
	}
	if (me->n_left < HANDLES_LEFT)
		return lsi_alloc_zero(1, sizeof *node);
	me->left = node->next;
	me->n_left--;
	memset(node, 0, sizeof *node);
	return node;
}

bool lsi_handle_reserve(struct lsi_node_state *me)
{
	me->reserved = take_handle_memory(me);
	return me->reserved;
}

int lsi_group_handle_make(struct lsi_node_state *me, struct lsi_group *group, struct ls_node **out)
{
	struct ls_node *node = take_handle_memory(me);

	if (!node)
		return LS_ERR_MEMORY;
	node->self = me;
	node->group = group;
	node->rank = group_rank(group, me->rank);
	node->round = 1;
	node->next = me->whole.next;
	me->whole.next = node;
	*out = node;
	return LS_OK;
}

/* Keep the memory: the program may still use the handle, and gets LS_ERR_ARGUMENT. */
static void handle_keep(struct lsi_node_state *me, struct ls_node *node)
{
	*node = (struct ls_node){ .group = &no_group, .rank = LS_NO_RANK };
	*me->left_end = node;
	me->left_end = &node->next;
	me->n_left++;
}

void lsi_handles_free(struct lsi_node_state *me)
{
	while (me->left) {
		struct ls_node *node = me->left;

		me->left = node->next;
		lsi_free(node);
	}
	lsi_free(me->reserved);
}

/* ---- Leave */

static void leave_barrier(struct ls_node *node, struct lsi_barrier *barrier)
{
	const bool is_last = lsi_barrier_leave(barrier, node->self->core);

	if (is_last && !node->group->far) {
		lsi_barrier_open(barrier, node->self->machine->asymmetric);
		lsi_wake_barrier(node, barrier);
		return;
	}
	lsi_barrier_left(node, barrier);
	if (is_last)
		lsi_far_arrive(node, barrier);
}

static void leave_calls(struct ls_node *node)
{
	struct lsi_barrier *barrier = &node->group->work_sharing.barrier;
	const bool is_last = lsi_barrier_leave(barrier, node->self->core);

	if (is_last && !node->group->far) {
		lsi_work_release_members(node, LSI_USE_MAILBOXES);
		return;
	}
	lsi_barrier_left(node, barrier);
	if (is_last)
		lsi_far_arrive_with_call(node, NULL, &(struct lsi_far_work){ .flags = LSI_CALL_MAILBOXES });
}

void lsi_group_leave(struct ls_node *node)
{
	struct lsi_group *group = node->group;

	group->offers[node->rank].part = LSI_PART_LEFT;
	lsi_store(&group->member_left, 1u, relaxed); /* ARRIVE publishes it */
	leave_barrier(node, &group->barrier);
	leave_barrier(node, &group->split_barrier);
	leave_calls(node);
	if (group->far)
		lsi_far_leave(node);
}

/* Remove a group from the machine's list, and destroy it. */
static void group_drop(struct ls_machine *machine, struct lsi_group *group)
{
	struct lsi_group **at = &machine->groups;

	pthread_mutex_lock(&machine->build_lock);
	while (*at != group)
		at = &(*at)->next;
	*at = group->next;
	pthread_mutex_unlock(&machine->build_lock);
	group_destroy(group);
}

void lsi_group_release(struct ls_machine *machine, struct lsi_group *group)
{
	if (lsi_fetch_sub(&group->handles, 1, acq_rel) == 1) /* HANDLES */
		group_drop(machine, group);
}

/* The node has left the group. */
static void handle_drop(struct ls_node *node)
{
	struct lsi_node_state *me = node->self;

	if (node->destroy_call_cache)
		node->destroy_call_cache(node->call_cache);
	lsi_group_release(me->machine, node->group);
	handle_keep(me, node);
}

void lsi_handles_drop(struct lsi_node_state *me)
{
	while (me->whole.next) {
		struct ls_node *node = me->whole.next;

		me->whole.next = node->next;
		handle_drop(node);
	}
}

void lsi_groups_destroy(struct ls_machine *machine)
{
	for (int64_t i = machine->first_local; i < machine->end_local; i++)
		lsi_handles_drop(&machine->node_state[i]);
	/* The machine stopped during a split: some members have no handle of the new group. */
	while (machine->groups)
		group_drop(machine, machine->groups);
}

/* In a stopped machine groups stay: the search for the error reads the calls of their handles. */
void ls_leave(ls_node *sub)
{
	if (!lsi_handle_is_valid(sub) || lsi_machine_status(sub->self))
		return;
	if (lsi_pending_wait(sub, INT64_MAX, "leave") != LS_OK) {
		lsi_pending_cancel(sub->self);
		return;
	}

	struct ls_node **at = &sub->self->whole.next;

	while (*at && *at != sub)
		at = &(*at)->next;
	if (!*at)
		return;
	*at = sub->next;
	lsi_ports_release(sub);
	lsi_group_leave(sub);
	handle_drop(sub);
}
