/*
 * The nodes of a machine in several processes: what the rest of the machine calls.
 *
 * Each process executes its local ranks.  Both nodes of a pair have the two mailboxes of the pair
 * in their own process.  If they are in different processes, a communication thread is at the other
 * end of these mailboxes:
 *
 *   process 0                                     process 1
 *   node 3 --> mailbox 3 to 5 --> communication ==> communication --> mailbox 3 to 5 --> node 5
 *                                 thread      MPI   thread
 *
 * A mailbox has the same number of slots, and its messages the same numbers, in both processes.  A
 * slot at the sender is released when the receiver has released its own.  So the mailbox of the
 * receiver always has space for a message that arrives.
 *
 * ls_machine.processes is NULL in a machine of one process; then none of this is called.
 */
#ifndef LSI_MACHINE_FAR_NODES_H
#define LSI_MACHINE_FAR_NODES_H

#include "machine/run.h"

/* ---- Make and destroy */

/* The first local rank of this process (after 0) or of the next one (1). */
int64_t lsi_processes_first_rank(const struct ls_machine_options *, const ls_topology *, int after);
/* The number of the first group that this process makes: process << 20 | 1. */
uint32_t lsi_processes_first_context(const struct ls_machine_options *);
/* Set ls_machine.processes, and replace its carrier.  LS_OK or LS_ERR_MEMORY. */
int lsi_processes_make(struct ls_machine *);
void lsi_processes_destroy(struct ls_machine *);

/* Make the binding of threads to cores of this process.  False: no memory. */
bool lsi_processes_bind(const struct ls_machine *, struct lsi_binding *);

struct lsi_wait;

/* A thread has yielded and still waits.  If another process may end the wait, it communicates. */
void lsi_processes_help(struct ls_machine *, const struct lsi_wait *);

/* ---- A run, by the thread in ls_run.  Collective; with one process they do nothing. */

/*
 * After a failed run: nodes may have made different calls, so what they keep of them differs, too.
 */
void lsi_processes_forget_calls(struct ls_machine *);
/* The run can begin here (LS_OK), or fails.  Returns the status of all, and sets their error. */
int lsi_processes_begin(struct ls_machine *, int status);
/*
 * The threads of the nodes exist here, or machine->error says why not.  True: they do in all
 * processes, and communication has begun.
 */
bool lsi_processes_start(struct ls_machine *, bool has_threads);
/* The run has ended in all processes: the world may have another one. */
void lsi_processes_end(struct ls_machine *);
/*
 * The run cannot begin, because the machine is running, or threads of its last run have not
 * returned: then the other processes get this error, too.  False: the run that is in the way
 * begins or ends at this moment.
 */
bool lsi_processes_refuse(struct ls_machine *);
/*
 * All nodes have ended here: wait for those of the other processes.  An operator that computes for
 * ever keeps the communication thread: then the run ends without it in this process alone, and the
 * world stays in use until the thread has returned.
 */
void lsi_processes_finish(struct ls_machine *);
/* Has the run ended without the communication thread?  Then describe it. */
bool lsi_processes_describe_abandoned(const struct ls_machine *, struct ls_error *);
/*
 * If the last run ended without the communication thread, end all processes when it has returned.
 * False: it has not.  The caller holds `control`.
 */
bool lsi_processes_join_abandoned(struct ls_machine *);
/* Have all processes begun a run, which they must end together? */
bool lsi_processes_are_joint(const struct ls_machine *);
/* Does this process write the trace file of a run? */
bool lsi_processes_write_here(const struct ls_machine *);
/* Process 0 gets the trace events of all. */
void lsi_processes_gather_trace(struct ls_machine *);
/* Add up the counters of all processes, and take the first of the errors that they found. */
void lsi_processes_join_counters(struct ls_machine *);
void lsi_processes_join_error(struct ls_machine *, enum lsi_error_class);
/* All processes get the error of process 0. */
void lsi_processes_share_error(struct ls_machine *);

/* ---- A run of attached nodes, by their threads */

/* LS_OK; or a thread cannot attach here as this node: the status, and the reason in *error. */
int lsi_processes_check_attach(const struct ls_machine *, int64_t rank, struct ls_error *error);
/*
 * A thread attaches as a local node.  LS_ERR_BUSY: the last run is abandoned or was so, and the
 * call is refused, together with those in the other processes.  The caller holds `control`, which
 * others may take meanwhile.
 */
