/*
 * The communication of a machine over processes.
 *
 * Local nodes announce work to the communication thread by news: a mailbox that has changed, a node
 * that has left, a barrier at which all local members have arrived.  The thread turns news into
 * records, collects the records for each process in packets, and sends these.
 *
 * The order of records between two processes is the order of packets.  In a turn the thread first
 * passes all messages and acknowledgements of mailboxes, then arrivals at barriers.  So when the
 * end of a round arrives, all messages of the round and all acknowledgements have arrived before.
 *
 * Only the communication thread uses what is not atomic here, except before and after a run.  The
 * lock `turn` makes a thread the communication thread: a node that waits may be it for a moment.
 *
 * Edges  NEWS     the exchange of `listed`, or the push to `newest` -> the thread that takes them
 *        SLEEP    a push, then the load of `asleep`, against asleep := 1, then the load of `newest`
 *        COMPUTE  of computing.h
 */
#ifndef LSI_MACHINE_FAR_INTERNAL_H
#define LSI_MACHINE_FAR_INTERNAL_H

#include "machine/carrier.h"
#include "machine/local_ranks.h"
#include "machine/processes/far_nodes.h"
#include "machine/processes/far_records.h"
#include "world/flat_error.h"
#include "world/use.h"

enum { LSI_TAG_MACHINE = LSI_TAG_ENGINES + 1, LSI_PACKET_BYTES = 256 << 10 };

/*
 * ---- News
 *
 * Every mailbox pair, node, barrier and request has one piece of news, which is in the list at most
 * once.  The thread clears `listed` before it looks at what the news are about.  So a thread that
 * finds it set has been, or will be, noticed:
 *
 *   node                              communication thread
 *   put a message                     listed := 0
 *   exchange(listed, 1) == 1: done    take all messages that are there
 *   else push to the list
 */

enum lsi_news_kind {
	LSI_NEWS_CHANNEL,
	LSI_NEWS_GONE,
	LSI_NEWS_ARRIVED,
	LSI_NEWS_LEFT,
	LSI_NEWS_LINK
};

struct lsi_news {
	struct lsi_news *next;
	LSI_ATOMIC(uint32_t) listed; /* NEWS: 1: it is in the list */
	enum lsi_news_kind kind;
};

/* A local node, as one that leaves. */
struct lsi_gone_node {
	struct lsi_news news; /* first */
	int64_t rank;
	struct lsi_world_scope scope; /* of an attached thread */
	uint32_t refused; /* calls of ls_attach: see joint_attach.c; protected by ls_machine.control */
};

/* ---- Mailboxes between a local node and one of another process */

/* The memory of a long message, until its receiver has released it. */
struct lsi_kept_message {
	struct lsi_kept_message *next;
	int64_t number;
	struct lsi_view view;
	char data[];
};

/*
 * The two mailboxes of such a pair.  It lies behind their slots, and lives as long as they do.
 */
struct lsi_far_channel {
	struct lsi_news news; /* first */
	struct lsi_far_channel *next;
	struct lsi_mailbox *out, *in; /* of the local node */
	int64_t local, remote;        /* ranks */
	int process;                  /* of the remote node */
	int64_t passed;               /* messages of `out` that were passed on */
	int64_t acknowledged;         /* the head of `in` that the other process knows */
	size_t filled;                /* bytes of the message that arrives in parts */
	struct lsi_kept_message *arriving, *kept, *last_kept;
};

/* ---- Groups with members in several processes */

/* call[0] 0: a member has left.  number: the arrivals until then. */
struct lsi_call_arrival {
	uint64_t call[3], number;
	uint32_t flags;
};

/*
 * A barrier of a group, as the processes see it.  Every process counts the arrivals of all: its
 * own, and those of the others.  It opens its barrier for the k-th time when all have arrived k
 * times.  Another process may be one arrival ahead, never two: it needs the next arrival of this
 * one.
 */
struct lsi_far_gate {
	struct lsi_news news; /* first */
	struct lsi_far_group *group;
	enum lsi_far_gate_kind kind;
	uint64_t mine, opened; /* arrivals of this process, and openings */
	uint64_t *theirs;      /* arrivals of each process; UINT64_MAX: it has left */
	/* LSI_GATE_CALL: what each process stated when it arrived last, and this one. */
	struct lsi_call_arrival *arrival, own;
	struct lsi_far_work work;
};

