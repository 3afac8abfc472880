/*
 * The machine: p nodes, each a POSIX thread or a fiber, which are linked as a topology and advance
 * in rounds.
 *
 * A machine can run any number of times, even after a failed run.  Several machines can exist and
 * run at once, and a node of one machine can run another machine.
 *
 * Errors     A node that breaks a rule reports an error.  The other nodes continue until each of
 *            them waits or has ended, for a second (and a millisecond per node) at most.  Then the
 *            machine stops with the error of the lowest round, then of the lowest rank.  Every call
 *            that waits, and every later one, returns the status of this error.
 * Deadlock   If every live node waits, the machine stops with LS_ERR_DEADLOCK.  A thread may be a
 *            node of several machines.  These stop if every node of all of them waits.  A thread in
 *            ls_attach does not count as waiting: any other thread may still attach.
 *
 * Processes  The nodes may be spread over the processes of a world (world.h).  Each process makes
 *            an equal machine and calls ls_run, or its threads call ls_attach.  Results, counts,
 *            errors and statuses equal those of one process.
 *
 * ls_sweep_run (sweep.h) executes an operation on more nodes than the system can create threads.
 */
#ifndef LOCKSTEP_MACHINE_H
#define LOCKSTEP_MACHINE_H

#include <lockstep/trace.h>
#include <lockstep/world.h>

LS_BEGIN_DECLS

typedef struct ls_machine ls_machine;
typedef struct ls_node ls_node;

/*
 * The end of a round.  Plans, results and the port rule do not depend on it.
 *
 *   LS_LOCKSTEP   a barrier of the group ends each round
 *   LS_FREE       no barrier: each message carries its round number, and the receiver checks it
 */
enum ls_rounds { LS_LOCKSTEP, LS_FREE };
/*
 * The binding of node r of p:
 *
 *   LS_BIND_CORE   to all processing units (hardware threads) of core floor(r * cores / p)
 *   LS_BIND_NONE   to no core
 *   LS_BIND_PU     to processing unit floor(r * units / p)
 *
 * Only the cores and units that the process may use are counted.  With hwloc they are in hardware
 * order (package, cache, core), without hwloc in the order of their numbers.  In a world, each
 * process uses its part of the cores: see world.h.
 */
enum ls_bind { LS_BIND_CORE, LS_BIND_NONE, LS_BIND_PU };
/*
 * The engine that executes a collective call.  Counts, traces and results do not depend on it.
 *
 *   LS_MAILBOXES    each node executes its own steps and passes messages through mailboxes
 *   LS_COOPERATIVE  work sharing: the nodes meet; then their threads execute the steps of all nodes
 *                   together, directly on the buffers of all nodes.  Several threads call the
 *                   operator at once, each on a part of the vector.
 *   LS_AUTO         one of these two, chosen for each call by operation, size, nodes and cores
 *   LS_SWEEP        only for ls_sweep_run (sweep.h); ls_machine_make rejects it
 */
enum ls_engine { LS_AUTO, LS_MAILBOXES, LS_COOPERATIVE, LS_SWEEP };

/*
 * What a node is.  Results, counts and traces do not depend on it; errors neither, except those
 * listed here.
 *
 *   LS_NODE_THREAD  a POSIX thread.  The system runs the nodes of a core in turn, and can interrupt
 *                   each of them at any time.
 *   LS_NODE_FIBER   a fiber, also called a light node.  One thread per core, a worker, runs the
 *                   fibers of its core.  A fiber runs until it waits; a switch to the next one
 *                   takes nanoseconds.  With more nodes than cores, collectives are much faster.
 *
 * While a light node computes, the others of its core cannot run.  A light node must not
 *
 *   - wait for another node in any other way than by a call of this library, as by a mutex, a
 *     condition variable or a flag in memory
 *   - block in the kernel for long, as in sleep or read
 *   - end its thread by pthread_exit (the run fails with LS_ERR_PROGRAM)
 *   - keep data in thread-local variables across a call: the nodes of a worker share them.  errno
 *     is safe.
 *   - attach to a machine (LS_ERR_UNSUPPORTED).  It may run another machine by ls_run: its worker
 *     waits meanwhile.
 *
 * The stack is small: see ls_machine_options.stack and ls_stack_overflow.
 */
enum ls_node_kind { LS_NODE_THREAD, LS_NODE_FIBER };

