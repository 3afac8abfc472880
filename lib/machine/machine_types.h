/*
 * Types of a running machine.
 *
 *   ls_machine ---- lsi_node_state, one per node ---- ls_node (whole), ls_node, ..
 *       |                                                 |            |
 *       +---------- lsi_group (whole), lsi_group, .. -----+------------+
 *
 * A node is two structures: `struct lsi_node_state` is the thread with its ports, counters and
 * parking word; `struct ls_node` is a handle, the view of one group that the node belongs to.  A
 * node owns its handles.  Only its own thread uses the fields of both that are not atomic.
 * Exceptions are `wait_state`, `waits` and `report`: others read them after the machine has
 * stopped and the thread is parked or joined.
 */
#ifndef LSI_MACHINE_MACHINE_TYPES_H
#define LSI_MACHINE_MACHINE_TYPES_H

#include <pthread.h>

#include <lockstep/node.h>

#include "base/alloc.h"
#include "base/rcu.h"
#include "base/thread.h"
#include "machine/assembly.h"
#include "machine/mailbox.h"
#include "machine/trace_output.h"

struct lsi_node_state;
struct lsi_links;
struct lsi_registry;

/* ---- Messages */

/* A piece of memory, by address or as an offset into a buffer.  A message is a list of them. */
struct lsi_view {
	uintptr_t at;
	size_t bytes;
};

/*
 * A lent message: the content of its slot in place of bytes.  The receiver claims it before it
 * reads; a sender that must give up (the machine stopped) revokes it.  The first of the two wins.
 * A sender that comes second waits until the receiver releases the slot; the receiver is computing
 * then and waits for no node.
 */
struct lsi_lent_message {
	const struct lsi_view *views;
	struct lsi_view one;        /* views points here when there is one */
	LSI_ATOMIC(uint32_t) claim; /* CLAIM: exchange (acq_rel) on both sides */
};
#define LSI_LENT_FLAG ((uint64_t)1 << 63)
enum { LSI_LENT_OPEN, LSI_LENT_CLAIMED, LSI_LENT_REVOKED };

/* The group, the round and the call that a message belongs to: one about to be sent or expected. */
struct lsi_envelope {
	struct ls_node *node;
	int64_t peer;     /* rank in the group */
	uint64_t call[3]; /* see envelope.h */
	size_t words;     /* elements, for the counts */
	const char *operation;
};

/* The two mailboxes between this node and a peer. */
struct lsi_channel {
	int64_t peer; /* machine rank; LS_NO_RANK: empty entry */
	int64_t link; /* index at this node, or -1: not neighbors */
	struct lsi_mailbox *out, *in;
};

/* The channels that this node uses: a hash table, private to its thread. */
struct lsi_channels {
	struct lsi_channel *entries;
	size_t capacity, used; /* capacity: a power of two */
};

/* A lent message that may not have been read yet. */
struct lsi_pending_send {
	struct lsi_mailbox *box;
	uint32_t message;
	int64_t step; /* of the plan; INT64_MAX: a point-to-point message */
};
enum { LSI_PENDING_SENDS = 64 }; /* of a collective call; one more per port */

/* A message that occupies a port until the round of its handle ends. */
struct lsi_port {
	const struct ls_node *node; /* the handle */
	int64_t peer;               /* machine rank */
	struct lsi_mailbox *sent;   /* NULL: received, or not sent yet */
	uint32_t message;
};

struct lsi_counters {
	int64_t messages, words, bytes, reroutes, load, rounds;
};

/* ---- Groups */

/* The values that a member gives to a split of its group. */
struct lsi_split_offer {
	int64_t part, key;
	int64_t kind;            /* of the split, with its argument: equal at all members */
	struct lsi_group *group; /* the new one, made by the lowest rank of its part */
};

/* The call that a member assembles for: the other members read it. */
struct lsi_member_call {
	alignas(LSI_CACHE_LINE) uint64_t call[3];
	const void *input;
	void *output;
	bool busy; /* a point-to-point message of this member occupies a port in this round */
	bool in_place;
};

struct lsi_group {
	struct lsi_group *next; /* in ls_machine.groups */
	const ls_topology *topology;
	ls_topology *owned; /* the same, when the group made it; else NULL */
	int64_t size;
	int64_t *member;                      /* machine ranks in order; NULL: the identity */
	uint32_t context;                     /* number that every message of the group carries */
	enum ls_mode mode;                    /* of messages */
	bool embedded;                        /* plans are for hop mode, whatever the mode */
	struct lsi_barrier barrier;           /* ends rounds */
	struct lsi_barrier meeting;           /* of a split */
	struct lsi_assembly assembly;         /* of collective calls */
	struct lsi_shard *shards;             /* of barrier and assembly; NULL: few members */
	struct lsi_split_offer *offers;       /* one per member */
	struct lsi_member_call *member_calls; /* one per member */
	LSI_ATOMIC(uint32_t) member_left;     /* ARRIVE: 1 when a member has left */
	LSI_ATOMIC(int64_t) handles;          /* HANDLES: the last handle frees the group */
	LSI_ATOMIC(struct lsi_plan_cache *) plan_cache; /* PLANS: release -> acquire in an RCU lookup */
	void (*destroy_plan_cache)(struct lsi_group *); /* set with the first plan */
	void *cooperation;                   /* of the cooperative engine: its leader uses it */
	void (*destroy_cooperation)(void *); /* set with it */
};

