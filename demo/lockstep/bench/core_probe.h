/*
 * Conditions of a measurement: the distance of the cores, and the time that other programs use.
 */
#ifndef LOCKSTEP_BENCH_CORE_PROBE_H
#define LOCKSTEP_BENCH_CORE_PROBE_H

#include <stdint.h>

/*
 * ns in which two threads, each bound to one core, exchange a cache line: each writes one and waits
 * for the other's.  The median over about a millisecond.  Virtual machines move cores between a
 * near state (45 ns) and a far one (400 ns).  NAN: a thread could not be started.
 */
double probe_pair(int core_a, int core_b);
/* Of the first and the last core allowed.  NAN also where only one core is allowed. */
double probe_exchange(void);

/* Stores the allowed cores in ascending order, as far as there is room; returns their number. */
int probe_cores(int *core, int room);

/* Times in ns. */
struct usage {
	int64_t wall; /* of the monotonic clock */
	int64_t busy; /* that the allowed cores were not idle since the system started; -1: unknown */
	int64_t own;  /* CPU time of this process */
};
struct usage usage_now(void);
/*
 * The share of the cores' time that other programs used in between.  NAN: the time was too short,
 * or /proc/stat cannot be read.
 */
double usage_of_others(const struct usage *before, const struct usage *after);

#endif
