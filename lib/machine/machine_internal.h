/*
 * The machine inside.
 *
 * A node is two structures: `struct lsi_node_state` is the thread with its ports, counters and
 * parking place; `struct ls_node` is a handle, the view of one group that it belongs to.  A
 * processor owns its handles; only its own thread touches what is not atomic here, but for
 * `waiting` and `report`, which others read after the machine has stopped and the thread is parked
 * or joined.
 */
#ifndef LSI_MACHINE_MACHINE_INTERNAL_H
#define LSI_MACHINE_MACHINE_INTERNAL_H

#include <pthread.h>
#include <string.h>

#include <lockstep/node.h>

#include "base/alloc.h"
#include "base/rcu.h"
#include "base/thread.h"
#include "machine/assembly.h"
#include "machine/mailbox.h"
#include "op/op_internal.h"

struct lsi_node_state;
struct lsi_links;

/* A piece of memory, by address or as an offset into a buffer; a message is a list of them. */
struct lsi_view {
	uintptr_t at;
	size_t bytes;
};

/*
 * A lent message: what its slot holds instead of bytes.  The receiver claims it before it reads; a
 * sender that must give up (the machine stopped) revokes it.  Whoever comes first wins; a sender
 * that comes second waits until the receiver, which is computing and waits for nobody, releases the
 * slot.
 */
struct lsi_lent_message {
	const struct lsi_view *views;
	struct lsi_view one;        /* views points here when there is one */
	LSI_ATOMIC(uint32_t) claim; /* LOAN: exchange (acq_rel) on both sides */
};
#define LSI_LENT_FLAG ((uint64_t)1 << 63)
enum { LSI_LENT_OPEN, LSI_LENT_CLAIMED, LSI_LENT_REVOKED };

/* The two mailboxes between this node and a peer. */
struct lsi_channel {
	int64_t peer; /* machine rank; LS_NO_RANK: empty place */
	int64_t link; /* index here, or -1: not neighbours */
	struct lsi_mailbox *out, *in;
};

/* The channels that this node uses: open addressing, private to its thread. */
struct lsi_channels {
	struct lsi_channel *place;
	size_t places, used;
};

/*
 * A message that was lent and is not known to have been read; step INT64_MAX: point-to-point, of no
 * step.
 */
struct lsi_pending_send {
	struct lsi_mailbox *box;
	uint32_t message;
	int64_t step;
};
enum { LSI_PENDING_SENDS = 64 }; /* of a collective call; beside them one for each port */

/* A message that takes a port until the round of its handle ends. */
struct lsi_port {
	const struct ls_node *node; /* the handle */
	int64_t peer;               /* machine rank */
	struct lsi_mailbox *sent;   /* NULL: received, or not put (yet) */
	uint32_t message;
};

struct lsi_counters {
	int64_t messages, words, bytes, reroutes, load, rounds;
};

struct lsi_report {
	struct lsi_queue_item item; /* first: the queue's node */
	struct ls_error error;
};

/* Trace records that the user has not seen yet. */
struct lsi_trace_buffer {
	struct ls_record *record;
	size_t n, room;
};

/* What a member tells the others of its group when it is split. */
struct lsi_split_offer {
	int64_t part, key;
	int64_t by;             /* how the group is split: equal at all */
	struct lsi_group *made; /* by the lowest rank of a part, for it */
};

/* What a member shows the others when it assembles for a collective call. */
struct lsi_shown_buffers {
	alignas(LSI_CACHE_LINE) uint64_t call[3];
	const void *input;
	void *output;
	bool busy; /* a message of its own takes a port in this round */
	bool in_place;
};

/* Calls that a node remembers, so that a failed run can tell who called something else. */
enum { LSI_CALLS_RECORDED = 16 };

