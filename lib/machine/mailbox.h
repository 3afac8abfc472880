/*
 * Mailbox: a bounded FIFO queue from a fixed sender to a fixed receiver.
 *
 *   tail       messages put so far; only the sender uses it
 *   head       messages released so far; the receiver writes it, the sender reads it
 *   sequence   in slot i: k + 1 once message k is complete there (k mod slots == i)
 *   peer_head  in a slot: the head of the mailbox in the other direction, when the message was put
 *
 * tail, head and peer_head have 64 bits and never wrap.  A message may stay in its slot while the
 * other direction carries any number of messages, as those of another group do; then its peer_head
 * is old, and the sender has read a later head.  A sequence has the low 32 bits of its count.
 *
 *     0   |   1     2     3     4   |   5          message k is in slot k mod 4
 *   done  |     in the mailbox      |  next
 *         ^ head = 1                ^ tail = 5      tail - head == slots: the mailbox is full
 *
 * A message is stored in its slot; a short one shares a cache line with its sequence number.  The
 * receiver works on the message in the slot, and releases it afterwards.  So head tells the sender
 * which messages the receiver has finished, not only which it has seen.  A reply carries the same
 * number as its peer_head, in a line that is read anyway.  So nodes that exchange messages never
 * read each other's head.
 *
 * Invariant  head_seen <= head <= tail <= head_seen + slots; slots is a power of two.  While
 *            head <= i < tail the receiver may use slot i & mask, else the sender.
 * Edges      FULL  put's release of sequence -> the acquire of lsi_mailbox_oldest: the message is
 *                  complete
 *            FREE  release's release of head -> the acquire of lsi_mailbox_is_consumed: the slot,
 *                  and the memory that a zero-copy message points to, is no longer read.  Or
 *                  through a reply: its peer_head was read from the receiver's head before FULL's
 *                  release
 *            PARK  of park.h: both acquires may be a sleeper's second check
 * Progress   every function is wait-free.
 * Evidence   test/relacy/mailbox.cpp: counts from 2^32 - 2 on, replies that are 2^31 messages old
 */
#ifndef LSI_MACHINE_MAILBOX_H
#define LSI_MACHINE_MAILBOX_H

#include "machine/park.h"

enum { LSI_LINE = 64 };

/* The header of a message.  The bytes of the message follow, aligned for any C type. */
struct lsi_slot {
	alignas(16) LSI_ATOMIC(uint32_t) sequence;
	LSI_PLAIN(uint32_t) round;
	LSI_PLAIN(uint64_t) call[3]; /* see envelope.h */
	LSI_PLAIN(uint64_t) bytes;   /* LSI_ZERO_COPY_FLAG: struct lsi_zero_copy_message follows */
	LSI_PLAIN(int64_t) peer_head;
};

struct lsi_far_channel;

/*
 * What a node knows of its mailboxes to and from a peer.  It never changes.  The receiver must not
 * read it from the line of the head: the sender takes that line away each time that it looks for
 * space.
 */
struct lsi_mailbox_end {
	char *out, *in; /* the slots of both mailboxes */
	struct lsi_parking *peer;
	struct lsi_far_channel *far; /* NULL, unless the peer is in another process */
	uint32_t mask;               /* slots - 1 */
	uint32_t slot_bytes;
	bool asymmetric; /* see lsi_publish */
};

struct lsi_mailbox {
	alignas(LSI_LINE) LSI_PLAIN(int64_t) tail; /* line of the sender */
	LSI_PLAIN(int64_t) head_seen;              /* the last head that the sender has read */
	struct lsi_mailbox_end sender;
	alignas(LSI_LINE) LSI_ATOMIC(int64_t) head; /* line of the receiver */
};

/* The slot of message i that this end sends. */
static inline struct lsi_slot *lsi_mailbox_slot(const struct lsi_mailbox_end *end, int64_t i)
{
	return (struct lsi_slot *)(void *)(end->out + (size_t)(i & end->mask) * end->slot_bytes);
}

/* The slot of message i that this end receives. */
static inline struct lsi_slot *lsi_mailbox_arrival(const struct lsi_mailbox_end *end, int64_t i)
{
	return (struct lsi_slot *)(void *)(end->in + (size_t)(i & end->mask) * end->slot_bytes);
}

