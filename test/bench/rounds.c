/*
 * What a round costs, side by side with what other programs would use, in one run.
 *
 *   round       ls_next_round in lockstep rounds, ns per round of all nodes
 *   spin        a barrier of two threads that spin on one word
 *   pthread     pthread_barrier_wait
 *   all-reduce  ls_allreduce of 8 bytes on complete:2 in free rounds
 *   exchange    two threads that write a cache line each and wait for the other's
 *
 * Every pair is measured in turns, SAMPLES times; printed are medians, quartiles of the ratio, and
 * the ratio of the medians.  Arguments: the numbers of nodes (default 2 64 720 5040).
 */
#include <lockstep.h>

#include <pthread.h>
#include <sched.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { SAMPLES = 11 };

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* ---- Lockstep */

struct job { int rounds; double ns; };

static int rounds_program(ls_node *me, void *arg)
{
	struct job *job = arg;
	int failed = ls_next_round(me);
	const double begin = now();

	for (int i = 0; i < job->rounds && !failed; i++)
		failed = ls_next_round(me);
	if (ls_rank(me) == 0)
		job->ns = (now() - begin) / job->rounds;
	return failed;
}

static int allreduce_program(ls_node *me, void *arg)
{
	struct job *job = arg;
	double mine = 1, sum = 0;
	int failed = LS_OK;

	for (int i = 0; i < 100 && !failed; i++)
		failed = ls_allreduce(me, &mine, &sum, 1, LS_DOUBLE, LS_SUM);

	const double begin = now();

	for (int i = 0; i < job->rounds && !failed; i++)
		failed = ls_allreduce(me, &mine, &sum, 1, LS_DOUBLE, LS_SUM);
	if (ls_rank(me) == 0)
		job->ns = (now() - begin) / job->rounds;
	return failed ? failed : sum != 2;
}

static double on_machine(
	const char *spec, enum ls_rounds mode, int (*program)(ls_node *, void *), int rounds)
{
	const struct ls_machine_options options = { .size = sizeof options, .rounds = mode };
	struct job job = { rounds, 0 };
	ls_topology *topology;
	ls_machine *machine;

	if (ls_topology_make(spec, &topology, NULL) || ls_machine_make(topology, &options, &machine)
		|| ls_run(machine, program, &job)) {
		fprintf(stderr, "rounds: %s failed\n", spec);
		exit(1);
	}
	ls_machine_destroy(machine);
	ls_topology_destroy(topology);
	return job.ns;
}

/* ---- What others use */

struct shared {
	alignas(64) atomic_int arrived;
	alignas(64) atomic_int epoch;
	alignas(64) atomic_int line[2][16];
	pthread_barrier_t barrier;
	int threads, rounds;
	void (*wait)(struct shared *, int me, int round);
	alignas(64) double ns;
};

struct thread { pthread_t id; struct shared *shared; int me; };

static void spin_wait(struct shared *s, int me, int round)
{
	(void)me;
	if (atomic_fetch_add_explicit(&s->arrived, 1, memory_order_acq_rel) == s->threads - 1) {
		atomic_store_explicit(&s->arrived, 0, memory_order_relaxed);
		atomic_store_explicit(&s->epoch, round, memory_order_release);
	}
	while (atomic_load_explicit(&s->epoch, memory_order_acquire) != round)
		;
}

static void pthread_wait(struct shared *s, int me, int round)
{
	(void)me;
	(void)round;
	pthread_barrier_wait(&s->barrier);
}

static void exchange_wait(struct shared *s, int me, int round)
{
	atomic_store_explicit(&s->line[me][0], round, memory_order_release);
	while (atomic_load_explicit(&s->line[!me][0], memory_order_acquire) < round)
		;
}

static void *thread_body(void *arg)
{
	const struct thread *thread = arg;
	struct shared *s = thread->shared;
	const int cores = (int)sysconf(_SC_NPROCESSORS_ONLN);
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((size_t)((long)thread->me * cores / s->threads), &set);
	pthread_setaffinity_np(pthread_self(), sizeof set, &set);
	pthread_barrier_wait(&s->barrier);

	const double begin = now();

	for (int round = 1; round <= s->rounds; round++)
		s->wait(s, thread->me, round);
	if (thread->me == 0)
		s->ns = (now() - begin) / s->rounds;
	return NULL;
}

static double on_threads(int threads, void (*wait)(struct shared *, int, int), int rounds)
{
	static struct shared shared;
	struct thread *thread = calloc((size_t)threads, sizeof *thread);
	pthread_attr_t attributes;

	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, 64 << 10);
	shared.threads = threads;
	shared.rounds = rounds;
	shared.wait = wait;
	shared.epoch = shared.line[0][0] = shared.line[1][0] = 0;
	pthread_barrier_init(&shared.barrier, NULL, (unsigned)threads);
	for (int i = 0; i < threads; i++) {
		thread[i].shared = &shared;
		thread[i].me = i;
		if (pthread_create(&thread[i].id, &attributes, thread_body, &thread[i])) {
			fprintf(stderr, "rounds: no %d threads\n", threads);
			exit(1);
		}
	}
	for (int i = 0; i < threads; i++)
		pthread_join(thread[i].id, NULL);
	pthread_barrier_destroy(&shared.barrier);
	pthread_attr_destroy(&attributes);
	free(thread);
	return shared.ns;
}

/* ---- In turns */

static int ascending(const void *a, const void *b)
{
	return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

static double quantile(double *sorted, int quarter)
{
	return sorted[(SAMPLES - 1) * quarter / 4];
}

static void report(const char *what, const char *peer, double *ours, double *theirs)
{
	double ratio[SAMPLES];

	for (int i = 0; i < SAMPLES; i++)
		ratio[i] = ours[i] / theirs[i];
	qsort(ours, SAMPLES, sizeof *ours, ascending);
	qsort(theirs, SAMPLES, sizeof *theirs, ascending);
	qsort(ratio, SAMPLES, sizeof *ratio, ascending);
	printf("%-24s %12.0f ns   %-18s %12.0f ns   ratio %.2f   quartiles %.2f .. %.2f\n", what,
		quantile(ours, 2), peer, quantile(theirs, 2), quantile(ratio, 2), quantile(ratio, 1),
		quantile(ratio, 3));
	fflush(stdout);
}

int main(int argc, char **argv)
{
	static const int usual[] = { 2, 64, 720, 5040 };
	double ours[SAMPLES], theirs[SAMPLES];

	for (int k = 0; k < (argc > 1 ? argc - 1 : 4); k++) {
		const int p = argc > 1 ? atoi(argv[k + 1]) : usual[k];
		const int rounds = p <= 2 ? 200000 : 200000 / p / (p > 1000 ? 4 : 1) + 3;
		char spec[32], what[32];

		snprintf(spec, sizeof spec, "ring:%d", p);
		snprintf(what, sizeof what, "round, %d nodes", p);
		for (int i = 0; i < SAMPLES; i++) {
			ours[i] = on_machine(spec, LS_LOCKSTEP, rounds_program, rounds);
			theirs[i] = p <= 2 ? on_threads(p, spin_wait, rounds)
							   : on_threads(p, pthread_wait, rounds);
		}
		report(what, p <= 2 ? "spin barrier" : "pthread_barrier", ours, theirs);
	}
	for (int i = 0; i < SAMPLES; i++) {
		ours[i] = on_machine("complete:2", LS_FREE, allreduce_program, 500000);
		theirs[i] = on_threads(2, exchange_wait, 500000);
	}
	report("all-reduce 8 B, 2 nodes", "exchange", ours, theirs);
	return 0;
}
