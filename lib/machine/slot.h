/*
 * The slot of a message: filled or lent by the sender, checked and opened by the receiver.
 */
#ifndef LSI_MACHINE_SLOT_H
#define LSI_MACHINE_SLOT_H

#include "machine/machine_types.h"
#include "op/op_internal.h"

/* ---- Sender */

/* Lend n views, which must stay valid, in place of filling the slot. */
void lsi_slot_lend(struct lsi_slot *, const struct lsi_view *, size_t n);
/* Take a lent message back; false: the receiver has claimed it. */
bool lsi_slot_revoke(struct lsi_slot *);

/* Write the header of a message of that many bytes. */
static inline void lsi_slot_write_header(const struct lsi_channel *channel, struct lsi_slot *slot,
	const struct lsi_envelope *e, size_t bytes)
{
	slot->peer_head = lsi_mailbox_piggyback_head(channel->in);
	slot->round = (uint32_t)e->node->round;
	/* One by one: a load of both words would wait until the first store is in the cache. */
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
 * Fill a slot of the channel: copy n views of `bytes` bytes in total, or lend them.  True: lent;
 * the views must stay valid.
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

/* ---- Receiver */

/* Does the message belong to the envelope's call and round? */
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
	if (lsi_slot_matches(e, slot) && (slot->bytes & ~LSI_LENT_FLAG) == bytes)
		return LS_OK;
	return lsi_slot_reject(e, slot, bytes);
}

/* Claim a lent message; false: the sender has revoked it. */
bool lsi_slot_claim(struct lsi_slot *, const struct lsi_view **views);

/*
 * The bytes of a message in a slot of the channel: views into the slot, or into the sender's
 * memory.  False: revoked.
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

#endif
