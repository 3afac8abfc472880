/*
 * Prints the time in ns in which two threads on the first two cores exchange a cache line in both
 * directions; 0 on a machine with one core.
 */
#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "bind.h"
#include "clock.h"

enum { BATCHES = 9, EXCHANGES = 1000 };

static struct {
	alignas(64) atomic_long turn;
} line[2];
static cpu_set_t allowed;

static int ascending(const void *a, const void *b)
{
	return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

static void *exchange(void *arg)
{
	const int me = arg != NULL;
	double batch[BATCHES];
	long turn = 0;

	bind_to(&allowed, me);
	for (int b = 0; b < BATCHES; b++) {
		const double begin = now();

		for (int i = 0; i < EXCHANGES; i++) {
			atomic_store_explicit(&line[me].turn, ++turn, memory_order_release);
			while (atomic_load_explicit(&line[!me].turn, memory_order_acquire) < turn)
				;
		}
		batch[b] = (now() - begin) / EXCHANGES;
	}
	qsort(batch, BATCHES, sizeof *batch, ascending);
	if (!me)
		printf("%.0f\n", batch[BATCHES / 2]);
	return NULL;
}

int main(void)
{
	pthread_t other;

	allowed = cores_allowed();
	if (CPU_COUNT(&allowed) < 2) {
		puts("0");
		return 0;
	}
	if (pthread_create(&other, NULL, exchange, &allowed))
		return 1;
	exchange(NULL);
	pthread_join(other, NULL);
	return 0;
}
