/*
 * Pending sends: lent messages that their receivers may not have read yet.
 *
 * The memory of a lent message is the sender's again when the receiver has released the slot.  A
 * node waits for that before it reuses the memory, at the latest at the end of its call or round.
 */
#ifndef LSI_MACHINE_PENDING_SEND_H
#define LSI_MACHINE_PENDING_SEND_H

#include "machine/machine_types.h"

void lsi_pending_add(struct lsi_node_state *, struct lsi_mailbox *, uint32_t message, int64_t step);

/* Remove the sends that were read; the oldest other one of a step <= `step`, or NULL. */
struct lsi_pending_send *lsi_pending_oldest(struct lsi_node_state *, int64_t step);

/* Wait until all sends of steps <= `step` were read. */
int lsi_pending_wait(struct ls_node *, int64_t step, const char *operation);

/* If the machine has stopped (and this is no child of fork): revoke the lent messages. */
void lsi_pending_cancel(struct lsi_node_state *);

/* ---- One wait, for a caller with a loop of its own */

bool lsi_pending_was_read(struct lsi_node_state *, void *pending); /* or the receiver has left */
struct ls_wait_state lsi_pending_wait_state(
	const struct ls_node *, const struct lsi_pending_send *, const char *operation);
/* After the wait: LS_OK when it was read, else the error that its receiver has left. */
int lsi_pending_check(struct ls_node *, struct lsi_pending_send *, const char *operation);

#endif
