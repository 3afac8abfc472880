/*
 * The machine inside.
 *
 * A node is two structures: `struct ls_processor` is the thread with its ports, counters and
 * parking place; `struct ls_node` is a handle, the view of one group that it belongs to.  A
 * processor owns its handles; only its own thread touches what is not atomic here, but for
 * `waiting` and `report`, which others read after the machine has stopped and the thread is parked
 * or joined.
 */
#ifndef LS_MACHINE_MACHINE_H
#define LS_MACHINE_MACHINE_H

#include <pthread.h>
#include <string.h>

#include <lockstep/node.h>

#include "base/alloc.h"
#include "base/rcu.h"
#include "base/thread.h"
#include "machine/assembly.h"
#include "machine/mailbox.h"
#include "op/op.h"

struct ls_processor;
struct ls_links;

/* A piece of memory, by address or as an offset into a buffer; a message is a list of them. */
struct ls_view { uintptr_t at; size_t bytes; };

/*
 * A lent message: what its slot holds instead of bytes.  The receiver claims it before it reads; a
 * sender that must give up (the machine stopped) revokes it.  Whoever comes first wins; a sender
 * that comes second waits until the receiver, which is computing and waits for nobody, releases the
 * slot.
 */
struct ls_loan {
	const struct ls_view *views;
	struct ls_view one;               /* views points here when there is one */
	LS_ATOMIC(uint32_t) claim;        /* LOAN: exchange (acq_rel) on both sides */
};
#define LS_LENT ((uint64_t)1 << 63)
enum { LS_LOAN_OPEN, LS_LOAN_CLAIMED, LS_LOAN_REVOKED };

/* The two mailboxes between this node and a peer. */
struct ls_channel {
	int64_t peer;                     /* machine rank; LS_NOBODY: empty place */
	int64_t link;                     /* index here, or -1: not neighbours    */
	struct ls_mailbox *out, *in;
};

/* The channels that this node uses: open addressing, private to its thread. */
struct ls_channels {
	struct ls_channel *place;
	size_t places, used;
};

/*
 * A message that was lent and is not known to have been read; step INT64_MAX: point-to-point, of no
 * step.
 */
struct ls_debt { struct ls_mailbox *box; uint32_t message; int64_t step; };
enum { LS_DEBTS = 64 };                   /* of a collective call; beside them one for each port */

/* A message that takes a port until the round of its handle ends. */
struct ls_port {
	const struct ls_node *node;       /* the handle                            */
	int64_t peer;                     /* machine rank                          */
	struct ls_mailbox *sent;          /* NULL: received, or not put (yet)      */
	uint32_t message;
};

struct ls_counters { int64_t messages, words, bytes, reroutes, load, rounds; };

struct ls_report {
	struct ls_queue_item item;        /* first: the queue's node */
	struct ls_error error;
};

/* Trace records that the user has not seen yet. */
struct ls_kept { struct ls_record *record; size_t n, room; };

/* What a member tells the others of its group when it is split. */
struct ls_post {
	int64_t part, key;
	int64_t by;                       /* how the group is split: equal at all          */
	struct ls_group *made;            /* by the lowest rank of a part, for it          */
};

/* What a member shows the others when it assembles for a collective call. */
struct ls_operands {
	alignas(LS_CACHE_LINE) uint64_t call[3];
	const void *input;
	void *output;
	bool busy;                        /* a message of its own takes a port in this round   */
	bool in_place;
};

/* Calls that a node remembers, so that a failed run can tell who called something else. */
enum { LS_CALLS = 16 };

