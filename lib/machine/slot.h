/*
 * The slot of a message.  The sender fills it with the bytes, or with views of its own memory (a
 * zero-copy message); the receiver checks it and reads it.
 */
#ifndef LSI_MACHINE_SLOT_H
#define LSI_MACHINE_SLOT_H

#include "machine/machine_types.h"
#include "op/op_internal.h"

/* ---- Sender */

/* Make the message zero-copy: write n views, which must stay valid, in place of its bytes. */
void lsi_slot_write_views(struct lsi_slot *, const struct lsi_view *, size_t n);
/* Revoke a zero-copy message.  False: the receiver has claimed it. */
bool lsi_slot_revoke(struct lsi_slot *);

/* Write the header of a message. */
static inline void lsi_slot_write_header(const struct lsi_channel *channel, struct lsi_slot *slot,
	const struct lsi_envelope *e, size_t bytes)
{
	slot->peer_head = lsi_mailbox_piggyback_head(channel->in);
	slot->round = (uint32_t)e->node->round;
	/*
	 * Word by word: the caller has just stored e->call[0], and a wide load of two words would wait
	 * until that store is in the cache.
	 */
	slot->call[0] = e->call[0];
	lsi_compiler_barrier();
	slot->call[1] = e->call[1];
	slot->call[2] = e->call[2];
	slot->bytes = bytes;
}

/* The maximum number of bytes in a slot; a longer message is zero-copy. */
static inline size_t lsi_slot_capacity(const struct lsi_mailbox *box)
{
	return box->sender.slot_bytes - sizeof(struct lsi_slot);
}

/*
 * Fill a slot of the channel from n views of `bytes` bytes in total.  True: the message is
 * zero-copy, and the views must stay valid until the receiver has read it.
 */
static inline bool lsi_slot_fill(const struct lsi_channel *channel, struct lsi_slot *slot,
	const struct lsi_envelope *e, const struct lsi_view *views, size_t n, size_t bytes)
{
	char *data = (char *)(slot + 1);

	lsi_slot_write_header(channel, slot, e, bytes);
	if (bytes > lsi_slot_capacity(channel->out)) {
		lsi_slot_write_views(slot, views, n);
		return true;
	}
	for (size_t i = 0; i < n; i++) {
		lsi_copy(data, (const void *)views[i].at, views[i].bytes);
		data += views[i].bytes;
	}
	return false;
}

/* ---- Receiver */

/* Does the message belong to the call and the round of the envelope? */
static inline bool lsi_slot_matches(const struct lsi_envelope *e, const struct lsi_slot *slot)
{
	return slot->round == (uint32_t)e->node->round && slot->call[0] == e->call[0]
		&& slot->call[1] == e->call[1] && slot->call[2] == e->call[2];
}

/* Stop the machine with the error of a message that is not the expected one. */
int lsi_slot_reject(const struct lsi_envelope *, const struct lsi_slot *, size_t bytes);

/* Is this the message that the envelope expects?  LS_OK, or the error that stopped the machine. */
static inline int lsi_slot_check(
	const struct lsi_envelope *e, const struct lsi_slot *slot, size_t bytes)
{
	if (lsi_slot_matches(e, slot) && (slot->bytes & ~LSI_ZERO_COPY_FLAG) == bytes)
		return LS_OK;
	return lsi_slot_reject(e, slot, bytes);
}

/* Claim a zero-copy message.  False: the sender has revoked it. */
bool lsi_slot_claim(struct lsi_slot *, const struct lsi_view **views);

/*
 * Find the bytes of a message in a slot of the channel: one view of the slot, or the views of the
 * sender's memory.  False: the sender has revoked the message.
 */
static inline bool lsi_slot_views(const struct lsi_channel *channel, struct lsi_slot *slot,
	struct lsi_view *one, const struct lsi_view **views)
{
	lsi_mailbox_piggyback_load(channel->out, slot);
	if (slot->bytes & LSI_ZERO_COPY_FLAG)
		return lsi_slot_claim(slot, views);
	*one = (struct lsi_view){ (uintptr_t)(slot + 1), (size_t)slot->bytes };
	*views = one;
	return true;
}

#endif
