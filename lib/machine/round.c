/*
 * Rounds: their end, and what must be settled by then.
 */
#include "machine/machine.h"

#include <inttypes.h>

#include "base/wait.h"
#include "machine/envelope.h"

/* ---- Debts: lent messages that may not have been read yet */

void ls_owe(struct ls_processor *me, struct ls_mailbox *box, uint32_t message, int64_t step)
{
	me->debt[me->n_debts++] = (struct ls_debt){ box, message, step };
}

struct ls_debt *ls_unpaid(struct ls_processor *me, int64_t step)
{
	struct ls_debt *oldest = NULL;
	int left = 0;

	for (int i = 0; i < me->n_debts; i++) {
		struct ls_debt *debt = &me->debt[left];

		*debt = me->debt[i];
		if (ls_mailbox_read(debt->box, debt->message))
			continue;
		if (!oldest && debt->step <= step)
			oldest = debt;
		left++;
	}
	me->n_debts = left;
	return oldest;
}

bool ls_was_read(struct ls_processor *me, void *what)
{
	const struct ls_debt *debt = what;

	(void)me;
	return ls_mailbox_read(debt->box, debt->message)
		|| ls_load(&ls_owner(debt->box->receiver)->gone, seq_cst);           /* GONE */
}

struct ls_waiting ls_debt_reason(
	const struct ls_node *node, const struct ls_debt *debt, const char *operation)
{
	return (struct ls_waiting){ sizeof(struct ls_waiting), LS_AWAITS_READER,
		ls_owner(debt->box->receiver)->rank, node->round, operation };
}

int ls_debt_check(struct ls_node *node, struct ls_debt *debt, const char *operation)
{
	const int64_t peer = ls_owner(debt->box->receiver)->rank;

	if (ls_mailbox_read(debt->box, debt->message))
		return LS_OK;
	return ls_halt(node->self, (struct ls_fault){ LS_ERR_LEFT, peer, node->round, -1, operation },
		"node %" PRId64 " waits until node %" PRId64 " has read its message of round %" PRId64
		" (%s); that node has ended",
		node->self->rank, peer, node->round, operation);
}

int ls_settle(struct ls_node *node, int64_t step, const char *operation)
{
	struct ls_debt *debt;
	int failed = LS_OK;

	while (!failed && (debt = ls_unpaid(node->self, step))) {
		failed = ls_await(node->self, ls_debt_reason(node, debt, operation), ls_was_read, debt);
		if (!failed)
			failed = ls_debt_check(node, debt, operation);
	}
	return failed;
}

void ls_revoke(struct ls_processor *me)
{
	if (!ls_load(&me->machine->stopped, acquire) || *me->machine->pulse == 0)          /* STOP */
		return;
	for (int i = 0; i < me->n_debts; i++) {
		struct ls_debt *debt = &me->debt[i];

		if (ls_mailbox_read(debt->box, debt->message)
			|| ls_slot_revoke(ls_mailbox_slot(debt->box, debt->message)))
			continue;
		/* The receiver computes, then releases, unless its operator ended the thread. */
		while (!ls_mailbox_read(debt->box, debt->message)
			&& !ls_load(&ls_owner(debt->box->receiver)->ended, acquire))  /* ENDED */
			ls_yield();
	}
	me->n_debts = 0;
}

/* ---- Meeting at a barrier */

bool ls_meeting_over(struct ls_processor *me, void *what)
{
	const struct ls_meeting *meeting = what;

	(void)me;
	return ls_barrier_epoch(meeting->barrier) != meeting->epoch;
}

bool ls_meeting_arrive(struct ls_node *node, struct ls_barrier *barrier, struct ls_meeting *meeting)
{
	struct ls_machine *machine = node->self->machine;

	*meeting = (struct ls_meeting){ barrier, ls_barrier_epoch(barrier) };
	if (!ls_barrier_arrive(barrier, node->self->seat))
		return false;
	ls_barrier_open(barrier, machine->asymmetric);
	ls_rouse_group(machine, node->group);
	return true;
}

int ls_meet(struct ls_node *node, struct ls_barrier *barrier, const char *operation)
{
	const struct ls_waiting reason = { sizeof reason, LS_AWAITS_ROUND, LS_NOBODY, node->round,
		operation };
	struct ls_meeting meeting;

	if (ls_meeting_arrive(node, barrier, &meeting))
		return LS_OK;
	ls_linger(node, barrier, ls_meeting_over, &meeting);
	return ls_await(node->self, reason, ls_meeting_over, &meeting);
}

/* Both ends have left the round: what this node sent in it must have been received. */
static int all_taken(struct ls_node *node, const char *operation)
{
	struct ls_processor *me = node->self;

	for (int q = 0; q < me->sends; q++) {
		const struct ls_port *port = &me->out[q];

		if (port->node == node && port->sent && !ls_mailbox_read(port->sent, port->message))
			return ls_halt(me,
				(struct ls_fault){ LS_ERR_UNTAKEN, port->peer, node->round, -1, operation },
				"the message of round %" PRId64 " from node %" PRId64 " to node %" PRId64
				" was left untaken (%s); what is sent in a round is received in it",
				node->round, me->rank, port->peer, operation);
	}
	return LS_OK;
}

int ls_round_settle(struct ls_node *node, const char *operation)
{
	const int failed = all_taken(node, operation);

	ls_unpaid(node->self, INT64_MAX);
	return failed;
}
