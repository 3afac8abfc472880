/*
 * Splits.
 *
 *   every member      writes its part and key
 *   ----------------- barrier
 *   the lowest rank   of each part reads them all, and makes the group of its part
 *   ----------------- barrier
 *   every member      takes its handle of the new group
 *
 * So no member reads parts, keys or groups while another one writes them.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "machine/group.h"
#include "machine/local_ranks.h"
#include "machine/pending_send.h"
#include "machine/refused_call.h"
#include "machine/round.h"
#include "machine/shared_threads.h"
#include "machine/verdict.h"
#include "machine/wait.h"
#include "topology/embedding_internal.h"
#include "topology/topology_internal.h"

enum split_kind { BY_PART, BY_AXIS, BY_SUBCUBE, BY_SUBSTAR, BY_EMBEDDING, SPLIT_KINDS };

/* Every kind of split, with its argument, as a number. */
static int64_t kind_of(enum split_kind kind, int64_t argument)
{
	return argument * SPLIT_KINDS + (int64_t)kind;
}

/* Report an error of a split.  peer LS_NO_RANK: the error concerns only this node. */
static int fail_split(struct ls_node *node, int kind, int64_t peer, const char *text)
{
	char of_peer[32] = "";

	if (peer != LS_NO_RANK)
		snprintf(of_peer, sizeof of_peer, " node %" PRId64, peer);
	return lsi_machine_fail(node->self, (struct lsi_fault){ kind, peer, node->round, -1, "split" },
		"node %" PRId64 " splits a group in round %" PRId64 ", but%s %s", node->self->rank,
		node->round, of_peer, text);
}

/* Can the group be split, as all members offer it?  LS_OK or the error. */
static int check_offers(struct ls_node *node)
{
	const struct lsi_split_offer *offers = node->group->offers;

	for (int64_t r = 0; r < node->group->size; r++) {
		const int64_t peer = lsi_member(node->group, r);

		if (offers[r].part == LSI_PART_LEFT)
			return fail_split(node, LS_ERR_LEFT, peer, "has left it");
		if (offers[r].kind != offers[node->rank].kind)
			return fail_split(node, LS_ERR_MISMATCH, peer, "splits it in another way");
	}
	return LS_OK;
}

/* Give the member its handle of the new group. */
static int take_handle(struct ls_node *node, struct lsi_group *group, struct ls_node **sub)
{
	const int failed = lsi_group_handle_make(node->self, group, sub);

	return failed ? fail_split(node, failed, LS_NO_RANK, "no memory is left") : LS_OK;
}

/* A number that no other group of the run has, in any process. */
static uint32_t next_context(struct ls_machine *machine)
{
	return lsi_fetch_add(&machine->contexts, 1, relaxed); /* only distinct */
}

/* The two barriers.  A failed split may leave sends pending: see split_group(). */
static int try_split(struct ls_node *node, const struct lsi_split_offer *offer,
	struct lsi_group_network network, struct ls_node **sub)
{
	struct lsi_node_state *me = node->self;
	struct lsi_group *group = node->group;
	struct lsi_split_offer *mine = &group->offers[node->rank], *leader = group->offers, *lowest;
	int failed = lsi_machine_status(me);

	*sub = NULL;
	if (failed)
		return failed;
	mine->part = offer->part < 0 ? LSI_PART_NONE : offer->part;
	mine->key = offer->key;
	mine->kind = offer->kind;
	failed = lsi_barrier_wait_all(node, &group->split_barrier, "split");
	if (!failed)
		failed = check_offers(node);
	if (failed)
		return failed;
	mine->group = NULL; /* all members have taken their handles of the last split */
	while (leader->part != mine->part)
		leader++;
	lowest = leader;
	while (!lsi_rank_is_local(me->machine, lsi_member(group, leader - group->offers))
		|| leader->part != mine->part)
		leader++;
	if (leader == mine && mine->part != LSI_PART_NONE) {
		struct lsi_group *made = lsi_group_make(me->machine, group, mine->part, network);

		mine->group = made;
		if (!made)
			return fail_split(node, LS_ERR_MEMORY, LS_NO_RANK, "no memory is left");
		if (lowest == mine) /* else lowest->context is its number, after the barrier */
			mine->context = made->context = next_context(me->machine);
	}
	failed = lsi_barrier_wait_all(node, &group->split_barrier, "split");
	if (failed || offer->part < 0)
		return failed;
	return take_handle(node, leader->group, sub);
}

static int split_group(struct ls_node *node, const struct lsi_split_offer *offer,
	struct lsi_group_network network, struct ls_node **sub)
{
	const int failed = try_split(node, offer, network, sub);

	if (failed)
		lsi_pending_cancel(node->self);
	return failed;
}

/* ---- The kinds of splits */

/* Set *sub to NULL.  LS_ERR_ARGUMENT: the handle is not valid, or sub is NULL. */
static int check_handles(struct ls_node *node, const char *call, struct ls_node **sub)
{
	if (sub)
		*sub = NULL;
	if (!lsi_handle_is_valid(node))
		return lsi_refuse_handle(call);
	return sub ? LS_OK : lsi_refuse_call(node->self, LS_ERR_ARGUMENT, call, "sub is NULL");
}

int ls_split(ls_node *node, int64_t part, int64_t key, ls_node **sub)
{
	const int failed = check_handles(node, "ls_split", sub);

	if (failed)
		return failed;
	return split_group(node,
		&(struct lsi_split_offer){ .part = part, .key = key, .kind = kind_of(BY_PART, 0) },
		(struct lsi_group_network){ 0 }, sub);
}

