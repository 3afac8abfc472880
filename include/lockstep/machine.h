/*
 * The machine: p nodes, each a POSIX thread, linked as a topology, which advance in rounds.
 *
 * A machine can run any number of times, also after a failed run.  Several machines can exist and
 * run at once; a node of one can run another.  When a machine stops, every wait of its nodes ends,
 * and all waiting nodes return the same error.
 *
 * For more nodes than the system has threads, see ls_sweep_run (sweep.h).
 */
#ifndef LOCKSTEP_MACHINE_H
#define LOCKSTEP_MACHINE_H

#include <lockstep/trace.h>

LS_BEGIN_DECLS

typedef struct ls_machine ls_machine;
typedef struct ls_node ls_node;

/*
 * Lockstep: a barrier of the group ends each round.  Free: no barrier; each message carries its
 * round number, which the receiver checks.  Plans, results and the port rule are the same.
 */
enum ls_rounds { LS_LOCKSTEP, LS_FREE };
/*
 * Binding of node r: to core r * cores / p; to none; or to processing unit (hardware thread)
 * r * units / p.  Counted are the cores and units that the process may use, in topological order.
 */
enum ls_bind { LS_BIND_CORE, LS_BIND_NONE, LS_BIND_PU };
/*
 * The engine that executes a collective call.  Counts, traces and results are the same.
 *
 *   LS_MAILBOXES    each node executes its own steps and passes messages through mailboxes
 *   LS_COOPERATIVE  the nodes assemble; then their threads execute the steps of all nodes together,
 *                   directly on all buffers.  Several threads call the operator at once, each on a
 *                   part of the vector.
 *   LS_AUTO         one of these two, chosen for each call by operation, size, nodes and cores
 *   LS_SWEEP        only for ls_sweep_run (sweep.h); ls_machine_make rejects it
 */
enum ls_engine { LS_AUTO, LS_MAILBOXES, LS_COOPERATIVE, LS_SWEEP };

/* A field that is zero has its default; size has none. */
struct ls_machine_options {
	size_t size;
	enum ls_rounds rounds;
	enum ls_mode mode; /* hop: messages to neighbors only; networks with switches are routed */
	enum ls_bind bind;
	bool strict;    /* routed mode: two messages on a link in one round are an error */
	int ports;      /* messages that a node may send, and receive, in one round; default 1 */
	int mailbox;    /* messages that a link holds, rounded up to a power of two; default 4 */
	size_t stack;   /* bytes of a node's stack; default 256 KiB */
	double timeout; /* seconds of a run; 0: no limit */
	/*
	 * Called for every message, by the thread in ls_run; with attached nodes by one of them, after
	 * all have ended.  Sorted by round, then src, unless groups have rounds of their own.
	 */
	void (*trace)(void *context, const struct ls_record *);
	void *trace_context;
	enum ls_engine engine; /* of collective calls; default auto */
};

/*
 * Make a machine for a topology.
 *
 * When the environment variable LOCKSTEP_TRACE names a file, every run of the machine writes its
 * trace there, in addition to calling options.trace:
 *
 *     # topology=star:4 mode=hop
 *     round,src,dst,words
 *     1,0,1,1
 *
 * Rows come in the order of options.trace; in routed mode dst is the final destination.  The first
 * run of the process writes FILE, run k writes FILE with .k before its ending (trace.csv,
 * trace.2.csv, ...).  All runs write to one /dev/stdout, /dev/stderr or other file in /dev/.  A
 * file that cannot be written makes ls_run and ls_attach return LS_ERR_ARGUMENT.
 *
 * Owns       The caller owns *out and releases it by ls_machine_destroy.  The topology must outlive
 *            the machine.
 * Returns    LS_OK, LS_ERR_ARGUMENT, LS_ERR_MEMORY (also for too many nodes)
 */
LS_API LS_MUST_CHECK int ls_machine_make(
	const ls_topology *, const struct ls_machine_options *or_null, ls_machine **out);
/* Undefined while the machine runs or a node is attached. */
LS_API void ls_machine_destroy(ls_machine *);