/* Set size to the size of the struct.  Zero in any other field selects its default. */
struct ls_machine_options {
	size_t size;
	enum ls_rounds rounds;
	enum ls_mode mode; /* default hop; routed on networks with switches */
	enum ls_bind bind;
	bool strict; /* routed mode: two messages on a link in one round are an error */
	int ports;   /* messages that a node may send, and receive, in one round; default 1 */
	int mailbox; /* capacity of a mailbox in messages, rounded up to a power of two; default 4 */
	/*
	 * Bytes of a node's stack; default 256 KiB for threads, 64 KiB for light nodes, whose stacks
	 * stay until the machine is destroyed.  Memory is taken only for pages that are used.
	 */
	size_t stack;
	double timeout; /* seconds that a run may take, see ls_run; 0: no limit */
	/*
	 * Called for every message, sorted by round, then src, unless groups have rounds of their own.
	 * In a world, process 0 calls it at the end of the run, for the messages of all processes.
	 * The thread that called ls_run calls it, possibly while nodes still run.  With attached nodes,
	 * the last one to detach calls it, in a world a thread of the library.
	 */
	void (*trace)(void *context, const struct ls_record *);
	void *trace_context;
	enum ls_engine engine;       /* of collective calls; default auto */
	enum ls_node_kind node_kind; /* default threads */
	/*
	 * Light nodes: called when node `rank` has run for a second without waiting, if its worker has
	 * other nodes; again only after it has waited.  The thread that called ls_run calls it.  The
	 * time in which the library prepares a collective call does not count.
	 */
	void (*stalled)(void *context, int64_t rank);
	void *stalled_context;
	bool trace_times; /* a trace records the times of messages, see struct ls_record */
	/*
	 * Spread the nodes over the processes of a world; NULL: one process.  Each process executes its
	 * local ranks, see ls_first_rank.  The options must be equal in all processes, except for bind,
	 * stack, timeout and callbacks.  All processes make the machines of a world in the same order.
	 * A world serves one run or sweep at a time: see ls_run.
	 */
	ls_world *world;
	bool recover; /* after an error the nodes may go on: see ls_shrink; no thread can attach */
};

/*
 * Make a machine for a topology.
 *
 * If the environment variable LOCKSTEP_TRACE names a file, every run of the machine writes its
 * trace to that file, and still calls options.trace:
 *
 *     # topology=star:4 mode=hop
 *     round,src,dst,words
 *     1,0,1,1
 *
 * With options.trace_times, or if LOCKSTEP_TRACE_TIMES is 1 as well (any value but 0), rows have
 * three more columns: the times of struct ls_record; options.trace gets them, too.  If ls_run binds
 * the nodes, the first line has the core of each node, as ls_placement_cores:
 *
 *     # topology=linear:2 mode=hop cores=0,1
 *     round,src,dst,words,sent_ns,received_ns,waited_ns
 *     1,0,1,1,5210,9370,4020
 *
 * The rows have the order of options.trace; in routed mode dst is the final destination.  The
 * first run of the process writes FILE.  Run k inserts .k before the extension: trace.csv,
 * trace.2.csv, ...  Files in /dev/ are not numbered: all runs write to the same one.  In lockstep
 * rounds the file grows during the run.  In free rounds it is written at the end, and each message
 * takes memory until then.  After a crash the file is incomplete.  If it cannot be written, ls_run
 * and ls_attach return LS_ERR_ARGUMENT.
 *
 * Owns       The caller owns *out and releases it by ls_machine_destroy.  The topology must outlive
 *            the machine.
 * Returns    LS_OK, LS_ERR_ARGUMENT, LS_ERR_MEMORY (also for too many nodes)
 */
LS_API LS_MUST_CHECK int ls_machine_make(
	const ls_topology *, const struct ls_machine_options *or_null, ls_machine **out);
/*
 * Does nothing if the machine is busy.  In a world, if all nodes of this process have been
 * detached, it first waits until their run has ended in the other processes, too.
 */
LS_API void ls_machine_destroy(ls_machine *);
/*
 * Returns whether the machine is running, has attached nodes, or has threads that have not returned
 * from its last run.  If such a thread has executed an operator, the call ends all processes of the
 * world: see ls_run.
 */
LS_API bool ls_machine_busy(ls_machine *);

