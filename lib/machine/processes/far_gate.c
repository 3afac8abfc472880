/*
 * Groups whose members are in several processes.
 *
 * A group has three barriers, each with a gate.  The last local member to arrive at the barrier
 * does not open it, but announces the arrival of this process.  The communication thread notifies
 * the other processes, and opens the barrier when all of them have arrived, too:
 *
 *   process 0   nodes arrive . arrived ----------.   .---- open
 *                                                 \ /
 *                                                  X
 *                                                 / \
 *   process 1   nodes arrive . arrived ----------'   '---- open
 *
 * A process may arrive before this one knows the group, or at the next opening while this one still
 * waits for others: then the record waits.
 */
#include "machine/processes/far_internal.h"

#include <string.h>

#include "base/alloc.h"
#include "machine/group.h"
#include "machine/group_work_sharing.h"

/* The barrier of the group that this gate opens. */
static struct lsi_barrier *barrier_of(struct lsi_far_gate *gate)
{
	struct lsi_group *group = gate->group->group;

	return gate->kind == LSI_GATE_ROUND ? &group->barrier
		: gate->kind == LSI_GATE_SPLIT  ? &group->split_barrier
										: &group->work_sharing.barrier;
}

/* ---- Open a gate */

/* All local members have arrived, and so have all other processes. */
static bool is_open(const struct lsi_processes *p, const struct lsi_far_gate *gate)
{
	if (gate->mine == gate->opened)
		return false;
	for (int i = 0; i < p->count; i++) {
		if (i != p->number && gate->group->has_members[i] && gate->theirs[i] <= gate->opened)
			return false;
	}
	return true;
}

/* The lowest rank that offers the same part. */
static const struct lsi_split_offer *lowest_of(const struct lsi_group *group, int64_t part)
{
	const struct lsi_split_offer *lowest = group->offers;

	while (lowest->part != part)
		lowest++;
	return lowest;
}

/* Records that had to wait may be taken now, or have to wait again. */
static void replay_early(struct lsi_processes *p, struct lsi_far_group *far)
{
	struct lsi_early_record *early = far->early;

	far->early = NULL;
	far->early_end = &far->early;
	while (early) {
		struct lsi_early_record *next = early->next;

		lsi_gate_arrives(
			p, early->from, (const struct lsi_gate_record *)(const void *)early->record);
		lsi_free(early);
		early = next;
	}
}

/* The group has its number now: records for it may have arrived before. */
static void group_becomes_known(struct lsi_processes *p, struct lsi_group *group)
{
	struct lsi_far_group *far = group->far, *early = lsi_far_group_find(p, group->context);

	far->context = group->context;
	if (early) {
		lsi_far_group_remove(p, early);
		far->early = early->early;
		far->early_end = early->early ? early->early_end : &far->early;
		early->early = NULL;
		lsi_far_group_free(early);
	}
	lsi_far_group_add(p, far);
	replay_early(p, far);
}

/* All members have made their parts: every part has its number. */
static void number_groups(struct lsi_processes *p, struct lsi_group *group)
{
	for (int64_t i = 0; i < group->locals; i++) {
		struct lsi_split_offer *offer = &group->offers[lsi_local_rank(group, i)];

		if (offer->part < 0 || !offer->group || !offer->group->far)
			continue;
		offer->group->context = lowest_of(group, offer->part)->context;
		group_becomes_known(p, offer->group);
	}
}

/* Release the local members. */
void lsi_far_gate_open(struct lsi_processes *p, struct lsi_far_gate *gate)
{
	struct lsi_group *group = gate->group->group;
	struct lsi_barrier *barrier = barrier_of(gate);
	bool in_place;

	if (gate->kind == LSI_GATE_SPLIT && gate->opened % 2 == 1)
		number_groups(p, group);
	if (gate->kind == LSI_GATE_ROUND && p->machine->load)
		lsi_far_load_close(p, gate->group);
	if (gate->kind == LSI_GATE_CALL) {
		lsi_work_set_result(&group->work_sharing, lsi_call_result(p, gate, &in_place));
		lsi_work_close(&group->work_sharing);
	}
	gate->opened++;
	lsi_barrier_open(barrier, p->machine->asymmetric);
	p->local->wake_members(p->machine, group, barrier);
	replay_early(p, group->far);
}

