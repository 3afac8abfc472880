/*
 * One step of a plan without contents: only the rules of its messages are checked.
 */
#ifndef LSI_ENGINE_SWEEP_SWEEP_MESSAGES_H
#define LSI_ENGINE_SWEEP_SWEEP_MESSAGES_H

#include "engine/sweep/sweep_internal.h"

/* The same as lsi_sweep_step, for a plan without contents. */
bool lsi_sweep_messages_step(struct lsi_sweep_worker *, int64_t step);

/* Pass the messages of a step to the sweep's trace. */
void lsi_sweep_messages_trace(const struct lsi_sweep_state *, int64_t step);

#endif