int lsi_processes_refuse_attach(struct ls_machine *, int64_t rank);
/* The run that was abandoned has ended; a machine of one process, too, may call it. */
void lsi_processes_end_refusals(struct ls_machine *);
/* A run begins in all processes, by ls_run: no call of ls_attach is part of a refusal before. */
void lsi_processes_forget_refusals(struct ls_machine *);
/* The calling thread has become this node: it takes part in the use of the world. */
void lsi_processes_enter(struct lsi_node_state *);
/* It is this node no longer. */
void lsi_processes_leave(struct lsi_node_state *);
/*
 * All local nodes are attached: begin the run when those of the other processes are, too, and end
 * it, on a thread of its own.  The caller holds `control`.  False: machine->error says why not.
 */
bool lsi_processes_supervise(struct ls_machine *);

/* ---- Mailboxes, by nodes */

/* Bytes that a pair of mailboxes needs for lsi_far_channel_make. */
size_t lsi_far_channel_bytes(void);
/* Connect the mailboxes of two nodes, one of which is local, with the communication thread. */
void lsi_far_channel_make(
	struct ls_machine *, void *memory, struct lsi_mailbox box[2], int64_t low, int64_t high);
/* Empty mailboxes after a failed run. */
void lsi_far_channels_reset(struct ls_machine *);

/* ---- Groups, by nodes */

enum lsi_far_gate_kind { LSI_GATE_ROUND, LSI_GATE_SPLIT, LSI_GATE_CALL, LSI_FAR_GATES };

/* Make the part of a group that knows its members in other processes.  False: no memory. */
bool lsi_far_group_make(struct ls_machine *, struct lsi_group *);
/* Before communication begins, after it has ended, or before the group has its number. */
void lsi_far_group_destroy(struct lsi_far_group *);
/* All local members have arrived at a barrier of the group. */
void lsi_far_arrive(struct ls_node *, struct lsi_barrier *);
/* What a process states about a call of its local nodes; the processes join these flags. */
enum lsi_call_flag {
	LSI_CALL_IN_PLACE = 1, /* some node is in place; in a rooted operation: the root */
	LSI_CALL_SEPARATE = 2, /* some node is not; never in a rooted operation */
	LSI_CALL_MAILBOXES = 4 /* the nodes execute their own steps */
};
struct lsi_stop;
struct lsi_far_work {
	uint32_t flags;
	/*
	 * Execute the call for the local nodes.  *computes: see computing.h.  LS_OK; LS_ERR_STOPPED,
	 * see world/agreement.h; or LS_ERR_TIMEOUT: the run has ended without this thread.
	 */
	int (*execute)(
		void *context, bool in_place, const struct lsi_stop *, LSI_ATOMIC(uint32_t) * computes);
	void *context;
};
/*
 * The same at that of a collective call; call: NULL: a member has left.  The barrier opens with the
 * result LS_OK, LSI_USE_MAILBOXES or LS_ERR_MISMATCH.  Without LSI_CALL_MAILBOXES the work of the
 * call must be open.
 */
void lsi_far_arrive_with_call(struct ls_node *, const uint64_t *call, const struct lsi_far_work *);
/* This node has left the group. */
void lsi_far_leave(struct ls_node *);
/* While a node counts the hops of one message.  Nothing if no member is in another process. */
void lsi_far_load_lock(const struct ls_node *);
void lsi_far_load_unlock(const struct ls_node *);
/* With the lock: the message crosses link number `link` of vertex `at`.  False: no memory. */
bool lsi_far_load_add(const struct lsi_envelope *, int64_t peer, int64_t at, int64_t link);
/* A round has ended in a strict machine: LS_OK, or the error of a message that shared a link. */
int lsi_far_load_check(const struct ls_node *);

/* ---- Operators that users make */

/* Those of the calls of a handle; NULL: none yet.  lsi_free destroys it. */
struct lsi_used_operators;
/*
 * The number that an envelope has in place of the id of an operator.  *emptied: the list has
 * forgotten all others, so calls with their numbers must not be made again.  LS_OK or
 * LS_ERR_MEMORY.
 */
int lsi_far_operator_number(struct lsi_used_operators **, ls_op, uint64_t *number, bool *emptied);

/* ---- States of the machine */

/* The node has set `gone`. */
void lsi_processes_notify_gone(struct lsi_node_state *);
/* The state has changed: notify the others. */
void lsi_processes_notify(struct ls_machine *);
/* All local nodes wait, or (early) the verdict must not wait for them. */
void lsi_processes_decide(struct ls_machine *, bool early);
/*
 * Change a link in all processes of a machine that is running.  False: it is not running, or the
 * run has ended without its communication thread.
 */
bool lsi_processes_set_link(struct ls_machine *, int64_t u, int64_t v, bool up, int *status);

#endif
