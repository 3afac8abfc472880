/*
 * The calls that scheduled_calls.h replaces.
 */
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <stdarg.h>
#include <stdlib.h>

#include "scheduler/scheduled_threads.h"

/* ---- Threads
 *
 * A thread ends after its destructors of thread-specific data, which may still call the library.  A
 * destructor of a key that is set again is called in PTHREAD_DESTRUCTOR_ITERATIONS rounds: in the
 * last one, the thread ends.
 */

static pthread_key_t end_key;
static char round_mark[PTHREAD_DESTRUCTOR_ITERATIONS + 1];

static void end_thread(void *mark)
{
	const char *next = (char *)mark + 1;

	if (next == round_mark + PTHREAD_DESTRUCTOR_ITERATIONS)
		schedule_leave();
	else
		pthread_setspecific(end_key, next);
}

static __attribute__((constructor(101))) void make_end_key(void)
{
	if (pthread_key_create(&end_key, end_thread))
		abort();
}

static void *run_thread(void *argument)
{
	struct scheduled_thread *me = argument;

	schedule_enter(me);
	if (pthread_setspecific(end_key, round_mark))
		abort();
	return me->body(me->argument);
}

int schedule_create(
	pthread_t *out, const pthread_attr_t *attributes, void *(*body)(void *), void *argument)
{
	struct scheduled_thread *t = schedule_add(body, argument);
	const int failed = (pthread_create)(&t->handle, attributes, run_thread, t);

	if (failed)
		schedule_remove(t);
	else
		*out = t->handle;
	return failed;
}

/* The last one with this handle: the system may use it again. */
static struct scheduled_thread *thread_of(pthread_t handle)
{
	struct scheduled_thread *found = NULL;

	for (struct scheduled_thread *t = scheduler.threads; t; t = t->next) {
		if (pthread_equal(t->handle, handle))
			found = t;
	}
	return found;
}

int schedule_join(pthread_t handle, void **result)
{
	struct scheduled_thread *t = thread_of(handle);
	int failed;

	while (t && t->state != HAS_ENDED)
		schedule_wait(JOINS, t, 0);
	failed = (pthread_join)(handle, result);
	if (t && !failed)
		schedule_remove(t);
	return failed;
}

/* ---- Mutexes, calls that happen once, barriers */

int schedule_lock(pthread_mutex_t *mutex)
{
	int failed;

	while ((failed = (pthread_mutex_trylock)(mutex)) == EBUSY && schedule_self())
		schedule_wait(LOCKS, mutex, 0);
	return failed;
}

int schedule_unlock(pthread_mutex_t *mutex)
{
	const int failed = (pthread_mutex_unlock)(mutex);

	if (schedule_self())
		schedule_wake(LOCKS, mutex, INT_MAX);
	return failed;
}

/* Its points are ignored, so that no other thread waits for the end of the body. */
int schedule_once(pthread_once_t *once, void (*body)(void))
{
	struct scheduled_thread *me = schedule_self();
	int failed;

	if (me)
		me->quiet++;
	failed = (pthread_once)(once, body);
	if (me)
		me->quiet--;
	return failed;
}

int schedule_meet(pthread_barrier_t *all)
{
	unsigned members, waiting = 0;

	/* As glibc lays it out. */
	members = ((const unsigned *)(const void *)all)[2];
	for (const struct scheduled_thread *t = scheduler.threads; t; t = t->next)
		waiting += t->state == MEETS && t->awaited == all;
	if (waiting + 1 < members) {
		schedule_wait(MEETS, all, 0);
		return 0;
	}
	schedule_wake(MEETS, all, INT_MAX);
	return PTHREAD_BARRIER_SERIAL_THREAD;
}

/* ---- Time */

static uint64_t ns_of(const struct timespec *t)
{
	return (uint64_t)t->tv_sec * 1000000000u + (uint64_t)t->tv_nsec;
}

int schedule_sleep(const struct timespec *time, struct timespec *rest)
{
	(void)rest;
	schedule_wait(SLEEPS, NULL, scheduler.now + ns_of(time) + 1);
	return 0;
}

int schedule_clock(clockid_t clock, struct timespec *out)
{
	const uint64_t share = clock == CLOCK_PROCESS_CPUTIME_ID ? scheduler.strategy.idle_share : 1;
	const uint64_t now = scheduler.now / share;

	*out = (struct timespec){ (time_t)(now / 1000000000u), (long)(now % 1000000000u) };
	return 0;
}

/* ---- The kernel */

/* FUTEX_WAIT_BITSET has an absolute time. */
static int wait_on_word(const atomic_uint *word, unsigned value, const struct timespec *until)
{
	const uint64_t deadline = until ? ns_of(until) : 0;

	if (atomic_load(word) != value) {
		errno = EAGAIN;
		return -1;
	}
	if (until && deadline <= scheduler.now) {
		errno = ETIMEDOUT;
		return -1;
	}
	if (schedule_wait(SLEEPS, word, deadline))
		return 0;
	errno = ETIMEDOUT;
	return -1;
}

static int call_futex(va_list list)
{
	const atomic_uint *word = va_arg(list, void *);
	const int operation = va_arg(list, int) & ~FUTEX_PRIVATE_FLAG;
	const unsigned value = va_arg(list, unsigned);
	const struct timespec *until = va_arg(list, void *);

	return operation == FUTEX_WAKE ? schedule_wake(SLEEPS, word, (int)value)
								   : wait_on_word(word, value, until);
}

/* One thread runs at a time, so there is nothing to order. */
static int call_membarrier(void)
{
	if (scheduler.strategy.has_membarrier)
		return 0;
	errno = ENOSYS;
	return -1;
}

int schedule_syscall(long number, ...)
{
	va_list list;
	int result = -1;

	va_start(list, number);
	if (number == SYS_futex)
		result = call_futex(list);
	else if (number == SYS_membarrier)
		result = call_membarrier();
	else
		errno = ENOSYS;
	va_end(list);
	return result;
}

/* Units of numbers that no machine has: the kernel's tables say nothing of them. */
int schedule_affinity(pid_t process, size_t size, cpu_set_t *set)
{
	(void)process;
	CPU_ZERO_S(size, set);
	for (size_t i = 0; i < (size_t)scheduler.strategy.cores; i++)
		CPU_SET_S(1000 + i, size, set);
	return 0;
}

int schedule_bind(pthread_attr_t *attributes, size_t size, const cpu_set_t *set)
{
	(void)attributes;
	(void)size;
	(void)set;
	return 0;
}
