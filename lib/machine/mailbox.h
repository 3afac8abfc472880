/*
 * Mailbox: bounded FIFO from one node to another.  One sender and one receiver, fixed for life.
 *
 *   tail       messages put so far       the sender's own
 *   head       messages released so far  written by the receiver, read by the sender
 *   sequence   of slot i: k + 1 once message k (k mod slots == i) is complete in it
 *   peer_head  in a slot: the sender's head of the mailbox in the other direction, when the message
 *              was put
 *
 * A message lies in its slot; a short one shares a cache line with its sequence number.  The
 * receiver works on it in place and releases it afterwards.  So head tells the sender which
 * messages are finished, not only which were taken.  An answer carries the same number as its
 * peer_head, in a line that is read anyway: nodes that exchange messages never read each other's
 * head.
 *
 * Invariant  0 <= tail - head <= slots, as an unsigned difference: counters wrap, and slots is a
 *            power of two.  Slot i & mask belongs to the receiver while head <= i < tail, else to
 *            the sender.
 * Edges      FULL  put's release of sequence -> the acquire of lsi_mailbox_oldest: the message is
 *                  complete
 *            FREE  release's release of head -> the acquire of lsi_mailbox_is_consumed: the slot,
 *                  and the memory that a lent message points to, is no longer read.  Or through an
 *                  answer: its peer_head was read from the own head before FULL's release
 *            PARK  of park.h: both acquires may be a sleeper's second check
 * Progress   every function is wait-free.
 * Evidence   test/relacy/mailbox.cpp, counters starting at 2^32 - 2.
 */
#ifndef LSI_MACHINE_MAILBOX_H
#define LSI_MACHINE_MAILBOX_H

#include "machine/park.h"

enum { LSI_LINE = 64 };

/* The header of a message.  Its bytes follow, at the alignment of any C type. */
struct lsi_slot {
	alignas(16) LSI_ATOMIC(uint32_t) sequence;
	LSI_PLAIN(uint32_t) round;
	LSI_PLAIN(uint64_t) call[3]; /* see envelope.h */
	LSI_PLAIN(uint64_t) bytes;   /* with LSI_LENT_FLAG: data holds a struct lsi_lent_message */
	LSI_PLAIN(uint32_t) peer_head;
};

struct lsi_mailbox {
	alignas(LSI_LINE) LSI_PLAIN(uint32_t) tail; /* sender's line */
	LSI_PLAIN(uint32_t) head_seen;
	alignas(LSI_LINE) LSI_ATOMIC(uint32_t) head; /* receiver's line */
	alignas(LSI_LINE) uint32_t mask;             /* constant from here on */
	uint32_t slot_bytes;
	char *slots;
	struct lsi_parking *sender, *receiver;
};

static inline struct lsi_slot *lsi_mailbox_slot(const struct lsi_mailbox *box, uint32_t i)
{
	return (struct lsi_slot *)(void *)(box->slots + (size_t)(i & box->mask) * box->slot_bytes);
}

/* An empty mailbox whose counters start at `start`. */
static inline void lsi_mailbox_reset(struct lsi_mailbox *box, uint32_t start)
{
	box->tail = box->head_seen = start;
	lsi_store(&box->head, start, relaxed); /* no other node knows it yet */
	for (uint32_t i = 0; i <= box->mask; i++)
		lsi_store(&lsi_mailbox_slot(box, start + i)->sequence, start + i - box->mask,
			relaxed); /* as above */
}

/* Sender: has the receiver finished message k? */
static inline bool lsi_mailbox_is_consumed(struct lsi_mailbox *box, uint32_t k)
{
	if ((int32_t)(box->head_seen - k) <= 0)
		box->head_seen = lsi_load(&box->head, seq_cst); /* FREE, PARK */
	return (int32_t)(box->head_seen - k) > 0;
}

/* Sender: take the receiver's head from an answer, a slot of the mailbox in the other direction. */
static inline void lsi_mailbox_piggyback_load(
	struct lsi_mailbox *box, const struct lsi_slot *answer)
{
	if ((int32_t)(answer->peer_head - box->head_seen) > 0)
		box->head_seen = answer->peer_head; /* FREE, by FULL */
}

/* Receiver: its head, to piggyback on an answer. */
static inline uint32_t lsi_mailbox_piggyback_head(struct lsi_mailbox *box)
{
	return lsi_load(&box->head, relaxed); /* own word */
}

/* Sender: the slot for the next message, or NULL: full. */
static inline struct lsi_slot *lsi_mailbox_space(struct lsi_mailbox *box)
{
	if (!lsi_mailbox_is_consumed(box, box->tail - box->mask - 1))
		return NULL;
	return lsi_mailbox_slot(box, box->tail);
}

/* Sender: the message in the slot of lsi_mailbox_space is complete. */
static inline void lsi_mailbox_put(struct lsi_mailbox *box, bool asymmetric)
{
	struct lsi_slot *slot = lsi_mailbox_slot(box, box->tail);

	lsi_publish(&slot->sequence, ++box->tail, asymmetric); /* FULL */
}

/* Receiver: the oldest message, or NULL: empty. */
static inline struct lsi_slot *lsi_mailbox_oldest(struct lsi_mailbox *box)
{
	const uint32_t head = lsi_load(&box->head, relaxed); /* own word */
	struct lsi_slot *slot = lsi_mailbox_slot(box, head);

	return lsi_load(&slot->sequence, seq_cst) == head + 1 ? slot : NULL; /* FULL, PARK */
}

/*
 * Receiver: begin to fetch the line of the next message.  Its sender may have written it already.
 * Not for messages that are answered: their sender cannot be ahead, and would fetch the line back.
 */
static inline void lsi_mailbox_prefetch(const struct lsi_mailbox *box)
{
	const uint32_t head = lsi_load(&box->head, relaxed); /* own word */

	__builtin_prefetch(lsi_mailbox_slot(box, head + 1));
}

/*
 * Sender, after an answer: begin to fetch the line of the next message for writing.  The receiver
 * does not read that line before it has seen this message.  (In a mailbox of one slot it is the
 * line of this message: a fetch too early, and harmless.)
 */
static inline void lsi_mailbox_prefetch_write(const struct lsi_mailbox *box)
{
	lsi_prefetch_write(lsi_mailbox_slot(box, box->tail));
}

/* Receiver: has finished the oldest message. */
static inline void lsi_mailbox_release(struct lsi_mailbox *box, bool asymmetric)
{
	const uint32_t head = lsi_load(&box->head, relaxed); /* own word */

	lsi_publish(&box->head, head + 1, asymmetric); /* FREE */
}

#endif