/* A record that arrived before its group existed here. */
struct lsi_early_record {
	struct lsi_early_record *next;
	int from;
	alignas(8) char record[];
};

/* A message on a directed link in routed mode, in lockstep rounds: see far_load.c. */
struct lsi_hop {
	int64_t rank, peer; /* of the message */
	int64_t at, link;   /* the vertex where the link begins, and its index there */
	int64_t load;       /* messages on the link in this round, once it has ended */
	const char *operation;
};
struct lsi_hops {
	struct lsi_hop *hop;
	size_t n, capacity;
};

/*
 * A spanning group.  It is in the list of the communication thread while it has a number, and until
 * its last local member has left.  The thread holds a handle of the group meanwhile, so that it may
 * open a barrier whose members leave at once.
 */
struct lsi_far_group {
	struct lsi_news left; /* first: all local members have left */
	struct lsi_far_group *next;
	struct lsi_processes *processes;
	bool is_listed;
	struct lsi_group *group; /* NULL: not known here yet */
	uint32_t context;
	bool *has_members;           /* by process */
	LSI_ATOMIC(int64_t) staying; /* local members */
	struct lsi_far_gate gate[LSI_FAR_GATES];
	struct lsi_early_record *early, **early_end;
	struct lsi_hops hops[2]; /* of even and odd rounds; protected by lsi_processes.lock */
};

/*
 * ---- Packets
 *
 * A packet has the records of one turn for one process.  All packets have the same capacity, so
 * that those that were sent or read can be used again.  A record does not span packets; a long
 * message has several records.
 */

struct lsi_packet {
	struct lsi_packet *next;
	struct lsi_transfer transfer;
	size_t used;
	alignas(16) char data[LSI_PACKET_BYTES];
};

/* Another process. */
struct lsi_peer_process {
	struct lsi_packet *filling;               /* NULL: none */
	struct lsi_packet *first, *last;          /* under way */
	uint64_t packets;                         /* sent to it in this run */
	struct lsi_quiet_state reported, queried; /* process 0: see quiet.c */
	bool has_reported, is_done;               /* process 0 */
	bool has_retired;                         /* see far_call_gate.c */
};

/* ---- A request of a thread that is no part of the communication */

/* A call of ls_link_set, which waits. */
struct lsi_link_request {
	struct lsi_news news; /* first */
	struct lsi_link_request *next;
	int64_t u, v;
	bool up, is_made; /* is_made: this process has changed the link */
	int status;
	LSI_ATOMIC(uint32_t) done; /* ENDED: not 0: the call may return, see far_links.c */
};

/* Process 0: the change that is being made, and those that wait. */
struct lsi_queued_link {
	struct lsi_queued_link *next;
	struct lsi_link_record record;
};
struct lsi_link_changes {
	struct lsi_link_record record;
	int pending; /* processes that have not made it */
	struct lsi_queued_link *first;
};

/*
 * All of it: one per machine.  Threads of the program use what is atomic, and what `lock` protects;
 * everything else belongs to the communication thread while it runs.
 */
struct lsi_processes {
	struct ls_machine *machine;
	ls_world *world;
	int count, number; /* of processes; of this one */
	struct lsi_carrier carrier;
	const struct lsi_carrier *local; /* the carrier that wakes local nodes */
	struct lsi_peer_process *peer;   /* by process */
	int64_t *first_rank;             /* by process, and the number of nodes */
	struct lsi_gone_node *gone_node; /* by local node */
	LSI_ATOMIC(uint64_t) * gone;     /* bits by rank: GONE */
	pthread_mutex_t turn;            /* who has it is the communication thread: see communicate.c */
	pthread_mutex_t lock;            /* protects channels, requests and hops */
	struct lsi_far_channel *channels;
	struct lsi_far_group *groups;
	struct lsi_far_group *whole;
	struct lsi_far_gate *ready; /* that of a call which this thread executes next; or NULL */
	int64_t most_load;          /* of a link in a round that has ended */
	bool has_retired, early_verdict;
	struct lsi_packet *spare, *arriving; /* packets without use; the one that is received */
	struct lsi_packet waste;             /* where records go after a failure */
	int arriving_from;
	uint64_t packets_received, sent, received; /* of this run: packets; counted records */
	struct lsi_quiet_state reported;
	bool has_reported;
	uint64_t queries, replies_due;     /* process 0 */
	struct lsi_link_changes change;    /* process 0 */
	struct lsi_link_request *requests; /* protected by lock */
	bool serves;                       /* protected by lock: requests are served */
	uint64_t *counts;                  /* for sums, by process */
	pthread_t thread;
	uint32_t refusals;     /* of ls_attach in all processes; protected by ls_machine.control */
	bool joint;            /* all processes have begun a run, which they end together */
	bool ended;            /* the nodes of all processes have ended */
	bool closing;          /* the last packets are received; nothing more is sent */
	bool broken;           /* the transport or the memory has failed */
	bool thread_abandoned; /* the run ended without it; protected by ls_machine.control */
	bool all_ended;        /* at the end of the run: ls_machine.all_ended in all processes */
	bool stop_seen, stop_sent, failing_sent, is_done_sent, departures;
	struct ls_error failure; /* if broken */
	struct lsi_stop stop;    /* the others have not replied until: */
	uint64_t limit;          /* ns; 0: none */
	char operation[48];      /* of an error of another process */

