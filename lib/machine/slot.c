/*
 * Zero-copy messages, and messages that are not the expected ones.
 *
 *   slot    header | bytes ...                      a short message
 *           header | struct lsi_zero_copy_message   a long one: its views point into the memory of
 *                                                   the sender
 */
#include "machine/slot.h"

#include "machine/channel.h"
#include "machine/envelope.h"
#include "machine/verdict.h"

/* ---- Zero-copy messages */

static struct lsi_zero_copy_message *zero_copy_message_of(struct lsi_slot *slot)
{
	return (struct lsi_zero_copy_message *)(void *)(slot + 1);
}

void lsi_slot_write_views(struct lsi_slot *slot, const struct lsi_view *views, size_t n)
{
	struct lsi_zero_copy_message *m = zero_copy_message_of(slot);

	slot->bytes |= LSI_ZERO_COPY_FLAG;
	m->one = views[0];
	m->views = n == 1 ? &m->one : views;
	lsi_store(&m->claim, LSI_ZERO_COPY_OPEN, relaxed); /* published with the slot */
}

bool lsi_slot_claim(struct lsi_slot *slot, const struct lsi_view **views)
{
	struct lsi_zero_copy_message *m = zero_copy_message_of(slot);

	*views = m->views;

	const uint32_t before = lsi_exchange(&m->claim, LSI_ZERO_COPY_CLAIMED, acq_rel); /* CLAIM */

	return before == LSI_ZERO_COPY_OPEN;
}

bool lsi_slot_revoke(struct lsi_slot *slot)
{
	return lsi_exchange(&zero_copy_message_of(slot)->claim, LSI_ZERO_COPY_REVOKED, acq_rel)
		== LSI_ZERO_COPY_OPEN; /* CLAIM */
}

/* ---- A message that is not the expected one */

/* The first difference that applies: an older round, another call, a later round, another size. */
int lsi_slot_reject(const struct lsi_envelope *e, const struct lsi_slot *slot, size_t bytes)
{
	struct lsi_node_state *me = e->node->self;
	const int64_t peer = lsi_member(e->node->group, e->peer), round = e->node->round;
	const int32_t late = (int32_t)(slot->round - (uint32_t)round);
	const bool same_group = (uint32_t)slot->call[0] == (uint32_t)e->call[0];
	const struct lsi_call_text mine = lsi_call_describe(e->call),
							   theirs = lsi_call_describe(slot->call);
	struct lsi_message_error error =
		lsi_message_error_of(e, lsi_channel_to(me, peer), peer, LSI_RULE_CALL, false);

	error.other = round + late;
	error.count = (int64_t)(slot->bytes & ~LSI_ZERO_COPY_FLAG);
	error.limit = (int64_t)bytes;
	error.name = "bytes";
	if (same_group && late < 0) {
		error.rule = LSI_RULE_LATE;
	} else if (memcmp(slot->call, e->call, sizeof slot->call) != 0) {
		error.name = mine.text;
		error.peer_name = theirs.text;
	} else if (late > 0) {
		error.rule = LSI_RULE_ROUND;
	} else {
		/* All nodes are in one call, but the envelope does not hold the lengths of blocks. */
		error.rule = lsi_call_is_collective(e->call) ? LSI_RULE_LENGTHS : LSI_RULE_SIZE;
	}
	return lsi_message_fail(me, &error);
}
