#include "bench/core_probe.h"

#include "base/timing.h"

#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

/* ---- The exchange of a cache line */

enum { BATCHES = 25, EXCHANGES = 200, SPINS_BEFORE_YIELD = 10000, LIMIT_NS = 20 * 1000 * 1000 };

struct probe {
	struct {
		alignas(128) atomic_int written;
	} line[2];
	alignas(128) atomic_bool over;
	int core[2];
	double batch[BATCHES]; /* ns per exchange */
	int batches;
};

/* Another program may occupy a core: yield to it after a while. */
static void await(struct probe *probe, int whose, int value)
{
	for (int i = 0; atomic_load_explicit(&probe->line[whose].written, memory_order_acquire) < value
		 && !atomic_load_explicit(&probe->over, memory_order_relaxed);
		 i++)
		if (i >= SPINS_BEFORE_YIELD)
			sched_yield();
}

static void exchange(struct probe *probe, int me, int value)
{
	atomic_store_explicit(&probe->line[me].written, value, memory_order_release);
	await(probe, !me, value);
}

static void bind_to(int core)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((size_t)core, &set);
	pthread_setaffinity_np(pthread_self(), sizeof set, &set);
}

static void *respond(void *argument)
{
	struct probe *probe = argument;

	bind_to(probe->core[1]);
	for (int value = 1; !atomic_load_explicit(&probe->over, memory_order_relaxed); value++)
		exchange(probe, 1, value);
	return NULL;
}

static void *request(void *argument)
{
	struct probe *probe = argument;
	const int64_t begin = clock_now();
	int value = 1;

	bind_to(probe->core[0]);
	exchange(probe, 0, value++);
	do {
		const int64_t start = clock_now();

		for (int i = 0; i < EXCHANGES; i++)
			exchange(probe, 0, value++);
		probe->batch[probe->batches++] = (double)(clock_now() - start) / EXCHANGES;
	} while (probe->batches < BATCHES && clock_now() - begin < LIMIT_NS);
	atomic_store_explicit(&probe->over, true, memory_order_relaxed);
	return NULL;
}

int probe_cores(int *core, int room)
{
	cpu_set_t set;
	int count = 0;

	if (sched_getaffinity(0, sizeof set, &set) != 0)
		return 0;
	for (int i = 0; i < CPU_SETSIZE; i++)
		if (CPU_ISSET((size_t)i, &set) && count++ < room)
			core[count - 1] = i;
	return count;
}

double probe_pair(int core_a, int core_b)
{
	struct probe probe = { .core = { core_a, core_b } };
	pthread_t requester, responder;

	if (pthread_create(&responder, NULL, respond, &probe) != 0)
		return NAN;
	if (pthread_create(&requester, NULL, request, &probe) != 0)
		atomic_store_explicit(&probe.over, true, memory_order_relaxed);
	else
		pthread_join(requester, NULL);
	pthread_join(responder, NULL);
	return probe.batches > 0 ? timing_of(probe.batch, (size_t)probe.batches).median : NAN;
}

double probe_exchange(void)
{
	int core[CPU_SETSIZE];
	const int cores = probe_cores(core, CPU_SETSIZE);

	return cores < 2 ? NAN : probe_pair(core[0], core[cores - 1]);
}

/* ---- Time of other programs */

enum { SHORT_NS = 100 * 1000 * 1000 };

/* "cpu3 USER NICE SYSTEM IDLE IOWAIT IRQ SOFTIRQ STEAL", in ticks: the busy time of a core. */
static int64_t busy_ticks(const char *line, int *core)
{
	int64_t user, nice, system, idle, wait, irq, soft, steal;

	if (sscanf(line,
			"cpu%d %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64
			" %" SCNd64,
			core, &user, &nice, &system, &idle, &wait, &irq, &soft, &steal)
		!= 9)
		return -1;
	return user + nice + system + irq + soft + steal;
}

/* -1: not known. */
static int64_t busy_time(void)
{
	FILE *file = fopen("/proc/stat", "r");
	int64_t total = 0, cores = 0;
	char line[512];
	cpu_set_t set;

	if (!file || sched_getaffinity(0, sizeof set, &set) != 0)
		CPU_ZERO(&set);
	while (file && fgets(line, sizeof line, file)) {
		int core = -1;
		const int64_t ticks = busy_ticks(line, &core);

		if (ticks < 0 || core < 0 || core >= CPU_SETSIZE || !CPU_ISSET((size_t)core, &set))
			continue;
		total += ticks;
		cores++;
	}
	if (file)
		fclose(file);
	return cores > 0 ? total * (1000000000 / sysconf(_SC_CLK_TCK)) : -1;
}

static int64_t ns_of(struct timeval time)
{
	return (int64_t)time.tv_sec * 1000000000 + (int64_t)time.tv_usec * 1000;
}

struct usage usage_now(void)
{
	struct rusage used;

	getrusage(RUSAGE_SELF, &used);
	return (struct usage){ clock_now(), busy_time(), ns_of(used.ru_utime) + ns_of(used.ru_stime) };
}

double usage_of_others(const struct usage *before, const struct usage *after)
{
	const double all = (double)(after->wall - before->wall) * probe_cores(NULL, 0);
	const double others = (double)(after->busy - before->busy) - (double)(after->own - before->own);

	/* The system counts in ticks of 10 ms. */
	if (before->busy < 0 || after->busy < 0 || after->wall - before->wall < SHORT_NS)
		return NAN;
	return fmin(fmax(others / all, 0), 1);
}
