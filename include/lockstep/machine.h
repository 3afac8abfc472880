/*
 * The machine: p nodes, each a POSIX thread, wired as a topology, stepping through rounds together.
 *
 * A machine is made once and may run any number of times, also after a run that failed.  Several
 * machines may exist and run at once, and a node of one may run another.  Nothing hangs: every wait
 * of a node ends when the machine stops, and all its waiting nodes then return the same error.
 *
 * One operation of a whole machine, of more nodes than there can be threads: ls_sweep_run
 * (sweep.h).
 */
#ifndef LOCKSTEP_MACHINE_H
#define LOCKSTEP_MACHINE_H

#include <lockstep/trace.h>

LS_BEGIN_DECLS

typedef struct ls_machine ls_machine;
typedef struct ls_node ls_node;

/*
 * Lockstep: a barrier of the group ends each round.  Free: mailboxes alone order the nodes; each
 * message carries its round number and the receiver checks it.  Same plans, same bits, same port
 * rule.
 */
enum ls_rounds { LS_LOCKSTEP, LS_FREE };
/*
 * Node r runs on the core r * cores / p; anywhere; or on the processing unit (a hardware thread of
 * a core) r * units / p.  Cores and units are those that the process may use, in the order of the
 * machine's topology.
 */
enum ls_bind { LS_BIND_CORE, LS_BIND_NONE, LS_BIND_PU };
/*
 * Who executes a collective call.  Threads: every node its own steps, through its mailboxes and
 * ports.  Cooperative: the nodes wait for each other, then those that run execute the plan of all
 * nodes, strip by strip, on everybody's buffers; an operator is called on any node's thread, on
 * parts of the vector, by several threads at once.  Auto: chosen for each call by its operation and
 * size, the nodes and the cores.  Counts, traces and bits are the same.
 *
 * Sweep is no engine of a machine, which refuses it: it needs no thread a node (sweep.h).
 */
enum ls_engine { LS_AUTO, LS_MAILBOXES, LS_COOPERATIVE, LS_SWEEP };

