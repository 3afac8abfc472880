/*
 * Types of a running machine.
 *
 *   ls_machine ---- lsi_node_state, one per node ---- ls_node (whole), ls_node, ..
 *       |                                                 |            |
 *       +---------- lsi_group (whole), lsi_group, .. -----+------------+
 *
 * A node is two structures.  `struct lsi_node_state` is its execution: ports, counters, parking
 * word.  `struct ls_node` is a handle: the node as a member of one group.  A node has a handle of
 * every group that it belongs to.
 *
 * A node is a thread, or a fiber of a worker thread.  The carrier of the machine knows the
 * difference (carrier.h).
 *
 * While a node runs, only its own thread uses the fields of both that are not atomic.  Exceptions:
 *
 *   rank, core          never change
 *   attached            protected by ls_machine.control
 *   error               read by other threads after REPORT
 *   waits_for, handles with their sequence and recorded calls, call_handle
 *                       read by the thread that decides the verdict, while the node is parked
 *   next_of_thread, awaited, awaited_run
 *                       protected by the lock of shared_threads.c
 *
 * Before and after a run, the thread that begins, ends or queries it uses all fields.
 *
 * A word in capitals at an atomic field or access (ARRIVE, GATE) names a synchronization edge: all
 * accesses with this name order each other.  The headers of protocols (park.h, barrier.h, rcu.h,
 * mailbox.h, shrink.h, work_sharing.h, far_internal.h) list theirs.  The others:
 *
 *   GATE     the preparation of a run, or its results -> threads that wait for its start or end
 *   STOP     the cause of a stop (see work_sharing.h) -> nodes that read `state`
 *   REPORT   the error of a node                      -> the thread that decides the verdict
 *   GONE     the last messages of a node              -> nodes that read its `gone`
 *   LEFT     `gone` of a node, then departures += 1  -> a worker that looks for such nodes
 *   FINISHED all that a worker of a run does         -> the thread that waits for it
 *   ENDED    the last reads of other nodes' memory    -> owners of this memory
 *   CLAIM    the claim of a zero-copy message         -> its revocation, or the reverse
 *   HANDLES  each member's last use of a group        -> the member that frees it
 *   PLANS    a table of plans, and each plan in it    -> its readers, as DIRECTORY of base/rcu.h
 */
#ifndef LSI_MACHINE_MACHINE_TYPES_H
#define LSI_MACHINE_MACHINE_TYPES_H

#include <pthread.h>

#include <lockstep/node.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/context.h"
#include "base/other_load.h"
#include "base/rcu.h"
#include "base/thread.h"
#include "machine/work_sharing.h"
#include "machine/mailbox.h"
#include "machine/shrink.h"
#include "machine/trace_output.h"

struct lsi_node_state;
struct lsi_worker;
struct lsi_carrier;
struct lsi_processes;
struct lsi_far_group;
struct lsi_links;
struct lsi_registry;

/* ---- Messages */

/* A piece of memory: its address, or its offset in a buffer.  A message is a list of pieces. */
struct lsi_view {
	uintptr_t at;
	size_t bytes;
};

/*
 * A zero-copy message: its slot holds views of the sender's memory in place of bytes.  The receiver
 * claims it before it reads.  A sender that must give up, because the machine has stopped, revokes
 * it.  The first of the two succeeds:
 *
 *   OPEN ---- receiver ----> CLAIMED   the sender waits until the slot is released; the receiver is
 *     |                                computing, and waits for no node
 *     '------ sender ------> REVOKED   the receiver does not read it
 */
struct lsi_zero_copy_message {
	const struct lsi_view *views;
	struct lsi_view one;        /* views points here when there is one */
	LSI_ATOMIC(uint32_t) claim; /* CLAIM: exchange (acq_rel) on both sides */
};
#define LSI_ZERO_COPY_FLAG ((uint64_t)1 << 63)
enum { LSI_ZERO_COPY_OPEN, LSI_ZERO_COPY_CLAIMED, LSI_ZERO_COPY_REVOKED };