	alignas(LSI_CACHE_LINE) LSI_ATOMIC(struct lsi_news *) newest; /* NEWS */
	LSI_ATOMIC(uint32_t) asleep;                                  /* SLEEP */
	LSI_ATOMIC(uint32_t) go;       /* the thread: 0: wait; 1: begin; 2: do not */
	LSI_ATOMIC(uint32_t) done;     /* 1: all local nodes have ended */
	LSI_ATOMIC(uint32_t) early;    /* 1: the verdict must come soon */
	LSI_ATOMIC(uint32_t) returned; /* FINISHED: 1: the thread has */
	LSI_ATOMIC(uint32_t) computes; /* COMPUTE: enum lsi_computing */
	LSI_ATOMIC(uint32_t) attempts; /* to refuse ls_attach in all processes, which have ended */
};

/* news.c */
void lsi_news_put(struct lsi_processes *, struct lsi_news *);
void lsi_communication_wake(struct lsi_processes *);
int lsi_process_of(const struct lsi_processes *, int64_t rank);

/* far_packets.c */
/* Room for a record of `bytes` bytes, whose head is set; bytes <= LSI_PACKET_BYTES. */
void *lsi_record_put(struct lsi_processes *, int process, enum lsi_record_kind, size_t bytes);
void lsi_record_put_all(struct lsi_processes *, enum lsi_record_kind, int64_t value);
/* Bytes that the open packet to a process still has. */
size_t lsi_packet_room(const struct lsi_processes *, int process);
bool lsi_packets_send(struct lsi_processes *);    /* true: some were sent */
bool lsi_packets_receive(struct lsi_processes *); /* true: some were received */
bool lsi_packets_are_sent(struct lsi_processes *);
void lsi_packets_free(struct lsi_processes *);
/* The transport, or the memory, has failed: stop the machine. */
void lsi_processes_break(struct lsi_processes *, int kind, const char *text);

/* far_channel.c */
void lsi_far_channel_pass(struct lsi_processes *, struct lsi_far_channel *);
void lsi_message_arrives(struct lsi_processes *, const struct lsi_message_record *);
void lsi_message_taken(struct lsi_processes *, const struct lsi_taken_record *);
void lsi_node_is_gone(struct lsi_processes *, int64_t rank);
void lsi_far_channels_stop(struct lsi_processes *);
void lsi_far_channels_free(struct lsi_processes *);

/* far_group.c */
struct lsi_far_group *lsi_far_group_alloc(struct lsi_processes *); /* NULL: no memory */
struct lsi_far_group *lsi_far_group_find(struct lsi_processes *, uint32_t context);
void lsi_far_group_add(struct lsi_processes *, struct lsi_far_group *);
void lsi_far_group_remove(struct lsi_processes *, struct lsi_far_group *);
void lsi_far_groups_reset(struct lsi_processes *); /* only the whole machine remains */
void lsi_far_group_free(struct lsi_far_group *);

/* far_gate.c */
void lsi_gate_arrived(struct lsi_processes *, struct lsi_far_gate *);
void lsi_far_group_left(struct lsi_processes *, struct lsi_far_group *);
void lsi_gate_arrives(struct lsi_processes *, int from, const struct lsi_gate_record *);
/* A gate opens: its members go on. */
void lsi_far_gate_open(struct lsi_processes *, struct lsi_far_gate *);

