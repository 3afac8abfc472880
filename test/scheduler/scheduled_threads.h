/*
 * Inside the scheduler: threads and their states.  Only the thread whose turn it is uses this data.
 */
#ifndef LOCKSTEP_TEST_SCHEDULED_THREADS_H
#define LOCKSTEP_TEST_SCHEDULED_THREADS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* A decision: the thread that came to a point of the source. */
struct schedule_step {
	int64_t number;
	uint64_t now; /* ns of the virtual clock */
	int thread, line;
	const char *action, *file, *function;
};

enum scheduled_state { RUNS, SLEEPS, LOCKS, JOINS, MEETS, HAS_ENDED };
struct scheduled_thread {
	struct scheduled_thread *next; /* in the order of creation */
	pthread_t handle;
	int number;
	enum scheduled_state state;
	const void *awaited; /* a word, a mutex, a thread, a barrier; NULL: only the deadline */
	uint64_t deadline;   /* ns of the virtual clock; 0: none */
	bool timed_out;
	int64_t priority; /* the highest runs */
	int quiet;        /* > 0: its points are ignored */
	atomic_uint turn; /* 1: it is this thread's turn */
	void *(*body)(void *);
	void *argument;
	struct schedule_step last;
};

/* What the seed decides for a while. */
struct schedule_strategy {
	uint64_t one_in;     /* a random walk: one in this many points is a choice; 0: by priority */
	int64_t changes[5];  /* by priority: the steps at which the priority becomes the lowest */
	uint64_t jump_in;    /* one in this many points lets time pass; 0: none */
	uint64_t wake_in;    /* one in this many choices wakes a sleeper spuriously; 0: none */
	uint64_t yield_ns;   /* that a yield takes: waits that yield for a time end sooner or later */
	uint64_t idle_share; /* the process gets a part of the time: 1 / this */
	int cores;
	bool has_membarrier;
};

extern struct scheduler {
	struct scheduled_thread *threads, main;
	struct schedule_strategy strategy;
	uint64_t seed, random, hash;
	uint64_t now, next_deadline; /* ns; UINT64_MAX: none */
	int64_t steps, most_steps, begun, lowest, idle;
	int numbers;    /* of threads */
	int timed;      /* the thread that the last time limit woke */
	bool has_woken; /* a thread can run that could not at the last choice */
} scheduler;

/* The calling thread; NULL: the scheduler does not know it. */
struct scheduled_thread *schedule_self(void);
uint64_t schedule_below(uint64_t n);

/* The calling thread waits; false: its deadline is over. */
bool schedule_wait(enum scheduled_state, const void *awaited, uint64_t deadline);
/* Up to `most` threads that wait for this can run, in a random order. */
int schedule_wake(enum scheduled_state, const void *awaited, int most);

/* A thread comes and goes. */
struct scheduled_thread *schedule_add(void *(*body)(void *), void *argument);
void schedule_remove(struct scheduled_thread *);
void schedule_enter(struct scheduled_thread *); /* in the new thread: wait for the first turn */
void schedule_leave(void);

/* The report. */
void schedule_remember(const struct schedule_step *);
void schedule_forget(void);
_Noreturn void schedule_stuck(const char *why);
void schedule_watch_process(void);

#endif
