/*
 * The thread that waits in ls_run watches the workers, because a fiber that computes lets no other
 * fiber of its worker run.
 */
#ifndef LSI_CARRIER_FIBER_WATCH_H
#define LSI_CARRIER_FIBER_WATCH_H

#include "machine/carrier.h"

/*
 * Report nodes that do not let others run (options.stalled), and decide the verdict of a run that
 * fails while such a node runs.  now: in ns.
 */
void lsi_fiber_watch(struct ls_machine *, uint64_t now);

#endif
