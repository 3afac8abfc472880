/*
 * In lockstep mode a barrier ends a round, so every node can check that its messages were received.
 * In free mode the receiver checks the round number of each message.
 */
#include "machine/round.h"

#include "machine/local_ranks.h"
#include "machine/pending_send.h"
#include "machine/processes/far_nodes.h"
#include "machine/verdict.h"

/* ---- A barrier of the group */

bool lsi_barrier_wait_is_over(struct lsi_node_state *me, void *condition)
{
	const struct lsi_wait *wait = condition;

	(void)me;
	return lsi_barrier_epoch(wait->barrier) != wait->epoch;
}

bool lsi_barrier_wait_begin(
	struct ls_node *node, struct lsi_barrier *barrier, const char *operation, struct lsi_wait *wait)
{
	*wait = (struct lsi_wait){ { sizeof wait->state, LS_WAITS_FOR_ROUND, LS_NO_RANK, node->round,
								   operation },
		lsi_barrier_wait_is_over, wait, barrier, lsi_barrier_epoch(barrier),
		lsi_group_spans(node->group), false };
	if (!lsi_barrier_arrive(barrier, node->self->core))
		return false;
	if (node->group->far) {
		lsi_far_arrive(node, barrier);
		return false;
	}
	lsi_barrier_open(barrier, node->self->machine->asymmetric);
	lsi_wake_barrier(node, barrier);
	return true;
}

int lsi_barrier_wait_all(struct ls_node *node, struct lsi_barrier *barrier, const char *operation)
{
	struct lsi_wait wait;

	if (lsi_barrier_wait_begin(node, barrier, operation, &wait))
		return LS_OK;
	lsi_barrier_spin(node, &wait);

	const int failed = lsi_wait_until(node->self, &wait);

	if (!failed)
		lsi_barrier_passed(node->self, barrier);
	return failed;
}

/* ---- The end of a round */

/* The rule that a message breaks which was not received. */
static enum lsi_message_rule unreceived(const struct ls_machine *machine, int64_t peer)
{
	return machine->options.recover && lsi_load(&machine->node_state[peer].gone, acquire) /* GONE */
		? LSI_RULE_READER_STAYS
		: LSI_RULE_RECEIVE;
}

/* Both ends have left the round, so the messages that this node sent in it must be received. */
static int check_received(struct ls_node *node, const char *operation)
{
	struct lsi_node_state *me = node->self;

	for (int q = 0; q < me->sends; q++) {
		const struct lsi_port *port = &me->out[q];

		if (port->node == node && port->sent && !lsi_mailbox_is_consumed(port->sent, port->message))
			return lsi_message_fail(me,
				&(struct lsi_message_error){ .rule = unreceived(me->machine, port->peer),
					.sends = true,
					.node = me->rank,
					.peer = port->peer,
					.round = node->round,
					.link = -1,
					.operation = operation });
	}
	return LS_OK;
}

int lsi_round_end_lockstep(struct ls_node *node, const char *operation)
{
	const struct ls_machine *machine = node->self->machine;
	int failed = LS_OK;

	if (machine->load && machine->options.strict && node->group->far)
		failed = lsi_far_load_check(node);
	if (!failed)
		failed = check_received(node, operation);
	lsi_pending_oldest(node->self, INT64_MAX); /* removes the sends that were read */
	return failed;
}
