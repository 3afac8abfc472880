/*
 * The reference path of the sweep: one node in one step.
 */
#ifndef LS_ENGINE_SWEEP_NODE_H
#define LS_ENGINE_SWEEP_NODE_H

#include "engine/sweep.h"

struct ls_sweep_scene {
	struct ls_sweep_worker *worker;
	int64_t rank, step;
	struct ls_step does, peer[LS_PORTS];
	const struct ls_slice *sent[LS_PORTS];    /* to this node, on the port of each peer */
};

/* What a message has of the data. */
size_t ls_sweep_words(const struct ls_sweeping *, int64_t rank, const struct ls_slice *);

/* The moves of a node whose messages match, in every lane; false: a violation, which is noted. */
bool ls_sweep_moves(const struct ls_sweep_scene *);

#endif
