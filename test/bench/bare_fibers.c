/*
 * What fibers cost at least: the parts of which collectives of light nodes consist.
 *
 *   switch    lsi_context_switch around a ring of n contexts on one thread, ns for one switch
 *   queue     lsi_run_queue_put and _take with n fibers in the queue, ns for both
 *   barrier   a barrier of p fibers on all cores, ns for one barrier.  The fibers of a core arrive
 *             at a plain counter and wait in a list; the last ones of all cores meet at an atomic
 *             counter, where they spin.
 *   start     n fibers on all cores are made and run for the first time, ns for one fiber: the
 *             kernel clears the pages of their stacks
 *   exchange  n fibers on all cores, n a power of two: each writes a cache line that a peer reads,
 *             and lets the others run until its own line is written; ns for one fiber.  The peers
 *             are those of a hypercube, one dimension after another.
 *
 * Each figure is the median of SAMPLES.  Columns: part, number, ns.
 */
#include <string.h>

#include "bare_fibers.h"

enum {
	SAMPLES = 11,
	OPERATIONS = 4000000 /* of a sample */
};

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

static void measure_barrier(int64_t p)
{
	double sample[SAMPLES];

	for (int i = 0; i < SAMPLES; i++) {
		struct team team = {
			.work = wait_for_all, .fibers = p, .repetitions = OPERATIONS / 4 / p + 1
		};

		sample[i] = time_of_turn(&team);
	}
	report("barrier", p, sample);
}

/* ---- Start and exchange */

struct line {
	alignas(LSI_CACHE_LINE) LSI_ATOMIC(int64_t) turn;
};
static struct line *line; /* of each fiber, one per dimension */

static void exchange(struct fiber *me, int64_t turn)
{
	const int64_t rank = rank_of(me);
	const int dimensions = __builtin_ctzll((uint64_t)me->scheduler->team->fibers);
	const int64_t d = turn % dimensions, peer = rank ^ ((int64_t)1 << d);

	lsi_store(&line[peer * dimensions + d].turn, turn, release); /* read below */
	do
		yield_fiber(me);
	while (lsi_load(&line[rank * dimensions + d].turn, acquire) < turn); /* written above */
}

static void measure_exchange(int64_t n)
{
	const size_t lines = (size_t)n * (size_t)__builtin_ctzll((uint64_t)n);
	double start[SAMPLES], sample[SAMPLES];

	line = need(lsi_alloc_cache_aligned(lines * sizeof *line));
	for (int i = 0; i < SAMPLES; i++) {
		struct team team = { .work = exchange, .fibers = n, .repetitions = OPERATIONS / n + 1 };
		double began;

		memset(line, 0, lines * sizeof *line);
		began = now();
		sample[i] = time_of_turn(&team) / (double)n;
		start[i] = (team.started - began) / (double)n;
	}
	lsi_free(line);
	report("start", n, start);
	report("exchange", n, sample);
}

int main(void)
{
	static const int64_t contexts[] = { 2, 32, 512, 65536 };
	static const int64_t nodes[] = { 2, 4, 16, 64, 120, 1024, 5040 };
	static const int64_t many[] = { 64, 1024, 32768, 262144 };

	for (size_t i = 0; i < sizeof contexts / sizeof *contexts; i++)
		measure_switch(contexts[i]);
	for (size_t i = 0; i < sizeof contexts / sizeof *contexts; i++)
		measure_queue(contexts[i]);
	for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++)
		measure_barrier(nodes[i]);
	for (size_t i = 0; i < sizeof many / sizeof *many; i++)
		measure_exchange(many[i]);
	return 0;
}
