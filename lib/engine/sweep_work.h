/*
 * The way of one worker.
 */
#ifndef LS_ENGINE_SWEEP_WORK_H
#define LS_ENGINE_SWEEP_WORK_H

#include "engine/sweep.h"

/* All that it does between start and end. */
void ls_sweep_work(struct ls_sweep_worker *);

#endif
