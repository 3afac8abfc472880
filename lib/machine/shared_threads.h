/*
 * Threads that are nodes of several machines, and the end of attached threads.
 *
 * A thread may be a node of several machines: it attaches to each, or it is a node of a run and
 * attaches to another machine.  Its nodes form a ring.  Machines with a common thread are linked.
 *
 *   machine 1   node 0 = thread X   waits for Y          X and Y wait for each other, but in each
 *               node 1 = thread Y                        machine only one of two nodes is parked
 *   machine 2   node 0 = thread Y   waits for X
 *               node 1 = thread X
 *
 * A thread that parks in one machine counts as `elsewhere` in its others.  So does a thread that
 * waits for the end of a run, in ls_run or ls_detach.  Its other machines then *wait for* the one
 * in which it waits.
 *
 * A set of machines is in a deadlock if all their live nodes are parked, here or elsewhere, and
 * each of these machines waits for each other one and for no machine outside the set.  A machine
 * that waits for the set is not in a deadlock: it continues when the set is reported.
 *
 *   machine 3   node 0 = thread Z   waits for the run of machine 1
 *
 * A machine over processes has local nodes, and others of which this process knows nothing.  Its
 * communication thread begins the search at this machine, and the processes decide together
 * (processes/quiet.c): each is quiet if its local nodes, and all nodes of the machines for which
 * they wait, are parked.  A search that begins at another machine finds no deadlock with it.
 *
 * One thread, under a lock, begins at the machine whose node has parked last.  It reads the
 * counters of the machine, then in which machines its threads wait, and so on for these machines.
 * At the end it reads parked, live and wakes of all again.  If these have not changed, no node was
 * woken in between.  Then no elsewhere has changed either, and parked + elsewhere == live held in
 * all machines at the end of the first reading.
 *
 * Edges  LINK  an addition to parked, then the load of elsewhere, against an addition to elsewhere,
 *              then the load of parked: all sequentially consistent, so one thread sees both.  And:
 *              wakes += 1 follows the waker's subtraction from parked, and precedes the next
 *              addition of the woken node
 */
#ifndef LSI_MACHINE_SHARED_THREADS_H
#define LSI_MACHINE_SHARED_THREADS_H

#include "machine/machine_types.h"

/* A node of the calling thread; NULL: the thread is no node. */
extern _Thread_local struct lsi_node_state *lsi_node_of_thread
	__attribute__((tls_model("initial-exec")));

/* Is the calling thread this node? */
static inline bool lsi_thread_is_node(const struct lsi_node_state *me)
{
	const struct lsi_node_state *node = lsi_node_of_thread;

	while (node && node != me)
		node = node->next_of_thread == lsi_node_of_thread ? NULL : node->next_of_thread;
	return node;
}

/*
 * May the calling thread use the handle?  Not if it is NULL, of another thread, left, or of a run
 * that has ended.
 */
static inline bool lsi_handle_is_valid(const struct ls_node *node)
{
	return node && node->self && lsi_thread_is_node(node->self);
}

/* The calling thread becomes this node of a run. */
void lsi_thread_enter(struct lsi_node_state *);
/* Prepare the calling thread for lsi_thread_attach.  False: no memory. */
bool lsi_thread_can_attach(void);
/*
 * The calling thread becomes this attached node.  If the thread ends before ls_detach, the node
 * fails with LS_ERR_LEFT and is detached.
 */
void lsi_thread_attach(struct lsi_node_state *);
/* The thread is no longer this node. */
void lsi_thread_leave(struct lsi_node_state *);

/*
 * The calling thread is about to wait until a run of the machine ends.  From now on it counts as
 * waiting in all machines of which it is a node.  NULL: it counts no longer.
 */
void lsi_thread_await(struct ls_machine *, uint32_t run);

/* A run of attached nodes has ended: let their threads return from ls_detach. */
void lsi_thread_end_run(struct ls_machine *);

/*
 * A machine over processes.  Are all its live local nodes parked, here or in machines that wait for
 * it?  The state changes whenever a node of these machines parks or wakes.
 */
bool lsi_linked_are_parked(struct ls_machine *, uint64_t *state);
/* Announce its verdict, and one for each of these machines. */
void lsi_linked_announce(struct ls_machine *);

/* The slow parts of the functions below. */
void lsi_count_elsewhere(struct lsi_node_state *, bool parked);
void lsi_decide_if_linked_parked(struct ls_machine *);

/* The node has parked. */
static inline void lsi_shared_park(struct lsi_node_state *me)
{
	if (me->next_of_thread != me)
		lsi_count_elsewhere(me, true);
	if (me->next_of_thread != me
		|| lsi_load(&me->machine->park_counter.elsewhere, seq_cst) > 0) /* LINK */
		lsi_decide_if_linked_parked(me->machine);
}

/* The node runs again. */
static inline void lsi_shared_unpark(struct lsi_node_state *me)
{
	if (me->next_of_thread != me)
		lsi_count_elsewhere(me, false);
}

/* The node has left its machine. */
static inline void lsi_shared_leave(struct lsi_node_state *me)
{
	if (lsi_load(&me->machine->park_counter.elsewhere, seq_cst) > 0) /* LINK */
		lsi_decide_if_linked_parked(me->machine);
}

#endif
