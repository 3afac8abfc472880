/*
 * The steps in which a message crosses from one process to another.  Each worker marks the steps
 * in which its nodes have sent such a message; at the end the processes unite their marks.
 */
#ifndef LSI_ENGINE_SWEEP_CROSSING_ROUNDS_H
#define LSI_ENGINE_SWEEP_CROSSING_ROUNDS_H

#include "engine/sweep/sweep_internal.h"

typedef LSI_ATOMIC(bool) lsi_step_mark;

/* No step is marked; several processes only. */
lsi_step_mark *lsi_crossing_rounds_layout(
	const struct lsi_sweep_state *, struct lsi_memory_layout *);

/* For a worker whose nodes had sent `before` messages to other processes when the step began. */
void lsi_crossing_rounds_mark(struct lsi_sweep_worker *, int64_t step, int64_t before);

/*
 * At the end, all processes: the marks from step `first` on, as numbers whose least values over all
 * processes are their union.  Returns how many, at most LSI_CROSSED_AT_ONCE.
 */
enum { LSI_CROSSED_AT_ONCE = 256 };
int lsi_crossing_rounds_put(const struct lsi_sweep_state *, int64_t first, int64_t *least);
/*
 * The number of marked steps; `least` has the least values of the first n, and then of the others.
 * False: the transport failed.
 */
bool lsi_crossing_rounds_add(
	struct lsi_sweep_state *, int64_t least[LSI_CROSSED_AT_ONCE], int n, int64_t *rounds);

#endif
