/*
 * Fibers without Lockstep's nodes: a team of fibers on all cores, whose fibers repeat an operation.
 *
 * Each core has a thread, and a run queue of its fibers.  Fibers have consecutive ranks, and so
 * have those of a core.
 */
#ifndef BENCH_BARE_FIBERS_H
#define BENCH_BARE_FIBERS_H

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/alloc.h"
#include "base/atomic.h"
#include "base/context.h"
#include "base/futex.h"
#include "base/thread.h"
#include "machine/run_queue.h"

enum {
	STACK = 64 << 10, /* stacks, and their shifts, are those of lib/carrier/fiber_stack.c */
	SHIFTS = 16,
	CORES_MOST = 64
};

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void *need(void *memory)
{
	if (!memory) {
		fputs("bare fibers: no memory\n", stderr);
		exit(1);
	}
	return memory;
}

/* ---- Fibers of a thread */

struct scheduler;

struct fiber {
	struct lsi_fiber_link link; /* must be first */
	struct lsi_context context;
	struct scheduler *scheduler;
};

/* The fibers of a thread: all but the one that runs are in its queue or its list of waiters. */
struct scheduler {
	struct lsi_run_queue queue, waiting;
	struct lsi_context thread;
	struct fiber *fiber;
	struct lsi_stacks stacks;
	struct team *team;
	int64_t fibers, arrived, first_rank;
	int64_t repetitions; /* of a ring */
};

static void make_fibers(struct scheduler *s, int64_t n, void (*entry)(void *))
{
	s->fibers = n;
	s->fiber = need(lsi_alloc_cache_aligned((size_t)n * sizeof *s->fiber));
	s->stacks = lsi_stacks_make(n, STACK, false);
	need(s->stacks.base);
	for (int64_t i = 0; i < n; i++) {
		struct fiber *fiber = &s->fiber[i];

		fiber->scheduler = s;
		lsi_context_make(&fiber->context, lsi_stack_of(&s->stacks, i),
			lsi_stack_bytes(&s->stacks) - (size_t)(i % SHIFTS) * LSI_CACHE_LINE, entry, fiber);
		lsi_run_queue_put(&s->queue, &fiber->link);
	}
}

/* Run the fibers until the last has ended. */
static void run_fibers(struct scheduler *s)
{
	struct fiber *first = (struct fiber *)lsi_run_queue_take(&s->queue);

	lsi_context_of_thread(&s->thread);
	lsi_context_switch(&s->thread, &first->context);
	for (int64_t i = 0; i < s->fibers; i++)
		lsi_context_destroy(&s->fiber[i].context);
	lsi_free(s->fiber);
	lsi_stacks_destroy(&s->stacks);
}

static void switch_to_next(struct fiber *me)
{
	struct fiber *next = (struct fiber *)lsi_run_queue_take(&me->scheduler->queue);

	if (next != me)
		lsi_context_switch(&me->context, &next->context);
}

static _Noreturn void end_fiber(struct fiber *me)
{
	struct scheduler *s = me->scheduler;
	struct fiber *next = (struct fiber *)lsi_run_queue_take(&s->queue);

	lsi_context_exit(&me->context, next ? &next->context : &s->thread);
}

/* Let the other fibers of the core run. */
static inline void yield_fiber(struct fiber *me)
{
	lsi_run_queue_put(&me->scheduler->queue, &me->link);
	switch_to_next(me);
}

/* ---- A team on all cores */

struct team {
	void (*work)(struct fiber *me, int64_t turn); /* turns count from 1 */
	int64_t fibers, repetitions;
	uint32_t threads;
	double started, ended; /* of the first fiber */
	alignas(LSI_CACHE_LINE) LSI_ATOMIC(uint32_t) arrived;
	alignas(LSI_CACHE_LINE) LSI_ATOMIC(uint32_t) epoch;
};

static int64_t rank_of(const struct fiber *me)
{
	return me->scheduler->first_rank + (me - me->scheduler->fiber);
}

/* The last fibers of all cores meet. */
static void meet(struct team *team)
{
	const uint32_t epoch = lsi_load(&team->epoch, relaxed); /* changes only when all have come */

	if (lsi_fetch_add(&team->arrived, 1u, acq_rel) + 1 == team->threads) {
		lsi_store(&team->arrived, 0u, relaxed); /* ordered by epoch */
		lsi_store(&team->epoch, epoch + 1, release);
	}
	while (lsi_load(&team->epoch, acquire) == epoch)
		lsi_pause();
}

/* All fibers of the team wait for each other. */
static void barrier(struct fiber *me)
{
	struct scheduler *s = me->scheduler;

	if (++s->arrived < s->fibers) {
		lsi_run_queue_put(&s->waiting, &me->link);
		switch_to_next(me);
		return;
	}
	s->arrived = 0;
	if (s->team->threads > 1)
		meet(s->team);
	lsi_run_queue_append(&s->queue, &s->waiting);
}

static void repeat(void *argument)
{
	struct fiber *me = argument;
	struct team *team = me->scheduler->team;
	const bool measures = rank_of(me) == 0;

	lsi_context_enter();
	barrier(me);
	if (measures)
		team->started = now();
	for (int64_t turn = 1; turn <= team->repetitions; turn++)
		team->work(me, turn);
	barrier(me);
	if (measures)
		team->ended = now();
	end_fiber(me);
}

struct thread {
	pthread_t id;
	struct team *team;
	int64_t first, end;
	int core;
};

static void bind_to_core(int index)
{
	cpu_set_t allowed, one;

	CPU_ZERO(&one);
	sched_getaffinity(0, sizeof allowed, &allowed);
	for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &allowed) && index-- == 0)
			CPU_SET(cpu, &one);
	sched_setaffinity(0, sizeof one, &one);
}

static void *thread_body(void *argument)
{
	const struct thread *thread = argument;
	struct scheduler s = { .team = thread->team, .first_rank = thread->first };

	bind_to_core(thread->core);
	make_fibers(&s, thread->end - thread->first, repeat);
	run_fibers(&s);
	return NULL;
}

static int count_cores(void)
{
	cpu_set_t allowed;

	sched_getaffinity(0, sizeof allowed, &allowed);
	return CPU_COUNT(&allowed) < CORES_MOST ? CPU_COUNT(&allowed) : CORES_MOST;
}

/* The time of one turn in ns. */
static double time_of_turn(struct team *team)
{
	struct thread thread[CORES_MOST];
	const int cores = count_cores();
	const int64_t p = team->fibers;

	team->threads = (uint32_t)(p < cores ? p : cores);
	for (int i = 0; i < (int)team->threads; i++) {
		thread[i] = (struct thread){ .team = team,
			.first = p * i / team->threads,
			.end = p * (i + 1) / team->threads,
			.core = i };
		if (pthread_create(&thread[i].id, NULL, thread_body, &thread[i]) != 0)
			need(NULL);
	}
	for (int i = 0; i < (int)team->threads; i++)
		pthread_join(thread[i].id, NULL);
	return (team->ended - team->started) / (double)team->repetitions;
}

static inline void wait_for_all(struct fiber *me, int64_t turn)
{
	(void)turn;
	barrier(me);
}

#endif
