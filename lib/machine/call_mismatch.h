/*
 * The record of collective calls, and the search for calls that differ between nodes.
 */
#ifndef LSI_MACHINE_CALL_MISMATCH_H
#define LSI_MACHINE_CALL_MISMATCH_H

#include "machine/machine_types.h"

/* Record a collective call that begins. */
static inline void lsi_call_begin(struct ls_node *node, const uint64_t call[3])
{
	uint64_t *recorded = node->recorded_calls[node->sequence % LSI_CALLS_RECORDED];

	for (int i = 0; i < 3; i++)
		recorded[i] = call[i];
	node->self->call_handle = node;
}

static inline void lsi_call_end(struct ls_node *node)
{
	node->self->call_handle = NULL;
}

/* A node's handle of a group; NULL: it has none. */
const struct ls_node *lsi_handle_of(
	const struct ls_machine *, int64_t rank, const struct lsi_group *);

/* A mismatch causes only some kinds of errors; the others are reported unchanged. */
bool lsi_error_may_be_mismatch(const struct ls_error *);

/* Set the error: two nodes make different calls. */
void lsi_describe_mismatch(struct ls_error *, int64_t node, const uint64_t call[3], int64_t peer,
	const uint64_t call_of_peer[3]);

/*
 * When all nodes are parked or have ended: search for nodes that made different collective calls.
 * Such nodes may wait for each other, end, or leave messages in mailboxes; then the error becomes
 * the difference of their calls.
 */
void lsi_find_mismatch(const struct ls_machine *, struct ls_error *);

#endif
