#include "base/timing.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

int64_t clock_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static int ascending(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Interpolates linearly between the two nearest sorted values. */
static double quantile(const double *sorted, size_t count, double share)
{
	const double position = share * (double)(count - 1);
	const size_t below = (size_t)position;
	const double above = below + 1 < count ? sorted[below + 1] : sorted[below];

	return sorted[below] + (position - (double)below) * (above - sorted[below]);
}

struct timing timing_one(double time)
{
	return (struct timing){ time, time, 0, time, time, 1 };
}

struct timing timing_of(double *times, size_t runs)
{
	struct timing timing = { .runs = runs };
	double *deviation = times;

	qsort(times, runs, sizeof *times, ascending);
	timing.min = times[0];
	timing.lower = quantile(times, runs, .25);
	timing.median = quantile(times, runs, .5);
	timing.upper = quantile(times, runs, .75);
	for (size_t i = 0; i < runs; i++)
		deviation[i] = fabs(times[i] - timing.median);
	qsort(deviation, runs, sizeof *deviation, ascending);
	timing.mad = quantile(deviation, runs, .5);
	return timing;
}
