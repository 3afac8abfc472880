/*
 * Conditions of a measurement: the distance of the cores, and the time that other programs use.
 */
#ifndef LOCKSTEP_BENCH_CORE_PROBE_H
#define LOCKSTEP_BENCH_CORE_PROBE_H

#include <stdint.h>

/*
 * ns in which two threads, bound to the first and the last core allowed, exchange a cache line:
 * each writes one and waits for the other's.  The median over about a millisecond.  Virtual
 * machines move cores between a near state (45 ns) and a far one (400 ns).  NAN: only one core is
 * allowed.
 */
double probe_exchange(void);

/* Time of the cores allowed: since the system started, and used by this process; ns. */
struct usage {
	int64_t wall, busy, own;
};
struct usage usage_now(void);
/* The share of the cores' time that other programs used in between; NAN: the time was too short. */
double usage_of_others(const struct usage *before, const struct usage *after);

#endif