struct lsi_group {
	struct lsi_group *next; /* the machine's other groups, but for the whole */
	const ls_topology *topology;
	ls_topology *owned; /* the same, when the group made it; else NULL */
	int64_t size;
	int64_t *member;              /* machine ranks in order; NULL: the identity */
	uint32_t context;             /* number that every message of the group carries */
	enum ls_mode mode;            /* of messages */
	bool embedded;                /* plans are for hop mode on the topology, whatever the mode */
	struct lsi_barrier barrier;   /* ends rounds */
	struct lsi_barrier meeting;   /* serves ls_split */
	struct lsi_assembly assembly; /* begins collective calls, or executes them */
	struct lsi_shard *shards;     /* of barrier and assembly; NULL: few members */
	struct lsi_split_offer *post; /* one a member */
	struct lsi_shown_buffers *operands;        /* one a member */
	LSI_ATOMIC(uint32_t) missing;              /* ARRIVE: some member has left */
	LSI_ATOMIC(int64_t) handles;               /* HANDLES: the last to leave frees the group */
	LSI_ATOMIC(struct lsi_plan_table *) plans; /* PLANS: release -> acquire inside an RCU lookup */
	void (*forget_plans)(struct lsi_group *);  /* set with the first plan */
	void *cooperation;                  /* the engine's: touched by who leads an assembly alone */
	void (*forget_cooperation)(void *); /* set with it */
};

struct ls_node {
	struct lsi_node_state *self;
	struct lsi_group *group;
	int64_t rank, round; /* in the group; rounds from 1 */
	uint32_t sequence;   /* collective calls made in the group */
	int64_t root;        /* of the last that runs ahead of a lasting root */
	void *call_cache;    /* what the layer above keeps for this handle */
	void (*forget)(void *call_cache);
	struct ls_node *next;                   /* the processor's other handles */
	uint64_t called[LSI_CALLS_RECORDED][3]; /* the last collective calls, by sequence number */
};

struct lsi_node_state {
	alignas(LSI_CACHE_LINE) struct lsi_parking parking;
	LSI_ATOMIC(uint32_t) ended; /* ENDED: its program; it reads nothing any more */
	LSI_ATOMIC(uint32_t) gone;  /* GONE: it has left a machine that runs */

	alignas(LSI_CACHE_LINE) struct ls_machine *machine;
	int64_t rank;
	uint32_t core;                         /* of the machine's: the core that it should run on */
	struct lsi_assembly *current_assembly; /* on units of this one, or NULL */
	int64_t units;                         /* taken, and not yet said to be done */
	char *temporaries;                     /* for them */
	size_t temporary_bytes;
	int sends, receives;       /* in rounds that have not ended */
	struct lsi_port *out, *in; /* options.ports of each */
	struct lsi_channels channels;
	int n_pending;
	struct lsi_pending_send *pending; /* LSI_PENDING_SENDS + options.ports of them, oldest first */
	struct lsi_counters count;
	const struct ls_node *calling; /* the handle of the collective call it is in */
	bool waits;
	struct ls_wait_state waiting;
	struct ls_node whole;      /* the handle of the whole machine */
	bool attached, own_reader; /* by ls_attach; LS_ATTACH_RCU_READER */
	int result;                /* what its last run came to */

	bool reported;
	struct lsi_report report;
	pthread_t thread;
};

/* Nodes begin when the gate opens: when all threads, or all attached nodes, are there. */
enum lsi_gate { LSI_GATE_CLOSED, LSI_GATE_OPEN, LSI_GATE_CANCELLED };

struct ls_machine {
	const ls_topology *topology;
	struct ls_machine_options options;
	int64_t nodes;
	uint32_t cores; /* cores, when it was made */
	size_t slot_bytes;
	bool asymmetric;
	int mailbox_polls;              /* at a mailbox before the wait proper */
	int spins;                      /* pauses before the first yield */
	int barrier_spins;              /* pauses where all of a core have arrived */
	uint64_t yield_ns_before_sleep; /* ns of yielding before sleep */
	struct lsi_node_state *node_state;
	struct lsi_group whole, *groups;     /* groups: under making */
	struct lsi_registry *registry;       /* all mailboxes, by pair */
	LSI_ATOMIC(uint64_t) * load;         /* routed, lockstep: of a directed link, see links.c */
	LSI_ATOMIC(uint32_t) contexts;       /* numbers given to groups */
	const char *fork_guard;              /* 1 here, 0 in a child of fork */
	struct lsi_queue *reports, *records; /* records: NULL, no trace */
	struct lsi_trace_buffer trace_buffer;
	pthread_mutex_t control;    /* run, attach and link changes */
	pthread_mutex_t build_lock; /* one plan or group is made at a time */
	int (*program)(ls_node *, void *);
	void *argument;
	int64_t attached; /* under control */
	bool running;     /* under control */
	struct lsi_stacks stacks;
	struct ls_error error; /* of the last run */
	struct lsi_counters total;
	uint64_t deadline; /* ns; 0: none */

