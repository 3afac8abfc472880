/*
 * Channels: the mailboxes of a pair of nodes, made on first use.
 *
 * The registry holds every mailbox of the machine by its pair (from, to).  A node looks a peer up
 * in it once; from then on it finds the channel in a table of its own.
 */
#ifndef LSI_MACHINE_CHANNEL_H
#define LSI_MACHINE_CHANNEL_H

#include "machine/machine_types.h"

int lsi_registry_make(struct ls_machine *);
void lsi_registry_destroy(struct ls_machine *);
void lsi_registry_reset(struct ls_machine *); /* empty every mailbox */

/* A message that is still in a mailbox: of the lowest round, then sender, then receiver. */
bool lsi_registry_first_unreceived(struct ls_machine *, int64_t *from, int64_t *to, int64_t *round);

/* The channel to a machine rank; NULL: no memory.  Valid until the next call. */
struct lsi_channel *lsi_channel_to(struct lsi_node_state *, int64_t peer);

/* ---- Conditions of a wait: the mailbox is ready, or the peer has left */

struct lsi_mailbox_wait {
	struct lsi_mailbox *box;
	struct lsi_node_state *peer;
};
bool lsi_mailbox_has_space(struct lsi_node_state *, void *mailbox_wait);
bool lsi_mailbox_has_message(struct lsi_node_state *, void *mailbox_wait);

#endif
