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

/* A node's handle of a group; NULL: it has none. */
static const struct ls_node *handle_of(
	const struct ls_machine *machine, int64_t rank, const struct lsi_group *group)
{
	const struct ls_node *node = &machine->node_state[rank].whole;

	while (node && node->group != group)
		node = node->next;
	return node;
}

/*
 * Find the earliest call that both have recorded and that differs; keep it if it is before *known.
 */
static void compare_handles(
	const struct ls_node *a, const struct ls_node *b, struct difference *known)
{
	const uint32_t later = a->sequence > b->sequence ? a->sequence : b->sequence;
	const uint32_t last = a->sequence + b->sequence - later;

	for (uint32_t s = later > LSI_CALLS_RECORDED ? later - LSI_CALLS_RECORDED + 1 : 1; s <= last;
		 s++) {
		const uint64_t *call_a = a->recorded_calls[s % LSI_CALLS_RECORDED],
					   *call_b = b->recorded_calls[s % LSI_CALLS_RECORDED];

		if (memcmp(call_a, call_b, sizeof a->recorded_calls[0]) == 0)
			continue;
		if (!known->a || (known->a->group == a->group && s < known->call_a[0] >> 32))
			*known = (struct difference){ a, b, call_a, call_b };
		return;
	}
}

/* Find a call of a node that differs from the call of another member of one of its groups. */
static struct difference find_difference(const struct ls_machine *machine, int64_t rank)
{
	struct difference found = { 0 };

	for (const struct ls_node *a = &machine->node_state[rank].whole; a && !found.a; a = a->next) {
		for (int64_t i = 0; i < a->group->size; i++) {
			const struct ls_node *b = handle_of(machine, lsi_member(a->group, i), a->group);

			if (b && b != a)
				compare_handles(a, b, &found);
		}
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

	for (int64_t i = 0; i < machine->nodes; i++) {
		if (machine->node_state[i].waits && !machine->node_state[i].call_handle)
			return found;
	}
	for (int64_t i = 0; a && i < a->group->size && !found.a; i++) {
		const struct lsi_node_state *other = &machine->node_state[lsi_member(a->group, i)];
		const struct ls_node *b = other->waits ? other->call_handle : NULL;

		if (b && b->group != a->group)
			found = (struct difference){ a, b, a->recorded_calls[a->sequence % LSI_CALLS_RECORDED],
				b->recorded_calls[b->sequence % LSI_CALLS_RECORDED] };
	}
	return found;
}

/* A mismatch causes only some kinds of errors; the others are reported unchanged. */
void lsi_find_mismatch(const struct ls_machine *machine, struct ls_error *error)
{
	struct difference found;

	if (error->node < 0) /* stopped from outside */
		return;
	if (error->kind != LS_ERR_DEADLOCK && error->kind != LS_ERR_LEFT
		&& error->kind != LS_ERR_UNTAKEN
		&& (error->kind != LS_ERR_MISMATCH || error->peer != LS_NO_RANK))
		return;
	found = find_difference(machine, error->node);
	if (!found.a && error->kind == LS_ERR_DEADLOCK)
		found = find_call_of_other_group(machine, error->node);
	if (!found.a)
		return;
	error->peer = found.b->self->rank;

	const struct lsi_call_text mine = lsi_call_describe(found.call_a),
							   theirs = lsi_call_describe(found.call_b);

	error->kind = lsi_message_describe(&(struct lsi_message_error){ .rule = LSI_RULE_CALL,
										   .node = error->node,
										   .peer = error->peer,
										   .name = mine.text,
										   .peer_name = theirs.text },
		error->text, sizeof error->text);
}