	alignas(LSI_CACHE_LINE) LSI_ATOMIC(int) stopped;   /* STOP: 0, or why */
	LSI_ATOMIC(struct lsi_links *) links;              /* DIRECTORY: NULL: every wire is up */
	alignas(LSI_CACHE_LINE) LSI_ATOMIC(uint32_t) gate; /* GATE: enum lsi_gate */
	LSI_ATOMIC(uint32_t) runs;                         /* GATE: runs that have ended */
	alignas(LSI_CACHE_LINE) struct lsi_census census;
	LSI_ATOMIC(int64_t) sleepers; /* PARK: nodes that are going to sleep, asleep or waking */
};

/* A message about to be sent, or expected: which group, round and call it belongs to. */
struct lsi_envelope {
	struct ls_node *node;
	int64_t peer; /* rank in the group */
	uint64_t call[3];
	size_t words; /* elements, for the counts */
	const char *operation;
};

/* The node whose parking place it is: the first member. */
static inline struct lsi_node_state *lsi_node_of_parking(struct lsi_parking *place)
{
	return (struct lsi_node_state *)(void *)place;
}

/* ---- trace.c */

int lsi_trace_put(struct lsi_node_state *, const struct ls_record *);
/* Hand the user what is known of the rounds before this one. */
void lsi_trace_drain(struct ls_machine *, int64_t before_round);

/* ---- wait.c: waiting, stopping, the verdict */

typedef bool (*lsi_ready)(struct lsi_node_state *, void *what);

/*
 * Wait until ready(me, what); LS_OK, or why the machine stopped.  The reason is what a roll call
 * shows.
 */
int lsi_wait_until(
	struct lsi_node_state *, struct ls_wait_state reason, lsi_ready ready, void *what);
/*
 * After arriving at a barrier, before lsi_wait_until: where all nodes that run on this core wait
 * for other cores, to yield to one another is of no use, and delays the next arrival by a turn of
 * all.  Nodes outside the group may have work: who waits in a part of the machine yields at once.
 */
void lsi_barrier_spin(struct ls_node *, struct lsi_barrier *, lsi_ready ready, void *what);

/* Is the machine stopped, or are we in a child of fork?  LS_OK or the error to return. */
static inline int lsi_machine_status(const struct lsi_node_state *me)
{
	struct ls_machine *machine = me->machine;

	if (*machine->fork_guard == 0)
		return LS_ERR_FORK;
	return lsi_load(&machine->stopped, acquire); /* STOP */
}

/*
 * Report an error of this node and stop the machine; returns kind. `round` and the rest as in
 * struct ls_error.
 */
