/*
 * Threads: cores allowed, stacks in one mapping, creation, and the fork guard.
 */
#ifndef LS_BASE_THREAD_H
#define LS_BASE_THREAD_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Cores that this process may run on (affinity and cpuset), at least 1. */
int ls_cores(void);

/* Address space of `count` stacks, each with a guard page below it; base NULL: there was none. */
struct ls_stacks {
	char *base;
	size_t each, guard;
	int64_t count;
};

struct ls_stacks ls_stacks_make(int64_t count, size_t bytes);
void ls_stacks_destroy(struct ls_stacks *);

/*
 * Start body(arg) on stack i, bound to core `core` of the allowed ones (-1: unbound), with all
 * signals blocked but those that say what its own instructions did (SIGSEGV ..).  0 or an errno.
 */
int ls_thread_make(pthread_t *out, const struct ls_stacks *, int64_t i, int core,
	void *(*body)(void *), void *arg);

#endif
