/*
 * Groups: ordered lists of nodes with a topology, rounds and a context of their own.
 *
 * A split is a meeting: every member posts its part and key; after the first meeting the lowest
 * rank of each part makes the group; after the second all take their handles.  Parts and keys are
 * read between the two only, and what was made after the second only; when they are read nobody
 * writes them.
 */
#include "machine/machine_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "topology/embedding_internal.h"
#include "topology/topology_internal.h"

enum { NO_PART = -1, LEFT = -2 }; /* LEFT: is no member any more */
enum way { PART, AXIS, SUBCUBE, SUBSTAR, EMBEDDED, WAYS };

/*
 * How a group is wired: as a spec says, or as the guest of an embedding; both NULL: completely, and
 * routed.
 */
struct wiring {
	const char *spec;
	const ls_topology *guest;
};

/* A member of a part, in the order of the group to be. */
struct entry {
	int64_t key, rank;
};

static int by_key_and_rank(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return (x->rank > y->rank) - (x->rank < y->rank);
}

static void group_destroy(struct lsi_group *group)
{
	if (group->forget_cooperation)
		group->forget_cooperation(group->cooperation);
	if (group->forget_plans)
		group->forget_plans(group);
	ls_topology_destroy(group->owned);
	lsi_free(group->member);
	lsi_free(group->post);
	lsi_group_free(group);
	lsi_free(group);
}

/* Ranks of `group` with this part, sorted; n of them.  NULL: no memory. */
static struct entry *collect(const struct lsi_group *group, int64_t part, int64_t *n)
{
	struct entry *entry = lsi_alloc((size_t)group->size * sizeof *entry);

	*n = 0;
	for (int64_t r = 0; entry && r < group->size; r++) {
		if (group->post[r].part == part)
			entry[(*n)++] = (struct entry){ group->post[r].key, r };
	}
	if (entry)
		qsort(entry, (size_t)*n, sizeof *entry, by_key_and_rank);
	return entry;
}

/* The topology of a group of n nodes; false: no memory. */
static bool wire(struct lsi_group *group, int64_t n, struct wiring wiring)
{
	char complete[32];

	snprintf(complete, sizeof complete, "complete:%" PRId64, n);
	if (!wiring.guest
		&& ls_topology_make(wiring.spec ? wiring.spec : complete, &group->owned, NULL) != LS_OK)
		return false;
	group->topology = wiring.guest ? wiring.guest : group->owned;
	group->embedded = wiring.guest != NULL;
	return true;
}

/*
 * The group of those who posted `part`; messages are as before, unless it is wired completely.
 * NULL: no memory.
 */
static struct lsi_group *group_make(
	struct ls_machine *machine, const struct lsi_group *from, int64_t part, struct wiring wiring)
{
	struct lsi_group *group = lsi_alloc_cache_aligned(sizeof *group);
	int64_t n;
	struct entry *entry = group ? collect(from, part, &n) : NULL;

	if (!entry) {
		lsi_free(group);
		return NULL;
	}
	group->size = n;
	group->mode = wiring.spec || wiring.guest ? from->mode : LS_ROUTED;
	group->context = (uint32_t)lsi_fetch_add(&machine->contexts, 1, relaxed); /* only distinct */
	group->member = lsi_alloc((size_t)n * sizeof *group->member);
	group->post = lsi_alloc_zero((size_t)n, sizeof *group->post);
	if (!group->member || !group->post || !lsi_group_alloc(machine, group)
		|| !wire(group, n, wiring)) {
		lsi_free(entry);
		group_destroy(group);
		return NULL;
	}
	for (int64_t i = 0; i < n; i++)
		group->member[i] = lsi_member(from, entry[i].rank);
	lsi_group_reset(machine, group);
	lsi_store(&group->handles, n, relaxed); /* published by the meeting */
	lsi_free(entry);
	pthread_mutex_lock(&machine->build_lock);
	group->next = machine->groups;
	machine->groups = group;
	pthread_mutex_unlock(&machine->build_lock);
	return group;
}

int64_t lsi_group_rank(const struct lsi_group *group, int64_t machine_rank)
{
	if (!group->member)
		return machine_rank;
	for (int64_t i = 0; i < group->size; i++) {
		if (group->member[i] == machine_rank)
			return i;
	}
	return LS_NO_RANK;
}

