/*
 * Times in ns: the clock, and statistics of samples.
 */
#ifndef LOCKSTEP_BASE_TIMING_H
#define LOCKSTEP_BASE_TIMING_H

#include <stddef.h>
#include <stdint.h>

struct timing {
	double median, min, mad; /* mad: median absolute deviation */
	double lower, upper;     /* quartiles */
	size_t runs;
};

int64_t clock_now(void); /* monotonic */

struct timing timing_one(double time);
/* Overwrites the times; runs > 0. */
struct timing timing_of(double *times, size_t runs);

#endif
