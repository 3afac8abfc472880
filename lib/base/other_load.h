/*
 * Other programs that use the same cores.
 *
 * While nodes wait for each other, each of them yields.  If another program computes on the core, a
 * yield gives it the core for a whole time slice of the system, some milliseconds.  A thread that
 * sleeps and is woken gets the core back much sooner.  So while other programs take a large part of
 * the cores, waits should sleep at once.
 *
 * A yield that returns late is the hint.  Then the CPU time that this process got since an earlier
 * look is compared with the time that passed.  The answer holds for a while; then the waits yield
 * again, and the next late yield asks again.
 */
#ifndef LSI_BASE_OTHER_LOAD_H
#define LSI_BASE_OTHER_LOAD_H

#include "base/atomic.h"

/* One per machine; zero at first.  All times in ns. */
struct lsi_other_load {
	LSI_ATOMIC(uint64_t) until; /* other programs take a large part of the cores until then */
	LSI_ATOMIC(uint32_t) looks; /* 1: a thread uses the fields below */
	uint64_t looked_at, cpu_time, period;
};

/* Should a wait that begins now sleep at once? */
bool lsi_other_load_is_high(struct lsi_other_load *);

/* One of `threads` threads on `cores` cores has yielded; `before` is the time before that. */
void lsi_other_load_look(
	struct lsi_other_load *, uint32_t cores, uint64_t threads, uint64_t before);

#endif
