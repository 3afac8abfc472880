/*
 * Waiting, stopping and waking.
 *
 * A wait spins, then yields, then sleeps.  Every wait ends when the machine stops.  If all live
 * nodes sleep, the last one to fall asleep, or to leave, decides the verdict (verdict.h).
 */
#ifndef LSI_MACHINE_WAIT_H
#define LSI_MACHINE_WAIT_H

#include "machine/machine_types.h"

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

/* The status that stopped the machine, or LS_OK. */
static inline int lsi_stop_reason(struct ls_machine *machine)
{
	const int state = lsi_load(&machine->state, acquire); /* STOP */

	return state < 0 ? state : LS_OK;
}

/* LS_OK, or the status to return: the machine has stopped, or this is a child of fork. */
static inline int lsi_machine_status(const struct lsi_node_state *me)
{
	struct ls_machine *machine = me->machine;

	if (*machine->fork_guard == 0)
		return LS_ERR_FORK;
	return lsi_stop_reason(machine);
}

/*
 * Wait until the machine stops, at most until the limit (ns).  ls_blocked_on does not report it.
 *
 * Returns    the reason of the stop, or LS_OK at the limit
 */
int lsi_wait_for_stop(struct lsi_node_state *, uint64_t limit);

/* Wake a node after its condition has become true. */
void lsi_wake_node(struct ls_machine *, struct lsi_parking *);
/* The same for all members of a group. */
void lsi_wake_group(struct ls_machine *, const struct lsi_group *);
/* The machine has stopped: wake all nodes. */
void lsi_wake_all(struct ls_machine *);

/* Leave: wake the nodes that may wait for this one, and decide the verdict if all others sleep. */
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
