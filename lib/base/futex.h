/*
 * Waiting: one spin, one yield, one sleep, and the clock that decides between them.
 *
 * lsi_futex_wait and lsi_futex_wake are the futex of Linux or, built with WAIT=portable, a mutex
 * and a condition variable.  As with the futex, a sleeper may wake up spuriously.
 */
#ifndef LSI_BASE_FUTEX_H
#define LSI_BASE_FUTEX_H

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/atomic.h"

/* One spin of busy waiting; lets the other hardware thread of the core run. */
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

/*
 * Sleep while *word == value, at most until `deadline` (ns of lsi_now_ns; 0: no limit).  Both
 * functions keep errno.
 */
void lsi_futex_wait(LSI_ATOMIC(uint32_t) * word, uint32_t value, uint64_t deadline);
void lsi_futex_wake(LSI_ATOMIC(uint32_t) * word, int sleepers);

/*
 * The asymmetric barrier: lsi_membarrier of a sleeper orders a plain store and a later load of the
 * waker.  False: the system has none, and the store of the waker must be sequentially consistent.
 */
bool lsi_has_membarrier(void);
void lsi_membarrier(void);

#endif
