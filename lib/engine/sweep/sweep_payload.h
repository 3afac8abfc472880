/* The payloads of a sweep, and their memory. */
#ifndef LSI_ENGINE_SWEEP_SWEEP_PAYLOAD_H
#define LSI_ENGINE_SWEEP_SWEEP_PAYLOAD_H

#include "engine/sweep/sweep_internal.h"

/* Set the lengths of blocks.  Needs request, plan and nodes. */
void lsi_sweep_payloads_measure(struct lsi_sweep_state *);
/* Lay out the payloads, and count their bytes.  Needs the strides, topology, mode and workers. */
void lsi_sweep_payloads_count(struct lsi_sweep_state *);
/* Allocate the memory.  LS_OK or LS_ERR_MEMORY; the caller releases s->memory in both cases. */
int lsi_sweep_payloads_make(struct lsi_sweep_state *);

/* The entries of s->load; 0 in hop mode. */
size_t lsi_sweep_loads(const struct lsi_sweep_state *);

/* The bytes of a contiguous row of data. */
size_t lsi_sweep_row_bytes(const struct lsi_sweep_state *, int buffer);

#endif
