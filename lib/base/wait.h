/*
 * Waiting: one spin, one yield, one sleep, and the clock that decides between them.
 *
 * ls_sleep and ls_wake are the futex (or, built with WAIT=portable, a mutex and a condition
 * variable).  As with the futex a sleeper may wake for no reason.
 */
#ifndef LS_BASE_WAIT_H
#define LS_BASE_WAIT_H

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/atomic.h"

/* A moment of busy waiting, kind to the other thread of the core. */
static inline void ls_pause(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ __volatile__("yield");
#endif
}

uint64_t ls_now(void);                                     /* ns, monotonic */

static inline void ls_yield(void)
{
	sched_yield();
}

/* Sleep while *word == value, at most until the moment `deadline` (ns of ls_now; 0: for ever). */
void ls_sleep(LS_ATOMIC(uint32_t) *word, uint32_t value, uint64_t deadline);
void ls_wake(LS_ATOMIC(uint32_t) *word, int sleepers);

/*
 * The asymmetric barrier: a waker's plain store-then-load is ordered by the sleeper's
 * ls_barrier_heavy.  False: the system has none, and the waker's store must be sequentially
 * consistent.
 */
bool ls_asymmetric(void);
void ls_barrier_heavy(void);

#endif