/*
 * Run `program` on every node, each on its own thread or fiber, and wait until all have returned.
 *
 * A node whose program returns 0 leaves the machine; the rounds continue without it.  A program
 * that returns non-zero reports an error.
 *
 * At the time limit of the options the machine stops with LS_ERR_TIMEOUT, and ls_run waits for the
 * programs to return, once more as long as the limit (at least 0.1 s, at most 10 s).  Then it
 * returns, and names a node that neither waits nor returns.  The thread of this node stays.  Until
 * it has returned, the machine is busy; so `arg` and the topology must stay valid.
 *
 * In a world, all processes make the same runs and sweeps, one after another, in the same order.  A
 * call during another one of the world fails with LS_ERR_BUSY, in all processes; so do calls where
 * processes begin different ones.  A node that begins another run or sweep in the world of its
 * machine gets LS_ERR_BUSY.  The time limit includes the wait for the other processes.
 *
 * In a world, an operator of a collective call may also compute beyond the time limit, for all
 * nodes of its process.  Then the error names this process, and the machine is busy there.  Until
 * it is not, the operator, its context and the buffers of the call must stay valid.  The machine
 * does not run again: all processes end when the operator returns, or some seconds later, when
 * those that wait for it give up.
 *
 * Returns    LS_OK
 *            LS_ERR_MEMORY, LS_ERR_THREADS   the run did not start
 *            LS_ERR_ARGUMENT                 no program, or the trace file cannot be written
 *            LS_ERR_BUSY                     the machine is busy, in a world in any process; or the
 *                                            world is: see above
 *            LS_ERR_FORK                     the machine was made before fork
 *            LS_ERR_LEFT                     another process has closed its world
 *            LS_ERR_STOPPED                  MPI failed, or another process does not begin the run
 *                                            before the time limit and a few seconds
 *            LS_ERR_TIMEOUT                  see above; or another process that has begun does not
 *                                            end the run by then
 *            otherwise the status of the error, which ls_last_error describes
 */
LS_API LS_MUST_CHECK int ls_run(ls_machine *, int (*program)(ls_node *me, void *arg), void *arg);

/*
 * Flag of ls_attach: the program itself has registered this thread with liburcu-qsbr.  Take the
 * thread offline around calls that wait: while it is online no grace period ends, and ls_link_set
 * blocks.
 */
enum { LS_ATTACH_RCU_READER = 1 };

/*
 * Make the calling thread the node `rank`, and wait until all ranks are attached or the machine
 * stops.  ls_detach ends the program of the node and destroys its handle.  It returns when all
 * attached nodes have called it; a while after the time limit, as ls_run; or if threads that are
 * nodes of several machines wait in ls_detach for each other.  If a thread ends before ls_detach,
 * its node reports LS_ERR_LEFT and is detached.
 *
 * In a world, threads attach to the local ranks of their process.  The time limit of a process
 * counts from its first ls_attach.  Until the nodes of all processes are attached, a stop or the
 * time limit ends the waits of this process only.  The others wait until its threads attach again,
 * or until their own time limit.  While nodes of the last run have not returned in one process,
 * ls_attach returns LS_ERR_BUSY in all; the process that has these nodes waits for the others for
 * its time limit, but 10 seconds at most.  Meanwhile the world has no other run, and
 * ls_machine_stop does not end this wait.  If the nodes return before all local threads have got
 * the error, the others get it at their next call.
 *
 * Returns    LS_OK, LS_ERR_ARGUMENT (NULL; rank out of range, taken or in another process; another
 *            process calls ls_run), LS_ERR_BUSY (the machine or its world is busy, or another
 *            process begins something else), LS_ERR_LEFT (another process has closed its world),
 *            LS_ERR_MEMORY, LS_ERR_THREADS, LS_ERR_FORK, or the status that stopped the machine
 *            LS_ERR_UNSUPPORTED  the nodes of the machine are fibers, or a process has no nodes
 *                                (ls_last_error says so, unless the machine is running), or the
 *                                machine has the option recover, or the caller is a light node (the
 *                                error of its run says so, if the program returns this status)
 *            ls_detach: as ls_run; LS_ERR_ARGUMENT: not an attached node of the calling thread
 */
LS_API LS_MUST_CHECK int ls_attach(ls_machine *, int64_t rank, unsigned flags, ls_node **me);
LS_API int ls_detach(ls_node *me);

/*
 * Stop a running machine, from any thread.  Waiting and later calls of its nodes return `why`, or
 * LS_ERR_STOPPED if `why` is not a negative status.
 */
LS_API void ls_machine_stop(ls_machine *, int why);