/* The group, the round and the call of a message that this node will send, or expects. */
struct lsi_envelope {
	struct ls_node *node;
	int64_t peer;     /* rank in the group */
	uint64_t call[3]; /* see envelope.h */
	size_t words;     /* elements, for the counts */
	const char *operation;
};

/* The two mailboxes between this node and a peer. */
struct lsi_channel {
	int64_t peer;  /* machine rank; LS_NO_RANK: an empty entry of the table */
	int32_t link;  /* index of the link at this node; -1: the nodes are not neighbors */
	uint32_t next; /* a hint: the entry that the node used after this one the last time */
	struct lsi_mailbox *out, *in;
};

/* The channels that this node uses: a hash table, private to its thread. */
struct lsi_channels {
	struct lsi_channel *entries;
	size_t capacity; /* a power of two */
	size_t used;
	size_t last; /* a hint: the entry that the node uses now */
};

/* A zero-copy message that may not have been read yet. */
struct lsi_pending_send {
	struct lsi_mailbox *box;
	int64_t message;
	int64_t step; /* the step of the plan that sent it; INT64_MAX: a point-to-point message */
};
enum { LSI_PENDING_SENDS = 64 }; /* limit per node, in addition to one per port */

/* A message that occupies a port until the round of its handle ends. */
struct lsi_port {
	const struct ls_node *node; /* the handle that sends or receives */
	int64_t peer;               /* machine rank */
	struct lsi_mailbox *sent;   /* the mailbox of a message that was sent, else NULL */
	int64_t message;            /* its number in that mailbox */
};

/* The counts of a node, as in struct ls_stats; `load` is its link_load. */
struct lsi_counters {
	int64_t messages, words, bytes, reroutes, load, rounds;
};

/* ---- Groups */

/* The values that a member gives to a split of its group. */
struct lsi_split_offer {
	int64_t part, key;
	int64_t kind;            /* the kind of split and its argument; equal at all members */
	struct lsi_group *group; /* the new group of this part; only its lowest local rank sets it */
	uint32_t context;        /* of the new group, at the lowest rank of the part */
};

/* The collective call of a member that has arrived; the other members read it. */
struct lsi_member_call {
	alignas(LSI_CACHE_LINE) uint64_t call[3]; /* see envelope.h; of fibers in lsi_calls */
	const void *input;
	void *output;
	bool is_busy; /* a point-to-point message of this member occupies a port in this round */
	bool in_place;
};

/* The calls of several members: of those that have arrived on one worker, or of all. */
struct lsi_calls {
	alignas(LSI_CACHE_LINE) uint64_t call[3]; /* of one of them */
	bool differ;                              /* some members make another call */
	bool are_busy, in_place, separate;        /* so are some; separate: not in place */
	bool moved;                               /* some buffers may not be those of the last call */
};

struct lsi_group {
	struct lsi_group *next; /* in ls_machine.groups */
	const ls_topology *topology;
	ls_topology *owned; /* the topology if the group made it, else NULL */
	int64_t size;
	int64_t *member;                      /* machine ranks, by rank; NULL: the same ranks */
	int64_t locals;                       /* members in this process: see local_ranks.h */
	int64_t first_local;                  /* the first one, if local is NULL */
	int64_t *local;                       /* their ranks; NULL: consecutive ranks */
	struct lsi_far_group *far;            /* of a group with members in other processes */
	uint32_t context;                     /* number of the group, which its messages carry */
	enum ls_mode mode;                    /* of messages */
	bool embedded;                        /* plans are for hop mode, whatever the mode */
	struct lsi_barrier barrier;           /* ends rounds */
	struct lsi_barrier split_barrier;     /* separates the phases of a split */
	struct lsi_work_sharing work_sharing; /* executes collective calls */
	struct lsi_shard *shards;             /* of barrier and work_sharing; NULL: few members */
	struct lsi_split_offer *offers;       /* one per member */
	struct lsi_member_call *member_calls; /* one per member */
	struct lsi_calls *worker_calls;       /* fibers: one per worker; else NULL */
	struct lsi_arena_source plan_memory;  /* of the compiled plans of all members */
	bool is_new;                          /* no leader has read worker_calls in this run */
	LSI_ATOMIC(uint32_t) member_left;     /* ARRIVE: 1 when a member has left */
	LSI_ATOMIC(int64_t) handles;          /* HANDLES: the last handle frees the group */
	LSI_ATOMIC(struct lsi_plan_cache *) plan_cache; /* PLANS: release -> acquire in an RCU lookup */
	void (*destroy_plan_cache)(struct lsi_group *); /* set with the first plan */
	void *cooperative_state;                   /* of the cooperative engine; its leader uses it */
	void (*destroy_cooperative_state)(void *); /* set together with it */
};

