/*
 * Pending sends: zero-copy messages that their receivers may not have read yet.
 *
 * The sender may write to the memory of a zero-copy message again when the receiver has released
 * the slot.  A node waits for that before it reuses the memory, at the latest at the end of its
 * call or round.
 */
#ifndef LSI_MACHINE_PENDING_SEND_H
#define LSI_MACHINE_PENDING_SEND_H

#include "machine/machine_types.h"

void lsi_pending_add(struct lsi_node_state *, struct lsi_mailbox *, int64_t message, int64_t step);

/* Remove the sends that were read; return the oldest one left of a step <= `step`, or NULL. */
struct lsi_pending_send *lsi_pending_oldest(struct lsi_node_state *, int64_t step);

/* Wait until all sends of steps <= `step` were read. */
int lsi_pending_wait(struct ls_node *, int64_t step, const char *operation);

/*
 * If the machine has stopped, and this is no child of fork: revoke the pending sends, and wait for
 * receivers that are reading.
 */
void lsi_pending_cancel(struct lsi_node_state *);

/* ---- The wait for one pending send, for a caller that has its own loop */

/* A condition for lsi_wait_until: the message was read, or its receiver has left. */
bool lsi_pending_was_read(struct lsi_node_state *, void *pending);
struct ls_wait_state lsi_pending_wait_state(
	const struct ls_node *, const struct lsi_pending_send *, const char *operation);
/* After the wait: LS_OK if the message was read, else report that its receiver has left. */
int lsi_pending_check(struct ls_node *, struct lsi_pending_send *, const char *operation);

#endif
