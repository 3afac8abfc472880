/*
 * Carriers: what runs the nodes of ls_run, threads or fibers.
 *
 *   threads   each node is a thread
 *   fibers    each node is a fiber: a context with a stack of its own.  One thread per core, a
 *             worker, runs the fibers of its core, one at a time.  A node never changes its worker
 *
 * The machine uses a carrier through these functions only.  Attached nodes are threads.
 */
#ifndef LSI_MACHINE_CARRIER_H
#define LSI_MACHINE_CARRIER_H

#include <fenv.h>

#include "machine/machine_types.h"

struct lsi_wait;

/* ---- Workers */

/*
 * A thread that ls_run creates.  It runs the nodes first .. end - 1: one, or all fibers of a core.
 */
struct lsi_worker {
	alignas(LSI_CACHE_LINE) struct lsi_parking parking; /* of a worker of fibers */
	/* STOP: 1 when the machine has stopped, until the worker releases its fibers. */
	LSI_ATOMIC(uint32_t) stopped;
	struct lsi_inbox inbox;        /* see run_queue.h */
	LSI_ATOMIC(uint32_t) finished; /* FINISHED: 1 when the thread is about to end */

	alignas(LSI_CACHE_LINE) struct ls_machine *machine;
	LSI_ATOMIC(struct lsi_node_state *) current; /* a hint for other threads: the node it runs */
	LSI_ATOMIC(uint64_t) switches;               /* a hint: switches between fibers */
	struct lsi_run_queue queue;
	int64_t next_new;            /* the first node whose program has not begun */
	int64_t unfinished;          /* nodes */
	struct lsi_wait_list *lists; /* the wait lists of this worker that are not empty */
	uint64_t next_look;  /* the value of `switches` when it next looks for nodes that have left */
	uint32_t departures; /* ls_machine.departures when it last looked */
	fenv_t environment;  /* of floating-point numbers, when the thread began */
	void *signal_stack;  /* NULL: no memory */
	int *errno_at;       /* the errno of the thread */
	struct lsi_context context; /* of the thread itself */
	int64_t first, end;
	pthread_t thread;
	bool has_thread; /* not joined yet */

	uint64_t watched_switches, watched_since; /* for the thread that watches it; ns */
	bool reported;                            /* by that thread, since watched_since */
};

/* ---- Carriers */

struct lsi_carrier {
	const char *name;
	size_t stack;        /* default bytes of a node's stack */
	size_t thread_stack; /* bytes of a worker's stack; 0: as a node's */
	bool shares_threads; /* one thread runs all nodes of a core; else each node is a thread */

	/* Reset the state of the last run. */
	void (*reset)(struct ls_machine *);
	/* Prepare a run.  False: no memory; ls_machine.error says so. */
	bool (*prepare)(struct ls_machine *);
	/* Run all nodes of a worker, whose gate is open.  pthread_exit may end it. */
	void (*run)(struct lsi_worker *);
	/* The machine is destroyed: release what prepare made. */
	void (*release)(struct ls_machine *);

	/* The functions of wait.h. */
	int (*wait_until)(struct lsi_node_state *, const struct lsi_wait *);
	int (*wait_for_stop)(struct lsi_node_state *, uint64_t limit);
	/* Sleep until a waker comes, unless the condition is true. */
	void (*sleep)(struct lsi_node_state *, const struct lsi_wait *);
	void (*wake)(struct ls_machine *, struct lsi_parking *);
	/* Wake the node at the other end of a mailbox, whose parking word is 1. */
	void (*wake_peer)(struct ls_machine *, const struct lsi_mailbox_end *);
	/* A thread that is no node has opened a barrier of the group. */
	void (*wake_members)(struct ls_machine *, const struct lsi_group *, struct lsi_barrier *);
	void (*wake_barrier)(struct ls_node *, struct lsi_barrier *);
	void (*wake_helpers)(struct ls_node *, struct lsi_barrier *);
	void (*barrier_left)(struct ls_node *, struct lsi_barrier *);
	void (*release_list)(struct lsi_node_state *, struct lsi_wait_list *);
	void (*wake_all)(struct ls_machine *);
	void (*yield)(struct lsi_node_state *);
	/* The node has set `gone`: wake the nodes that wait for it to send, or to read a message. */
	void (*announce_departure)(struct lsi_node_state *);
	/* The node runs no more: if all others wait, decide the verdict. */
	void (*leave)(struct lsi_node_state *);
	/* The thread in ls_run calls it at short intervals, with the time (ns).  NULL: never. */
	void (*watch)(struct ls_machine *, uint64_t now);
};

extern const struct lsi_carrier lsi_thread_carrier, lsi_fiber_carrier;

/* ---- For carriers (run.c) */

/* Set ls_machine.error: there is no address space for the stacks. */
void lsi_run_lacks_stacks(struct ls_machine *, int64_t count, size_t bytes);
/* Run the program of a node, if the machine has not stopped, and report its error. */
void lsi_node_run_program(struct lsi_node_state *);
/*
 * The node's program has ended: wait for its pending sends or cancel them, and leave the machine.
 * Called by the node itself.
 */
void lsi_node_finish(struct lsi_node_state *);

#endif