/* ---- Nodes */

/* The number of calls that a handle records; a failed run searches them for calls that differ. */
enum { LSI_CALLS_RECORDED = 16 };

struct ls_node {
	struct lsi_node_state *self;
	struct lsi_group *group;
	int64_t rank;      /* in the group */
	int64_t round;     /* of the group, from 1 */
	uint32_t sequence; /* number of the last collective call in the group */
	int64_t last_root; /* of the last call whose engine depends on a change of the root */
	void *call_cache;  /* lib/call's caches for this handle */
	void (*destroy_call_cache)(void *call_cache);
	struct ls_node *next;                           /* the next handle of the node */
	uint64_t recorded_calls[LSI_CALLS_RECORDED][3]; /* by sequence number */
};

/* A call that returned an error without stopping the machine; status LS_OK: none. */
struct lsi_refused_call {
	int status;
	char reason[200];
};

/* The fiber of a node. */
struct lsi_fiber {
	struct lsi_fiber_link link;
	struct lsi_context context;
	/* Hints: what it reads first after its last wait, and the channel that it may use next. */
	struct lsi_view first_read[2];
	const struct lsi_channel *next_channel;
};

struct lsi_node_state {
	/* Both words must be in the first line: lsi_node_of_parking. */
	alignas(LSI_CACHE_LINE) struct lsi_parking parking;
	struct lsi_parking local_parking; /* fibers: for waits that only a node of its worker ends */
	LSI_ATOMIC(uint32_t) ended; /* ENDED: 1 when the node reads no memory of other nodes any more */
	LSI_ATOMIC(uint32_t) buffers_in_use; /* 1: stopped, but another node still uses its buffers */
	LSI_ATOMIC(uint32_t) gone; /* GONE: 1 when the node has left a machine that is still running */

	struct lsi_fiber fiber; /* if the node is one */

	alignas(LSI_CACHE_LINE) struct ls_machine *machine;
	struct lsi_worker *worker; /* of an attached node only `finished` is used */
	int64_t rank;
	uint32_t core;                         /* index of the core that the node should run on */
	LSI_ATOMIC(uint32_t) prepares_call;    /* 1: makes the flow of a plan; fiber_watch.c: a hint */
	struct lsi_work_sharing *current_work; /* the work whose units the node executes, or NULL */
	int64_t units;                         /* units of that work, taken but not yet completed */
	char *temporaries;                     /* memory for executing units */
	size_t temporary_bytes;
	int sends, receives;       /* ports in use */
	struct lsi_port *out, *in; /* arrays of options.ports */
	struct lsi_channels channels;
	int n_pending;
	struct lsi_pending_send *pending; /* at most LSI_PENDING_SENDS + options.ports, oldest first */
	struct lsi_counters count;
	const struct ls_node *call_handle;     /* of the collective call that the node is in, or NULL */
	unsigned waits;                        /* so far; some of them look for late yields */
	const struct ls_wait_state *waits_for; /* NULL: the node does not wait */
	struct ls_wait_state stopped_in;       /* *waits_for, once the machine has stopped the wait */
	struct ls_node whole;                  /* the handle of the whole machine */
	struct ls_node *left; /* handles that were left, oldest first: see lsi_group_handle_make */
	struct ls_node **left_end, *reserved; /* reserved: for the next handle, or NULL */
	int n_left;
	bool attached; /* by ls_attach */
	/* The ring of the nodes that are this thread, usually of one; see shared_threads.h. */
	struct lsi_node_state *next_of_thread;
	/* The thread waits for the end of its run number awaited_run.  fiber_watch.c: a hint. */
	LSI_ATOMIC(struct ls_machine *) awaited;
	uint32_t awaited_run;
	bool rcu_reader; /* attached with LS_ATTACH_RCU_READER */
	bool shrinks;    /* waits in ls_shrink */