struct ls_group {
	struct ls_group *next;           /* the machine's other groups, but for the whole             */
	const ls_topology *topology;
	ls_topology *owned;              /* the same, when the group made it; else NULL               */
	int64_t size;
	int64_t *member;                 /* machine ranks in order; NULL: the identity                */
	uint32_t context;                /* number that every message of the group carries            */
	enum ls_mode mode;               /* of messages                                               */
	bool embedded;                   /* plans are for hop mode on the topology, whatever the mode */
	struct ls_barrier barrier;       /* ends rounds                                               */
	struct ls_barrier meeting;       /* serves ls_split                                           */
	struct ls_assembly assembly;     /* begins collective calls, or executes them                 */
	struct ls_shard *shards;         /* of barrier and assembly; NULL: few members                */
	struct ls_post *post;            /* one a member                                              */
	struct ls_operands *operands;    /* one a member                                              */
	LS_ATOMIC(uint32_t) missing;     /* ARRIVE: some member has left                              */
	LS_ATOMIC(int64_t) handles;      /* HANDLES: the last to leave frees the group                */
	LS_ATOMIC(struct ls_plan_table *) plans;    /* PLANS: release -> acquire inside an RCU lookup */
	void (*forget_plans)(struct ls_group *);    /* set with the first plan                        */
	void *cooperation;               /* the engine's: touched by who leads an assembly alone      */
	void (*forget_cooperation)(void *);         /* set with it                                    */
};

struct ls_node {
	struct ls_processor *self;
	struct ls_group *group;
	int64_t rank, round;              /* in the group; rounds from 1                   */
	uint32_t sequence;                /* collective calls made in the group            */
	int64_t root;                     /* of the last that runs ahead of a lasting root */
	void *memo;                       /* what the layer above keeps for this handle    */
	void (*forget)(void *memo);
	struct ls_node *next;             /* the processor's other handles                 */
	uint64_t called[LS_CALLS][3];     /* the last collective calls, by sequence number */
};

struct ls_processor {
	alignas(LS_CACHE_LINE) struct ls_parking parking;
	LS_ATOMIC(uint32_t) ended;        /* ENDED: its program; it reads nothing any more */
	LS_ATOMIC(uint32_t) gone;         /* GONE: it has left a machine that runs         */

	alignas(LS_CACHE_LINE) struct ls_machine *machine;
	int64_t rank;
	uint32_t seat;                    /* of the machine's: the core that it should run on   */
	struct ls_assembly *works;        /* on units of this one, or NULL                      */
	int64_t units;                    /* taken, and not yet said to be done                 */
	char *temporaries;                /* for them                                           */
	size_t temporary_bytes;
	int sends, receives;              /* in rounds that have not ended                 */
	struct ls_port *out, *in;         /* options.ports of each                         */
	struct ls_channels channels;
	int n_debts;
	struct ls_debt *debt;             /* LS_DEBTS + options.ports of them, oldest first */
	struct ls_counters count;
	const struct ls_node *calling;    /* the handle of the collective call it is in    */
	bool waits;
	struct ls_waiting waiting;
	struct ls_node whole;             /* the handle of the whole machine               */
	bool attached, own_reader;        /* by ls_attach; LS_ATTACH_RCU_READER            */
	int result;                       /* what its last run came to                     */

	bool reported;
	struct ls_report report;
	pthread_t thread;
};

/* Nodes begin when the gate opens: when all threads, or all attached nodes, are there. */
enum ls_gate { LS_GATE_CLOSED, LS_GATE_OPEN, LS_GATE_CALLED_OFF };

struct ls_machine {
	const ls_topology *topology;
	struct ls_machine_options options;
	int64_t nodes;
	uint32_t seats;                   /* cores, when it was made                       */
	size_t slot_bytes;
	bool asymmetric;
	int looks;                        /* at a mailbox before the wait proper           */
	int spins;                        /* pauses before the first yield                 */
	int lingers;                      /* pauses where all of a core have arrived        */
	uint64_t patience;                /* ns of yielding before sleep                   */
	struct ls_processor *processor;
	struct ls_group whole, *groups;   /* groups: under making                          */
	struct ls_registry *registry;     /* all mailboxes, by pair                        */
	LS_ATOMIC(uint64_t) *load;        /* routed, lockstep: of a directed link, see links.c */
	LS_ATOMIC(uint32_t) contexts;     /* numbers given to groups                       */
	const char *pulse;                /* 1 here, 0 in a child of fork                  */
	struct ls_queue *reports, *records;   /* records: NULL, no trace                    */
	struct ls_kept kept;
	pthread_mutex_t control;          /* run, attach and link changes                  */
	pthread_mutex_t making;           /* one plan or group is made at a time           */
	int (*program)(ls_node *, void *);
	void *argument;
	int64_t attached;                 /* under control                                 */
	bool running;                     /* under control                                 */
	struct ls_stacks stacks;
	struct ls_error error;            /* of the last run                               */
	struct ls_counters total;
	uint64_t deadline;                /* ns; 0: none                                   */