static int handle_make(struct lsi_node_state *me, struct lsi_group *group, struct ls_node **out)
{
	struct ls_node *node = lsi_alloc_zero(1, sizeof *node);

	if (!node)
		return lsi_machine_fail(me,
			(struct lsi_fault){ LS_ERR_MEMORY, -1, me->whole.round, -1, "split" },
			"no memory for a group");
	node->self = me;
	node->group = group;
	node->rank = lsi_group_rank(group, me->rank);
	node->round = 1;
	node->next = me->whole.next;
	me->whole.next = node;
	*out = node;
	return LS_OK;
}

void lsi_group_leave(struct ls_node *node)
{
	struct ls_machine *machine = node->self->machine;
	struct lsi_group *group = node->group;
	const uint32_t core = node->self->core;
	bool over = false;

	group->post[node->rank].part = LEFT;
	lsi_store(&group->missing, 1u, relaxed); /* ARRIVE publishes it */
	if (lsi_barrier_leave(&group->barrier, core)) {
		lsi_barrier_open(&group->barrier, machine->asymmetric);
		over = true;
	}
	if (lsi_barrier_leave(&group->meeting, core)) {
		lsi_barrier_open(&group->meeting, machine->asymmetric);
		over = true;
	}
	if (over)
		lsi_wake_group(machine, group);
	if (lsi_barrier_leave(&group->assembly.barrier, core))
		lsi_assembly_release(node, LSI_BY_NODES);
}

/* Can the group be split, as this node and all others have posted it?  LS_OK or the error. */
static int judge(struct ls_node *node)
{
	const struct lsi_split_offer *post = node->group->post;

	for (int64_t r = 0; r < node->group->size; r++) {
		const int64_t peer = lsi_member(node->group, r);

		if (post[r].part == LEFT)
			return lsi_machine_fail(node->self,
				(struct lsi_fault){ LS_ERR_LEFT, peer, node->round, -1, "split" },
				"node %" PRId64 " splits a group in round %" PRId64 "; node %" PRId64
				" of it has left",
				node->self->rank, node->round, peer);
		if (post[r].by != post[node->rank].by)
			return lsi_machine_fail(node->self,
				(struct lsi_fault){ LS_ERR_MISMATCH, peer, node->round, -1, "split" },
				"node %" PRId64 " splits a group in round %" PRId64 "; node %" PRId64
				" splits it in another way",
				node->self->rank, node->round, peer);
	}
	return LS_OK;
}

static int attempt(struct ls_node *node, const struct lsi_split_offer *wish, struct wiring wiring,
	struct ls_node **sub)
{
	struct lsi_node_state *me = node->self;
	struct lsi_group *group = node->group;
	struct lsi_split_offer *mine = &group->post[node->rank], *leader = group->post;
	int failed = lsi_machine_status(me);

	*sub = NULL;
	if (failed)
		return failed;
	mine->part = wish->part < 0 ? NO_PART : wish->part;
	mine->key = wish->key;
	mine->by = wish->by;
	failed = lsi_barrier_wait_all(node, &group->meeting, "split");
	if (!failed)
		failed = judge(node);
	if (failed)
		return failed;
	while (leader->part != mine->part)
		leader++;
	if (leader == mine && mine->part != NO_PART) {
		mine->made = group_make(me->machine, group, mine->part, wiring);
		if (!mine->made)
			return lsi_machine_fail(me,
				(struct lsi_fault){ LS_ERR_MEMORY, -1, node->round, -1, "split" },
				"no memory for a group");
	}
	failed = lsi_barrier_wait_all(node, &group->meeting, "split");
	if (failed || wish->part < 0)
		return failed;
	return handle_make(me, leader->made, sub);
}

/* Every way of splitting, with its argument, as a number. */
static int64_t by(enum way way, int64_t argument)
{
	return argument * WAYS + (int64_t)way;
}

static int split(struct ls_node *node, const struct lsi_split_offer *wish, struct wiring wiring,
	struct ls_node **sub)
{
	const int failed = attempt(node, wish, wiring, sub);

	if (failed)
		lsi_pending_cancel(node->self);
	return failed;
}

int ls_split(ls_node *node, int64_t part, int64_t key, ls_node **sub)
{
	if (!node || !sub)
		return LS_ERR_ARGUMENT;
	return split(node, &(struct lsi_split_offer){ .part = part, .key = key, .by = by(PART, 0) },
		(struct wiring){ 0 }, sub);
}