/* Zero means the default in every field but size. */
struct ls_machine_options {
	size_t size;
	enum ls_rounds rounds;
	enum ls_mode mode; /* hop: calls reach neighbours only; always routed over switches */
	enum ls_bind bind;
	bool strict;    /* routed: two messages on a link in one round are an error */
	int ports;      /* sends, and receives, of a node in one round; default 1 */
	int mailbox;    /* messages that a wire holds, rounded up to a power of two; 4 */
	size_t stack;   /* bytes of a node's stack; 256 KiB */
	double timeout; /* seconds that a run may take; 0: no limit */
	/*
	 * Called with every message, by the thread in ls_run (attached nodes: by one of them, when all
	 * have ended); NULL: no trace.  Sorted by round, then src, where no group but the whole machine
	 * has rounds.
	 */
	void (*trace)(void *context, const struct ls_record *);
	void *trace_context;
	enum ls_engine engine; /* of collective calls; auto */
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
 * Owns       *out is the caller's; the topology stays the caller's and must outlive the machine.
 * Returns    LS_OK, LS_ERR_ARGUMENT, LS_ERR_MEMORY (also: more nodes than a machine of threads can
 *            hold)
 */
LS_API LS_MUST_CHECK int ls_machine_make(
	const ls_topology *, const struct ls_machine_options *or_null, ls_machine **out);
/* Not while a run or an attached node is alive. */
LS_API void ls_machine_destroy(ls_machine *);

/*
 * Run `program` on every node, each on a thread of its own; return when all have ended.
 *
 * A node whose program returns 0 has left: rounds go on without it.  A non-zero return stops the
 * machine.
 *
 * Returns    LS_OK
 *            LS_ERR_MEMORY, LS_ERR_THREADS   nothing was run
 *            LS_ERR_ARGUMENT                 no program, or the trace file cannot be written
 *            LS_ERR_BUSY                     the machine is running
 *            else the kind of the first error (lowest round, then lowest rank), see ls_last_error
 */
LS_API LS_MUST_CHECK int ls_run(ls_machine *, int (*program)(ls_node *me, void *arg), void *arg);

/*
 * The program has registered this thread with liburcu-qsbr itself.  It should be offline when it
 * calls what waits: a grace period, also that of ls_link_set, lasts as long as it is online.
 */
enum { LS_ATTACH_RCU_READER = 1 };

/*
 * Make the calling thread the node `rank`.  Waits until every rank is attached or the machine
 * stops. ls_detach is collective: it returns when every attached node has called it, and ends the
 * run; *me is then gone.
 *
 * Returns    LS_OK; LS_ERR_ARGUMENT (rank out of range or taken), LS_ERR_BUSY (a run goes on),
 *            LS_ERR_FORK, or why the machine stopped; ls_detach: as ls_run
 */
LS_API LS_MUST_CHECK int ls_attach(ls_machine *, int64_t rank, unsigned flags, ls_node **me);
LS_API int ls_detach(ls_node *me);

/*
 * Stop a running machine from any thread: its nodes return `why`, or LS_ERR_STOPPED if that is no
 * error.
 */
LS_API void ls_machine_stop(ls_machine *, int why);

/* The first error of the last run; LS_OK (and kind LS_OK) when there was none. */
LS_API int ls_last_error(const ls_machine *, struct ls_error *out);

/*
 * What node `rank` was waiting for when the last run stopped; false: it was not waiting.
 * peer is LS_NO_RANK for a round barrier.
 */
enum ls_wait_reason {
	LS_WAITS_FOR_MESSAGE,
	LS_WAITS_FOR_SPACE,
	LS_WAITS_FOR_READER,
	LS_WAITS_FOR_ROUND,
	LS_WAITS_FOR_ATTACH
};
struct ls_wait_state {
	size_t size;
	/* A message of peer; room in the mailbox to it; that it has read; the barrier. */
	enum ls_wait_reason what;
	int64_t peer, round;
	const char *operation;
};
LS_API bool ls_blocked_on(const ls_machine *, int64_t rank, struct ls_wait_state *out);

/* Sums over all nodes of the last run. */
struct ls_stats {
	size_t size;
	int64_t rounds;                 /* of the node that took most, those of its groups added */
	int64_t messages, words, bytes; /* words as in struct ls_record */
	/* Most messages on one directed link in one round; counted in lockstep rounds. */
	int64_t link_load;
	int64_t reroutes; /* messages that went round a link that was down */
};
LS_API void ls_machine_stats(const ls_machine *, struct ls_stats *out);

/*
 * Take the wire between two neighbours down, or bring it up; from any thread, also while nodes run.
 * Routed messages go round it; in hop mode a message about to cross it is LS_ERR_LINK.
 *
 * Returns    LS_OK, LS_ERR_ARGUMENT (no such wire), LS_ERR_MEMORY, LS_ERR_FORK
 */
LS_API LS_MUST_CHECK int ls_link_set(ls_machine *, int64_t u, int64_t v, bool up);

LS_API const ls_topology *ls_machine_topology(const ls_machine *);

LS_API const char *ls_engine_name(enum ls_engine); /* "cooperative" */
/*
 * The engine that executes a call of the whole machine whose operand has so many bytes (one block
 * of it, where the operation takes one for each node), and a text that says why.  Cores are those
 * that there were when the machine was made.  Where nodes run ahead of the root of a broadcast or
 * scatter, a call with another root than the one before is executed cooperatively all the same.
 *
 * Executed by threads whatever is said here: a call with counts, or of a plan that no walk over all
 * nodes can hold, or of a plan of the caller's that the root alone has in place; and a call while a
 * link is down, a member has left, or a message of a node's own takes a port of the round.
 */
LS_API enum ls_engine ls_engine_for(
	const ls_machine *, enum ls_operation, size_t bytes, const char **why_or_null);

LS_END_DECLS
#endif
