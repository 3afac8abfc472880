/*
 * The test build LSI_CHAOS: before an atomic access a thread yields, one time in eight, by a
 * pseudo-random sequence of its own.  The number in the environment variable LS_SEED starts
 * the sequences, which differ by thread; the schedule that the system makes of them is not
 * repeatable.
 */
#include "base/atomic.h"

#ifdef LSI_CHAOS

#include <sched.h>
#include <stdlib.h>

enum { ONE_IN = 8 };

static atomic_uint threads;
static _Thread_local uint32_t state;

static uint32_t make_first_state(void)
{
	const char *seed = getenv("LS_SEED");
	const uint32_t thread =
		atomic_fetch_add_explicit(&threads, 1, memory_order_relaxed); /* a number only */

	return (((seed ? (uint32_t)strtoul(seed, NULL, 0) : 1) * 0x9e3779b9u) ^ (thread * 0x85ebca6bu))
		| 1;
}

/* xorshift32 never leaves a state that is not 0. */
void lsi_chaos(void)
{
	if (state == 0)
		state = make_first_state();
	state ^= state << 13;
	state ^= state >> 17;
	state ^= state << 5;
	if (state % ONE_IN == 0)
		sched_yield();
}

#endif