int ls_split_axis(ls_node *node, int axis, ls_node **sub)
{
	const struct ls_topology *t = node ? node->group->topology : NULL;
	char spec[48];

	if (!t || !sub)
		return LS_ERR_ARGUMENT;
	*sub = NULL;
	if (ls_topology_dims(t) == 0)
		return LS_ERR_UNSUPPORTED;
	if (axis < 0 || axis >= ls_topology_dims(t))
		return LS_ERR_ARGUMENT;

	const int64_t at = ls_topology_coordinate(t, node->rank, axis);

	snprintf(spec, sizeof spec, "%s:%" PRId64,
		t->network->grid == LSI_GRID_WRAPPED ? "ring" : "linear", ls_topology_side(t, axis));
	return split(node,
		&(struct lsi_split_offer){ .part = node->rank - at * lsi_topology_stride(t, axis),
			.key = at,
			.by = by(AXIS, axis) },
		(struct wiring){ .spec = spec }, sub);
}

/* The bits of x at the places set in mask, moved together. */
static int64_t extract(int64_t x, int64_t mask)
{
	int64_t bits = 0;

	for (int place = 0; mask; mask &= mask - 1, place++)
		bits |= (x >> __builtin_ctzll((unsigned long long)mask) & 1) << place;
	return bits;
}

int ls_split_subcube(ls_node *node, int64_t mask, ls_node **sub)
{
	const struct ls_topology *t = node ? node->group->topology : NULL;
	char spec[32];

	if (!t || !sub)
		return LS_ERR_ARGUMENT;
	*sub = NULL;
	if (!lsi_topology_is(t, &lsi_network_hypercube))
		return LS_ERR_UNSUPPORTED;
	if (mask < 0 || mask >= t->nodes)
		return LS_ERR_ARGUMENT;
	snprintf(spec, sizeof spec, "hypercube:%d", __builtin_popcountll((unsigned long long)mask));
	return split(node,
		&(struct lsi_split_offer){
			.part = node->rank & ~mask, .key = extract(node->rank, mask), .by = by(SUBCUBE, mask) },
		(struct wiring){ .spec = spec }, sub);
}

int ls_split_substar(ls_node *node, int k, ls_node **sub)
{
	const struct ls_topology *t = node ? node->group->topology : NULL;
	int64_t size = 1;
	char spec[32];

	if (!t || !sub)
		return LS_ERR_ARGUMENT;
	*sub = NULL;
	if (!lsi_topology_is(t, &lsi_network_star))
		return LS_ERR_UNSUPPORTED;
	if (k < 1 || k > t->number[0])
		return LS_ERR_ARGUMENT;
	for (int i = 2; i <= k; i++)
		size *= i;
	snprintf(spec, sizeof spec, "star:%d", k);
	return split(node,
		&(struct lsi_split_offer){
			.part = node->rank / size, .key = node->rank % size, .by = by(SUBSTAR, k) },
		(struct wiring){ .spec = spec }, sub);
}

int ls_embed(ls_node *node, const ls_embedding *embedding, ls_node **sub)
{
	const struct lsi_group *group = node ? node->group : NULL;

	if (!group || !sub)
		return LS_ERR_ARGUMENT;
	*sub = NULL;
	if (!embedding
		|| strcmp(ls_topology_spec(embedding->host), ls_topology_spec(group->topology)) != 0)
		return LS_ERR_ARGUMENT;
	if (group->mode == LS_HOP && embedding->dilation > 1)
		return LS_ERR_UNSUPPORTED;

	const int64_t rank = embedding->rank[node->rank];
	const int64_t what = (int64_t)(embedding->fingerprint >> 4);

	return split(node,
		&(struct lsi_split_offer){
			.part = rank < 0 ? NO_PART : 0, .key = rank, .by = by(EMBEDDED, what) },
		(struct wiring){ .guest = embedding->guest }, sub);
}

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

static void handle_drop(struct ls_node *node)
{
	if (node->forget)
		node->forget(node->call_cache);
	if (lsi_fetch_sub(&node->group->handles, 1, acq_rel) == 1) /* HANDLES */
		group_drop(node->self->machine, node->group);
	lsi_free(node);
}

void lsi_groups_destroy(struct ls_machine *machine)
{
	for (int64_t i = 0; i < machine->nodes; i++) {
		struct ls_node *whole = &machine->node_state[i].whole;

		while (whole->next) {
			struct ls_node *node = whole->next;

			whole->next = node->next;
			handle_drop(node);
		}
	}
	/* Those that were made, but not taken by all: the machine stopped. */
	while (machine->groups)
		group_drop(machine, machine->groups);
}

/* Of a stopped machine no group is left: what its nodes remember tells what went wrong. */
void ls_leave(ls_node *sub)
{
	if (!sub || lsi_machine_status(sub->self))
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
