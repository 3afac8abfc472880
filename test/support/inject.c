#include "support/inject.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <lockstep/status.h>

#include "support/guard.h"
#include "test.h"

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

/* Memory that is not cleared does not look as if it were; a large piece stays untouched. */
static void *dirty(void *memory, size_t bytes)
{
	enum { FILLED_MOST = 1 << 20 };

	return memory && bytes <= FILLED_MOST ? memset(memory, 0x5a, bytes) : memory;
}

void *__real_malloc(size_t);
void *__real_calloc(size_t, size_t);
void *__real_aligned_alloc(size_t, size_t);
void __real_free(void *);
void *__real_mmap(void *, size_t, int, int, int, off_t);
int __real_munmap(void *, size_t);

void *__wrap_malloc(size_t bytes)
{
	return fails(&memory_calls) ? NULL : counted(dirty(__real_malloc(bytes), bytes), bytes);
}

void *__wrap_calloc(size_t n, size_t bytes)
{
	return fails(&memory_calls) ? NULL : counted(__real_calloc(n, bytes), n * bytes);
}

void *__wrap_aligned_alloc(size_t alignment, size_t bytes)
{
	return fails(&memory_calls)
		? NULL
		: counted(dirty(__real_aligned_alloc(alignment, bytes), bytes), bytes);
}

void __wrap_free(void *memory)
{
	if (memory)
		atomic_fetch_sub(&held, 1);
	__real_free(memory);
}

void *__wrap_mmap(void *at, size_t bytes, int protection, int flags, int file, off_t offset)
{
	void *memory =
		fails(&memory_calls) ? MAP_FAILED : __real_mmap(at, bytes, protection, flags, file, offset);

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

/* ---- Every failure */

long long fail_each(const struct faulty *faulty, struct counter *counter, int expected)
{
	const bool memory = counter == &memory_calls;
	const int threads = threads_alive(); /* a sanitizer may have one */
	long long survived = 0;

	for (long long k = 1;; k += !memory ? 1 : is_fast() ? 1 + k / 8 : is_thin() ? 1 + k / 32 : 1) {
		const long long before = atomic_load(&held);
		int failed;

		guard("%s, %s %lld", faulty->name, memory ? "allocation" : "thread", k);
		arm(counter, k);
		failed = faulty->play(faulty->context);
		disarm();
		CHECK(threads_end(threads), "%s: %d threads", guarded(), threads_alive());
		if (!atomic_load(&counter->failed)) {
			CHECK(failed == LS_OK, "%s: %s", guarded(), ls_status_name(failed));
			CHECK(100 * survived <= faulty->may_survive * k, "%s: %lld did no harm", guarded(),
				survived);
			return k - 1;
		}
		survived += failed == LS_OK;
		CHECK(failed == expected || (failed == LS_OK && memory && faulty->may_survive > 0),
			"%s: %s", guarded(), ls_status_name(failed));
		CHECK(atomic_load(&held) == before, "%s: %lld pieces of memory leaked", guarded(),
			atomic_load(&held) - before);
	}
}

void fail_memory(const struct faulty *faulty)
{
	const long long calls = fail_each(faulty, &memory_calls, LS_ERR_MEMORY);

	CHECK(calls > 0, "%s", faulty->name);
	printf("%s: %s %lld allocations has failed\n", faulty->name,
		is_fast() ? "one in nine of" : "each of", calls);
}