	alignas(LS_CACHE_LINE) LS_ATOMIC(int) stopped;       /* STOP: 0, or why            */
	LS_ATOMIC(struct ls_links *) links;   /* DIRECTORY: NULL: every wire is up          */
	alignas(LS_CACHE_LINE) LS_ATOMIC(uint32_t) gate;     /* GATE: enum ls_gate         */
	LS_ATOMIC(uint32_t) runs;             /* GATE: runs that have ended                */
	alignas(LS_CACHE_LINE) struct ls_census census;
	LS_ATOMIC(int64_t) sleepers;      /* PARK: nodes that are going to sleep, asleep or waking */
};

/* A message about to be sent, or expected: which group, round and call it belongs to. */
struct ls_envelope {
	struct ls_node *node;
	int64_t peer;                     /* rank in the group                             */
	uint64_t call[3];
	size_t words;                     /* elements, for the counts                      */
	const char *operation;
};

/* The node whose parking place it is: the first member. */
static inline struct ls_processor *ls_owner(struct ls_parking *place)
{
	return (struct ls_processor *)(void *)place;
}

/* ---- trace.c */

int ls_trace_put(struct ls_processor *, const struct ls_record *);
/* Hand the user what is known of the rounds before this one. */
void ls_trace_drain(struct ls_machine *, int64_t before_round);

/* ---- wait.c: waiting, stopping, the verdict */

typedef bool (*ls_ready)(struct ls_processor *, void *what);

/*
 * Wait until ready(me, what); LS_OK, or why the machine stopped.  The reason is what a roll call
 * shows.
 */
int ls_await(struct ls_processor *, struct ls_waiting reason, ls_ready ready, void *what);
/*
 * After arriving at a barrier, before ls_await: where all nodes that run on this core wait for other
 * cores, to yield to one another is of no use, and delays the next arrival by a turn of all.  Nodes
 * outside the group may have work: who waits in a part of the machine yields at once.
 */
void ls_linger(struct ls_node *, struct ls_barrier *, ls_ready ready, void *what);

/* Is the machine stopped, or are we in a child of fork?  LS_OK or the error to return. */
static inline int ls_pulse(const struct ls_processor *me)
{
	struct ls_machine *machine = me->machine;

	if (*machine->pulse == 0)
		return LS_ERR_FORK;
	return ls_load(&machine->stopped, acquire);                        /* STOP */
}

/*
 * Report an error of this node and stop the machine; returns kind. `round` and the rest as in
 * struct ls_error.
 */
