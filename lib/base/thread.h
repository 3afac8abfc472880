/*
 * Threads: stacks in one mapping, and creation.
 */
#ifndef LS_BASE_THREAD_H
#define LS_BASE_THREAD_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cores.h"

/* Address space of `count` stacks, each with a guard page below it; base NULL: there was none. */
struct ls_stacks {
	char *base;
	size_t each, guard;
	int64_t count;
};

struct ls_stacks ls_stacks_make(int64_t count, size_t bytes);
void ls_stacks_destroy(struct ls_stacks *);

/*
 * Start body(arg) on stack i, bound to some units (NULL: as the caller is), with all signals blocked
 * but those that say what its own instructions did (SIGSEGV ..).  0 or an errno.
 */
int ls_thread_make(pthread_t *out, const struct ls_stacks *, int64_t i,
	const struct ls_cpus *bound_or_null, void *(*body)(void *), void *arg);

#endif