/* far_load.c: only if ls_machine.load counts */
void lsi_far_load_send(
	struct lsi_processes *, const struct lsi_far_group *, int process, bool leaves);
void lsi_far_load_arrives(
	struct lsi_processes *, const struct lsi_far_group *, const struct lsi_gate_record *);
/* All processes have arrived at the end of the round. */
void lsi_far_load_close(struct lsi_processes *, struct lsi_far_group *);
void lsi_far_loads_end(struct lsi_processes *);
void lsi_far_load_reset(struct lsi_far_group *);
void lsi_far_load_free(struct lsi_far_group *);

/* far_call_gate.c */
void lsi_call_arrives(struct lsi_far_gate *, int from, const struct lsi_gate_record *);
/* All have arrived: LS_OK: the call is executed; LSI_USE_MAILBOXES or LS_ERR_MISMATCH. */
int lsi_call_result(const struct lsi_processes *, const struct lsi_far_gate *, bool *in_place);
bool lsi_ready_call_execute(struct lsi_processes *); /* true: there was one */
/* From now on this process does not arrive at a call. */
void lsi_retire(struct lsi_processes *);
void lsi_retired_check(struct lsi_processes *);
/* False: it will be decided when all calls have ended. */
bool lsi_may_decide_early(struct lsi_processes *);
void lsi_calls_end(struct lsi_processes *);

/* joint_begin.c */
/*
 * As lsi_processes_begin.  With `withdraws`, the threads of nodes are attached, and this process
 * may withdraw: LSI_USE_WITHDRAWN.
 */
int lsi_joint_begin(struct lsi_processes *, int status, const struct lsi_stop *withdraws_or_null,
	struct ls_error *);

/* quiet.c */
void lsi_quiet_check(struct lsi_processes *);
void lsi_quiet_arrives(struct lsi_processes *, int from, const struct lsi_quiet_record *);
void lsi_verdict_start(struct lsi_processes *, bool early); /* process 0 */

/* joint_use.c */
/* All processes begin to run this machine: LS_OK, LSI_USE_WITHDRAWN, or the error. */
int lsi_use_begin(
	struct lsi_processes *, const struct lsi_stop *withdraws_or_null, struct ls_error *);
/* Its end. */
void lsi_use_end(struct lsi_processes *, struct ls_error *);

/* joint_error.c */
void lsi_joint_verdict(struct lsi_processes *, bool early);

/* An error of another process. */
struct ls_error lsi_joint_unflatten(struct lsi_processes *, const struct lsi_flat_error *);
/* All processes get the error of process 0; or of the first process that has one. */
void lsi_joint_broadcast(struct lsi_processes *, struct ls_error *);
void lsi_joint_first(struct lsi_processes *, struct ls_error *);

/* joint_mismatch.c */
/* All processes: search the calls of all nodes for a difference; process 0 changes the error. */
struct lsi_call_of_node {
	int64_t node, rank; /* of the machine; of the group.  node LS_NO_RANK: none */
	uint32_t context, is_known;
	uint64_t call[3];
};
void lsi_joint_mismatch(struct lsi_processes *, struct ls_error *, bool all_in_calls,
	const struct lsi_call_of_node *named);
struct lsi_call_of_node lsi_call_of(const struct ls_node *handle_or_null);

/* A call of lib/world has failed: the transport, or the others are late.  From now on: broken. */
void lsi_joint_fail(struct lsi_processes *, bool has_begun);
/* Is a call of lib/world over?  Else the same, in a run that has begun. */
bool lsi_joint_is_passed(struct lsi_processes *, int status);
/* False: the same. */
bool lsi_joint_gather(struct lsi_processes *, const void *mine, void *rows, size_t bytes);
bool lsi_joint_share(struct lsi_processes *, void *data, size_t bytes);

/* far_links.c */
void lsi_link_wanted(struct lsi_processes *, struct lsi_link_request *);
void lsi_link_arrives(struct lsi_processes *, const struct lsi_link_record *);
void lsi_links_end(struct lsi_processes *);
/* The run ends without the thread: from now on links are changed as between runs. */
void lsi_links_abandon(struct lsi_processes *);

/* communicate.c */
void *lsi_communicate(void *processes);
void lsi_communication_returns(struct lsi_processes *);
void lsi_record_arrives(struct lsi_processes *, int from, const struct lsi_record *);

#endif
