/*
 * Parking: how a node sleeps until another makes its condition true, and how sleepers are counted.
 *
 *   word     1 while its owner is asleep or about to sleep, else 0.  The owner sets it; the owner
 *            or a waker clears it
 *   census   parked << 32 | live: nodes whose condition was false after their word was 1, and nodes
 *            that have not left.  It is one word, so that one addition sees both numbers at once
 *
 *   Sleeper                               Waker
 *   word := 1                             make the condition true
 *   check the condition again             if word == 1:
 *   if false:                                 parked -= 1
 *       parked += 1                           word := 0
 *       sleep while word == 1                 wake the owner
 *
 * The one that clears a word subtracts from parked, and does so first.  Parked therefore never
 * exceeds the number of parked nodes, even when a woken node parks again before its waker goes on.
 * (It may be too low, even below 0, while a waker works; the live half is not touched by that.)
 *
 * A waker is a live node that is not parked.  So parked == live only when every live node found its
 * condition false after it had set its word, and no wake is in progress: the report of a deadlock
 * is exact.
 *
 * Edges  PARK    word := 1 and the second check, against the condition and the waker's load of
 *                word, are a store and a load on each side: all four sequentially consistent, or
 *                ordered by the asymmetric barrier (lsi_membarrier of the sleeper pairs with
 *                lsi_compiler_barrier of the waker)
 *        WAKE    a waker's exchange of word -> the owner's: the waker has subtracted
 *        CENSUS  every addition to the census -> the one that makes parked == live: the wait state
 *                of each node
 * Evidence       test/relacy/park.cpp
 */
#ifndef LSI_MACHINE_PARK_H
#define LSI_MACHINE_PARK_H

#include "base/atomic.h"

struct lsi_parking {
	LSI_ATOMIC(uint32_t) word;
};

/* Shared by all nodes of a machine. */
struct lsi_census {
	LSI_ATOMIC(uint64_t) count;
};

static inline void lsi_census_reset(struct lsi_census *census, uint32_t live)
{
	lsi_store(&census->count, (uint64_t)live, relaxed); /* no node knows it yet */
}

static inline uint32_t lsi_census_live(struct lsi_census *census)
{
	return (uint32_t)lsi_load(&census->count, acquire); /* CENSUS */
}

/* Add to the census; true: every live node is parked. */
static inline bool lsi_census_add(struct lsi_census *census, int parked, int live)
{
	const uint64_t more = ((uint64_t)parked << 32) + (uint64_t)live;
	const uint64_t count = lsi_fetch_add(&census->count, more, acq_rel) + more; /* CENSUS */

	return (uint32_t)count != 0 && (uint32_t)count == (uint32_t)(count >> 32);
}

static inline void lsi_park_announce(struct lsi_parking *parking)
{
	lsi_exchange(&parking->word, 1u, seq_cst); /* PARK: then the second check */
}

/* The second check found the condition true. */
static inline void lsi_park_retract(struct lsi_parking *parking, struct lsi_census *census)
{
	if (lsi_exchange(&parking->word, 0u, acq_rel) == 0) /* WAKE: a waker has subtracted for it */
		lsi_census_add(census, 1, 0);
}

/* The second check found it false.  True: every live node is parked. */
static inline bool lsi_park_commit(struct lsi_census *census)
{
	return lsi_census_add(census, 1, 0);
}

static inline bool lsi_park_asleep(struct lsi_parking *parking)
{
	return lsi_load(&parking->word, acquire) == 1; /* WAKE */
}

/*
 * After the condition became true.  True: the owner was parked and must be woken.  The owner calls
 * it itself when its time is over.
 */
static inline bool lsi_park_wake(struct lsi_parking *parking, struct lsi_census *census)
{
	if (lsi_load(&parking->word, seq_cst) == 0) /* PARK: the waker's load */
		return false;
	lsi_census_add(census, -1, 0);
	if (lsi_exchange(&parking->word, 0u, acq_rel) == 1) /* WAKE */
		return true;
	lsi_census_add(census, 1, 0);
	return false;
}

/* A node leaves.  True: every node that stays is parked. */
static inline bool lsi_park_leave(struct lsi_census *census)
{
	return lsi_census_add(census, 0, -1);
}

/*
 * Publish a 32-bit flag, and order it before the load of a parking word that follows (edge PARK).
 * With the asymmetric barrier, a release store and a compiler barrier suffice; without it, an
 * exchange does it.
 */
static inline void lsi_publish(LSI_ATOMIC(uint32_t) * flag, uint32_t value, bool asymmetric)
{
	if (!asymmetric) {
		lsi_exchange(flag, value, seq_cst); /* FULL, FREE, ROUND; PARK */
		return;
	}
	lsi_store(flag, value, release); /* FULL, FREE, ROUND */
	lsi_compiler_barrier();          /* PARK: pairs with lsi_membarrier */
}

#endif