/* An empty mailbox whose counters start at `start`. */
static inline void lsi_mailbox_reset(struct lsi_mailbox *box, int64_t start)
{
	box->tail = box->head_seen = start;
	lsi_store(&box->head, start, relaxed); /* no other node has it yet */
	for (uint32_t i = 0; i <= box->sender.mask; i++)
		lsi_store(&lsi_mailbox_slot(&box->sender, start + i)->sequence,
			(uint32_t)start + i - box->sender.mask, relaxed); /* as above */
}

/* Sender: has the receiver released message k? */
static inline bool lsi_mailbox_is_consumed(struct lsi_mailbox *box, int64_t k)
{
	if (box->head_seen <= k)
		box->head_seen = lsi_load(&box->head, seq_cst); /* FREE, PARK */
	return box->head_seen > k;
}

/* Sender: read the head from a reply, which is a slot of the mailbox in the other direction. */
static inline void lsi_mailbox_piggyback_load(struct lsi_mailbox *box, const struct lsi_slot *reply)
{
	if (reply->peer_head > box->head_seen)
		box->head_seen = reply->peer_head; /* FREE, by FULL */
}

/* Receiver: the head, to piggyback on a reply. */
static inline int64_t lsi_mailbox_piggyback_head(struct lsi_mailbox *box)
{
	return lsi_load(&box->head, relaxed); /* only this thread writes it */
}

/* Sender: the slot for the next message.  NULL: the mailbox is full. */
static inline struct lsi_slot *lsi_mailbox_space(struct lsi_mailbox *box)
{
	if (!lsi_mailbox_is_consumed(box, box->tail - box->sender.mask - 1))
		return NULL;
	return lsi_mailbox_slot(&box->sender, box->tail);
}

/* Sender: the message in the slot of lsi_mailbox_space is complete; publish it. */
static inline void lsi_mailbox_put(struct lsi_mailbox *box, bool asymmetric)
{
	struct lsi_slot *slot = lsi_mailbox_slot(&box->sender, box->tail);

	lsi_publish(&slot->sequence, (uint32_t)++box->tail, asymmetric); /* FULL */
}

/* Receiver: the slot of the next message, which need not be there yet. */
static inline const struct lsi_slot *lsi_mailbox_next(
	const struct lsi_mailbox *box, const struct lsi_mailbox_end *mine)
{
	return lsi_mailbox_arrival(mine, lsi_load(&box->head, relaxed)); /* only this thread */
}

/* Receiver: the oldest message.  NULL: the mailbox is empty. */
static inline struct lsi_slot *lsi_mailbox_oldest(
	struct lsi_mailbox *box, const struct lsi_mailbox_end *mine)
{
	const int64_t head = lsi_load(&box->head, relaxed); /* only this thread writes it */
	struct lsi_slot *slot = lsi_mailbox_arrival(mine, head);

	return lsi_load(&slot->sequence, seq_cst) == (uint32_t)head + 1 ? slot : NULL; /* FULL, PARK */
}

/*
 * Receiver: begin to fetch the line of the next message, which the sender may have written already.
 * Do not call it where each message is answered: then the sender has not written that line yet, and
 * would have to fetch it back.
 */
static inline void lsi_mailbox_prefetch(
	const struct lsi_mailbox *box, const struct lsi_mailbox_end *mine)
{
	const int64_t head = lsi_load(&box->head, relaxed); /* only this thread writes it */

	lsi_prefetch(lsi_mailbox_arrival(mine, head + 1));
}

/*
 * Sender, after a reply: begin to fetch the line of the next message for writing.  The receiver
 * does not read that line before it has seen the last message.  (A mailbox of one slot has only one
 * line: then the fetch is too early, which does no harm.)
 */
static inline void lsi_mailbox_prefetch_write(const struct lsi_mailbox *box)
{
	lsi_prefetch_write(lsi_mailbox_slot(&box->sender, box->tail));
}

/* Receiver: release the oldest message. */
static inline void lsi_mailbox_release(struct lsi_mailbox *box, bool asymmetric)
{
	const int64_t head = lsi_load(&box->head, relaxed); /* only this thread writes it */

	lsi_publish_count(&box->head, head + 1, asymmetric); /* FREE */
}

#endif