/*
 * Run `program` on every node, each on its own thread, and wait until all have ended.
 *
 * A node whose program returns 0 leaves; the rounds continue without it.  A program that returns
 * non-zero stops the machine.
 *
 * Returns    LS_OK
 *            LS_ERR_MEMORY, LS_ERR_THREADS   the run did not start
 *            LS_ERR_ARGUMENT                 no program, or the trace file cannot be written
 *            LS_ERR_BUSY                     the machine is running
 *            otherwise the status of the earliest error (lowest round, then lowest rank), which
 *            ls_last_error describes
 */
LS_API LS_MUST_CHECK int ls_run(ls_machine *, int (*program)(ls_node *me, void *arg), void *arg);

/*
 * Flag: the program itself registered this thread with liburcu-qsbr.  The thread should be offline
 * in calls that wait: no grace period, so no ls_link_set, ends while it is online.
 */
enum { LS_ATTACH_RCU_READER = 1 };

/*
 * Make the calling thread the node `rank`.  Waits until all ranks are attached or the machine
 * stops. ls_detach ends the run: it returns when all attached nodes have called it, and destroys
 * *me.
 *
 * Returns    LS_OK, LS_ERR_ARGUMENT (rank out of range or taken), LS_ERR_BUSY (the machine runs),
 *            LS_ERR_FORK, or the status that stopped the machine; ls_detach: as ls_run
 */
LS_API LS_MUST_CHECK int ls_attach(ls_machine *, int64_t rank, unsigned flags, ls_node **me);
LS_API int ls_detach(ls_node *me);

/*
 * Stop a running machine, from any thread.  Its nodes return `why`, or LS_ERR_STOPPED if `why` is
 * not a negative status.
 */
LS_API void ls_machine_stop(ls_machine *, int why);

/* Read the first error of the last run; returns its kind, LS_OK: no error. */
LS_API int ls_last_error(const ls_machine *, struct ls_error *out);

enum ls_wait_reason {
	LS_WAITS_FOR_MESSAGE, /* from the peer */
	LS_WAITS_FOR_SPACE,   /* in the mailbox to the peer */
	LS_WAITS_FOR_READER,  /* until the peer has read a lent message */
	LS_WAITS_FOR_ROUND,   /* at the barrier that ends a round */
	LS_WAITS_FOR_ATTACH   /* until all ranks are attached */
};
struct ls_wait_state {
	size_t size;
	enum ls_wait_reason reason;
	int64_t peer; /* LS_NO_RANK at a barrier */
	int64_t round;
	const char *operation; /* static string: "allreduce", "receive", ... */
};
/* Read the wait of node `rank` when the last run stopped; false: it did not wait. */
LS_API bool ls_blocked_on(const ls_machine *, int64_t rank, struct ls_wait_state *out);

/* Counts of the last run, summed over all nodes. */
struct ls_stats {
	size_t size;
	int64_t rounds;                 /* most of any node, including rounds of its groups */
	int64_t messages, words, bytes; /* words as in struct ls_record */
	int64_t link_load;              /* most on a directed link in a round; lockstep rounds only */
	int64_t reroutes;               /* messages that avoided a link that was down */
};
LS_API void ls_machine_stats(const ls_machine *, struct ls_stats *out);

/*
 * Take the link between two neighbors down, or bring it up, from any thread, also during a run.
 * Routed messages avoid a link that is down; in hop mode a message over it fails with LS_ERR_LINK.
 *
 * Returns    LS_OK, LS_ERR_ARGUMENT (no such link), LS_ERR_MEMORY, LS_ERR_FORK
 */
LS_API LS_MUST_CHECK int ls_link_set(ls_machine *, int64_t u, int64_t v, bool up);

LS_API const ls_topology *ls_machine_topology(const ls_machine *);

LS_API const char *ls_engine_name(enum ls_engine); /* "cooperative" */
/*
 * The engine for a call of the whole machine, and the reason as text.  `bytes` is the size of the
 * operand, or of one of its blocks.  The cores are those at the time of ls_machine_make.
 *
 * A single call may deviate from this choice.  Always by mailboxes:
 *
 *   - a call with counts; a plan too large for the cooperative engine; a caller's plan that is in
 *     place at the root only
 *   - a call while a link is down, a member has left, or a message of a node uses a port
 *
 * Cooperatively: a broadcast or scatter whose root differs from that of the call before.
 */
LS_API enum ls_engine ls_engine_for(
	const ls_machine *, enum ls_operation, size_t bytes, const char **why_or_null);

LS_END_DECLS
#endif