int ls_split_axis(ls_node *node, int axis, ls_node **sub)
{
	static const char call[] = "ls_split_axis";
	const int failed = check_handles(node, call, sub);
	const struct ls_topology *t = failed ? NULL : node->group->topology;
	char spec[48];

	if (failed)
		return failed;
	if (ls_topology_dims(t) == 0)
		return lsi_refuse_call(
			node->self, LS_ERR_UNSUPPORTED, call, "%s has no axes", ls_topology_spec(t));
	if (axis < 0 || axis >= ls_topology_dims(t))
		return lsi_refuse_call(node->self, LS_ERR_ARGUMENT, call, "axis is %d; expected 0 .. %d",
			axis, ls_topology_dims(t) - 1);

	const int64_t at = ls_topology_coordinate(t, node->rank, axis);

	snprintf(spec, sizeof spec, "%s:%" PRId64,
		t->network->grid == LSI_GRID_WRAPPED ? "ring" : "linear", ls_topology_side(t, axis));
	return split_group(node,
		&(struct lsi_split_offer){ .part = node->rank - at * lsi_topology_stride(t, axis),
			.key = at,
			.kind = kind_of(BY_AXIS, axis) },
		(struct lsi_group_network){ .spec = spec }, sub);
}

/* The bits of x that are set in mask, moved together. */
static int64_t extract_bits(int64_t x, int64_t mask)
{
	int64_t bits = 0;

	for (int bit = 0; mask; mask &= mask - 1, bit++)
		bits |= (x >> __builtin_ctzll((unsigned long long)mask) & 1) << bit;
	return bits;
}

int ls_split_subcube(ls_node *node, int64_t mask, ls_node **sub)
{
	static const char call[] = "ls_split_subcube";
	const int failed = check_handles(node, call, sub);
	const struct ls_topology *t = failed ? NULL : node->group->topology;
	char spec[32];

	if (failed)
		return failed;
	if (!lsi_topology_is(t, &lsi_network_hypercube))
		return lsi_refuse_call(
			node->self, LS_ERR_UNSUPPORTED, call, "%s is no hypercube", ls_topology_spec(t));
	if (mask < 0 || mask >= t->nodes)
		return lsi_refuse_call(node->self, LS_ERR_ARGUMENT, call,
			"mask is %" PRId64 "; expected 0 .. %" PRId64, mask, t->nodes - 1);
	snprintf(spec, sizeof spec, "hypercube:%d", __builtin_popcountll((unsigned long long)mask));
	return split_group(node,
		&(struct lsi_split_offer){ .part = node->rank & ~mask,
			.key = extract_bits(node->rank, mask),
			.kind = kind_of(BY_SUBCUBE, mask) },
		(struct lsi_group_network){ .spec = spec }, sub);
}

int ls_split_substar(ls_node *node, int k, ls_node **sub)
{
	static const char call[] = "ls_split_substar";
	const int failed = check_handles(node, call, sub);
	const struct ls_topology *t = failed ? NULL : node->group->topology;
	int64_t size = 1;
	char spec[32];

	if (failed)
		return failed;
	if (!lsi_topology_is(t, &lsi_network_star))
		return lsi_refuse_call(
			node->self, LS_ERR_UNSUPPORTED, call, "%s is no star graph", ls_topology_spec(t));
	if (k < 1 || k > t->number[0])
		return lsi_refuse_call(node->self, LS_ERR_ARGUMENT, call, "k is %d; expected 1 .. %" PRId64,
			k, (int64_t)t->number[0]);
	for (int i = 2; i <= k; i++)
		size *= i;
	snprintf(spec, sizeof spec, "star:%d", k);
	return split_group(node,
		&(struct lsi_split_offer){
			.part = node->rank / size, .key = node->rank % size, .kind = kind_of(BY_SUBSTAR, k) },
		(struct lsi_group_network){ .spec = spec }, sub);
}

int ls_embed(ls_node *node, const ls_embedding *embedding, ls_node **sub)
{
	static const char call[] = "ls_embed";
	const int failed = check_handles(node, call, sub);
	const struct lsi_group *group = failed ? NULL : node->group;

	if (failed)
		return failed;
	if (!embedding)
		return lsi_refuse_call(node->self, LS_ERR_ARGUMENT, call, "embedding is NULL");
	if (strcmp(ls_topology_spec(embedding->host), ls_topology_spec(group->topology)) != 0)
		return lsi_refuse_call(node->self, LS_ERR_ARGUMENT, call, "the host is %s; expected %s",
			ls_topology_spec(embedding->host), ls_topology_spec(group->topology));
	if (group->mode == LS_HOP && embedding->dilation > 1)
		return lsi_refuse_call(node->self, LS_ERR_UNSUPPORTED, call,
			"the dilation is %d; expected 1 in hop mode", (int)embedding->dilation);

	const int64_t rank = embedding->guest_rank[node->rank];
	const int64_t fingerprint = (int64_t)(embedding->fingerprint >> 4);

	return split_group(node,
		&(struct lsi_split_offer){ .part = rank < 0 ? LSI_PART_NONE : 0,
			.key = rank,
			.kind = kind_of(BY_EMBEDDING, fingerprint) },
		(struct lsi_group_network){ .guest = embedding->guest }, sub);
}
