/*
 * The search for calls that differ, over processes: as call_mismatch.c, on the histories of all
 * nodes.  Nodes of a process with equal histories are represented by the lowest rank.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "machine/call_mismatch.h"
#include "machine/processes/far_internal.h"

enum { HISTORIES_MOST = 256 }; /* of a process: programs make a few different ones */

/* The last calls of a member of a group. */
struct history {
	int64_t node, rank;
	uint32_t context, sequence;
	uint64_t call[LSI_CALLS_RECORDED][3];
};

struct histories {
	struct history *of;
	uint64_t n;
};

/* As in call_mismatch.c. */
static bool has_recorded(const struct history *h, uint32_t sequence)
{
	return sequence <= h->sequence && sequence + LSI_CALLS_RECORDED > h->sequence;
}

/* Only valid if has_recorded. */
static const uint64_t *call_at(const struct history *h, uint32_t sequence)
{
	return h->call[sequence % LSI_CALLS_RECORDED];
}

static struct lsi_call_of_node call_of(const struct history *h, uint32_t sequence)
{
	struct lsi_call_of_node call = { h->node, h->rank, h->context, true, { 0 } };

	memcpy(call.call, call_at(h, sequence), sizeof call.call);
	return call;
}

struct lsi_call_of_node lsi_call_of(const struct ls_node *node)
{
	struct lsi_call_of_node call = { LS_NO_RANK, LS_NO_RANK, 0, false, { 0 } };

	if (!node)
		return call;
	call = (struct lsi_call_of_node){ node->self->rank, node->rank, node->group->context, true,
		{ 0 } };
	memcpy(call.call, node->recorded_calls[node->sequence % LSI_CALLS_RECORDED], sizeof call.call);
	return call;
}

/* ---- The histories of this process */

/* Has the group of the node this history already? */
static bool is_same(const struct history *h, const struct ls_node *node)
{
	return h->context == node->group->context && h->sequence == node->sequence
		&& memcmp(h->call, node->recorded_calls, sizeof h->call) == 0;
}

/* Of equal histories the first is kept: members are added in the order of the group. */
static void add(struct histories *all, const struct ls_node *node)
{
	for (uint64_t i = 0; i < all->n; i++) {
		if (is_same(&all->of[i], node))
			return;
	}
	if (all->n == HISTORIES_MOST)
		return;

	struct history *h = &all->of[all->n++];

	*h = (struct history){ node->self->rank, node->rank, node->group->context, node->sequence,
		{ { 0 } } };
	memcpy(h->call, node->recorded_calls, sizeof h->call);
}

static void add_group(
	const struct ls_machine *machine, const struct lsi_group *group, struct histories *all)
{
	for (int64_t i = 0; i < group->locals; i++) {
		const struct lsi_node_state *me = lsi_local_member(machine, group, i);
		const struct ls_node *node = lsi_handle_of(machine, me->rank, group);

		if (node && node->sequence > 0)
			add(all, node);
	}
}

/* The histories of all groups that have members here. */
static void collect(const struct ls_machine *machine, struct histories *all)
{
	add_group(machine, &machine->whole, all);
	for (const struct lsi_group *group = machine->groups; group; group = group->next)
		add_group(machine, group, all);
}

/* ---- Process 0: the search */

struct difference {
	struct lsi_call_of_node a, b; /* a.node LS_NO_RANK: none */
};

/* By group, then by rank in the group. */
static int compare_histories(const void *a, const void *b)
{
	const struct history *x = a, *y = b;

	if (x->context != y->context)
		return x->context < y->context ? -1 : 1;
	return (x->rank > y->rank) - (x->rank < y->rank);
}

/* The histories first .. end - 1 are of one group. */
static bool compare_call(const struct histories *all, uint64_t first, uint64_t end,
	uint32_t sequence, struct difference *found)
{
	const struct history *lowest = NULL;

	for (uint64_t i = first; i < end; i++) {
		const struct history *h = &all->of[i];

		if (!has_recorded(h, sequence))
			continue;
		lowest = lowest ? lowest : h;
		if (memcmp(call_at(h, sequence), call_at(lowest, sequence), sizeof h->call[0]) != 0) {
			*found = (struct difference){ call_of(h, sequence), call_of(lowest, sequence) };
			return true;
		}
	}
	return false;
}

/* The earliest call that differs. */
static bool search_group(
	const struct histories *all, uint64_t first, uint64_t end, struct difference *found)
{
	uint32_t last = 0;

	for (uint64_t i = first; i < end; i++)
		last = all->of[i].sequence > last ? all->of[i].sequence : last;
	for (uint32_t s = last > LSI_CALLS_RECORDED ? last - LSI_CALLS_RECORDED + 1 : 1; s <= last;
		 s++) {
		if (compare_call(all, first, end, s, found))
			return true;
	}
	return false;
}

