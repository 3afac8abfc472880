#include "support/inject.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>

struct counter memory_calls, thread_calls;
atomic_llong held, taken;

static bool fails(struct counter *counter)
{
	if (atomic_fetch_add(&counter->calls, 1) + 1 != atomic_load(&counter->fatal))
		return false;
	atomic_store(&counter->failed, true);
	return true;
}

void arm(struct counter *counter, long long k)
{
	atomic_store(&counter->calls, 0);
	atomic_store(&counter->fatal, k);
	atomic_store(&counter->failed, false);
	atomic_store(&taken, 0);
}

void disarm(void)
{
	atomic_store(&memory_calls.fatal, 0);
	atomic_store(&thread_calls.fatal, 0);
}

static void *counted(void *memory, size_t bytes)
{
	if (memory) {
		atomic_fetch_add(&held, 1);
		atomic_fetch_add(&taken, (long long)bytes);
	}
	return memory;
}

void *__real_malloc(size_t);
void *__real_calloc(size_t, size_t);
void *__real_aligned_alloc(size_t, size_t);
void __real_free(void *);
void *__real_mmap(void *, size_t, int, int, int, off_t);
int __real_munmap(void *, size_t);

void *__wrap_malloc(size_t bytes)
{
	return fails(&memory_calls) ? NULL : counted(__real_malloc(bytes), bytes);
}

void *__wrap_calloc(size_t n, size_t bytes)
{
	return fails(&memory_calls) ? NULL : counted(__real_calloc(n, bytes), n * bytes);
}

void *__wrap_aligned_alloc(size_t alignment, size_t bytes)
{
	return fails(&memory_calls) ? NULL : counted(__real_aligned_alloc(alignment, bytes), bytes);
}

void __wrap_free(void *memory)
{
	if (memory)
		atomic_fetch_sub(&held, 1);
	__real_free(memory);
}

void *__wrap_mmap(void *at, size_t bytes, int protection, int flags, int file, off_t offset)
{
	void *memory = fails(&memory_calls) ? MAP_FAILED
		: __real_mmap(at, bytes, protection, flags, file, offset);

	return memory == MAP_FAILED ? memory : counted(memory, bytes);
}

int __wrap_munmap(void *memory, size_t bytes)
{
	atomic_fetch_sub(&held, 1);
	return __real_munmap(memory, bytes);
}

int __wrap_pthread_create(
	pthread_t *thread, const pthread_attr_t *a, void *(*body)(void *), void *arg)
{
	return fails(&thread_calls) ? EAGAIN : __real_pthread_create(thread, a, body, arg);
}
