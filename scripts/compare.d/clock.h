/* Time in ns. */
#include <time.h>

#undef clock_gettime /* SimGrid replaces it by the simulated time */

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}
