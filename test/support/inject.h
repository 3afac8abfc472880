/*
 * Allocations and creations of threads that fail on request.  A test that uses it states
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
struct counter {
	atomic_llong calls, fatal;
	atomic_bool failed;
};
extern struct counter memory_calls, thread_calls;
extern atomic_llong held;  /* pieces of memory */
extern atomic_llong taken; /* bytes, since a counter was armed */

/*
 * What is repeated; LS_OK, or the first error.  may_survive: in percent, the most allocations that
 * it can do without.
 */
struct faulty {
	const char *name;
	int (*play)(const void *context);
	const void *context;
	int may_survive;
};

/*
 * Repeat it with the k-th call failing, for every k until none fails any more: each time the error
 * is the expected one, and no memory and no thread is left.  Returns the number of calls.
 */
long long fail_each(const struct faulty *, struct counter *, int expected);
/* The same with allocations, of which there must be some; prints their number. */
void fail_memory(const struct faulty *);

/* From now on the k-th call fails; no call fails. */
void arm(struct counter *, long long k);
void disarm(void);

int __real_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

#endif
