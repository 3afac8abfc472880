/*
 * Threads: stacks in one mapping, and creation.
 */
#ifndef LSI_BASE_THREAD_H
#define LSI_BASE_THREAD_H

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cores.h"

/*
 * `count` stacks in one mapping.  Up to 16384 stacks of the process have guard pages, 64 KiB each;
 * stacks that would exceed this number have none.
 * base NULL: the mapping failed.
 */
struct lsi_stacks {
	char *base;
	size_t each, guard;
	int64_t count;
};

/* `bytes` for each; stacks of threads also have room for thread-local storage. */
struct lsi_stacks lsi_stacks_make(int64_t count, size_t bytes, bool of_threads);
void lsi_stacks_destroy(struct lsi_stacks *);

/* The lowest byte of stack i above its guard pages. */
static inline char *lsi_stack_of(const struct lsi_stacks *stacks, int64_t i)
{
	return stacks->base + (size_t)i * stacks->each + stacks->guard;
}

static inline size_t lsi_stack_bytes(const struct lsi_stacks *stacks)
{
	return stacks->each - stacks->guard;
}

/* The stack in whose guard pages the address is; -1: none. */
int64_t lsi_stacks_find_guard(const struct lsi_stacks *, const void *address);

/* All signals except those that an instruction of the thread raises (SIGSEGV ..). */
sigset_t lsi_asynchronous_signals(void);

/*
 * Start body(arg) on stack i (NULL: one that pthread_create allocates), bound to a set of units
 * (NULL: those of the caller), with lsi_asynchronous_signals blocked.  Returns 0 or an errno.
 */
int lsi_thread_make(pthread_t *out, const struct lsi_stacks *stacks_or_null, int64_t i,
	const struct lsi_cpu_set *bound_or_null, void *(*body)(void *), void *arg);

#endif
