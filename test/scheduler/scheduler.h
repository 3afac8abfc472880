/*
 * The scheduler of VARIANT=schedule.  One thread runs at a time.  Before every atomic access, lock,
 * wait, wake, yield, and when a thread begins or ends, it decides which thread runs next; a seed
 * determines all its decisions.  So the same seed gives the same run.
 *
 *   seed       LOCKSTEP_SCHEDULE, default 1; or schedule_begin
 *   strategy   drawn from the seed.  A random walk: before each access, with a probability, any
 *              thread is next.  Or priorities (Burckhardt et al., ASPLOS 2010): the thread of the
 *              highest priority runs; at a few random accesses it gets the lowest
 *   clock      virtual: it advances with each access, and more with each yield.  If all threads
 *              wait, it advances to the next time limit
 *   machine    1, 2 or 4 cores, drawn from the seed
 *   stuck      if no thread can run, or nothing but time limits has happened for long, the process
 *              prints all threads and the last steps, and exits with SCHEDULE_STUCK
 *
 * Memory is sequentially consistent: the model checks of test/relacy cover the memory orders.  
 * Addresses are not random, because caches of the library hash them.
 */
#ifndef LOCKSTEP_TEST_SCHEDULER_H
#define LOCKSTEP_TEST_SCHEDULER_H

#include <stdbool.h>
#include <stdint.h>

enum { SCHEDULE_STUCK = 99 };

/* Begin again with another seed; the process must have one thread. */
void schedule_begin(uint64_t seed);
/* Draw another strategy from the same seed; the process must have one thread. */
void schedule_draw(void);
/* The process counts as stuck after this number of steps. */
void schedule_limit(int64_t steps);

/* What has happened since schedule_begin; equal hashes: the same steps of the same threads. */
struct schedule_trace {
	uint64_t seed, hash;
	int64_t steps;
	int threads;
};
struct schedule_trace schedule_trace(void);
/* Print the last steps, and how to repeat the run. */
void schedule_print(void);

#endif
