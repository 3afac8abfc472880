#include "base/futex.h"

#include <errno.h>
#include <limits.h>
#include <time.h>
#include <unistd.h>

#include "base/rcu.h"

#if defined(__linux__)
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <sys/syscall.h>
#endif

uint64_t lsi_now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static struct timespec timespec_of(uint64_t ns)
{
	return (struct timespec){ (time_t)(ns / 1000000000u), (long)(ns % 1000000000u) };
}

#if defined(__linux__) && !defined(LSI_WAIT_PORTABLE)

/* Keeps errno, as light nodes must: a wait that has no reason to begin fails with EAGAIN. */
static void call_futex(LSI_ATOMIC(uint32_t) * word, int operation, uint32_t value,
	const struct timespec *until_or_null, uint32_t bits)
{
	const int error = errno;

	syscall(SYS_futex, word, operation | FUTEX_PRIVATE_FLAG, value, until_or_null, NULL, bits);
	errno = error;
}

void lsi_futex_wait(LSI_ATOMIC(uint32_t) * word, uint32_t value, uint64_t deadline)
{
	const struct timespec until = timespec_of(deadline);

	lsi_rcu_check_outside();
	/* FUTEX_WAIT_BITSET takes an absolute time of CLOCK_MONOTONIC. */
	call_futex(word, FUTEX_WAIT_BITSET, value, deadline ? &until : NULL, FUTEX_BITSET_MATCH_ANY);
}

void lsi_futex_wake(LSI_ATOMIC(uint32_t) * word, int sleepers)
{
	call_futex(word, FUTEX_WAKE, (uint32_t)sleepers, NULL, 0);
}

#else

#include <pthread.h>

/*
 * A table of conditions, hashed by the address of the word.  Words that share one wake each other's
 * sleepers, which then check their word and sleep again.
 */
#define BUCKET \
	{ \
		PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER \
	}
#define BUCKETS_8(bucket) bucket, bucket, bucket, bucket, bucket, bucket, bucket, bucket
static struct {
	pthread_mutex_t lock;
	pthread_cond_t wake;
} bucket[] = { BUCKETS_8(BUCKETS_8(BUCKETS_8(BUCKETS_8(BUCKET)))) };

static size_t bucket_of(const void *word)
{
	return (size_t)((uint64_t)(uintptr_t)word / 64 * 0x9e3779b97f4a7c15u >> 32)
		% (sizeof bucket / sizeof *bucket);
}

void lsi_futex_wait(LSI_ATOMIC(uint32_t) * word, uint32_t value, uint64_t deadline)
{
	const size_t i = bucket_of(word);
	const struct timespec until = timespec_of(deadline);
	int cancel;

	lsi_rcu_check_outside();
	/* An attached thread may be cancelled elsewhere. */
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	pthread_mutex_lock(&bucket[i].lock);
	if (lsi_load(word, acquire) == value) { /* under the lock: no wake is lost */
		if (deadline)
			pthread_cond_clockwait(&bucket[i].wake, &bucket[i].lock, CLOCK_MONOTONIC, &until);
		else
			pthread_cond_wait(&bucket[i].wake, &bucket[i].lock);
	}
	pthread_mutex_unlock(&bucket[i].lock);
	pthread_setcancelstate(cancel, NULL);
}

/* Wakes all sleepers of the bucket: one signal could reach the sleeper of another word. */
void lsi_futex_wake(LSI_ATOMIC(uint32_t) * word, int sleepers)
{
	const size_t i = bucket_of(word);

	(void)sleepers;
	pthread_mutex_lock(&bucket[i].lock);
	pthread_cond_broadcast(&bucket[i].wake);
	pthread_mutex_unlock(&bucket[i].lock);
}

#endif

#if defined(__linux__) && defined(SYS_membarrier) && !defined(LSI_WAIT_PORTABLE)

bool lsi_has_membarrier(void)
{
	return syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
}

void lsi_membarrier(void)
{
	syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
}

#else

bool lsi_has_membarrier(void)
{
	return false;
}

void lsi_membarrier(void)
{
}

#endif
