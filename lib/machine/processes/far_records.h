/*
 * Records: what processes send to each other while a machine runs.  Packets carry them.
 *
 * All processes run the same version of the library on the same kind of machine, so records are
 * structs as they are in memory.  Each begins with its kind and its length; lengths are multiples
 * of 8.  The data of a message, and the offers of a split, follow their record.
 *
 *   MESSAGE      a message of a mailbox, or a part of a long one
 *   TAKEN        how many messages of a mailbox its receiver has released
 *   GONE         a node has left
 *   GATE         all members of a process have arrived at a barrier of a group, or have left it
 *   LINK_WANTED  a process wants a link changed                    to process 0
 *   LINK         change the link                                   from process 0
 *   LINK_DONE    it is changed                 to process 0, then to the process that wanted it
 *   FAILING      a node has reported an error
 *   STOP         a process has stopped for this reason
 *   RETIRED      a process takes part in no further call of all nodes
 *   QUIET        no node of the process can run                    to process 0
 *   QUERY        is that still so?                                 from process 0
 *   REPLY        it is, or it is not                               to process 0
 *   EARLY        a node has waited long enough for a verdict       to process 0
 *   VERDICT      all processes enter the verdict                   from process 0
 *   DONE         all nodes of the process have ended               to process 0
 *   END          those of all processes have ended                 from process 0
 *
 * The first seven may end the wait of a node.  The deadlock verdict counts them: none of them may
 * be under way (quiet.c).
 */
#ifndef LSI_MACHINE_FAR_RECORDS_H
#define LSI_MACHINE_FAR_RECORDS_H

#include <stdint.h>

enum lsi_record_kind {
	LSI_RECORD_MESSAGE,
	LSI_RECORD_TAKEN,
	LSI_RECORD_GONE,
	LSI_RECORD_GATE,
	LSI_RECORD_LINK_WANTED, /* to process 0 */
	LSI_RECORD_LINK,        /* from process 0 */
	LSI_RECORD_LINK_DONE,   /* to process 0, then to the process that wanted it */
	LSI_RECORDS_COUNTED,    /* those above may end waits: see quiet.c */
	LSI_RECORD_FAILING = LSI_RECORDS_COUNTED,
	LSI_RECORD_STOP,
	LSI_RECORD_RETIRED,
	LSI_RECORD_QUIET,   /* to process 0 */
	LSI_RECORD_QUERY,   /* from process 0 */
	LSI_RECORD_REPLY,   /* to process 0 */
	LSI_RECORD_EARLY,   /* to process 0 */
	LSI_RECORD_VERDICT, /* from process 0 */
	LSI_RECORD_DONE,    /* to process 0 */
	LSI_RECORD_END,     /* from process 0 */
	LSI_RECORDS
};

/* The head of every record; bytes: of the whole record, a multiple of 8. */
struct lsi_record {
	uint32_t kind, bytes;
};

/* A message, or the next part of one. */
struct lsi_message_record {
	struct lsi_record head;
	uint32_t from, to;
	uint64_t peer_head, call[3];
	uint64_t total;       /* bytes of the message */
	uint32_t round, part; /* bytes that follow */
};

/*
 * The head of the mailbox from `from` to `to`, at its receiver.  All messages before this number
 * are released; heads only grow.
 */
struct lsi_taken_record {
	struct lsi_record head;
	uint32_t from, to; /* of the messages that were taken */
	int64_t taken;
};

/* The node will send and receive nothing more. */
struct lsi_gone_record {
	struct lsi_record head;
	int64_t rank;
};

/* An arrival at a gate; offers of members follow at LSI_GATE_SPLIT. */
struct lsi_gate_record {
	struct lsi_record head;
	uint32_t context, gate; /* gate LSI_FAR_GATES: the process has left the group */
	uint64_t call[3];
	uint32_t offers, flags;
};
/* What one member offers to a split; `context` only in the second arrival. */
struct lsi_offer_record {
	int64_t rank, part, key, kind;
	uint64_t context;
};

/*
 * A change of a link.  `request` means something only to the process that wanted it, which gets it
 * back; `status` is the worst of all processes that have made the change.
 */
struct lsi_link_record {
	struct lsi_record head;
	int64_t u, v;
	uint64_t request; /* address at the process that wanted it */
	int32_t process, status;
	uint64_t up;
};

/* A record with one value, or with none. */
struct lsi_status_record {
	struct lsi_record head;
	int64_t value;
};

/* What a process knows about its nodes when none of them can run. */
struct lsi_quiet_state {
	uint64_t count, wakes; /* of the park counter */
	uint64_t linked;       /* of linked machines: see lsi_linked_are_parked */
	uint64_t sent, received;
};
/* QUIET, QUERY and REPLY; the number is that of the query. */
struct lsi_quiet_record {
	struct lsi_record head;
	struct lsi_quiet_state state;
	uint64_t is_quiet, number;
};

#endif