/* A process has arrived: open the gate, or execute its call first, if all have. */
static void advance_gate(struct lsi_processes *p, struct lsi_far_gate *gate)
{
	bool in_place;

	if (!is_open(p, gate))
		return;
	if (gate->kind == LSI_GATE_CALL && lsi_call_result(p, gate, &in_place) == LS_OK)
		p->ready = gate;
	else
		lsi_far_gate_open(p, gate);
}

/* ---- Notify the others */

/* The offers of local members from number call[0] on. */
static void add_offers(const struct lsi_group *group, struct lsi_gate_record *record)
{
	struct lsi_offer_record *to = (struct lsi_offer_record *)(void *)(record + 1);

	for (int64_t i = 0; i < (int64_t)record->offers; i++) {
		const int64_t rank = lsi_local_rank(group, (int64_t)record->call[0] + i);
		const struct lsi_split_offer *offer = &group->offers[rank];

		to[i] =
			(struct lsi_offer_record){ rank, offer->part, offer->key, offer->kind, offer->context };
	}
}

enum { OFFERS_MOST = LSI_PACKET_BYTES / 2 / sizeof(struct lsi_offer_record) };

/*
 * The offers of a split come in several records if they are many; the last one is the arrival.
 * call[0]: the first offer; call[1]: 1: more records follow.
 */
static void send_offers(struct lsi_processes *p, const struct lsi_far_gate *gate, int process)
{
	const struct lsi_group *group = gate->group->group;

	for (int64_t at = 0; at < group->locals; at += OFFERS_MOST) {
		const int64_t left = group->locals - at, some = left < OFFERS_MOST ? left : OFFERS_MOST;
		struct lsi_gate_record *record = lsi_record_put(p, process, LSI_RECORD_GATE,
			sizeof *record + (size_t)some * sizeof(struct lsi_offer_record));

		record->context = gate->group->context;
		record->gate = LSI_GATE_SPLIT;
		record->call[0] = (uint64_t)at;
		record->call[1] = some < left;
		record->offers = (uint32_t)some;
		add_offers(group, record);
	}
}

/* To one process: all local members have arrived. */
static void send_arrival(struct lsi_processes *p, const struct lsi_far_gate *gate, int process)
{
	struct lsi_gate_record *record;

	if (gate->kind == LSI_GATE_SPLIT) {
		send_offers(p, gate, process);
		return;
	}
	if (gate->kind == LSI_GATE_ROUND && p->machine->load) {
		lsi_far_load_send(p, gate->group, process, false);
		return;
	}
	record = lsi_record_put(p, process, LSI_RECORD_GATE, sizeof *record);
	record->context = gate->group->context;
	record->gate = gate->kind;
	memcpy(record->call, gate->own.call, sizeof record->call);
	record->flags = gate->own.flags;
}

/* Has the process members of the group that have not left? */
static bool has_live_members(
	const struct lsi_processes *p, const struct lsi_far_group *far, int process)
{
	return process != p->number && far->has_members[process]
		&& far->gate[LSI_GATE_ROUND].theirs[process] != UINT64_MAX;
}

/* The last local member has arrived. */
void lsi_gate_arrived(struct lsi_processes *p, struct lsi_far_gate *gate)
{
	if (gate->kind == LSI_GATE_CALL && gate->group == p->whole && p->has_retired)
		return;
	gate->mine++;
	for (int i = 0; i < p->count; i++) {
		if (has_live_members(p, gate->group, i))
			send_arrival(p, gate, i);
	}
	advance_gate(p, gate);
}

/* After this the thread uses the group no more. */
void lsi_far_group_left(struct lsi_processes *p, struct lsi_far_group *far)
{
	struct lsi_group *group = far->group;

	for (int i = 0; i < p->count; i++) {
		if (has_live_members(p, far, i)) {
			struct lsi_gate_record *record;

			if (p->machine->load)
				lsi_far_load_send(p, far, i, true);
			record = lsi_record_put(p, i, LSI_RECORD_GATE, sizeof *record);

			record->context = far->context;
			record->gate = LSI_FAR_GATES;
		}
	}
	if (far == p->whole)
		return;
	lsi_far_group_remove(p, far);
	group->far = NULL;
	lsi_far_group_free(far);
	lsi_group_release(p->machine, group);
}

