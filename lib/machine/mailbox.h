/*
 * Mailbox: bounded FIFO from one node to another.  One sender and one receiver, fixed for life.
 *
 *   tail   messages put so far       the sender's own
 *   head   messages released so far  written by the receiver, read by the sender
 *   turn   of slot i: k + 1 once message k (k mod slots == i) is complete in it
 *   heard  in a slot: the sender's head, of the mailbox the other way, when the message was put
 *
 * A message lies in its slot: value and flag in one cache line when it is short.  The receiver
 * works on it in place and releases it afterwards; so the sender reads from head that a message has
 * been finished, not only that it was taken.  An answer says it too, in the line that is read
 * anyway: nodes that exchange messages never read each other's head.
 *
 * Invariant  0 <= tail - head <= slots, as an unsigned difference: counters wrap, slots is a power
 *            of two.  Slot i & mask is the receiver's while head <= i < tail, else the sender's.
 * Edges      FULL  put's release of turn -> first's acquire: the message is complete
 *            FREE  release's release of head -> room's and read's acquire: the slot, and what a
 *                  lent message points to, is no longer read.  Or by an answer: heard was read from
 *                  the own head before FULL's release of the answer
 *            PARK  of park.h: first and read may be a sleeper's second look
 * Progress   every function is wait-free.
 * Evidence   test/relacy/mailbox.cpp, counters starting at 2^32 - 2.
 */
#ifndef LSI_MACHINE_MAILBOX_H
#define LSI_MACHINE_MAILBOX_H

#include "machine/park.h"

enum { LSI_LINE = 64 };

/*
 * What stands before the bytes of a message, which begin at the alignment of any C type; words of
 * `call` say which collective it belongs to.
 */
struct lsi_slot {
	alignas(16) LSI_ATOMIC(uint32_t) turn;
	LSI_PLAIN(uint32_t) round;
	LSI_PLAIN(uint64_t) call[3];
	LSI_PLAIN(uint64_t) bytes; /* with LSI_LENT_FLAG: data holds a struct lsi_lent_message */
	LSI_PLAIN(uint32_t) heard;
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
	lsi_store(&box->head, start, relaxed); /* nobody else knows it yet */
	for (uint32_t i = 0; i <= box->mask; i++)
		lsi_store(
			&lsi_mailbox_slot(box, start + i)->turn, start + i - box->mask, relaxed); /* as above */
}

/* Sender: has message k been finished by the receiver? */
static inline bool lsi_mailbox_is_consumed(struct lsi_mailbox *box, uint32_t k)
{
	if ((int32_t)(box->head_seen - k) <= 0)
		box->head_seen = lsi_load(&box->head, seq_cst); /* FREE, PARK */
	return (int32_t)(box->head_seen - k) > 0;
}

/* Sender: the answer in this slot of the mailbox the other way says how far the receiver is. */
static inline void lsi_mailbox_piggyback_load(
	struct lsi_mailbox *box, const struct lsi_slot *answer)
{
	if ((int32_t)(answer->heard - box->head_seen) > 0)
		box->head_seen = answer->heard; /* FREE, by FULL */
}

/* Receiver: how far it is, for an answer. */
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

/* Sender: the message in the slot that room gave is complete. */
static inline void lsi_mailbox_put(struct lsi_mailbox *box, bool asymmetric)
{
	struct lsi_slot *slot = lsi_mailbox_slot(box, box->tail);

	lsi_publish(&slot->turn, ++box->tail, asymmetric); /* FULL */
}

/* Receiver: the oldest message, or NULL: empty. */
static inline struct lsi_slot *lsi_mailbox_oldest(struct lsi_mailbox *box)
{
	const uint32_t head = lsi_load(&box->head, relaxed); /* own word */
	struct lsi_slot *slot = lsi_mailbox_slot(box, head);

	return lsi_load(&slot->turn, seq_cst) == head + 1 ? slot : NULL; /* FULL, PARK */
}

/*
 * Receiver: begin to fetch the line of the next message.  Its sender may be ahead; where messages
 * are answered it cannot be, and would have to take the line back.
 */
static inline void lsi_mailbox_prefetch(const struct lsi_mailbox *box)
{
	const uint32_t head = lsi_load(&box->head, relaxed); /* own word */

	__builtin_prefetch(lsi_mailbox_slot(box, head + 1));
}

/*
 * Sender, who has been answered: begin to take back the line of the next message, which nobody
 * looks at before that of this one has been seen.  (In a mailbox of one slot it is that one's: a
 * line too soon.)
 */
static inline void lsi_mailbox_prefetch_write(const struct lsi_mailbox *box)
{
	lsi_prefetch_write(lsi_mailbox_slot(box, box->tail));
}

/* Receiver: done with the oldest message. */
static inline void lsi_mailbox_release(struct lsi_mailbox *box, bool asymmetric)
{
	const uint32_t head = lsi_load(&box->head, relaxed); /* own word */

	lsi_publish(&box->head, head + 1, asymmetric); /* FREE */
}

#endif
