/*
 * Waiting, stopping and waking.
 *
 * The carrier decides how a node waits.  Every wait but that in ls_shrink ends when the machine
 * stops.  If all live nodes wait, the last one to do so, or to leave, decides the verdict
 * (verdict.h).
 */
#ifndef LSI_MACHINE_WAIT_H
#define LSI_MACHINE_WAIT_H

#include "base/rcu.h"
#include "machine/carrier.h"

struct lsi_wait {
	struct ls_wait_state state; /* if the wait fails, ls_blocked_on returns it */
	bool (*ready)(struct lsi_node_state *, void *condition);
	void *condition;
	struct lsi_barrier *barrier; /* at which the node waits for the end of `epoch`; or NULL */
	uint32_t epoch;
	bool spans;        /* the barrier has members in other processes */
	bool ignores_stop; /* it is in a stopped machine: see lsi_carrier.sleep */
};

/*
 * Wait until ready(me, condition) is true.
 *
 * Returns    LS_OK, or the reason why the machine stopped
 */
static inline int lsi_wait_until(struct lsi_node_state *me, const struct lsi_wait *wait)
{
	lsi_rcu_check_outside();
	return me->machine->carrier->wait_until(me, wait);
}

/*
 * Threads: spin after arriving at a barrier, before lsi_wait_until.  If all nodes of this core wait
 * for other cores, a yield gives the core to no node that has work, and delays this node's next
 * arrival until all others have run.  In a group that is not the whole machine, a node does not
 * spin: nodes outside the group may have work.
 */
void lsi_spin_at_barrier(struct ls_node *, const struct lsi_wait *);
static inline void lsi_barrier_spin(struct ls_node *node, const struct lsi_wait *wait)
{
	if (node->self->machine->barrier_spins > 0)
		lsi_spin_at_barrier(node, wait);
}

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
static inline int lsi_wait_for_stop(struct lsi_node_state *me, uint64_t limit)
{
	return me->machine->carrier->wait_for_stop(me, limit);
}

/* For carriers: a wait that only a stop ends. */
struct lsi_wait lsi_wait_without_condition(void);
/* For carriers: the machine has stopped this wait.  ls_blocked_on returns it after the run. */
static inline int lsi_wait_stopped(struct lsi_node_state *me, int reason)
{
	me->stopped_in = *me->waits_for;
	me->waits_for = &me->stopped_in;
	return reason;
}

/* Let other nodes of this core run: for a loop that waits for another node. */
static inline void lsi_node_yield(struct lsi_node_state *me)
{
	me->machine->carrier->yield(me);
}

/* Wake a node after its condition has become true. */
static inline void lsi_wake_node(struct ls_machine *machine, struct lsi_parking *parking)
{
	machine->carrier->wake(machine, parking);
}

/* This node has changed a mailbox, and the parking word of its other end is 1. */
static inline void lsi_wake_peer(struct ls_machine *machine, const struct lsi_mailbox_end *end)
{
	machine->carrier->wake_peer(machine, end);
}

/* This node has opened a barrier of its group: wake the members. */
static inline void lsi_wake_barrier(struct ls_node *node, struct lsi_barrier *barrier)
{
	node->self->machine->carrier->wake_barrier(node, barrier);
}

/*
 * The epoch in which this node arrived is over.  Every member calls it, because each may be the
 * first of its worker to notice: then the fibers in the wait list of the worker can continue.
 */
static inline void lsi_barrier_passed(struct lsi_node_state *me, struct lsi_barrier *barrier)
{
	struct lsi_wait_list *list = barrier->shard ? &barrier->shard[me->core].waiting : NULL;

	if (list && list->fibers.first && list->epoch != lsi_barrier_epoch(barrier))
		me->machine->carrier->release_list(me, list);
}

/* This node shares work with the members that wait at a barrier. */
static inline void lsi_wake_helpers(struct ls_node *node, struct lsi_barrier *barrier)
{
	node->self->machine->carrier->wake_helpers(node, barrier);
}

/* This node has left a barrier of its group, and this did not open it. */
static inline void lsi_barrier_left(struct ls_node *node, struct lsi_barrier *barrier)
{
	node->self->machine->carrier->barrier_left(node, barrier);
}

/* The machine has stopped: wake all nodes. */
void lsi_wake_all(struct ls_machine *);

/* The last act of a node in a run: leave all groups, and wake the nodes that may wait for it. */
void lsi_node_leave(struct lsi_node_state *);

/* ---- Use a mailbox, and wake the peer */

static inline void lsi_mailbox_send(struct ls_machine *machine, struct lsi_mailbox *box)
{
	lsi_mailbox_put(box, box->sender.asymmetric);
	if (lsi_load(&box->sender.peer->word, seq_cst)) /* PARK */
		lsi_wake_peer(machine, &box->sender);
}

static inline void lsi_mailbox_consume(
	struct ls_machine *machine, struct lsi_mailbox *box, const struct lsi_mailbox_end *mine)
{
	lsi_mailbox_release(box, mine->asymmetric);
	if (lsi_load(&mine->peer->word, seq_cst)) /* PARK */
		lsi_wake_peer(machine, mine);
}

#endif
