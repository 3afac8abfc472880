/*
 * The stacks of fibers, what a thread that runs fibers needs besides, and how it is watched.
 */
#ifndef LSI_CARRIER_FIBER_STACK_H
#define LSI_CARRIER_FIBER_STACK_H

#include "machine/machine_types.h"

/*
 * Stacks for the fibers of a run; they stay for later runs.  False: no address space;
 * ls_machine.error says so.
 */
bool lsi_fiber_stacks_make(struct ls_machine *);
void lsi_fiber_stacks_release(struct ls_machine *);
/* Make the context of a node, which begins with entry(node). */
void lsi_fiber_stack_prepare(struct lsi_node_state *, void (*entry)(void *));

/* An alternate signal stack for the calling thread, unless it has one or there is no memory. */
struct lsi_signal_stack {
	void *memory;
};
void lsi_signal_stack_set(struct lsi_signal_stack *);
void lsi_signal_stack_release(struct lsi_signal_stack *);

/* The address of the errno of the calling thread. */
int *lsi_errno_of_thread(void);

/*
 * Report nodes that do not let others run (options.stalled), and decide the verdict of a run that
 * fails while such a node runs.  now: in ns.
 */
void lsi_fiber_watch(struct ls_machine *, uint64_t now);

#endif
