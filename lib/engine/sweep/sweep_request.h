/* The request of a sweep: its checks, and its defaults. */
#ifndef LSI_ENGINE_SWEEP_SWEEP_REQUEST_H
#define LSI_ENGINE_SWEEP_SWEEP_REQUEST_H

#include "engine/sweep/sweep_internal.h"

/* Set up all but the memory: LS_OK, or a status with the reason in s->error. */
int lsi_sweep_prepare(const struct ls_sweep *or_null, struct lsi_sweep_state *s);
/* Check the operands, which a query of memory does not need. */
int lsi_sweep_check_operands(struct lsi_sweep_state *);

#endif