struct lsi_fault {
	int kind;
	int64_t peer, round, link;
	const char *operation;
};
int lsi_machine_fail(struct lsi_node_state *, struct lsi_fault, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* After making another node's condition true. */
void lsi_wake_node(struct ls_machine *, struct lsi_parking *);
/* The same for all members of a group. */
void lsi_wake_group(struct ls_machine *, const struct lsi_group *);
/* This node leaves a group: rounds of the others go on without it; a split cannot. */
void lsi_group_leave(struct ls_node *);
/*
 * This node leaves the machine; wakes whoever may wait for it, and pronounces the verdict if all
 * others are parked.
 */
void lsi_node_leave(struct lsi_node_state *);

static inline void lsi_mailbox_send(struct ls_machine *machine, struct lsi_mailbox *box)
{
	lsi_mailbox_put(box, machine->asymmetric);
	if (lsi_load(&box->receiver->word, seq_cst)) /* PARK */
		lsi_wake_node(machine, box->receiver);
}

static inline void lsi_mailbox_consume(struct ls_machine *machine, struct lsi_mailbox *box)
{
	lsi_mailbox_release(box, machine->asymmetric);
	if (lsi_load(&box->sender->word, seq_cst)) /* PARK */
		lsi_wake_node(machine, box->sender);
}

/* ---- channel.c */

int lsi_registry_make(struct ls_machine *);
void lsi_registry_destroy(struct ls_machine *);
void lsi_registry_reset(struct ls_machine *); /* empty every mailbox */
/* Does a mailbox hold a message?  That of the lowest round, then sender, then receiver. */
bool lsi_registry_first_unreceived(struct ls_machine *, int64_t *from, int64_t *to, int64_t *round);
/* The channel to a machine rank; NULL: no memory.  Valid until the next call. */
struct lsi_channel *lsi_channel_to(struct lsi_node_state *, int64_t peer);

/* A node waits for one of its mailboxes, or for the peer to have left. */
struct lsi_mailbox_wait {
	struct lsi_mailbox *box;
	struct lsi_node_state *peer;
};
bool lsi_mailbox_has_space(struct lsi_node_state *, void *expected);
bool lsi_mailbox_has_message(struct lsi_node_state *, void *expected);
/* The peer has left: stop the machine.  `verb`: "send to". */
int lsi_fail_peer_gone(const struct lsi_envelope *, const struct lsi_channel *, const char *verb);

/* ---- port.c: the rules of every message */

/*
 * May this node send (receive) once more in this round, over this channel?  Takes a port.  The
 * common case, a free port and a wire that is up, is decided here; everything else by the judges.
 */
int lsi_port_check_send(const struct lsi_envelope *, const struct lsi_channel *);
int lsi_port_check_receive(const struct lsi_envelope *, const struct lsi_channel *);

static inline bool lsi_port_is_simple(const struct ls_node *node, const struct lsi_channel *channel)
{
	return node->group->mode == LS_HOP && channel->link >= 0;
}

static inline int lsi_port_send(const struct lsi_envelope *e, const struct lsi_channel *channel)
{
	struct lsi_node_state *me = e->node->self;
	struct ls_machine *machine = me->machine;

	if (me->sends == machine->options.ports || !lsi_port_is_simple(e->node, channel)
		|| lsi_load(&machine->links, acquire)) /* DIRECTORY: only whether any is down */
		return lsi_port_check_send(e, channel);
	me->out[me->sends++] = (struct lsi_port){ e->node, channel->peer, NULL, 0 };
	return LS_OK;
}

static inline int lsi_port_receive(const struct lsi_envelope *e, const struct lsi_channel *channel)
{
	struct lsi_node_state *me = e->node->self;

	if (me->receives == me->machine->options.ports || !lsi_port_is_simple(e->node, channel))
		return lsi_port_check_receive(e, channel);
	me->in[me->receives++] = (struct lsi_port){ e->node, channel->peer, NULL, 0 };
	return LS_OK;
}

/* Count a message that is put. */
static inline void lsi_count_message(struct lsi_node_state *me, size_t words, size_t bytes)
{
	me->count.messages++;
	me->count.words += (int64_t)words;
	me->count.bytes += (int64_t)bytes;
	me->count.load |= me->count.load == 0;
}

/* The message that the port sends is put: count it, remember it until the round ends, trace it. */
static inline int lsi_port_sent(
	const struct lsi_envelope *e, const struct lsi_channel *channel, size_t bytes)
{
	struct lsi_node_state *me = e->node->self;
	struct lsi_port *port = &me->out[me->sends - 1];

	port->sent = channel->out;
	port->message = channel->out->tail - 1;
	lsi_count_message(me, e->words, bytes);
	if (!me->machine->records)
		return LS_OK;
	return lsi_trace_put(
		me, &(struct ls_record){ e->node->round, me->rank, channel->peer, e->words, bytes });
}

/* Lend n views, which must stay, instead of filling the slot. */
void lsi_slot_lend(struct lsi_slot *, const struct lsi_view *, size_t n);

/* Write on the slot of a message of so many bytes what it is. */
static inline void lsi_slot_write_header(const struct lsi_channel *channel, struct lsi_slot *slot,
	const struct lsi_envelope *e, size_t bytes)
{
	slot->heard = lsi_mailbox_piggyback_head(channel->in);
	slot->round = (uint32_t)e->node->round;
	/* One by one: a load of both words would wait until the first, stored just now, is in the
	 * cache. */
	slot->call[0] = e->call[0];
	lsi_compiler_barrier();
	slot->call[1] = e->call[1];
	slot->call[2] = e->call[2];
	slot->bytes = bytes;
}

/* Most bytes of a message that lies in its slot; a longer one is lent. */
static inline size_t lsi_slot_capacity(const struct lsi_mailbox *box)
{
	return box->slot_bytes - sizeof(struct lsi_slot);
}

/*
 * Fill a slot of the channel: copy n views of `bytes` in all, or lend them (views must then stay);
 * true: lent.
 */
static inline bool lsi_slot_fill(const struct lsi_channel *channel, struct lsi_slot *slot,
	const struct lsi_envelope *e, const struct lsi_view *views, size_t n, size_t bytes)
{
	char *data = (char *)(slot + 1);

	lsi_slot_write_header(channel, slot, e, bytes);
	if (bytes > lsi_slot_capacity(channel->out)) {
		lsi_slot_lend(slot, views, n);
		return true;
	}
	for (size_t i = 0; i < n; i++) {
		lsi_copy(data, (const void *)views[i].at, views[i].bytes);
		data += views[i].bytes;
	}
	return false;
}

/* Is the message of the envelope's call and round? */
static inline bool lsi_slot_matches(const struct lsi_envelope *e, const struct lsi_slot *slot)
{
	return slot->round == (uint32_t)e->node->round && slot->call[0] == e->call[0]
		&& slot->call[1] == e->call[1] && slot->call[2] == e->call[2];
}

/*
 * Is this the message that the envelope expects? LS_OK, or an error that has stopped the machine.
 */
int lsi_slot_reject(const struct lsi_envelope *, const struct lsi_slot *, size_t bytes);

static inline int lsi_slot_check(
	const struct lsi_envelope *e, const struct lsi_slot *slot, size_t bytes)
{
	if (lsi_slot_matches(e, slot) && (slot->bytes & ~LSI_LENT_FLAG) == bytes)
		return LS_OK;
	return lsi_slot_reject(e, slot, bytes);
}

/*
 * Receiver: take a lent message; false: revoked.  Sender: take it back; false: the receiver has it.
 */
bool lsi_slot_claim(struct lsi_slot *, const struct lsi_view **views);
bool lsi_slot_revoke(struct lsi_slot *);

/*
 * The bytes of a message in a slot of the channel: views into the slot or into the sender's memory;
 * false: revoked.
 */
static inline bool lsi_slot_views(const struct lsi_channel *channel, struct lsi_slot *slot,
	struct lsi_view *one, const struct lsi_view **views)
{
	lsi_mailbox_piggyback_load(channel->out, slot);
	if (slot->bytes & LSI_LENT_FLAG)
		return lsi_slot_claim(slot, views);
	*one = (struct lsi_view){ (uintptr_t)(slot + 1), (size_t)slot->bytes };
	*views = one;
	return true;
}

/* ---- round.c */

/* Forget the debts that are paid: read; the oldest of steps up to `step` that is not, or NULL. */
struct lsi_pending_send *lsi_pending_oldest(struct lsi_node_state *, int64_t step);
bool lsi_pending_was_read(struct lsi_node_state *, void *pending); /* or the receiver has left */
struct ls_wait_state lsi_pending_wait_state(
	const struct ls_node *, const struct lsi_pending_send *, const char *operation);
/*
 * Is the debt that was waited for still unpaid because the reader has left? LS_OK, or the error.
 */
int lsi_pending_check(struct ls_node *, struct lsi_pending_send *, const char *operation);
/* Wait until all debts of steps up to `step` are paid. */
int lsi_pending_wait(struct ls_node *, int64_t step, const char *operation);
void lsi_pending_add(struct lsi_node_state *, struct lsi_mailbox *, uint32_t message, int64_t step);
/* If the machine has stopped, and not in a child of fork: take back what is lent. */
void lsi_pending_cancel(struct lsi_node_state *);
/* A meeting at a barrier of the group: arrive (true: it is over), or wait until it is over. */
struct lsi_barrier_wait {
	struct lsi_barrier *barrier;
	uint32_t epoch;
};
bool lsi_barrier_wait_begin(struct ls_node *, struct lsi_barrier *, struct lsi_barrier_wait *);
bool lsi_barrier_wait_is_over(struct lsi_node_state *, void *meeting);
int lsi_barrier_wait_all(struct ls_node *, struct lsi_barrier *, const char *operation);
/* The memory of a group's barriers and operands; false: there is none. */
bool lsi_group_alloc(const struct ls_machine *, struct lsi_group *);
void lsi_group_free(struct lsi_group *);
/* Its barriers, before any member knows them. */
void lsi_group_reset(const struct ls_machine *, struct lsi_group *);
/*
 * All nodes of the group have ended the round (lockstep), or this one has (free): its books are
 * closed.
 */
int lsi_round_end_lockstep(struct ls_node *, const char *operation); /* the lockstep part of it */

/* How many of n ports are left when those of a handle are taken out. */
static inline int lsi_ports_compact(struct lsi_port *port, int n, const struct ls_node *node)
{
	int others = 0;

	for (int q = 0; q < n; q++) {
		if (port[q].node != node)
			port[others++] = port[q];
	}
	return others;
}

/* Free the ports taken in the handle's round. */
static inline void lsi_ports_release(struct ls_node *node)
{
	struct lsi_node_state *me = node->self;

	me->sends = lsi_ports_compact(me->out, me->sends, node);
	me->receives = lsi_ports_compact(me->in, me->receives, node);
}

static inline int lsi_round_end(struct ls_node *node, const char *operation)
{
	struct lsi_node_state *me = node->self;
	int failed = LS_OK;

	if (me->machine->options.rounds == LS_LOCKSTEP)
		failed = lsi_round_end_lockstep(node, operation);
	lsi_ports_release(node);
	me->count.rounds++;
	node->round++;
	return failed;
}

/* ---- assembly.c */

/*
 * Arrive at the assembly of the group with the operands that this node shows; true: it leads.
 * *epoch is for the other two.
 */
bool lsi_assembly_arrive(struct ls_node *, const struct lsi_shown_buffers *, uint32_t *epoch);
/*
 * Wait until the barrier has opened, and help: help(node) takes part in shared work.  LS_OK:
 * *verdict is the leader's; else why the machine stopped.
 */
int lsi_assembly_wait(struct ls_node *, uint32_t epoch, const char *operation,
	void (*help)(struct ls_node *), int *verdict);
/* Leader: let all go. */
void lsi_assembly_release(struct ls_node *, int verdict);
/* The units that this node took are done; the last opens the barrier. */
void lsi_assembly_finish_units(struct ls_node *);
/* The thread ends while it executes units. */
void lsi_assembly_abort(struct lsi_node_state *);

/* ---- links.c: the directory of live links */

/*
 * May a message of this node cross to `peer` now? Counts link load and re-routes in routed mode.
 */
int lsi_link_admit(const struct lsi_envelope *, const struct lsi_channel *);
void lsi_links_destroy(struct ls_machine *);

/* ---- group.c */

static inline int64_t lsi_member(const struct lsi_group *group, int64_t rank)
{
	return group->member ? group->member[rank] : rank;
}

int64_t lsi_group_rank(
	const struct lsi_group *, int64_t machine_rank); /* LS_NO_RANK: not a member */
/* The run has ended: all handles but those of the whole machine, and their groups. */
void lsi_groups_destroy(struct ls_machine *);

/* ---- explain.c */

/* A collective call begins: what it is, as its messages will say. */
static inline void lsi_call_begin(struct ls_node *node, const uint64_t call[3])
{
	uint64_t *called = node->called[node->sequence % LSI_CALLS_RECORDED];

	for (int i = 0; i < 3; i++)
		called[i] = call[i];
	node->self->calling = node;
}

static inline void lsi_call_end(struct ls_node *node)
{
	node->self->calling = NULL;
}

/*
 * The run has failed.  Nodes that called different collectives may have waited for each other,
 * left, or left messages behind, before any message showed it: then that is the error.
 */
void lsi_find_mismatch(struct ls_machine *);

/* ---- run.c: what ls_run and ls_attach have in common */

void lsi_run_begin(struct ls_machine *);
/* All nodes have ended: the first error, what was left in the mailboxes, the sums. */
void lsi_run_end(struct ls_machine *);
/* What a node does last on its own thread: nothing of it may stay lent or waited for. */
void lsi_node_finish(struct lsi_node_state *);
/* LS_OK: the nodes may begin; else why they may not. */
int lsi_gate_wait(struct ls_machine *);
/* Open the gate, or call the run off, unless somebody has called it off; true: it is open. */
bool lsi_gate_open(struct ls_machine *, enum lsi_gate);

#endif
