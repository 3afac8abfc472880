/*
 * Waiting, stopping and waking.
 *
 * A wait spins, then yields, then sleeps.  Every wait ends when the machine stops.  If all live
 * nodes sleep, the last one to fall asleep, or to leave, reports a deadlock.
 */
#ifndef LSI_MACHINE_WAIT_H
#define LSI_MACHINE_WAIT_H

#include "machine/machine_types.h"
#include "machine/message_rules.h"

typedef bool (*lsi_ready)(struct lsi_node_state *, void *condition);

/*
 * Wait until ready(me, condition) is true.  If the wait fails, ls_blocked_on returns `reason`.
 *
 * Returns    LS_OK, or the reason why the machine stopped
 */
int lsi_wait_until(
	struct lsi_node_state *, struct ls_wait_state reason, lsi_ready ready, void *condition);

/*
 * Spin after arriving at a barrier, before lsi_wait_until.  If all nodes of this core wait for
 * other cores, a yield gives the core to no node that has work, and delays this node's next arrival
 * until all others have run.  In a group that is not the whole machine, a node does not spin: nodes
 * outside the group may have work.
 */
void lsi_barrier_spin(struct ls_node *, struct lsi_barrier *, lsi_ready ready, void *condition);

/* LS_OK, or the error to return: the machine has stopped, or this is a child of fork. */
static inline int lsi_machine_status(const struct lsi_node_state *me)
{
	struct ls_machine *machine = me->machine;

	if (*machine->fork_guard == 0)
		return LS_ERR_FORK;
	return lsi_load(&machine->stopped, acquire); /* STOP */
}

/* An error of a node; the fields are those of struct ls_error. */
struct lsi_fault {
	int kind;
	int64_t peer, round, link;
	const char *operation;
};

/* Report an error of this node and stop the machine; returns the kind. */
int lsi_machine_fail(struct lsi_node_state *, struct lsi_fault, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * The error of a message that breaks a rule, with the fields that the envelope and the channel (or
 * NULL) determine.
 */
struct lsi_message_error lsi_message_error_of(const struct lsi_envelope *,
	const struct lsi_channel *, int64_t peer, enum lsi_message_rule, bool sends);
/* As lsi_machine_fail, for a message that breaks a rule. */
int lsi_message_fail(struct lsi_node_state *, const struct lsi_message_error *);

/* Wake a node after its condition has become true. */
void lsi_wake_node(struct ls_machine *, struct lsi_parking *);
/* The same for all members of a group. */
void lsi_wake_group(struct ls_machine *, const struct lsi_group *);

/* Leave the machine: wake the nodes that may wait for this one, and report a deadlock if any. */
void lsi_node_leave(struct lsi_node_state *);

/* ---- Use a mailbox, and wake the peer */

static inline void lsi_mailbox_send(struct ls_machine *machine, struct lsi_mailbox *box)
{
	lsi_mailbox_put(box, machine->asymmetric);
	if (lsi_load(&box->receiver->word, seq_cst)) /* PARK */
		lsi_wake_node(machine, box->receiver);
}

static inline void lsi_mailbox_consume(struct ls_machine *machine, struct lsi_mailbox *box)
{
	lsi_mailbox_release(box, machine->asymmetric);
	if (lsi_load(&box->sender->word, seq_cst)) /* PARK */
		lsi_wake_node(machine, box->sender);
}

#endif
