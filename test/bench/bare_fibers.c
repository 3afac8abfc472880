/*
 * What fibers cost at least: the parts of which collectives of light nodes consist.
 *
 *   switch    lsi_context_switch around a ring of n contexts on one thread, ns for one switch
 *   queue     lsi_run_queue_put and _take with n fibers in the queue, ns for both
 *   barrier   a barrier of p fibers on all cores, ns for one barrier.  The fibers of a core arrive
 *             at a plain counter and wait in a list; the last ones of all cores meet at an atomic
 *             counter, where they spin.
 *
 * Each figure is the median of SAMPLES.  Columns: part, number, ns.
 */
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
	SAMPLES = 11,
	OPERATIONS = 4000000, /* of a sample */
	STACK = 64 << 10,     /* stacks, and their shifts, are those of lib/carrier/fiber_stack.c */
	SHIFTS = 16,
	CORES_MOST = 64
};

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int ascending(const void *a, const void *b)
{
	return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

static void report(const char *part, int64_t n, double sample[SAMPLES])
{
	qsort(sample, SAMPLES, sizeof *sample, ascending);
	printf("%-8s %6d %10.1f ns\n", part, (int)n, sample[SAMPLES / 2]);
	fflush(stdout);
}

static void *need(void *memory)
{
	if (!memory) {
		fputs("bare_fibers: no memory\n", stderr);
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
	struct meeting *meeting;
	int64_t fibers, arrived, repetitions, running;
	int core;
};

/* Where the threads of a barrier meet. */
struct meeting {
	alignas(LSI_CACHE_LINE) LSI_ATOMIC(uint32_t) arrived;
	alignas(LSI_CACHE_LINE) LSI_ATOMIC(uint32_t) epoch;
	uint32_t threads;
};

static void make_fibers(struct scheduler *s, int64_t n, void (*entry)(void *))
{
	s->fibers = s->running = n;
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

/* ---- Switch */

static double started, ended; /* of the rings on this thread */

static void ring(void *argument)
{
	struct fiber *me = argument;
	const struct scheduler *s = me->scheduler;
	struct fiber *next = &s->fiber[(me - s->fiber + 1) % s->fibers];

	lsi_context_enter();
	lsi_context_switch(&me->context, &next->context); /* touches each stack once */
	if (me == s->fiber)
		started = now();
	for (int64_t i = 0; i < s->repetitions; i++)
		lsi_context_switch(&me->context, &next->context);
	if (me == s->fiber)
		ended = now();
	lsi_run_queue_take(&me->scheduler->queue); /* the others end in the order of the ring */
	lsi_context_exit(&me->context, me + 1 < s->fiber + s->fibers ? &next->context : &s->thread);
}

static void measure_switch(int64_t n)
{
	double sample[SAMPLES];

	for (int i = 0; i < SAMPLES; i++) {
		struct scheduler s = { .repetitions = OPERATIONS / n + 1 };

		make_fibers(&s, n, ring);
		run_fibers(&s);
		sample[i] = (ended - started) / (double)(s.repetitions * n);
	}
	report("switch", n, sample);
}

/* ---- Queue */

static void measure_queue(int64_t n)
{
	struct fiber *fiber = need(lsi_alloc_cache_aligned((size_t)n * sizeof *fiber));
	struct lsi_run_queue queue = { NULL, NULL };
	double sample[SAMPLES];

	for (int64_t i = 0; i < n; i++)
		lsi_run_queue_put(&queue, &fiber[i].link);
	for (int i = 0; i < SAMPLES; i++) {
		const double begin = now();

		for (int64_t k = 0; k < OPERATIONS; k++)
			lsi_run_queue_put(&queue, lsi_run_queue_take(&queue));
		sample[i] = (now() - begin) / OPERATIONS;
	}
	lsi_free(fiber);
	report("queue", n, sample);
}

/* ---- Barrier */

static void meet(struct meeting *meeting)
{
	const uint32_t epoch = lsi_load(&meeting->epoch, relaxed); /* changes only when all have come */

	if (lsi_fetch_add(&meeting->arrived, 1u, acq_rel) + 1 == meeting->threads) {
		lsi_store(&meeting->arrived, 0u, relaxed); /* ordered by epoch */
		lsi_store(&meeting->epoch, epoch + 1, release);
	}
	while (lsi_load(&meeting->epoch, acquire) == epoch)
		lsi_pause();
}

static void barrier(struct fiber *me)
{
	struct scheduler *s = me->scheduler;

	if (++s->arrived < s->fibers) {
		lsi_run_queue_put(&s->waiting, &me->link);
		switch_to_next(me);
		return;
	}
	s->arrived = 0;
	if (s->meeting->threads > 1)
		meet(s->meeting);
	lsi_run_queue_append(&s->queue, &s->waiting);
}

static void repeat_barrier(void *argument)
{
	struct fiber *me = argument;
	struct scheduler *s = me->scheduler;
	const bool measures = s->core == 0 && me == s->fiber;

	lsi_context_enter();
	barrier(me);
	if (measures)
		started = now();
	for (int64_t i = 0; i < s->repetitions; i++)
		barrier(me);
	if (measures)
		ended = now();
	end_fiber(me);
}

struct thread {
	pthread_t id;
	struct meeting *meeting;
	int64_t fibers, repetitions;
	int core;
};

static void bind_to(int index)
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
	struct scheduler s = {
		.meeting = thread->meeting, .repetitions = thread->repetitions, .core = thread->core
	};

	bind_to(thread->core);
	make_fibers(&s, thread->fibers, repeat_barrier);
	run_fibers(&s);
	return NULL;
}

static int count_cores(void)
{
	cpu_set_t allowed;

	sched_getaffinity(0, sizeof allowed, &allowed);
	return CPU_COUNT(&allowed) < CORES_MOST ? CPU_COUNT(&allowed) : CORES_MOST;
}

static double time_barrier(int64_t p)
{
	struct meeting meeting = { .threads = 0 };
	struct thread thread[CORES_MOST];
	const int cores = count_cores();
	const int64_t repetitions = OPERATIONS / 4 / p + 1;

	meeting.threads = (uint32_t)(p < cores ? p : cores);
	for (int i = 0; i < (int)meeting.threads; i++) {
		const int64_t first = p * i / meeting.threads, end = p * (i + 1) / meeting.threads;

		thread[i] = (struct thread){
			.meeting = &meeting, .fibers = end - first, .repetitions = repetitions, .core = i
		};
		if (pthread_create(&thread[i].id, NULL, thread_body, &thread[i]) != 0)
			need(NULL);
	}
	for (int i = 0; i < (int)meeting.threads; i++)
		pthread_join(thread[i].id, NULL);
	return (ended - started) / (double)repetitions;
}

static void measure_barrier(int64_t p)
{
	double sample[SAMPLES];

	for (int i = 0; i < SAMPLES; i++)
		sample[i] = time_barrier(p);
	report("barrier", p, sample);
}

int main(void)
{
	static const int64_t contexts[] = { 2, 32, 512, 65536 };
	static const int64_t nodes[] = { 2, 4, 16, 64, 120, 1024, 5040 };

	for (size_t i = 0; i < sizeof contexts / sizeof *contexts; i++)
		measure_switch(contexts[i]);
	for (size_t i = 0; i < sizeof contexts / sizeof *contexts; i++)
		measure_queue(contexts[i]);
	for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++)
		measure_barrier(nodes[i]);
	return 0;
}
