/*
 * The pending sends of a node are a short array in the order of sending.  Searches remove the sends
 * that were read; so the array never grows beyond the sends that are really pending.
 */
#include "machine/pending_send.h"

#include "base/futex.h"
#include "machine/slot.h"
#include "machine/verdict.h"
#include "machine/wait.h"

void lsi_pending_add(
	struct lsi_node_state *me, struct lsi_mailbox *box, int64_t message, int64_t step)
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

bool lsi_pending_was_read(struct lsi_node_state *me, void *condition)
{
	const struct lsi_pending_send *pending = condition;

	(void)me;
	return lsi_mailbox_is_consumed(pending->box, pending->message)
		|| lsi_load(&lsi_node_of_parking(pending->box->sender.peer)->gone, seq_cst); /* GONE */
}

struct ls_wait_state lsi_pending_wait_state(
	const struct ls_node *node, const struct lsi_pending_send *pending, const char *operation)
{
	return (struct ls_wait_state){ sizeof(struct ls_wait_state), LS_WAITS_FOR_READER,
		lsi_node_of_parking(pending->box->sender.peer)->rank, node->round, operation };
}

int lsi_pending_check(struct ls_node *node, struct lsi_pending_send *pending, const char *operation)
{
	if (lsi_mailbox_is_consumed(pending->box, pending->message))
		return LS_OK;
	return lsi_message_fail(node->self,
		&(struct lsi_message_error){ .rule = LSI_RULE_READER_STAYS,
			.sends = true,
			.node = node->self->rank,
			.peer = lsi_node_of_parking(pending->box->sender.peer)->rank,
			.round = node->round,
			.link = -1,
			.operation = operation });
}

int lsi_pending_wait(struct ls_node *node, int64_t step, const char *operation)
{
	struct lsi_pending_send *pending;
	int failed = LS_OK;

	while (!failed && (pending = lsi_pending_oldest(node->self, step))) {
		const struct lsi_wait wait = { lsi_pending_wait_state(node, pending, operation),
			lsi_pending_was_read, pending, NULL, 0, false, false };

		failed = lsi_wait_until(node->self, &wait);
		if (!failed)
			failed = lsi_pending_check(node, pending, operation);
	}
	return failed;
}

/* The receiver may be reading at this moment: then wait until it has finished. */
void lsi_pending_cancel(struct lsi_node_state *me)
{
	if (!lsi_stop_reason(me->machine) || *me->machine->fork_guard == 0)
		return;
	for (int i = 0; i < me->n_pending; i++) {
		struct lsi_pending_send *pending = &me->pending[i];

		if (lsi_mailbox_is_consumed(pending->box, pending->message)
			|| lsi_slot_revoke(lsi_mailbox_slot(&pending->box->sender, pending->message)))
			continue;
		/* The receiver computes, then releases, unless its operator ended the thread. */
		lsi_store(&me->buffers_in_use, 1u, relaxed); /* a hint for the error text */
		while (!lsi_mailbox_is_consumed(pending->box, pending->message)
			&& !lsi_load(
				&lsi_node_of_parking(pending->box->sender.peer)->ended, acquire)) /* ENDED */
			lsi_node_yield(me);
		lsi_store(&me->buffers_in_use, 0u, relaxed); /* as above */
	}
	me->n_pending = 0;
}
