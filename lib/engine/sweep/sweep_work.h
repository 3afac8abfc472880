/*
 * The way of one worker.
 */
#ifndef LSI_ENGINE_SWEEP_SWEEP_WORK_H
#define LSI_ENGINE_SWEEP_SWEEP_WORK_H

#include "engine/sweep/sweep_internal.h"

/* All that it does between start and end. */
void lsi_sweep_work(struct lsi_sweep_worker *);

#endif