/* Get the first error of the last run.  Returns its kind, or LS_OK if there was none. */
LS_API int ls_last_error(const ls_machine *, struct ls_error *out);

enum ls_wait_reason {
	LS_WAITS_FOR_MESSAGE, /* from the peer */
	LS_WAITS_FOR_SPACE,   /* in the mailbox to the peer */
	LS_WAITS_FOR_READER,  /* until the peer has read a zero-copy message */
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
/*
 * Get the condition that node `rank` waited for when the last run stopped.  Returns false if it
 * did not wait, or is in another process.
 */
LS_API bool ls_blocked_on(const ls_machine *, int64_t rank, struct ls_wait_state *out);

/* Counts of the last run, summed over all nodes. */
struct ls_stats {
	size_t size;
	int64_t rounds;                 /* maximum over all nodes; includes the rounds of groups */
	int64_t messages, words, bytes; /* words as in struct ls_record */
	/* Maximum number of messages on a directed link in a round; lockstep rounds only. */
	int64_t link_load;
	int64_t reroutes; /* messages that avoided a link or a node that was down */
};
LS_API void ls_machine_stats(const ls_machine *, struct ls_stats *out);

/*
 * Take the link between two neighbors, or a node or switch, down, or bring it up, from any thread,
 * even during a run.  A node that is down sends, receives and forwards no message; its program runs
 * and takes part in the ends of rounds.  A message is judged when it is sent:
 *
 *   hop mode      over a link that is down, or from or to a node that is down: LS_ERR_LINK
 *   routed mode   If its route has a link or node that is down, it takes a shortest path that
 *                 avoids them.  Without such a path it fails with LS_ERR_LINK, and the error names
 *                 a cut: links and nodes that are down and separate the two nodes, those around the
 *                 smaller part of the network.
 *
 * In a world, a call during a run changes the link or node in all processes before it returns;
 * between runs, every process makes the call, also while the machine is busy with threads that have
 * not returned.
 *
 * Returns    LS_OK, LS_ERR_ARGUMENT (no such link or node), LS_ERR_MEMORY, LS_ERR_FORK (also for a
 *            machine made in the child, if the parent has run a machine)
 */
LS_API LS_MUST_CHECK int ls_link_set(ls_machine *, int64_t u, int64_t v, bool up);
LS_API LS_MUST_CHECK int ls_node_set(ls_machine *, int64_t node, bool up);

LS_API const ls_topology *ls_machine_topology(const ls_machine *);
/* The number of threads that run the nodes in ls_run: one per node; with light nodes one per
 * core, and at most one per node. */
LS_API int64_t ls_machine_threads(const ls_machine *);

/*
 * The node whose stack has overflowed, for a handler of SIGSEGV: `address` is siginfo_t.si_addr.
 * Returns LS_NO_RANK if the address is not in the guard pages (64 KiB) below a stack of this
 * machine.  Up to 16384 stacks of the process have guard pages.  The handler needs SA_ONSTACK and
 * an alternate signal stack: the workers of light nodes have one, a node that is a thread must
 * call sigaltstack.
 * Async-signal-safe.
 */
LS_API int64_t ls_stack_overflow(const ls_machine *, const void *address);

LS_API const char *ls_node_kind_name(enum ls_node_kind); /* "fibers" */
LS_API const char *ls_engine_name(enum ls_engine);       /* "cooperative" */
/*
 * The engine for a call of the whole machine, and the reason as text.  `bytes` is the size of the
 * operand, or of one block if the operand has a block for each node.  The number of cores is the
 * one at the time of ls_machine_make.
 *
 * A single call may deviate from this choice.  These always use mailboxes:
 *
 *   - a call with per-node counts
 *   - a plan that is too large for the cooperative engine
 *   - a call of a part of the machine whose members are in several processes
 *   - a call that is in place at some members only, except at the root of a rooted operation
 *   - a call while a link or node is down, or after a member of the group has left
 *   - a call in a round in which a member already sent or received a message of its own
 *
 * There is one exception in the other direction.  If mailboxes are chosen because senders run ahead
 * of receivers (many nodes per core, short messages), a broadcast or scatter whose root differs
 * from that of the previous call uses the cooperative engine; at most 24 light nodes stay with
 * mailboxes.
 *
 * Without a machine it returns LS_AUTO.
 */
LS_API enum ls_engine ls_engine_for(
	const ls_machine *, enum ls_operation, size_t bytes, const char **why_or_null);

LS_END_DECLS
#endif