/* ---- The arrivals of others */

/* Keep a copy of a record that has to wait, with the group or for it. */
static void keep_early(
	struct lsi_processes *p, int from, const struct lsi_gate_record *record, uint32_t context)
{
	struct lsi_far_group *far = lsi_far_group_find(p, context);
	struct lsi_early_record *early = lsi_alloc(sizeof *early + record->head.bytes);

	if (!far && (far = lsi_far_group_alloc(p))) {
		far->context = context;
		lsi_far_group_add(p, far);
	}
	if (!far || !early) {
		lsi_free(early);
		lsi_processes_break(p, LS_ERR_MEMORY, "no memory for a group of several processes");
		return;
	}
	early->next = NULL;
	early->from = from;
	memcpy(early->record, record, record->head.bytes);
	*far->early_end = early;
	far->early_end = &early->next;
}

/*
 * The first arrival of a split brings offers.  The second brings the numbers of groups; then local
 * members may still read the offers.
 */
static void take_offers(
	struct lsi_group *group, const struct lsi_gate_record *record, bool has_numbers)
{
	const struct lsi_offer_record *offer = (const struct lsi_offer_record *)(record + 1);

	for (uint32_t i = 0; i < record->offers; i++) {
		struct lsi_split_offer *to = &group->offers[offer[i].rank];

		if (has_numbers) {
			to->context = (uint32_t)offer[i].context;
			continue;
		}
		to->part = offer[i].part;
		to->key = offer[i].key;
		to->kind = offer[i].kind;
	}
}

/* All members of a process have left. */
static void process_left(struct lsi_processes *p, struct lsi_far_group *far, int process)
{
	struct lsi_group *group = far->group;

	for (int64_t r = 0; r < group->size; r++) {
		if (lsi_process_of(p, lsi_member(group, r)) == process)
			group->offers[r].part = LSI_PART_LEFT;
	}
	for (int k = 0; k < LSI_FAR_GATES; k++)
		far->gate[k].theirs[process] = UINT64_MAX;
	for (int k = 0; k < LSI_FAR_GATES; k++)
		advance_gate(p, &far->gate[k]);
}

/* Has the process arrived at an opening that is still to come here? */
static bool has_arrived(const struct lsi_far_gate *gate, int process)
{
	return gate->theirs[process] > gate->opened;
}

/*
 * Is the arrival for the opening after next?  Or has the process left after an opening that is
 * still to come here?  What such a record brings must wait.
 */
static bool is_ahead(
	const struct lsi_far_group *far, int from, const struct lsi_gate_record *record)
{
	bool is_ahead = false;

	if (record->gate < LSI_FAR_GATES)
		return has_arrived(&far->gate[record->gate], from);
	for (int k = 0; k < LSI_FAR_GATES; k++)
		is_ahead |= has_arrived(&far->gate[k], from);
	return is_ahead;
}

void lsi_gate_arrives(struct lsi_processes *p, int from, const struct lsi_gate_record *record)
{
	struct lsi_far_group *far = lsi_far_group_find(p, record->context);
	struct lsi_far_gate *gate;

	if (!far || !far->group || is_ahead(far, from, record)) {
		keep_early(p, from, record, record->context);
		return;
	}
	if (record->gate == LSI_FAR_GATES) {
		process_left(p, far, from);
		return;
	}
	gate = &far->gate[record->gate];
	if (gate->kind == LSI_GATE_SPLIT) {
		take_offers(far->group, record, gate->theirs[from] % 2 == 1);
	} else if (gate->kind == LSI_GATE_CALL) {
		lsi_call_arrives(gate, from, record);
	} else if (p->machine->load) {
		lsi_far_load_arrives(p, far, record);
	}
	if (gate->kind != LSI_GATE_CALL && record->call[1])
		return;
	gate->theirs[from]++;
	advance_gate(p, gate);
}
