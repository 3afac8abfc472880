/*
 * Round barrier: central, with members that may leave for good.
 *
 *   count   members << 32 | arrived
 *   epoch   rounds completed
 *
 * The member whose arrival (or leaving) makes arrived == members ends the round: it clears arrived,
 * then steps the epoch.  A member reads the epoch before it arrives and waits for it to change.
 *
 * Edges  ARRIVE  every arrival's release of count -> the last one's acquire: all wrote what they
 *        wrote
 *        ROUND   the release of epoch -> the waiter's acquire
 *        PARK    of park.h: the look at the epoch may be a sleeper's second look
 * Evidence  test/relacy/barrier.cpp, epoch starting at 2^32 - 2.
 */
#ifndef LS_MACHINE_BARRIER_H
#define LS_MACHINE_BARRIER_H

#include "machine/park.h"

struct ls_barrier {
	alignas(64) LS_ATOMIC(uint64_t) count;
	alignas(64) LS_ATOMIC(uint32_t) epoch;
};

static inline void ls_barrier_reset(struct ls_barrier *barrier, uint32_t members, uint32_t start)
{
	ls_store(&barrier->count, (uint64_t)members << 32, relaxed);    /* before any member knows it */
	ls_store(&barrier->epoch, start, relaxed);                      /* as above */
}

static inline uint32_t ls_barrier_epoch(struct ls_barrier *barrier)
{
	return ls_load(&barrier->epoch, seq_cst);                          /* ROUND, PARK */
}

/* All members have arrived; none can arrive again before the epoch steps. */
static inline void ls_barrier_open(struct ls_barrier *barrier, uint32_t arrived, bool asymmetric)
{
	const uint32_t epoch = ls_load(&barrier->epoch, relaxed);         /* only an opener writes it */

	ls_fetch_sub(&barrier->count, (uint64_t)arrived, relaxed);         /* ordered by ROUND */
	ls_publish(&barrier->epoch, epoch + 1, asymmetric);                /* ROUND */
}

/* True: this arrival ended the round; the caller wakes who sleeps. */
static inline bool ls_barrier_arrive(struct ls_barrier *barrier, bool asymmetric)
{
	const uint64_t count = ls_fetch_add(&barrier->count, 1u, acq_rel) + 1;     /* ARRIVE */

	if ((uint32_t)count != (uint32_t)(count >> 32))
		return false;
	ls_barrier_open(barrier, (uint32_t)count, asymmetric);
	return true;
}

/* Leave for good.  True: that ended the round. */
static inline bool ls_barrier_leave(struct ls_barrier *barrier, bool asymmetric)
{
	const uint64_t one = (uint64_t)1 << 32;
	const uint64_t count = ls_fetch_sub(&barrier->count, one, acq_rel) - one;  /* ARRIVE */

	if ((uint32_t)count == 0 || (uint32_t)count != (uint32_t)(count >> 32))
		return false;
	ls_barrier_open(barrier, (uint32_t)count, asymmetric);
	return true;
}

#endif
