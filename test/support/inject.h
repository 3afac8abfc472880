/*
 * Allocations and creations of threads that fail when told to.  A test that uses it says
 *
 *   link:
 *   -Wl,--wrap=malloc,--wrap=calloc,--wrap=aligned_alloc,--wrap=free,--wrap=mmap,--wrap=munmap
 *   link: -Wl,--wrap=pthread_create
 */
#ifndef LOCKSTEP_TEST_INJECT_H
#define LOCKSTEP_TEST_INJECT_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

/* fatal: the call that fails, 0: none; failed: it was made */
struct counter { atomic_llong calls, fatal; atomic_bool failed; };
extern struct counter memory_calls, thread_calls;
extern atomic_llong held;                                 /* pieces of memory */
extern atomic_llong taken;                                /* bytes, since a counter was armed */

/* From now on the k-th call fails; no call fails. */
void arm(struct counter *, long long k);
void disarm(void);

int __real_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

#endif
