/*
 * VARIANT=schedule includes this file before every source: the calls that wait, wake, begin and end
 * threads or read the clock go to the scheduler.  The sources stay as they are shipped.
 *
 * The files of the scheduler call the functions of the system in parentheses, as in
 * (pthread_create)(...), which is no use of a macro with arguments.
 */
#ifndef LOCKSTEP_TEST_SCHEDULED_CALLS_H
#define LOCKSTEP_TEST_SCHEDULED_CALLS_H

#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Another thread may run now; schedule_yield prefers another one. */
void lsi_schedule_point(const char *action, const char *file, int line, const char *function);
int schedule_yield(const char *action, const char *file, int line, const char *function);

int schedule_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int schedule_join(pthread_t, void **result);
int schedule_lock(pthread_mutex_t *);
int schedule_unlock(pthread_mutex_t *);
int schedule_once(pthread_once_t *, void (*)(void));
int schedule_meet(pthread_barrier_t *);
int schedule_sleep(const struct timespec *, struct timespec *rest);
int schedule_clock(clockid_t, struct timespec *);
int schedule_syscall(long number, ...); /* a futex, or membarrier */
int schedule_affinity(pid_t, size_t size, cpu_set_t *);
int schedule_bind(pthread_attr_t *, size_t size, const cpu_set_t *);

#define SCHEDULE_AT(call, action) call(action, __FILE__, __LINE__, __func__)
#define SCHEDULE_POINT(action)    SCHEDULE_AT(lsi_schedule_point, action)

#define SCHEDULED(action, call) (SCHEDULE_POINT(action), call)

#define pthread_create(...)        SCHEDULED("create thread", schedule_create(__VA_ARGS__))
#define pthread_join(...)          SCHEDULED("join thread", schedule_join(__VA_ARGS__))
#define pthread_mutex_lock(...)    SCHEDULED("lock", schedule_lock(__VA_ARGS__))
#define pthread_mutex_trylock(...) SCHEDULED("try lock", (pthread_mutex_trylock)(__VA_ARGS__))
#define pthread_mutex_unlock(...)  SCHEDULED("unlock", schedule_unlock(__VA_ARGS__))
#define pthread_once(...)          schedule_once(__VA_ARGS__)
#define pthread_barrier_wait(...)  SCHEDULED("meet", schedule_meet(__VA_ARGS__))
#define nanosleep(...)             SCHEDULED("sleep", schedule_sleep(__VA_ARGS__))
#define clock_gettime(...)         schedule_clock(__VA_ARGS__)
#define syscall(...)               SCHEDULED("system call", schedule_syscall(__VA_ARGS__))
#define sched_yield()              SCHEDULE_AT(schedule_yield, "yield")
#define __builtin_ia32_pause()     SCHEDULE_AT(schedule_yield, "pause")

/* Binding has no effect: one thread runs at a time. */
#define sched_getaffinity(...)           schedule_affinity(__VA_ARGS__)
#define pthread_attr_setaffinity_np(...) schedule_bind(__VA_ARGS__)

#endif
