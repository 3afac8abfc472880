/*
 * The parts of a run that ls_run and ls_attach share.
 */
#ifndef LSI_MACHINE_RUN_H
#define LSI_MACHINE_RUN_H

#include "machine/machine_types.h"

/* Begin a run: from now on a stop ends it. */
void lsi_run_begin(struct ls_machine *);
/*
 * Then open its trace file.  `binds`: its threads will be bound as the options say.  LS_OK; or the
 * run must not go on: LS_ERR_ARGUMENT: the file cannot be written; LS_ERR_MEMORY.
 */
int lsi_run_open_trace(struct ls_machine *, bool binds);

/* No message, call or error is left.  Every node is a member of the whole machine. */
void lsi_run_reset_communication(struct ls_machine *);

/* What kind of error a run ended with, the most important first. */
enum lsi_error_class {
	LSI_ERROR_VERDICT,
	LSI_ERROR_REPORTED, /* by a node */
	LSI_ERROR_COMPUTES, /* the time limit is over: the program of a node has not returned */
	LSI_ERROR_WAITS,    /* the same: a node waited */
	LSI_ERROR_STOPPED,
	LSI_ERROR_UNRECEIVED
};

/*
 * Whether calls that differ may explain an error when all nodes have ended.  A verdict has been
 * explained, except one that was decided while nodes ran: it may not change its kind any more.
 */
static inline bool lsi_error_may_change(enum lsi_error_class class, const struct ls_error *error)
{
	return class != LSI_ERROR_VERDICT || error->kind == LS_ERR_MISMATCH;
}

/*
 * End a run: find its error, and add the counters of the nodes.  If ls_machine.all_ended is
 * false, some nodes still run.
 */
void lsi_run_end(struct ls_machine *);

/*
 * Lock control for a run that may begin.  If the machine is not running now, no thread of the last
 * run needs its results any more.
 */
void lsi_run_lock(struct ls_machine *);

/*
 * If all nodes of this process are detached, wait until another thread has ended their run.  False:
 * the machine is busy.
 */
bool lsi_run_has_ended(struct ls_machine *);

/* If all threads that a run abandoned have returned, end that run.  The caller holds control. */
void lsi_run_reclaim(struct ls_machine *);

/* ns: the end of the time limit of a run that begins now; 0: none. */
uint64_t lsi_run_next_deadline(const struct ls_machine *);

/* ns: the time that threads have to return after the time limit. */
uint64_t lsi_run_grace(const struct ls_machine *);

/* ns: a thread that has not returned by then is abandoned.  Only with a time limit. */
uint64_t lsi_run_last_moment(const struct ls_machine *);

/* Wait until all threads of a run have finished.  False: the limit (ns; 0: none) is over. */
bool lsi_run_wait_for_threads(struct ls_machine *, uint64_t limit);
/* The same; after the time limit only for a while. */
void lsi_run_wait_for_end(struct ls_machine *);

/*
 * Some attached nodes have not called ls_detach, a while after the time limit: this is the error of
 * the run.  The caller holds control.
 */
void lsi_describe_attached(struct ls_machine *);

/* The thread of an attached node ends without ls_detach. */
void lsi_abandon_attached(struct lsi_node_state *);

/* Wait for the gate.  LS_OK: the node may begin; else the reason why the run was cancelled. */
int lsi_gate_wait(struct ls_machine *);

/* Open or cancel the gate if it is still closed.  True: it is open now. */
bool lsi_gate_open(struct ls_machine *, enum lsi_gate);

#endif
