/*
 * OpenMP threads as nodes: inside a parallel region each thread attaches itself to a machine.
 *
 * The sum of 1/i^2 is made twice in every region: by OpenMP's reduction clause, which adds the
 * threads' parts as they come, and by an all-reduce, which has the same bits every time at every
 * thread.
 */
#include "demo.h"

#include <math.h>
#include <omp.h>
#include <string.h>

enum { THREADS = 6, RUNS = 100, TERMS = 20000 };

static double part(int thread)
{
	double sum = 0;

	for (int i = 1 + thread; i <= TERMS; i += THREADS)
		sum += 1.0 / i / i;
	return sum;
}

static int attached_sum(ls_machine *machine, int thread, double mine, double *sum)
{
	ls_node *me;
	int failed = ls_attach(machine, thread, 0, &me);

	if (failed)
		return failed;
	failed = ls_allreduce(me, &mine, sum, 1, LS_DOUBLE, LS_SUM);
	return ls_detach(me) || failed;
}

/* How many different values there are. */
static int variety(const double *value, int n)
{
	int different = 0;

	for (int i = 0; i < n; i++) {
		int j = 0;

		while (memcmp(&value[j], &value[i], sizeof *value) != 0)
			j++;
		different += j == i;
	}
	return different;
}

int main(void)
{
	const struct network net = network_make("complete:6", NULL);
	static double reduced[RUNS], allreduced[RUNS][THREADS];
	double sequential = 0;
	int failures = 0;

	omp_set_dynamic(0);
	for (int run = 0; run < RUNS; run++) {
		double sum = 0;

#pragma omp parallel num_threads(THREADS) reduction(+ : sum, failures)
		{
			const int thread = omp_get_thread_num();

			sum = part(thread);
			failures += omp_get_num_threads() != THREADS
				|| attached_sum(net.machine, thread, sum, &allreduced[run][thread]);
		}
		reduced[run] = sum;
	}
	require(failures == 0, "%d threads failed", failures);
	for (int i = 1; i <= TERMS; i++)
		sequential += 1.0 / i / i;

	printf("%d runs on %d threads: sum of 1/i^2, i = 1 .. %d\n\n", RUNS, THREADS, TERMS);
	printf("  OpenMP reduction(+)   different results: %d   the first: %.17g\n",
		variety(reduced, RUNS), reduced[0]);
	printf("  Lockstep all-reduce   different results: %d   all:       %.17g\n",
		variety(allreduced[0], RUNS * THREADS), allreduced[0][0]);
	require(variety(allreduced[0], RUNS * THREADS) == 1, "the bits differ");
	require(fabs(allreduced[0][0] - sequential) < 1e-13, "the sum is %.17g", sequential);
	network_destroy(net);
	return EXIT_SUCCESS;
}
