/*
 * Rounds: their end, and what must be settled by then.
 */
#include "machine/machine_internal.h"

#include <inttypes.h>

#include "base/futex.h"
#include "machine/envelope.h"

/* ---- Debts: lent messages that may not have been read yet */

void lsi_pending_add(
	struct lsi_node_state *me, struct lsi_mailbox *box, uint32_t message, int64_t step)
{
	me->pending[me->n_pending++] = (struct lsi_pending_send){ box, message, step };
}

struct lsi_pending_send *lsi_pending_oldest(struct lsi_node_state *me, int64_t step)
{
	struct lsi_pending_send *oldest = NULL;
	int left = 0;

	for (int i = 0; i < me->n_pending; i++) {
		struct lsi_pending_send *pending = &me->pending[left];

		*pending = me->pending[i];
		if (lsi_mailbox_is_consumed(pending->box, pending->message))
			continue;
		if (!oldest && pending->step <= step)
			oldest = pending;
		left++;
	}
	me->n_pending = left;
	return oldest;
}

bool lsi_pending_was_read(struct lsi_node_state *me, void *what)
{
	const struct lsi_pending_send *pending = what;

	(void)me;
	return lsi_mailbox_is_consumed(pending->box, pending->message)
		|| lsi_load(&lsi_node_of_parking(pending->box->receiver)->gone, seq_cst); /* GONE */
}

struct ls_wait_state lsi_pending_wait_state(
	const struct ls_node *node, const struct lsi_pending_send *pending, const char *operation)
{
	return (struct ls_wait_state){ sizeof(struct ls_wait_state), LS_WAITS_FOR_READER,
		lsi_node_of_parking(pending->box->receiver)->rank, node->round, operation };
}

int lsi_pending_check(struct ls_node *node, struct lsi_pending_send *pending, const char *operation)
{
	const int64_t peer = lsi_node_of_parking(pending->box->receiver)->rank;

	if (lsi_mailbox_is_consumed(pending->box, pending->message))
		return LS_OK;
	return lsi_machine_fail(node->self,
		(struct lsi_fault){ LS_ERR_LEFT, peer, node->round, -1, operation },
		"node %" PRId64 " waits until node %" PRId64 " has read its message of round %" PRId64
		" (%s); that node has ended",
		node->self->rank, peer, node->round, operation);
}

int lsi_pending_wait(struct ls_node *node, int64_t step, const char *operation)
{
	struct lsi_pending_send *pending;
	int failed = LS_OK;

	while (!failed && (pending = lsi_pending_oldest(node->self, step))) {
		failed = lsi_wait_until(node->self, lsi_pending_wait_state(node, pending, operation),
			lsi_pending_was_read, pending);
		if (!failed)
			failed = lsi_pending_check(node, pending, operation);
	}
	return failed;
}

void lsi_pending_cancel(struct lsi_node_state *me)
{
	if (!lsi_load(&me->machine->stopped, acquire) || *me->machine->fork_guard == 0) /* STOP */
		return;
	for (int i = 0; i < me->n_pending; i++) {
		struct lsi_pending_send *pending = &me->pending[i];

		if (lsi_mailbox_is_consumed(pending->box, pending->message)
			|| lsi_slot_revoke(lsi_mailbox_slot(pending->box, pending->message)))
			continue;
		/* The receiver computes, then releases, unless its operator ended the thread. */
		while (!lsi_mailbox_is_consumed(pending->box, pending->message)
			&& !lsi_load(&lsi_node_of_parking(pending->box->receiver)->ended, acquire)) /* ENDED */
			lsi_yield();
	}
	me->n_pending = 0;
}

/* ---- Meeting at a barrier */

bool lsi_barrier_wait_is_over(struct lsi_node_state *me, void *what)
{
	const struct lsi_barrier_wait *meeting = what;

	(void)me;
	return lsi_barrier_epoch(meeting->barrier) != meeting->epoch;
}

bool lsi_barrier_wait_begin(
	struct ls_node *node, struct lsi_barrier *barrier, struct lsi_barrier_wait *meeting)
{
	struct ls_machine *machine = node->self->machine;

	*meeting = (struct lsi_barrier_wait){ barrier, lsi_barrier_epoch(barrier) };
	if (!lsi_barrier_arrive(barrier, node->self->core))
		return false;
	lsi_barrier_open(barrier, machine->asymmetric);
	lsi_wake_group(machine, node->group);
	return true;
}

int lsi_barrier_wait_all(struct ls_node *node, struct lsi_barrier *barrier, const char *operation)
{
	const struct ls_wait_state reason = { sizeof reason, LS_WAITS_FOR_ROUND, LS_NO_RANK,
		node->round, operation };
	struct lsi_barrier_wait meeting;

	if (lsi_barrier_wait_begin(node, barrier, &meeting))
		return LS_OK;
	lsi_barrier_spin(node, barrier, lsi_barrier_wait_is_over, &meeting);
	return lsi_wait_until(node->self, reason, lsi_barrier_wait_is_over, &meeting);
}

/* Both ends have left the round: what this node sent in it must have been received. */
static int all_taken(struct ls_node *node, const char *operation)
{
	struct lsi_node_state *me = node->self;

	for (int q = 0; q < me->sends; q++) {
		const struct lsi_port *port = &me->out[q];

		if (port->node == node && port->sent && !lsi_mailbox_is_consumed(port->sent, port->message))
			return lsi_machine_fail(me,
				(struct lsi_fault){ LS_ERR_UNTAKEN, port->peer, node->round, -1, operation },
				"the message of round %" PRId64 " from node %" PRId64 " to node %" PRId64
				" was left untaken (%s); what is sent in a round is received in it",
				node->round, me->rank, port->peer, operation);
	}
	return LS_OK;
}

int lsi_round_end_lockstep(struct ls_node *node, const char *operation)
{
	const int failed = all_taken(node, operation);

	lsi_pending_oldest(node->self, INT64_MAX);
	return failed;
}