struct ls_fault { int kind; int64_t peer, round, link; const char *operation; };
int ls_halt(struct ls_processor *, struct ls_fault, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* After making another node's condition true. */
void ls_rouse(struct ls_machine *, struct ls_parking *);
/* The same for all members of a group. */
void ls_rouse_group(struct ls_machine *, const struct ls_group *);
/* This node leaves a group: rounds of the others go on without it; a split cannot. */
void ls_group_leave(struct ls_node *);
/*
 * This node leaves the machine; wakes whoever may wait for it, and pronounces the verdict if all
 * others are parked.
 */
void ls_depart(struct ls_processor *);

static inline void ls_mailbox_send(struct ls_machine *machine, struct ls_mailbox *box)
{
	ls_mailbox_put(box, machine->asymmetric);
	if (ls_load(&box->receiver->word, seq_cst))                        /* PARK */
		ls_rouse(machine, box->receiver);
}

static inline void ls_mailbox_done(struct ls_machine *machine, struct ls_mailbox *box)
{
	ls_mailbox_release(box, machine->asymmetric);
	if (ls_load(&box->sender->word, seq_cst))                          /* PARK */
		ls_rouse(machine, box->sender);
}

/* ---- channel.c */

int ls_registry_make(struct ls_machine *);
void ls_registry_destroy(struct ls_machine *);
void ls_registry_reset(struct ls_machine *);               /* empty every mailbox */
/* Does a mailbox hold a message?  That of the lowest round, then sender, then receiver. */
bool ls_registry_untaken(struct ls_machine *, int64_t *from, int64_t *to, int64_t *round);
/* The channel to a machine rank; NULL: no memory.  Valid until the next call. */
struct ls_channel *ls_channel_to(struct ls_processor *, int64_t peer);

/* A node waits for one of its mailboxes, or for the peer to have left. */
struct ls_expected { struct ls_mailbox *box; struct ls_processor *peer; };
bool ls_has_room(struct ls_processor *, void *expected);
bool ls_has_message(struct ls_processor *, void *expected);
/* The peer has left: stop the machine.  `verb`: "send to". */
int ls_left(const struct ls_envelope *, const struct ls_channel *, const char *verb);

/* ---- port.c: the rules of every message */

/*
 * May this node send (receive) once more in this round, over this channel?  Takes a port.  The
 * common case, a free port and a wire that is up, is decided here; everything else by the judges.
 */
int ls_port_judge_send(const struct ls_envelope *, const struct ls_channel *);
int ls_port_judge_receive(const struct ls_envelope *, const struct ls_channel *);

static inline bool ls_port_plain(const struct ls_node *node, const struct ls_channel *channel)
{
	return node->group->mode == LS_HOP && channel->link >= 0;
}

static inline int ls_port_send(const struct ls_envelope *e, const struct ls_channel *channel)
{
	struct ls_processor *me = e->node->self;
	struct ls_machine *machine = me->machine;

	if (me->sends == machine->options.ports || !ls_port_plain(e->node, channel)
		|| ls_load(&machine->links, acquire))              /* DIRECTORY: only whether any is down */
		return ls_port_judge_send(e, channel);
	me->out[me->sends++] = (struct ls_port){ e->node, channel->peer, NULL, 0 };
	return LS_OK;
}

static inline int ls_port_receive(const struct ls_envelope *e, const struct ls_channel *channel)
{
	struct ls_processor *me = e->node->self;

	if (me->receives == me->machine->options.ports || !ls_port_plain(e->node, channel))
		return ls_port_judge_receive(e, channel);
	me->in[me->receives++] = (struct ls_port){ e->node, channel->peer, NULL, 0 };
	return LS_OK;
}

/* Count a message that is put. */
static inline void ls_count_message(struct ls_processor *me, size_t words, size_t bytes)
{
	me->count.messages++;
	me->count.words += (int64_t)words;
	me->count.bytes += (int64_t)bytes;
	me->count.load |= me->count.load == 0;
}

/* The message that the port sends is put: count it, remember it until the round ends, trace it. */
static inline int ls_port_sent(
	const struct ls_envelope *e, const struct ls_channel *channel, size_t bytes)
{
	struct ls_processor *me = e->node->self;
	struct ls_port *port = &me->out[me->sends - 1];

	port->sent = channel->out;
	port->message = channel->out->tail - 1;
	ls_count_message(me, e->words, bytes);
	if (!me->machine->records)
		return LS_OK;
	return ls_trace_put(
		me, &(struct ls_record){ e->node->round, me->rank, channel->peer, e->words, bytes });
}

/* Lend n views, which must stay, instead of filling the slot. */
void ls_slot_lend(struct ls_slot *, const struct ls_view *, size_t n);

/* Write on the slot of a message of so many bytes what it is. */
static inline void ls_slot_address(const struct ls_channel *channel, struct ls_slot *slot,
	const struct ls_envelope *e, size_t bytes)
{
	slot->heard = ls_mailbox_tell(channel->in);
	slot->round = (uint32_t)e->node->round;
	/* One by one: a load of both words would wait until the first, stored just now, is in the cache. */
	slot->call[0] = e->call[0];
	ls_light();
	slot->call[1] = e->call[1];
	slot->call[2] = e->call[2];
	slot->bytes = bytes;
}

/* Most bytes of a message that lies in its slot; a longer one is lent. */
static inline size_t ls_slot_room(const struct ls_mailbox *box)
{
	return box->slot_bytes - sizeof(struct ls_slot);
}

/*
 * Fill a slot of the channel: copy n views of `bytes` in all, or lend them (views must then stay);
 * true: lent.
 */
static inline bool ls_slot_fill(const struct ls_channel *channel, struct ls_slot *slot,
	const struct ls_envelope *e, const struct ls_view *views, size_t n, size_t bytes)
{
	char *data = (char *)(slot + 1);

	ls_slot_address(channel, slot, e, bytes);
	if (bytes > ls_slot_room(channel->out)) {
		ls_slot_lend(slot, views, n);
		return true;
	}
	for (size_t i = 0; i < n; i++) {
		ls_copy(data, (const void *)views[i].at, views[i].bytes);
		data += views[i].bytes;
	}
	return false;
}

/* Is the message of the envelope's call and round? */
static inline bool ls_slot_matches(const struct ls_envelope *e, const struct ls_slot *slot)
{
	return slot->round == (uint32_t)e->node->round && slot->call[0] == e->call[0]
		&& slot->call[1] == e->call[1] && slot->call[2] == e->call[2];
}

/*
 * Is this the message that the envelope expects? LS_OK, or an error that has stopped the machine.
 */
int ls_slot_reject(const struct ls_envelope *, const struct ls_slot *, size_t bytes);

static inline int ls_slot_check(
	const struct ls_envelope *e, const struct ls_slot *slot, size_t bytes)
{
	if (ls_slot_matches(e, slot) && (slot->bytes & ~LS_LENT) == bytes)
		return LS_OK;
	return ls_slot_reject(e, slot, bytes);
}

/*
 * Receiver: take a lent message; false: revoked.  Sender: take it back; false: the receiver has it.
 */
bool ls_slot_claim(struct ls_slot *, const struct ls_view **views);
bool ls_slot_revoke(struct ls_slot *);

/*
 * The bytes of a message in a slot of the channel: views into the slot or into the sender's memory;
 * false: revoked.
 */
static inline bool ls_slot_open(const struct ls_channel *channel, struct ls_slot *slot,
	struct ls_view *one, const struct ls_view **views)
{
	ls_mailbox_hear(channel->out, slot);
	if (slot->bytes & LS_LENT)
		return ls_slot_claim(slot, views);
	*one = (struct ls_view){ (uintptr_t)(slot + 1), (size_t)slot->bytes };
	*views = one;
	return true;
}

/* ---- round.c */

/* Forget the debts that are paid: read; the oldest of steps up to `step` that is not, or NULL. */
struct ls_debt *ls_unpaid(struct ls_processor *, int64_t step);
bool ls_was_read(struct ls_processor *, void *debt);               /* or the receiver has left */
struct ls_waiting ls_debt_reason(
	const struct ls_node *, const struct ls_debt *, const char *operation);
/*
 * Is the debt that was waited for still unpaid because the reader has left? LS_OK, or the error.
 */
int ls_debt_check(struct ls_node *, struct ls_debt *, const char *operation);
/* Wait until all debts of steps up to `step` are paid. */
int ls_settle(struct ls_node *, int64_t step, const char *operation);
void ls_owe(struct ls_processor *, struct ls_mailbox *, uint32_t message, int64_t step);
/* If the machine has stopped, and not in a child of fork: take back what is lent. */
void ls_revoke(struct ls_processor *);
/* A meeting at a barrier of the group: arrive (true: it is over), or wait until it is over. */
struct ls_meeting { struct ls_barrier *barrier; uint32_t epoch; };
bool ls_meeting_arrive(struct ls_node *, struct ls_barrier *, struct ls_meeting *);
bool ls_meeting_over(struct ls_processor *, void *meeting);
int ls_meet(struct ls_node *, struct ls_barrier *, const char *operation);
/* The memory of a group's barriers and operands; false: there is none. */
bool ls_group_equip(const struct ls_machine *, struct ls_group *);
void ls_group_strip(struct ls_group *);
/* Its barriers, before any member knows them. */
void ls_group_reset(const struct ls_machine *, struct ls_group *);
/*
 * All nodes of the group have ended the round (lockstep), or this one has (free): its books are
 * closed.
 */
int ls_round_settle(struct ls_node *, const char *operation);    /* the lockstep part of it */

/* How many of n ports are left when those of a handle are taken out. */
static inline int ls_ports_left(struct ls_port *port, int n, const struct ls_node *node)
{
	int others = 0;

	for (int q = 0; q < n; q++) {
		if (port[q].node != node)
			port[others++] = port[q];
	}
	return others;
}

/* Free the ports taken in the handle's round. */
static inline void ls_ports_free(struct ls_node *node)
{
	struct ls_processor *me = node->self;

	me->sends = ls_ports_left(me->out, me->sends, node);
	me->receives = ls_ports_left(me->in, me->receives, node);
}

static inline int ls_round_close(struct ls_node *node, const char *operation)
{
	struct ls_processor *me = node->self;
	int failed = LS_OK;

	if (me->machine->options.rounds == LS_LOCKSTEP)
		failed = ls_round_settle(node, operation);
	ls_ports_free(node);
	me->count.rounds++;
	node->round++;
	return failed;
}

/* ---- assembly.c */

/*
 * Arrive at the assembly of the group with the operands that this node shows; true: it leads.  *epoch
 * is for the other two.
 */
bool ls_assemble(struct ls_node *, const struct ls_operands *, uint32_t *epoch);
/*
 * Wait until the barrier has opened, and help: help(node) takes part in shared work.  LS_OK: *verdict
 * is the leader's; else why the machine stopped.
 */
int ls_assembly_await(struct ls_node *, uint32_t epoch, const char *operation,
	void (*help)(struct ls_node *), int *verdict);
/* Leader: let all go. */
void ls_assembly_dismiss(struct ls_node *, int verdict);
/* The units that this node took are done; the last opens the barrier. */
void ls_assembly_settle(struct ls_node *);
/* The thread ends while it executes units. */
void ls_assembly_abandon(struct ls_processor *);

/* ---- links.c: the directory of live links */

/*
 * May a message of this node cross to `peer` now? Counts link load and re-routes in routed mode.
 */
int ls_route(const struct ls_envelope *, const struct ls_channel *);
void ls_links_destroy(struct ls_machine *);

/* ---- group.c */

static inline int64_t ls_member(const struct ls_group *group, int64_t rank)
{
	return group->member ? group->member[rank] : rank;
}

int64_t ls_group_rank(const struct ls_group *, int64_t machine_rank);  /* LS_NOBODY: not a member */
/* The run has ended: all handles but those of the whole machine, and their groups. */
void ls_groups_destroy(struct ls_machine *);

/* ---- explain.c */

/* A collective call begins: what it is, as its messages will say. */
static inline void ls_call_begin(struct ls_node *node, const uint64_t call[3])
{
	uint64_t *called = node->called[node->sequence % LS_CALLS];

	for (int i = 0; i < 3; i++)
		called[i] = call[i];
	node->self->calling = node;
}

static inline void ls_call_end(struct ls_node *node)
{
	node->self->calling = NULL;
}

/*
 * The run has failed.  Nodes that called different collectives may have waited for each other,
 * left, or left messages behind, before any message showed it: then that is the error.
 */
void ls_explain(struct ls_machine *);

/* ---- run.c: what ls_run and ls_attach have in common */

void ls_run_begin(struct ls_machine *);
/* All nodes have ended: the first error, what was left in the mailboxes, the sums. */
void ls_run_end(struct ls_machine *);
/* What a node does last on its own thread: nothing of it may stay lent or waited for. */
void ls_finish(struct ls_processor *);
/* LS_OK: the nodes may begin; else why they may not. */
int ls_gate_wait(struct ls_machine *);
/* Open the gate, or call the run off, unless somebody has called it off; true: it is open. */
bool ls_gate_open(struct ls_machine *, enum ls_gate);

#endif
