/*
 * Every handle records its last calls by sequence number.  Members of a group must make the same
 * calls in the same order, so calls with equal numbers must be equal.  The lowest number with
 * different calls is the first mistake; the errors that nodes reported follow from it.
 */
#include "machine/call_mismatch.h"

#include <stdio.h>
#include <string.h>

#include "machine/envelope.h"
#include "machine/message_rules.h"

/* Two nodes, and the calls that they made. */
struct difference {
	const struct ls_node *a, *b;
	const uint64_t *call_a, *call_b;
};

const struct ls_node *lsi_handle_of(
	const struct ls_machine *machine, int64_t rank, const struct lsi_group *group)
{
	const struct ls_node *node = &machine->node_state[rank].whole;

	while (node && node->group != group)
		node = node->next;
	return node;
}

static bool has_recorded(const struct ls_node *node, uint32_t sequence)
{
	return node && sequence <= node->sequence && sequence + LSI_CALLS_RECORDED > node->sequence;
}

/* Compare call number `sequence` of all members with that of the lowest rank. */
static struct difference compare_members(
	const struct ls_machine *machine, const struct lsi_group *group, uint32_t sequence)
{
	const struct ls_node *first = NULL;

	for (int64_t i = 0; i < group->size; i++) {
		const struct ls_node *node = lsi_handle_of(machine, lsi_member(group, i), group);
		const uint64_t *call = node ? node->recorded_calls[sequence % LSI_CALLS_RECORDED] : NULL;

		if (!has_recorded(node, sequence))
			continue;
		first = first ? first : node;

		const uint64_t *expected = first->recorded_calls[sequence % LSI_CALLS_RECORDED];

		if (memcmp(call, expected, sizeof first->recorded_calls[0]) != 0)
			return (struct difference){ node, first, call, expected };
	}
	return (struct difference){ 0 };
}

/* The earliest call of a group that differs between members. */
static struct difference find_in_group(
	const struct ls_machine *machine, const struct lsi_group *group)
{
	struct difference found = { 0 };
	uint32_t last = 0;

	for (int64_t i = 0; i < group->size; i++) {
		const struct ls_node *node = lsi_handle_of(machine, lsi_member(group, i), group);

		last = node && node->sequence > last ? node->sequence : last;
	}
	for (uint32_t s = last > LSI_CALLS_RECORDED ? last - LSI_CALLS_RECORDED + 1 : 1;
		 s <= last && !found.a; s++)
		found = compare_members(machine, group, s);
	return found;
}

/* Search the groups in the order in which they were made. */
static struct difference find_difference(const struct ls_machine *machine)
{
	struct difference found = find_in_group(machine, &machine->whole);
	const struct lsi_group *group = &machine->whole;

	while (!found.a && group) {
		const struct lsi_group *next = NULL;

		for (const struct lsi_group *g = machine->groups; g; g = g->next) {
			if (g->context > group->context && (!next || g->context < next->context))
				next = g;
		}
		group = next;
		if (group)
			found = find_in_group(machine, group);
	}
	return found;
}

/*
 * A deadlock where all waiting nodes are in collective calls: find a member of the node's group
 * that is in a call of another group.
 */
static struct difference find_call_of_other_group(const struct ls_machine *machine, int64_t rank)
{
	const struct ls_node *a = machine->node_state[rank].call_handle;
	struct difference found = { 0 };

	for (int64_t i = machine->first_local; i < machine->end_local; i++) {
		if (machine->node_state[i].waits_for && !machine->node_state[i].call_handle)
			return found;
	}
	for (int64_t i = 0; a && i < a->group->size && !found.a; i++) {
		const struct lsi_node_state *other = &machine->node_state[lsi_member(a->group, i)];
		const struct ls_node *b = other->waits_for ? other->call_handle : NULL;

		if (b && b->group != a->group)
			found = (struct difference){ a, b, a->recorded_calls[a->sequence % LSI_CALLS_RECORDED],
				b->recorded_calls[b->sequence % LSI_CALLS_RECORDED] };
	}
	return found;
}

void lsi_describe_mismatch(struct ls_error *error, int64_t node, const uint64_t call[3],
	int64_t peer, const uint64_t call_of_peer[3])
{
	const struct lsi_call_text mine = lsi_call_describe(call),
							   theirs = lsi_call_describe(call_of_peer);

	error->node = node;
	error->peer = peer;
	error->kind = lsi_message_describe(&(struct lsi_message_error){ .rule = LSI_RULE_CALL,
										   .node = error->node,
										   .peer = error->peer,
										   .name = mine.text,
										   .peer_name = theirs.text },
		error->text, sizeof error->text);
}

bool lsi_error_may_be_mismatch(const struct ls_error *error)
{
	return error->node >= 0 /* else stopped from outside */
		&& (error->kind == LS_ERR_DEADLOCK || error->kind == LS_ERR_LEFT
			|| error->kind == LS_ERR_UNTAKEN
			|| (error->kind == LS_ERR_MISMATCH && error->peer == LS_NO_RANK));
}

void lsi_find_mismatch(const struct ls_machine *machine, struct ls_error *error)
{
	struct difference found;

	if (!lsi_error_may_be_mismatch(error))
		return;
	found = find_difference(machine);
	if (!found.a && error->kind == LS_ERR_DEADLOCK)
		found = find_call_of_other_group(machine, error->node);
	if (!found.a)
		return;
	lsi_describe_mismatch(
		error, found.a->self->rank, found.call_a, found.b->self->rank, found.call_b);
}