/* ---- Nodes */

/* Collective calls that a handle records, so that a failed run can find the calls that differ. */
enum { LSI_CALLS_RECORDED = 16 };

struct ls_node {
	struct lsi_node_state *self;
	struct lsi_group *group;
	int64_t rank, round; /* in the group; rounds from 1 */
	uint32_t sequence;   /* number of the last collective call in the group */
	int64_t last_root;   /* of the last call whose engine depends on a change of the root */
	void *call_cache;    /* of the layer above, for this handle */
	void (*destroy_call_cache)(void *call_cache);
	struct ls_node *next;                           /* the node's other handles */
	uint64_t recorded_calls[LSI_CALLS_RECORDED][3]; /* by sequence number */
};

struct lsi_report {
	struct lsi_queue_item item; /* first: the queue's entry */
	struct ls_error error;
};

struct lsi_node_state {
	alignas(LSI_CACHE_LINE) struct lsi_parking parking; /* first: see lsi_node_of_parking */
	LSI_ATOMIC(uint32_t) ended; /* ENDED: 1 when the program has ended; it reads nothing then */
	LSI_ATOMIC(uint32_t) gone;  /* GONE: 1 when the node has left a machine that still runs */

	alignas(LSI_CACHE_LINE) struct ls_machine *machine;
	int64_t rank;
	uint32_t core;                         /* index of the core that the node should run on */
	struct lsi_assembly *current_assembly; /* whose units the node executes, or NULL */
	int64_t units;                         /* of it: taken, and not yet reported as done */
	char *temporaries;                     /* memory for units */
	size_t temporary_bytes;
	int sends, receives;       /* ports in use */
	struct lsi_port *out, *in; /* options.ports of each */
	struct lsi_channels channels;
	int n_pending;
	struct lsi_pending_send *pending; /* LSI_PENDING_SENDS + options.ports of them, oldest first */
	struct lsi_counters count;
	const struct ls_node *call_handle; /* of the collective call that the node is in, or NULL */
	bool waits;
	struct ls_wait_state wait_state;
	struct ls_node whole;      /* the handle of the whole machine */
	bool attached, own_reader; /* by ls_attach; with LS_ATTACH_RCU_READER */
	int result;                /* of its last run */

	bool reported;
	struct lsi_report report;
	pthread_t thread;
};

/* The node that a parking word belongs to. */
static inline struct lsi_node_state *lsi_node_of_parking(struct lsi_parking *parking)
{
	return (struct lsi_node_state *)(void *)parking;
}

static inline int64_t lsi_member(const struct lsi_group *group, int64_t rank)
{
	return group->member ? group->member[rank] : rank;
}

/* ---- The machine */

/* Trace records of rounds that may still grow. */
struct lsi_trace_buffer {
	struct ls_record *record;
	size_t n, capacity;
};

/* Nodes begin when the gate opens: when all threads, or all attached nodes, have arrived. */
enum lsi_gate { LSI_GATE_CLOSED, LSI_GATE_OPEN, LSI_GATE_CANCELLED };

struct ls_machine {
	const ls_topology *topology;
	struct ls_machine_options options;
	int64_t nodes;
	uint32_t cores; /* that the process could use when the machine was made */
	size_t slot_bytes;
	bool asymmetric;                /* the asymmetric barrier of park.h is available */
	int mailbox_polls;              /* of a mailbox before a wait begins */
	int spins;                      /* pauses of a wait before its first yield */
	int barrier_spins;              /* pauses at a barrier where all nodes of a core have arrived */
	uint64_t yield_ns_before_sleep; /* of a wait */
	struct lsi_node_state *node_state;
	struct lsi_group whole, *groups;     /* groups: all others; under build_lock */
	struct lsi_registry *registry;       /* all mailboxes, by pair of nodes */
	LSI_ATOMIC(uint64_t) * load;         /* per directed link (links.c); NULL: not counted */
	LSI_ATOMIC(uint32_t) contexts;       /* the number of the next group */
	const char *fork_guard;              /* points to 1 here, to 0 in a child of fork */
	struct lsi_queue *reports, *records; /* records: NULL, no trace */
	struct lsi_trace_buffer trace_buffer;
	struct lsi_trace_output trace_output;
	pthread_mutex_t control;    /* run, attach and link changes */
	pthread_mutex_t build_lock; /* one plan or group is made at a time */
	int (*program)(ls_node *, void *);
	void *argument;
	int64_t attached; /* nodes; under control */
	bool running;     /* under control */
	struct lsi_stacks stacks;
	struct ls_error error; /* of the last run */
	struct lsi_counters total;
	uint64_t deadline; /* ns; 0: none */

	alignas(LSI_CACHE_LINE) LSI_ATOMIC(int) stopped;   /* STOP: LS_OK, or the reason */
	LSI_ATOMIC(struct lsi_links *) links;              /* DIRECTORY: NULL: every link is up */
	alignas(LSI_CACHE_LINE) LSI_ATOMIC(uint32_t) gate; /* GATE: enum lsi_gate */
	LSI_ATOMIC(uint32_t) runs;                         /* GATE: runs that have ended */
	alignas(LSI_CACHE_LINE) struct lsi_census census;
	LSI_ATOMIC(int64_t) sleepers; /* PARK: nodes that are about to sleep, asleep or waking */
};

#endif
