#include "support/resources.h"

#include <dirent.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>

#include "support/guard.h"
#include "support/inject.h"
#include "test.h"

const char *const resource_name[RESOURCES] = { "pieces of memory", "threads", "descriptors",
	"mappings", "KiB of heap", "KiB resident" };

/* How much the median of a resource may grow; -1: no sample may exceed the first. */
static const long slack_of[RESOURCES] = { -1, -1, -1, 8, 256, 2048 };

void resources_begin(void)
{
	mallopt(M_ARENA_MAX, 1);
}

static long entries(const char *folder)
{
	DIR *open = opendir(folder);
	long n = -1; /* the descriptor of the folder itself */

	for (struct dirent *entry; open && (entry = readdir(open));)
		n += entry->d_name[0] != '.';
	if (open)
		closedir(open);
	return n;
}

static long lines(const char *name)
{
	FILE *file = fopen(name, "r");
	long n = 0;

	for (int c; file && (c = getc(file)) != EOF;)
		n += c == '\n';
	if (file)
		fclose(file);
	return n;
}

static long resident(void)
{
	FILE *file = fopen("/proc/self/statm", "r");
	long size, pages = 0;

	if (file && fscanf(file, "%ld %ld", &size, &pages) != 2)
		pages = 0;
	if (file)
		fclose(file);
	return pages * 4;
}

static long heap(void)
{
	const struct mallinfo2 m = mallinfo2();

	return (long)((m.uordblks + m.hblkhd) / 1024);
}

void samples_add(struct samples *samples)
{
	long *value = samples->value[samples->count];

	if (samples->count == SAMPLES_MOST)
		return;
	/* A thread that was joined may be seen for a moment. */
	for (double end = seconds() + 1; threads_alive() > ONE_THREAD && seconds() < end;)
		nap(1);
	malloc_trim(0);
	value[HELD] = (long)atomic_load(&held);
	value[THREADS] = threads_alive();
	value[DESCRIPTORS] = entries("/proc/self/fd");
	value[MAPPINGS] = lines("/proc/self/maps");
	value[HEAP] = heap();
	value[RESIDENT] = resident();
	samples->count++;
}

static int in_order(const void *a, const void *b)
{
	const long x = *(const long *)a, y = *(const long *)b;

	return (x > y) - (x < y);
}

static long median(const struct samples *samples, int from, int to, enum resource r)
{
	long sorted[SAMPLES_MOST];

	for (int i = from; i < to; i++)
		sorted[i - from] = samples->value[i][r];
	qsort(sorted, (size_t)(to - from), sizeof *sorted, in_order);
	return sorted[(to - from) / 2];
}

void samples_check(const struct samples *samples)
{
	const int n = samples->count, third = (n + 2) / 3;

	CHECK(n >= 2, "%d samples", n);
	for (int r = 0; r < RESOURCES && n >= 2; r++) {
		const bool is_exact = slack_of[r] < 0;
		const long first =
			is_exact ? samples->value[0][r] : median(samples, 0, third, (enum resource)r);
		long last = is_exact ? first : median(samples, n - third, n, (enum resource)r);

		for (int i = 0; is_exact && i < n; i++)
			last = samples->value[i][r] > last ? samples->value[i][r] : last;
		CHECK(last <= first + (is_exact ? 0 : slack_of[r]), "%s grew from %ld to %ld",
			resource_name[r], first, last);
	}
}

void samples_print(const struct samples *samples)
{
	for (int r = 0; r < RESOURCES && samples->count > 0; r++)
		printf("%s%ld %s", r ? ", " : "", samples->value[samples->count - 1][r], resource_name[r]);
}