	struct lsi_refused_call refused_call; /* the last one of this run */
	LSI_ATOMIC(uint32_t) reported;        /* REPORT: 1 when `error` is complete */
	struct ls_error error;                /* the first error of this node */
};

/* The node that a parking word belongs to. */
static inline struct lsi_node_state *lsi_node_of_parking(struct lsi_parking *parking)
{
	char *word = (char *)parking;

	return (struct lsi_node_state *)(void *)(word - (uintptr_t)word % LSI_CACHE_LINE);
}

/* The word that a message from `peer` wakes. */
static inline struct lsi_parking *lsi_parking_for(
	struct lsi_node_state *node, const struct lsi_node_state *peer)
{
	return node->worker == peer->worker ? &node->local_parking : &node->parking;
}

static inline int64_t lsi_member(const struct lsi_group *group, int64_t rank)
{
	return group->member ? group->member[rank] : rank;
}

static inline struct lsi_node_state *lsi_node_of_fiber(struct lsi_fiber_link *link)
{
	char *fiber = (char *)link;

	return (struct lsi_node_state *)(void *)(fiber - offsetof(struct lsi_node_state, fiber.link));
}

/* ---- The machine */

/* What a node adds to the trace; see trace_records.h. */
enum lsi_trace_kind { LSI_TRACE_WHOLE, LSI_TRACE_SENT, LSI_TRACE_RECEIVED };
struct lsi_trace_event {
	struct ls_record record;
	int64_t message; /* its number in its mailbox */
	enum lsi_trace_kind kind;
};

/* The events of rounds that are not complete yet. */
struct lsi_trace_buffer {
	struct lsi_trace_event *event;
	size_t n, capacity;
};

/*
 * The state of a run.  A negative state is the status that stopped the machine.
 *
 *   RUNNING ---- a node reports an error ----> FAILING
 *      |                                          |
 *      '---- all nodes wait ----> DECIDING <------'     one thread finds the verdict (verdict.h)
 *                                     |
 *   ls_machine_stop, time limit ----> status        BEGINNING: lsi_run_begin; stops have no effect
 */
enum lsi_run_state { LSI_RUNNING = LS_OK, LSI_FAILING, LSI_DECIDING, LSI_BEGINNING };

/* All nodes of a run begin when the gate opens: when all their threads exist or have attached. */
enum lsi_gate { LSI_GATE_CLOSED, LSI_GATE_OPEN, LSI_GATE_CANCELLED };

