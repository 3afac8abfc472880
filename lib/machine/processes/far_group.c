/*
 * Groups whose members are in several processes: made, found and left.  far_gate.c has their
 * barriers.
 */
#include "machine/processes/far_internal.h"

#include <string.h>

#include "base/alloc.h"
#include "machine/group.h"

/* ---- Make, find and free */

void lsi_far_group_free(struct lsi_far_group *far)
{
	while (far->early) {
		struct lsi_early_record *next = far->early->next;

		lsi_free(far->early);
		far->early = next;
	}
	for (int k = 0; k < LSI_FAR_GATES; k++)
		lsi_free(far->gate[k].theirs);
	lsi_far_load_free(far);
	lsi_free(far->gate[LSI_GATE_CALL].arrival);
	lsi_free(far->has_members);
	lsi_free(far);
}

struct lsi_far_group *lsi_far_group_alloc(struct lsi_processes *p)
{
	const size_t n = (size_t)p->count;
	struct lsi_far_group *far = lsi_alloc_zero(1, sizeof *far);
	bool made = far && (far->has_members = lsi_alloc_zero(n, sizeof *far->has_members));

	for (int k = 0; made && k < LSI_FAR_GATES; k++) {
		struct lsi_far_gate *gate = &far->gate[k];

		gate->news.kind = LSI_NEWS_ARRIVED;
		gate->group = far;
		gate->kind = (enum lsi_far_gate_kind)k;
		gate->theirs = lsi_alloc_zero(n, sizeof *gate->theirs);
		made = gate->theirs;
	}
	if (made)
		far->gate[LSI_GATE_CALL].arrival =
			lsi_alloc_zero(n, sizeof *far->gate[LSI_GATE_CALL].arrival);
	if (!made || !far->gate[LSI_GATE_CALL].arrival) {
		if (far)
			lsi_far_group_free(far);
		return NULL;
	}
	far->processes = p;
	far->left.kind = LSI_NEWS_LEFT;
	far->early_end = &far->early;
	return far;
}

/* The number of a group made by a split is not known yet: see number_groups in far_gate.c. */
bool lsi_far_group_make(struct ls_machine *machine, struct lsi_group *group)
{
	struct lsi_processes *p = machine->processes;
	struct lsi_far_group *far = lsi_far_group_alloc(p);

	if (!far)
		return false;
	far->group = group;
	lsi_store(&far->staying, group->locals, relaxed); /* published with the group */
	for (int64_t r = 0; r < group->size; r++)
		far->has_members[lsi_process_of(p, lsi_member(group, r))] = true;
	group->far = far;
	return true;
}

struct lsi_far_group *lsi_far_group_find(struct lsi_processes *p, uint32_t context)
{
	struct lsi_far_group *far = p->groups;

	while (far && far->context != context)
		far = far->next;
	return far;
}

void lsi_far_group_add(struct lsi_processes *p, struct lsi_far_group *far)
{
	far->is_listed = true;
	far->next = p->groups;
	p->groups = far;
}

void lsi_far_group_remove(struct lsi_processes *p, struct lsi_far_group *far)
{
	struct lsi_far_group **at = &p->groups;

	while (*at && *at != far)
		at = &(*at)->next;
	if (*at)
		*at = far->next;
	far->is_listed = false;
}

/* The group is destroyed after the run, or before it had a number. */
void lsi_far_group_destroy(struct lsi_far_group *far)
{
	if (far && far->is_listed)
		lsi_far_group_remove(far->processes, far);
	if (far)
		lsi_far_group_free(far);
}

/* The whole machine: a new run begins. */
static void reset_whole(struct lsi_processes *p)
{
	struct lsi_far_group *far = p->whole;

	lsi_store(&far->staying, far->group->locals, relaxed); /* no node has it */
	lsi_store(&far->left.listed, 0u, relaxed);             /* as above */
	lsi_far_load_reset(far);
	for (int k = 0; k < LSI_FAR_GATES; k++) {
		struct lsi_far_gate *gate = &far->gate[k];

		gate->mine = gate->opened = 0;
		lsi_store(&gate->news.listed, 0u, relaxed); /* as above */
		memset(gate->theirs, 0, (size_t)p->count * sizeof *gate->theirs);
	}
}

/* Before and after a run: no thread uses them. */
void lsi_far_groups_reset(struct lsi_processes *p)
{
	while (p->groups) {
		struct lsi_far_group *far = p->groups;

		p->groups = far->next;
		if (far != p->whole)
			lsi_far_group_free(far);
	}
	if (p->whole) {
		reset_whole(p);
		lsi_far_group_add(p, p->whole);
	}
}

/* ---- Nodes */

/* The members wait; the communication thread opens the barrier. */
void lsi_far_arrive(struct ls_node *node, struct lsi_barrier *barrier)
{
	struct lsi_group *group = node->group;
	struct lsi_far_group *far = group->far;

	lsi_news_put(far->processes,
		&far->gate[barrier == &group->barrier ? LSI_GATE_ROUND : LSI_GATE_SPLIT].news);
}

/* The last one to leave notifies the other processes, which then wait for this one no more. */
void lsi_far_leave(struct ls_node *node)
{
	struct lsi_far_group *far = node->group->far;

	if (lsi_fetch_sub(&far->staying, 1, acq_rel) == 1) /* NEWS */
		lsi_news_put(node->self->machine->processes, &far->left);
}
