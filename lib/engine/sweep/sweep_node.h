/* The reference path of a sweep: one node in one step. */
#ifndef LSI_ENGINE_SWEEP_SWEEP_NODE_H
#define LSI_ENGINE_SWEEP_SWEEP_NODE_H

#include "engine/sweep/sweep_internal.h"

struct lsi_sweep_node_step {
	struct lsi_sweep_worker *worker;
	int64_t rank, step;
	struct ls_step actions, peer_actions[LS_PORTS];
	const struct ls_slice *sent[LS_PORTS]; /* by receiving port: the slice that its peer sends */
	const struct lsi_crossing *arrival[LS_PORTS]; /* the message; NULL: the peer is local */
};

/* The number of elements of data in a message. */
size_t lsi_sweep_words(const struct lsi_sweep_state *, int64_t rank, const struct ls_slice *);

/* Execute the moves of a node whose messages match, in every payload.  False: a violation. */
bool lsi_sweep_moves(const struct lsi_sweep_node_step *);
/*
 * Check, before the moves, that the blocks of each have equal lengths, as lsi_sweep_moves does.
 * Several processes must agree on a violation before they exchange messages.
 */
bool lsi_sweep_lengths_hold(const struct lsi_sweep_node_step *);
/* Copy the blocks of a message to its stream. */
void lsi_sweep_pack(const struct lsi_sweep_node_step *, const struct lsi_crossing *);

#endif
