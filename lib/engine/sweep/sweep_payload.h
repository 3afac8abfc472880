/*
 * The memory of a sweep.
 */
#ifndef LSI_ENGINE_SWEEP_SWEEP_PAYLOAD_H
#define LSI_ENGINE_SWEEP_SWEEP_PAYLOAD_H

#include "engine/sweep/sweep_internal.h"

/* What was asked, network, mode and workers are known: how long blocks are. */
void lsi_sweep_payloads_measure(struct lsi_sweep_state *);
/* Strides are known too: how the lanes lie, and how many bytes that takes. */
void lsi_sweep_payloads_count(struct lsi_sweep_state *);
/* Their memory; LS_OK or LS_ERR_MEMORY.  `memory` is to be released either way. */
int lsi_sweep_payloads_make(struct lsi_sweep_state *);

/* Bytes of a dense row of the data. */
size_t lsi_sweep_row_bytes(const struct lsi_sweep_state *, int buffer);

#endif
