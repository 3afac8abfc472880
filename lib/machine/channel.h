/*
 * Channels: the two mailboxes between a pair of nodes, made on first use.
 *
 * The registry holds every mailbox of the machine by its pair (from, to).  A node searches the
 * registry for a peer once; later it finds the channel in its own table.
 */
#ifndef LSI_MACHINE_CHANNEL_H
#define LSI_MACHINE_CHANNEL_H

#include "machine/machine_types.h"

int lsi_registry_make(struct ls_machine *);
void lsi_registry_destroy(struct ls_machine *);
void lsi_registry_reset(struct ls_machine *); /* empty every mailbox */

/* Find a message that is still in a mailbox: the one of the lowest round, sender and receiver. */
bool lsi_registry_first_unreceived(struct ls_machine *, int64_t *from, int64_t *to, int64_t *round);

/*
 * The mailboxes of a pair, made by the first of its two nodes that needs them: from low to high,
 * then from high to low.  NULL: no memory.
 */
struct lsi_mailbox *lsi_mailboxes_of(struct ls_machine *, int64_t low, int64_t high);

/* The channel to a machine rank; NULL: no memory.  Valid until the next call. */
struct lsi_channel *lsi_channel_to(struct lsi_node_state *, int64_t peer);

/* The node uses a channel now: remember it as the one that followed the last one. */
void lsi_channel_note_use(struct lsi_channels *, const struct lsi_channel *);
/* The channel that the node may use next; a hint, which may be an empty entry. */
static inline const struct lsi_channel *lsi_channel_likely_next(const struct lsi_channels *channels)
{
	return &channels->entries[channels->entries[channels->last].next];
}

/* Begin to fetch the memory that a message over the channel and the answer to it use first. */
void lsi_channel_prefetch(const struct ls_machine *, const struct lsi_channel *);

/* ---- Conditions of a wait: the mailbox is ready, or the peer has left */

struct lsi_mailbox_wait {
	struct lsi_mailbox *box;
	const struct lsi_mailbox_end *mine;
	struct lsi_node_state *peer;
};
bool lsi_mailbox_has_space(struct lsi_node_state *, void *mailbox_wait);
bool lsi_mailbox_has_message(struct lsi_node_state *, void *mailbox_wait);

#endif
