/*
 * The memory of a sweep.
 */
#ifndef LS_ENGINE_SWEEP_LANES_H
#define LS_ENGINE_SWEEP_LANES_H

#include "engine/sweep.h"

/* What was asked, network, mode and workers are known: how long blocks are. */
void ls_sweep_lanes_measure(struct ls_sweeping *);
/* Strides are known too: how the lanes lie, and how many bytes that takes. */
void ls_sweep_lanes_count(struct ls_sweeping *);
/* Their memory; LS_OK or LS_ERR_MEMORY.  `memory` is to be released either way. */
int ls_sweep_lanes_make(struct ls_sweeping *);

/* Bytes of a dense row of the data. */
size_t ls_sweep_row(const struct ls_sweeping *, int buffer);

#endif