/* Search the groups in the order of their numbers. */
static void search(struct histories *all, struct difference *found)
{
	uint64_t end;

	qsort(all->of, all->n, sizeof *all->of, compare_histories);
	for (uint64_t first = 0; first < all->n; first = end) {
		for (end = first; end < all->n && all->of[end].context == all->of[first].context;)
			end++;
		if (search_group(all, first, end, found))
			return;
	}
}

/* ---- All processes */

/* Remove the rows without a history. */
static void compact(struct histories *all, uint64_t rows)
{
	for (uint64_t i = 0; i < rows; i++) {
		if (all->of[i].sequence > 0)
			all->of[all->n++] = all->of[i];
	}
}

/* Process 0 gets all histories; false: no memory, or the transport has failed. */
static bool gather(struct lsi_processes *p, const struct histories *mine, struct histories *all)
{
	const uint64_t n = HISTORIES_MOST;
	uint64_t most = mine->n;
	uint64_t *counts = p->counts;

	if (!lsi_joint_gather(p, &mine->n, counts, sizeof mine->n))
		return false;
	for (int i = 0; p->number == 0 && i < p->count; i++)
		most = counts[i] > most ? counts[i] : most;
	if (!lsi_joint_share(p, &most, sizeof most))
		return false;
	most = most < n ? most : n;
	if (p->number == 0)
		all->of = lsi_alloc_zero((size_t)most * (size_t)p->count + 1, sizeof *all->of);
	if (p->number == 0 && !all->of)
		lsi_processes_break(p, LS_ERR_MEMORY, "no memory to compare calls");
	if (most > 0 && !lsi_joint_gather(p, mine->of, all->of, (size_t)most * sizeof *mine->of))
		return false;
	if (p->number == 0)
		compact(all, most * (uint64_t)p->count);
	return !p->broken;
}

/* The lowest local member of the group that waits in a call of another group. */
static struct lsi_call_of_node find_in_other_group(
	const struct ls_machine *machine, uint32_t context)
{
	const struct lsi_group *group = context == 0 ? &machine->whole : machine->groups;

	while (group && group->context != context)
		group = group->next;
	for (int64_t i = 0; group && i < group->locals; i++) {
		const struct lsi_node_state *other = lsi_local_member(machine, group, i);
		const struct ls_node *handle = other->waits_for ? other->call_handle : NULL;

		if (handle && handle->group != group) {
			struct lsi_call_of_node call = lsi_call_of(handle);

			call.rank = lsi_local_rank(group, i);
			return call;
		}
	}
	return lsi_call_of(NULL);
}

/* A deadlock where the node that is named waits for members that are in calls of another group. */
static void gather_other_group(
	struct lsi_processes *p, const struct lsi_call_of_node *named, struct difference *found)
{
	struct lsi_call_of_node mine = find_in_other_group(p->machine, named->context);
	struct lsi_call_of_node *all = lsi_alloc_zero((size_t)p->count, sizeof *all);

	found->a.node = LS_NO_RANK;
	if (!all)
		lsi_processes_break(p, LS_ERR_MEMORY, "no memory to compare calls");
	else if (lsi_joint_gather(p, &mine, all, sizeof mine) && p->number == 0) {
		for (int i = 0; i < p->count; i++) {
			if (all[i].is_known && (found->a.node == LS_NO_RANK || all[i].rank < found->b.rank))
				*found = (struct difference){ *named, all[i] };
		}
	}
	lsi_free(all);
}

void lsi_joint_mismatch(struct lsi_processes *p, struct ls_error *error, bool in_calls,
	const struct lsi_call_of_node *named)
{
	struct difference found = { .a.node = LS_NO_RANK };
	struct histories mine = { lsi_alloc_zero(HISTORIES_MOST, sizeof *mine.of), 0 }, all = { 0 };
	uint32_t is_found;

	if (!lsi_error_may_be_mismatch(error)) {
		lsi_free(mine.of);
		return;
	}
	if (mine.of)
		collect(p->machine, &mine);
	else
		lsi_processes_break(p, LS_ERR_MEMORY, "no memory to compare calls");
	if (gather(p, &mine, &all) && p->number == 0)
		search(&all, &found);
	is_found = found.a.node != LS_NO_RANK;
	lsi_joint_share(p, &is_found, sizeof is_found);
	if (!is_found && error->kind == LS_ERR_DEADLOCK && in_calls && named && named->is_known)
		gather_other_group(p, named, &found);
	if (p->number == 0 && found.a.node != LS_NO_RANK)
		lsi_describe_mismatch(error, found.a.node, found.a.call, found.b.node, found.b.call);
	lsi_free(mine.of);
	lsi_free(all.of);
}
