/*
 * What went wrong, told from what the nodes remember.  All of them have ended.
 */
#include "machine/machine_internal.h"

#include <inttypes.h>
#include <stdio.h>

#include "machine/envelope.h"

/* Two nodes, and what each of them called. */
struct difference {
	const struct ls_node *a, *b;
	const uint64_t *call_a, *call_b;
};

static const struct ls_node *handle_of(
	const struct ls_machine *machine, int64_t rank, const struct lsi_group *group)
{
	const struct ls_node *node = &machine->node_state[rank].whole;

	while (node && node->group != group)
		node = node->next;
	return node;
}

/*
 * The earliest call that both remember and that is not the same, if it is earlier than the one
 * known.
 */
static void compare(const struct ls_node *a, const struct ls_node *b, struct difference *known)
{
	const uint32_t later = a->sequence > b->sequence ? a->sequence : b->sequence;
	const uint32_t last = a->sequence + b->sequence - later;

	for (uint32_t s = later > LSI_CALLS_RECORDED ? later - LSI_CALLS_RECORDED + 1 : 1; s <= last;
		 s++) {
		const uint64_t *call_a = a->called[s % LSI_CALLS_RECORDED],
					   *call_b = b->called[s % LSI_CALLS_RECORDED];

		if (memcmp(call_a, call_b, sizeof a->called[0]) == 0)
			continue;
		if (!known->a || (known->a->group == a->group && s < known->call_a[0] >> 32))
			*known = (struct difference){ a, b, call_a, call_b };
		return;
	}
}

/* Does a node's history differ from that of another member of one of its groups? */
static struct difference find(const struct ls_machine *machine, int64_t rank)
{
	struct difference found = { 0 };

	for (const struct ls_node *a = &machine->node_state[rank].whole; a && !found.a; a = a->next) {
		for (int64_t i = 0; i < a->group->size; i++) {
			const struct ls_node *b = handle_of(machine, lsi_member(a->group, i), a->group);

			if (b && b != a)
				compare(a, b, &found);
		}
	}
	return found;
}

/*
 * In a deadlock in which all are in collective calls: a member of the node's group that is in one
 * of another group.
 */
static struct difference find_elsewhere(const struct ls_machine *machine, int64_t rank)
{
	const struct ls_node *a = machine->node_state[rank].calling;
	struct difference found = { 0 };

	for (int64_t i = 0; i < machine->nodes; i++) {
		if (machine->node_state[i].waits && !machine->node_state[i].calling)
			return found;
	}
	for (int64_t i = 0; a && i < a->group->size && !found.a; i++) {
		const struct lsi_node_state *other = &machine->node_state[lsi_member(a->group, i)];
		const struct ls_node *b = other->waits ? other->calling : NULL;

		if (b && b->group != a->group)
			found = (struct difference){ a, b, a->called[a->sequence % LSI_CALLS_RECORDED],
				b->called[b->sequence % LSI_CALLS_RECORDED] };
	}
	return found;
}

void lsi_find_mismatch(struct ls_machine *machine)
{
	struct ls_error *error = &machine->error;
	struct difference found;

	if (error->node < 0) /* stopped from outside */
		return;
	if (error->kind != LS_ERR_DEADLOCK && error->kind != LS_ERR_LEFT
		&& error->kind != LS_ERR_UNTAKEN
		&& (error->kind != LS_ERR_MISMATCH || error->peer != LS_NO_RANK))
		return;
	found = find(machine, error->node);
	if (!found.a && error->kind == LS_ERR_DEADLOCK)
		found = find_elsewhere(machine, error->node);
	if (!found.a)
		return;
	error->kind = LS_ERR_MISMATCH;
	error->peer = found.b->self->rank;
	snprintf(error->text, sizeof error->text, "node %" PRId64 " is in %s; node %" PRId64 " in %s",
		error->node, lsi_call_describe(found.call_a).text, error->peer,
		lsi_call_describe(found.call_b).text);
}
