/*
 * The stacks of fibers, and what else a thread that runs fibers needs.
 */
#ifndef LSI_CARRIER_FIBER_STACK_H
#define LSI_CARRIER_FIBER_STACK_H

#include "machine/carrier.h"

/*
 * Stacks for the fibers of a run; they stay for later runs.  False: no address space;
 * ls_machine.error says so.
 */
bool lsi_fiber_stacks_make(struct ls_machine *);
void lsi_fiber_stacks_release(struct ls_machine *);
/* Make the context of a node, which begins with entry(node). */
void lsi_fiber_stack_prepare(struct lsi_node_state *, void (*entry)(void *));

/* Prepare the calling thread, which runs the fibers of a worker: its signal stack, its state. */
void lsi_fiber_thread_prepare(struct lsi_worker *);
/* The state of a thread that a new fiber begins with. */
void lsi_fiber_thread_reset(const struct lsi_worker *);

#endif