struct ls_machine {
	const ls_topology *topology;
	struct ls_machine_options options;
	int64_t nodes;
	int64_t number;                  /* of the machines of its world, from 1; 0: one process */
	int64_t first_local, end_local;  /* the ranks of this process; see local_ranks.h */
	struct lsi_processes *processes; /* NULL: one process; see processes/far_nodes.h */
	uint32_t cores; /* cores that the process could use when the machine was made */
	size_t slot_bytes;
	size_t compiled_bytes_most; /* of one plan, as compiled by all nodes of the process */
	bool asymmetric;            /* the asymmetric barrier of park.h is available */
	bool exceeds_caches;        /* fibers: the memory of a worker does not fit into the caches */
	int mailbox_polls;          /* polls of a mailbox before a wait begins */
	int spins;                  /* pauses of a wait before its first yield */
	int barrier_spins;          /* pauses at a barrier where all nodes of a core have arrived */
	struct lsi_other_load other_load;
	uint64_t yield_ns_before_sleep; /* time that a wait yields before it sleeps */
	struct lsi_node_state *node_state;
	struct lsi_group whole;
	struct lsi_group *groups;      /* all other groups; protected by build_lock */
	struct lsi_registry *registry; /* all mailboxes, by pair of nodes */
	LSI_ATOMIC(uint64_t) * load;   /* per directed link (links.c); NULL: not counted */
	LSI_ATOMIC(uint32_t) contexts; /* the number of the next group */
	const char *fork_guard;        /* points to 1 here, to 0 in a child of fork */
	struct lsi_queue *records;     /* events of the trace; NULL: no trace */
	struct lsi_trace_buffer trace_buffer;
	struct lsi_trace_output trace_output;
	const struct lsi_carrier *carrier;
	struct lsi_worker *worker; /* by core, or by rank; see carrier.h */
	uint32_t workers;
	struct lsi_stacks fiber_stacks;
	uint64_t failing_since;  /* ns, of the thread that watches fibers; 0: the run does not fail */
	pthread_mutex_t control; /* taken to run, attach and change links */
	pthread_mutex_t build_lock; /* one plan or group is made at a time */
	int (*program)(ls_node *, void *);
	void *argument;
	int64_t attached;  /* number of attached nodes; protected by control */
	int64_t detaching; /* threads in ls_detach; protected by control */
	/* As above: a thread of the machine runs the attached nodes; it is ending their run now. */
	bool supervised, ends, refuses; /* refuses: a thread refuses ls_attach in all processes */
	bool running;                   /* protected by control */
	bool abandoned;  /* as above: the run has ended, but not all threads have left it */
	bool all_ended;  /* of the last run; the thread that begins or ends the run writes it */
	bool has_failed; /* the last run: messages may be left in mailboxes */
	struct ls_machine *next_linked; /* protected by the lock of shared_threads.c */
	uint64_t seen_count;            /* as above: values of park_counter */
	uint32_t seen_elsewhere, seen_wakes;
	bool waits_for_first, decides;
	struct lsi_stacks stacks;
	struct ls_error verdict; /* kind LS_OK: none; see verdict.h */
	struct ls_error error;   /* of the last run */
	struct lsi_counters total;
	uint64_t deadline;  /* ns; 0: none */
	uint64_t opened_ns; /* the time when the gate opened: GATE publishes it */
	alignas(LSI_CACHE_LINE) LSI_ATOMIC(int) state;     /* STOP: enum lsi_run_state, or the reason */
	LSI_ATOMIC(uint32_t) stopping;                     /* STOP: threads in ls_machine_stop */
	LSI_ATOMIC(struct lsi_links *) links;              /* DIRECTORY: NULL: nothing is down */
	alignas(LSI_CACHE_LINE) LSI_ATOMIC(uint32_t) gate; /* GATE: enum lsi_gate */
	LSI_ATOMIC(uint32_t) runs; /* GATE: 2 x ended runs of attached nodes; + 1: see ls_detach */
	LSI_ATOMIC(uint32_t) unfinished; /* FINISHED: workers of the run, or attached nodes */
	alignas(LSI_CACHE_LINE) struct lsi_park_counter park_counter; /* of nodes, or of workers */
	/* PARK: nodes that are about to sleep, asleep or waking; of fibers only leaders of shards. */
	LSI_ATOMIC(int64_t) sleepers;
	alignas(LSI_CACHE_LINE) LSI_ATOMIC(uint32_t) departures; /* LEFT: nodes that have left */
	struct lsi_recovery recovery;
};

#endif
