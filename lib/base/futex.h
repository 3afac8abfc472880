/*
 * Waiting: one spin, one yield, one sleep, and the clock that decides between them.
 *
 * lsi_futex_wait and lsi_futex_wake are the futex (or, built with WAIT=portable, a mutex and a
 * condition variable).  As with the futex a sleeper may wake for no reason.
 */
#ifndef LSI_BASE_FUTEX_H
#define LSI_BASE_FUTEX_H

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/atomic.h"

/* One spin of busy waiting; leaves the core to its other hardware thread. */
static inline void lsi_pause(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ __volatile__("yield");
#endif
}

uint64_t lsi_now_ns(void); /* ns, monotonic */

static inline void lsi_yield(void)
{
	sched_yield();
}

/* Sleep while *word == value, at most until `deadline` (ns of lsi_now_ns; 0: no limit). */
void lsi_futex_wait(LSI_ATOMIC(uint32_t) * word, uint32_t value, uint64_t deadline);
void lsi_futex_wake(LSI_ATOMIC(uint32_t) * word, int sleepers);

/*
 * The asymmetric barrier: a waker's plain store-then-load is ordered by the sleeper's
 * lsi_membarrier.  False: the system has none, and the waker's store must be sequentially
 * consistent.
 */
bool lsi_has_membarrier(void);
void lsi_membarrier(void);

#endif
