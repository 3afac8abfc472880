/* One worker of a sweep. */
#ifndef LSI_ENGINE_SWEEP_SWEEP_WORK_H
#define LSI_ENGINE_SWEEP_SWEEP_WORK_H

#include "engine/sweep/sweep_internal.h"

/* Make the operands, execute all stages, and collect the results. */
void lsi_sweep_work(struct lsi_sweep_worker *);

#endif
