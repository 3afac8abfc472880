/*
 * A worker: the queues of its fibers, its sleep, and the switch from one fiber to the next.  All
 * functions but lsi_worker_put and lsi_worker_wake run on the thread of the worker.
 */
#ifndef LSI_CARRIER_FIBER_WORKER_H
#define LSI_CARRIER_FIBER_WORKER_H

#include "machine/carrier.h"

/* Put a fiber, which the caller has claimed, into a queue of its worker. */
void lsi_worker_put(struct lsi_node_state *);
/* Wake the worker if it sleeps. */
void lsi_worker_wake(struct lsi_worker *);

/* Add a fiber to a wait list, for the epoch that must end. */
void lsi_worker_list_add(
	struct lsi_worker *, struct lsi_wait_list *, uint32_t epoch, struct lsi_fiber_link *);
/* All fibers of a list that is not empty can continue. */
void lsi_worker_list_release(struct lsi_worker *, struct lsi_wait_list *);

/* A hint: is there a fiber to run? */
bool lsi_worker_has_fibers(struct lsi_worker *);
/* Take the next fiber to run; NULL: none. */
struct lsi_node_state *lsi_worker_take(struct lsi_worker *);
/* The same; while there is none, sleep.  It may be the fiber that calls. */
struct lsi_node_state *lsi_worker_next(struct lsi_worker *);

/* The first function of a fiber (fibers.c). */
void lsi_fiber_run(void *node);

/* This node is about to run. */
void lsi_worker_set_current(struct lsi_worker *, struct lsi_node_state *);
/* Switch from the fiber that calls to `next`, and return when it runs again. */
void lsi_worker_switch(struct lsi_node_state *me, struct lsi_node_state *next);

#endif
